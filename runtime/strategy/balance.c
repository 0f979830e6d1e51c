/* SPDX-License-Identifier: BSD-3-Clause */
/* What one replica costs on a device is the time that bodies had there in a window of steps,
 * divided by the replicas that it hosts. Only how devices compare with one another counts, so how
 * many steps a window has does not matter.
 *
 * There are two answers: the median of the latest three windows, which is followed where it says
 * that much is to be gained, and in which a window that a device lost to somebody else does not
 * count; and the mean of many, in which little shows through the noise. Only the mean takes the
 * last replica from a device. */
#include "config.h"

#include "runtime/strategy/balance.h"

#include "runtime/base/memory.h"
#include "runtime/base/thread.h"
#include "runtime/operation/ledger.h"
#include "runtime/strategy/call.h"
#include "runtime/strategy/cuts.h"
#include "runtime/strategy/hosting.h"

#include <math.h>
#include <string.h>

/* A step is to be found so much longer than it had to be. Where each window of two equal devices is
 * up to 10 % off, the slower one is at most 11 % above where both would meet. */
static const double much = 0.15, little = 0.03;
/* What round cuts may cost. */
static const double slack = 0.02;
/* Windows that the mean is over, before it is believed; later ones count for as much as one of
 * these. */
enum { LITTLE_WINDOWS = 24, WINDOW_NS = 1000000 };
/* After so many windows a device without replicas gets one, to be measured. */
enum { PROBED_AFTER = 2000 };
/* Windows that the median is of. */
enum { LATEST = 3 };

typedef struct cohort_pace {
    /* seconds of a replica, 0: not known: in the last windows, their median, and the mean */
    double last[LATEST], latest, mean;
    double busy;    /* seconds, since the beginning */
    int32_t absent; /* windows in which it had no replica, until now */
} cohort_pace;

typedef struct cohort_balance {
    int64_t begun_ns, window_ns; /* when measuring, and the window, began */
    int32_t n_windows;           /* since the last move */
    int32_t *wanted;             /* [n_hosts] */
    double *costs;               /* [n_hosts] */
    /* [n_devices]: busy_ns of its lane, at the end of the last window */
    int64_t *seen_ns;
    cohort_pace paces[]; /* [n_hosts] */
} cohort_balance;

void cohort_balance_free(cohort_balance *balance)
{
    if (balance == NULL)
        return;
    cohort_free(balance->wanted);
    cohort_free(balance->costs);
    cohort_free(balance->seen_ns);
    cohort_free(balance);
}

static cohort_lane *lane_of(const cohort_strategy *s, int32_t device)
{
    return cohort_strategy_context(s, device)->lane;
}

/* ------------------------------------------------------------------ measuring */

/* Lanes are timed from now on. Nothing is posted meanwhile, so no runner looks. */
static cohort_status begin(cohort_strategy *s)
{
    cohort_balance *b = cohort_allocate(1, sizeof *b + (size_t)s->n_hosts * sizeof *b->paces);
    if (b != NULL) {
        b->wanted = cohort_allocate((size_t)s->n_hosts, sizeof *b->wanted);
        b->costs = cohort_allocate((size_t)s->n_hosts, sizeof *b->costs);
        b->seen_ns = cohort_allocate((size_t)s->n_devices, sizeof *b->seen_ns);
    }
    if (b == NULL || b->wanted == NULL || b->costs == NULL || b->seen_ns == NULL) {
        cohort_balance_free(b);
        return cohort_error_memory("the balance of devices");
    }
    cohort_executor_wait_all(s->executor);
    for (int32_t i = 0; i < s->executor->n_lanes; i++)
        s->executor->lanes[i]->is_timed = true;
    b->begun_ns = b->window_ns = cohort_clock_ns();
    s->balance = b;
    return COHORT_OK;
}

/* Until there are three, the least is believed. */
static void take_latest(cohort_pace *p, double cost)
{
    memmove(&p->last[1], &p->last[0], (LATEST - 1) * sizeof *p->last);
    p->last[0] = cost;
    const double a = p->last[0], b = p->last[1], c = p->last[2];
    p->latest = b <= 0 ? a : c <= 0 ? fmin(a, b) : fmax(fmin(a, b), fmin(fmax(a, b), c));
}

