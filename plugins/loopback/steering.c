/* SPDX-License-Identifier: BSD-3-Clause */
/* Rules and counts of the test plugins, for all parts, under one lock.
 *
 * Tests steer from their own thread while runners and queues are in operations, so everything here
 * is held under `lock`, which is let go only while an operation is delayed or held. */
#include "config.h"

#include "plugins/loopback/steering.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct rule {
    cohort_loopback_rule wanted;
    uint64_t seen; /* operations that it is about */
    uint32_t met;  /* of these, the ones that it struck */
    bool is_released;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed =
    PTHREAD_COND_INITIALIZER; /* a rule met an operation, or let one go */

/* held: lock, for all of these */
static struct rule rules[COHORT_LOOPBACK_RULES];
static int32_t n_rules;
static uint64_t generation; /* of the rules: one more with each reset */
static cohort_loopback_counts counts[COHORT_LOOPBACK_PARTS];
static bool is_lost[COHORT_LOOPBACK_PARTS];
static cohort_loopback_lie lie;
static uint64_t n_operations, lost_at; /* of all parts; lost_at 0: not asked for */

static const char *const op_names[] = {
#define OP_NAME(name) #name,
    COHORT_LOOPBACK_OPS(OP_NAME)
};

/* ---- Counts are rows of uint64_t. */

enum { ROW = sizeof(cohort_loopback_counts) / sizeof(uint64_t) };

static void counts_add(cohort_loopback_counts *sum, const cohort_loopback_counts *more,
                       uint64_t factor)
{
    uint64_t row[ROW];
    uint64_t rest[ROW];
    memcpy(row, sum, sizeof row);
    memcpy(rest, more, sizeof rest);
    for (int i = 0; i < ROW; i++)
        row[i] += factor * rest[i];
    memcpy(sum, row, sizeof row);
}

static void counts_change(uint32_t part, const cohort_loopback_counts *change, uint64_t factor)
{
    (void)pthread_mutex_lock(&lock);
    counts_add(&counts[part], change, factor);
    (void)pthread_mutex_unlock(&lock);
}

void steering_add(uint32_t part, const cohort_loopback_counts *more)
{
    counts_change(part, more, 1);
}

void steering_subtract(uint32_t part, const cohort_loopback_counts *less)
{
    counts_change(part, less, UINT64_MAX); /* -1 */
}

void steering_enqueued(uint32_t part)
{
    (void)pthread_mutex_lock(&lock);
    if (++counts[part].in_flight > counts[part].max_in_flight)
        counts[part].max_in_flight = counts[part].in_flight;
    (void)pthread_mutex_unlock(&lock);
}

/* An object that is alive or in flight stays counted: it will be taken off later. */
static void counts_restart(cohort_loopback_counts *part)
{
    *part = (cohort_loopback_counts){ .live_devices = part->live_devices,
                                      .live_mems = part->live_mems,
                                      .live_kernels = part->live_kernels,
                                      .live_bytes = part->live_bytes,
                                      .live_events = part->live_events,
                                      .in_flight = part->in_flight,
                                      .max_in_flight = part->in_flight };
}

static void steer_counts(uint32_t part, cohort_loopback_counts *out_counts)
{
    *out_counts = (cohort_loopback_counts){ 0 };
    (void)pthread_mutex_lock(&lock);
    for (uint32_t i = 0; i < COHORT_LOOPBACK_PARTS; i++)
        if (part == i || part == COHORT_LOOPBACK_ANY)
            counts_add(out_counts, &counts[i], 1);
    (void)pthread_mutex_unlock(&lock);
}

/* ---- Rules. */

static bool is_about(const cohort_loopback_rule *rule, uint32_t part, cohort_loopback_op op)
{
    return (rule->part == COHORT_LOOPBACK_ANY || rule->part == part) &&
           (rule->op == COHORT_LOOPBACK_ANY || rule->op == (uint32_t)op);
}

/* Every rule sees the operation; the first that strikes is returned. held: lock */
static struct rule *rule_for(uint32_t part, cohort_loopback_op op)
{
    struct rule *found = NULL;
    for (int32_t i = 0; i < n_rules; i++) {
        struct rule *rule = &rules[i];
        if (!is_about(&rule->wanted, part, op))
            continue;
        rule->seen++;
        if (found == NULL && (rule->seen == rule->wanted.nth ||
                              (rule->wanted.sticky != 0 && rule->seen > rule->wanted.nth)))
            found = rule;
    }
    if (found != NULL) {
        found->met++;
        (void)pthread_cond_broadcast(&changed);
    }
    return found;
}

/* Hold an operation until its rule is released. A reset forgets the rules, whose memory becomes
 * that of other ones, and lets all operations go: the generation tells. held: lock */
static void hold(const struct rule *rule)
{
    uint64_t mine = generation;
    while (mine == generation && !rule->is_released)
        (void)pthread_cond_wait(&changed, &lock);
}

/* held: lock, but not while it sleeps */
static void delay(uint64_t delay_ns)
{
    struct timespec left = { (time_t)(delay_ns / 1000000000u), (long)(delay_ns % 1000000000u) };
    (void)pthread_mutex_unlock(&lock);
    while (nanosleep(&left, &left) != 0)
        continue;
    (void)pthread_mutex_lock(&lock);
}

