/* SPDX-License-Identifier: BSD-3-Clause */
/* Prefixes: the bits of the order that the header promises, written out by hand, for every type and
 * reduction, along each axis, on all kinds of devices. */
#include "config.h"

#include "tests/core_opencl.h"
#include "tests/steer.h"

#include <math.h>

enum { MOST = 4096, BLOCK = 128 };

static const cohort_reduce_op ops[] = { COHORT_SUM, COHORT_PROD, COHORT_MIN, COHORT_MAX };
enum { OPS = sizeof ops / sizeof *ops };

/* Components of [outer][rows of the replica][inner]; axis 0 has no outer. */
typedef struct layout {
    int64_t outer, inner;
    int64_t rows[CORE_MAX_REPLICAS];
    int replicas;
} layout;

static int64_t items_of(const layout *l)
{
    int64_t n = 0;
    for (int r = 0; r < l->replicas; r++)
        n += l->outer * l->rows[r] * l->inner;
    return n;
}

/* ---- The order, by hand. */

#define MODEL(T, WIDE, MOST_OF, LEAST_OF)                                                          \
    static T neutral_##T(cohort_reduce_op op)                                                      \
    {                                                                                              \
        const T of[] = { 0, 1, MOST_OF, LEAST_OF };                                                \
        int k = 0;                                                                                 \
        while (ops[k] != op)                                                                       \
            k++;                                                                                   \
        return of[k];                                                                              \
    }                                                                                              \
    static T both_##T(cohort_reduce_op op, T a, T b)                                               \
    {                                                                                              \
        if (op == COHORT_SUM)                                                                      \
            return (T)((WIDE)a + (WIDE)b);                                                         \
        if (op == COHORT_PROD)                                                                     \
            return (T)((WIDE)a * (WIDE)b);                                                         \
        if (a != a || b != b)                                                                      \
            return a != a ? a : b;                                                                 \
        return op == COHORT_MIN ? (b < a ? b : a) : (b > a ? b : a);                               \
    }                                                                                              \
    static void chain_##T(const layout *l, cohort_reduce_op op, cohort_prefix_options o, T canon,  \
                          int64_t outer, int64_t inner, const T *x, T *y)                          \
    {                                                                                              \
        T carry = neutral_##T(op);                                                                 \
        for (int r = 0; r < l->replicas; r++) {                                                    \
            T s = neutral_##T(op);                                                                 \
            carry = o.separate ? s : carry;                                                        \
            for (int64_t i = 0; i < l->rows[r]; i++) {                                             \
                int64_t at = (outer * l->rows[r] + i) * l->inner + inner;                          \
                T before = s;                                                                      \
                s = both_##T(op, s, x[at]);                                                        \
                T v = both_##T(op, carry, o.exclusive ? before : s);                               \
                y[at] = v != v ? canon : v;                                                        \
                if (i % BLOCK == BLOCK - 1 || i == l->rows[r] - 1) {                               \
                    carry = both_##T(op, carry, s);                                                \
                    s = neutral_##T(op);                                                           \
                }                                                                                  \
            }                                                                                      \
            x += l->outer * l->rows[r] * l->inner;                                                 \
            y += l->outer * l->rows[r] * l->inner;                                                 \
        }                                                                                          \
    }                                                                                              \
    static void model_##T(const layout *l, cohort_reduce_op op, cohort_prefix_options o,           \
                          const void *x, void *y)                                                  \
    {                                                                                              \
        for (int64_t outer = 0; outer < l->outer; outer++)                                         \
            for (int64_t inner = 0; inner < l->inner; inner++)                                     \
                chain_##T(l, op, o, (T)canonical, outer, inner, x, y);                             \
    }                                                                                              \
    static void fill_##T(void *x, int64_t n, unsigned seed)                                        \
    {                                                                                              \
        for (int64_t i = 0; i < n; i++)                                                            \
            ((T *)x)[i] = (T)((double)((i * 7919 + seed) % 1009) / 500 - (sizeof(T) > 2 ? 0 : 1)); \
    }                                                                                              \
    static cohort_array array_##T(void *x, int64_t at, int64_t a, int64_t b, int64_t c)            \
    {                                                                                              \
        return COHORT_ARRAY((T *)x + at, a, b, c);                                                 \
    }

