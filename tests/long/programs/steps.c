/* SPDX-License-Identifier: BSD-3-Clause */
/* Step functions: all replicas make the same calls, and one of them may end early with an error. */
#include "config.h"

#include "tests/long/programs/programs.h"

enum { MOST_CALLS = 6 };

typedef enum kind {
    BARRIER,
    RUN,
    ALL_REDUCE,
    ALL_GATHER,
    BROADCAST,
    SET,
    UPDATE,
    ASSIGN,
    READ,
    MERGE,
    KINDS
} kind;

static const char *const kind_names[KINDS] = { "barrier",   "run shift", "all_reduce", "all_gather",
                                               "broadcast", "set",       "update",     "assign",
                                               "read",      "merge call" };

typedef struct call {
    kind kind;
    model_value *x, *into;
    dtype type; /* of x, ahead of the call */
    model_variable *v;
    cohort_reduce_op op;
    int number;                              /* root, or what is assigned or set */
    int64_t wanted[MAX_REPLICAS][MAX_WIDTH]; /* of a read */
} call;

static struct step {
    call calls[MOST_CALLS];
    int n;
    int odd, at; /* replica `odd` fails ahead of call `at`; -1: none does */
    bool has_read_wrong[MAX_REPLICAS];
} step[1];

/* ------------------------------------------------------------------ what the replicas do */

static cohort_status merge(cohort_strategy *s, void *const user[], int n)
{
    const call *c = user[n - 1];
    (void)s;
    cohort_status status =
        cohort_update(c->v->variable, grow[c->v->type], c->number, c->v->variable);
    return status < 0 ? status : cohort_variable_assign_add(c->v->variable, c->number);
}

static cohort_status set_own(cohort_replica *me, const call *c)
{
    double memory[MAX_WIDTH];
    for (int i = 0; i < MAX_WIDTH; i++)
        put(memory, c->type, i, c->number + cohort_replica_id(me));
    return cohort_replica_set(me, c->x->value, array_of(memory, c->type, MAX_WIDTH));
}

static cohort_status read_own(cohort_replica *me, const call *c)
{
    double found[MAX_WIDTH];
    int id = cohort_replica_id(me);
    cohort_status status =
        cohort_variable_read(c->v->variable, array_of(found, c->v->type, c->v->width));
    for (int i = 0; i < c->v->width && status >= 0; i++)
        step->has_read_wrong[id] |= get(found, c->v->type, i) != c->wanted[id][i];
    return status;
}

static cohort_status make_call(cohort_replica *me, call *c)
{
    switch (c->kind) {
    case BARRIER:
        return cohort_barrier(me);
    case RUN:
        return cohort_replica_run(me, shift[c->type], c->x->value);
    case ALL_REDUCE:
        return cohort_all_reduce(me, c->op, &c->x->value, 1);
    case ALL_GATHER:
        return cohort_all_gather(me, c->x->value, 0, c->into->value);
    case BROADCAST:
        return cohort_replica_broadcast(me, c->x->value, c->number);
    case SET:
        return set_own(me, c);
    case UPDATE:
        return cohort_replica_update(me, c->v->variable, grow[c->v->type], c->number,
                                     c->v->variable);
    case ASSIGN:
        return cohort_variable_assign(c->v->variable, c->number);
    case READ:
        return read_own(me, c);
    default:
        return cohort_merge_call(me, merge, c);
    }
}

static cohort_status play_step(cohort_replica *me, void *user)
{
    struct step *s = user;
    cohort_status status = COHORT_OK;
    for (int i = 0; i < s->n && status >= 0; i++) {
        if (cohort_replica_id(me) == s->odd && i == s->at)
            return cohort_error_set(COHORT_ENOENT, "call %d is drawn to fail", i);
        status = make_call(me, &s->calls[i]);
    }
    return status;
}

/* ------------------------------------------------------------------ what comes of it; false: it is
 * not called */

static bool reduce_model(model_value *x, cohort_reduce_op op)
{
    int n = x->n[0];
    for (int r = 0; r < p->replicas; r++)
        if (x->n[r] != n || n == 0)
            return false;
    for (int i = 0; i < n; i++) {
        int64_t sum = x->data[i], least = sum;
        for (int r = 1; r < p->replicas; r++) {
            int64_t next = x->data[r * n + i];
            sum += next;
            least = next < least ? next : least;
        }
        if (sum >= BIG || sum <= -BIG)
            return false;
        for (int r = 0; r < p->replicas; r++)
            x->data[r * n + i] = op == COHORT_SUM ? sum : least;
    }
    return true;
}

