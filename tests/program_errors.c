/* SPDX-License-Identifier: BSD-3-Clause */
/* Program errors: whatever one replica does differently, and whatever device fails, ends the step
 * on all replicas with the error that belongs to it. Variables are what they were, and the strategy
 * goes on once it has recovered.
 *
 * What goes wrong is drawn from a seed, which is printed; $SEED sets it. */
#include "config.h"

#include "tests/core.h"
#include "tests/steer.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

enum { ERRORS = 100, CALLS = 6, WIDTH = 5, MANY = 1000 };

COHORT_ITEMS(grow, i, n, (int64_t n, double a, double w[n]), { w[i] = w[i] * 0.5 + a; });

COHORT_ITEMS(twice, i, n, (int64_t n, double x[n]), { x[i] *= 2; });

/* ---- Chance. */

static uint64_t state;

static uint32_t draw(uint32_t n)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state >> 33) % n;
}

/* ---- A program: calls that all replicas make, and what the odd one makes of them. */

typedef enum call { BARRIER, SUM, MAX, OTHER, GATHER, BROADCAST, MERGE, UPDATE, KINDS } call;

typedef enum mistake {
    SWAPPED,     /* two calls in the wrong order */
    MISSING,     /* a call that the others make */
    OTHER_VALUE, /* another value than theirs */
    OTHER_OP,
    OTHER_CALL,
    EARLY,     /* returns before they do */
    CODE,      /* returns an error */
    EXHAUSTED, /* a device has no memory left */
    LOST,      /* a device is gone */
    MISTAKES
} mistake;

typedef struct program {
    cohort_strategy *s;
    const cohort_loopback *steer; /* of its first device, or NULL */
    cohort_variable *w;
    cohort_value *a, *b, *into;
    call calls[CALLS];
    mistake mistake;
    int odd, at, width;
    cohort_status code;
} program;

static cohort_status merge(cohort_strategy *s, void *const user[], int n)
{
    program *p = user[n - 1];
    return cohort_reduce(COHORT_SUM, p->b, COHORT_NO_AXIS, p->into) < 0 ? cohort_strategy_status(s)
                                                                        : cohort_wait(s);
}

static cohort_status make_call(cohort_replica *me, program *p, call which)
{
    switch (which) {
    case BARRIER:
        return cohort_barrier(me);
    case SUM:
        return cohort_all_reduce(me, COHORT_SUM, &p->a, 1);
    case MAX:
        return cohort_all_reduce(me, COHORT_MAX, &p->a, 1);
    case OTHER:
        return cohort_all_reduce(me, COHORT_SUM, &p->b, 1);
    case GATHER:
        return cohort_all_gather(me, p->a, 0, p->into);
    case BROADCAST:
        return cohort_replica_broadcast(me, p->b, cohort_replica_count(me) - 1);
    case MERGE:
        return cohort_merge_call(me, merge, p);
    default:
        return cohort_replica_update(me, p->w, grow, 1.0, p->w);
    }
}

static cohort_status set_values(cohort_replica *me, program *p)
{
    static _Thread_local double x[WIDTH * MANY];
    for (int i = 0; i < p->width; i++)
        x[i] = cohort_replica_id(me) + i;
    cohort_status status = cohort_replica_set(me, p->a, COHORT_ARRAY(x, p->width));
    return status < 0 ? status : cohort_replica_set(me, p->b, COHORT_ARRAY(x, WIDTH));
}

/* What the odd replica does at the place of the mistake; false: it returns *out. */
static bool err(cohort_replica *me, program *p, int *i, cohort_status *out)
{
    *out = COHORT_OK;
    switch (p->mistake) {
    case SWAPPED:
        *out = make_call(me, p, p->calls[p->at + 1]);
        *out = *out < 0 ? *out : make_call(me, p, p->calls[p->at]);
        ++*i;
        return *out >= 0;
    case MISSING:
        return true;
    case EARLY:
        return false;
    case CODE:
        *out = p->code;
        return false;
    case LOST:
        p->steer->lose(0);
        break;
    default:
        break;
    }
    call which = p->mistake == OTHER_VALUE  ? OTHER
                 : p->mistake == OTHER_OP   ? MAX
                 : p->mistake == OTHER_CALL ? (call)((p->calls[p->at] + 1) % KINDS)
                                            : p->calls[p->at];
    *out = make_call(me, p, which);
    return *out >= 0;
}

static cohort_status play(cohort_replica *me, void *user)
{
    program *p = user;
    cohort_status status = set_values(me, p);
    for (int i = 0; i < CALLS && status >= 0; i++) {
        if (cohort_replica_id(me) != p->odd || i != p->at)
            status = make_call(me, p, p->calls[i]);
        else if (!err(me, p, &i, &status))
            return status;
    }
    return status;
}

