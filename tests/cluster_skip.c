/* SPDX-License-Identifier: BSD-3-Clause */
/* One process of those that tests/cluster_skip.t starts by mpirun: steps that the guard skips, for
 * what a replica of one worker contributes. Says nothing when all is as it should be, but what it
 * is told to say.
 *
 *   cluster_skip MODE
 *
 * Modes are the functions in the table at the end. */
#include "config.h"

#include "tests/cluster_process.h"

#include <cohort/cohort.h>

#include <math.h>
#include <string.h>
#include <unistd.h>

enum { STEPS = 3, WIDE = 5, EACH = 2, MOST = 3 * EACH }; /* EACH: replicas of a worker */

static cohort_resolver *workers;
static const char *devices = "host:0";

static void told(void)
{
    printf("told: %d: %s\n", rank, cohort_error_text());
    (void)fflush(stdout);
}

static cohort_strategy *try_making(const char *name, cohort_guard guard, cohort_rollback rollback)
{
    return cohort_strategy_create(&(cohort_strategy_options){ .name = name,
                                                              .devices = devices,
                                                              .replicas = EACH * size,
                                                              .resolver = workers,
                                                              .guard = guard,
                                                              .rollback = rollback });
}

static cohort_strategy *make(void)
{
    cohort_strategy *s = try_making("multi-worker-mirrored", COHORT_GUARD_SKIP, COHORT_ROLLBACK_ON);
    must(s != NULL, "there is a strategy");
    return s;
}

/* ------------------------------------------------------------------ a model */

/* What replica `who` contributes in step `when` is no number; of the steps from `without` on, each
 * is the one behind it. */
typedef struct model {
    cohort_strategy *s;
    int64_t who, when, without, step;
    cohort_value *g, *sum;
    cohort_variable *w, *often, *seen, *steps;
} model;

COHORT_ITEMS(contribute, i, n,
             (int64_t n, int64_t step, int64_t replica, int64_t who, int64_t when, int64_t without,
              const float w[n], const float often[n], COHORT_OUT float g[n]),
             {
                 int64_t at = step < without ? step : step + 1;
                 g[i] = at == when && replica == who
                            ? NAN
                            : (w[i] - often[i]) / (float)(at * 7 + replica * 3 + i + 1);
             });
COHORT_ITEMS(descend, i, n, (int64_t n, const float g[n], float w[n]), { w[i] -= 0.3F * g[i]; });
COHORT_ITEMS(decay, i, n, (int64_t n, float v[n]), { v[i] = v[i] * 0.9F + 0.01F; });
COHORT_ITEMS(count, i, n, (int64_t n, int32_t by, float seen[n]), { seen[i] += (float)by / 7; });
COHORT_ITEMS(advance, i, n, (int64_t n, int64_t steps[n]), { steps[i]++; });

static model begin(int64_t who, int64_t when, int64_t without)
{
    static float w[WIDE] = { 1, -2, 3, -4, 5 }, none[WIDE];
    static int64_t zero;
    const cohort_variable_options on_read = { .synchronization = COHORT_ON_READ,
                                              .aggregation = COHORT_AGGREGATE_SUM },
                                  mean = { .aggregation = COHORT_AGGREGATE_MEAN };
    cohort_strategy *s = make();
    model m = { .s = s,
                .who = who,
                .when = when,
                .without = without,
                .g = cohort_value_create(s),
                .sum = cohort_value_create(s),
                .w = cohort_variable_create(s, "w", COHORT_ARRAY(w, WIDE), &mean),
                .often = cohort_variable_create(s, "often", COHORT_ARRAY(w, WIDE), NULL),
                .seen = cohort_variable_create(s, "seen", COHORT_ARRAY(none, WIDE), &on_read),
                .steps = cohort_variable_create(s, "steps", COHORT_ARRAY(&zero, 1), NULL) };
    must(m.g != NULL && m.sum != NULL && m.w != NULL && m.often != NULL && m.seen != NULL &&
             m.steps != NULL,
         "there is a model");
    return m;
}

typedef struct state {
    float w[WIDE], often[WIDE], seen[WIDE];
    int64_t steps;
} state;