static bool gather_model(const model_value *x, model_value *into)
{
    int n = total(x);
    if (into == x || n == 0 || n * p->replicas > MOST)
        return false;
    for (int r = 0; r < p->replicas; r++) {
        memcpy(into->data + r * n, x->data, sizeof *x->data * (size_t)n);
        into->n[r] = n;
    }
    become(into, PER_REPLICA, x->type, 1);
    return true;
}

static bool broadcast_model(model_value *x, int root)
{
    static int64_t data[MOST];
    int n = x->n[root];
    if (n == 0 || n * p->replicas > MOST)
        return false;
    memcpy(data, component(x, root), sizeof *data * (size_t)n);
    for (int r = 0; r < p->replicas; r++) {
        memcpy(x->data + r * n, data, sizeof *data * (size_t)n);
        x->n[r] = n;
    }
    return true;
}

static bool set_model(model_value *x, int number)
{
    for (int r = 0; r < p->replicas; r++) {
        x->n[r] = MAX_WIDTH;
        for (int i = 0; i < MAX_WIDTH; i++)
            x->data[r * MAX_WIDTH + i] = number + r;
    }
    become(x, PER_REPLICA, x->type, 1);
    return true;
}

static content *next_of(model_variable *v)
{
    return v->has_components ? local_content(v) : next_content(v);
}

static void grow_model(const model_variable *v, content *next, int a)
{
    for (int r = 0; r < MAX_REPLICAS; r++)
        for (int i = 0; i < v->width; i++)
            next->x[r][i] = (2 * next->x[r][i] + a) % 1000;
}

static void assign_model(const model_variable *v, content *next, int number)
{
    bool is_sum = !v->has_components && v->aggregation == COHORT_AGGREGATE_SUM;
    for (int r = 0; r < MAX_REPLICAS; r++)
        for (int i = 0; i < v->width; i++)
            next->x[r][i] = is_sum ? p->replicas * number : number;
}

static bool merge_model(model_variable *v, int number)
{
    bool is_sum = v->has_components && v->aggregation == COHORT_AGGREGATE_SUM;
    grow_model(v, next_content(v), number);
    content *next = is_sum ? local_content(v) : next_content(v);
    for (int r = 0; r < (is_sum ? 1 : MAX_REPLICAS); r++)
        for (int i = 0; i < v->width; i++)
            next->x[r][i] += number;
    return true;
}

static bool read_model(call *c)
{
    for (int r = 0; r < MAX_REPLICAS; r++)
        memcpy(c->wanted[r], newest(c->v)->x[c->v->has_components ? r : 0], sizeof c->wanted[r]);
    return true;
}

static bool call_model(call *c)
{
    model_value *x = c->x;
    bool has_components = x->kind == PER_REPLICA && x->rank == 1;
    switch (c->kind) {
    case RUN:
        for (int i = 0; i < total(x) && has_components; i++)
            x->data[i] = (x->data[i] + 3) % 1000;
        x->may_be_lost |= has_components;
        return has_components;
    case ALL_REDUCE:
        return has_components && reduce_model(x, c->op);
    case ALL_GATHER:
        return has_components && gather_model(x, c->into);
    case BROADCAST:
        return has_components && broadcast_model(x, c->number);
    case SET:
        return set_model(x, c->number);
    case UPDATE:
        grow_model(c->v, next_of(c->v), c->number);
        return true;
    case ASSIGN:
        if (!c->v->has_components && c->v->aggregation == COHORT_AGGREGATE_NONE)
            return false;
        assign_model(c->v, next_of(c->v), c->number);
        return true;
    case READ:
        return read_model(c);
    case MERGE:
        return merge_model(c->v, c->number);
    default:
        return true;
    }
}

/* ------------------------------------------------------------------ one step */

static model_value values_before[VALUES];

/* How much of each variable's history the calls before this one made. */
static int history_at[MOST_CALLS + 1][VARIABLES];

static void note_history(int call)
{
    for (int i = 0; i < VARIABLES; i++)
        history_at[call][i] = p->variables[i].n;
}

