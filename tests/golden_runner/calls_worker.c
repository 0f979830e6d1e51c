/* SPDX-License-Identifier: BSD-3-Clause */
/* Several workers: an input and a strategy for each, all in this process, which step together. Data
 * ends when no worker has a row; a worker whose own rows have ended has a step without rows until
 * then. */
#include "config.h"

#include "tests/golden_runner/expression.h"

enum { MAX_WORKERS = 8 };

typedef struct group {
    int n, replicas; /* workers, and replicas of each */
    cohort_strategy *strategies[MAX_WORKERS];
    table_stepper *workers[MAX_WORKERS];
    bool is_at_end[MAX_WORKERS];
} group;

static void close_group(group *g)
{
    for (int w = 0; w < MAX_WORKERS; w++)
        cohort_strategy_destroy(g->strategies[w]);
}

/* The block makes the input of each worker. */
static bool open_group(frame *f, group *g, const thing *block)
{
    if (g->n < 1 || g->n > MAX_WORKERS || g->replicas < 1 || g->n * g->replicas != f->c->replicas)
        return frame_malformed(f, "%d replicas for %d workers of %d", f->c->replicas, g->n,
                               g->replicas),
               false;
    for (int w = 0; w < g->n && !frame_is_over(f); w++) {
        const cohort_input_options options = { .pipeline = { g->n, w, g->n * g->replicas } };
        frame own = *f;
        own.options = &options;
        own.s = g->strategies[w] = table_open_worker(f->c, g->replicas);
        thing made = own.s == NULL ? nothing : expression_block(&own, block, NULL, nothing);
        g->workers[w] = made.kind == THING_INPUT ? made.as.stepper : NULL;
        f->status = own.status;
    }
    return !frame_is_over(f);
}

/* The rows of a worker that has none. */
static json_t *no_rows(const group *g)
{
    json_t *list = json_array();
    for (int r = 0; r < g->replicas; r++)
        json_array_append_new(list, json_array());
    return list;
}

/* One step of all. COHORT_END: none had a row, and out has nothing. out[w] is a list, by
 * replica. */
static cohort_status step_together(frame *f, group *g, json_t *out[MAX_WORKERS])
{
    cohort_status status = COHORT_END;
    for (int w = 0; w < g->n; w++) {
        cohort_status own =
            g->is_at_end[w] ? COHORT_END : table_stepper_next(f->c, g->workers[w], &out[w]);
        g->is_at_end[w] = own == COHORT_END;
        if (own == COHORT_END)
            out[w] = no_rows(g);
        status = own == COHORT_END || status < 0 ? status : own;
    }
    for (int w = 0; w < g->n && status != COHORT_OK; w++)
        json_decref(out[w]);
    return status;
}

/* Where this process is one of them: the steps of its own input, with the rows of its replica. */
static thing own_steps(frame *f, const thing *block, int most)
{
    cohort_array rows;
    json_t *steps = json_array();
    thing all = thing_json(f, json_pack("[o]", steps));
    thing in = expression_block(f, block, NULL, nothing);
    cohort_status status = in.kind == THING_INPUT ? COHORT_OK : COHORT_EINVAL;
    for (int i = 0; i < most && status == COHORT_OK; i++) {
        status = cohort_input_next(in.as.stepper->input, in.as.stepper->values);
        if (status == COHORT_OK && cohort_local_results(in.as.stepper->values[0], &rows, 1) == 1)
            json_array_append_new(steps, json_pack("[o]", table_rows_of(&rows)));
    }
    return status < 0 ? frame_stop(f, status) : all;
}

/* workers(n, replicas of each, at most so many steps) { an input }: for each worker the list of its
 * steps. */
static thing workers(frame *f, const thing x[])
{
    group g = { .n = (int)integer_of(&x[0]), .replicas = (int)integer_of(&x[1]) };
    int most = x[2].kind == THING_NOTHING ? TABLE_MAX_STEPS : (int)integer_of(&x[2]);
    if (f->c->workers != NULL)
        return own_steps(f, &x[3], most);
    json_t *all = json_array(), *own[MAX_WORKERS] = { NULL };
    thing found = thing_json(f, all);
    cohort_status status = open_group(f, &g, &x[3]) ? COHORT_OK : COHORT_EINVAL;
    for (int w = 0; w < g.n; w++)
        json_array_append_new(all, json_array());
    for (int i = 0; i < most && status == COHORT_OK; i++)
        if ((status = step_together(f, &g, own)) == COHORT_OK)
            for (int w = 0; w < g.n; w++)
                json_array_append_new(json_array_get(all, (size_t)w), own[w]);
    close_group(&g);
    if (status == COHORT_OK && most == TABLE_MAX_STEPS)
        return frame_malformed(f, "more than %d steps", TABLE_MAX_STEPS);
    return status >= 0 ? found : nothing;
}

#define CALLS(CALL) CALL(workers, "nn?n{", workers(f, x))
CALLS(CALL_FUNCTION)
const call worker_calls[] = { CALLS(CALL_ROW){ NULL, NULL, NULL } };