#define canonical 0
MODEL(int8_t, uint32_t, INT8_MAX, INT8_MIN)
MODEL(uint8_t, uint32_t, UINT8_MAX, 0)
MODEL(int16_t, uint32_t, INT16_MAX, INT16_MIN)
MODEL(uint16_t, uint32_t, UINT16_MAX, 0)
MODEL(int32_t, uint32_t, INT32_MAX, INT32_MIN)
MODEL(uint32_t, uint32_t, UINT32_MAX, 0)
MODEL(int64_t, uint64_t, INT64_MAX, INT64_MIN)
MODEL(uint64_t, uint64_t, UINT64_MAX, 0)
#undef canonical
#define canonical NAN
MODEL(float, float, INFINITY, -INFINITY)
MODEL(double, double, INFINITY, -INFINITY)
#undef canonical

typedef struct type {
    const char *name;
    size_t bytes;
    void (*model)(const layout *l, cohort_reduce_op op, cohort_prefix_options o, const void *x,
                  void *y);
    void (*fill)(void *x, int64_t n, unsigned seed);
    cohort_array (*array)(void *x, int64_t at, int64_t a, int64_t b, int64_t c);
} type;
#define TYPE(T)                                                                                    \
    {                                                                                              \
#T, sizeof(T), model_##T, fill_##T, array_##T                                              \
    }
static const type types[] = { TYPE(float),    TYPE(double),  TYPE(int32_t), TYPE(int64_t),
                              TYPE(int8_t),   TYPE(uint8_t), TYPE(int16_t), TYPE(uint16_t),
                              TYPE(uint32_t), TYPE(uint64_t) };
enum { TYPES = sizeof types / sizeof *types };

/* ---- One call beside the model. */

static _Alignas(16) char x[MOST * 8], wanted[MOST * 8], found[MOST * 8];

static cohort_array component(const type *t, const layout *l, void *at, int64_t first, int r)
{
    cohort_array a = t->array(at, first, l->outer, l->rows[r], l->inner);
    if (l->outer == 1 && l->inner == 1)
        a.rank = 1, a.shape[0] = l->rows[r];
    return a;
}

static int axis_of(const layout *l)
{
    return l->outer == 1 && l->inner == 1 ? 0 : 1;
}

static cohort_value *components(cohort_strategy *s, const type *t, const layout *l)
{
    cohort_array parts[CORE_MAX_REPLICAS];
    int64_t first = 0;
    for (int r = 0; r < l->replicas; first += l->outer * l->rows[r++] * l->inner)
        parts[r] = component(t, l, x, first, r);
    return cohort_value_per_replica(s, parts);
}

static bool has_shapes(cohort_value *of, cohort_value *like, int replicas)
{
    int64_t shape[COHORT_MAX_RANK], like_shape[COHORT_MAX_RANK];
    bool is_good = true;
    for (int r = 0; r < replicas && is_good; r++) {
        int rank = cohort_value_shape(like, r, NULL, like_shape);
        if (cohort_value_rows(like, r) == 0)
            continue;
        is_good = good(cohort_value_shape(of, r, NULL, shape) == rank) &&
                  good(memcmp(shape, like_shape, (size_t)rank * sizeof *shape) == 0);
    }
    return is_good;
}