/* What its replicas had of its lane in this window, which others may be on, too. */
static double spend(const cohort_strategy *s, int32_t device, int32_t own)
{
    const cohort_lane *lane = lane_of(s, device);
    const int64_t now = atomic_load_explicit(&lane->busy_ns, memory_order_relaxed);
    int64_t *seen = &s->balance->seen_ns[device];
    const double spent = (double)(now - *seen) / 1e9;
    *seen = now;
    return lane->n_replicas > 0 ? spent * own / lane->n_replicas : 0;
}

/* The logical devices of a replica work side by side, so that it takes as long as on the slowest of
 * them. A lane runs the bodies of all replicas that are on it one after the other. */
static void add_window(const cohort_strategy *s, int32_t device, int32_t n_windows)
{
    cohort_pace *p = &s->balance->paces[device];
    const int32_t own = cohort_strategy_hosted(s, device);
    double busy = 0, spent = 0;
    for (int32_t l = 0; l < s->n_logical; l++) {
        const int32_t at = l * s->n_hosts + device;
        const double had = spend(s, at, own);
        busy = fmax(busy, had);
        spent = fmax(spent, own > 0 ? had * lane_of(s, at)->n_replicas / own : 0);
    }
    p->absent = own == 0 ? p->absent + 1 : 0;
    if (own == 0 || spent <= 0)
        return;
    const double cost = spent / own,
                 weight = 1.0 / (n_windows < LITTLE_WINDOWS ? n_windows + 1 : LITTLE_WINDOWS);
    p->busy += busy;
    take_latest(p, cost);
    p->mean += (fmin(cost, 2 * p->latest) - p->mean) * weight;
}

/* ------------------------------------------------------------------ deciding */

/* What a replica costs: INFINITY where there is none. False: something was not seen yet. */
static bool list_costs(const cohort_strategy *s, bool by_mean)
{
    bool are_known = true;
    for (int32_t d = 0; d < s->n_hosts; d++) {
        const cohort_pace *p = &s->balance->paces[d];
        s->balance->costs[d] = cohort_strategy_hosted(s, d) == 0 ? INFINITY
                               : by_mean                         ? p->mean
                                                                 : p->latest;
        are_known = are_known && s->balance->costs[d] > 0;
    }
    return are_known;
}

static void take_present(const cohort_strategy *s, int32_t hosted[])
{
    for (int32_t d = 0; d < s->n_hosts; d++)
        hosted[d] = cohort_strategy_hosted(s, d);
}

/* From the device that has most. */
static void give_one(const cohort_strategy *s, int32_t device, int32_t hosted[])
{
    int32_t most = 0;
    for (int32_t d = 1; d < s->n_hosts; d++)
        most = hosted[d] > hosted[most] ? d : most;
    hosted[most]--;
    hosted[device]++;
}

/* Devices keep their last one. */
static void keep_all(const cohort_strategy *s, int32_t hosted[])
{
    for (int32_t d = 0; d < s->n_hosts; d++)
        if (hosted[d] == 0 && cohort_strategy_hosted(s, d) > 0)
            give_one(s, d, hosted);
}

/* The hosting that is best, in b->wanted, and how much longer a step takes as it is, as a fraction;
 * 0: not known. */
static double gain_by(const cohort_strategy *s, bool by_mean)
{
    cohort_balance *b = s->balance;
    if (!list_costs(s, by_mean))
        return 0;
    take_present(s, b->wanted);
    const double now = cohort_cuts_time(b->wanted, b->costs, s->n_hosts);
    cohort_cuts_choose(b->costs, s->n_hosts, s->n_replicas, slack, b->wanted);
    if (!by_mean)
        keep_all(s, b->wanted);
    return now / cohort_cuts_time(b->wanted, b->costs, s->n_hosts) - 1;
}

static bool can_spare_one(const cohort_strategy *s)
{
    bool can = false;
    for (int32_t d = 0; d < s->n_hosts; d++)
        can = can || cohort_strategy_hosted(s, d) > 1;
    return can;
}

