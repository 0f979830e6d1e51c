/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that make, set, run, combine and look at values. */
#include "config.h"

#include "tests/long/programs/programs.h"

static int number(const model_value *m)
{
    return (int)(m - p->values);
}

static void fill(model_value *m, void *memory, int n)
{
    for (int i = 0; i < n; i++) {
        m->data[i] = draw(100);
        put(memory, m->type, i, m->data[i]);
    }
}

static int any_size(void)
{
    static const int sizes[] = { 0, 1, 2, 3, 7, 8, 40, 300, 1500 };
    return sizes[draw(sizeof sizes / sizeof *sizes)];
}

static void share(model_value *m, int n)
{
    for (int r = 0; r < p->replicas; r++)
        m->n[r] = n / p->replicas + (r < n % p->replicas);
}

/* ------------------------------------------------------------------ making */

static cohort_status make_component(int replica, int n, cohort_array *out, void *user)
{
    const model_value *m = user;
    static char memory[MOST * sizeof(double)];
    for (int i = 0; i < m->n[replica]; i++)
        put(memory, m->type, i, component(m, replica)[i]);
    *out = array_of(memory, m->type, m->n[replica]);
    return n == p->replicas ? COHORT_OK : cohort_error_set(COHORT_EINTERNAL, "%d replicas", n);
}

static cohort_value *make(model_value *m, int how, char *memory, int n)
{
    cohort_array parts[MAX_REPLICAS];
    for (int r = 0; r < p->replicas; r++)
        parts[r] = array_of(memory + sizeof(double) * (size_t)(component(m, r) - m->data), m->type,
                            m->n[r]);
    return how == 0   ? cohort_value_plain(p->s, array_of(memory, m->type, n))
           : how == 1 ? cohort_value_split(p->s, array_of(memory, m->type, n))
           : how == 2 ? cohort_value_per_replica(p->s, parts)
                      : cohort_value_from_function(p->s, make_component, m);
}

static void make_value(model_value *m)
{
    static const char *const names[] = { "plain", "split", "per_replica", "from_function" };
    int how = draw(4), n = any_size();
    char *memory = lend((size_t)n * sizeof(double));
    faults_release();
    cohort_value_destroy(m->value);
    *m = (model_value){ .kind = PER_REPLICA, .type = (dtype)draw(DTYPES) };
    share(m, n);
    if (how < 2)
        fill(m, memory, n);
    for (int r = 0, at = 0; r < p->replicas && how >= 2; at += m->n[r++])
        for (int i = 0; i < m->n[r]; i++) {
            m->data[at + i] = draw(100);
            put(memory + sizeof(double) * (size_t)at, m->type, i, m->data[at + i]);
        }
    m->value = make(m, how, memory, n);
    if (how == 0)
        m->n[0] = n;
    become(m, how == 0 ? PLAIN : PER_REPLICA, m->type, 1);
    m->origin = how == 0 ? FROM_PLAIN : how == 1 ? FROM_SPLIT : OUTPUT;
    if (judge_made(m->value != NULL, COHORT_OK, "x%d = cohort_value_%s(s, %s[%d])", number(m),
                   names[how], dtype_names[m->type], n) != ACCEPTED)
        *m = (model_value){ .kind = EMPTY };
}

static void set(model_value *m)
{
    static model_value next;
    int n = any_size();
    bool is_split = m->origin == FROM_SPLIT, may_be_set = m->origin != OUTPUT && m->kind != EMPTY;
    if (m->kind == UNREADABLE || (!may_be_set && draw(6) > 0) || (may_be_set && m->rank != 1))
        return;
    next = *m;
    char *memory = lend((size_t)n * sizeof(double));
    fill(&next, memory, n);
    share(&next, n);
    if (!is_split)
        next.n[0] = n;
    verdict was = judge(cohort_value_set(m->value, array_of(memory, next.type, n)),
                        may_be_set ? COHORT_OK : COHORT_EINVAL, "cohort_value_set(x%d, %s[%d])",
                        number(m), dtype_names[next.type], n);
    if (was == ACCEPTED) {
        *m = next;
        become(m, is_split ? PER_REPLICA : PLAIN, m->type, 1);
    }
    m->may_be_lost |= was == FAILED;
}