static bool is_right(cohort_value *in, const type *t, const layout *l, cohort_reduce_op op,
                     cohort_prefix_options o, cohort_value *out)
{
    const int64_t n = items_of(l);
    cohort_array whole = t->array(found, 0, n, 1, 1);
    t->model(l, op, o, x, wanted);
    memset(found, 0x55, sizeof found);
    bool is = good(cohort_prefix(op, in, axis_of(l), &o, out) == COHORT_OK) &&
              good(cohort_value_read(out, whole) == COHORT_OK) &&
              has_shapes(out, in, l->replicas) &&
              good(memcmp(found, wanted, (size_t)n * t->bytes) == 0);
    if (!is)
        diag("reduction %d of %s, [%lld][%lld ...][%lld], %d replicas%s%s", (int)op, t->name,
             (long long)l->outer, (long long)l->rows[0], (long long)l->inner, l->replicas,
             o.exclusive ? ", exclusive" : "", o.separate ? ", separate" : "");
    return is;
}

static bool every_option(cohort_strategy *s, const type *t, const layout *l)
{
    cohort_value *in = components(s, t, l), *out = cohort_value_create(s);
    bool is_good = good(in != NULL);
    for (int k = 0; k < OPS * 4 && is_good; k++)
        is_good = is_right(
            in, t, l, ops[k / 4],
            (cohort_prefix_options){ .exclusive = k % 2 == 1, .separate = k % 4 >= 2 }, out);
    cohort_value_destroy(in);
    cohort_value_destroy(out);
    return is_good;
}

/* ---- Shapes: edges of blocks, columns, replicas without rows. */

static const struct {
    int64_t outer, inner, rows[3];
} shapes[] = {
    { 1, 1, { 1, 1, 1 } },   { 1, 1, { 127, 128, 129 } }, { 1, 1, { 0, 300, 0 } },
    { 1, 1, { 5, 0, 700 } }, { 1, 1, { 641, 640, 639 } }, { 1, 3, { 2, 130, 5 } },
    { 1, 67, { 3, 1, 4 } },  { 3, 1, { 7, 129, 2 } },     { 6, 1, { 40, 0, 3 } },
    { 2, 5, { 9, 2, 33 } },  { 1, 2, { 260, 1, 128 } },
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static layout layout_of(int shape, int replicas)
{
    layout l = { .outer = shapes[shape].outer, .inner = shapes[shape].inner, .replicas = replicas };
    int64_t left = MOST / (l.outer * l.inner);
    for (int r = 0; r < replicas; r++) {
        int64_t rows = shapes[shape].rows[r % 3];
        l.rows[r] = rows < left ? rows : left;
        left -= l.rows[r];
    }
    return l;
}

static bool along_axes(cohort_strategy *s, int replicas)
{
    bool is_good = true;
    for (int k = 0; k < SHAPES && is_good; k++) {
        const layout l = layout_of(k, replicas);
        types[k % 2].fill(x, items_of(&l), (unsigned)k);
        is_good = every_option(s, &types[k % 2], &l);
    }
    return is_good;
}

static bool all_types(cohort_strategy *s, int replicas)
{
    bool is_good = true;
    for (int k = 0; k < TYPES && is_good; k++) {
        const layout l = layout_of(k % 2 == 0 ? 3 : 10, replicas);
        types[k].fill(x, items_of(&l), (unsigned)k);
        is_good = every_option(s, &types[k], &l);
    }
    return is_good;
}

/* Sums and products of these leave 64 bits, those of floats end at infinity. */
static bool extremes(cohort_strategy *s, int replicas)
{
    const layout l = layout_of(1, replicas);
    const int64_t n = items_of(&l);
    float *f = (float *)x;
    for (int64_t i = 0; i < n; i++)
        ((int64_t *)x)[i] = INT64_MAX - i * 3;
    bool is_good = every_option(s, &types[3], &l);
    for (int64_t i = 0; i < n; i++)
        f[i] = (i % 2 == 0 ? 3e38f : -0.0f) * (i % 5 == 0 ? -1 : 1);
    is_good = is_good && every_option(s, &types[0], &l);
    for (int64_t i = 0; i < n; i++)
        f[i] = i % 3 == 0 ? 1e-45f : i % 3 == 1 ? -0.0f : INFINITY;
    is_good = is_good && every_option(s, &types[0], &l);
    for (int64_t i = 0; i < n; i++)
        f[i] = i == n / 3 ? -NAN : i == n / 3 + 1 ? NAN : (float)i;
    return is_good && every_option(s, &types[0], &l);
}

/* The 0 that a sum begins with makes -0.0 +0.0; the 1 of a product, and an infinite number, leave
 * it as it is. */
static bool negative_zeros(cohort_strategy *s, int replicas)
{
    static const float zero[2] = { -0.0f, -0.0f };
    static const struct {
        cohort_reduce_op op;
        /* of the first element, and of the next, which is the product of two */
        bool is_negative[2];
    } cases[] = { { COHORT_SUM, { false, false } },
                  { COHORT_PROD, { true, false } },
                  { COHORT_MIN, { true, true } },
                  { COHORT_MAX, { true, true } } };
    const cohort_prefix_options alone = { .separate = true };
    float out[CORE_MAX_REPLICAS][2];
    cohort_array parts[CORE_MAX_REPLICAS];
    bool is_good = true;
    for (int r = 0; r < replicas; r++)
        parts[r] = COHORT_ARRAY((float *)zero, 2);
    cohort_value *v = cohort_value_per_replica(s, parts), *into = cohort_value_create(s);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        is_good =
            is_good && good(cohort_prefix(cases[i].op, v, 0, &alone, into) == COHORT_OK) &&
            good(cohort_value_read(into, COHORT_ARRAY(&out[0][0], replicas * 2)) == COHORT_OK);
        for (int r = 0; r < replicas && is_good; r++)
            for (int k = 0; k < 2; k++)
                is_good = is_good && good(out[r][k] == 0) &&
                          good((signbit(out[r][k]) != 0) == cases[i].is_negative[k]);
        is_good =
            is_good &&
            good(cohort_prefix(cases[i].op, v, COHORT_NO_AXIS, NULL, into) == COHORT_OK) &&
            good(cohort_value_read(into, COHORT_ARRAY(&out[0][0], replicas * 2)) == COHORT_OK) &&
            good((signbit(out[0][0]) != 0) == cases[i].is_negative[0]);
    }
    cohort_value_destroy(v);
    cohort_value_destroy(into);
    return is_good;
}

