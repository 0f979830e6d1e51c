/* SPDX-License-Identifier: BSD-3-Clause */
/* The device that hosts each replica: consecutive numbers, device by device, so that two tables
 * answer both questions. Devices that only hold variables come last and host nothing. */
#include "config.h"

#include "runtime/strategy/hosting.h"

#include "runtime/base/alterations.h"
#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/strategy/call.h"
#include "runtime/strategy/moves.h"

#include <cohort/hosting.h>

#include <string.h>

/* The first devices take one more where the number does not divide. */
static int32_t hosted_evenly(int32_t n_replicas, int32_t n_devices, int32_t device)
{
    return n_replicas / n_devices + (device < n_replicas % n_devices);
}

/* The sum is of 64 bits, for the numbers are the program's and may overflow 32. */
static cohort_status check_sum(const int32_t hosted[], int32_t n_devices, int32_t n_replicas,
                               const char *call)
{
    int64_t sum = 0;
    for (int32_t d = 0; d < n_devices; d++) {
        if (hosted[d] < 0)
            return cohort_error_set(COHORT_EINVAL, "%s: hosted[%d] is %d; a device hosts 0 or more",
                                    call, d, hosted[d]);
        sum += hosted[d];
    }
    if (sum != n_replicas)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: hosted[] sums to %lld, but there are %d replicas", call,
                                (long long)sum, n_replicas);
    return COHORT_OK;
}

cohort_status cohort_hosting_check(const int32_t hosted[], int32_t n, int32_t n_devices,
                                   int32_t n_replicas, const char *call)
{
    if (hosted == NULL || n != n_devices)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: n_hosted is %d, hosted %s, and %d device%s replicas; "
                                "n_hosted says how many numbers the list has, one for each device",
                                call, n, hosted == NULL ? "NULL" : "a list", n_devices,
                                n_devices == 1 ? " hosts" : "s host");
    return check_sum(hosted, n_devices, n_replicas, call);
}

cohort_status cohort_hosting_check_time(const cohort_strategy *s, const char *call)
{
    return cohort_scope_of_merge() != s
               ? COHORT_OK
               : cohort_error_set(COHORT_EINVAL,
                                  "%s: inside a merge call; replicas move between steps", call);
}

static cohort_status check_hosting(const cohort_strategy_options *options, int32_t n_devices,
                                   int32_t n_replicas)
{
    const bool is_told = options->hosted != NULL || options->n_hosted != 0;
    if (n_replicas < 0 || n_replicas > COHORT_LIMIT_REPLICAS)
        return cohort_error_set(COHORT_EINVAL,
                                "strategy: %d replicas; from 1 to %d, or 0 for one per device",
                                n_replicas, COHORT_LIMIT_REPLICAS);
    if (n_replicas < n_devices && !is_told)
        return cohort_error_set(
            COHORT_EINVAL,
            "strategy: %d replica%s on %d devices; name fewer devices, ask for more replicas, say "
            "how many devices each has (logical_devices), or which device has none (hosted)",
            n_replicas, n_replicas == 1 ? "" : "s", n_devices);
    return is_told ? cohort_hosting_check(options->hosted, options->n_hosted, n_devices, n_replicas,
                                          "strategy")
                   : COHORT_OK;
}

/* Those after the first n_hosts host nothing. hosted: [n_hosts]; NULL: evenly. */
static void draw_map(const cohort_strategy *s, const int32_t hosted[], int32_t first[],
                     int32_t host[])
{
    first[0] = 0;
    for (int32_t d = 0; d < s->n_devices; d++) {
        int32_t n = d >= s->n_hosts  ? 0
                    : hosted != NULL ? hosted[d]
                                     : hosted_evenly(s->n_replicas, s->n_hosts, d);
        first[d + 1] = first[d] + n;
        for (int32_t r = first[d]; r < first[d + 1]; r++)
            host[r] = d;
    }
}

cohort_status cohort_hosting_make(cohort_strategy *s, const cohort_strategy_options *options)
{
    s->n_replicas = options->replicas == 0 ? s->n_hosts : options->replicas;
    if (s->workers != NULL && options->replicas > 0 && options->hosted == NULL)
        s->n_replicas = hosted_evenly(options->replicas, s->workers->n, s->workers->rank);
    s->n_in_sync = s->n_replicas; /* as long as nobody is joined */
    cohort_status status = check_hosting(options, s->n_hosts, s->n_replicas);
    if (status < 0)
        return status;
    s->first = cohort_allocate((size_t)s->n_devices + 1, sizeof *s->first);
    s->host = cohort_allocate((size_t)s->n_replicas, sizeof *s->host);
    if (s->first == NULL || s->host == NULL)
        return cohort_error_memory("a strategy");
    draw_map(s, options->hosted, s->first, s->host);
    return COHORT_OK;
}

void cohort_hosting_count(const cohort_strategy *s)
{
    for (int32_t i = 0; i < s->executor->n_lanes; i++)
        s->executor->lanes[i]->n_replicas = 0;
    for (int32_t r = 0; r < s->n_replicas; r++)
        for (int32_t l = 0; l < s->n_logical; l++)
            cohort_strategy_context(s, l * s->n_hosts + s->host[r])->lane->n_replicas++;
}

/* ------------------------------------------------------------------ otherwise */

