/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading a schedule, and counting calls. */
#include "config.h"

#include "plugins/chaos/schedule.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RULES = 16 };

typedef struct rule {
    int slot;
    uint64_t nth;
    bool is_sticky;
    chaos_strike strike;
} rule;

static struct {
    char plugin[4096];
    bool masks[CHAOS_SLOTS];
    rule rules[RULES];
    int n_rules;
} schedule;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t calls[CHAOS_SLOTS], struck; /* held: lock */

static const char *const slots[] = {
#define SLOT_NAME(name, ...) #name,
    KIT_OPERATIONS(SLOT_NAME, SLOT_NAME)
};

static const char *const faults[] = { "",
#define FAULT_WORD(id, word) word,
                                      CHAOS_FAULTS(FAULT_WORD) };

static int find(const char *const words[], int n, const char *word, size_t length)
{
    for (int i = 0; i < n; i++)
        if (strlen(words[i]) == length && memcmp(words[i], word, length) == 0)
            return i;
    return -1;
}

int schedule_slot(const char *name, size_t length)
{
    return find(slots, CHAOS_SLOTS, name, length);
}

static bool read_mask(const char *at, const char *end)
{
    while (at < end) {
        size_t length = strcspn(at, ", ");
        int slot = schedule_slot(at, length);
        if (slot < 0)
            return false;
        schedule.masks[slot] = true;
        at += length + 1;
    }
    return true;
}

/* SLOT,K,FAULT[,N] */
static bool read_rule(const char *at)
{
    char *after = NULL;
    if (schedule.n_rules == RULES)
        return false;
    rule *r = &schedule.rules[schedule.n_rules];
    size_t length = strcspn(at, ", ");
    r->slot = schedule_slot(at, length);
    if (r->slot < 0 || at[length] != ',')
        return false;
    r->nth = strtoull(at + length + 1, &after, 10);
    r->is_sticky = *after == '+';
    after += r->is_sticky;
    if (*after++ != ',')
        return false;
    length = strcspn(after, ", ");
    int fault = find(faults, sizeof faults / sizeof *faults, after, length);
    if (fault <= 0)
        return false;
    r->strike.fault = (chaos_fault)fault;
    r->strike.number = after[length] == ',' ? strtoll(after + length + 1, NULL, 10) : 0;
    schedule.n_rules++;
    return true;
}

static bool read_word(const char *word, size_t length)
{
    if (strncmp(word, "plugin=", 7) == 0 && length - 7 < sizeof schedule.plugin)
        return snprintf(schedule.plugin, sizeof schedule.plugin, "%.*s", (int)(length - 7),
                        word + 7) > 0;
    if (strncmp(word, "mask=", 5) == 0)
        return read_mask(word + 5, word + length);
    return strncmp(word, "rule=", 5) == 0 && read_rule(word + 5);
}

cohort_status schedule_read(const char *text, cohort_error *err)
{
    memset(&schedule, 0, sizeof schedule);
    for (const char *word = text; *word != '\0';) {
        size_t length = strcspn(word, " ");
        if (length > 0 && !read_word(word, length))
            return cohort_fail(err, COHORT_EINVAL, 0, "COHORT_CHAOS: '%.*s' is wrong", (int)length,
                               word);
        word += length + (word[length] == ' ');
    }
    return schedule.plugin[0] == '/'
               ? COHORT_OK
               : cohort_fail(err, COHORT_EINVAL, 0, "COHORT_CHAOS: no plugin=/path of a plugin");
}

const char *schedule_plugin(void)
{
    return schedule.plugin;
}

bool schedule_masks(int slot)
{
    return schedule.masks[slot];
}

chaos_strike schedule_count(int slot)
{
    chaos_strike strike = { .fault = CHAOS_NOTHING };
    (void)pthread_mutex_lock(&lock);
    uint64_t nth = ++calls[slot];
    for (int i = 0; i < schedule.n_rules && strike.fault == CHAOS_NOTHING; i++) {
        const rule *r = &schedule.rules[i];
        if (r->slot == slot && (nth == r->nth || (r->is_sticky && nth > r->nth)))
            strike = r->strike;
    }
    struck += strike.fault != CHAOS_NOTHING;
    (void)pthread_mutex_unlock(&lock);
    return strike;
}

uint64_t schedule_calls(int slot)
{
    (void)pthread_mutex_lock(&lock);
    uint64_t n = calls[slot];
    (void)pthread_mutex_unlock(&lock);
    return n;
}

uint64_t schedule_struck(void)
{
    (void)pthread_mutex_lock(&lock);
    uint64_t n = struck;
    (void)pthread_mutex_unlock(&lock);
    return n;
}