static state look(const model *m)
{
    state found;
    memset(&found, 0, sizeof found);
    must(cohort_variable_read(m->w, COHORT_ARRAY(found.w, WIDE)) == COHORT_OK &&
             cohort_variable_read(m->often, COHORT_ARRAY(found.often, WIDE)) == COHORT_OK &&
             cohort_variable_read(m->seen, COHORT_ARRAY(found.seen, WIDE)) == COHORT_OK &&
             cohort_variable_read(m->steps, COHORT_ARRAY(&found.steps, 1)) == COHORT_OK &&
             cohort_strategy_status(m->s) == COHORT_OK,
         "all is read");
    return found;
}

/* ------------------------------------------------------------------ ways to make steps */

/* What a contribution of worker 1 meets. */
enum { NOTHING, FAILS, ENDS, STANDS };
static int obstacle;
static cohort_strategy *obstructed;

/* Of a device that the thread of the program does not compute for: mostly the others have made the
 * reduction's first meeting then. */
COHORT_FUNCTION(obstruct, (int64_t n, int32_t replica, float g[n]), COHORT_HOST_ONLY)
{
    g[n - 1] *= 1;
    if (rank != 1 || obstacle == NOTHING || replica % EACH == 0)
        return;
    (void)usleep(100000);
    if (obstacle == FAILS)
        (void)cohort_wait(obstructed); /* which a body may not */
    else if (obstacle == ENDS)
        exit(0);
    while (obstacle == STANDS)
        (void)pause();
}

static cohort_status record(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    const model *m = user;
    (void)batch;
    cohort_status status = cohort_update(m->steps, advance, m->steps);
    if (status >= 0)
        status = cohort_run(s, contribute, COHORT_STEP, COHORT_REPLICA_ID, m->who, m->when,
                            m->without, m->w, m->often, m->g);
    if (status >= 0 && obstacle != NOTHING)
        status = cohort_run(s, obstruct, COHORT_REPLICA_ID, m->g);
    if (status >= 0)
        status = cohort_update(m->often, decay, m->often);
    if (status >= 0)
        status = cohort_update(m->seen, count, COHORT_REPLICA_ID, m->seen);
    if (status >= 0)
        status = cohort_update(m->often, decay, m->often);
    if (status >= 0)
        status = cohort_reduce(COHORT_SUM, m->g, COHORT_NO_AXIS, m->sum);
    if (status >= 0)
        status = cohort_update(m->w, descend, m->sum, m->w);
    return status < 0 ? status : cohort_update(m->often, descend, m->sum, m->often);
}

static cohort_status play(cohort_replica *me, void *user)
{
    const model *m = user;
    cohort_value *g = m->g;
    cohort_status status = cohort_replica_update(me, m->steps, advance, m->steps);
    if (status >= 0)
        status = cohort_replica_run(me, contribute, m->step, cohort_replica_id(me), m->who, m->when,
                                    m->without, m->w, m->often, m->g);
    if (status >= 0)
        status = cohort_replica_update(me, m->often, decay, m->often);
    if (status >= 0)
        status = cohort_replica_update(me, m->seen, count, cohort_replica_id(me), m->seen);
    if (status >= 0)
        status = cohort_replica_update(me, m->often, decay, m->often);
    if (status >= 0)
        status = cohort_all_reduce(me, COHORT_SUM, &g, 1);
    return status < 0 ? status : cohort_variable_assign_add(m->w, m->g);
}

static void step_by_step(model *m, int n)
{
    cohort_program *p = cohort_program_record(m->s, record, m, NULL, 0);
    must(p != NULL, "a step is recorded");
    for (int i = 0; i < n; i++)
        must(cohort_program_run(p, NULL, 1) == COHORT_OK, "a step is made");
}

static void all_at_once(model *m, int n)
{
    cohort_program *p = cohort_program_record(m->s, record, m, NULL, 0);
    must(p != NULL && cohort_program_run(p, NULL, n) == COHORT_OK, "steps are made");
    must(cohort_program_steps(p) == n, "and counted");
}