static cohort_status play_well(cohort_replica *me, void *user)
{
    program *p = user;
    double found[WIDTH], n = cohort_replica_count(me);
    cohort_status status = set_values(me, p);
    for (int i = 0; i < CALLS && status >= 0; i++)
        status = make_call(me, p, p->calls[i]);
    if (status >= 0)
        status = set_values(me, p);
    if (status >= 0)
        status = cohort_replica_run(me, twice, p->b);
    if (status >= 0)
        status = make_call(me, p, OTHER);
    if (status >= 0)
        status = cohort_replica_read(me, p->b, COHORT_ARRAY(found, WIDTH));
    return status < 0 || found[1] == n * (n + 1) ? status : COHORT_EINTERNAL;
}

/* ---- Drawing one. Nothing but the last call changes the variable, and it is behind the
 * mistake. */

static void draw_program(program *p, int replicas)
{
    for (int i = 0; i < CALLS; i++)
        p->calls[i] = i < CALLS - 1 ? (call)draw(UPDATE) : UPDATE;
    p->odd = (int)draw((uint32_t)replicas);
    p->at = (int)draw(CALLS - 1);
    p->width = WIDTH;
    do
        p->mistake = (mistake)draw(MISTAKES);
    while ((replicas == 1 && p->mistake < CODE) || (p->steer == NULL && p->mistake > CODE));
    if (p->mistake == SWAPPED)
        p->calls[p->at + 1] = p->calls[p->at + 1] == p->calls[p->at] ? UPDATE : p->calls[p->at + 1];
    if (p->mistake == OTHER_VALUE || p->mistake == OTHER_OP)
        p->calls[p->at] = SUM;
    if (p->mistake == LOST || p->mistake == EXHAUSTED)
        /* which every device does something for, and allocates for twice */
        p->calls[CALLS - 2] = GATHER;
    static const cohort_status codes[] = { COHORT_EINVAL, COHORT_ENOMEM, COHORT_EBUILD,
                                           COHORT_ENOENT, COHORT_EINTERNAL };
    p->code = codes[draw(sizeof codes / sizeof *codes)];
}

/* ---- What has to come of it. */

static cohort_status wanted_of(const program *p)
{
    return p->mistake == CODE        ? p->code
           : p->mistake == EXHAUSTED ? COHORT_ENOMEM
           : p->mistake == LOST      ? COHORT_ELOST
                                     : COHORT_EINVAL;
}

static bool tells(const program *p)
{
    char who[40];
    const char *text = cohort_error_text();
    (void)snprintf(who, sizeof who, "replica %d ", p->odd);
    if (p->mistake > CODE)
        return good(strstr(text, p->steer == steer() ? "loopback:0" : "stream:0") != NULL);
    if (!good(strstr(text, who) != NULL) || !good(strstr(text, "step function play at ") != NULL))
        return false;
    if (p->mistake == CODE)
        return good(strstr(text, cohort_status_text(p->code)) != NULL) &&
               good(strstr(text, " on ") != NULL);
    return good(strstr(text, "all replicas call the same collectives") != NULL) &&
           good(strstr(text, "program_errors.c:") != NULL);
}

static bool reads(program *p, double out[WIDTH])
{
    return good(cohort_variable_read(p->w, COHORT_ARRAY(out, WIDTH)) == COHORT_OK);
}

static bool is_unchanged(program *p, const double before[WIDTH])
{
    double now[WIDTH];
    return reads(p, now) && good(memcmp(now, before, sizeof now) == 0);
}

static void make_values(program *p)
{
    p->a = cohort_value_create(p->s);
    p->b = cohort_value_create(p->s);
    p->into = cohort_value_create(p->s);
}

static void destroy_values(program *p)
{
    cohort_value_destroy(p->a);
    cohort_value_destroy(p->b);
    cohort_value_destroy(p->into);
}

/* An allocation fails: the values of this program need new ones. */
static void begin_shortage(program *p)
{
    if (p->mistake != EXHAUSTED)
        return;
    p->width = WIDTH * MANY;
    p->at = CALLS; /* nobody does anything else */
    (void)p->steer->rule(&(cohort_loopback_rule){ .part = COHORT_LOOPBACK_ANY,
                                                  .op = COHORT_LOOPBACK_ALLOC,
                                                  .nth = 1 + draw(2),
                                                  .action = COHORT_LOOPBACK_FAIL,
                                                  .status = COHORT_ENOMEM });
}

static bool ends_well(program *p, const double before[WIDTH])
{
    p->width = WIDTH;
    if (p->mistake == LOST && cohort_strategy_devices(p->s, NULL, 0) == 1)
        return good(cohort_strategy_recover(p->s) == COHORT_ELOST);
    return good(cohort_strategy_status(p->s) < 0) &&
           good(cohort_strategy_recover(p->s) == COHORT_OK) && is_unchanged(p, before) &&
           good(cohort_for_each_replica(p->s, play_well, p) == COHORT_OK);
}