/* ------------------------------------------------------------------ running */

static cohort_status wanted_of(const model_value *x)
{
    return x->kind == EMPTY || x->kind == UNREADABLE ? COHORT_EINVAL : COHORT_OK;
}

/* y becomes f of x, component by component. */
static void become_image(model_value *y, const model_value *x, const model_variable *v,
                         const content *w)
{
    int at = 0;
    for (int r = 0; r < p->replicas; r++) {
        const int64_t *from = component(x, r);
        y->n[r] = count(x, r);
        for (int i = 0; i < y->n[r]; i++)
            y->data[at + i] =
                w == NULL ? (2 * from[i] + 1) % 1000
                          : (from[i] + w->x[v->has_components ? r : 0][i % v->width]) % 1000;
        at += y->n[r];
    }
    become(y, PER_REPLICA, x->type, 1);
}

static bool fits(const model_value *x)
{
    return total(x) * (x->kind == PER_REPLICA ? 1 : p->replicas) <= MOST;
}

static void run_twice(model_value *x, model_value *y)
{
    if (x == y || !fits(x))
        return;
    verdict was =
        judge(cohort_run(p->s, twice[x->type], x->value, y->value), wanted_of(x),
              "cohort_run(s, twice_%s, x%d, x%d)", dtype_names[x->type], number(x), number(y));
    if (was == ACCEPTED)
        become_image(y, x, NULL, NULL);
    y->may_be_lost |= was == FAILED;
}

static void run_blend(model_value *x, model_value *y)
{
    model_variable *v = any_variable();
    if (v == NULL || x == y || !fits(x) || wanted_of(x) < 0 || x->type != v->type)
        return;
    content now = *newest(v);
    verdict was = judge(cohort_run(p->s, blend[x->type], x->value, v->variable, y->value),
                        COHORT_OK, "cohort_run(s, blend_%s, x%d, %s, x%d)", dtype_names[x->type],
                        number(x), cohort_variable_name(v->variable), number(y));
    if (was == ACCEPTED)
        become_image(y, x, v, &now);
    y->may_be_lost |= was == FAILED;
}

static void run_shift(model_value *y)
{
    if (y->kind != PER_REPLICA && draw(6) > 0)
        return;
    verdict was = judge(cohort_run(p->s, shift[y->type], y->value),
                        y->kind == PER_REPLICA ? COHORT_OK : COHORT_EINVAL,
                        "cohort_run(s, shift_%s, x%d)", dtype_names[y->type], number(y));
    for (int i = 0; was == ACCEPTED && i < total(y); i++)
        y->data[i] = (y->data[i] + 3) % 1000;
    y->may_be_lost |= was != REFUSED;
}

/* ------------------------------------------------------------------ combining */

static int64_t combined(cohort_reduce_op op, int64_t a, int64_t b)
{
    return op == COHORT_SUM ? a + b : (op == COHORT_MIN) == (a < b) ? a : b;
}

/* Of what x has, along the axis and across n replicas. false: nothing contributes, shapes differ,
 * or it grows too large. */
static bool reduce_model(model_value *into, const model_value *x, cohort_reduce_op op,
                         bool has_axis, int replicas)
{
    bool is_first = true;
    into->n[0] = 0;
    for (int r = 0; r < replicas; r++) {
        const int64_t *from = component(x, r);
        int n = x->rank == 0 ? 1 : count(x, r);
        if (n == 0)
            continue;
        if (!is_first && !has_axis && n != into->n[0])
            return false;
        for (int i = 0; i < n; i++) {
            int at = has_axis ? 0 : i;
            bool begins = is_first && (i == 0 || !has_axis);
            into->data[at] = begins ? from[i] : combined(op, into->data[at], from[i]);
        }
        into->n[0] = has_axis ? 1 : n;
        is_first = false;
    }
    bool is_good = !is_first;
    for (int i = 0; i < into->n[0]; i++)
        is_good = is_good && into->data[i] < BIG && into->data[i] > -BIG;
    return is_good;
}