/* MPI_Scan, MPI_Exscan. */
static bool over_replicas(cohort_strategy *s, int replicas)
{
    int32_t in[CORE_MAX_REPLICAS][2][3], out[CORE_MAX_REPLICAS][2][3];
    cohort_array parts[CORE_MAX_REPLICAS];
    bool is_good = true;
    for (int r = 0; r < replicas; r++) {
        for (int k = 0; k < 6; k++)
            in[r][k / 3][k % 3] = r * 10 + k;
        parts[r] = COHORT_ARRAY(&in[r][0][0], 2, 3);
    }
    cohort_value *v = cohort_value_per_replica(s, parts), *into = cohort_value_create(s);
    for (int e = 0; e < 2 && is_good; e++) {
        const cohort_prefix_options o = { .exclusive = e == 1 };
        is_good =
            good(cohort_prefix(COHORT_SUM, v, COHORT_NO_AXIS, &o, into) == COHORT_OK) &&
            has_shapes(into, v, replicas) &&
            good(cohort_value_read(into, COHORT_ARRAY(&out[0][0][0], replicas * 6)) == COHORT_OK);
        for (int k = 0; k < 6 && is_good; k++)
            for (int r = 0, sum = 0; r < replicas && is_good; r++) {
                is_good = good(out[r][k / 3][k % 3] == sum + (e == 0 ? in[r][k / 3][k % 3] : 0));
                sum += in[r][k / 3][k % 3];
            }
    }
    cohort_value_destroy(v);
    cohort_value_destroy(into);
    return is_good;
}

/* ---- What is not per replica, and what is nothing. */