static bool one_error(program *p, int replicas)
{
    double before[WIDTH];
    draw_program(p, replicas);
    make_values(p);
    bool is_good = reads(p, before);
    if (p->steer != NULL)
        p->steer->reset();
    begin_shortage(p);
    cohort_status status = cohort_for_each_replica(p->s, play, p);
    is_good = is_good && good(status == wanted_of(p)) && tells(p);
    if (p->steer != NULL && p->mistake != LOST)
        p->steer->reset();
    is_good = is_good && ends_well(p, before);
    destroy_values(p);
    return is_good;
}

/* ---- Everywhere. */

static const core_place places[] = {
    { "host", 1, NULL },     { "host", 2, NULL },
    { "host", 3, NULL },     { "host", 8, NULL },
    { "host/2", 2, NULL },   { "host/2", 5, NULL },
    { "loopback", 1, NULL }, { "loopback/3,host", 8, NULL },
    { "stream", 3, NULL },   { "stream/2,host", 4, NULL },
    { "opencl:0", 1, NULL }, { "opencl:0", 3, NULL },
};
enum { PLACES = sizeof places / sizeof *places };

static const cohort_loopback *steer_of(const char *devices)
{
    return strncmp(devices, "loopback", 8) == 0 ? steer()
           : strncmp(devices, "stream", 6) == 0 ? steer_stream()
                                                : NULL;
}

static bool open_program(program *p, const core_place *place)
{
    static const double content[WIDTH] = { 1, 2, 3, 4, 5 };
    *p = (program){ .s = core_open(place), .steer = steer_of(place->devices) };
    p->w = cohort_variable_create(p->s, "w", COHORT_ARRAY(content, WIDTH), NULL);
    return good(p->w != NULL);
}

static void close_program(program *p)
{
    cohort_strategy_destroy(p->s);
    if (p->steer != NULL)
        p->steer->reset();
    p->s = NULL;
}

/* Returns how many of `n` errors ended as they must. */
static int errors_on(const core_place *place, int n)
{
    int right = 0;
    program p = { .s = NULL };
    for (int i = 0; i < n; i++) {
        uint64_t before = state;
        bool is_good = p.s != NULL || open_program(&p, place);
        is_good = is_good && one_error(&p, place->replicas);
        if (!is_good)
            diag("%d replicas on %s, mistake %d at %d of replica %d, drawn from %llu; latest "
                 "error: %s",
                 (int)place->replicas, place->devices, (int)p.mistake, p.at, p.odd,
                 (unsigned long long)before, cohort_error_text());
        right += is_good;
        if (!is_good || p.mistake == LOST)
            close_program(&p);
    }
    close_program(&p);
    return right;
}

static bool is_there(const char *devices)
{
    char first[40];
    (void)snprintf(first, sizeof first, "%.*s", (int)strcspn(devices, "/,"), devices);
    cohort_strategy *s = cohort_strategy_create(&(cohort_strategy_options){ .devices = first });
    cohort_strategy_destroy(s);
    return s != NULL;
}

static core_live warm_up(void)
{
    (void)good(cohort_function_check(grow, NULL) == COHORT_OK &&
               cohort_function_check(twice, NULL) == COHORT_OK);
    for (int i = 0; i < PLACES; i++)
        if (is_there(places[i].devices)) {
            program p;
            (void)open_program(&p, &places[i]);
            make_values(&p);
            for (int k = 0; k < CALLS; k++)
                p.calls[k] = (call)(BARRIER + k);
            p.width = WIDTH;
            (void)good(cohort_update(p.w, grow, 1.0, p.w) == COHORT_OK &&
                       cohort_wait(p.s) == COHORT_OK);
            ok(cohort_for_each_replica(p.s, play_well, &p) == COHORT_OK,
               "%d replicas on %s play without a mistake", (int)places[i].replicas,
               places[i].devices);
            close_program(&p);
        }
    return core_live_now();
}

int main(void)
{
    (void)alarm(300); /* a hang is a failure */
    const char *seed = getenv("SEED");
    state = seed != NULL ? strtoull(seed, NULL, 10) : (uint64_t)time(NULL);
    diag("SEED=%llu", (unsigned long long)state);
    const core_live warm = warm_up();
    int left = 0;
    for (int i = 0; i < PLACES; i++) {
        int n = ERRORS / PLACES + (i < ERRORS % PLACES) + left;
        left = is_there(places[i].devices) ? 0 : n;
        if (left > 0)
            skip("program errors", places[i].devices);
        else
            ok(errors_on(&places[i], n) == n,
               "%d program errors of %d replicas on %s end as they must", n,
               (int)places[i].replicas, places[i].devices);
    }
    core_no_leak(warm);
    return tap_done();
}
