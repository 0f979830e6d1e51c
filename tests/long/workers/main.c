/* SPDX-License-Identifier: BSD-3-Clause */
/* Random steps on the workers of a cluster: recorded, called one by one, or made by each replica in
 * a step function, they leave what the same calls leave in one process that hosts all replicas, to
 * the last bit. Every worker makes both, and looks at what is its own. Started by mpirun
 * (tests/cluster_programs.t).
 *
 * What one process refuses is an error on every worker: of some at the call itself, of the others
 * at the next one at which all meet; and all recover.
 *
 * $PROGRAMS are played, of $SEED; $ONLY plays one of them. The first worker says how many steps
 * they had; whoever finds something wrong prints the program, and ends. */
#include "config.h"

#include "tests/long/workers/workers.h"

enum { CHECKED_PROGRAMS = 20, CHECK_SEED = 16, MOST_STEPS = 20, MOST_RUNS = 3, LAST_PLACE = 3 };

program p[1]; /* of the log */

static int rank, size;
static long n_steps, n_calls, n_errors, n_ends, n_recorded, n_stages;

/* ------------------------------------------------------------------ drawing */

/* Every worker has the same devices; a replica for each, at least. */
static void design_draw_across(design *d)
{
    static const char *const places[LAST_PLACE] = { "host:0", "host:0", "host:0/2" };
    int place = draw(LAST_PLACE), least = size * (place == LAST_PLACE - 1 ? 2 : 1);
    *d = (design){ .devices = places[place],
                   .f = draw(2) == 0 ? &of_items : &of_loops,
                   .replicas = least + draw(MAX_REPLICAS - least + 1) };
    design_draw_contents(d);
}

/* ------------------------------------------------------------------ what a worker holds of it */

/* Its own components are those of one process from its first replica on. */
static bool is_own_part(const held_look *alone, const held_look *across, int first, int n)
{
    return alone->status == across->status && alone->kind == across->kind &&
           alone->n == p->replicas && across->n == n &&
           memcmp(alone->bits + first, across->bits, sizeof *across->bits * (size_t)n) == 0;
}

static bool is_alike(const held_look *alone, const held_look *across, int first, int n)
{
    return memcmp(alone, across, sizeof *alone) == 0 || is_own_part(alone, across, first, n);
}

static void compare(world *alone, world *across)
{
    static look wanted, found;
    int first, n = cohort_strategy_local_replicas(across->s, &first);
    world_look(alone, &wanted);
    world_look(across, &found);
    for (int i = 0; i < LOOKED_AT && p->is_right; i++) {
        const held_look *x = &wanted.of[i], *y = &found.of[i];
        if (!is_alike(x, y, first, n))
            mismatch("%s %d: status %d, kind or updates %d, %d parts on this worker; in one "
                     "process %d, %d, %d",
                     i < ALL_VALUES ? "x" : "w", i < ALL_VALUES ? i : i - ALL_VALUES, y->status,
                     y->kind, y->n, x->status, x->kind, x->n);
    }
    if (wanted.rows != found.rows)
        mismatch("%lld rows of the input, not %lld", (long long)found.rows, (long long)wanted.rows);
}

/* ------------------------------------------------------------------ errors */

/* After an error of one process: all workers have one, at the latest when they meet, and
 * recover. */
static void all_fail(world *across)
{
    cohort_value *into = across->values[FIRST_EMPTY];
    if (cohort_reduce(COHORT_SUM, across->values[0], COHORT_NO_AXIS, into) >= 0)
        mismatch("an error of another worker is not told");
    if (cohort_strategy_recover(across->s) < 0)
        mismatch("recover");
    n_errors++;
}

/* What is refused when it is recorded is refused in a call, too. */
static bool record(world *across, const step_calls *step)
{
    n_recorded++;
    if (world_record(across, step) != NULL)
        return true;
    note("recorded: %s", cohort_error_text());
    return false;
}

/* ------------------------------------------------------------------ one program */