static bool is_plain(cohort_value *out, const layout *l)
{
    cohort_array whole = types[0].array(found, 0, items_of(l), 1, 1);
    types[0].model(l, COHORT_SUM, (cohort_prefix_options){ 0 }, x, wanted);
    return good(cohort_value_kind_of(out) == COHORT_PLAIN_VALUE) &&
           good(cohort_value_read(out, whole) == COHORT_OK) &&
           good(memcmp(found, wanted, (size_t)items_of(l) * sizeof(float)) == 0);
}

static bool of_one_content(cohort_strategy *s, int replicas)
{
    const layout l = { .outer = 2, .inner = 3, .rows = { 130 }, .replicas = 1 },
                 flat = { .outer = 1, .inner = 1, .rows = { 300 }, .replicas = 1 };
    int64_t shape[COHORT_MAX_RANK];
    (void)replicas;
    types[0].fill(x, MOST, 5);
    cohort_value *plain = cohort_value_plain(s, component(&types[0], &l, x, 0, 0)),
                 *out = cohort_value_create(s);
    cohort_variable *w =
        cohort_variable_create(s, "of_one_content", component(&types[0], &l, x, 0, 0), NULL);
    bool is_good =
        good(cohort_prefix(COHORT_SUM, plain, 1, NULL, out) == COHORT_OK) && is_plain(out, &l) &&
        good(cohort_value_shape(out, 0, NULL, shape) == 3 && shape[0] == 2 && shape[1] == 130 &&
             shape[2] == 3) &&
        good(cohort_prefix(COHORT_SUM, w, -2, NULL, out) == COHORT_OK) && is_plain(out, &l) &&
        good(cohort_prefix(COHORT_SUM, COHORT_ARRAY((float *)x, 300), 0, NULL, out) == COHORT_OK) &&
        is_plain(out, &flat) &&
        good(cohort_prefix(COHORT_SUM, COHORT_ARRAY((float *)x, 0, 3), 0, NULL, out) ==
             COHORT_OK) &&
        good(cohort_value_shape(out, 0, NULL, shape) == 2 && shape[0] == 0);
    cohort_value_destroy(plain);
    cohort_value_destroy(out);
    cohort_variable_destroy(w);
    return is_good;
}

static bool of_components(cohort_strategy *s, int replicas)
{
    (void)replicas;
    types[0].fill(x, 40, 9);
    cohort_variable *w =
        cohort_variable_create(s, "of_components", COHORT_ARRAY((float *)x, 40),
                               &(cohort_variable_options){ .synchronization = COHORT_ON_READ,
                                                           .aggregation = COHORT_AGGREGATE_SUM });
    cohort_value *out = cohort_value_create(s);
    bool is_good = good(cohort_prefix(COHORT_MAX, w, 0, NULL, out) == COHORT_OK) &&
                   good(cohort_value_kind_of(out) == COHORT_PER_REPLICA_VALUE) &&
                   good(cohort_value_rows(out, 0) == 40);
    cohort_variable_destroy(w);
    cohort_value_destroy(out);
    return is_good;
}

static bool of_nothing(cohort_strategy *s, int replicas)
{
    cohort_value *none = cohort_value_split(s, COHORT_ARRAY((float *)x, 0)),
                 *out = cohort_value_create(s);
    bool is_good = good(cohort_prefix(COHORT_SUM, none, 0, NULL, out) == COHORT_OK);
    for (int r = 0; r < replicas && is_good; r++)
        is_good = good(cohort_value_rows(out, r) == 0);
    cohort_value_destroy(none);
    cohort_value_destroy(out);
    return is_good;
}

/* ---- In programs. */

typedef struct recorded {
    cohort_value *x, *ends, *begins, *last;
} recorded;

COHORT_ITEMS(raise, i, n, (int64_t n, int32_t v[n]), { v[i] += 1; });

static cohort_status step(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    recorded *r = user;
    (void)batch;
    cohort_run(s, raise, r->x);
    cohort_prefix(COHORT_SUM, r->x, 0, NULL, r->ends);
    const cohort_prefix_options before = { .exclusive = true };
    cohort_prefix(COHORT_SUM, r->x, 0, &before, r->begins);
    return cohort_reduce(COHORT_MAX, r->ends, 0, r->last);
}

