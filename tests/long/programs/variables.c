/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that make, write and read variables. Each accepted write adds one content to the variable's
 * history. */
#include "config.h"

#include "tests/long/programs/programs.h"

static const char *name(const model_variable *v)
{
    return cohort_variable_name(v->variable);
}

/* After a write: what was drawn for it stays in the history, or not. */
static void keep_if(model_variable *v, verdict was)
{
    if (was != ACCEPTED)
        v->n--;
}

/* ------------------------------------------------------------------ making */

static void make(model_variable *v)
{
    static const char *const placements[] = { "mirrored", "central", "sharded", "round-robin" };
    static const cohort_aggregation aggregations[] = { COHORT_AGGREGATE_NONE, COHORT_AGGREGATE_SUM,
                                                       COHORT_AGGREGATE_ONLY_FIRST_REPLICA };
    int placement = draw(2) == 1 ? 0 : draw(4);
    bool is_on_read = placement == 0 && draw(3) == 0;
    cohort_variable_options options = { .synchronization =
                                            is_on_read ? COHORT_ON_READ : COHORT_ON_WRITE,
                                        .aggregation = aggregations[draw(3)],
                                        .placement = cohort_placement_find(placements[placement]) };
    bool is_sum = is_on_read && options.aggregation == COHORT_AGGREGATE_SUM;
    char called[20], memory[MAX_WIDTH * sizeof(double)];
    faults_release(); /* it waits for what is under way */
    cohort_variable_destroy(v->variable);
    *v = (model_variable){ .type = is_sum ? I32 : (dtype)draw(DTYPES), /* whose parts are whole */
                           .width = 1 + draw(MAX_WIDTH),
                           .has_components = is_on_read,
                           .is_sharded = placement == 2,
                           .aggregation = options.aggregation,
                           .n = 1 };
    for (int i = 0; i < v->width; i++) {
        int64_t x = draw(100);
        put(memory, v->type, i, x);
        for (int r = 0; r < MAX_REPLICAS; r++)
            v->history[0].x[r][i] = x;
    }
    (void)snprintf(called, sizeof called, "w%d", (int)(v - p->variables));
    v->variable =
        cohort_variable_create(p->s, called, array_of(memory, v->type, v->width), &options);
    (void)judge_made(
        v->variable != NULL, COHORT_OK,
        "%s = cohort_variable_create(s, \"%s\", %s[%d], { %s, aggregation %d, \"%s\" })", called,
        called, dtype_names[v->type], v->width, is_on_read ? "ON_READ" : "ON_WRITE",
        (int)v->aggregation, placements[placement]);
}

static void destroy(model_variable *v)
{
    note("cohort_variable_destroy(%s)", name(v));
    faults_release(); /* it waits for what is under way */
    cohort_variable_destroy(v->variable);
    v->variable = NULL;
}

/* ------------------------------------------------------------------ assigning */

static void assign_to_sum(content *next, cohort_write_op op, const int64_t x[], int i)
{
    int64_t part = x[i] / p->replicas;
    for (int r = 0; r < p->replicas && op == COHORT_ASSIGN; r++)
        next->x[r][i] = part + (r == 0 ? x[i] % p->replicas : 0);
    if (op != COHORT_ASSIGN)
        next->x[0][i] += op == COHORT_ASSIGN_ADD ? x[i] : -x[i];
}

static void assign_to_all(content *next, cohort_write_op op, const int64_t x[], int i)
{
    for (int r = 0; r < MAX_REPLICAS; r++)
        next->x[r][i] = op == COHORT_ASSIGN       ? x[i]
                        : op == COHORT_ASSIGN_ADD ? next->x[r][i] + x[i]
                                                  : next->x[r][i] - x[i];
}

static void assign_model(const model_variable *v, content *next, cohort_write_op op,
                         const int64_t x[])
{
    for (int i = 0; i < v->width; i++)
        if (v->has_components && v->aggregation == COHORT_AGGREGATE_SUM)
            assign_to_sum(next, op, x, i);
        else
            assign_to_all(next, op, x, i);
}

