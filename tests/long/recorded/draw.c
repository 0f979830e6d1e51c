/* SPDX-License-Identifier: BSD-3-Clause */
/* Drawing a call. What it takes is chosen after what there is in a world where the calls before it
 * have been made, so that most calls are right, and some nearly so. */
#include "config.h"

#include "tests/long/recorded/recorded.h"

static bool is_ids(int i)
{
    return i == IDS || i == SPLIT_IDS || i == BATCH_IDS;
}

/* Kinds of values, as bits. */
enum {
    IS_PLAIN = 1 << COHORT_PLAIN_VALUE | 1 << COHORT_MIRRORED_VALUE,
    IS_PER_REPLICA = 1 << COHORT_PER_REPLICA_VALUE,
    HAS_CONTENT = IS_PLAIN | IS_PER_REPLICA
};

static const cohort_dtype dtypes[DTYPES] = { COHORT_F32, COHORT_F64, COHORT_I32 };

static bool fits(const cohort_value *x, int kinds, cohort_dtype type, int rank)
{
    cohort_dtype has;
    int64_t shape[COHORT_MAX_RANK];
    return (1 << cohort_value_kind_of(x) & kinds) != 0 &&
           cohort_value_shape(x, 0, &has, shape) == rank && has == type;
}

/* The value that fits, of a few that are looked at; else the last of them. */
static int any_fitting(const world *w, int kinds, dtype type, int rank)
{
    int i = draw(ALL_VALUES);
    for (int tries = 0; tries < 3 * ALL_VALUES && !fits(w->values[i], kinds, dtypes[type], rank);
         tries++)
        i = draw(ALL_VALUES);
    return i;
}

/* What is written: seldom what the pool began with, or the batch; never ids of rows, for one that a
 * variable has not is an error that is told late. */
static int any_into(const int taken[], int n)
{
    for (;;) {
        int i = draw(10) > 0 ? FIRST_EMPTY + draw(POOL - FIRST_EMPTY) : draw(ALL_VALUES);
        bool is_taken = is_ids(i);
        if (is_taken)
            continue;
        for (int k = 0; k < n; k++)
            is_taken = is_taken || taken[k] == i;
        if (!is_taken || draw(30) == 0)
            return i;
    }
}

static int any_variable_of(const design *d, dtype type)
{
    int i = draw(HELD);
    for (int tries = 0; tries < 2 * HELD && d->held[i].type != type; tries++)
        i = draw(HELD);
    return i;
}

/* Where the call goes to; half of the time where something is. */
static void draw_target(step_call *c, const world *w)
{
    const cohort_device *devices[MAX_REPLICAS];
    int n = cohort_strategy_devices(w->s, devices, MAX_REPLICAS);
    c->target = (target_kind)draw(TARGETS);
    c->devices = cohort_device_id(devices[draw(n)]);
}

static void draw_source(step_call *c, const world *w, const design *d)
{
    int which = draw(10), kinds = draw(3) > 0 ? IS_PER_REPLICA : HAS_CONTENT;
    c->source = which < 7 ? A_VALUE : which < 9 ? A_VARIABLE : A_NUMBER;
    if (c->kind < REDUCE && c->source == A_NUMBER)
        c->source = A_VALUE;
    c->x = any_fitting(w, kinds, c->type, 1);
    c->u = any_variable_of(d, c->type);
}

static void draw_list(step_call *c, const world *w)
{
    int taken[2 * LISTED];
    c->listed = 1 + draw(LISTED);
    for (int i = 0; i < c->listed; i++)
        taken[i] = c->list[i] = any_fitting(w, IS_PER_REPLICA, (dtype)draw(DTYPES), 1);
    for (int i = 0; i < c->listed; i++)
        taken[c->listed + i] = c->into_list[i] = any_into(taken, c->listed + i);
}

static int any_axis(void)
{
    static const int axes[] = { COHORT_NO_AXIS, COHORT_NO_AXIS, 0, 0, -1, 1 };
    return axes[draw(sizeof axes / sizeof *axes)];
}

static int any_op(void)
{
    static const int ops[] = { COHORT_SUM, COHORT_SUM, COHORT_MEAN,
                               COHORT_MIN, COHORT_MAX, COHORT_PROD };
    return ops[draw(sizeof ops / sizeof *ops)];
}

