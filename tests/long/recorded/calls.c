/* SPDX-License-Identifier: BSD-3-Clause */
/* One call of a step, made in a world. */
#include "config.h"

#include "tests/long/recorded/recorded.h"

/* ------------------------------------------------------------------ arguments */

static cohort_argument scalar(const world *w, const step_call *c)
{
    switch (c->scalar) {
    case STEP:
        return w->step > 0 ? COHORT_ARG_(w->step) : COHORT_STEP;
    case BATCH_ROWS:
        return COHORT_BATCH_ROWS;
    case REPLICA_ID:
        return COHORT_REPLICA_ID;
    case NUM_REPLICAS:
        return COHORT_NUM_REPLICAS;
    default:
        return COHORT_ARG_(c->number);
    }
}

/* A real number: one of the call, or one that a value has. */
static cohort_argument factor(const world *w, const step_call *c)
{
    return c->is_variant ? COHORT_ARG_(w->values[c->number % NUMBERS])
                         : COHORT_ARG_(c->number / 8.0);
}

static cohort_argument source(const world *w, const step_call *c)
{
    return c->source == A_VALUE      ? COHORT_ARG_(w->values[c->x])
           : c->source == A_VARIABLE ? COHORT_ARG_(w->variables[c->u])
                                     : COHORT_ARG_(c->number / 4.0);
}

/* As a contribution: of a variable or a number it is said how often it counts. */
static cohort_argument contribution(const world *w, const step_call *c)
{
    cohort_argument x = source(w, c);
    if (c->source == A_VALUE)
        return x;
    return c->number % 2 == 0 ? COHORT_ONCE(x) : COHORT_REPEATED(x);
}

static cohort_argument target(const world *w, const step_call *c)
{
    return c->target == AT_TEXT    ? COHORT_AT(c->devices)
           : c->target == AT_VALUE ? COHORT_AT(w->values[c->y])
                                   : COHORT_AT(w->variables[c->u]);
}

static void listed(world *w, const step_call *c, cohort_value *from[], cohort_value *into[])
{
    for (int i = 0; i < c->listed; i++) {
        from[i] = w->values[c->list[i]];
        into[i] = w->values[c->into_list[i]];
    }
}

/* ------------------------------------------------------------------ launches */

static cohort_status run_pair(world *w, const step_call *c)
{
    cohort_value *read[] = { w->values[c->x], w->values[c->y] };
    return c->is_variant ? cohort_run(w->s, w->f->pair[c->type], COHORT_VALUES(read, 2),
                                      COHORT_DROP, w->values[c->second])
                         : cohort_run(w->s, w->f->pair[c->type], read[0], read[1],
                                      w->values[c->into], w->values[c->second]);
}

static cohort_status run_any(world *w, const step_call *c)
{
    cohort_value *into = w->values[c->into];
    switch (c->kind) {
    case RUN_TWICE:
        return cohort_run(w->s, w->f->twice[c->type], source(w, c), into);
    case RUN_SHIFT:
        return cohort_run(w->s, w->f->shift[c->type], into);
    case RUN_BLEND:
        return cohort_run(w->s, w->f->blend[c->type], w->values[c->y], source(w, c), into);
    case RUN_SCALE:
        return c->is_variant ? cohort_run(w->s, w->f->scale[c->type], factor(w, c), scalar(w, c),
                                          COHORT_NAMED(y, into), COHORT_NAMED(x, source(w, c)))
                             : cohort_run(w->s, w->f->scale[c->type], factor(w, c), scalar(w, c),
                                          source(w, c), into);
    case RUN_PAIR:
        return run_pair(w, c);
    case RUN_TOTAL:
        return cohort_run(w->s, w->f->total_of[c->type], source(w, c), into);
    default:
        return cohort_run(w->s, w->f->rows[0], w->values[c->x], into, w->values[c->second]);
    }
}

static cohort_status update_any(world *w, const step_call *c)
{
    cohort_variable *v = w->variables[c->v];
    switch (c->kind) {
    case UPDATE_GROW:
        return cohort_update(v, w->f->grow[c->type], scalar(w, c), v);
    case UPDATE_MIX:
        return cohort_update(v, w->f->mix[c->type], source(w, c), v);
    case UPDATE_MARK:
        return cohort_update(v, w->f->mark[c->type], factor(w, c), scalar(w, c), v);
    default:
        return cohort_update_non_slot(target(w, c), w->f->mark[c->type], factor(w, c), scalar(w, c),
                                      v);
    }
}

/* ------------------------------------------------------------------ combining */