static cohort_status add_all(cohort_strategy *s, cohort_moves *moves)
{
    cohort_status status = COHORT_OK;
    for (cohort_dependent *m = s->dependents.next; m != &s->dependents && status >= 0; m = m->next)
        if (m->add_moves != NULL)
            status = m->add_moves(m, moves);
    return status;
}

/* One of them may end with it, as it is found anew. */
static void tell_all(cohort_strategy *s)
{
    for (cohort_dependent *m = s->dependents.next, *next; m != &s->dependents; m = next) {
        next = m->next;
        if (m->rehost != NULL)
            m->rehost(m);
    }
}

static void take_map(cohort_strategy *s, int32_t first[], int32_t host[])
{
    memcpy(s->first, first, ((size_t)s->n_devices + 1) * sizeof *first);
    memcpy(s->host, host, (size_t)s->n_replicas * sizeof *host);
    cohort_hosting_count(s);
    cohort_alterations_add();
    tell_all(s);
}

/* What moves is there before the map changes, so that a failure changes nothing. */
static cohort_status move_to(cohort_strategy *s, int32_t first[], int32_t host[])
{
    cohort_moves moves = { .executor = s->executor, .host = host, .n_hosts = s->n_hosts };
    cohort_status status = cohort_executor_finish(s->executor);
    if (status >= 0)
        status = add_all(s, &moves);
    cohort_executor_wait_all(s->executor);
    if (status >= 0)
        status = cohort_failure_tell(&s->executor->failure);
    if (status < 0) {
        cohort_moves_drop(&moves);
        return status;
    }
    cohort_moves_take(&moves);
    take_map(s, first, host);
    return COHORT_OK;
}

/* is_forced: something is to move even where no replica does. */
static cohort_status change(cohort_strategy *s, const int32_t hosted[], bool is_forced)
{
    int32_t *first = cohort_allocate((size_t)s->n_devices + 1, sizeof *first);
    int32_t *host = cohort_allocate((size_t)s->n_replicas, sizeof *host);
    cohort_status status = COHORT_OK;
    if (first == NULL || host == NULL) {
        status = cohort_error_memory("the hosting of replicas");
    } else {
        draw_map(s, hosted, first, host);
        if (is_forced || memcmp(host, s->host, (size_t)s->n_replicas * sizeof *host) != 0)
            status = move_to(s, first, host);
    }
    cohort_free(first);
    cohort_free(host);
    return status;
}

cohort_status cohort_hosting_change(cohort_strategy *s, const int32_t hosted[])
{
    return change(s, hosted, false);
}

/* In proportion to what they host already, and to one where none hosts any; what is left over goes
 * to the first of them. */
static void share_out(const cohort_strategy *s, int32_t hosted[])
{
    int64_t weights = 0, given = 0;
    bool is_any = false;
    for (int32_t d = 0; d < s->n_hosts; d++) {
        hosted[d] = cohort_strategy_is_lost(s, d) ? -1 : s->first[d + 1] - s->first[d];
        is_any = is_any || hosted[d] > 0;
        weights += hosted[d] > 0 ? hosted[d] : 0;
    }
    for (int32_t d = 0; d < s->n_hosts && !is_any; d++)
        weights += hosted[d] == 0;
    for (int32_t d = 0; d < s->n_hosts; d++) {
        const int64_t weight = is_any ? hosted[d] : 1;
        hosted[d] = hosted[d] < 0 ? -1 : (int32_t)(weight * s->n_replicas / weights);
        given += hosted[d] > 0 ? hosted[d] : 0;
    }
    for (int32_t d = 0; d < s->n_hosts; d++) {
        const bool takes = hosted[d] > 0 || (hosted[d] == 0 && !is_any);
        hosted[d] = hosted[d] < 0 ? 0 : hosted[d];
        hosted[d] += takes && given < s->n_replicas;
        given += takes && given < s->n_replicas;
    }
}

cohort_status cohort_hosting_leave_lost(cohort_strategy *s)
{
    int32_t *hosted = cohort_allocate((size_t)s->n_hosts, sizeof *hosted);
    if (hosted == NULL)
        return cohort_error_memory("the hosting of replicas");
    share_out(s, hosted);
    cohort_status status = change(s, hosted, true);
    cohort_free(hosted);
    return status;
}

/* ------------------------------------------------------------------ the call */

static const char set_hosted[] = "cohort_strategy_set_hosted";

static cohort_status check_there(const cohort_strategy *s, const int32_t hosted[])
{
    for (int32_t d = 0; d < s->n_hosts; d++)
        if (hosted[d] > 0 && cohort_strategy_context(s, d)->is_left_out)
            return cohort_error_set(
                COHORT_ELOST, "%s: hosted[%d] is %d, and %s is lost; it hosts none any more",
                set_hosted, d, hosted[d], cohort_strategy_context(s, d)->device->id);
    return COHORT_OK;
}

cohort_status cohort_strategy_set_hosted(cohort_strategy *s, const int32_t hosted[], int n)
{
    cohort_status status = cohort_call_enter(s, set_hosted);
    if (status < 0)
        return status;
    status = cohort_hosting_check_time(s, set_hosted);
    if (status >= 0)
        status = cohort_hosting_check(hosted, n, s->n_hosts, s->n_replicas, set_hosted);
    if (status >= 0)
        status = check_there(s, hosted);
    if (status >= 0)
        status = cohort_hosting_change(s, hosted);
    return cohort_call_leave(s, status);
}
