/* SPDX-License-Identifier: BSD-3-Clause */
/* Step functions: all replicas, of all workers, make the same calls. */
#include "config.h"

#include "tests/long/workers/workers.h"

/* A step function of a world. */
typedef struct playing {
    world *w;
    const stage *stage;
} playing;

/* ------------------------------------------------------------------ calls */

/* Of each replica another one, which no other order of additions sums up to the same. */
static cohort_status set_own(cohort_replica *me, const stage_call *c, cohort_value *into)
{
    double memory[WIDE];
    for (int i = 0; i < WIDE; i++) {
        double x = (c->number + 1.0) / (3 + cohort_replica_id(me) + i);
        if (c->type == F32)
            ((float *)memory)[i] = (float)x;
        else if (c->type == F64)
            memory[i] = x;
        else
            ((int32_t *)memory)[i] = (int32_t)(100 * x);
    }
    return cohort_replica_set(me, into, array_of(memory, c->type, WIDE));
}

/* What a replica reads becomes its component. */
static cohort_status read_own(cohort_replica *me, const world *w, const stage_call *c)
{
    double memory[MAX_WIDTH];
    cohort_variable *v = w->variables[c->v];
    cohort_array found = { .data = memory };
    found.rank = cohort_variable_shape(v, &found.dtype, found.shape);
    cohort_status status = cohort_variable_read(v, found);
    return status < 0 ? status : cohort_replica_set(me, w->values[c->into], found);
}

/* The same call as each replica has passed. */
typedef struct merged {
    const world *w;
    const stage_call *call;
} merged;

static cohort_status merge(cohort_strategy *s, void *const user[], int n)
{
    const merged *m = user[0];
    const stage_call *c = m->call;
    cohort_value *into = m->w->values[c->into];
    (void)s;
    (void)n;
    cohort_status status = cohort_reduce(c->op, m->w->values[c->x], COHORT_NO_AXIS, into);
    return status < 0 ? status : cohort_variable_assign_add(m->w->variables[c->v], into);
}

static cohort_status make_call(cohort_replica *me, const world *w, const stage_call *c)
{
    cohort_value *x = w->values[c->x], *into = w->values[c->into];
    cohort_variable *v = w->variables[c->v];
    merged all = { w, c };
    switch (c->kind) {
    case STAGE_BARRIER:
        return cohort_barrier(me);
    case STAGE_RUN:
        return cohort_replica_run(me, w->f->scale[c->type], c->number / 8.0, COHORT_REPLICA_ID, x,
                                  into);
    case STAGE_ALL_REDUCE:
        return cohort_all_reduce(me, c->op, &x, 1);
    case STAGE_ALL_REDUCE_INTO:
        return cohort_all_reduce_into(me, c->op, x, into);
    case STAGE_ALL_GATHER:
        return cohort_all_gather(me, x, 0, into);
    case STAGE_SET:
        return set_own(me, c, into);
    case STAGE_UPDATE:
        return cohort_replica_update(me, v, w->f->mark[c->type], c->number / 16.0, 1, v);
    case STAGE_ASSIGN:
        return cohort_variable_assign(v, x);
    case STAGE_ASSIGN_ADD:
        return cohort_variable_assign_add(v, c->number / 4.0 + cohort_replica_id(me));
    case STAGE_READ:
        return read_own(me, w, c);
    default:
        return cohort_merge_call(me, merge, &all);
    }
}

static cohort_status play_replica(cohort_replica *me, void *user)
{
    const playing *p = user;
    cohort_status status = COHORT_OK;
    for (int i = 0; i < p->stage->n && status >= 0; i++)
        status = make_call(me, p->w, &p->stage->calls[i]);
    return status;
}

cohort_status play_stage(world *w, const stage *stage)
{
    return cohort_for_each_replica(w->s, play_replica, &(playing){ w, stage });
}

/* ------------------------------------------------------------------ drawing */

static int any_written(void)
{
    return FIRST_EMPTY + draw(POOL - FIRST_EMPTY);
}

/* A variable that takes what replicas set, if there is one. */
static int any_variable_for(const design *d, dtype type)
{
    int v = draw(HELD);
    for (int tries = 0; tries < HELD && (d->held[v].type != type || d->held[v].width != WIDE);
         tries++)
        v = (v + 1) % HELD;
    return v;
}

/* Mostly of what an earlier call has set. */
static stage_call draw_call(const design *d, const stage *before)
{
    static const cohort_reduce_op ops[] = { COHORT_SUM, COHORT_MEAN, COHORT_MIN, COHORT_MAX,
                                            COHORT_PROD };
    stage_call c = { .kind = (stage_kind)draw(STAGE_KINDS),
                     .op = ops[draw(sizeof ops / sizeof *ops)],
                     .type = (dtype)draw(DTYPES),
                     .x = SPLIT_F32 + draw(UNEVEN - SPLIT_F32 + 1),
                     .into = any_written(),
                     .number = draw(20) };
    if (before->n == 0 && draw(4) > 0)
        c.kind = STAGE_SET;
    if (before->n > 0 && draw(4) > 0) {
        const stage_call *earlier = &before->calls[draw(before->n)];
        c.x = earlier->into;
        c.type = earlier->type;
    }
    c.v = any_variable_for(d, c.type);
    if (c.kind == STAGE_UPDATE)
        c.type = d->held[c.v].type;
    return c;
}

/* A call is tried behind those that were kept. */
static bool is_accepted(world *w, const stage_call *c)
{
    stage alone = { .calls = { *c }, .n = 1 };
    if (play_stage(w, &alone) >= 0)
        return true;
    (void)cohort_strategy_recover(w->s);
    return false;
}

void draw_stage(const design *d, stage *out)
{
    world w;
    int wanted = 1 + draw(MOST_STAGE_CALLS);
    out->n = 0;
    if (!world_open(&w, d))
        return;
    for (int tries = 0; tries < 12 * wanted && out->n < wanted; tries++) {
        out->calls[out->n] = draw_call(d, out);
        out->n += is_accepted(&w, &out->calls[out->n]);
    }
    world_close(&w);
}

void note_stage(const stage *stage)
{
    static const char *const kinds[STAGE_KINDS] = {
        "barrier", "run scale",  "all_reduce", "all_reduce_into", "all_gather", "set", "update",
        "assign",  "assign_add", "read",       "merge call"
    };
    for (int i = 0; i < stage->n; i++) {
        const stage_call *c = &stage->calls[i];
        note("each replica, %d: %s %s, x%d into x%d, w%d, op %d, %d", i + 1, kinds[c->kind],
             dtype_names[c->type], c->x, c->into, c->v, (int)c->op, c->number);
    }
}
