/* SPDX-License-Identifier: BSD-3-Clause */
/* One process of a strategy over all processes that mpirun has started: what it computes has the
 * bits of one process that hosts all replicas, which each process checks by doing both.
 *
 *     cluster_workers bits R               R replicas in all
 *     cluster_workers bits R PART          only this part of all that is done; "": all
 *     cluster_workers bits R PART DEVICES  the workers' devices, of which each has a list; else
 *                                          host:0
 *     cluster_workers hosted N,... PART    worker 0 hosts the first number of replicas on host:0,
 *                                          and so on; where there are more workers, from the first
 *                                          one again
 *
 * CLUSTER_IMPLEMENTATION, of the environment, says how sums cross (cohort/communication.h). */
#include "config.h"

#include <cohort/cohort.h>

#include <stdarg.h>
#include <string.h>

#include "tests/cluster_process.h"
#include "tests/dtypes.h"

enum { MAX_REPLICAS = 1024, MAX_ITEMS = 4096, NAME_BYTES = 80, ROOM = 1 << 20, WIDTH = 5 };

static int replicas, own_first, own_count; /* R; those of this process */
static const char *only;                   /* a part, or NULL */
static const char *devices;                /* of the workers */
static bool is_hosted;                     /* each worker says how many replicas it hosts */
static int pass;                           /* 0: over the workers, 1: in this process */

/* ------------------------------------------------------------------ what is compared */

typedef struct item {
    char name[NAME_BYTES];
    uint64_t digest;
} item;

static item items[2][MAX_ITEMS];
static int num_items[2];
static uint64_t room[ROOM]; /* what is read, and a component that is made */
static cohort_array components[MAX_REPLICAS];

__attribute__((format(printf, 1, 2))) static const char *named(const char *format, ...)
{
    static char name[NAME_BYTES];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(name, sizeof name, format, list);
    va_end(list);
    return name;
}

/* FNV-1a, of 64 bits. */
static uint64_t digest_of(uint64_t digest, const void *bytes, size_t n)
{
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < n; i++)
        digest = (digest ^ byte[i]) * UINT64_C(0x100000001b3);
    return digest;
}

static const uint64_t empty_digest = UINT64_C(0xcbf29ce484222325);

static void note_digest(const char *name, uint64_t digest)
{
    must(num_items[pass] < MAX_ITEMS, "there is room for another item");
    item *next = &items[pass][num_items[pass]++];
    (void)snprintf(next->name, sizeof next->name, "%s", name);
    next->digest = digest;
}

static void note(const char *name, const void *bytes, size_t n)
{
    note_digest(name, digest_of(empty_digest, bytes, n));
}

static int64_t elements_of(const cohort_array *array)
{
    int64_t n = 1;
    for (int i = 0; i < array->rank; i++)
        n *= array->shape[i];
    return n;
}

/* With dtype and shape. */
static uint64_t digest_of_array(uint64_t digest, const cohort_array *array)
{
    const int64_t n = elements_of(array) * cohort_dtype_bytes(array->dtype);
    digest = digest_of(digest, &array->dtype, sizeof array->dtype);
    digest = digest_of(digest, array->shape, (size_t)array->rank * sizeof array->shape[0]);
    return digest_of(digest, array->data, (size_t)n);
}

/* A value that is not per replica. */
static void note_value(const char *name, cohort_value *value)
{
    cohort_array found = { .data = room };
    found.rank = cohort_value_shape(value, own_first, &found.dtype, found.shape);
    must(found.rank >= 0, name);
    must(elements_of(&found) * cohort_dtype_bytes(found.dtype) <= (int64_t)sizeof room, name);
    must(cohort_value_read(value, found) == COHORT_OK, name);
    note_digest(name, digest_of_array(empty_digest, &found));
}

static void note_variable(const char *name, cohort_variable *variable)
{
    cohort_array found = { .data = room };
    found.rank = cohort_variable_shape(variable, &found.dtype, found.shape);
    must(found.rank >= 0, name);
    must(cohort_variable_read(variable, found) == COHORT_OK, name);
    note_digest(name, digest_of_array(empty_digest, &found));
}

/* The components of the replicas of this process, in both passes; n: how many were found. */
static void note_own(const char *name, int n)
{
    uint64_t digest = empty_digest;
    must(n == (pass == 0 ? own_count : replicas), name);
    for (int i = 0; i < own_count; i++)
        digest = digest_of_array(digest, &components[pass == 0 ? i : own_first + i]);
    note_digest(name, digest);
}

#define NOTE_OWN(name, x) note_own((name), cohort_local_results((x), components, MAX_REPLICAS))

/* ------------------------------------------------------------------ data */

