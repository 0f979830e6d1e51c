/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "tests/long/programs/programs.h"

int count(const model_value *m, int replica)
{
    return m->kind == PER_REPLICA ? m->n[replica] : m->n[0];
}

int total(const model_value *m)
{
    int n = 0;
    for (int r = 0; r < (m->kind == PER_REPLICA ? p->replicas : 1); r++)
        n += m->n[r];
    return n;
}

const int64_t *component(const model_value *m, int replica)
{
    const int64_t *x = m->data;
    for (int r = 0; m->kind == PER_REPLICA && r < replica; r++)
        x += m->n[r];
    return x;
}

model_value *any_value(void)
{
    int first = draw(VALUES);
    for (int i = 0; i < VALUES; i++)
        if (p->values[(first + i) % VALUES].value != NULL)
            return &p->values[(first + i) % VALUES];
    return NULL;
}

model_value *any_content(void)
{
    model_value *m = any_value();
    int i = draw(VALUES), tries = draw(12) > 0 ? VALUES : 0;
    for (;
         tries > 0 && m != NULL && (m->value == NULL || m->kind == EMPTY || m->kind == UNREADABLE);
         tries--)
        m = &p->values[i++ % VALUES];
    return m != NULL && m->value != NULL ? m : any_value();
}

model_variable *any_variable(void)
{
    int first = draw(VARIABLES);
    for (int i = 0; i < VARIABLES; i++)
        if (p->variables[(first + i) % VARIABLES].variable != NULL)
            return &p->variables[(first + i) % VARIABLES];
    return NULL;
}

content *newest(model_variable *v)
{
    return &v->history[v->n - 1];
}

/* What came before the oldest content that can come back is forgotten. */
static void make_room(model_variable *v)
{
    memmove(v->history, v->history + v->seen, sizeof *v->history * (size_t)(v->n - v->seen));
    v->n -= v->seen;
    v->limit -= v->limit > 0 ? v->seen : 0;
    v->loose -= v->seen;
    v->seen = 0;
}

content *local_content(model_variable *v)
{
    if (v->n == HISTORY)
        make_room(v);
    v->history[v->n] = v->history[v->n - 1];
    return &v->history[v->n++];
}

content *next_content(model_variable *v)
{
    content *next = local_content(v);
    next->update++;
    return next;
}

bool whole(const model_variable *v, int64_t out[MAX_WIDTH])
{
    const content *now = &v->history[v->n - 1];
    memcpy(out, now->x[0], sizeof now->x[0]);
    for (int r = 1; r < p->replicas && v->has_components && v->aggregation == COHORT_AGGREGATE_SUM;
         r++)
        for (int i = 0; i < v->width; i++)
            out[i] += now->x[r][i];
    return !v->has_components || v->aggregation != COHORT_AGGREGATE_NONE;
}

bool is_small(const content *c)
{
    bool is = true;
    for (int r = 0; r < MAX_REPLICAS; r++)
        for (int i = 0; i < MAX_WIDTH; i++)
            is = is && c->x[r][i] < BIG && c->x[r][i] > -BIG;
    return is;
}

void become(model_value *m, int kind, dtype type, int rank)
{
    m->kind = kind;
    m->type = type;
    m->rank = rank;
    m->may_be_lost = true;
}

void forget(model_value *m)
{
    faults_release(); /* it may wait for what uses the value */
    cohort_value_destroy(m->value);
    *m = (model_value){ .kind = EMPTY, .value = p->status < 0 ? NULL : cohort_value_create(p->s) };
    note("destroy x%d%s", (int)(m - p->values), p->status < 0 ? "" : ", make it anew");
    if (p->status >= 0 && m->value == NULL)
        (void)judge_made(false, COHORT_OK, "x%d = cohort_value_create(s)", (int)(m - p->values));
}

void have_seen_all(void)
{
    for (int i = 0; i < VALUES; i++)
        p->values[i].may_be_lost = false;
    for (int i = 0; i < VARIABLES; i++) {
        p->variables[i].seen = p->variables[i].n - 1;
        p->variables[i].is_sure = true;
    }
    p->metric.seen = p->metric.n - 1;
}

static bool holds_component(const model_value *m, int replica, const cohort_array *found)
{
    int n = count(m, replica), found_n = found->rank > 0 ? (int)found->shape[0] : 1;
    for (int i = 0; i < n && n == found_n; i++)
        if (get(found->data, m->type, i) != component(m, replica)[i])
            return false;
    return n == found_n;
}

bool holds(const model_value *m, const cohort_array *found, int n)
{
    bool is_good = n == (m->kind == PER_REPLICA ? p->replicas : 1);
    for (int r = 0; r < n && is_good; r++)
        is_good = holds_component(m, r, &found[r]);
    return is_good;
}
