/* SPDX-License-Identifier: BSD-3-Clause */
/* A fork and a join: a number that the caller raises, and one that the others lower. OpenMP is left
 * to the host's plugin, whose threads would spin for less where there are others of its runtime. */
#include "config.h"

#include "cli/bench_team.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

/* Looks for work before a thread sleeps, or the caller lends its core. */
enum { LOOKS = 20000 };

struct bench_team {
    int n_started;
    pthread_t *threads; /* of 1 to n - 1 */
    struct member {
        bench_team *team;
        int number;
    } * members;
    bench_team_fn fn;
    void *context;
    bool is_over;
    atomic_uint posted; /* calls of bench_team_run */
    atomic_int left;    /* threads that are not done */
    atomic_int sleepers;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    cpu_set_t cores; /* that the process may use; none: not known */
};

/* One core for each thread, as far as there are cores. */
static void bind(const bench_team *team, int thread)
{
    cpu_set_t one;
    int n = CPU_COUNT(&team->cores), core = -1;
    if (n == 0)
        return;
    for (int left = thread % n; left >= 0; left -= CPU_ISSET(core, &team->cores))
        core++;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    (void)sched_setaffinity(0, sizeof one, &one);
}

void bench_team_bind(const bench_team *team)
{
    bind(team, 0);
}

void bench_team_release(const bench_team *team)
{
    if (CPU_COUNT(&team->cores) > 0)
        (void)sched_setaffinity(0, sizeof team->cores, &team->cores);
}

static void look_again(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

/* Sleepers are counted before they look once more, and the caller looks for them after it has
 * posted: one of them sees the other. */
static void sleep_until_posted(bench_team *team, unsigned last)
{
    pthread_mutex_lock(&team->lock);
    atomic_fetch_add(&team->sleepers, 1);
    while (atomic_load(&team->posted) == last)
        pthread_cond_wait(&team->wake, &team->lock);
    atomic_fetch_sub(&team->sleepers, 1);
    pthread_mutex_unlock(&team->lock);
}

static void *work(void *user)
{
    const struct member *me = user;
    bench_team *team = me->team;
    bind(team, me->number);
    for (unsigned last = 0;; last++) {
        for (int i = 0; i < LOOKS && atomic_load(&team->posted) == last; i++)
            look_again();
        if (atomic_load(&team->posted) == last)
            sleep_until_posted(team, last);
        if (team->is_over)
            return NULL;
        team->fn(team->context, me->number);
        atomic_fetch_sub(&team->left, 1);
    }
}

static void post(bench_team *team)
{
    atomic_store(&team->left, team->n_started);
    atomic_fetch_add(&team->posted, 1);
    if (atomic_load(&team->sleepers) == 0)
        return;
    pthread_mutex_lock(&team->lock);
    pthread_cond_broadcast(&team->wake);
    pthread_mutex_unlock(&team->lock);
}

void bench_team_run(bench_team *team, bench_team_fn fn, void *context)
{
    team->fn = fn;
    team->context = context;
    if (team->n_started > 0)
        post(team);
    fn(context, 0);
    for (int looks = 0; atomic_load(&team->left) > 0; looks++)
        if (looks < LOOKS)
            look_again();
        else
            (void)sched_yield();
}

bench_team *bench_team_create(int n)
{
    bench_team *team = calloc(1, sizeof *team);
    if (team == NULL)
        return NULL;
    *team = (bench_team){ .threads = calloc((size_t)n, sizeof *team->threads),
                          .members = calloc((size_t)n, sizeof *team->members) };
    if (sched_getaffinity(0, sizeof team->cores, &team->cores) != 0)
        CPU_ZERO(&team->cores);
    pthread_mutex_init(&team->lock, NULL);
    pthread_cond_init(&team->wake, NULL);
    bool is_good = team->threads != NULL && team->members != NULL;
    for (int i = 1; i < n && is_good; i++) {
        team->members[i - 1] = (struct member){ team, i };
        is_good = pthread_create(&team->threads[i - 1], NULL, work, &team->members[i - 1]) == 0;
        team->n_started += is_good;
    }
    if (is_good)
        return team;
    bench_team_destroy(team);
    return NULL;
}

void bench_team_destroy(bench_team *team)
{
    if (team == NULL)
        return;
    team->is_over = true;
    post(team);
    for (int i = 0; i < team->n_started; i++)
        pthread_join(team->threads[i], NULL);
    pthread_cond_destroy(&team->wake);
    pthread_mutex_destroy(&team->lock);
    free(team->members);
    free(team->threads);
    free(team);
}