/* What is assigned: false where nothing that fits was drawn. */
static bool draw_source(const model_variable *v, int64_t x[MAX_WIDTH], cohort_argument *out,
                        char called[40], cohort_status *wanted)
{
    static char memory[MAX_WIDTH * sizeof(double)];
    static cohort_array array;
    const model_value *m = any_value();
    model_variable *u = any_variable();
    *wanted = COHORT_OK;
    switch (draw(4)) {
    case 0:
        x[0] = draw(50);
        for (int i = 1; i < v->width; i++)
            x[i] = x[0];
        *out = COHORT_ARG_((int)x[0]);
        (void)snprintf(called, 40, "%d", (int)x[0]);
        return true;
    case 1:
        for (int i = 0; i < v->width; i++)
            put(memory, v->type, i, x[i] = draw(50));
        array = array_of(memory, v->type, v->width);
        *out = (cohort_argument){ .kind = COHORT_ARGUMENT_ARRAY, .as.p = &array };
        (void)snprintf(called, 40, "array");
        return true;
    case 2:
        if (m == NULL || (m->kind != PLAIN && m->kind != MIRRORED) || m->type != v->type ||
            m->rank != 1 || m->n[0] != v->width)
            return false;
        memcpy(x, m->data, sizeof *x * (size_t)v->width);
        *out = COHORT_ARG_(m->value);
        (void)snprintf(called, 40, "x%d", (int)(m - p->values));
        return true;
    default:
        if (u->type != v->type || u->width != v->width)
            return false;
        *wanted = whole(u, x) ? COHORT_OK : COHORT_EINVAL;
        *out = COHORT_ARG_(u->variable);
        (void)snprintf(called, 40, "%s", name(u));
        return true;
    }
}

static void assign(model_variable *v)
{
    static const char *const names[] = { "assign", "assign_add", "assign_sub" };
    cohort_write_op op = (cohort_write_op)draw(3);
    int64_t x[MAX_WIDTH];
    char called[40];
    cohort_argument from;
    cohort_status wanted;
    if (!draw_source(v, x, &from, called, &wanted))
        return;
    bool is_local =
        v->has_components && v->aggregation == COHORT_AGGREGATE_SUM && op != COHORT_ASSIGN;
    content *next = is_local ? local_content(v) : next_content(v); /* of component 0 alone */
    assign_model(v, next, op, x);
    if (!is_small(next)) {
        v->n--;
        return;
    }
    keep_if(v, judge(cohort_variable_write_at(COHORT_SITE, v->variable, op, from), wanted,
                     "cohort_variable_%s(%s, %s)", names[op], name(v), called));
}

/* ------------------------------------------------------------------ updates */

static void update_grow(model_variable *v)
{
    content *next = next_content(v);
    int a = draw(9);
    for (int r = 0; r < MAX_REPLICAS; r++)
        for (int i = 0; i < v->width; i++)
            next->x[r][i] = (2 * next->x[r][i] + a) % 1000;
    keep_if(v,
            judge(cohort_update(v->variable, grow[v->type], a, v->variable), COHORT_OK,
                  "cohort_update(%s, grow_%s, %d, %s)", name(v), dtype_names[v->type], a, name(v)));
}

static void mixed(content *next, const model_variable *v, const model_variable *u, int64_t x)
{
    for (int r = 0; r < MAX_REPLICAS; r++)
        for (int i = 0; i < v->width; i++)
            next->x[r][i] =
                (next->x[r][i] +
                 (u != NULL ? u->history[u->n - 1].x[u->has_components ? r : 0][0] : x)) %
                1000;
}