static bool records(cohort_strategy *s, int replicas)
{
    enum { N = 1000, STEPS = 5 };
    static int32_t in[N], ends[N], begins[N];
    (void)replicas;
    memset(in, 0, sizeof in);
    recorded r = { cohort_value_split(s, COHORT_ARRAY(in, N)), cohort_value_create(s),
                   cohort_value_create(s), cohort_value_create(s) };
    cohort_program *p = cohort_program_record(s, step, &r, NULL, 0);
    bool is_good = good(p != NULL) && good(cohort_program_run(p, NULL, STEPS) == COHORT_OK) &&
                   good((int)cohort_value_scalar(r.last) == N * STEPS) &&
                   good(cohort_program_run(p, NULL, STEPS) == COHORT_OK) &&
                   good(cohort_value_read(r.ends, COHORT_ARRAY(ends, N)) == COHORT_OK) &&
                   good(cohort_value_read(r.begins, COHORT_ARRAY(begins, N)) == COHORT_OK);
    for (int i = 0; i < N && is_good; i++)
        is_good = good(ends[i] == 2 * STEPS * (i + 1) && begins[i] == 2 * STEPS * i);
    cohort_program_destroy(p);
    cohort_value_destroy(r.x);
    cohort_value_destroy(r.ends);
    cohort_value_destroy(r.begins);
    cohort_value_destroy(r.last);
    return is_good;
}

/* ---- What is wrong. */

static bool refuses_options(cohort_strategy *s, cohort_value *in, cohort_value *plain,
                            cohort_value *out)
{
    const cohort_prefix_options separate = { .separate = true }, odd = { .reserved = { 0, 1 } };
    return refused_for(s, "reserved[1] of the options is not zero",
                       cohort_prefix(COHORT_SUM, in, 0, &odd, out)) &&
           refused_for(s, "no replica begins anew",
                       cohort_prefix(COHORT_SUM, plain, 0, &separate, out)) &&
           refused_for(s, "no replica goes on from another",
                       cohort_prefix(COHORT_SUM, plain, COHORT_NO_AXIS, NULL, out)) &&
           refused_for(s, "the reduction mean", cohort_prefix(COHORT_MEAN, in, 0, NULL, out)) &&
           refused_for(s, "the reduction bxor", cohort_prefix(COHORT_BXOR, in, 0, NULL, out)) &&
           refused_for(s, "the reduction ? (0)",
                       cohort_prefix((cohort_reduce_op)0, in, 0, NULL, out));
}

static bool refuses_operands(cohort_strategy *s, cohort_value *in, cohort_value *out, int replicas)
{
    cohort_array uneven[CORE_MAX_REPLICAS];
    for (int r = 0; r < replicas; r++)
        uneven[r] = COHORT_ARRAY((float *)x, 2, 1 + r % 2);
    cohort_value *odd = cohort_value_per_replica(s, uneven), *empty = cohort_value_create(s),
                 *shaped = cohort_value_shaped(s, COHORT_F32, 1, (int64_t[]){ 4 }),
                 *truths = cohort_value_split(s, COHORT_ARRAY((bool *)x, 5));
    return refused_for(s, "into itself", cohort_prefix(COHORT_SUM, in, 0, NULL, in)) &&
           refused(s, COHORT_EINVAL, cohort_prefix(COHORT_SUM, in, 0, NULL, NULL)) &&
           refused_for(s, "axis 1 of a value of rank 1",
                       cohort_prefix(COHORT_SUM, in, 1, NULL, out)) &&
           refused_for(s, "axis", cohort_prefix(COHORT_SUM, in, -2, NULL, out)) &&
           refused_for(s, "axis", cohort_prefix(COHORT_SUM, 3.5, 0, NULL, out)) &&
           refused_for(s, "nothing has written", cohort_prefix(COHORT_SUM, empty, 0, NULL, out)) &&
           refused_for(s, "cohort_value_shaped", cohort_prefix(COHORT_SUM, in, 0, NULL, shaped)) &&
           refused_for(s, "x is of bool", cohort_prefix(COHORT_MAX, truths, 0, NULL, out)) &&
           (replicas == 1 || refused_for(s, "shapes must be equal but for the axis",
                                         cohort_prefix(COHORT_SUM, odd, 0, NULL, out)));
}