/* So many steps in both. Returns whether more may follow. */
static bool play_both(world *alone, world *across, const step_calls *step, int64_t n)
{
    static outcome wanted, found;
    play_unrecorded(alone, step, n, &wanted, NULL);
    if (across->program != NULL)
        play_recorded(across, n, &found);
    else
        play_unrecorded(across, step, n, &found, NULL);
    n_steps += wanted.steps;
    n_calls += wanted.steps * step->n;
    n_ends += wanted.status == COHORT_END;
    if (wanted.status < 0) {
        all_fail(across);
        return false;
    }
    if (found.status != wanted.status || found.steps != wanted.steps)
        mismatch("%d after %lld steps on workers ('%s'), %d after %lld in one process",
                 found.status, (long long)found.steps, found.words, wanted.status,
                 (long long)wanted.steps);
    else
        compare(alone, across);
    return p->is_right && wanted.status == COHORT_OK;
}

static void play_worlds(world *alone, world *across, const step_calls *step)
{
    p->s = across->s;
    alone->step = 1;
    if (draw(2) == 0) {
        across->step = 1;
    } else if (!record(across, step)) {
        all_fail(across);
        return;
    }
    int runs = 1 + draw(MOST_RUNS);
    while (runs > 0 && play_both(alone, across, step, 1 + draw(MOST_STEPS)))
        runs--;
}

static void play_stages(world *alone, world *across, const stage *stage)
{
    p->s = across->s;
    for (int64_t left = 1 + draw(MOST_STEPS); left > 0 && p->is_right; left--) {
        if (play_stage(alone, stage) < 0) {
            (void)play_stage(across, stage);
            all_fail(across);
            return;
        }
        if (play_stage(across, stage) < 0)
            mismatch("a step function fails on workers");
        else
            compare(alone, across);
        n_steps++;
        n_calls += stage->n;
    }
    n_stages++;
}

static void play(uint64_t seed, uint64_t number, cohort_resolver *workers)
{
    static world alone, across;
    static step_calls step;
    static stage stage;
    design d;
    memset(p, 0, sizeof *p);
    p->is_right = true;
    log_restart();
    chance_seed(seed, number, 0);
    design_draw_across(&d);
    p->replicas = d.replicas;
    bool is_stage = draw(3) == 0;
    if (is_stage) {
        draw_stage(&d, &stage);
        note_stage(&stage);
    } else {
        draw_step(&d, &step);
        note_calls(&step);
    }
    bool is_open = world_open(&alone, &d);
    d.name = "multi-worker-mirrored";
    d.workers = workers;
    is_open = is_open && world_open(&across, &d);
    if (is_open && is_stage)
        play_stages(&alone, &across, &stage);
    else if (is_open)
        play_worlds(&alone, &across, &step);
    if (!p->is_right)
        return; /* the others may be anywhere */
    world_close(&across);
    world_close(&alone);
    lent_free();
}

/* ------------------------------------------------------------------ all of them */

static uint64_t number_of(const char *setting, uint64_t otherwise)
{
    const char *text = getenv(setting);
    return text != NULL && *text != '\0' ? strtoull(text, NULL, 10) : otherwise;
}

static int play_all(uint64_t seed, uint64_t programs, uint64_t only, cohort_resolver *workers)
{
    uint64_t first = only != UINT64_MAX ? only : 0, end = only != UINT64_MAX ? only + 1 : programs;
    for (uint64_t i = first; i < end; i++) {
        play(seed, i, workers);
        if (p->is_right)
            continue;
        log_print();
        diag("worker %d of %d; again, alone: SEED=%llu ONLY=%llu", rank, size,
             (unsigned long long)seed, (unsigned long long)i);
        return 1;
    }
    if (rank == 0)
        printf("%llu programs: %ld steps, %ld calls; %ld recorded, %ld step functions, %ld errors, "
               "%ld ends\n",
               (unsigned long long)(end - first), n_steps, n_calls, n_recorded, n_stages, n_errors,
               n_ends);
    return 0;
}

int main(void)
{
    cohort_resolver *workers = cohort_resolver_mpi(COHORT_MPI_WORLD);
    if (workers == NULL) {
        printf("no workers: %s\n", cohort_error_text());
        return 1;
    }
    rank = cohort_resolver_task_id(workers);
    size = cohort_resolver_num_tasks(workers, "worker");
    int status = play_all(number_of("SEED", CHECK_SEED), number_of("PROGRAMS", CHECKED_PROGRAMS),
                          number_of("ONLY", UINT64_MAX), workers);
    cohort_resolver_destroy(workers);
    return status;
}