/* held: lock */
static cohort_status obey(const struct rule *rule, cohort_loopback_op op, bool *out_corrupt,
                          cohort_error *err)
{
    if (rule == NULL)
        return COHORT_OK;
    switch (rule->wanted.action) {
    case COHORT_LOOPBACK_FAIL:
        return cohort_fail(err, rule->wanted.status, -1, "%s was told to fail %s", device_name,
                           op_names[op]);
    case COHORT_LOOPBACK_DELAY:
        delay(rule->wanted.delay_ns);
        return COHORT_OK;
    case COHORT_LOOPBACK_HOLD:
        hold(rule);
        return COHORT_OK;
    case COHORT_LOOPBACK_CORRUPT:
        if (out_corrupt != NULL)
            *out_corrupt = true;
        return COHORT_OK;
    }
    return COHORT_OK;
}

static void read_lost_at(void)
{
    const char *number = getenv("COHORT_LOOPBACK_LOST_AT");
    lost_at = number != NULL ? strtoull(number, NULL, 10) : 0;
}

/* For who looks at a program from outside: in the N-th operation since the process began, of all
 * parts, the part that does it is lost. held: lock */
static void count_for_loss(uint32_t part)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, read_lost_at);
    if (++n_operations == lost_at)
        is_lost[part] = true;
}

/* Where every operation begins: it is counted, then subject to the first rule that strikes, and
 * then fails where its part is lost; so a lost device can still be held or delayed. */
cohort_status steering_begin(uint32_t part, cohort_loopback_op op, bool *out_corrupt,
                             cohort_error *err)
{
    (void)pthread_mutex_lock(&lock);
    counts[part].ops[op]++;
    count_for_loss(part);
    cohort_status st = obey(rule_for(part, op), op, out_corrupt, err);
    if (st == COHORT_OK && is_lost[part])
        st = cohort_fail(err, COHORT_ELOST, -1, "%s was told to be lost", device_name);
    (void)pthread_mutex_unlock(&lock);
    return st;
}

/* Numbers of rules are places in the table, and valid until the next reset. */
static int32_t steer_rule(const cohort_loopback_rule *wanted)
{
    (void)pthread_mutex_lock(&lock);
    int32_t number = n_rules < COHORT_LOOPBACK_RULES ? n_rules++ : -1;
    if (number >= 0) {
        rules[number] = (struct rule){ .wanted = *wanted };
        if (wanted->nth == 0)
            rules[number].wanted.nth = 1;
    }
    (void)pthread_mutex_unlock(&lock);
    return number;
}

static void steer_release(int32_t number)
{
    (void)pthread_mutex_lock(&lock);
    if (number >= 0 && number < n_rules)
        rules[number].is_released = true;
    (void)pthread_cond_broadcast(&changed);
    (void)pthread_mutex_unlock(&lock);
}

/* CLOCK_REALTIME, since the condition is static and has no attributes: a test whose clock is set
 * waits a little longer, or less. */
static struct timespec deadline(uint64_t timeout_ns)
{
    struct timespec at;
    (void)clock_gettime(CLOCK_REALTIME, &at);
    uint64_t ns = (uint64_t)at.tv_nsec + timeout_ns % 1000000000u;
    at.tv_sec += (time_t)(timeout_ns / 1000000000u + ns / 1000000000u);
    at.tv_nsec = (long)(ns % 1000000000u);
    return at;
}

static int32_t steer_reached(int32_t number, uint32_t times, uint64_t timeout_ns)
{
    struct timespec until = deadline(timeout_ns);
    int late = 0;
    (void)pthread_mutex_lock(&lock);
    while (number >= 0 && number < n_rules && rules[number].met < times && late == 0)
        late = pthread_cond_timedwait(&changed, &lock, &until);
    int32_t is_reached = number >= 0 && number < n_rules && rules[number].met >= times;
    (void)pthread_mutex_unlock(&lock);
    return is_reached;
}

/* ---- The rest of the table. */

static void steer_lose(uint32_t part)
{
    (void)pthread_mutex_lock(&lock);
    for (uint32_t i = 0; i < COHORT_LOOPBACK_PARTS; i++)
        if (part == i || part == COHORT_LOOPBACK_ANY)
            is_lost[i] = true;
    (void)pthread_mutex_unlock(&lock);
}

static void steer_lie(cohort_loopback_lie wanted)
{
    (void)pthread_mutex_lock(&lock);
    lie = wanted;
    (void)pthread_mutex_unlock(&lock);
}

cohort_loopback_lie steering_lie(void)
{
    (void)pthread_mutex_lock(&lock);
    cohort_loopback_lie now = lie;
    (void)pthread_mutex_unlock(&lock);
    return now;
}

static void steer_reset(void)
{
    (void)pthread_mutex_lock(&lock);
    n_rules = 0;
    generation++;
    lie = COHORT_LOOPBACK_TRUTH;
    for (uint32_t i = 0; i < COHORT_LOOPBACK_PARTS; i++) {
        counts_restart(&counts[i]);
        is_lost[i] = false;
    }
    (void)pthread_cond_broadcast(&changed);
    (void)pthread_mutex_unlock(&lock);
}

const cohort_loopback steering_table = {
    .struct_size = sizeof steering_table,
    .reset = steer_reset,
    .counts = steer_counts,
    .rule = steer_rule,
    .release = steer_release,
    .reached = steer_reached,
    .lose = steer_lose,
    .lie = steer_lie,
};