static void each_replica(model *m, int n)
{
    for (int i = 0; i < n; i++) {
        m->step = i + 1;
        must(cohort_for_each_replica(m->s, play, m) == COHORT_OK, "a step is played");
    }
}

static void (*const ways[])(model *m, int n) = { step_by_step, all_at_once, each_replica };
enum { WAYS = sizeof ways / sizeof *ways };

/* ------------------------------------------------------------------ the same bits */

static state train(int way, int64_t who, int64_t when, int64_t without, int steps)
{
    char replica[64];
    const char *why = NULL;
    model m = begin(who, when, without);
    ways[way](&m, steps);
    const state found = look(&m);
    (void)snprintf(replica, sizeof replica, "the contribution of replica %d on ", (int)who);
    must(cohort_strategy_skipped(m.s, &why) == (who >= 0), "all have skipped as many");
    must(who < 0 ? why[0] == '\0' : strstr(why, replica) != NULL, "and know for which replica");
    cohort_strategy_destroy(m.s);
    return found;
}

static void grid(void)
{
    for (int way = 0; way < WAYS; way++)
        for (int when = 1; when <= STEPS; when++) {
            const state wanted = train(way, -1, -1, when, STEPS - 1);
            for (int who = 0; who < EACH * size; who++) {
                const state found = train(way, who, when, STEPS + 1, STEPS);
                must(memcmp(&found, &wanted, sizeof found) == 0,
                     "a skipped step is as if it had not been made");
            }
        }
}

/* Every replica, so that nobody hears of it from others first. */
static cohort_status spoil(cohort_replica *me, void *user)
{
    const model *m = user;
    float bad[WIDE] = { 1, 2, INFINITY, 4, 5 };
    cohort_value *g = m->g;
    cohort_status status = cohort_replica_update(me, m->steps, advance, m->steps);
    if (status >= 0)
        status = cohort_replica_set(me, m->g, COHORT_ARRAY(bad, WIDE));
    return status < 0 ? status : cohort_all_reduce(me, COHORT_SUM, &g, 1);
}

static void everybody(void)
{
    model m = begin(-1, -1, STEPS);
    const state before = look(&m);
    for (int i = 1; i <= 20; i++)
        must(cohort_for_each_replica(m.s, spoil, &m) == COHORT_OK &&
                 cohort_strategy_skipped(m.s, NULL) == i,
             "a step that is bad on all workers is skipped");
    const state after = look(&m);
    must(memcmp(&before, &after, sizeof after) == 0, "nothing has changed");
    cohort_strategy_destroy(m.s);
}

/* ------------------------------------------------------------------ each reduction */

/* Up to ALL_REDUCE in cross-replica context, as COMPONENTS is. */
enum { ALL_REDUCE = 7, ASSIGN, SLICES, COMPONENTS, KINDS };

typedef struct job {
    cohort_strategy *s;
    int kind;
    bool is_bad;
    cohort_value *x, *y, *ones, *weight, *ids;
    cohort_variable *sum, *seen, *steps;
} job;