static cohort_status reduce_weighted(world *w, const step_call *c)
{
    const int32_t axes[] = { c->axis, 1 - c->axis };
    cohort_reduce_options options = { .axes = axes,
                                      .n_axes = c->listed - 1,
                                      .weights = c->is_variant ? w->values[c->y] : NULL };
    return cohort_reduce_with((cohort_reduce_op)c->op, contribution(w, c), &options,
                              w->values[c->into]);
}

static cohort_status reduce_combined(world *w, const step_call *c)
{
    cohort_reduce_options options = { .combine = w->f->fold[c->type] };
    return cohort_reduce_with((cohort_reduce_op)0, contribution(w, c), &options,
                              w->values[c->into]);
}

static cohort_status batch_reduce_to(world *w, const step_call *c)
{
    cohort_value *from[LISTED], *into[LISTED];
    cohort_argument at[LISTED];
    listed(w, c, from, into);
    for (int i = 0; i < c->listed; i++)
        at[i] = target(w, c);
    return cohort_batch_reduce_to((cohort_reduce_op)c->op, c->listed, from, at, into);
}

static cohort_status reduce_list(world *w, const step_call *c)
{
    cohort_value *from[LISTED], *into[LISTED];
    listed(w, c, from, into);
    return cohort_reduce_list((cohort_reduce_op)c->op, from, c->listed, c->axis, into);
}

static cohort_status combine_any(world *w, const step_call *c)
{
    cohort_value *into = w->values[c->into];
    cohort_reduce_op op = (cohort_reduce_op)c->op;
    switch (c->kind) {
    case REDUCE:
        return cohort_reduce(op, contribution(w, c), c->axis, into);
    case REDUCE_LIST:
        return reduce_list(w, c);
    case REDUCE_WEIGHTED:
        return reduce_weighted(w, c);
    case REDUCE_COMBINED:
        return reduce_combined(w, c);
    case REDUCE_SLICES:
        return cohort_reduce_slices(op, w->values[c->y], w->values[c->x], w->values[c->second],
                                    into);
    case REDUCE_TO:
        return cohort_reduce_to(op, contribution(w, c), target(w, c), into);
    case BATCH_REDUCE_TO:
        return batch_reduce_to(w, c);
    case BROADCAST_TO:
        return cohort_broadcast(w->s, source(w, c), target(w, c), into);
    default:
        return cohort_gather(source(w, c), c->axis, into);
    }
}

/* ------------------------------------------------------------------ all */

static cohort_status write_any(world *w, const step_call *c)
{
    cohort_variable *v = w->variables[c->v];
    switch (c->kind) {
    case WRITE:
        return cohort_variable_write_at(COHORT_SITE, v, (cohort_write_op)c->op, source(w, c));
    case SCATTER:
        return cohort_variable_scatter_at(COHORT_SITE, v, (cohort_write_op)c->op,
                                          COHORT_ARG_(w->values[c->y]),
                                          COHORT_ARG_(w->values[c->x]));
    case VARIABLE_GATHER:
        return cohort_variable_gather(v, w->values[c->y], w->values[c->into]);
    case METRIC_UPDATE:
        return cohort_metric_update(w->metrics[c->metric], w->values[c->x],
                                    c->is_variant ? w->values[c->y] : NULL);
    case METRIC_RESET:
        return cohort_metric_reset(w->metrics[c->metric]);
    default:
        return cohort_value_set(w->values[c->into], c->number / 16.0);
    }
}

cohort_status make_step_call(world *w, const step_call *c)
{
    return c->kind == STEP_FUNCTION                               ? make_step_function(w, c)
           : c->kind <= RUN_ROWS                                  ? run_any(w, c)
           : c->kind <= GATHER                                    ? combine_any(w, c)
           : c->kind >= UPDATE_GROW && c->kind <= UPDATE_NON_SLOT ? update_any(w, c)
                                                                  : write_any(w, c);
}

/* ------------------------------------------------------------------ blocks */

int recorded_number(const step_calls *step, int call)
{
    int number = call;
    for (int i = 0; i < step->n_blocks; i++)
        if (call > step->blocks[i].from)
            number += step->blocks[i].every > 0 ? 2 : 1;
    return number;
}

bool has_condition(const step_calls *step)
{
    bool has = false;
    for (int i = 0; i < step->n_blocks; i++)
        has = has || step->blocks[i].every > 0;
    return has;
}

int count_step_functions(const step_calls *step)
{
    int n = 0;
    for (int i = 0; i < step->n; i++)
        n += step->calls[i].kind == STEP_FUNCTION;
    return n;
}