/* A device that has had no replica for long gets one again, of one that keeps another. One that
 * never had any is left as the program wants it: it may have no body. */
static bool wants_probe(const cohort_strategy *s)
{
    cohort_balance *b = s->balance;
    int32_t probed = -1;
    for (int32_t d = 0; d < s->n_hosts; d++)
        if (b->paces[d].absent >= PROBED_AFTER && b->paces[d].latest > 0 &&
            !cohort_strategy_context(s, d)->is_left_out)
            probed = d;
    if (probed < 0 || !can_spare_one(s))
        return false;
    take_present(s, b->wanted);
    give_one(s, probed, b->wanted);
    return true;
}

static bool ends_window(cohort_balance *b)
{
    const int64_t now = cohort_clock_ns();
    const bool ends = now - b->window_ns >= WINDOW_NS;
    if (ends)
        b->window_ns = now;
    return ends;
}

bool cohort_balance_wants(cohort_strategy *s)
{
    cohort_balance *b = s->balance;
    if (b == NULL || s->n_hosts == 1 || !ends_window(b))
        return false;
    for (int32_t d = 0; d < s->n_hosts; d++)
        add_window(s, d, b->n_windows);
    b->n_windows++;
    if (gain_by(s, false) > much)
        return true;
    if (b->n_windows >= LITTLE_WINDOWS && gain_by(s, true) > little)
        return true;
    return wants_probe(s);
}

/* ------------------------------------------------------------------ moving */

static int count_moved(const cohort_strategy *s, const int32_t hosted[])
{
    int n = 0;
    for (int32_t d = 0, r = 0; d < s->n_hosts; d++)
        for (int32_t end = r + hosted[d]; r < end; r++)
            n += s->host[r] != d;
    return n;
}

int cohort_balance_move(cohort_strategy *s)
{
    cohort_balance *b = s->balance;
    const int n = count_moved(s, b->wanted);
    cohort_status status = cohort_hosting_change(s, b->wanted);
    b->n_windows = 0;
    for (int32_t d = 0; d < s->n_hosts; d++)
        b->paces[d].mean = 0;
    for (int32_t d = 0; d < s->n_devices; d++)
        b->seen_ns[d] = atomic_load_explicit(&lane_of(s, d)->busy_ns, memory_order_relaxed);
    b->window_ns = cohort_clock_ns();
    return status < 0 ? status : n;
}

/* ------------------------------------------------------------------ the calls */

static int balance(cohort_strategy *s)
{
    static const char call[] = "cohort_strategy_balance";
    cohort_status status = cohort_hosting_check_time(s, call);
    if (status < 0)
        return status;
    if (s->balance == NULL)
        return begin(s);
    return cohort_balance_wants(s) ? cohort_balance_move(s) : 0;
}

int cohort_strategy_balance(cohort_strategy *s)
{
    cohort_status status = cohort_call_enter(s, "cohort_strategy_balance");
    return status < 0 ? status : cohort_call_leave(s, balance(s));
}

static cohort_device_rate rate_of(const cohort_strategy *s, int32_t device)
{
    const cohort_pace *p = &s->balance->paces[device];
    const double since = (double)(cohort_clock_ns() - s->balance->begun_ns) / 1e9;
    return (cohort_device_rate){ .replicas_per_second = p->latest > 0 ? 1 / p->latest : 0,
                                 .busy = p->busy,
                                 .idle = fmax(0, since - p->busy) };
}

/* The numbers are those that another thread may be about to write in a call of its own. */
int cohort_strategy_rates(const cohort_strategy *strategy, cohort_device_rate out[], int capacity)
{
    cohort_strategy *s = cohort_memory_own(strategy);
    if (cohort_call_enter_broken(s, "cohort_strategy_rates") < 0)
        return 0;
    cohort_ledger_say_quiet(s->executor);
    for (int32_t d = 0; out != NULL && d < s->n_hosts && d < capacity; d++)
        out[d] = s->balance != NULL ? rate_of(s, d) : (cohort_device_rate){ 0 };
    (void)cohort_call_leave(s, COHORT_OK);
    return s->n_hosts;
}