/* SplitMix64. */
static uint64_t mixed(uint64_t x)
{
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* A number with `range` different exponents around 0. */
static uint64_t real_bits(uint64_t b, int bits, int mantissa, uint64_t bias, uint64_t range)
{
    const uint64_t exponent = bias - range / 2 + (b >> 53) % range;
    return (mixed(b) & 1) << (bits - 1) | exponent << mantissa |
           (b & ((UINT64_C(1) << mantissa) - 1));
}

static uint64_t element_bits(cohort_dtype dtype, uint64_t seed, uint64_t replica, uint64_t i)
{
    const uint64_t b = mixed(mixed(mixed(seed) + replica) + i);
    switch (dtype) {
    case COHORT_F16:
        return real_bits(b, 16, 10, 15, 8);
    case COHORT_BF16:
        return real_bits(b, 16, 7, 127, 8);
    case COHORT_F8_E4M3:
        return real_bits(b, 8, 3, 7, 6);
    case COHORT_F8_E5M2:
        return real_bits(b, 8, 2, 15, 6);
    case COHORT_F32:
        return real_bits(b, 32, 23, 127, 17);
    case COHORT_F64:
        return real_bits(b, 64, 52, 1023, 41);
    default:
        return b;
    }
}

static void fill(cohort_dtype dtype, uint64_t seed, uint64_t replica, int64_t n, void *to)
{
    const size_t bytes = (size_t)cohort_dtype_bytes(dtype);
    for (size_t i = 0; i < (size_t)n; i++) {
        const uint64_t b = element_bits(dtype, seed, replica, i); /* little-endian */
        memcpy((char *)to + i * bytes, &b, bytes);
    }
}

/* ragged  an axis whose extent differs by replica; replica 2 has none; or -1 */
typedef struct data {
    cohort_dtype dtype;
    int32_t rank;
    int64_t shape[2];
    int ragged;
    uint64_t seed;
} data;

static int64_t ragged_extent(int replica)
{
    return replica == 2 ? 0 : replica % 3 == 1 ? 300 + replica : 1 + 5 * replica % 11;
}

static cohort_status component(int replica, int num_replicas, cohort_array *out, void *user)
{
    const data *d = user;
    must(num_replicas == replicas, "a callback gets the number of all replicas");
    *out = (cohort_array){
        .data = room, .dtype = d->dtype, .rank = d->rank, .shape = { d->shape[0], d->shape[1] }
    };
    if (d->ragged >= 0)
        out->shape[d->ragged] = ragged_extent(replica);
    must(elements_of(out) <= ROOM, "a component has room");
    fill(d->dtype, d->seed, (uint64_t)replica, elements_of(out), room);
    return COHORT_OK;
}

static cohort_value *make(cohort_strategy *s, data d)
{
    cohort_value *value = cohort_value_from_function(s, component, &d);
    must(value != NULL, "a value is made from a function");
    return value;
}

static cohort_value *make_flat(cohort_strategy *s, cohort_dtype dtype, int64_t n, uint64_t seed)
{
    return make(s, (data){ dtype, 1, { n, 0 }, -1, seed });
}

static cohort_value *make_ragged(cohort_strategy *s, int axis, uint64_t seed)
{
    return make(s, (data){ COHORT_F32, 2, { 3, 3 }, axis, seed });
}

static cohort_value *make_empty(cohort_strategy *s)
{
    cohort_value *value = cohort_value_create(s);
    must(value != NULL, "an empty value is made");
    return value;
}

/* ------------------------------------------------------------------ functions */

COHORT_FUNCTION(where_am_i,
                (int64_t n, int32_t id, int32_t count, int64_t first, COHORT_OUT int64_t y[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = (id * INT64_C(1000) + count) * 100000 + first + i;
}

COHORT_FUNCTION(number_rows,
                (int64_t n, int64_t first, const float x[n][3], COHORT_OUT double y[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = (double)(first + i) + (double)x[i][0];
}

COHORT_FUNCTION(grow, (int64_t n, float from, COHORT_OUT float y[n][3]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < 3 * n; i++)
        y[i / 3][i % 3] = from + (float)i;
}

COHORT_FUNCTION(add_first, (int64_t n, int64_t first, const float x[n][3], int64_t sum[2]),
                COHORT_HOST_ONLY)
{
    sum[0] += first;
    sum[1] += n + 0 * (int64_t)x[0][0];
}

COHORT_FUNCTION(spread, (int64_t n, float each, COHORT_OUT float y[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = each / (float)(i + 3);
}

COHORT_FUNCTION(descend, (int64_t n, float rate, const float g[n], float w[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        w[i] -= rate * g[i];
}

COHORT_FUNCTION(affine,
                (int64_t n, int64_t d, const float x[n][d], const float w[d], int64_t rows,
                 COHORT_OUT float y[n][d]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < d; j++)
            y[i][j] = x[i][j] * w[j] / (float)rows + x[i][j];
}

/* Neither associative nor commutative, and it rounds. */
COHORT_FUNCTION(mix, (int64_t n, const float in[n], float inout[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        inout[i] = in[i] / 3 - 0.7F * inout[i];
}

COHORT_FUNCTION(mix_double, (int64_t n, const double in[n], double inout[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        inout[i] = in[i] / 3 - 0.7 * inout[i];
}

COHORT_STRUCT(moments, {
    double mean;
    float n;
});

COHORT_FUNCTION(pool, (int64_t n, const moments in[n], moments inout[n]),
                .types = COHORT_TYPES(moments), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++) {
        float all = in[i].n + inout[i].n;
        inout[i].mean += (in[i].mean - inout[i].mean) * (double)(in[i].n / all);
        inout[i].n = all;
    }
}

/* ------------------------------------------------------------------ reductions */

static const char *op_name(cohort_reduce_op op)
{
#define OP_NAME(name, value, text) [value] = text,
    static const char *const names[] = { COHORT_REDUCE_OPS(OP_NAME) };
    return names[op];
}

static void reduce_one(cohort_strategy *s, cohort_reduce_op op, cohort_value *x, int axis,
                       const char *name)
{
    cohort_value *into = make_empty(s);
    must(cohort_reduce(op, x, axis, into) == COHORT_OK, name);
    note_value(name, into);
    cohort_value_destroy(into);
}

static void reduce_sizes(cohort_strategy *s)
{
    static const int64_t sizes[] = { 1, 7, 40, 5000, 100000 };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        cohort_value *x = make_flat(s, COHORT_F32, sizes[i], i);
        for (uint32_t op = next_real_op(0); op != 0; op = next_real_op(op))
            reduce_one(s, (cohort_reduce_op)op, x, COHORT_NO_AXIS,
                       named("%s of %d float32", op_name((cohort_reduce_op)op), (int)sizes[i]));
        cohort_value_destroy(x);
    }
}

/* Of `n` elements each, where only the last replica may have none. */
typedef struct small {
    int64_t n;
    uint64_t seed;
    bool is_last_absent;
} small;

static cohort_status make_small(int replica, int num_replicas, cohort_array *out, void *user)
{
    const small *d = user;
    bool is_absent = d->is_last_absent && replica > 0 && replica == num_replicas - 1;
    *out = (cohort_array){
        .data = room, .dtype = COHORT_F32, .rank = 2, .shape = { is_absent ? 0 : 1, d->n }
    };
    fill(COHORT_F32, d->seed, (uint64_t)replica, elements_of(out), room);
    return COHORT_OK;
}

/* Small sums need one meeting where all workers find the same (cohort_workers_offer), and are made
 * as others where one of them does not; then, for some 256 meetings, all are. */
static void reduce_small(cohort_strategy *s)
{
    static const int64_t sizes[] = { 1, 100, 965, 1000, 7000 };
    cohort_value *into = make_empty(s);
    for (int i = 0; i < 420; i++) {
        small d = { sizes[i % 5], (uint64_t)i, i == 7 || i == 12 };
        cohort_value *x = cohort_value_from_function(s, make_small, &d);
        must(x != NULL, "a small value is made");
        must(cohort_reduce(i % 2 == 0 ? COHORT_SUM : COHORT_MEAN, x, COHORT_NO_AXIS, into) ==
                 COHORT_OK,
             "a small sum");
        note_value(named("small sum %d of %d elements", i, (int)d.n), into);
        cohort_value_destroy(x);
    }
    cohort_value_destroy(into);
}

/* Roots of few elements are noted, others cross whole, or in slices. */
static void reduce_many_roots(cohort_strategy *s)
{
    enum { LISTED = 4 };
    static const int64_t sizes[LISTED] = { 3, 300, 1000, 9001 };
    cohort_value *x[LISTED], *into[LISTED];
    for (int i = 0; i < LISTED; i++) {
        x[i] = make_flat(s, i == 1 ? COHORT_F64 : COHORT_F32, sizes[i], (uint64_t)(400 + i));
        into[i] = make_empty(s);
        for (uint32_t op = next_sum_op(0); op != 0; op = next_sum_op(op))
            reduce_one(
                s, (cohort_reduce_op)op, x[i], COHORT_NO_AXIS,
                named("%s of %d from many roots", op_name((cohort_reduce_op)op), (int)sizes[i]));
    }
    must(cohort_reduce_list(COHORT_SUM, x, LISTED, COHORT_NO_AXIS, into) == COHORT_OK,
         "a list is reduced from many roots");
    for (int i = 0; i < LISTED; i++)
        note_value(named("entry %d of a list from many roots", i), into[i]);
}

static void reduce_dtypes(cohort_strategy *s)
{
    static const cohort_dtype dtypes[] = { COHORT_F64, COHORT_I32, COHORT_I64, COHORT_F16,
                                           COHORT_BF16 };
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++)
        for (int64_t n = 40; n <= 20000; n += 19960) {
            cohort_value *x = make_flat(s, dtypes[i], n, 10 + i);
            for (uint32_t op = next_sum_op(0); op != 0; op = next_sum_op(op))
                reduce_one(s, (cohort_reduce_op)op, x, COHORT_NO_AXIS,
                           named("%s of %d %s", op_name((cohort_reduce_op)op), (int)n,
                                 cohort_dtype_name(dtypes[i])));
            cohort_value_destroy(x);
        }
}

static void reduce_axes(cohort_strategy *s)
{
    for (int axis = 0; axis < 2; axis++) {
        cohort_value *x = make_ragged(s, axis, 20);
        NOTE_OWN(named("components that differ along axis %d", axis), x);
        for (uint32_t op = next_real_op(0); op != 0; op = next_real_op(op))
            reduce_one(s, (cohort_reduce_op)op, x, axis,
                       named("%s along axis %d", op_name((cohort_reduce_op)op), axis));
        reduce_one(s, COHORT_SUM, x, axis - 2, named("sum along axis %d", axis - 2));
    }
}

static cohort_status weigh(int replica, int n, cohort_array *out, void *user)
{
    static float weight;
    (void)n;
    (void)user;
    weight = 0.3F + (float)replica;
    *out = (cohort_array){ .data = &weight, .dtype = COHORT_F32 };
    return COHORT_OK;
}

/* One weight for each replica, elementwise and along an axis. */
static void reduce_weighed(cohort_strategy *s)
{
    static const int32_t axis = 0;
    cohort_value *into = make_empty(s), *weights = cohort_value_from_function(s, weigh, NULL);
    for (uint32_t op = next_sum_op(0); op != 0; op = next_sum_op(op))
        for (int n = 0; n < 2; n++) {
            cohort_value *x = n == 0 ? make_flat(s, COHORT_F32, 50, 27) : make_ragged(s, 0, 20);
            must(cohort_reduce_with(
                     (cohort_reduce_op)op, x,
                     &(cohort_reduce_options){ .axes = &axis, .n_axes = n, .weights = weights },
                     into) == COHORT_OK,
                 "a reduction with weights");
            note_value(named("weighed %s along %d axes", op_name((cohort_reduce_op)op), n), into);
        }
}

static cohort_status weigh_halves(int replica, int n, cohort_array *out, void *user)
{
    static uint16_t weight;
    const cohort_dtype dtype = *(const cohort_dtype *)user;
    const float wide = 0.3F + (float)replica;
    (void)n;
    *out = (cohort_array){ .data = &weight, .dtype = dtype };
    return cohort_dtype_convert(COHORT_F32, &wide, dtype, &weight);
}

/* Means of 16 bits cross in float32: along an axis, weighed, of a list, beside others. */
static void reduce_halves_of(cohort_strategy *s, cohort_dtype dtype)
{
    enum { LISTED = 3 };
    static const int32_t axis = 0;
    const char *name = cohort_dtype_name(dtype);
    cohort_value *ragged = make(s, (data){ dtype, 2, { 3, 3 }, 0, 500 }),
                 *flat = make_flat(s, dtype, 70, 501), *into[LISTED], *weights;
    cohort_value *const x[LISTED] = { flat, make_flat(s, COHORT_F32, 70, 502), ragged };
    for (int i = 0; i < LISTED; i++)
        into[i] = make_empty(s);
    for (uint32_t op = next_real_op(0); op != 0; op = next_real_op(op))
        reduce_one(s, (cohort_reduce_op)op, ragged, axis,
                   named("%s of %s along an axis", op_name((cohort_reduce_op)op), name));
    weights = cohort_value_from_function(s, weigh_halves, &dtype);
    for (uint32_t op = next_sum_op(0); op != 0; op = next_sum_op(op))
        for (int n = 0; n < 2; n++) {
            must(cohort_reduce_with(
                     (cohort_reduce_op)op, n == 0 ? flat : ragged,
                     &(cohort_reduce_options){ .axes = &axis, .n_axes = n, .weights = weights },
                     into[0]) == COHORT_OK,
                 "a reduction of 16 bits with weights");
            note_value(
                named("weighed %s of %s along %d axes", op_name((cohort_reduce_op)op), name, n),
                into[0]);
        }
    must(cohort_reduce_list(COHORT_MEAN, x, 2, COHORT_NO_AXIS, into) == COHORT_OK &&
             cohort_reduce(COHORT_MEAN, ragged, axis, into[2]) == COHORT_OK,
         "means of 16 bits in a list");
    for (int i = 0; i < LISTED; i++)
        note_value(named("entry %d of means of %s", i, name), into[i]);
}

static void reduce_halves(cohort_strategy *s)
{
    reduce_halves_of(s, COHORT_F16);
    reduce_halves_of(s, COHORT_BF16);
    reduce_halves_of(s, COHORT_F8_E4M3);
    reduce_halves_of(s, COHORT_F8_E5M2);
}

static void reduce_bits(cohort_strategy *s)
{
    static const cohort_dtype dtypes[] = { COHORT_U8, COHORT_I32, COHORT_U64 };
    static const cohort_reduce_op ops[] = { COHORT_BAND, COHORT_BOR, COHORT_BXOR };
    for (size_t d = 0; d < sizeof dtypes / sizeof *dtypes; d++) {
        cohort_value *x = make(s, (data){ dtypes[d], 2, { 3, 3 }, 0, 510 + d }),
                     *flat = make_flat(s, dtypes[d], 70, 520 + d);
        for (size_t o = 0; o < sizeof ops / sizeof *ops; o++) {
            const char *name = cohort_dtype_name(dtypes[d]);
            reduce_one(s, ops[o], x, 0, named("%s of %s along an axis", op_name(ops[o]), name));
            reduce_one(s, ops[o], flat, COHORT_NO_AXIS, named("%s of %s", op_name(ops[o]), name));
        }
        cohort_value_destroy(x);
        cohort_value_destroy(flat);
    }
}

static cohort_status some_moments(int replica, int n, cohort_array *out, void *user)
{
    moments *all = (moments *)(void *)room;
    memset(all, 0, WIDTH * sizeof *all); /* the bytes between members, too */
    for (int i = 0; i < WIDTH; i++) {
        all[i].mean = replica * 0.7 + i;
        all[i].n = (float)(1 + replica % 3);
    }
    (void)n;
    *out = COHORT_ARRAY(all, *(int *)user == 1 && replica == 2 ? 0 : WIDTH);
    return COHORT_OK;
}

/* By functions of the program. */
static void reduce_by_function(cohort_strategy *s)
{
    static const int64_t sizes[] = { 0, 1, 60, 20000 };
    cohort_value *into = make_empty(s);
    const cohort_reduce_options by_mix = { .combine = mix }, by_pool = { .combine = pool };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        cohort_value *x = make_flat(s, COHORT_F32, sizes[i], 190 + i);
        must(cohort_reduce_with(0, x, &by_mix, into) == COHORT_OK, "a function combines");
        note_value(named("%d float32 combined by a function", (int)sizes[i]), into);
    }
    for (int is_absent = 0; is_absent < 2; is_absent++) {
        cohort_value *x = cohort_value_from_function(s, some_moments, &is_absent);
        moments found[WIDTH];
        must(x != NULL && cohort_reduce_with(0, x, &by_pool, into) == COHORT_OK &&
                 cohort_value_read(into, COHORT_ARRAY(found, WIDTH)) == COHORT_OK,
             "a function combines structs");
        for (int i = 0; i < WIDTH; i++) {
            note(named("mean of struct %d, %d absent", i, is_absent), &found[i].mean,
                 sizeof(double));
            note(named("number of struct %d, %d absent", i, is_absent), &found[i].n, sizeof(float));
        }
    }
    cohort_value *one = cohort_value_number(s, 0.3F);
    must(one != NULL && cohort_reduce_with(0, COHORT_REPEATED(one),
                                           &(cohort_reduce_options){ .combine = mix_double },
                                           into) == COHORT_OK,
         "a function combines what is not per replica");
    note_value("a number combined by a function", into);
}

/* What is not per replica counts once, of all workers, or once for each replica. */
static void reduce_plain(cohort_strategy *s)
{
    float local[WIDTH];
    cohort_value *into = make_empty(s);
    fill(COHORT_F32, 25, 0, WIDTH, local);
    cohort_value *plain = cohort_value_plain(s, COHORT_ARRAY(local, WIDTH));
    must(plain != NULL, "a plain value is made");
    for (uint32_t op = next_real_op(0); op != 0; op = next_real_op(op)) {
        must(cohort_reduce((cohort_reduce_op)op, COHORT_REPEATED(plain), COHORT_NO_AXIS, into) ==
                 COHORT_OK,
             "a plain value is contributed by all");
        note_value(named("%s of a plain value of all", op_name((cohort_reduce_op)op)), into);
        must(cohort_reduce((cohort_reduce_op)op, COHORT_ONCE(plain), 0, into) == COHORT_OK,
             "or once");
        note_value(named("%s of a plain value once", op_name((cohort_reduce_op)op)), into);
    }
    must(cohort_reduce(COHORT_SUM, COHORT_REPEATED(0.1), COHORT_NO_AXIS, into) == COHORT_OK,
         "sum of a number");
    note_value("sum of a number", into);
    must(cohort_reduce(COHORT_SUM, plain, 0, into) == COHORT_EINVAL &&
             cohort_strategy_recover(s) == COHORT_OK,
         "of which nobody says how often it counts");
    must(cohort_reduce(COHORT_MEAN, COHORT_ARRAY(local, WIDTH), COHORT_NO_AXIS, into) == COHORT_OK,
         "mean of an array");
    note_value("mean of an array", into);
}

static void reduce_lists(cohort_strategy *s)
{
    static const int64_t sizes[] = { 1, 50, 9000 };
    cohort_value *x[3], *into[3];
    for (int i = 0; i < 3; i++) {
        x[i] = make_flat(s, COHORT_F32, sizes[i], (uint64_t)(30 + i));
        into[i] = make_empty(s);
    }
    for (uint32_t op = next_sum_op(0); op != 0; op = next_sum_op(op)) {
        const char *text = op_name((cohort_reduce_op)op);
        must(cohort_reduce_list((cohort_reduce_op)op, x, 3, COHORT_NO_AXIS, into) == COHORT_OK,
             "a list is reduced");
        for (int i = 0; i < 3; i++)
            note_value(named("%s of entry %d of a list", text, i), into[i]);
    }
    must(cohort_reduce_list(COHORT_SUM, x, 3, 0, into) == COHORT_OK,
         "a list is reduced along an axis");
    for (int i = 0; i < 3; i++)
        note_value(named("sum along axis 0 of entry %d of a list", i), into[i]);
}

/* Values without rows on some replicas: none, every second one, all but the first or the last.
 * Extents along the axis differ. */
enum { GAPS = 4 };
typedef struct gappy {
    int64_t n;
    uint64_t seed;
    int gap, axis; /* -1: no axis */
} gappy;

static bool is_absent(int gap, int replica)
{
    return (gap == 1 && replica % 2 == 1) || (gap == 2 && replica > 0) ||
           (gap == 3 && replica < replicas - 1);
}

static cohort_status make_gappy(int replica, int num_replicas, cohort_array *out, void *user)
{
    const gappy *d = user;
    (void)num_replicas;
    *out = (cohort_array){ .data = room, .dtype = COHORT_F32, .rank = 2, .shape = { 2, d->n } };
    if (d->axis == 0)
        out->shape[0] = 1 + replica % 3;
    if (d->axis == 1)
        out->shape[1] = d->n + replica % 4;
    if (is_absent(d->gap, replica))
        out->shape[0] = 0;
    fill(COHORT_F32, d->seed, (uint64_t)replica, elements_of(out), room);
    return COHORT_OK;
}

static void reduce_gappy_list(cohort_strategy *s, int axis, int n)
{
    static const int64_t sizes[] = { 1, 40, 600, 9000 };
    cohort_value *x[2 * GAPS * 4], *into[2 * GAPS * 4];
    for (int i = 0; i < n; i++) {
        gappy d = { sizes[i / GAPS % 4], (uint64_t)(500 + i), i % GAPS, axis };
        x[i] = cohort_value_from_function(s, make_gappy, &d);
        must(x[i] != NULL, "a value with gaps is made");
        into[i] = make_empty(s);
    }
    for (uint32_t op = next_real_op(0); op != 0; op = next_real_op(op)) {
        must(cohort_reduce_list((cohort_reduce_op)op, x, n, axis < 0 ? COHORT_NO_AXIS : axis,
                                into) == COHORT_OK,
             "a list with gaps is reduced");
        for (int i = 0; i < n; i++)
            note_value(named("%s along %d of entry %d of %d with gaps",
                             op_name((cohort_reduce_op)op), axis, i, n),
                       into[i]);
    }
    for (int i = 0; i < n; i++) {
        cohort_value_destroy(x[i]);
        cohort_value_destroy(into[i]);
    }
}

/* Less than one meeting is for, and more. */
static void reduce_gappy_lists(cohort_strategy *s)
{
    for (int axis = -1; axis < 2; axis++) {
        reduce_gappy_list(s, axis, GAPS);
        reduce_gappy_list(s, axis, 2 * GAPS * 4);
    }
}

static const char *first_device(cohort_strategy *s)
{
    const cohort_device *device = NULL;
    must(cohort_strategy_devices(s, &device, 1) >= 1, "there is a device");
    return cohort_device_id(device);
}

/* More values than one meeting is for, of sizes that fit into it, that go whole, in slices, and
 * alone; bytes in front of doubles, and means of integers, which are divided behind their sum. */
static void reduce_long_lists(cohort_strategy *s)
{
    enum { LONG = 70, ALONE = 33 };
    static const cohort_dtype dtypes[] = { COHORT_U8, COHORT_F64, COHORT_F32 };
    static const int64_t sizes[] = { 3, 7, 40, 1500, 20000 };
    cohort_value *x[LONG], *into[LONG];
    for (int i = 0; i < LONG; i++) {
        int64_t size = i == ALONE ? (4 << 20) / 8 + 1 : sizes[i % 5];
        x[i] = make_flat(s, i == ALONE ? COHORT_F64 : dtypes[i % 3], size, (uint64_t)(300 + i));
        into[i] = make_empty(s);
    }
    for (uint32_t op = next_sum_op(0); op != 0; op = next_sum_op(op)) {
        must(cohort_reduce_list((cohort_reduce_op)op, x, LONG, COHORT_NO_AXIS, into) == COHORT_OK,
             "a long list is reduced");
        for (int i = 0; i < LONG; i++)
            note_value(named("%s of entry %d of a long list", op_name((cohort_reduce_op)op), i),
                       into[i]);
    }
    for (int i = 0; i < LONG; i++) {
        cohort_value_destroy(x[i]);
        cohort_value_destroy(into[i]);
    }
}

static void reduce_to(cohort_strategy *s)
{
    static const int64_t sizes[] = { 1, 60, 7000 };
    cohort_value *x[3], *into[3];
    cohort_argument at[3];
    for (int i = 0; i < 3; i++) {
        x[i] = make_flat(s, COHORT_F32, sizes[i], (uint64_t)(40 + i));
        into[i] = make_empty(s);
        at[i] = COHORT_AT(first_device(s));
    }
    must(cohort_reduce_to(COHORT_SUM, x[2], COHORT_AT(first_device(s)), into[2]) == COHORT_OK,
         "a value is reduced to a device");
    note_value("sum to a device", into[2]);
    must(cohort_reduce_to(COHORT_MEAN, x[1], COHORT_AT(into[2]), into[1]) == COHORT_OK,
         "a value is reduced to where another one lies");
    note_value("mean to where a value lies", into[1]);
    must(cohort_batch_reduce_to(COHORT_SUM, 3, x, at, into) == COHORT_OK,
         "several values are reduced to a device");
    for (int i = 0; i < 3; i++)
        note_value(named("entry %d of several to a device", i), into[i]);
}

static void gathers(cohort_strategy *s)
{
    for (int axis = 0; axis < 2; axis++) {
        cohort_value *x = make_ragged(s, axis, 50), *into = make_empty(s);
        must(cohort_gather(x, axis, into) == COHORT_OK, "a value is gathered");
        note_value(named("gather along axis %d", axis), into);
        cohort_value *even = make(s, (data){ COHORT_I64, 2, { 40, 30 }, -1, 51 });
        must(cohort_gather(even, axis, into) == COHORT_OK, "an even value is gathered");
        note_value(named("even gather along axis %d", axis), into);
    }
}

/* ------------------------------------------------------------------ runs and values */

static void runs(cohort_strategy *s)
{
    cohort_value *y = make_empty(s), *into = make_empty(s);
    float each[MAX_REPLICAS];
    for (int64_t total = 3; total <= 1000; total += 997) { /* 3: not all replicas are launched */
        must(cohort_run(s, where_am_i, COHORT_REPLICA_ID, COHORT_NUM_REPLICAS, COHORT_FIRST_ROW, y,
                        COHORT_NAMED(n, COHORT_SHARE(total))) == COHORT_OK,
             "a function runs on shares");
        NOTE_OWN(named("own shares of %d", (int)total), y);
        must(cohort_gather(y, 0, into) == COHORT_OK, "shares are gathered");
        note_value(named("shares of %d", (int)total), into);
    }
    fill(COHORT_F32, 60, 0, replicas, each);
    y = make_empty(s);
    must(cohort_run(s, spread, COHORT_EACH (COHORT_ARRAY(each, replicas)), y,
                    COHORT_NAMED(n, COHORT_SHARE(100))) == COHORT_OK,
         "a function gets a number for each replica");
    must(cohort_gather(y, 0, into) == COHORT_OK, "its results are gathered");
    note_value("a number for each replica", into);
    reduce_one(s, COHORT_SUM, y, 0, "sum along axis 0 of results");
    cohort_value *x = make_ragged(s, 0, 61);
    must(cohort_run(s, number_rows, COHORT_FIRST_ROW, x, y) == COHORT_OK,
         "a function gets the place of its rows among those of all");
    NOTE_OWN("own rows, numbered", y);
}

/* In a step function replicas meet for it: of rows from before, of rows that the step has just
 * made, in updates of components, and in a merge call. */
typedef struct numbering {
    cohort_value *x, *made, *numbers[3];
    cohort_variable *begins;
} numbering;

static cohort_status number_made(cohort_strategy *s, void *const user[], int n)
{
    const numbering *j = user[n - 1];
    return cohort_run(s, number_rows, COHORT_FIRST_ROW, j->made, j->numbers[2]);
}

static cohort_status number_in_step(cohort_replica *me, void *user)
{
    numbering *j = user;
    int id = cohort_replica_id(me);
    (void)cohort_replica_run(me, number_rows, COHORT_FIRST_ROW, j->x, j->numbers[0]);
    for (int round = 0; round < 2; round++) {
        (void)cohort_replica_run(me, grow, (float)id, j->made,
                                 COHORT_NAMED(n, (7 * id + 3 + round) % 5));
        (void)cohort_replica_run(me, number_rows, COHORT_FIRST_ROW, j->made, j->numbers[1]);
        (void)cohort_replica_update(me, j->begins, add_first, COHORT_FIRST_ROW, j->made, j->begins);
    }
    return cohort_merge_call(me, number_made, j);
}

static void numbers(cohort_strategy *s)
{
    static const int64_t zeros[2];
    numbering j = { .x = make_ragged(s, 0, 62), .made = make_empty(s) };
    for (int i = 0; i < 3; i++)
        j.numbers[i] = make_empty(s);
    j.begins =
        cohort_variable_create(s, "nu/begins", COHORT_ARRAY(zeros, 2),
                               &(cohort_variable_options){ .synchronization = COHORT_ON_READ,
                                                           .aggregation = COHORT_AGGREGATE_SUM });
    must(j.begins != NULL, "a variable of components is made");
    must(cohort_for_each_replica(s, number_in_step, &j) == COHORT_OK,
         "replicas get the place of their rows among those of all");
    for (int i = 0; i < 3; i++)
        NOTE_OWN(named("own rows, numbered in a step, %d", i), j.numbers[i]);
    must(cohort_update(j.begins, add_first, COHORT_FIRST_ROW, j.x, j.begins) == COHORT_OK,
         "so do updates of components");
    note_variable("first rows, added up", j.begins);
}

/* Rows of the replicas of this process are told, those of others are refused. */
static void check_rows(cohort_value *x, const int64_t rows[])
{
    for (int r = 0; r < replicas; r++) {
        const bool is_own = r >= own_first && r < own_first + own_count;
        int64_t shape[COHORT_MAX_RANK] = { -1 };
        const int64_t rows_found = cohort_value_rows(x, r);
        const int rank_found = cohort_value_shape(x, r, NULL, shape);
        if (pass == 1 || is_own)
            must(rows_found == rows[r] && rank_found == 2 && shape[0] == rows[r],
                 named("own replica %d has %d rows, not %d", r, (int)rows[r], (int)rows_found));
        else
            must(rows_found == -1 && rank_found == -1, "replicas of other workers are refused");
    }
    must(cohort_value_rows(x, replicas) == -1, "a replica that there is not has no rows");
}

/* cohort_value_read gives the rows of this process. */
static void note_own_rows(const char *name, cohort_value *x, const int64_t rows[], int64_t width)
{
    int64_t before = 0, own = 0, all = 0;
    for (int r = 0; r < replicas; r++) {
        before += r < own_first ? rows[r] : 0;
        own += r >= own_first && r < own_first + own_count ? rows[r] : 0;
        all += rows[r];
    }
    float *found = (float *)(void *)room;
    const int64_t n = pass == 0 ? own : all;
    must(cohort_value_read(x, COHORT_ARRAY(found, n, width)) == COHORT_OK, name);
    note(name, found + (pass == 0 ? 0 : before * width), (size_t)(own * width) * sizeof *found);
}

static void split_checked(cohort_strategy *s, const char *name, cohort_value *x,
                          const int64_t rows[])
{
    cohort_value *into = make_empty(s);
    check_rows(x, rows);
    note_own_rows(named("%s, read", name), x, rows, WIDTH);
    NOTE_OWN(named("%s, local results", name), x);
    must(cohort_gather(x, 0, into) == COHORT_OK, name);
    note_value(named("%s, gathered", name), into);
    reduce_one(s, COHORT_SUM, x, 0, named("%s, sum along axis 0", name));
}

/* "Of a plain value: any replica." */
static void shapes(cohort_strategy *s)
{
    float local[WIDTH] = { 0 };
    cohort_value *x = make_flat(s, COHORT_F32, WIDTH, 65), *into = make_empty(s);
    cohort_value *plain = cohort_value_plain(s, COHORT_ARRAY(local, WIDTH));
    must(cohort_reduce(COHORT_SUM, x, COHORT_NO_AXIS, into) == COHORT_OK && plain != NULL,
         "plain values are made");
    for (int r = 0; r < replicas; r++) {
        int64_t shape[COHORT_MAX_RANK] = { -1 };
        must(cohort_value_shape(into, r, NULL, shape) == 1 && shape[0] == WIDTH,
             "the shape of a sum is told for any replica");
        must(cohort_value_rows(into, r) == WIDTH, "so are its rows");
        must(cohort_value_shape(plain, r, NULL, shape) == 1 && shape[0] == WIDTH,
             "the shape of a plain value is told for any replica");
        must(cohort_value_rows(plain, r) == WIDTH, "so are the rows of that");
    }
    note("shapes of plain values", local, sizeof local);
}

static void even_rows(int64_t n, int64_t rows[])
{
    for (int r = 0; r < replicas; r++)
        rows[r] = n / replicas + (r < n % replicas);
}

static void splits(cohort_strategy *s)
{
    static float local[37 * WIDTH];
    int64_t rows[MAX_REPLICAS], left = 37;
    fill(COHORT_F32, 70, 0, 37 * WIDTH, local);
    cohort_value *x = cohort_value_split(s, COHORT_ARRAY(local, 37, WIDTH));
    must(x != NULL, "an array is split");
    even_rows(37, rows);
    split_checked(s, "split of 37 rows", x, rows);
    even_rows(11, rows);
    must(cohort_value_set(x, COHORT_ARRAY(local + 10, 11, WIDTH)) == COHORT_OK, "it is set");
    split_checked(s, "split of 11 rows", x, rows);
    for (int r = 0; r < replicas; r++) {
        rows[r] = r + 1 == replicas ? left : r == 2 ? 0 : r + 1;
        left -= rows[r];
    }
    x = cohort_value_split_by(s, COHORT_ARRAY(local, 37, WIDTH), rows);
    must(x != NULL, "an array is split by counts");
    split_checked(s, "split by counts", x, rows);
}

static void given(cohort_strategy *s)
{
    static float local[MAX_REPLICAS][6 * WIDTH];
    int64_t rows[MAX_REPLICAS];
    cohort_array parts[MAX_REPLICAS];
    for (int r = 0; r < replicas; r++) {
        rows[r] = r == 2 ? 0 : 1 + r % 6;
        fill(COHORT_F32, 71, (uint64_t)r, 6 * WIDTH, local[r]);
        parts[r] = COHORT_ARRAY(local[r], rows[r], WIDTH);
    }
    cohort_value *x = cohort_value_per_replica(s, parts);
    must(x != NULL, "an array is given for each replica");
    split_checked(s, "an array for each replica", x, rows);
}

/* ------------------------------------------------------------------ variables */

static cohort_variable *make_variable(cohort_strategy *s, const char *name,
                                      const cohort_variable_options *options)
{
    float initial[WIDTH];
    fill(COHORT_F32, 80, 0, WIDTH, initial);
    for (int i = 0; i < WIDTH && pass == 0; i++)
        initial[i] += (float)rank; /* that of worker 0 counts */
    cohort_variable *variable =
        cohort_variable_create(s, name, COHORT_ARRAY(initial, WIDTH), options);
    must(variable != NULL, "a variable is made");
    return variable;
}

static cohort_variable *make_with(cohort_strategy *s, const char *name,
                                  cohort_synchronization synchronization,
                                  cohort_aggregation aggregation)
{
    return make_variable(s, name,
                         &(cohort_variable_options){ .synchronization = synchronization,
                                                     .aggregation = aggregation });
}

static void updates(cohort_strategy *s)
{
    cohort_variable *w = make_variable(s, "w", NULL), *u = make_variable(s, "u", NULL);
    cohort_value *into = make_empty(s);
    note_variable("initial content", w);
    must(cohort_local_results(w, components, MAX_REPLICAS) == cohort_strategy_devices(s, NULL, 0),
         "there is one copy on a device");
    note_digest("initial content of a copy", digest_of_array(empty_digest, &components[0]));
    for (int step = 0; step < 3; step++) {
        cohort_value *x = make_flat(s, COHORT_F32, WIDTH, (uint64_t)(90 + step));
        must(cohort_reduce(COHORT_MEAN, x, COHORT_NO_AXIS, into) == COHORT_OK &&
                 cohort_update(w, descend, 0.1F, into, w) == COHORT_OK,
             "a variable is updated");
        note_variable(named("updated, step %d", step), w);
    }
    must(cohort_variable_assign(u, w) == COHORT_OK, "a variable is assigned");
    note_variable("assigned from a variable", u);
    must(cohort_variable_assign_add(u, into) == COHORT_OK, "a value is added to a variable");
    note_variable("a value was added", u);
    must(cohort_variable_assign(u, COHORT_ARRAY(((const float[]){ 1, 2, 3, 4, 5 }), WIDTH)) ==
             COHORT_OK,
         "an array is assigned to a variable");
    must(cohort_variable_assign_sub(u, 0.7) == COHORT_OK, "a number is subtracted");
    note_variable("a number was subtracted", u);
    must(cohort_reduce(COHORT_SUM, COHORT_REPEATED(w), COHORT_NO_AXIS, into) == COHORT_OK,
         "a variable is reduced");
    note_value("sum of a variable", into);
    const int64_t count = cohort_variable_updates(u);
    note("number of updates", &count, sizeof count);
}

/* The calls in its steps are not looked at: one that fails is the error of the step. */
typedef struct job {
    cohort_variable *sum, *mean, *count, *first, *first_read;
    cohort_value *x;
    cohort_value *list[3], *set, *into, *from_variable, *ragged, *gathered, *gathered_plain;
    cohort_value *ids, *rows, *merged;
} job;

static cohort_status write_components(cohort_replica *me, void *user)
{
    const job *j = user;
    const int id = cohort_replica_id(me);
    float local[WIDTH];
    fill(COHORT_F32, 100, (uint64_t)id, WIDTH, local);
    must(cohort_replica_count(me) == replicas, "a replica knows how many there are");
    (void)cohort_variable_assign(j->sum, COHORT_ARRAY(local, WIDTH));
    (void)cohort_variable_assign_add(j->sum, j->x);
    (void)cohort_variable_assign(j->mean, j->x);
    (void)cohort_variable_assign_sub(j->mean, 0.1 * id);
    (void)cohort_variable_assign_add(j->count, id + 1);
    return COHORT_OK;
}

static void note_on_read(const char *when, job *j)
{
    note_variable(named("ON_READ sum, %s", when), j->sum);
    note_variable(named("ON_READ mean, %s", when), j->mean);
    note_variable(named("ON_READ int32 sum, %s", when), j->count);
    NOTE_OWN(named("ON_READ sum, components, %s", when), j->sum);
    NOTE_OWN(named("ON_READ mean, components, %s", when), j->mean);
    NOTE_OWN(named("ON_READ int32 sum, components, %s", when), j->count);
}

static void on_read(cohort_strategy *s)
{
    cohort_value *into = make_empty(s);
    job j = { .sum = make_with(s, "or/sum", COHORT_ON_READ, COHORT_AGGREGATE_SUM),
              .mean = make_with(s, "or/mean", COHORT_ON_READ, COHORT_AGGREGATE_MEAN),
              .x = make_flat(s, COHORT_F32, WIDTH, 101) };
    j.count =
        cohort_variable_create(s, "or/count", COHORT_ARRAY((int32_t *)NULL, 1),
                               &(cohort_variable_options){ .synchronization = COHORT_ON_READ,
                                                           .aggregation = COHORT_AGGREGATE_SUM });
    must(j.count != NULL, "a variable of int32 is made");
    note_on_read("at first", &j);
    must(cohort_for_each_replica(s, write_components, &j) == COHORT_OK,
         "replicas write their components");
    note_on_read("written", &j);
    must(cohort_reduce(COHORT_MAX, j.sum, COHORT_NO_AXIS, into) == COHORT_OK,
         "an ON_READ variable is reduced");
    note_value("max of an ON_READ variable", into);
    must(cohort_gather(j.sum, 0, into) == COHORT_OK, "an ON_READ variable is gathered");
    note_value("gather of an ON_READ variable", into);
    must(cohort_variable_assign_add(j.sum, 2.7) == COHORT_OK &&
             cohort_variable_assign_sub(j.mean, 0.3) == COHORT_OK &&
             cohort_variable_assign_add(j.count, 5) == COHORT_OK,
         "something is added from outside");
    note_on_read("added to from outside", &j);
    must(cohort_variable_assign_add(j.sum, j.mean) == COHORT_OK &&
             cohort_variable_assign_sub(j.sum, j.sum) == COHORT_OK,
         "an ON_READ variable is added from outside");
    note_on_read("a variable added to from outside", &j);
    must(cohort_update(j.sum, descend, 0.3F, j.x, j.sum) == COHORT_OK, "components are updated");
    note_on_read("updated", &j);
    must(cohort_variable_assign(j.mean, j.sum) == COHORT_OK &&
             cohort_variable_assign(j.sum, 1.1) == COHORT_OK &&
             cohort_variable_assign(j.count, 7) == COHORT_OK,
         "something is assigned from outside");
    note_on_read("assigned from outside", &j);
}

static cohort_status write_together(cohort_replica *me, void *user)
{
    const job *j = user;
    float local[WIDTH], found[WIDTH];
    fill(COHORT_F32, 110, (uint64_t)cohort_replica_id(me), WIDTH, local);
    (void)cohort_variable_assign(j->sum, j->x);
    (void)cohort_variable_assign_add(j->sum, COHORT_ARRAY(local, WIDTH));
    (void)cohort_variable_assign_sub(j->sum, 0.1);
    (void)cohort_variable_assign(j->mean, COHORT_ARRAY(local, WIDTH));
    (void)cohort_variable_assign_add(j->mean, j->x);
    (void)cohort_variable_assign(j->first, COHORT_ARRAY(local, WIDTH));
    (void)cohort_variable_assign_add(j->first, j->x);
    (void)cohort_variable_assign(j->first_read, j->x);
    (void)cohort_variable_read(j->mean, COHORT_ARRAY(found, WIDTH));
    (void)cohort_replica_set(me, j->set, COHORT_ARRAY(found, WIDTH));
    return COHORT_OK;
}

static void on_write(cohort_strategy *s)
{
    job j = { .sum = make_with(s, "ow/sum", COHORT_ON_WRITE, COHORT_AGGREGATE_SUM),
              .mean = make_with(s, "ow/mean", COHORT_ON_WRITE, COHORT_AGGREGATE_MEAN),
              .first =
                  make_with(s, "ow/first", COHORT_ON_WRITE, COHORT_AGGREGATE_ONLY_FIRST_REPLICA),
              .first_read =
                  make_with(s, "or/first", COHORT_ON_READ, COHORT_AGGREGATE_ONLY_FIRST_REPLICA),
              .x = make_flat(s, COHORT_F32, WIDTH, 111),
              .set = make_empty(s) };
    for (int step = 0; step < 2; step++) {
        must(cohort_for_each_replica(s, write_together, &j) == COHORT_OK,
             "replicas write a variable together");
        note_variable(named("ON_WRITE sum, step %d", step), j.sum);
        note_variable(named("ON_WRITE mean, step %d", step), j.mean);
        note_variable(named("ON_WRITE of the first replica, step %d", step), j.first);
        note_variable(named("ON_READ of the first replica, step %d", step), j.first_read);
        NOTE_OWN(named("ON_WRITE mean as replicas read it, step %d", step), j.set);
    }
    must(cohort_variable_assign_add(j.mean, 1.3) == COHORT_OK, "from outside to every copy");
    note_variable("ON_WRITE mean, added to from outside", j.mean);
}

/* ------------------------------------------------------------------ step functions */

static cohort_status merge(cohort_strategy *s, void *const user[], int num_replicas)
{
    const job *j = user[0]; /* all passed the same */
    (void)s;
    (void)num_replicas;
    (void)cohort_reduce(COHORT_SUM, j->x, COHORT_NO_AXIS, j->merged);
    (void)cohort_variable_assign_add(j->sum, j->merged);
    return COHORT_OK;
}

static cohort_status meet(cohort_replica *me, void *user)
{
    job *j = user;
    float local[WIDTH];
    fill(COHORT_F32, 120, (uint64_t)cohort_replica_id(me), WIDTH, local);
    (void)cohort_all_reduce(me, COHORT_SUM, j->list, 3);
    (void)cohort_replica_set(me, j->set, COHORT_ARRAY(local, WIDTH));
    (void)cohort_all_reduce(me, COHORT_MEAN, &j->set, 1);
    (void)cohort_all_reduce_into(me, COHORT_SUM, j->x, j->into);
    (void)cohort_all_reduce_into(me, COHORT_MAX, j->mean, j->from_variable);
    (void)cohort_barrier(me);
    (void)cohort_all_gather(me, j->ragged, 0, j->gathered);
    (void)cohort_all_gather(me, j->count, 0, j->gathered_plain);
    (void)cohort_all_reduce_slices(me, COHORT_SUM, j->ids, j->rows);
    return COHORT_OK;
}

static cohort_status pause_all(cohort_replica *me, void *user)
{
    job *j = user;
    (void)cohort_merge_call(me, merge, j);
    (void)cohort_replica_update(me, j->sum, descend, 0.5F, j->merged, j->sum);
    (void)cohort_replica_run(me, spread, (float)cohort_replica_id(me) + 0.1F, j->into,
                             COHORT_NAMED(n, COHORT_SHARE(50)));
    (void)cohort_variable_assign(j->mean, j->x);
    return COHORT_OK;
}

typedef struct broadcast_job {
    cohort_value *x;
    int root;
    bool is_set; /* by the root alone, before */
} broadcast_job;

static cohort_status broadcast(cohort_replica *me, void *user)
{
    const broadcast_job *j = user;
    float local[WIDTH];
    fill(COHORT_F32, 205, (uint64_t)j->root, WIDTH, local);
    if (j->is_set && cohort_replica_id(me) == j->root)
        (void)cohort_replica_set(me, j->x, COHORT_ARRAY(local, WIDTH));
    return cohort_replica_broadcast(me, j->x, j->root);
}

static void note_broadcast(cohort_strategy *s, const char *of, broadcast_job j)
{
    const char *name = named("%s, of replica %d to all", of, j.root);
    must(cohort_for_each_replica(s, broadcast, &j) == COHORT_OK, name);
    NOTE_OWN(name, j.x);
}

static void broadcasts(cohort_strategy *s)
{
    for (int root = 0; root < replicas; root += root < 3 ? 1 : 2) {
        note_broadcast(s, "a few",
                       (broadcast_job){ make_flat(s, COHORT_F32, WIDTH, 200), root, 0 });
        note_broadcast(s, "many", (broadcast_job){ make_flat(s, COHORT_F16, 30000, 201), root, 0 });
        note_broadcast(s, "ragged", (broadcast_job){ make_ragged(s, 0, 202), root, 0 });
        note_broadcast(
            s, "no element",
            (broadcast_job){ make(s, (data){ COHORT_F32, 2, { 4, 0 }, -1, 203 }), root, 0 });
        note_broadcast(s, "what the root sets", (broadcast_job){ make_empty(s), root, true });
    }
    broadcast_job plain = { cohort_value_number(s, 0.7), replicas - 1, false };
    must(cohort_for_each_replica(s, broadcast, &plain) == COHORT_OK, "a plain value stays");
    note_value("a plain value, to all", plain.x);
}

static cohort_value *make_ids(cohort_strategy *s)
{
    cohort_value *ids = make(s, (data){ COHORT_I64, 1, { 0, 0 }, 0, 130 });
    must(ids != NULL, "ids are made");
    return ids;
}

static void steps(cohort_strategy *s)
{
    job j = { .sum = make_variable(s, "st/sum", NULL),
              .mean = make_with(s, "st/mean", COHORT_ON_READ, COHORT_AGGREGATE_MEAN),
              .count = make_variable(s, "st/count", NULL),
              .x = make_flat(s, COHORT_F32, WIDTH, 121),
              .set = make_empty(s),
              .into = make_empty(s),
              .from_variable = make_empty(s),
              .ragged = make_ragged(s, 0, 122),
              .gathered = make_empty(s),
              .gathered_plain = make_empty(s),
              .ids = make_ids(s),
              .rows = make_ragged(s, 0, 131),
              .merged = make_empty(s) };
    for (int i = 0; i < 3; i++)
        j.list[i] = make_flat(s, COHORT_F32, i == 2 ? 30000 : 1 + 60 * i, (uint64_t)(123 + i));
    must(cohort_for_each_replica(s, meet, &j) == COHORT_OK, "replicas meet in collectives");
    for (int i = 0; i < 3; i++)
        NOTE_OWN(named("all_reduce, entry %d", i), j.list[i]);
    NOTE_OWN("all_reduce of what was set", j.set);
    NOTE_OWN("all_reduce_into of a value", j.into);
    NOTE_OWN("all_reduce_into of an ON_READ variable", j.from_variable);
    NOTE_OWN("all_gather", j.gathered);
    NOTE_OWN("all_gather of a variable", j.gathered_plain);
    NOTE_OWN("all_reduce_slices, ids", j.ids);
    NOTE_OWN("all_reduce_slices, rows", j.rows);
    must(cohort_for_each_replica(s, pause_all, &j) == COHORT_OK, "replicas pause for a merge call");
    note_value("reduced in a merge call", j.merged);
    note_variable("updated by all replicas", j.sum);
    note_variable("ON_READ after it", j.mean);
    NOTE_OWN("run by each replica", j.into);
}

/* ------------------------------------------------------------------ index slices */

static void slices(cohort_strategy *s)
{
    const int32_t some[] = { 4, 0, 4, 2 };
    static int32_t numbers[40];
    cohort_value *ids, *rows = make(s, (data){ COHORT_F32, 2, { 0, 3 }, 0, 141 }),
                       *into_ids = make_empty(s), *into_rows = make_empty(s),
                       *found = make_empty(s);
    for (uint32_t op = next_sum_op(0); op != 0; op = next_sum_op(op)) {
        ids = make_ids(s);
        must(cohort_reduce_slices((cohort_reduce_op)op, ids, rows, into_ids, into_rows) ==
                 COHORT_OK,
             "slices are reduced");
        note_value(named("%s of slices, ids", op_name((cohort_reduce_op)op)), into_ids);
        note_value(named("%s of slices, rows", op_name((cohort_reduce_op)op)), into_rows);
    }
    for (int i = 0; i < 40; i++)
        numbers[i] = i * 7 % 6;
    ids = cohort_value_split(s, COHORT_ARRAY(numbers, 40));
    static float local[40 * 3];
    fill(COHORT_F32, 142, 0, 40 * 3, local);
    rows = cohort_value_split(s, COHORT_ARRAY(local, 40, 3));
    cohort_variable *table =
        cohort_variable_create(s, "table", COHORT_ARRAY((float *)NULL, 6, 3), NULL);
    must(ids != NULL && rows != NULL && table != NULL, "ids, rows and a table are made");
    must(cohort_reduce_slices(COHORT_SUM, ids, rows, into_ids, into_rows) == COHORT_OK &&
             cohort_variable_scatter_add(table, into_ids, into_rows) == COHORT_OK,
         "slices are reduced and scattered");
    note_variable("scattered", table);
    must(cohort_variable_gather(table, COHORT_ARRAY(some, 4), found) == COHORT_OK,
         "rows of a variable are read");
    note_value("rows of a variable", found);
    must(cohort_variable_gather(table, ids, found) == COHORT_OK,
         "rows of a variable are read per replica");
    NOTE_OWN("rows of a variable per replica", found);
}

/* ------------------------------------------------------------------ scatters */

enum { TABLE_ROWS = 6 };

static cohort_status some_ids(int replica, int n, cohort_array *out, void *user)
{
    int32_t *ids = (int32_t *)(void *)room;
    const bool is_even = *(bool *)user;
    (void)n;
    *out = COHORT_ARRAY(ids, is_even ? 4 : ragged_extent(replica));
    for (int64_t i = 0; i < out->shape[0]; i++)
        ids[i] = (int32_t)(mixed((uint64_t)(replica * 1000 + i)) % TABLE_ROWS);
    return COHORT_OK;
}

static cohort_variable *make_table(cohort_strategy *s, const char *name,
                                   cohort_aggregation aggregation)
{
    float initial[TABLE_ROWS * 3];
    fill(COHORT_F32, 210, 0, TABLE_ROWS * 3, initial);
    cohort_variable *table =
        cohort_variable_create(s, name, COHORT_ARRAY(initial, TABLE_ROWS, 3),
                               &(cohort_variable_options){ .synchronization = COHORT_ON_WRITE,
                                                           .aggregation = aggregation });
    must(table != NULL, "a table is made");
    return table;
}

typedef struct scatter_job {
    cohort_variable *sum, *mean, *first;
    cohort_value *ids, *rows;
} scatter_job;

static cohort_status scatter_each(cohort_replica *me, void *user)
{
    const scatter_job *j = user;
    (void)me;
    (void)cohort_variable_scatter_add(j->sum, j->ids, j->rows);
    (void)cohort_variable_scatter_sub(j->mean, j->ids, j->rows);
    (void)cohort_variable_scatter_update(j->first, j->ids, j->rows);
    return COHORT_OK;
}

static void scatters(cohort_strategy *s)
{
    static float local[4 * 3];
    bool is_even = false;
    scatter_job j = { .sum = make_table(s, "sc/sum", COHORT_AGGREGATE_SUM),
                      .mean = make_table(s, "sc/mean", COHORT_AGGREGATE_MEAN),
                      .first = make_table(s, "sc/first", COHORT_AGGREGATE_ONLY_FIRST_REPLICA),
                      .ids = cohort_value_from_function(s, some_ids, &is_even),
                      .rows = make_ragged(s, 0, 211) };
    cohort_variable *table = make_table(s, "sc/none", COHORT_AGGREGATE_NONE);
    for (int op = COHORT_SCATTER_ADD; op <= COHORT_SCATTER_UPDATE; op++) {
        must(cohort_variable_scatter_at(COHORT_SITE, table, (cohort_write_op)op, COHORT_ARG_(j.ids),
                                        COHORT_ARG_(j.rows)) == COHORT_OK,
             "slices of each replica are scattered");
        note_variable(named("scattered per replica, operation %d", op), table);
    }
    is_even = true;
    fill(COHORT_F32, 212, 0, 4 * 3, local);
    cohort_value *ids = cohort_value_from_function(s, some_ids, &is_even);
    must(ids != NULL &&
             cohort_variable_scatter_add(table, ids, COHORT_ARRAY(local, 4, 3)) == COHORT_OK,
         "one array of rows for the ids of each replica");
    note_variable("scattered per replica, the same rows", table);
    for (int step = 0; step < 2; step++) {
        must(cohort_for_each_replica(s, scatter_each, &j) == COHORT_OK, "replicas scatter");
        note_variable(named("scattered by replicas, sum, step %d", step), j.sum);
        note_variable(named("scattered by replicas, mean, step %d", step), j.mean);
        note_variable(named("scattered by the first replica, step %d", step), j.first);
    }
}

/* ------------------------------------------------------------------ halos */

static const char *edge_name(cohort_edge edge)
{
    return edge == COHORT_EDGE_PERIODIC ? "periodic" : "zero";
}

typedef struct halo_job {
    cohort_value *x, *into;
    cohort_variable *variable;
    int64_t rows;
    cohort_edge edge;
} halo_job;

static cohort_status bring_halos(cohort_replica *me, void *user)
{
    const halo_job *j = user;
    return j->variable != NULL ? cohort_replica_halo(me, j->variable, j->rows, j->edge, j->into)
                               : cohort_replica_halo(me, j->x, j->rows, j->edge, j->into);
}

/* In both contexts. */
static void note_halos(cohort_strategy *s, const char *of, halo_job j)
{
    for (int edge = COHORT_EDGE_ZERO; edge <= COHORT_EDGE_PERIODIC; edge++) {
        j.edge = (cohort_edge)edge;
        const char *name = named("%d rows beside %s, %s", (int)j.rows, of, edge_name(j.edge));
        j.into = make_empty(s);
        must((j.variable != NULL ? cohort_halo(j.variable, j.rows, j.edge, j.into)
                                 : cohort_halo(j.x, j.rows, j.edge, j.into)) == COHORT_OK,
             name);
        NOTE_OWN(name, j.into);
        j.into = make_empty(s);
        must(cohort_for_each_replica(s, bring_halos, &j) == COHORT_OK, "replicas bring halos");
        NOTE_OWN(named("%d rows beside %s, %s, by replicas", (int)j.rows, of, edge_name(j.edge)),
                 j.into);
    }
}

static void halos(cohort_strategy *s)
{
    static const int64_t few[] = { 1, 2, 7 };
    static float local[3 * WIDTH];
    int64_t rows[MAX_REPLICAS] = { 0 }, all_ragged = 0;
    for (int r = 0; r < replicas; r++)
        all_ragged += ragged_extent(r);
    cohort_value *ragged = make_ragged(s, 0, 195);
    cohort_value *even = make(s, (data){ COHORT_I64, 2, { 3, 40 }, -1, 196 });
    cohort_value *thin = make(s, (data){ COHORT_F32, 2, { 2, 0 }, -1, 197 });
    for (size_t i = 0; i < sizeof few / sizeof *few; i++) {
        if (few[i] <= all_ragged)
            note_halos(s, "ragged ones", (halo_job){ .x = ragged, .rows = few[i] });
        if (few[i] <= 3 * replicas)
            note_halos(s, "even ones", (halo_job){ .x = even, .rows = few[i] });
        if (few[i] <= 2 * replicas)
            note_halos(s, "rows without an element", (halo_job){ .x = thin, .rows = few[i] });
    }
    note_halos(s, "even ones, all there are",
               (halo_job){ .x = even, .rows = INT64_C(3) * replicas });
    /* rows of the last replica alone, of two, and of none */
    fill(COHORT_F32, 198, 0, 3 * WIDTH, local);
    rows[replicas - 1] = 3;
    cohort_value *x = cohort_value_split_by(s, COHORT_ARRAY(local, 3, WIDTH), rows);
    note_halos(s, "those of the last", (halo_job){ .x = x, .rows = 2 });
    rows[replicas - 1] = 1;
    rows[0] += 2;
    if (replicas > 1) {
        x = cohort_value_split_by(s, COHORT_ARRAY(local, 3, WIDTH), rows);
        note_halos(s, "those of two", (halo_job){ .x = x, .rows = 3 });
    }
    memset(rows, 0, sizeof rows);
    x = cohort_value_split_by(s, COHORT_ARRAY(local, 0, WIDTH), rows);
    note_halos(s, "nothing", (halo_job){ .x = x, .rows = 1 });
    note_halos(s, "a variable",
               (halo_job){ .variable = make_with(s, "halo", COHORT_ON_READ, COHORT_AGGREGATE_SUM),
                           .rows = 4 });
}

/* ------------------------------------------------------------------ prefixes */

static void note_prefixes(cohort_strategy *s, const char *of, cohort_argument x, int axis)
{
    for (int way = 0; way < 4; way++) {
        const cohort_prefix_options o = { .exclusive = way % 2 == 1, .separate = way / 2 == 1 };
        cohort_value *into = make_empty(s);
        must(cohort_prefix(way == 1 ? COHORT_MAX : COHORT_SUM, x, axis, &o, into) == COHORT_OK, of);
        NOTE_OWN(named("prefixes of %s, axis %d, way %d", of, axis, way), into);
    }
}

static void prefixes(cohort_strategy *s)
{
    note_prefixes(s, "ragged ones", COHORT_ARG_(make_ragged(s, 0, 195)), 0);
    note_prefixes(s, "even ones", COHORT_ARG_(make(s, (data){ COHORT_I64, 2, { 3, 40 }, -1, 196 })),
                  0);
    note_prefixes(s, "columns", COHORT_ARG_(make(s, (data){ COHORT_F32, 2, { 3, 140 }, -1, 198 })),
                  1);
    note_prefixes(s, "elements", COHORT_ARG_(make(s, (data){ COHORT_F32, 1, { 7 }, -1, 199 })),
                  COHORT_NO_AXIS);
    cohort_value *into = make_empty(s);
    must(cohort_prefix(COHORT_SUM, make_with(s, "prefix", COHORT_ON_WRITE, COHORT_AGGREGATE_MEAN),
                       0, NULL, into) == COHORT_OK,
         "prefixes of a variable");
    note_value("prefixes of a variable", into);
}

/* ------------------------------------------------------------------ inputs */

enum { ROWS = 53, BATCH = 7 };
static float table_of_rows[ROWS][3];

static cohort_input *make_input(cohort_strategy *s)
{
    fill(COHORT_F32, 150, 0, ROWS * 3, table_of_rows);
    cohort_dataset *dataset =
        cohort_dataset_slices(1, &COHORT_ARRAY(&table_of_rows[0][0], ROWS, 3));
    cohort_input *input = cohort_distribute_dataset(s, cohort_dataset_batch(dataset, BATCH, false));
    must(input != NULL, "a dataset is distributed");
    return input;
}

static void note_input_step(cohort_strategy *s, cohort_input *input, cohort_value *batch,
                            const char *name, int step)
{
    const int64_t rows = cohort_input_rows(input);
    cohort_value *into = make_empty(s);
    note(named("%s, rows of step %d", name, step), &rows, sizeof rows);
    NOTE_OWN(named("%s, own rows of step %d", name, step), batch);
    reduce_one(s, COHORT_SUM, batch, 0, named("%s, sum of step %d", name, step));
    must(cohort_gather(batch, 0, into) == COHORT_OK, "a batch is gathered");
    note_value(named("%s, gathered step %d", name, step), into);
    cohort_value_destroy(into);
}

static void note_input(cohort_strategy *s, cohort_input *input, const char *name)
{
    cohort_value *batch = make_empty(s);
    for (int epoch = 0; epoch < 2; epoch++) {
        int step = 0;
        cohort_status status = COHORT_OK;
        while ((status = cohort_input_next(input, &batch)) == COHORT_OK)
            note_input_step(s, input, batch, name, step++);
        must(status == COHORT_END, "an input ends");
        note(named("%s, steps", name), &step, sizeof step);
        must(cohort_input_initialize(input) == COHORT_OK, "an input starts over");
    }
}

static void inputs(cohort_strategy *s)
{
    cohort_input *input = make_input(s);
    note_input(s, input, "slices");
    cohort_input *range = cohort_distribute_dataset(
        s, cohort_dataset_batch(cohort_dataset_range(0, 40, 3), 4, false));
    must(range != NULL, "a range is distributed");
    note_input(s, range, "range");
    cohort_dataset *shuffled =
        cohort_dataset_repeat(cohort_dataset_shuffle(cohort_dataset_range(100, 130, 1), 10, 9), 2);
    cohort_input *other = cohort_distribute_dataset(s, cohort_dataset_batch(shuffled, 8, false));
    must(other != NULL, "a shuffled range is distributed");
    note_input(s, other, "shuffled");
    cohort_input_destroy(input);
    cohort_input_destroy(range);
    cohort_input_destroy(other);
}

static void run_next(cohort_strategy *s)
{
    cohort_input *input = make_input(s);
    cohort_variable *w = cohort_variable_create(s, "rn/w", COHORT_ARRAY(table_of_rows[3], 3), NULL);
    cohort_value *y = make_empty(s);
    cohort_status status = COHORT_OK;
    int step = 0;
    must(w != NULL, "a variable of three elements is made");
    while ((status = cohort_run_next(s, affine, input, w, COHORT_BATCH_ROWS, y)) == COHORT_OK)
        reduce_one(s, COHORT_SUM, y, 0, named("run_next, step %d", step++));
    must(status == COHORT_END, "run_next ends with the data");
    note("run_next, steps", &step, sizeof step);
    cohort_input_destroy(input);
}

/* ------------------------------------------------------------------ metrics */

static double result(cohort_metric *metric)
{
    const double found = cohort_metric_result(metric);
    must(found == found, "a metric has a result");
    return found;
}

static void note_metric(const char *name, cohort_metric *metric)
{
    const double found = result(metric);
    note(name, &found, sizeof found);
}

static void metrics(cohort_strategy *s)
{
    static int32_t labels[37], guesses[37];
    static float numbers[WIDTH];
    cohort_metric *mean = cohort_metric_create(s, "mean", "mean"),
                  *sum = cohort_metric_create(s, "sum", "sum"),
                  *once = cohort_metric_create(s, "sum", "once"),
                  *accuracy = cohort_metric_create(s, "accuracy", "accuracy");
    must(mean != NULL && sum != NULL && once != NULL && accuracy != NULL, "metrics are made");
    for (int i = 0; i < 37; i++) {
        labels[i] = i % 5;
        guesses[i] = i % 7 % 5;
    }
    fill(COHORT_F32, 160, 0, WIDTH, numbers);
    cohort_value *right = cohort_value_split(s, COHORT_ARRAY(labels, 37)),
                 *guess = cohort_value_split(s, COHORT_ARRAY(guesses, 37)),
                 *plain = cohort_value_plain(s, COHORT_ARRAY(numbers, WIDTH));
    must(right != NULL && guess != NULL && plain != NULL, "values for the metrics are made");
    for (int step = 0; step < 3; step++) {
        cohort_value *x = make_flat(s, COHORT_F32, 300, (uint64_t)(161 + step)),
                     *weight = make_flat(s, COHORT_F32, 300, (uint64_t)(171 + step));
        must(cohort_metric_update(mean, x, NULL) == COHORT_OK &&
                 cohort_metric_update(mean, x, weight) == COHORT_OK &&
                 cohort_metric_update(sum, make_ragged(s, 0, 181), NULL) == COHORT_OK &&
                 cohort_metric_update(once, plain, NULL) == COHORT_OK &&
                 cohort_metric_update(accuracy, guess, right) == COHORT_OK,
             "metrics are updated");
        note_metric(named("metric mean, step %d", step), mean);
        note_metric(named("metric sum, step %d", step), sum);
        note_metric(named("metric sum of a plain value, step %d", step), once);
        note_metric(named("metric accuracy, step %d", step), accuracy);
    }
    must(cohort_metric_reset(sum) == COHORT_OK &&
             cohort_metric_update(sum, make_ragged(s, 0, 182), NULL) == COHORT_OK,
         "a metric is reset");
    note_metric("metric sum, after a reset", sum);
}

/* ------------------------------------------------------------------ programs */

typedef struct model {
    cohort_variable *w, *total;
    cohort_value *y, *sum, *rate, *numbers;
    cohort_metric *mean;
} model;

static cohort_status train(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    const model *m = user;
    (void)cohort_run(s, affine, batch[0], m->w, COHORT_STEP, m->y);
    (void)cohort_run(s, number_rows, COHORT_FIRST_ROW, m->y, m->numbers);
    (void)cohort_reduce(COHORT_MEAN, m->y, 0, m->sum);
    (void)cohort_metric_update(m->mean, m->y, NULL);
    (void)cohort_variable_assign_add(m->total, m->sum);
    return cohort_update(m->w, descend, m->rate, m->sum, m->w);
}

static void note_model(const char *when, const model *m)
{
    note_variable(named("program, variable, %s", when), m->w);
    note_variable(named("program, total, %s", when), m->total);
    note_value(named("program, sum, %s", when), m->sum);
    NOTE_OWN(named("program, own rows, %s", when), m->y);
    NOTE_OWN(named("program, own rows numbered, %s", when), m->numbers);
    note_metric(named("program, metric, %s", when), m->mean);
}

static void programs(cohort_strategy *s)
{
    cohort_spec spec[1];
    cohort_input *input = make_input(s);
    model m = { .w = cohort_variable_create(s, "pr/w", COHORT_ARRAY(table_of_rows[3], 3), NULL),
                .total = cohort_variable_create(
                    s, "pr/total", COHORT_ARRAY((float *)NULL, 3),
                    &(cohort_variable_options){ .synchronization = COHORT_ON_READ,
                                                .aggregation = COHORT_AGGREGATE_SUM }),
                .y = make_empty(s),
                .sum = make_empty(s),
                .rate = cohort_value_number(s, 0.125),
                .numbers = make_empty(s),
                .mean = cohort_metric_create(s, "mean", "pr/mean") };
    must(m.w != NULL && m.total != NULL && m.rate != NULL && m.mean != NULL, "a model is made");
    must(cohort_input_element_spec(input, spec, 1) == 1, "an input has one component");
    note("element spec of an input", &spec[0].rank, sizeof spec[0].rank);
    note("extents of it", spec[0].shape, 2 * sizeof spec[0].shape[0]);
    cohort_program *p = cohort_program_record(s, train, &m, spec, 1);
    must(p != NULL, "a program is recorded");
    must(cohort_program_run(p, input, 3) == COHORT_OK, "a program runs");
    note_model("3 steps", &m);
    must(cohort_value_set(m.rate, 0.0625) == COHORT_OK, "a number of it is set");
    must(cohort_program_run(p, input, 100) == COHORT_END, "a program ends with its input");
    note_model("at the end", &m);
    const int64_t count = cohort_program_steps(p);
    note("program, steps", &count, sizeof count);
    cohort_program_destroy(p);
    cohort_input_destroy(input);
}

/* A step whose later calls need to know what all workers have brought to an earlier one: replica 2
 * has no rows, and may be the only one of its worker. */
typedef struct gatherer {
    cohort_value *x, *gathered, *sum;
    cohort_variable *all, *least;
} gatherer;

static cohort_status gather_all(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    const gatherer *g = user;
    (void)s;
    (void)batch;
    (void)cohort_gather(g->x, 0, g->gathered);
    (void)cohort_variable_assign_add(g->all, g->gathered);
    (void)cohort_reduce(COHORT_MIN, g->x, 0, g->sum);
    return cohort_variable_assign_sub(g->least, g->sum);
}

static void recorded_shapes(cohort_strategy *s)
{
    int64_t rows = 0;
    for (int r = 0; r < replicas; r++)
        rows += ragged_extent(r);
    gatherer g = { .x = make_ragged(s, 0, 190), .gathered = make_empty(s), .sum = make_empty(s) };
    g.all = cohort_variable_create(s, "rs/all", COHORT_ARRAY((float *)NULL, rows, 3), NULL);
    g.least = cohort_variable_create(s, "rs/least", COHORT_ARRAY((float *)NULL, 3), NULL);
    must(g.all != NULL && g.least != NULL, "variables for all rows are made");
    cohort_program *p = cohort_program_record(s, gather_all, &g, NULL, 0);
    must(p != NULL, "a gather is recorded");
    must(cohort_program_run(p, NULL, 2) == COHORT_OK, "what has gathered all rows is assigned");
    note_variable("all rows, gathered and added in a program", g.all);
    note_variable("the least of each column, in a program", g.least);
    cohort_program_destroy(p);
}

/* Sums of a step that wait for one another, until something uses what they use, or they are large:
 * y is written again, two sums have one operand, and a sum is used by a run. */
typedef struct layers {
    cohort_value *x, *y, *rows, *wide[2], *sums[5], *wide_sums[2];
    cohort_variable *w;
} layers;

enum { WIDE = 600000 };

static cohort_status pass_layers(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    const layers *l = user;
    (void)batch;
    (void)cohort_run(s, mix, l->x, l->y);
    (void)cohort_reduce(COHORT_SUM, l->y, COHORT_NO_AXIS, l->sums[0]);
    (void)cohort_run(s, mix, l->x, l->y);
    (void)cohort_reduce(COHORT_MAX, l->y, COHORT_NO_AXIS, l->sums[1]);
    (void)cohort_run(s, spread, 1.5F, l->wide[0], COHORT_NAMED(n, WIDE));
    (void)cohort_reduce(COHORT_SUM, l->wide[0], COHORT_NO_AXIS, l->wide_sums[0]);
    (void)cohort_run(s, spread, -0.75F, l->wide[1], COHORT_NAMED(n, WIDE));
    (void)cohort_reduce(COHORT_MEAN, l->wide[1], COHORT_NO_AXIS, l->wide_sums[1]);
    (void)cohort_reduce(COHORT_MIN, l->rows, 0, l->sums[2]);
    (void)cohort_reduce(COHORT_SUM, l->y, COHORT_NO_AXIS, l->sums[3]);
    (void)cohort_run(s, mix, l->sums[3], l->y);
    (void)cohort_reduce(COHORT_MEAN, l->y, COHORT_NO_AXIS, l->sums[4]);
    return cohort_update(l->w, descend, 0.125F, l->sums[3], l->w);
}

static void recorded_sums(cohort_strategy *s)
{
    layers l = { .x = make_flat(s, COHORT_F32, 300, 195),
                 .y = make_flat(s, COHORT_F32, 300, 196),
                 .rows = make_ragged(s, 0, 197),
                 .wide = { make_empty(s), make_empty(s) },
                 .wide_sums = { make_empty(s), make_empty(s) } };
    l.w = cohort_variable_create(s, "sums/w", COHORT_ARRAY((float *)NULL, 300), NULL);
    for (int i = 0; i < 5; i++)
        l.sums[i] = make_empty(s);
    cohort_program *p = cohort_program_record(s, pass_layers, &l, NULL, 0);
    must(l.w != NULL && p != NULL, "a step with several sums is recorded");
    for (int step = 1; step <= 3; step++) {
        must(cohort_program_run(p, NULL, 1) == COHORT_OK, "it runs");
        for (int i = 0; i < 5; i++)
            note_value(named("step %d, recorded sum %d", step, i), l.sums[i]);
        for (int i = 0; i < 2; i++)
            note_value(named("step %d, recorded large sum %d", step, i), l.wide_sums[i]);
        note_variable(named("step %d, what they change", step), l.w);
    }
    must((strstr(cohort_program_describe(p), "waits for others like it, until call 3 at most") !=
          NULL) == (pass == 0 && size > 1),
         "which of them wait is described");
    cohort_program_destroy(p);
}

/* ------------------------------------------------------------------ all */

static const struct part {
    const char *name;
    void (*run)(cohort_strategy *s);
} all_parts[] = { { "reduce_sizes", reduce_sizes },
                  { "reduce_small", reduce_small },
                  { "reduce_many_roots", reduce_many_roots },
                  { "reduce_dtypes", reduce_dtypes },
                  { "reduce_axes", reduce_axes },
                  { "reduce_halves", reduce_halves },
                  { "reduce_bits", reduce_bits },
                  { "reduce_weighed", reduce_weighed },
                  { "reduce_by_function", reduce_by_function },
                  { "reduce_plain", reduce_plain },
                  { "reduce_lists", reduce_lists },
                  { "reduce_long_lists", reduce_long_lists },
                  { "reduce_gappy_lists", reduce_gappy_lists },
                  { "reduce_to", reduce_to },
                  { "gathers", gathers },
                  { "runs", runs },
                  { "numbers", numbers },
                  { "splits", splits },
                  { "given", given },
                  { "updates", updates },
                  { "on_read", on_read },
                  { "on_write", on_write },
                  { "steps", steps },
                  { "broadcasts", broadcasts },
                  { "slices", slices },
                  { "scatters", scatters },
                  { "halos", halos },
                  { "prefixes", prefixes },
                  { "inputs", inputs },
                  { "run_next", run_next },
                  { "metrics", metrics },
                  { "programs", programs },
                  { "recorded_shapes", recorded_shapes },
                  { "recorded_sums", recorded_sums },
                  { "shapes", shapes } };

/* A digest of all items. */
static uint64_t everything(cohort_strategy *s)
{
    must(s != NULL, "a strategy is made");
    must(cohort_strategy_num_replicas(s) == replicas, "it has all replicas");
    for (size_t i = 0; i < sizeof all_parts / sizeof *all_parts; i++)
        if (only == NULL || strcmp(only, all_parts[i].name) == 0) {
            all_parts[i].run(s);
            must(cohort_wait(s) == COHORT_OK, all_parts[i].name);
        }
    return digest_of(empty_digest, items[pass], (size_t)num_items[pass] * sizeof(item));
}

static void show_differences(void)
{
    must(num_items[0] == num_items[1], "both passes have as many items");
    for (int i = 0; i < num_items[0]; i++)
        if (memcmp(&items[0][i], &items[1][i], sizeof(item)) != 0)
            printf("rank %d of %d, %d replicas: %s differs\n", rank, size, replicas,
                   items[0][i].name);
}

/* NULL: as by default. */
static void set_implementation(cohort_strategy *s)
{
    cohort_communication_options o = { .implementation = getenv("CLUSTER_IMPLEMENTATION") };
    must(cohort_strategy_set_communication(s, &o) == COHORT_OK, "an implementation is set");
}

static int compare_bits(cohort_resolver *resolver)
{
    const cohort_strategy_options options[] = {
        { .name = "multi-worker-mirrored",
          .devices = devices,
          .replicas = is_hosted ? own_count : replicas,
          .n_hosted = is_hosted,
          .hosted = is_hosted ? &own_count : NULL,
          .resolver = resolver },
        { .name = "mirrored", .devices = "host:0", .replicas = replicas }
    };
    uint64_t digests[2];
    for (pass = 0; pass < 2; pass++) {
        cohort_strategy *s = cohort_strategy_create(&options[pass]);
        set_implementation(s);
        digests[pass] = everything(s);
        cohort_strategy_destroy(s);
    }
    pass = 0;
    must(num_items[0] > 0, "something was compared");
    if (digests[0] != digests[1])
        show_differences();
    return digests[0] == digests[1] ? 0 : 1;
}

/* R replicas, as a strategy hosts them. */
static void share(const char *text)
{
    replicas = atoi(text);
    own_count = replicas / size + (rank < replicas % size);
    own_first = rank * (replicas / size) + (rank < replicas % size ? rank : replicas % size);
}

static void host(const char *list)
{
    const char *next = list;
    is_hosted = true;
    for (int worker = 0; worker < size; worker++) {
        char *end;
        const int n = (int)strtol(next, &end, 10);
        own_first = worker == rank ? replicas : own_first;
        own_count = worker == rank ? n : own_count;
        replicas += n;
        next = *end == ',' ? end + 1 : list;
    }
}

int main(int argc, char **argv)
{
    must(argc >= 3, "usage: cluster_workers bits R [PART [DEVICES]], or hosted N,... [PART]");
    only = argc > 3 && argv[3][0] != '\0' ? argv[3] : NULL;
    devices = argc > 4 ? argv[4] : "host:0";
    cohort_resolver *resolver = cohort_resolver_mpi(COHORT_MPI_WORLD);
    must(resolver != NULL, "a resolver of MPI is made");
    rank = cohort_resolver_task_id(resolver);
    size = cohort_resolver_num_tasks(resolver, "worker");
    must(rank >= 0 && size > 0, "this is one of some processes");
    (strcmp(argv[1], "hosted") == 0 ? host : share)(argv[2]);
    must(replicas >= size && replicas <= MAX_REPLICAS, "there is a replica for each process");
    const int status = compare_bits(resolver);
    cohort_resolver_destroy(resolver);
    if (status == 0 && getenv("CLUSTER_TELLS_END") != NULL)
        fprintf(stderr, "compared\n");
    return status;
}