static cohort_status in_a_step(cohort_replica *me, void *user)
{
    cohort_value *const *both = user;
    (void)me;
    return cohort_prefix(COHORT_SUM, both[0], 0, NULL, both[1]);
}

static bool refuses(cohort_strategy *s, int replicas)
{
    types[0].fill(x, MOST, 1);
    cohort_value *in = cohort_value_split(s, COHORT_ARRAY((float *)x, 700)),
                 *plain = cohort_value_plain(s, COHORT_ARRAY((float *)x, 700)),
                 *out = cohort_value_create(s), *both[] = { in, out };
    return refuses_options(s, in, plain, out) && refuses_operands(s, in, out, replicas) &&
           refused_for(s, "cohort_prefix", cohort_for_each_replica(s, in_a_step, both)) &&
           good(cohort_value_kind_of(out) == COHORT_EMPTY_VALUE) &&
           good(cohort_prefix(COHORT_SUM, in, 0, NULL, out) == COHORT_OK);
}

/* ---- Faults. */

static const cohort_loopback *loopback;

static void fails(void)
{
    const layout l = { .outer = 1, .inner = 1, .rows = { 200, 100, 300 }, .replicas = 3 };
    bool is_good = true;
    int n_failed = 0;
    for (uint32_t nth = 1; nth < 40 && is_good; nth++) {
        cohort_strategy *s = cohort_mirrored("loopback/3");
        types[0].fill(x, items_of(&l), nth);
        cohort_value *in = components(s, &types[0], &l), *out = cohort_value_create(s);
        (void)steer_rule(loopback, COHORT_LOOPBACK_FAIL, COHORT_LOOPBACK_ANY, COHORT_LOOPBACK_ANY,
                         nth, false);
        (void)cohort_prefix(COHORT_SUM, in, 0, NULL, out);
        n_failed += cohort_wait(s) < 0;
        loopback->reset();
        is_good = good(cohort_strategy_recover(s) == COHORT_OK) &&
                  is_right(in, &types[0], &l, COHORT_SUM, (cohort_prefix_options){ 0 }, out);
        cohort_strategy_destroy(s);
    }
    ok(is_good && good(n_failed > 10), "whatever operation fails, the next prefix is right");
}

/* ---- Everywhere. */

static const core_claim claims[] = {
    { refuses, "what is wrong is refused in words, and nothing changed" },
    { along_axes, "along an axis the bits are those of blocks by hand, from replica to replica" },
    { all_types, "of all types" },
    { extremes, "integers wrap, infinities and one NaN come through" },
    { negative_zeros, "a sum of -0.0 is +0.0, and other reductions keep it" },
    { over_replicas, "without an axis it is one element over the replicas" },
    { of_one_content, "of what is not per replica it is plain" },
    { of_components, "components of a variable are combined" },
    { of_nothing, "of nothing it is nothing" },
    { records, "a program records it" },
};
enum { CLAIMS = sizeof claims / sizeof *claims };

int main(void)
{
    (void)core_warm();
    loopback = steer();
    core_live warm = { 0 };
    for (int i = 0; i < 2; i++) { /* prototypes are parsed once for the process */
        warm = core_live_now();
        core_all_everywhere(claims, CLAIMS);
        if (loopback != NULL)
            fails();
    }
    core_no_leak(warm);
    core_all_on_opencl(claims, CLAIMS, 3, 5);
    return tap_done();
}
