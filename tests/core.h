/* SPDX-License-Identifier: BSD-3-Clause */
/* What the tests of the core share: strategies over many device lists, reading, and what may not
 * leak. */
#ifndef COHORT_TESTS_CORE_H
#define COHORT_TESTS_CORE_H

#include "cohort/cohort.h"
#include "tests/entries.h"
#include "tests/sanitized.h"
#include "tests/tap.h"

#include <sched.h>
#include <time.h>

/* That this process may use; 0: unknown. */
static inline int core_cpus(void)
{
    cpu_set_t mine;
    return sched_getaffinity(0, sizeof mine, &mine) == 0 ? CPU_COUNT(&mine) : 0;
}

enum { CORE_MAX_REPLICAS = 80, CORE_MAX_ELEMENTS = 4096 };

/* Devices and replicas over which behaviour must be the same. */
typedef struct core_place {
    const char *devices;
    int32_t replicas;
    const int32_t *hosted;
} core_place;

static const core_place core_places[] = {
    { "host", 1, NULL },
    { "host", 2, NULL },
    { "host", 3, NULL },
    { "host", 8, NULL },
    { "host/2", 2, NULL },
    { "host/2", 5, NULL },
    { "host/2", 8, (const int32_t[]){ 1, 7 } },
    { "host/4", 4, NULL },
    { "loopback", 1, NULL },
    { "loopback", 8, NULL },
    { "loopback/3,host", 4, NULL },
    { "loopback/3,host", 8, NULL },
    { "loopback/3,host", 8, (const int32_t[]){ 5, 1, 1, 1 } },
    { "stream", 1, NULL },
    { "stream/3", 8, NULL },
    { "stream/2,host", 4, NULL },
    { "loopback,stream", 5, NULL },
};
enum { CORE_PLACES = sizeof core_places / sizeof *core_places };

/* How many numbers the list of a place has: they add up to its replicas. */
static inline int32_t core_n_hosted(const core_place *place)
{
    int32_t n = 0;
    for (int32_t sum = 0; place->hosted != NULL && sum < place->replicas; n++)
        sum += place->hosted[n];
    return n;
}

/* Its steps of programs are kept, so that one that fails is undone as a whole (cohort/program.h):
 * it has several devices, and one that may be lost. */
static inline bool core_keeps_steps(const cohort_strategy *s)
{
    const cohort_device *devices[16];
    const int n = cohort_strategy_devices(s, devices, 16);
    bool may_be_lost = false;
    for (int i = 0; i < n && i < 16; i++)
        may_be_lost = may_be_lost || strncmp(cohort_device_id(devices[i]), "host", 4) != 0;
    return n > 1 && may_be_lost;
}

static inline cohort_strategy *core_open(const core_place *place)
{
    cohort_strategy *s =
        cohort_strategy_create(&(cohort_strategy_options){ .devices = place->devices,
                                                           .replicas = place->replicas,
                                                           .n_hosted = core_n_hosted(place),
                                                           .hosted = place->hosted });
    if (s == NULL)
        ok(false, "a strategy of %d on %s: %s", (int)place->replicas, place->devices,
           cohort_error_text());
    return s;
}

/* One claim, checked on every place. */
typedef bool (*core_check_fn)(cohort_strategy *s, int replicas);

static inline void core_everywhere(core_check_fn check, const char *claim)
{
    const core_place *bad = NULL;
    for (size_t i = 0; i < CORE_PLACES && bad == NULL; i++) {
        cohort_strategy *s = core_open(&core_places[i]);
        if (s == NULL || !check(s, core_places[i].replicas))
            bad = &core_places[i];
        cohort_strategy_destroy(s);
    }
    if (!ok(bad == NULL, "%s", claim))
        diag("with %d replicas on %s; latest error: %s", (int)bad->replicas, bad->devices,
             cohort_error_text());
}

/* good(condition): the condition, and a diagnostic line when it does not hold. */
#define good(condition) core_good((condition), #condition, __FILE__, __LINE__)

static inline bool core_good(bool is_good, const char *text, const char *file, int line)
{
    if (!is_good)
        diag("%s:%d: not %s; latest error: %s", file, line, text, cohort_error_text());
    return is_good;
}