/* What is said of one content. */
enum { NOTHING, ONCE, REPEATED };

static cohort_argument said_of(const model_value *x, int said)
{
    return said == ONCE       ? COHORT_ONCE(x->value)
           : said == REPEATED ? COHORT_REPEATED(x->value)
                              : COHORT_ARG_(x->value);
}

static void reduce(model_value *x, model_value *into, bool is_to)
{
    static const cohort_reduce_op ops[] = { COHORT_SUM, COHORT_MIN, COHORT_MAX };
    static const char *const words[] = { "", "COHORT_ONCE ", "COHORT_REPEATED " };
    static model_value next;
    cohort_reduce_op op = ops[draw(3)];
    int said = draw(3);
    bool is_wrong =
        (x->kind == PER_REPLICA) == (said != NOTHING) && (said != NOTHING || op == COHORT_SUM);
    cohort_status wanted = is_wrong ? COHORT_EINVAL : COHORT_OK;
    if (is_wrong && draw(6) > 0)
        return;
    bool has_axis = !is_to && draw(2) == 1;
    model_variable *at = any_variable();
    next = *into;
    if (x == into || wanted_of(x) < 0 || (has_axis && x->rank == 0) ||
        !reduce_model(&next, x, op, has_axis, said == ONCE ? 1 : p->replicas) ||
        (is_to && (at == NULL || at->is_sharded)))
        return;
    int axis = has_axis ? 0 : COHORT_NO_AXIS;
    verdict was =
        is_to ? judge(cohort_reduce_to(op, said_of(x, said), COHORT_AT(at->variable), into->value),
                      wanted, "cohort_reduce_to(%d, %sx%d, COHORT_AT(%s), x%d)", op, words[said],
                      number(x), cohort_variable_name(at->variable), number(into))
              : judge(cohort_reduce(op, said_of(x, said), axis, into->value), wanted,
                      "cohort_reduce(%d, %sx%d, %s, x%d)", op, words[said], number(x),
                      has_axis ? "0" : "COHORT_NO_AXIS", number(into));
    if (was == ACCEPTED) {
        *into = next;
        become(into, is_to ? MIRRORED : PLAIN, x->type, has_axis ? 0 : x->rank);
    }
    into->may_be_lost |= was == FAILED;
}

static void gather(model_value *x, model_value *into)
{
    if (x == into || wanted_of(x) < 0)
        return;
    verdict was =
        judge(cohort_gather(x->value, 0, into->value), x->rank == 0 ? COHORT_EINVAL : COHORT_OK,
              "cohort_gather(x%d, 0, x%d)", number(x), number(into));
    if (was == ACCEPTED) {
        into->n[0] = total(x);
        memcpy(into->data, x->data, sizeof into->data);
        become(into, PLAIN, x->type, 1);
    }
    into->may_be_lost |= was == FAILED;
}

static void broadcast(model_value *x, model_value *into)
{
    model_variable *at = any_variable();
    if (x == into || at == NULL || at->is_sharded || wanted_of(x) < 0 ||
        (x->kind == PER_REPLICA && draw(6) > 0))
        return;
    verdict was = judge(cohort_broadcast(p->s, x->value, COHORT_AT(at->variable), into->value),
                        x->kind == PER_REPLICA ? COHORT_EINVAL : COHORT_OK,
                        "cohort_broadcast(s, x%d, COHORT_AT(%s), x%d)", number(x),
                        cohort_variable_name(at->variable), number(into));
    if (was == ACCEPTED) {
        into->n[0] = x->n[0];
        memcpy(into->data, x->data, sizeof into->data);
        become(into, MIRRORED, x->type, x->rank);
    }
    into->may_be_lost |= was == FAILED;
}