static void draw_reduction(step_call *c, const world *w)
{
    c->op = any_op();
    c->axis = any_axis();
    if (c->kind == REDUCE_LIST || c->kind == BATCH_REDUCE_TO)
        draw_list(c, w);
    if (c->kind == REDUCE_LIST)
        c->axis = draw(3) == 0 ? COHORT_NO_AXIS : 0;
    if (c->kind == REDUCE_SLICES) {
        c->y = any_fitting(w, HAS_CONTENT, I32, 1);
        c->op = draw(2) == 1 ? COHORT_SUM : COHORT_MEAN;
    }
    if (c->kind == GATHER)
        c->axis = draw(6) > 0 ? 0 : draw(3) - 1;
}

/* Along no axis, one, or both; the weights are one for each replica or element. */
static void draw_weights(step_call *c, const world *w)
{
    bool has_rows = draw(4) == 0;
    c->axis = draw(2);
    c->listed = 1 + draw(has_rows ? 3 : 2);
    if (has_rows) {
        c->source = A_VALUE;
        c->type = F64;
        c->x = any_fitting(w, HAS_CONTENT, F64, 2);
    } else {
        c->axis = 0;
    }
    c->is_variant = draw(2) == 1;
    c->y = draw(2) == 1 ? any_fitting(w, HAS_CONTENT, c->type, 0) : c->x;
}

static void draw_write(step_call *c, const world *w, const design *d)
{
    c->v = any_variable_of(d, c->type);
    c->type = draw(20) > 0 ? d->held[c->v].type : c->type;
    if (c->kind == WRITE) {
        int plain = draw(4) > 0;
        c->op = COHORT_ASSIGN + draw(3);
        draw_source(c, w, d);
        c->x = any_fitting(w, plain ? IS_PLAIN : HAS_CONTENT, c->type, 1);
    }
    if (c->kind == SCATTER || c->kind == VARIABLE_GATHER) {
        static const int ids[] = { IDS, SPLIT_IDS, BATCH_IDS };
        c->op = COHORT_SCATTER_ADD + draw(COHORT_SCATTER_UPDATE - COHORT_SCATTER_ADD + 1);
        if (c->op == COHORT_SCATTER_DIV && c->type == I32) /* by zero, which is told late, too */
            c->op = COHORT_SCATTER_UPDATE;
        c->y = ids[draw(3)];
        c->x = any_fitting(w, c->y == IDS ? IS_PLAIN : IS_PER_REPLICA, c->type, 1);
    }
}

static void draw_metric(step_call *c, const world *w)
{
    c->metric = draw(METRICS);
    c->is_variant = c->metric == 2 || draw(3) == 0;
    c->x = any_fitting(w, HAS_CONTENT, c->type, 1);
    c->y = c->metric < 2 && draw(2) == 1 ? c->x : any_fitting(w, HAS_CONTENT, I32, 1);
}

static void draw_step_function(step_call *c, const world *w, const design *d)
{
    c->does = (replica_kind)draw(REPLICA_KINDS);
    c->op = any_op();
    c->v = any_variable_of(d, c->type);
    c->x = any_fitting(w, IS_PER_REPLICA, c->type, 1);
}

step_call draw_step_call(const world *w, const design *d)
{
    step_call c = { .kind = (call_kind)draw(CALL_KINDS),
                    .type = (dtype)draw(DTYPES),
                    .scalar = (scalar_kind)draw(SCALARS),
                    .number = draw(20),
                    .is_variant = draw(2) == 1 };
    draw_source(&c, w, d);
    draw_target(&c, w);
    c.y = any_fitting(w, HAS_CONTENT, c.type, 1);
    if (c.kind == RUN_ROWS)
        c.x = any_fitting(w, HAS_CONTENT, F64, 2);
    if (c.kind >= REDUCE && c.kind <= GATHER)
        draw_reduction(&c, w);
    if (c.kind == REDUCE_WEIGHTED)
        draw_weights(&c, w);
    if (c.kind >= UPDATE_GROW && c.kind <= VARIABLE_GATHER)
        draw_write(&c, w, d);
    if (c.kind == METRIC_UPDATE)
        draw_metric(&c, w);
    if (c.kind == STEP_FUNCTION)
        draw_step_function(&c, w, d);
    c.into = c.kind == SET_NUMBER ? draw(NUMBERS) : any_into((int[]){ c.x, c.y }, 2);
    if (c.kind == RUN_SHIFT && draw(8) > 0) {
        int i = any_fitting(w, IS_PER_REPLICA, c.type, 1);
        c.into = is_ids(i) ? c.into : i;
    }
    c.second = any_into((int[]){ c.x, c.y, c.into }, 3);
    return c;
}