static void update_mix(model_variable *v)
{
    model_variable *u = any_variable();
    model_value *m = any_value();
    bool from_value = m != NULL && (m->kind == PLAIN || m->kind == MIRRORED) &&
                      m->type == v->type && total(m) > 0;
    bool from_variable = u != v && u->type == v->type && (v->has_components || !u->has_components);
    content *next = next_content(v);
    if (from_variable && (draw(2) == 1 || !from_value)) {
        mixed(next, v, u, 0);
        keep_if(v, judge(cohort_update(v->variable, mix[v->type], u->variable, v->variable),
                         COHORT_OK, "cohort_update(%s, mix_%s, %s, %s)", name(v),
                         dtype_names[v->type], name(u), name(v)));
    } else if (from_value) {
        mixed(next, v, NULL, m->data[0]);
        keep_if(v, judge(cohort_update(v->variable, mix[v->type], m->value, v->variable), COHORT_OK,
                         "cohort_update(%s, mix_%s, x%d, %s)", name(v), dtype_names[v->type],
                         (int)(m - p->values), name(v)));
    } else {
        char *memory = lend(sizeof(double));
        put(memory, v->type, 0, 7);
        mixed(next, v, NULL, 7);
        keep_if(v, judge(cohort_update(v->variable, mix[v->type], array_of(memory, v->type, 1),
                                       v->variable),
                         COHORT_OK, "cohort_update(%s, mix_%s, { 7 }, %s)", name(v),
                         dtype_names[v->type], name(v)));
    }
}

/* ------------------------------------------------------------------ rows */

static int64_t scattered(cohort_write_op op, int64_t a, int64_t b)
{
    return op == COHORT_SCATTER_ADD   ? a + b
           : op == COHORT_SCATTER_SUB ? a - b
           : op == COHORT_SCATTER_MUL ? a * b
           : op == COHORT_SCATTER_MIN ? (a < b ? a : b)
           : op == COHORT_SCATTER_MAX ? (a > b ? a : b)
                                      : b;
}

static void scatter(model_variable *v)
{
    static const cohort_write_op ops[] = { COHORT_SCATTER_ADD, COHORT_SCATTER_SUB,
                                           COHORT_SCATTER_MUL, COHORT_SCATTER_MIN,
                                           COHORT_SCATTER_MAX, COHORT_SCATTER_UPDATE };
    int which = draw(6), k = draw(5);
    bool is_refused =
        /* on one copy or many */
        v->has_components || (which > 2 && v->aggregation == COHORT_AGGREGATE_SUM);
    bool is_late = k > 0 && !is_refused && p->status >= 0 && draw(25) == 0;
    int32_t *ids = lend(sizeof *ids * (size_t)k);
    char *rows = lend(sizeof(double) * (size_t)k);
    if (is_refused && draw(5) > 0)
        return;
    content *next = next_content(v);
    for (int i = 0; i < k; i++) {
        int64_t x = draw(4);
        ids[i] = draw(v->width);
        put(rows, v->type, i, x);
        next->x[0][ids[i]] = scattered(ops[which], next->x[0][ids[i]], x);
    }
    if (!is_small(next)) {
        v->n--;
        return;
    }
    if (is_late)
        ids[k - 1] = v->width + draw(3);
    p->has_late |= is_late; /* where the caller's device does it, the call itself tells */
    verdict was =
        judge(cohort_variable_scatter_at(COHORT_SITE, v->variable, ops[which],
                                         COHORT_ARG_(COHORT_ARRAY(ids, k)),
                                         COHORT_ARG_(array_of(rows, v->type, k))),
              is_refused ? COHORT_EINVAL : COHORT_OK, "cohort_variable_scatter(%d, %s, [%d]%s)",
              (int)ops[which], name(v), k, is_late ? " with a row that it has not" : "");
    keep_if(v, was);
    if (was == ACCEPTED && is_late && v->limit == 0)
        v->limit = v->n - 1;
}

static void gather(model_variable *v)
{
    model_value *into = any_value();
    int k = 1 + draw(5);
    int64_t *ids = lend(sizeof *ids * (size_t)k);
    if (into == NULL)
        return;
    for (int i = 0; i < k; i++)
        ids[i] = draw(v->width);
    if (v->has_components && draw(5) > 0)
        return;
    verdict was =
        judge(cohort_variable_gather(v->variable, COHORT_ARRAY(ids, k), into->value),
              v->has_components ? COHORT_EINVAL : COHORT_OK,
              "cohort_variable_gather(%s, [%d], x%d)", name(v), k, (int)(into - p->values));
    into->may_be_lost |= was == FAILED;
    if (was != ACCEPTED)
        return;
    into->kind = PLAIN;
    into->n[0] = k;
    for (int i = 0; i < k; i++)
        into->data[i] = newest(v)->x[0][ids[i]];
    become(into, PLAIN, v->type, 1);
}