/* refused(s, status, call): the call of strategy s answers this status, and so does, in the same
 * words, whatever comes next, until recover; the words are still the latest error afterwards.
 * refused_null(s, call): the same of a call that makes something, with COHORT_EINVAL. */
#define refused(s, wanted, call) core_refused((s), (wanted), (call), #call, __FILE__, __LINE__)
#define refused_null(s, call)                                                                      \
    core_refused((s), COHORT_EINVAL, (call) == NULL ? COHORT_EINVAL : COHORT_OK, #call, __FILE__,  \
                 __LINE__)

static inline bool core_refused(cohort_strategy *s, cohort_status wanted, cohort_status found,
                                const char *text, const char *file, int line)
{
    char words[2048];
    (void)snprintf(words, sizeof words, "%s", cohort_error_text());
    cohort_status next = cohort_wait(s);
    bool is_same = strcmp(words, cohort_error_text()) == 0;
    if (found != wanted || next != wanted || !is_same)
        diag("%s:%d: %s: %d, then %d%s; expected %d; latest error: %s", file, line, text, found,
             next, is_same ? "" : " in other words", wanted, words);
    return (found == wanted) & (next == wanted) & is_same &
           good(cohort_strategy_recover(s) == COHORT_OK);
}

/* refused_for(s, text, call): refused with COHORT_EINVAL, for a reason that has this text in it;
 * refused_null_for: that of a call that makes something. says(text): the latest error has it. */
#define refused_for(s, text, call)                                                                 \
    (core_refused((s), COHORT_EINVAL, (call), #call, __FILE__, __LINE__) && says(text))
#define refused_null_for(s, text, call)                                                            \
    (core_refused((s), COHORT_EINVAL, (call) == NULL ? COHORT_EINVAL : COHORT_OK, #call, __FILE__, \
                  __LINE__) &&                                                                     \
     says(text))
#define says(text) core_says((text), __FILE__, __LINE__)

static inline bool core_says(const char *text, const char *file, int line)
{
    bool is_good = strstr(cohort_error_text(), text) != NULL;
    if (!is_good)
        diag("%s:%d: no '%s' in: %s", file, line, text, cohort_error_text());
    return is_good;
}

/* ---- What a strategy may not leave behind. */

typedef struct core_live {
    int64_t blocks;
    int descriptors, threads;
} core_live;

static inline core_live core_live_now(void)
{
    core_live live = { cohort_memory_blocks(), count_entries("/proc/self/fd"),
                       count_entries("/proc/self/task") };
    return live;
}

/* Drivers of GPUs start threads of their own when they like, and keep them. Asking for devices may
 * load plugins, which stay: only a program that has counted what it has may ask. */
static inline bool core_has_driver_threads(void)
{
    for (const cohort_device *d = cohort_device_next(NULL); d != NULL; d = cohort_device_next(d))
        if (strcmp(cohort_device_property(d, "type"), "gpu") == 0)
            return true;
    return false;
}

/* A thread that was joined may be listed a moment longer. */
static inline void core_no_leak(core_live warm)
{
    core_live now = core_live_now();
    for (int i = 0; i < 1000 && now.threads > warm.threads + POOLED_THREADS; i++) {
        (void)nanosleep(&(struct timespec){ .tv_nsec = 5000000 }, NULL);
        now = core_live_now();
    }
    ok(now.blocks == warm.blocks, "no memory is left behind");
    if (now.blocks != warm.blocks)
        diag("%lld blocks, %lld when warm", (long long)now.blocks, (long long)warm.blocks);
    /* those open some of their own */
    bool is_closed = now.descriptors == warm.descriptors || IS_SANITIZED;
    bool is_joined = now.threads <= warm.threads + POOLED_THREADS || core_has_driver_threads();
    if (!ok(is_closed && is_joined, "no descriptor and no thread either"))
        diag("%d descriptors, %d when warm; %d threads, %d when warm", now.descriptors,
             warm.descriptors, now.threads, warm.threads);
}

/* Load plugins, and make each device once: what stays for the life of the process is there
 * afterwards. */
static inline core_live core_warm(void)
{
    for (size_t i = 0; i < CORE_PLACES; i++)
        cohort_strategy_destroy(core_open(&core_places[i]));
    return core_live_now();
}

#endif