static cohort_status make_range(world *w, const step_calls *step, int from, int to, int block);

static cohort_status make_block(world *w, const step_calls *step, int block)
{
    const step_block *b = &step->blocks[block];
    cohort_status status = COHORT_OK;
    const int times = b->every == 0 ? 2 : (w->step - 1) % b->every == 0;
    for (int i = 0; i < times && status >= 0; i++)
        status = make_range(w, step, b->from, b->to, block + 1);
    return status;
}

static cohort_status record_block(world *w, const step_calls *step, int block)
{
    const step_block *b = &step->blocks[block];
    cohort_status status = b->every > 0 ? cohort_run(w->s, is_due, COHORT_STEP, b->every, w->due)
                                        : cohort_program_repeat(w->s, 2);
    if (status >= 0 && b->every > 0)
        status = cohort_program_when(w->due);
    if (status >= 0)
        status = make_range(w, step, b->from, b->to, block + 1);
    return status < 0 ? status : cohort_program_end(w->s);
}

/* block: the outermost one that has not begun */
static cohort_status make_range(world *w, const step_calls *step, int from, int to, int block)
{
    cohort_status status = COHORT_OK;
    for (int i = from; i < to && status >= 0;) {
        if (block < step->n_blocks && step->blocks[block].from == i) {
            status = w->step > 0 ? make_block(w, step, block) : record_block(w, step, block);
            i = step->blocks[block].to;
            block = step->n_blocks;
        } else {
            w->call = i + 1;
            status = make_step_call(w, &step->calls[i++]);
            if (status >= 0 && w->after_call != NULL)
                w->after_call(w);
        }
    }
    return status;
}

cohort_status make_calls(world *w, const step_calls *step)
{
    return make_range(w, step, 0, step->n, 0);
}

/* ------------------------------------------------------------------ recorded */

typedef struct recording {
    world *w;
    const step_calls *step;
} recording;

static cohort_status record_step(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    const recording *r = user;
    (void)s;
    for (int i = 0; i < COMPONENTS && r->w->input != NULL; i++)
        r->w->values[POOL + i] = batch[i];
    return make_calls(r->w, r->step);
}

cohort_program *world_record(world *w, const step_calls *step)
{
    recording r = { w, step };
    cohort_spec specs[COMPONENTS];
    int n = w->input != NULL ? cohort_input_element_spec(w->input, specs, COMPONENTS) : 0;
    return w->program = cohort_program_record(w->s, record_step, &r, specs, n);
}

/* ------------------------------------------------------------------ for people */

void note_calls(const step_calls *step)
{
    static const char *const kinds[CALL_KINDS] = { "run twice",       "run shift",
                                                   "run blend",       "run scale",
                                                   "run pair",        "run total",
                                                   "run rows",        "reduce",
                                                   "reduce_list",     "reduce weighted",
                                                   "reduce combined", "reduce_slices",
                                                   "reduce_to",       "batch_reduce_to",
                                                   "broadcast",       "gather",
                                                   "update grow",     "update mix",
                                                   "update mark",     "update_non_slot",
                                                   "write",           "scatter",
                                                   "variable_gather", "metric_update",
                                                   "metric_reset",    "set",
                                                   "step function" };
    static const char *const sources[] = { "value", "variable", "number" };
    static const char *const scalars[SCALARS] = { "number", "STEP", "BATCH_ROWS", "REPLICA_ID",
                                                  "NUM_REPLICAS" };
    for (int i = 0; i < step->n; i++) {
        const step_call *c = &step->calls[i];
        note("%d: %s %s from %s x%d w%d, y%d, into x%d x%d, w%d, metric %d, list %d (%d %d %d) (%d "
             "%d %d), op %d axis %d %s %d at %d \"%s\" does %d%s",
             i + 1, kinds[c->kind], dtype_names[c->type], sources[c->source], c->x, c->u, c->y,
             c->into, c->second, c->v, c->metric, c->listed, c->list[0], c->list[1], c->list[2],
             c->into_list[0], c->into_list[1], c->into_list[2], c->op, c->axis, scalars[c->scalar],
             c->number, (int)c->target, c->devices, (int)c->does, c->is_variant ? ", variant" : "");
    }
    for (int i = 0; i < step->n_blocks; i++)
        note("calls %d to %d: %s %d", step->blocks[i].from + 1, step->blocks[i].to,
             step->blocks[i].every > 0 ? "in each step of" : "twice", step->blocks[i].every);
}