COHORT_FUNCTION(least, (int64_t n, const float in[n], float inout[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        inout[i] = in[i] < inout[i] ? in[i] : inout[i];
}

static cohort_status merge_reduce(cohort_strategy *s, void *const user[], int n)
{
    const job *j = user[0];
    cohort_value *const list[] = { j->ones, j->x };
    cohort_value *const into[] = { j->y, cohort_value_create(s) };
    (void)n;
    switch (j->kind) {
    case 0:
        return cohort_reduce(COHORT_MEAN, j->x, COHORT_NO_AXIS, j->y);
    case 1:
        return cohort_reduce(COHORT_MAX, j->x, 0, j->y);
    case 2:
        return cohort_reduce_list(COHORT_SUM, list, 2, COHORT_NO_AXIS, into);
    case 3:
        return cohort_reduce_with(0, j->x, &(cohort_reduce_options){ .combine = least }, j->y);
    case 4:
        return cohort_reduce_with(COHORT_MEAN, j->ones,
                                  &(cohort_reduce_options){ .weights = j->weight }, j->y);
    case 5:
        return cohort_reduce_to(COHORT_SUM, j->x, COHORT_AT(j->sum), j->y);
    case COMPONENTS:
        return cohort_reduce(COHORT_SUM, j->seen, COHORT_NO_AXIS, j->y);
    default:
        return cohort_batch_reduce_to(
            COHORT_SUM, 2, list, (const cohort_argument[]){ COHORT_AT(j->sum), COHORT_AT(j->sum) },
            into);
    }
}
static cohort_status reduce_in_step(cohort_replica *me, void *user)
{
    const job *j = user;
    const bool is_bad = j->is_bad && cohort_replica_id(me) == EACH * size - 1;
    const float ones[WIDE] = { 1, 1, 1, 1, 1 };
    float x[WIDE] = { 1, 2, 3, 4, 5 };
    static const int64_t ids[WIDE] = { 4, 3, 2, 1, 0 };
    float two = is_bad ? INFINITY : 2;
    const cohort_array weight = { .data = &two, .dtype = COHORT_F32 };
    cohort_value *list = j->x;
    x[WIDE - 1] = is_bad ? NAN : 5;
    cohort_status status = cohort_replica_update(me, j->steps, advance, j->steps);
    if (status >= 0)
        status = cohort_replica_set(me, j->x, COHORT_ARRAY(x, WIDE));
    if (status >= 0)
        status = cohort_replica_set(me, j->ones, COHORT_ARRAY(ones, WIDE));
    if (status >= 0)
        status = cohort_replica_set(me, j->weight, weight);
    if (status < 0)
        return status;
    switch (j->kind) {
    case ALL_REDUCE:
        return cohort_all_reduce(me, COHORT_SUM, &list, 1);
    case ASSIGN:
        return cohort_variable_assign_add(j->sum, COHORT_ARRAY(x, WIDE));
    case SLICES:
        status = cohort_replica_set(me, j->ids, COHORT_ARRAY(ids, WIDE));
        return status < 0 ? status : cohort_all_reduce_slices(me, COHORT_SUM, j->ids, j->x);
    case COMPONENTS:
        status = cohort_variable_assign_add(j->seen, COHORT_ARRAY(x, WIDE));
        return status < 0 ? status : cohort_merge_call(me, merge_reduce, user);
    default:
        return cohort_merge_call(me, merge_reduce, user);
    }
}

/* Skipped, and then well. */
static void calls(void)
{
    static float none[WIDE];
    static int64_t zero;
    const cohort_variable_options sum = { .aggregation = COHORT_AGGREGATE_SUM },
                                  on_read = { .synchronization = COHORT_ON_READ,
                                              .aggregation = COHORT_AGGREGATE_SUM };
    for (int kind = 0; kind < KINDS; kind++) {
        char claim[64];
        int64_t steps = -1;
        cohort_strategy *s = make();
        job j = { .s = s,
                  .kind = kind,
                  .x = cohort_value_create(s),
                  .y = cohort_value_create(s),
                  .ones = cohort_value_create(s),
                  .weight = cohort_value_create(s),
                  .ids = cohort_value_create(s),
                  .sum = cohort_variable_create(s, "sum", COHORT_ARRAY(none, WIDE), &sum),
                  .seen = cohort_variable_create(s, "seen", COHORT_ARRAY(none, WIDE), &on_read),
                  .steps = cohort_variable_create(s, "steps", COHORT_ARRAY(&zero, 1), NULL) };
        (void)snprintf(claim, sizeof claim, "a reduction of kind %d is skipped", kind);
        for (int i = 1; i <= 2; i++) {
            j.is_bad = true;
            must(cohort_for_each_replica(s, reduce_in_step, &j) == COHORT_OK &&
                     cohort_strategy_skipped(s, NULL) == i,
                 claim);
            j.is_bad = false;
            must(cohort_for_each_replica(s, reduce_in_step, &j) == COHORT_OK &&
                     cohort_strategy_skipped(s, NULL) == i &&
                     cohort_variable_read(j.steps, COHORT_ARRAY(&steps, 1)) == COHORT_OK &&
                     steps == i,
                 "and the next one is made");
        }
        cohort_strategy_destroy(s);
    }
}

/* ------------------------------------------------------------------ what is not skipped */

static void wrong(void)
{
    must(try_making("multi-worker-mirrored", COHORT_GUARD_SKIP, COHORT_ROLLBACK_OFF) == NULL,
         "without rollback there is nothing to go back to");
    told();
    must(try_making("multi-worker-mirrored", rank == 1 ? COHORT_GUARD_SKIP : COHORT_GUARD_ERROR,
                    COHORT_ROLLBACK_ON) == NULL,
         "all have the same guard");
    told();
}

static cohort_value *zeros(cohort_strategy *s, int64_t n)
{
    static float none[WIDE];
    cohort_array parts[MOST];
    for (int r = 0; r < EACH * size; r++)
        parts[r] = COHORT_ARRAY(none, n);
    return cohort_value_per_replica(s, parts);
}

static void served(void)
{
    if (strcmp(cohort_resolver_task_type(workers), "ps") == 0) {
        (void)cohort_server_run(workers, NULL);
        return;
    }
    must(try_making("parameter-server", COHORT_GUARD_SKIP, COHORT_ROLLBACK_ON) == NULL,
         "parameter servers do not go back");
    told();
}

/* A step that is skipped, so that there is something to be mixed up with what follows. */
static model begin_and_skip(void)
{
    model m = begin(size * EACH - 1, 1, STEPS + 1);
    each_replica(&m, 1);
    must(cohort_strategy_skipped(m.s, NULL) == 1, "a step is skipped");
    m.who = 0; /* of worker 0 */
    m.step = m.when;
    return m;
}

/* Nothing else was skipped; all recover, and make steps. */
static void goes_on(model *m)
{
    must(cohort_strategy_skipped(m->s, NULL) == 1, "nothing is skipped");
    must(cohort_strategy_status(m->s) < 0, "the error sticks");
    told();
    must(cohort_strategy_recover(m->s) == COHORT_OK, "all recover");
    const state before = look(m);
    must(before.steps == 0 && before.w[0] == 1, "the step is undone");
    must(cohort_for_each_replica(m->s, play, m) == COHORT_OK &&
             cohort_strategy_skipped(m->s, NULL) == 2,
         "and one that is bad is skipped");
    m->who = -1;
    each_replica(m, 2);
    must(look(m).steps == 2 && cohort_strategy_skipped(m->s, NULL) == 2, "and all go on");
    cohort_strategy_destroy(m->s);
}

/* Worker 1 does not come to the reduction to which worker 0 brings what is no number. */
static cohort_status play_or_fail(cohort_replica *me, void *user)
{
    return rank != 1 ? play(me, user) : cohort_error_set(COHORT_EINVAL, "the program's own error");
}

static void failed(void)
{
    model m = begin_and_skip();
    must(cohort_for_each_replica(m.s, play_or_fail, &m) < 0, "the step fails for all");
    goes_on(&m);
}

static cohort_status make_obstructed(model *m, int by)
{
    obstructed = m->s;
    obstacle = by;
    cohort_program *p = cohort_program_record(m->s, record, m, NULL, 0);
    return p != NULL ? cohort_program_run(p, NULL, 1) : COHORT_EINVAL;
}

static void failed_late(void)
{
    devices = "host/2";
    model m = begin_and_skip();
    must(make_obstructed(&m, FAILS) < 0, "the step fails for all");
    obstacle = NOTHING;
    goes_on(&m);
}

static cohort_status reduce_merged(cohort_strategy *s, void *const user[], int n)
{
    const model *m = user[0];
    (void)s;
    (void)n;
    return cohort_reduce(COHORT_SUM, m->g, COHORT_NO_AXIS, m->sum);
}

static cohort_status spoil_merged(cohort_replica *me, void *user)
{
    const model *m = user;
    const float bad[1] = { cohort_replica_id(me) == 0 ? -INFINITY : 0 };
    cohort_status status = cohort_replica_set(me, m->g, COHORT_ARRAY(bad, 1));
    return status < 0 ? status : cohort_merge_call(me, reduce_merged, user);
}

/* The others make the same call outside of a step. */
static void mixed(void)
{
    model m = begin_and_skip();
    const cohort_status status =
        rank == 0 ? cohort_for_each_replica(m.s, spoil_merged, &m)
                  : cohort_reduce(COHORT_SUM, zeros(m.s, 1), COHORT_NO_AXIS, m.sum);
    must(status < 0, "which is no step of all");
    goes_on(&m);
}

static void outside(void)
{
    model m = begin_and_skip();
    must(cohort_reduce(COHORT_SUM, COHORT_REPEATED(rank == 0 ? (double)NAN : 1.0), COHORT_NO_AXIS,
                       m.sum) < 0,
         "outside of a step it is an error");
    goes_on(&m);
}

COHORT_ITEMS(carry, i, n, (int64_t n, float g[n]), { g[i] = g[i] / 3 + 1; });

static cohort_status record_carried(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    const model *m = user;
    cohort_status status = cohort_run(s, carry, m->sum);
    return status < 0 ? status : record(s, batch, user);
}

static void carried(void)
{
    model m = begin_and_skip();
    m.sum = zeros(m.s, WIDE);
    cohort_program *p = cohort_program_record(m.s, record_carried, &m, NULL, 0);
    must(p != NULL && cohort_program_run(p, NULL, 1) < 0 &&
             (rank != 0 || strstr(cohort_error_text(), "it carries a value") != NULL),
         "a step that carries a value is not");
    goes_on(&m);
}

static cohort_status play_or_end(cohort_replica *me, void *user)
{
    if (rank == 1)
        exit(0);
    return play(me, user);
}

static void ended(void)
{
    model m = begin_and_skip();
    must(cohort_for_each_replica(m.s, play_or_end, &m) == COHORT_ELOST, "a worker is lost");
    told();
    cohort_strategy_destroy(m.s);
}

static cohort_status play_or_stand(cohort_replica *me, void *user)
{
    while (rank == 1)
        (void)pause();
    return play(me, user);
}

static void stands(void)
{
    model m = begin_and_skip();
    must(cohort_for_each_replica(m.s, play_or_stand, &m) == COHORT_ETIMEDOUT ||
             cohort_strategy_status(m.s) == COHORT_ELOST,
         "a worker is waited for in vain");
    told();
    exit(1);
}

static void ended_late(void)
{
    devices = "host/2";
    model m = begin_and_skip();
    must(make_obstructed(&m, ENDS) == COHORT_ELOST, "a worker is lost");
    told();
    cohort_strategy_destroy(m.s);
}

static void stands_late(void)
{
    devices = "host/2";
    model m = begin_and_skip();
    must(make_obstructed(&m, STANDS) < 0, "a worker is waited for in vain");
    told();
    exit(1);
}

static const struct {
    const char *name;
    void (*run)(void);
} modes[] = { { "wrong", wrong },
              { "served", served },
              { "failed", failed },
              { "mixed", mixed },
              { "outside", outside },
              { "carried", carried },
              { "ended", ended },
              { "stands", stands },
              { "grid", grid },
              { "everybody", everybody },
              { "calls", calls },
              { "failed_late", failed_late },
              { "ended_late", ended_late },
              { "stands_late", stands_late } };

int main(int argc, char **argv)
{
    const cohort_job_tasks jobs[] = { { "worker", 0 }, { "ps", 1 } };
    const bool is_served = argc == 2 && strcmp(argv[1], "served") == 0;
    workers = is_served ? cohort_resolver_mpi_jobs(COHORT_MPI_WORLD, jobs, 2)
                        : cohort_resolver_mpi(COHORT_MPI_WORLD);
    must(workers != NULL && argc == 2, "mpirun has started this, with a mode");
    rank = cohort_resolver_task_id(workers);
    size = cohort_resolver_num_tasks(workers, "worker");
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (strcmp(modes[i].name, argv[1]) == 0) {
            modes[i].run();
            cohort_resolver_destroy(workers);
            return 0;
        }
    return 2;
}
