/* SPDX-License-Identifier: BSD-3-Clause */
/* Managers of checkpoints and the removal of old ones, short of memory and threads: whichever is
 * refused, the call is right or says so, the best generation stays, and nothing is left behind. */
#include "config.h"

#include "tests/checkpoint_folder.h"
#include "tests/core.h"

#if IS_SANITIZED

int main(void)
{
    return skip_all("a sanitizer has its own allocator and threads");
}

#else
#include "tests/libc_functions.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

enum { ELEMENTS = 100, MOST_SHORTAGES = 5000 };

/* The nth is refused, and no other. */
static atomic_llong of_memory, of_threads;
static atomic_bool was_refused;

static bool is_refused(atomic_llong *left)
{
    bool is = atomic_load(left) > 0 && atomic_fetch_sub(left, 1) == 1;
    if (is)
        atomic_store(&was_refused, true);
    return is;
}

static bool refuses(const void *caller)
{
    (void)caller;
    bool is = is_refused(&of_memory);
    errno = is ? ENOMEM : errno;
    return is;
}

#include "tests/allocator.h"

typedef void *(*thread_fn)(void *);
NEXT(pthread_create, int, pthread_t *, const pthread_attr_t *, thread_fn, void *)

#pragma GCC visibility push(default) /* the library is to find it */

int pthread_create(pthread_t *out, const pthread_attr_t *attributes, thread_fn start,
                   void *argument)
{
    return is_refused(&of_threads) ? EAGAIN
                                   : next_pthread_create()(out, attributes, start, argument);
}

#pragma GCC visibility pop

static bool has_generation(int number)
{
    char name[64];
    (void)snprintf(name, sizeof name, "checkpoint-%06d.safetensors", number);
    return has_file(folder_path, name);
}

static int count_generations(void)
{
    return cohort_checkpoint_generations(folder_path, NULL, 0);
}

static bool tells(const char *text)
{
    return strstr(cohort_error_text(), text) != NULL;
}

/* Six generations, of which the second is the best. */
static bool fill(cohort_strategy *s)
{
    const double scores[] = { 3, 9, 4, 5, 1, 2 };
    bool is_good = true;
    remove_files(folder_path);
    cohort_checkpoint_manager *m = cohort_checkpoint_manager_create(
        s, folder_path, &(cohort_checkpoint_manager_options){ .keep = 9 });
    for (int i = 0; i < 6; i++)
        is_good = is_good && cohort_checkpoint_manager_save(m, i, scores[i], NULL) == COHORT_OK;
    is_good = is_good && cohort_checkpoint_manager_wait(m) == COHORT_OK;
    cohort_checkpoint_manager_destroy(m);
    return is_good && count_generations() == 6;
}

/* All that were there or those that were to stay. */
static bool prunes_or_tells(int *told)
{
    int n = cohort_checkpoint_prune(folder_path, 2, COHORT_CHECKPOINT_GREATEST);
    bool is_told = n < 0 && tells("memory");
    atomic_store(&of_memory, 0);
    *told += is_told;
    return has_generation(2) && has_generation(6) && has_generation(5) &&
           (is_told ? count_generations() == 6 : n == 3 && count_generations() == 3);
}

static void test_prune(cohort_strategy *s)
{
    bool is_good = true, is_over = false;
    int told = 0, nth = 0;
    while (is_good && !is_over && ++nth < MOST_SHORTAGES) {
        is_good = count_generations() == 6 || fill(s);
        atomic_store(&was_refused, false);
        atomic_store(&of_memory, nth);
        is_good = is_good && prunes_or_tells(&told);
        is_over = !atomic_load(&was_refused);
    }
    if (!ok(is_good && is_over && told > 0, "a removal removes what it should, or says why not"))
        diag("at number %d: %s", nth, cohort_error_text());
}

/* Found, or no answer about what is there. */
static void test_best(cohort_strategy *s)
{
    bool is_good = fill(s), is_over = false;
    int told = 0, nth = 0;
    cohort_checkpoint_manager *m = cohort_checkpoint_manager_create(
        s, folder_path, &(cohort_checkpoint_manager_options){ .best = COHORT_CHECKPOINT_GREATEST });
    while (is_good && !is_over && ++nth < MOST_SHORTAGES) {
        atomic_store(&was_refused, false);
        atomic_store(&of_memory, nth);
        const char *path = cohort_checkpoint_manager_best(m);
        atomic_store(&of_memory, 0);
        is_good = path != NULL ? strstr(path, "-000002.") != NULL : tells("memory");
        told += path == NULL;
        is_over = !atomic_load(&was_refused);
    }
    if (!ok(is_good && is_over && told > 0, "the best is found, or it is said why not"))
        diag("at number %d: %s", nth, cohort_error_text());
    cohort_checkpoint_manager_destroy(m);
}

/* A manager, a save and its end. The best generation stays whatever happens. */
static bool saves_or_tells(cohort_strategy *s, int *told)
{
    int64_t newest = -1;
    cohort_checkpoint_manager *m = cohort_checkpoint_manager_create(
        s, folder_path,
        &(cohort_checkpoint_manager_options){
            .best = COHORT_CHECKPOINT_GREATEST, .keep = 2, .stop_signal = SIGUSR1 });
    cohort_status status =
        m == NULL ? COHORT_ENOMEM : cohort_checkpoint_manager_save(m, 77, NAN, NULL);
    if (status >= 0)
        status = cohort_checkpoint_manager_wait(m);
    bool is_told = (status == COHORT_ENOMEM || status == COHORT_EINTERNAL) &&
                   (tells("memory") || tells("no thread"));
    atomic_store(&of_memory, 0);
    atomic_store(&of_threads, 0);
    cohort_checkpoint_manager_destroy(m);
    (void)cohort_strategy_recover(s);
    cohort_checkpoint *c = cohort_checkpoint_open(folder_path);
    newest = cohort_checkpoint_step(c);
    cohort_checkpoint_close(c);
    *told += is_told;
    return has_generation(2) && (is_told ? newest != 77 : status == COHORT_OK && newest == 77);
}

static void test_save(cohort_strategy *s, atomic_llong *of, const char *what)
{
    bool is_good = true, is_over = false;
    int told = 0, nth = 0;
    while (is_good && !is_over && ++nth < MOST_SHORTAGES) {
        is_good = fill(s);
        int64_t blocks = cohort_memory_blocks();
        atomic_store(&was_refused, false);
        atomic_store(of, nth);
        is_good = is_good && saves_or_tells(s, &told) && cohort_memory_blocks() == blocks;
        is_over = !atomic_load(&was_refused);
    }
    if (!ok(is_good && is_over && told > 0, "a save is there, or says which %s it had not", what))
        diag("at number %d: %s", nth, cohort_error_text());
}

int main(void)
{
    cohort_strategy_destroy(cohort_mirrored("host/3"));
    (void)core_warm();
    if (!folder_begin())
        return skip_all("no folder can be made here");
    core_live warm = core_live_now();
    cohort_strategy *s = cohort_mirrored("host/2");
    (void)cohort_variable_create(s, "w", COHORT_ARRAY((float *)NULL, ELEMENTS), NULL);
    test_prune(s);
    test_best(s);
    test_save(s, &of_memory, "memory");
    test_save(s, &of_threads, "thread");
    cohort_strategy_destroy(s);
    remove_files(folder_path);
    folder_end();
    core_no_leak(warm);
    return tap_done();
}

#endif