/* ------------------------------------------------------------------ looking */

static void read_value(model_value *m)
{
    static double found[MOST];
    int n = total(m);
    faults_release();
    cohort_status status = cohort_value_read(m->value, array_of(found, m->type, n));
    if (judge(status, wanted_of(m), "cohort_value_read(x%d, %s[%d])", number(m),
              dtype_names[m->type], n) != ACCEPTED)
        return;
    for (int i = 0; i < n && p->is_right; i++)
        if (get(found, m->type, i) != m->data[i])
            mismatch("x%d[%d] is %lld, not %lld", number(m), i, (long long)get(found, m->type, i),
                     (long long)m->data[i]);
    /* nothing is handed out without waiting for it */
    m->may_be_lost = m->may_be_lost && total(m) == 0;
}

static void scalar(model_value *m)
{
    faults_release();
    double found = cohort_value_scalar(m->value);
    bool is_one = wanted_of(m) >= 0 && m->kind != PER_REPLICA && total(m) == 1;
    if (m->kind == PER_REPLICA && total(m) == 1)
        is_one = p->replicas == 1;
    if (m->kind == PER_REPLICA && total(m) == 1 && p->replicas > 1)
        is_one = found == found; /* whether it may be asked of components is for others to say */
    cohort_status status = found == found ? COHORT_OK : cohort_strategy_status(p->s);
    if (judge(status, is_one ? COHORT_OK : COHORT_EINVAL, "cohort_value_scalar(x%d)", number(m)) ==
            ACCEPTED &&
        (int64_t)found != m->data[0])
        mismatch("x%d is %g, not %lld", number(m), found, (long long)m->data[0]);
}

static void look_inside(model_value *m)
{
    cohort_array found[MAX_REPLICAS];
    faults_release();
    int n = cohort_local_results(m->value, found, MAX_REPLICAS);
    if (judge(n < 0 ? n : COHORT_OK, wanted_of(m), "cohort_local_results(x%d)", number(m)) !=
        ACCEPTED)
        return;
    if (!holds(m, found, n))
        mismatch("the components of x%d are wrong", number(m));
    /* nothing is handed out without waiting for it */
    m->may_be_lost = m->may_be_lost && total(m) == 0;
}

static void wait_for_all(void)
{
    faults_release();
    if (judge(cohort_wait(p->s), COHORT_OK, "cohort_wait(s)") != ACCEPTED)
        return;
    if (faults_were_met() || p->has_late)
        mismatch("a failure that nobody tells");
    have_seen_all();
}

static void wait_for_one(model_value *m)
{
    faults_release();
    (void)judge(cohort_value_wait(m->value, -1), COHORT_OK, "cohort_value_wait(x%d, -1)",
                number(m));
}

void call_values(void)
{
    model_value *x = any_content(), *y = any_value();
    if (x == NULL) {
        make_value(&p->values[draw(VALUES)]);
        return;
    }
    switch (draw(19)) {
    case 0:
    case 1:
    case 2:
        make_value(&p->values[draw(VALUES)]);
        break;
    case 3:
        set(x);
        break;
    case 4:
    case 5:
        run_twice(x, y);
        break;
    case 6:
    case 7:
        run_blend(x, y);
        break;
    case 8:
    case 9:
        run_shift(x);
        break;
    case 10:
        reduce(x, y, true);
        break;
    case 11:
        reduce(x, y, false);
        break;
    case 12:
        gather(x, y);
        break;
    case 13:
        broadcast(x, y);
        break;
    case 14:
        read_value(x);
        break;
    case 15:
        scalar(x);
        break;
    case 16:
        look_inside(x);
        break;
    case 17:
        if (draw(2) == 1)
            wait_for_all();
        else
            wait_for_one(x);
        break;
    default:
        forget(x);
    }
}