/* ------------------------------------------------------------------ reading */

static void read_variable(model_variable *v)
{
    double found[MAX_WIDTH];
    int64_t wanted[MAX_WIDTH];
    bool is_readable = whole(v, wanted);
    if (!is_readable && draw(5) > 0)
        return;
    faults_release();
    if (judge(cohort_variable_read(v->variable, array_of(found, v->type, v->width)),
              is_readable ? COHORT_OK : COHORT_EINVAL, "cohort_variable_read(%s)",
              name(v)) != ACCEPTED)
        return;
    for (int i = 0; i < v->width && p->is_right; i++)
        if (get(found, v->type, i) != wanted[i])
            mismatch("%s[%d] is %lld, not %lld", name(v), i, (long long)get(found, v->type, i),
                     (long long)wanted[i]);
    v->seen = v->n - 1;
    v->is_sure = true;
}

/* A copy, or component i, beside a content. */
static bool is_copy(const model_variable *v, const content *wanted, const cohort_array *found,
                    const cohort_copy *copy, int i)
{
    const int64_t *x = wanted->x[v->has_components ? i : 0];
    int n = copy->rows > 0 ? (int)copy->rows : v->width;
    bool is = found->rank == 1 && found->shape[0] == n;
    for (int k = 0; k < n && is; k++)
        is = get(found->data, v->type, k) == x[copy->first_row + k];
    return is;
}

bool copies_are_one_of(model_variable *v, int first, int n_found, const cohort_array found[])
{
    cohort_copy copies[MAX_COPIES];
    content *last = &v->history[v->n - 1], one = *last;
    bool is_good =
        n_found == cohort_variable_copies(v->variable, copies, MAX_COPIES) && n_found <= MAX_COPIES;
    int at = v->n - 1;
    for (int i = 0; i < n_found && is_good; i++) {
        if (v->has_components)
            at = v->n - 1;
        while (at >= first && !is_copy(v, &v->history[at], &found[i], &copies[i], i) &&
               (v->has_components || i == 0))
            at--;
        is_good = at >= first && is_copy(v, &v->history[at], &found[i], &copies[i], i) &&
                  v->history[at].update == last->update;
        if (is_good)
            memcpy(one.x[i % MAX_REPLICAS], v->history[at].x[i % MAX_REPLICAS], sizeof one.x[0]);
    }
    if (is_good && v->has_components)
        *last = one;
    return is_good;
}

static void look_inside(model_variable *v)
{
    cohort_array found[MAX_COPIES];
    faults_release();
    int n = cohort_local_results(v->variable, found, MAX_COPIES);
    if (judge(n < 0 ? n : COHORT_OK, COHORT_OK, "cohort_local_results(%s)", name(v)) != ACCEPTED)
        return;
    if (!copies_are_one_of(v, v->n - 1, n, found))
        mismatch("copies of %s are wrong", name(v));
}

void count_updates(void)
{
    for (int i = 0; i < VARIABLES && p->status >= 0; i++) {
        model_variable *v = &p->variables[i];
        int64_t n = cohort_variable_updates(v->variable);
        if (v->variable != NULL && n != newest(v)->update)
            mismatch("%s has had %lld updates, not %lld", name(v), (long long)n,
                     (long long)newest(v)->update);
    }
}

void call_variables(void)
{
    model_variable *v = any_variable();
    if (v == NULL || draw(25) == 0) {
        make(&p->variables[draw(VARIABLES)]);
        return;
    }
    if (v->n == HISTORY && v->seen < HISTORY / 2) {
        read_variable(v);
        look_inside(v);
        if (v->seen < HISTORY / 2)
            destroy(v);
        return;
    }
    switch (draw(15)) {
    case 0:
    case 1:
    case 2:
        update_grow(v);
        break;
    case 3:
    case 4:
    case 5:
        update_mix(v);
        break;
    case 6:
    case 7:
    case 8:
        assign(v);
        break;
    case 9:
    case 10:
        scatter(v);
        break;
    case 11:
        gather(v);
        break;
    case 12:
        read_variable(v);
        break;
    case 13:
        look_inside(v);
        break;
    default:
        if (draw(6) == 0)
            destroy(v);
    }
}