static bool draw_call(call *c)
{
    *c = (call){
        .kind = (kind)draw(KINDS), .x = any_content(), .into = any_value(), .v = any_variable()
    };
    c->op = draw(2) == 1 ? COHORT_SUM : COHORT_MIN;
    c->number = c->kind == BROADCAST ? draw(p->replicas) : draw(9);
    if (c->x == NULL || c->v == NULL || c->v->n > HISTORY - 2)
        return false;
    c->type = c->x->type;
    model_value *touched = c->kind == ALL_GATHER ? c->into : c->x;
    static model_value before;
    before = *touched;
    bool is_made = call_model(c);
    if (!is_made)
        *touched = before;
    return is_made;
}

static void draw_step(void)
{
    int wanted = 1 + draw(MOST_CALLS);
    memset(step, 0, sizeof *step);
    memcpy(values_before, p->values, sizeof values_before);
    for (int tries = 0; tries < 3 * wanted && step->n < wanted; tries++) {
        note_history(step->n);
        step->n += draw_call(&step->calls[step->n]);
    }
    note_history(step->n);
    step->odd = step->n > 0 && draw(6) == 0 ? draw(p->replicas) : -1;
    step->at = step->n > 0 ? draw(step->n) : 0;
}

static void describe(char out[400])
{
    int used = 0;
    out[0] = '\0';
    for (int i = 0; i < step->n && used < 360; i++) {
        const call *c = &step->calls[i];
        bool is_of_value = c->kind >= RUN && c->kind <= SET;
        used += snprintf(out + used, 400 - (size_t)used, "%s %s", i > 0 ? "," : "",
                         kind_names[c->kind]);
        if (is_of_value)
            used += snprintf(out + used, 400 - (size_t)used, " x%d", (int)(c->x - p->values));
        else if (c->kind != BARRIER)
            used += snprintf(out + used, 400 - (size_t)used, " %s",
                             cohort_variable_name(c->v->variable));
        if (c->kind == ALL_GATHER)
            used +=
                snprintf(out + used, 400 - (size_t)used, " into x%d", (int)(c->into - p->values));
        if (c->kind >= BROADCAST && c->kind != READ)
            used += snprintf(out + used, 400 - (size_t)used, " %d", c->number);
    }
}

static bool is_meeting(const call *c)
{
    bool is_of_components = (c->kind == UPDATE || c->kind == ASSIGN) && c->v->has_components;
    return c->kind != RUN && c->kind != SET && c->kind != READ && !is_of_components;
}

/* The call behind the last one at which all replicas have met ahead of the one that failed. */
static int last_meeting(void)
{
    int i = step->at;
    while (i > 0 && !is_meeting(&step->calls[i - 1]))
        i--;
    return i;
}

/* Since they met, each replica has gone on for itself, or has been stopped at any call. */
static void loosen(model_variable *v, int most)
{
    while (v->n < most && v->history[v->n].update == newest(v)->update)
        v->n++;
    v->is_loose = true;
    v->loose = history_at[last_meeting()][v - p->variables] - 1;
}

static void cut_history(model_variable *v, int n, bool is_broken_off)
{
    int most = v->n;
    v->n = n;
    if (v->variable != NULL && v->has_components && is_broken_off)
        loosen(v, most);
}

/* Not done: nothing of it was. Broken off: what had been assigned stays so, and nobody knows of the
 * values. */
static void undo(verdict was)
{
    int kept = was == REFUSED && step->odd < 0 ? 0 : was == FAILED ? step->n : step->at;
    for (int i = 0; i < VARIABLES; i++)
        cut_history(&p->variables[i], history_at[kept][i], was == REFUSED && step->odd >= 0);
    memcpy(p->values, values_before, sizeof values_before);
}

static void forget_touched(void)
{
    for (int i = 0; i < step->n; i++) {
        const call *c = &step->calls[i];
        model_value *touched = c->kind == ALL_GATHER              ? c->into
                               : c->kind >= RUN && c->kind <= SET ? c->x
                                                                  : NULL;
        if (touched != NULL && touched->value != NULL)
            forget(touched);
    }
}

void call_step(void)
{
    char text[400];
    bool was_up = p->status < 0;
    draw_step();
    describe(text);
    faults_release();
    verdict was = judge(
        cohort_for_each_replica(p->s, play_step, step), step->odd >= 0 ? COHORT_ENOENT : COHORT_OK,
        "cohort_for_each_replica(s,%s%s)", text, step->odd >= 0 ? "; one fails" : "");
    for (int r = 0; r < p->replicas; r++)
        if (step->has_read_wrong[r])
            mismatch("replica %d has read something wrong", r);
    if (was == ACCEPTED)
        return;
    if (was_up)
        step->odd = -1;
    undo(was);
    if (!was_up)
        forget_touched();
}
