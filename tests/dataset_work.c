/* SPDX-License-Identifier: BSD-3-Clause */
/* Datasets that do work: generators, map, filter, interleave, cache, ignore_errors, reading
 * ahead. */
#include "config.h"

#include "runtime/data/dataset/dataset.h"
#include "runtime/data/dataset/prefetch.h"
#include "tests/dataset_work.h"

enum { MOST_ROWS = 400 };

/* ---- What is read of a dataset: its first component as numbers, whatever it is. */

typedef struct reading {
    double rows[MOST_ROWS];
    int n;
    cohort_status status; /* of the last call */
} reading;

static double first_number(const cohort_array *a)
{
    int64_t i64;
    float f32;
    double f64;
    if (cohort_part_items(a) == 0)
        return -1;
    if (a->dtype == COHORT_I64)
        return (double)*(int64_t *)memcpy(&i64, a->data, sizeof i64);
    if (a->dtype == COHORT_F32)
        return (double)*(float *)memcpy(&f32, a->data, sizeof f32);
    return *(double *)memcpy(&f64, a->data, sizeof f64);
}

/* All elements; the dataset is taken. */
static reading read_all(cohort_dataset *dataset)
{
    cohort_array out[8];
    reading r = { .status = COHORT_EINVAL };
    cohort_iterator *iterator = cohort_dataset_iterate(dataset);
    while (iterator != NULL && r.n < MOST_ROWS &&
           (r.status = cohort_iterator_next(iterator, out)) == COHORT_OK)
        r.rows[r.n++] = first_number(&out[0]);
    cohort_iterator_destroy(iterator);
    return r;
}

static bool is_reading(reading r, int n, const double wanted[])
{
    bool is = r.status == COHORT_END && r.n == n;
    for (int i = 0; i < n && is; i++)
        is = r.rows[i] == wanted[i];
    for (int i = 0; !is && i < r.n; i++)
        diag("%d: %g", i, r.rows[i]);
    if (!is)
        diag("%d elements of %d; status %d; %s", r.n, n, (int)r.status, cohort_error_text());
    return is;
}
#define READS(dataset, ...)                                                                        \
    is_reading(read_all(dataset), (int)(sizeof((double[]){ __VA_ARGS__ }) / sizeof(double)),       \
               (double[]){ __VA_ARGS__ })

/* The call gave NULL, for this reason. */
static void is_refused(cohort_dataset *dataset, const char *reason, const char *claim)
{
    if (ok(dataset == NULL, "%s", claim))
        has_text(cohort_error_text(), reason, "because of: %s", reason);
    cohort_dataset_destroy(dataset);
}

/* ---- Functions of elements. */

COHORT_ITEMS(twice, i, n, (int64_t n, const float x[n], COHORT_OUT float y[n]),
             { y[i] = 2 * x[i]; });

COHORT_FUNCTION(raise, (int64_t n, int64_t by, const float x[n], COHORT_OUT float y[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i] + (float)by;
}

COHORT_FUNCTION(negate, (int64_t n, float x[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        x[i] = -x[i];
}

COHORT_FUNCTION(corner,
                (int64_t n, int64_t d, const float x[n][d], COHORT_OUT float y[2],
                 COHORT_OUT float z[n][d + 1]),
                COHORT_HOST_ONLY)
{
    y[0] = n * d > 0 ? x[0][0] : 0;
    y[1] = (float)(n * d);
    for (int64_t i = 0; i < n * (d + 1); i++)
        ((float *)z)[i] = (float)i;
}

COHORT_FUNCTION(reversed,
                (int64_t n, const float x[n], COHORT_OUT float y[n],
                 COHORT_LOCAL float *t COHORT_SHAPE(n)),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        t[i] = x[n - 1 - i];
    memcpy(y, t, (size_t)n * sizeof *y);
}

COHORT_FUNCTION(pair, (int64_t n, const float x[n], const float y[n], COHORT_OUT float z[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        z[i] = x[i] * y[i];
}

COHORT_FUNCTION_RETURNING(double, total, (int64_t n, const float x[n]), COHORT_HOST_ONLY)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += (double)x[i];
    return sum;
}

COHORT_FUNCTION_RETURNING(cohort_status, even_only, (const int64_t x[1], COHORT_OUT int64_t y[1]),
                          COHORT_HOST_ONLY)
{
    y[0] = x[0];
    return x[0] % 2 == 0 ? COHORT_OK : COHORT_ENOENT;
}

COHORT_FUNCTION_RETURNING(bool, is_even, (int64_t x), COHORT_HOST_ONLY)
{
    return x % 2 == 0;
}

COHORT_FUNCTION_RETURNING(int8_t, divides, (int64_t n, const float x[n]), COHORT_HOST_ONLY)
{
    return (int8_t)(n > 0 && x[0] > 2 ? -128 : 0); /* anything but 0 */
}

COHORT_FUNCTION(only_reads, (const int64_t x[1]), COHORT_HOST_ONLY)
{
    (void)x;
}

COHORT_FUNCTION(unbounded, (int64_t k, const int64_t x[1], COHORT_OUT float y[k]), COHORT_HOST_ONLY)
{
    (void)k, (void)x, (void)y;
}

COHORT_FUNCTION(pointing, (void *p, COHORT_OUT float y[1]), COHORT_HOST_ONLY)
{
    (void)p, (void)y;
}

/* Of a kernel, and with a body of the host, which nobody calls. */
static void no_body(void)
{
}

static const cohort_function of_image = { .struct_size = sizeof of_image,
                                          .name = "of_image",
                                          .prototype = "(read_only image2d_t x, out float y[1])",
                                          .host = no_body };
static const cohort_function of_sampler = { .struct_size = sizeof of_sampler,
                                            .name = "of_sampler",
                                            .prototype = "(sampler_t s, out float y[1])",
                                            .host = no_body };

COHORT_FUNCTION_RETURNING(int, writes_too, (int64_t x, COHORT_OUT float y[1]), COHORT_HOST_ONLY)
{
    y[0] = (float)x;
    return 1;
}

static float rows[6][2] = { { 1, 2 }, { 3, 4 }, { 5, 6 }, { 7, 8 }, { 9, 10 }, { 11, 12 } };

static cohort_dataset *six_rows(void)
{
    return cohort_dataset_slices(1, (cohort_array[]){ COHORT_ARRAY(&rows[0][0], 6, 2) });
}

/* ---- Callbacks. */

static const cohort_spec one_number = { .dtype = COHORT_I64 };
static const cohort_spec some_floats = { .dtype = COHORT_F32, .rank = 1, .shape = { -1 } };

typedef struct trouble {
    int64_t at; /* the number that is refused; -1: none */
    cohort_status status;
} trouble;

static cohort_status square(const cohort_array in[], cohort_array out[], void *user)
{
    const trouble *t = user;
    int64_t x = *(const int64_t *)in[0].data;
    if (t != NULL && x == t->at)
        return t->status;
    *(int64_t *)out[0].data = x * x;
    return COHORT_OK;
}

static int keep_all_but(const cohort_array element[], void *user)
{
    const trouble *t = user;
    int64_t x = *(const int64_t *)element[0].data;
    return x == t->at ? (int)t->status : x % 3 != 0;
}

/* x becomes x, six times. */
static cohort_dataset *six_times(const cohort_array element[], void *user)
{
    (void)user;
    return cohort_dataset_repeat(cohort_dataset_slices(1, &(cohort_array){ .data = element[0].data,
                                                                           .dtype = COHORT_I64,
                                                                           .rank = 1,
                                                                           .shape = { 1 } }),
                                 6);
}

/* x becomes 10 x, 10 x + 1, ... x of them. */
static cohort_dataset *decimals(const cohort_array element[], void *user)
{
    const trouble *t = user;
    int64_t x = *(const int64_t *)element[0].data;
    return t != NULL && x == t->at ? NULL : cohort_dataset_range(10 * x, 11 * x, 1);
}

static cohort_dataset *rows_of(const cohort_array element[], void *user)
{
    (void)user;
    return cohort_dataset_slices(1, element);
}

static cohort_status never(cohort_array out[], void *state, void *user)
{
    (void)out, (void)state, (void)user;
    return COHORT_END;
}

/* ---- Bad input. */

static void test_bad_arguments(void)
{
    counting c = { .n = 3, .fails_at = -1 };
    cohort_spec bad = { .dtype = COHORT_RECORD };
    cohort_generator none = { .user = &c }, empty = { .next = never };
    is_refused(cohort_dataset_generator(&one_number, 1, NULL), "no callback",
               "a generator that is NULL");
    is_refused(cohort_dataset_generator(&one_number, 1, &none), "no callback",
               "a generator without a callback");
    is_refused(cohort_dataset_generator(&one_number, 0, &empty), "0 components",
               "a generator of nothing");
    is_refused(cohort_dataset_generator(&bad, 1, &empty), "dtype", "a generator of structs");
    is_refused(cohort_dataset_prefetch(NULL, 1), "cohort_dataset_prefetch: the dataset is NULL",
               "reading NULL ahead");
    is_refused(cohort_dataset_prefetch(count_up(&c), -1), "-1 elements ahead",
               "reading -1 elements ahead");
    is_refused(cohort_dataset_map_with(NULL, &one_number, 1, square, NULL, 0), "dataset",
               "mapping NULL");
    is_refused(cohort_dataset_map_with(count_up(&c), &one_number, 1, NULL, NULL, 0),
               "the callback is NULL", "mapping by no callback");
    is_refused(cohort_dataset_map_with(count_up(&c), NULL, 1, square, NULL, 0), "components",
               "mapping to no specs");
    is_refused(cohort_dataset_map_with(count_up(&c), &one_number, 1, square, NULL, -1),
               "-1 threads", "-1 threads");
    is_refused(cohort_dataset_map_with(count_up(&c), &one_number, 1, square, NULL, 257), "0 to 256",
               "257 threads");
    is_refused(cohort_dataset_filter_with(count_up(&c), NULL, NULL), "the callback is NULL",
               "filtering by nothing");
    is_refused(cohort_dataset_filter(NULL, is_even), "dataset", "filtering NULL");
    is_refused(cohort_dataset_interleave(count_up(&c), &one_number, 1, NULL, NULL, 1, 1),
               "the callback is NULL", "interleaving nothing");
    is_refused(cohort_dataset_interleave(count_up(&c), &one_number, 1, decimals, NULL, 0, 1),
               "both are at least 1", "a cycle of 0");
    is_refused(cohort_dataset_interleave(count_up(&c), &one_number, 1, decimals, NULL, 1, 0),
               "both are at least 1", "blocks of 0");
    is_refused(cohort_dataset_flat_map(count_up(&c), &bad, 1, decimals, NULL), "dtype",
               "flattening to structs");
    is_refused(cohort_dataset_flat_map(NULL, &one_number, 1, decimals, NULL), "dataset",
               "flattening NULL");
    is_refused(cohort_dataset_cache(NULL), "cohort_dataset_cache: the dataset is NULL",
               "caching NULL");
    is_refused(cohort_dataset_ignore_errors(NULL, NULL), "dataset", "ignoring errors of NULL");
}

static void test_bad_functions(void)
{
    static const struct {
        const cohort_function *function;
        const char *reason, *claim;
    } cases[] = {
        { NULL, "the function is NULL", "no function" },
        { pair, "pair reads 2 arguments",
          "a function of two arguments, elements of one component" },
        { even_only, "'x' is int64, but component 0 is float32", "another dtype" },
        { only_reads, "'x' is int64", "another dtype of a function that writes nothing" },
        { pointing, "'p' is a pointer", "a function of a pointer" },
        { &of_image, "of_image: 'x' is an image, which no component of an element is",
          "a function of an image" },
        { &of_sampler, "of_sampler: 's' is a sampler, which no component of an element is",
          "a function of a sampler" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        is_refused(cohort_dataset_map(six_rows(), cases[i].function, 0), cases[i].reason,
                   cases[i].claim);
    is_refused(cohort_dataset_map(six_rows(), corner, 0),
               "'x' has rank 2, but component 0 has rank 1", "another rank");
    is_refused(cohort_dataset_map(cohort_dataset_range(0, 3, 1), only_reads, 0),
               "there is no result", "a function without a result");
    is_refused(cohort_dataset_map(cohort_dataset_range(0, 3, 1), unbounded, 0),
               "nothing says how large k is", "a bound that only an output has");
    is_refused(cohort_dataset_map(NULL, twice, 0), "dataset", "mapping NULL by a function");
    is_refused(cohort_dataset_map(six_rows(), twice, 257), "0 to 256", "a function in 257 threads");
    cohort_array two[] = { COHORT_ARRAY(&rows[0][0], 6, 2), COHORT_ARRAY(&rows[0][0], 6, 1) };
    is_refused(cohort_dataset_map(cohort_dataset_slices(2, two), pair, 0), "n is 2",
               "extents that disagree");
    cohort_function *bare =
        cohort_function_parse("void bare(int64_t n, const float x[n], out float y[n])", NULL, NULL);
    is_refused(cohort_dataset_map(six_rows(), bare, 0), "bare has no body for the host",
               "a function without a body");
    cohort_function_destroy(bare);
    is_refused(cohort_dataset_filter(cohort_dataset_range(0, 3, 1), even_only),
               "returns none of these", "a filter that returns nothing");
    is_refused(cohort_dataset_filter(six_rows(), total), "returns none of these",
               "a filter that returns a real");
    is_refused(cohort_dataset_filter(cohort_dataset_range(0, 3, 1), writes_too),
               "writes an argument", "a filter that writes");
}

/* What a callback gives is compared with its spec. */
typedef enum lie { WRONG_DTYPE, WRONG_RANK, WRONG_EXTENT, NO_EXTENT, NO_DATA, NO_STATUS, LIES } lie;

static cohort_status tell_lie(cohort_array out[], void *state, void *user)
{
    static float floats[4];
    (void)state;
    out[0].data = floats;
    out[1].data = floats;
    out[1].shape[0] = 2;
    switch (*(lie *)user) {
    case WRONG_DTYPE:
        out[0].dtype = COHORT_I32;
        break;
    case WRONG_RANK:
        out[1].rank = 9;
        break;
    case WRONG_EXTENT:
        out[0].shape[0] = 3;
        break;
    case NO_EXTENT:
        out[1].shape[0] = -1;
        break;
    case NO_DATA:
        out[1].data = NULL;
        break;
    default:
        return (cohort_status)7;
    }
    return COHORT_OK;
}

static cohort_status map_lie(const cohort_array in[], cohort_array out[], void *user)
{
    (void)in;
    return tell_lie(out, NULL, user);
}

static void test_lies(void)
{
    static const char *const reasons[LIES] = {
        "int32[2]; its spec says float32[2]",
        "impossible rank",
        "float32[3]; its spec says float32[2]",
        "component 1: extent -1",
        "component 1",
        "answers 7, which is none of the errors of cohort/codes.h"
    };
    cohort_spec specs[] = { { .dtype = COHORT_F32, .rank = 1, .shape = { 2 } }, some_floats };
    for (lie l = WRONG_DTYPE; l < LIES; l++) {
        cohort_generator g = { .next = tell_lie, .user = &l };
        reading r = read_all(cohort_dataset_generator(specs, 2, &g));
        if (ok(r.status == COHORT_EINVAL && r.n == 0, "a generator that lies is refused (%d)",
               (int)l))
            has_text(cohort_error_text(), reasons[l], "because of: %s", reasons[l]);
        r = read_all(
            cohort_dataset_map_with(cohort_dataset_range(0, 2, 1), specs, 2, map_lie, &l, l % 3));
        if (ok(r.status == COHORT_EINVAL && r.n == 0, "and so is a callback of a map"))
            has_text(cohort_error_text(), reasons[l], "because of: %s", reasons[l]);
    }
}

/* ---- Behaviour. */

/* A view with gaps, turned round. */
static cohort_status backwards(cohort_array out[], void *state, void *user)
{
    static int64_t numbers[] = { 1, 2, 3, 4, 5, 6 };
    int *times = user;
    (void)state;
    out[0].data = &numbers[4];
    out[0].strides[0] = -2;
    return (*times)++ % 3 < 2 ? COHORT_OK : COHORT_END;
}

static cohort_status no_begin(void **state, void *user)
{
    (void)state, (void)user;
    return COHORT_ENOENT;
}

static void test_generator(void)
{
    counting c = { .n = 5, .fails_at = -1 };
    ok(READS(count_up(&c), 1, 2, 3, 4, 5), "a generator gives what its callback makes");
    ok(c.begun == 1 && c.open == 0, "an iteration begins and ends once");
    ok(READS(cohort_dataset_skip(count_up(&c), 3), 4, 5),
       "a generator is passed over by calling it");
    cohort_dataset *d = count_up(&c);
    ok(cohort_dataset_cardinality(d) == COHORT_UNKNOWN, "nobody knows how many there are");
    cohort_iterator *one = cohort_dataset_iterate(cohort_dataset_share(d)),
                    *two = cohort_dataset_iterate(d);
    cohort_array a[2], b[2];
    bool is_good = true;
    for (int64_t i = 0; i < 5; i++)
        is_good = is_good && cohort_iterator_next(one, a) == COHORT_OK &&
                  cohort_iterator_next(two, b) == COHORT_OK && is_counted(a, i) && is_counted(b, i);
    ok(is_good && c.open == 2, "several iterations have a state each");
    ok(cohort_iterator_next(one, a) == COHORT_END && cohort_iterator_next(one, a) == COHORT_END,
       "the end stays");
    cohort_iterator_destroy(one);
    cohort_iterator_destroy(two);
    int times = 0;
    cohort_spec three = { .dtype = COHORT_I64, .rank = 1, .shape = { 3 } };
    cohort_generator g = { .next = backwards, .user = &times };
    d = cohort_dataset_generator(&three, 1, &g);
    one = cohort_dataset_iterate(cohort_dataset_share(d));
    ok(cohort_iterator_next(one, a) == COHORT_OK &&
           memcmp(a[0].data, (int64_t[]){ 5, 3, 1 }, 24) == 0 && a[0].strides[0] == 0,
       "memory of any strides is copied row-major");
    cohort_iterator_destroy(one);
    times = 0;
    one = cohort_dataset_iterate(cohort_dataset_batch(d, 4, false));
    ok(cohort_iterator_next(one, a) == COHORT_OK && a[0].shape[0] == 2 &&
           memcmp(a[0].data, (int64_t[]){ 5, 3, 1, 5, 3, 1 }, 48) == 0,
       "also into a batch");
    cohort_iterator_destroy(one);
    g = (cohort_generator){ .begin = no_begin, .next = backwards, .user = &times };
    ok(cohort_dataset_iterate(cohort_dataset_generator(&three, 1, &g)) == NULL,
       "a beginning may fail");
    has_text(cohort_error_text(), "ENOENT", "and the text says so");
}

/* Room for components whose extents are known; the third has none. */
static cohort_status write_in_place(cohort_array out[], void *state, void *user)
{
    static float own[] = { 7 };
    int64_t *n = user;
    (void)state;
    if (*n == 3)
        return COHORT_END;
    memcpy(out[0].data, n, sizeof *n);
    for (int i = 0; i < 2; i++)
        ((float *)out[1].data)[i] = (float)(10 * *n + i);
    out[2].data = out[2].data == NULL ? own : NULL;
    out[2].shape[0] = 1;
    ++*n;
    return COHORT_OK;
}

static void test_generator_room(void)
{
    int64_t n = 0;
    bool is_good = true;
    cohort_array out[3];
    cohort_spec specs[] = { one_number,
                            { .dtype = COHORT_F32, .rank = 1, .shape = { 2 } },
                            some_floats };
    cohort_generator g = { .next = write_in_place, .user = &n };
    cohort_dataset *d = cohort_dataset_generator(specs, 3, &g);
    cohort_iterator *i = cohort_dataset_iterate(cohort_dataset_share(d));
    for (int64_t k = 0; k < 3; k++)
        is_good = is_good && cohort_iterator_next(i, out) == COHORT_OK &&
                  *(int64_t *)out[0].data == k &&
                  ((float *)out[1].data)[1] == (float)(10 * k + 1) && *(float *)out[2].data == 7;
    ok(is_good && cohort_iterator_next(i, out) == COHORT_END,
       "a generator writes where there is room for known extents");
    cohort_iterator_destroy(i);
    n = 0;
    i = cohort_dataset_iterate(cohort_dataset_batch(d, 3, false));
    ok(cohort_iterator_next(i, out) == COHORT_OK &&
           memcmp(out[0].data, (int64_t[]){ 0, 1, 2 }, 24) == 0 &&
           memcmp(out[1].data, (float[]){ 0, 1, 10, 11, 20, 21 }, 24) == 0,
       "also for batches");
    cohort_iterator_destroy(i);
}

/* Every kind of callback fails at one element, in its own words and with a status of its own, or
 * one that is none. */
typedef struct speech {
    int64_t at, n;
    cohort_status status, answer;
    bool is_silent;
} speech;

static cohort_status speak(speech *s, int64_t at)
{
    if (at != s->at)
        return COHORT_OK;
    if (!s->is_silent)
        (void)cohort_error_set(s->status, "row %d has no label", (int)at);
    return s->answer;
}

static cohort_status speaking_map(const cohort_array in[], cohort_array out[], void *user)
{
    memcpy(out[0].data, in[0].data, sizeof(int64_t));
    return speak(user, *(int64_t *)in[0].data);
}

static int speaking_filter(const cohort_array element[], void *user)
{
    cohort_status status = speak(user, *(int64_t *)element[0].data);
    return status == COHORT_OK ? 1 : (int)status;
}

static cohort_dataset *speaking_expand(const cohort_array element[], void *user)
{
    int64_t at = *(int64_t *)element[0].data;
    return speak(user, at) == COHORT_OK ? cohort_dataset_range(at, at + 1, 1) : NULL;
}

static cohort_status speaking_next(cohort_array out[], void *state, void *user)
{
    speech *s = user;
    (void)state;
    memcpy(out[0].data, &s->n, sizeof s->n);
    return speak(s, s->n++);
}

static cohort_status speaking_begin(void **state, void *user)
{
    (void)state;
    return speak(user, 0);
}

static cohort_dataset *speaking(int kind, speech *s)
{
    cohort_dataset *d = kind < 4 ? cohort_dataset_range(0, 30, 1) : NULL;
    s->n = 0;
    switch (kind) {
    case 0:
        return cohort_dataset_map_with(d, &one_number, 1, speaking_map, s, 0);
    case 1:
        return cohort_dataset_filter_with(d, speaking_filter, s);
    case 2:
        return cohort_dataset_flat_map(d, &one_number, 1, speaking_expand, s);
    case 3:
        return cohort_dataset_interleave(d, &one_number, 1, speaking_expand, s, 2, 1);
    default:
        return cohort_dataset_generator(&one_number, 1,
                                        &(cohort_generator){ .next = speaking_next, .user = s });
    }
}

static void test_words(void)
{
    static const char *const calls[] = { "map_with", "filter_with", "flat_map", "interleave",
                                         "generator" };
    for (int kind = 0; kind < 5; kind++) {
        char wanted[160];
        speech s = { .at = 17, .status = COHORT_ENOENT, .answer = COHORT_ENOENT };
        reading r = read_all(speaking(kind, &s));
        (void)snprintf(wanted, sizeof wanted, "cohort_dataset_%s: element 17: row 17 has no label",
                       calls[kind]);
        ok(r.status == COHORT_ENOENT && r.n == 17, "a callback of %s fails with its status",
           calls[kind]);
        (void)is_text(cohort_error_text(), wanted, "and in its words");
        if (kind == 2 || kind == 3)
            continue;
        s = (speech){ .at = 17, .answer = (cohort_status)-99, .is_silent = true };
        r = read_all(speaking(kind, &s));
        (void)snprintf(wanted, sizeof wanted,
                       "cohort_dataset_%s: element 17: the callback answers -99, which is none",
                       calls[kind]);
        ok(r.status == COHORT_EINVAL && r.n == 17, "a status that is none is an error of %s",
           calls[kind]);
        has_text(cohort_error_text(), wanted, "which says so");
    }
    speech s = { .at = 0, .status = COHORT_ENODEV, .answer = COHORT_ENODEV };
    cohort_generator g = { .begin = speaking_begin, .next = speaking_next, .user = &s };
    ok(cohort_dataset_iterate(cohort_dataset_generator(&one_number, 1, &g)) == NULL,
       "a beginning fails");
    has_text(cohort_error_text(), "cohort_dataset_generator: begin: row 0 has no label",
             "in its words");
    s.answer = COHORT_END;
    ok(cohort_dataset_iterate(cohort_dataset_generator(&one_number, 1, &g)) == NULL,
       "COHORT_END is no way to begin");
    has_text(cohort_error_text(),
             "cohort_dataset_generator: begin: the callback answers 1, which is none",
             "so it says");
}

static void test_map_function(void)
{
    cohort_spec spec[3];
    cohort_array out[3];
    ok(READS(cohort_dataset_map(six_rows(), twice, 0), 2, 6, 10, 14, 18, 22), "items are mapped");
    ok(READS(cohort_dataset_map(six_rows(), twice, 3), 2, 6, 10, 14, 18, 22), "and by threads");
    ok(READS(cohort_dataset_map(six_rows(), negate, 0), -1, -3, -5, -7, -9, -11) && rows[0][0] == 1,
       "what is read and written is a result, and the source stays as it was");
    ok(READS(cohort_dataset_map(six_rows(), reversed, 2), 2, 4, 6, 8, 10, 12),
       "there is scratch memory");
    ok(READS(cohort_dataset_map(six_rows(), total, 0), 3, 7, 11, 15, 19, 23),
       "what is returned is a component");
    cohort_dataset *d = cohort_dataset_map(cohort_dataset_range(0, 4, 1), even_only, 0);
    ok(read_all(cohort_dataset_share(d)).status == COHORT_ENOENT,
       "a function can refuse an element");
    is_text(cohort_error_text(),
            "cohort_dataset_map: element 1: even_only: the body returned -4 (ENOENT: not found)",
            "and the text says which");
    int64_t skipped = 0;
    ok(READS(cohort_dataset_ignore_errors(d, &skipped), 0, 2) && skipped == 2,
       "which can be left out");
    static int64_t tens[] = { 10, 20, 30, 40, 50, 60 };
    cohort_array two[] = { COHORT_ARRAY(tens, 6), COHORT_ARRAY(&rows[0][0], 6, 2) };
    ok(READS(cohort_dataset_map(cohort_dataset_slices(2, two), raise, 0), 11, 23, 35, 47, 59, 71),
       "a component of rank 0 is a number by value");
    d = cohort_dataset_map(cohort_dataset_batch(six_rows(), 4, false), corner, 0);
    ok(cohort_dataset_element_spec(d, spec, 3) == 2 && spec[0].rank == 1 && spec[0].shape[0] == 2 &&
           spec[1].shape[0] == -1 && spec[1].shape[1] == 3,
       "extents that follow from known ones are known");
    has_text(cohort_dataset_describe(d), "map corner(int64_t n", "the function is told");
    cohort_iterator *i = cohort_dataset_iterate(d);
    bool is_good = cohort_iterator_next(i, out) == COHORT_OK && ((float *)out[0].data)[1] == 8 &&
                   out[1].shape[0] == 4;
    is_good = is_good && cohort_iterator_next(i, out) == COHORT_OK &&
              ((float *)out[0].data)[1] == 4 && out[1].shape[0] == 2 && out[1].shape[1] == 3 &&
              ((float *)out[1].data)[5] == 5;
    ok(is_good && cohort_iterator_next(i, out) == COHORT_END,
       "bounds are solved for each element that differs");
    cohort_iterator_destroy(i);
    ok(READS(cohort_dataset_batch(cohort_dataset_map(six_rows(), twice, 0), 4, false), 2, 18),
       "batches of results");
    d = cohort_dataset_batch(cohort_dataset_shuffle(cohort_dataset_map(six_rows(), total, 0), 6, 3),
                             6, false);
    cohort_dataset *e = cohort_dataset_map(cohort_dataset_shuffle(six_rows(), 6, 3), total, 0);
    reading first = read_all(e);
    i = cohort_dataset_iterate(d);
    is_good = cohort_iterator_next(i, out) == COHORT_OK && first.n == 6;
    ok(is_good && memcmp(out[0].data, first.rows, 48) == 0,
       "shuffled before or after mapping, the order is the same");
    cohort_iterator_destroy(i);
}

/* The first component of a count_up and its floats, as they are: the second by a view. */
static cohort_status pass_on(const cohort_array in[], cohort_array out[], void *user)
{
    (void)user;
    memcpy(out[0].data, in[0].data, sizeof(int64_t));
    out[1].data = in[1].data;
    out[1].shape[0] = in[1].shape[0];
    return COHORT_OK;
}

static cohort_dataset *pass_on_by(cohort_dataset *dataset, int threads)
{
    return cohort_dataset_map_with(dataset, (cohort_spec[]){ one_number, some_floats }, 2, pass_on,
                                   NULL, threads);
}

static void test_map_callback(void)
{
    counting c = { .n = 20, .fails_at = -1 };
    cohort_array out[2];
    ok(READS(
           cohort_dataset_map_with(cohort_dataset_range(0, 5, 1), &one_number, 1, square, NULL, 0),
           0, 1, 4, 9, 16),
       "a callback writes where there is room");
    cohort_dataset *d =
        cohort_dataset_map_with(cohort_dataset_range(0, 5, 1), &one_number, 1, square, NULL, 0);
    ok(cohort_dataset_cardinality(d) == 5, "there are as many as before");
    ok(READS(cohort_dataset_batch(d, 3, false), 0, 9), "or in a batch");
    for (int threads = 0; threads < 4; threads++) {
        cohort_iterator *i = cohort_dataset_iterate(pass_on_by(count_up(&c), threads));
        bool is_good = true;
        for (int64_t n = 0; n < 20; n++)
            is_good = is_good && cohort_iterator_next(i, out) == COHORT_OK && is_counted(out, n);
        ok(is_good && cohort_iterator_next(i, out) == COHORT_END,
           "or gives memory of its own, in %d threads", threads);
        cohort_iterator_destroy(i);
    }
    for (int threads = 0; threads < 3; threads++)
        for (int64_t at = 0; at < 5; at++) {
            trouble t = { at, COHORT_EINCOMPATIBLE };
            int64_t skipped = 0;
            char wanted[80];
            d = cohort_dataset_map_with(cohort_dataset_range(0, 5, 1), &one_number, 1, square, &t,
                                        threads);
            reading r = read_all(cohort_dataset_share(d));
            (void)snprintf(wanted, sizeof wanted,
                           "cohort_dataset_map_with: element %d: the callback answers", (int)at);
            ok(r.status == COHORT_EINCOMPATIBLE && r.n == at &&
                   strstr(cohort_error_text(), wanted) != NULL,
               "a callback may refuse element %d, in %d threads", (int)at, threads);
            r = read_all(cohort_dataset_ignore_errors(d, &skipped));
            ok(r.n == 4 && r.status == COHORT_END && skipped == 1, "which can be left out");
        }
}

static void test_filter(void)
{
    trouble none = { -1, COHORT_OK };
    cohort_dataset *d = cohort_dataset_filter(cohort_dataset_range(0, 10, 1), is_even);
    ok(cohort_dataset_cardinality(d) == COHORT_UNKNOWN, "nobody knows how many stay");
    has_text(cohort_dataset_describe(d), "filter is_even(int64_t x)", "the function is told");
    ok(READS(d, 0, 2, 4, 6, 8), "a function filters");
    ok(READS(cohort_dataset_filter(six_rows(), divides), 3, 5, 7, 9, 11), "by any number but 0");
    ok(READS(cohort_dataset_filter_with(cohort_dataset_range(0, 8, 1), keep_all_but, &none), 1, 2,
             4, 5, 7),
       "so does a callback");
    for (int64_t at = 0; at < 4; at++) {
        trouble t = { at, COHORT_EINVAL };
        int64_t skipped = 0;
        d = cohort_dataset_filter_with(cohort_dataset_range(0, 4, 1), keep_all_but, &t);
        reading r = read_all(cohort_dataset_share(d));
        ok(r.status == COHORT_EINVAL && r.n == (at > 1 ? at - 1 : 0),
           "which may fail at element %d", (int)at);
        r = read_all(cohort_dataset_ignore_errors(d, &skipped));
        ok(r.status == COHORT_END && skipped == 1 && r.n == (at == 1 || at == 2 ? 1 : 2),
           "and go on");
    }
}

static cohort_dataset *interleaved(int64_t n, int64_t cycle, int64_t block, trouble *t)
{
    return cohort_dataset_interleave(cohort_dataset_range(1, n, 1), &one_number, 1, decimals, t,
                                     cycle, block);
}

static void test_interleave(void)
{
    cohort_dataset *d =
        cohort_dataset_flat_map(cohort_dataset_range(0, 4, 1), &one_number, 1, decimals, NULL);
    ok(READS(d, 10, 20, 21, 30, 31, 32), "datasets made from elements, one after the other");
    ok(READS(interleaved(5, 2, 1, NULL), 10, 20, 21, 30, 31, 40, 32, 41, 42, 43),
       "two at a time, as one ends the next takes its place when its turn comes");
    ok(READS(interleaved(5, 2, 2, NULL), 10, 20, 21, 30, 31, 32, 40, 41, 42, 43), "blocks of two");
    d = cohort_dataset_interleave(cohort_dataset_range(1, 6, 1), &one_number, 1, six_times, NULL, 2,
                                  4);
    ok(READS(d, 1, 1, 1, 1, 2, 2, 2, 2, 1, 1, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 3, 3, 4, 4, 5, 5, 5, 5,
             5, 5),
       "the example of TensorFlow's documentation");
    ok(READS(interleaved(4, 1, 5, NULL), 10, 20, 21, 30, 31, 32), "one at a time");
    ok(READS(interleaved(4, INT64_MAX, 1, NULL), 10, 20, 30, 21, 31, 32), "as many as there are");
    ok(is_reading(read_all(interleaved(1, 3, 1, NULL)), 0, NULL), "of nothing");
    d = interleaved(4, 3, 2, NULL);
    has_text(cohort_dataset_describe(d), "cycle 3, block 2", "both are told");
    cohort_dataset_destroy(d);
    for (int64_t at = 1; at < 4; at++) {
        trouble t = { .at = at };
        int64_t skipped = 0;
        reading r = read_all(interleaved(4, 1, 1, &t));
        ok(r.status == COHORT_EINVAL && r.n == at * (at - 1) / 2,
           "what cannot be made is an error");
        has_text(cohort_error_text(), "cohort_dataset_interleave: element",
                 "and the text says where");
        r = read_all(cohort_dataset_ignore_errors(interleaved(4, 2, 1, &t), &skipped));
        ok(r.status == COHORT_END && r.n == 6 - at && skipped == 1, "which can be left out");
    }
    cohort_spec wrong = { .dtype = COHORT_F32 };
    d = cohort_dataset_flat_map(cohort_dataset_range(1, 3, 1), &wrong, 1, decimals, NULL);
    ok(read_all(d).status == COHORT_EINVAL, "what is made is compared with what is declared");
    has_text(cohort_error_text(), "is int64; declared is float32", "and the text says both");
    counting c = { .n = 9, .fails_at = -1 };
    d = pass_on_by(count_up(&c), 0);
    d = cohort_dataset_map(d, raise, 0); /* the floats alone, each its number and 1 more */
    d = cohort_dataset_flat_map(d, &(cohort_spec){ .dtype = COHORT_F32 }, 1, rows_of, NULL);
    reading r = read_all(cohort_dataset_prefetch(d, 7));
    bool is_good = r.status == COHORT_END && r.n == 28;
    for (int64_t number = 0, at = 0; number < 9 && is_good; number++)
        for (int64_t j = 0; j < number % MOST_COLUMNS; j++, at++)
            is_good = is_good && r.rows[at] == (double)(2 * number + j + 1);
    ok(is_good,
       "a dataset may look at the element that it is made from, however far ahead it is read");
}

static void test_cache(void)
{
    counting c = { .n = 6, .fails_at = -1 };
    cohort_dataset *d = cohort_dataset_cache(count_up(&c));
    cohort_array out[2];
    cohort_iterator *short_one = cohort_dataset_iterate(cohort_dataset_share(d));
    ok(cohort_iterator_next(short_one, out) == COHORT_OK, "an iteration that is given up");
    cohort_iterator_destroy(short_one);
    ok(READS(cohort_dataset_share(d), 1, 2, 3, 4, 5, 6) && c.begun == 2, "leaves nothing behind");
    ok(READS(cohort_dataset_share(d), 1, 2, 3, 4, 5, 6) && c.begun == 2, "one that ends does");
    ok(READS(cohort_dataset_skip(cohort_dataset_share(d), 4), 5, 6) && c.begun == 2,
       "and can be passed over");
    cohort_iterator *i = cohort_dataset_iterate(d);
    bool is_good = true;
    for (int64_t n = 0; n < 6; n++)
        is_good = is_good && cohort_iterator_next(i, out) == COHORT_OK && is_counted(out, n);
    ok(is_good && cohort_iterator_next(i, out) == COHORT_END, "all components are kept");
    cohort_iterator_destroy(i);
    counting e = { .n = 4, .fails_at = -1 };
    d = cohort_dataset_skip(cohort_dataset_cache(count_up(&e)), 2);
    ok(READS(cohort_dataset_share(d), 3, 4) && READS(d, 3, 4) && e.begun == 1,
       "what is passed over is kept too");
    d = cohort_dataset_cache(cohort_dataset_shuffle(cohort_dataset_range(0, 50, 1), 50, 1));
    i = cohort_dataset_iterate(cohort_dataset_share(d));
    bool is_restarted =
        cohort_iterator_next(i, out) == COHORT_OK && cohort_iterator_restart(i) == COHORT_OK;
    reading r = read_all(d);
    for (int n = 0; n < 50 && is_restarted; n++)
        is_restarted = cohort_iterator_next(i, out) == COHORT_OK && first_number(out) == r.rows[n];
    ok(is_restarted && r.n == 50,
       "the order is the first one's, whichever iteration was the first to end");
    cohort_iterator_destroy(i);
    counting f = { .n = 4, .fails_at = 2, .status = COHORT_EINVAL };
    d = cohort_dataset_cache(count_up(&f));
    bool is_error = read_all(cohort_dataset_share(d)).status == COHORT_EINVAL;
    f.fails_at = -1;
    ok(is_error && READS(d, 1, 2, 3, 4), "an iteration with an error is not kept");
    d = cohort_dataset_cache(cohort_dataset_repeat(cohort_dataset_range(0, 2, 1), COHORT_INFINITE));
    ok(cohort_dataset_cardinality(d) == COHORT_INFINITE && read_all(d).n == MOST_ROWS,
       "what never ends is passed on");
}

static void test_errors(void)
{
    counting c = { .n = 5, .fails_at = 2, .status = COHORT_EINVAL };
    cohort_array out[2];
    int64_t skipped = 0;
    cohort_dataset *d = count_up(&c);
    cohort_iterator *i = cohort_dataset_iterate(cohort_dataset_share(d));
    (void)cohort_iterator_next(i, out), (void)cohort_iterator_next(i, out);
    bool is_same = cohort_iterator_next(i, out) == COHORT_EINVAL &&
                   cohort_iterator_next(i, out) == COHORT_EINVAL;
    has_text(cohort_error_text(), "cohort_dataset_generator: element 2", "an error says where");
    ok(is_same && cohort_iterator_restart(i) == COHORT_OK &&
           cohort_iterator_next(i, out) == COHORT_OK,
       "it stays until restart");
    cohort_iterator_destroy(i);
    ok(READS(cohort_dataset_ignore_errors(cohort_dataset_share(d), &skipped), 1, 2, 4, 5) &&
           skipped == 1,
       "errors are left out and counted");
    ok(READS(cohort_dataset_ignore_errors(cohort_dataset_share(d), NULL), 1, 2, 4, 5),
       "or not counted");
    ok(READS(
           cohort_dataset_ignore_errors(cohort_dataset_prefetch(cohort_dataset_share(d), 2), NULL),
           1, 2, 4, 5),
       "also behind reading ahead");
    ok(READS(cohort_dataset_ignore_errors(pass_on_by(cohort_dataset_share(d), 2), NULL), 1, 2, 4,
             5),
       "and behind threads");
    ok(READS(cohort_dataset_ignore_errors(cohort_dataset_cache(cohort_dataset_share(d)), NULL), 1,
             2, 4, 5),
       "and behind a cache");
    c.status = COHORT_ENOMEM;
    ok(read_all(cohort_dataset_ignore_errors(d, NULL)).status == COHORT_ENOMEM,
       "errors of the machine stay");
    ok(cohort_dataset_cardinality(d = cohort_dataset_ignore_errors(six_rows(), NULL)) ==
           COHORT_UNKNOWN,
       "nobody knows how many are left");
    cohort_dataset_destroy(d);
}

/* ---- A number that is said. */

static bool ends_with(cohort_dataset *d, int n, const char *text)
{
    reading r = read_all(d);
    return r.n == n && r.status == COHORT_EINVAL && strstr(cohort_error_text(), text) != NULL;
}

static int keep_below_six(const cohort_array element[], void *user)
{
    (void)user;
    return *(const int64_t *)element[0].data < 6;
}

/* Six of 24, which nobody knows before. */
static cohort_dataset *some_six(void)
{
    return cohort_dataset_filter_with(cohort_dataset_range(0, 24, 1), keep_below_six, NULL);
}

static void test_assert_cardinality(void)
{
    is_refused(cohort_dataset_assert_cardinality(NULL, 1), "dataset", "of NULL nothing is said");
    is_refused(cohort_dataset_assert_cardinality(some_six(), -2), "-2 elements",
               "nor is a number below 0");
    is_refused(cohort_dataset_assert_cardinality(six_rows(), 5), "5 elements",
               "nor another number than is known");
    is_refused(cohort_dataset_assert_cardinality(six_rows(), COHORT_INFINITE), "without end",
               "which is no endless one");
    ok(READS(cohort_dataset_assert_cardinality(some_six(), 6), 0, 1, 2, 3, 4, 5),
       "a number that is right changes nothing");
    cohort_dataset *d = cohort_dataset_assert_cardinality(some_six(), 6);
    ok(cohort_dataset_cardinality(d) == 6, "it is known from then on");
    d = cohort_dataset_repeat(cohort_dataset_batch(d, 4, false), 3);
    ok(cohort_dataset_cardinality(d) == 6 && read_all(d).status == COHORT_END,
       "behind it, too, and each repetition is counted anew");
    ok(ends_with(cohort_dataset_assert_cardinality(some_six(), 7), 6,
                 "has only 6 elements; 7 were said"),
       "fewer are an error at the end");
    ok(ends_with(cohort_dataset_assert_cardinality(some_six(), 5), 5,
                 "has at least 6 elements; 5 were said"),
       "more are one at the first of them");
    ok(ends_with(cohort_dataset_assert_cardinality(some_six(), 0), 0, "at least 1 elements"),
       "also where there should be none");
    ok(ends_with(cohort_dataset_assert_cardinality(some_six(), COHORT_INFINITE), 6,
                 "ends after 6 elements; it was said to have no end"),
       "and an end where there should be none");
    ok(ends_with(cohort_dataset_skip(cohort_dataset_assert_cardinality(some_six(), 5), 9), 0,
                 "6 elements; 5 were said") &&
           ends_with(cohort_dataset_skip(cohort_dataset_assert_cardinality(some_six(), 8), 9), 0,
                     "only 6 elements; 8 were said"),
       "what is passed over counts");
    ok(ends_with(
           cohort_dataset_ignore_errors(cohort_dataset_assert_cardinality(some_six(), 5), NULL), 5,
           "5 were said"),
       "it is no error that could be left out");
}

/* ---- Passing over is as reading, everywhere. */

static cohort_dataset *pipeline(int which)
{
    static trouble none = { -1, COHORT_OK };
    cohort_dataset *d = cohort_dataset_range(0, 24, 1);
    switch (which) {
    case 0:
        return cohort_dataset_map_with(d, &one_number, 1, square, NULL, 0);
    case 1:
        return cohort_dataset_map_with(d, &one_number, 1, square, NULL, 3);
    case 2:
        return cohort_dataset_filter_with(d, keep_all_but, &none);
    case 3:
        return cohort_dataset_interleave(d, &one_number, 1, decimals, NULL, 3, 2);
    case 4:
        return cohort_dataset_cache(d);
    case 5:
        return cohort_dataset_prefetch(cohort_dataset_map_with(d, &one_number, 1, square, NULL, 0),
                                       3);
    case 6:
        return cohort_dataset_assert_cardinality(cohort_dataset_filter_with(d, keep_all_but, &none),
                                                 16);
    default:
        return cohort_dataset_ignore_errors(cohort_dataset_filter_with(d, keep_all_but, &none),
                                            NULL);
    }
}
enum { PIPELINES = 8 };

/* Read `first`, pass over `n`, read the rest. */
static bool skips(cohort_dataset *d, const reading *all, int first, int n)
{
    cohort_cursor *cursor;
    cohort_element element;
    int64_t passed = -1;
    int left = all->n - first < n ? all->n - first : n;
    bool is_good = cohort_cursor_open(d, &(cohort_opening){ 0 }, &cursor) == COHORT_OK;
    for (int i = 0; i < first && is_good; i++)
        is_good = cohort_cursor_next(cursor, &element) == COHORT_OK;
    is_good = is_good && cohort_cursor_skip(cursor, n, &passed) == COHORT_OK && passed == left;
    for (int i = first + left; i < all->n && is_good; i++)
        is_good = cohort_cursor_next(cursor, &element) == COHORT_OK &&
                  first_number(&element.parts[0]) == all->rows[i];
    is_good = is_good && cohort_cursor_next(cursor, &element) == COHORT_END;
    cohort_cursor_close(cursor);
    return is_good;
}

static void test_skipping(void)
{
    for (int which = 0; which < PIPELINES; which++) {
        reading all = read_all(pipeline(which));
        bool is_good = all.status == COHORT_END;
        for (int first = 0; first <= all.n && is_good; first += first < 3 ? 1 : 7)
            for (int n = 0; n < all.n + 3 && is_good; n += n < 10 ? 1 : 13) {
                cohort_dataset *d = pipeline(which);
                is_good = skips(d, &all, first, n) && (n % 3 > 0 || skips(d, &all, first, n));
                cohort_dataset_destroy(d);
            }
        ok(is_good, "passing over any number of elements is as reading them (pipeline %d)", which);
    }
}

static void test_prefetch_open(void)
{
    const cohort_prefetch_room endless = { .elements = INT64_MAX };
    cohort_cursor *input = NULL, *ahead = NULL;
    cohort_dataset *d = six_rows(), *e = pipeline(0);
    ok(cohort_cursor_open(d, &(cohort_opening){ 0 }, &input) == COHORT_OK &&
           cohort_prefetch_open(input, &(cohort_prefetch_room){ 5, 0 }, &ahead) == COHORT_OK &&
           ahead == input,
       "what lies in memory is not read ahead");
    cohort_cursor_close(ahead);
    ok(cohort_cursor_open(e, &(cohort_opening){ 0 }, &input) == COHORT_OK &&
           cohort_prefetch_open(input, &(cohort_prefetch_room){ 0, 9 }, &ahead) == COHORT_OK &&
           ahead == input,
       "nor is anything by 0 elements");
    ok(cohort_prefetch_open(input, &endless, &ahead) == COHORT_OK && ahead != input,
       "there is room for no more than there are");
    cohort_cursor_close(ahead);
    ok(cohort_cursor_open(pipeline(2), &(cohort_opening){ 0 }, &input) == COHORT_OK,
       "of an unknown number");
    cohort_dataset_destroy((cohort_dataset *)input->dataset);
    ok(cohort_prefetch_open(input, &endless, &ahead) == COHORT_ENOMEM && ahead == NULL,
       "INT64_MAX are more than a memory holds, and the input is closed");
    cohort_dataset_destroy(d);
    cohort_dataset_destroy(e);
}

/* What is parsed stays with the process. */
static void parse_functions(void)
{
    const cohort_function *const all[] = { twice,    raise,      negate,     corner,
                                           reversed, pair,       total,      even_only,
                                           is_even,  divides,    only_reads, unbounded,
                                           pointing, writes_too, &of_image,  &of_sampler };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        ok(cohort_function_check(all[i], NULL) == COHORT_OK, "%s parses", all[i]->name);
}

int main(void)
{
    (void)alarm(300); /* a hang is a failure */
    parse_functions();
    left_behind before = look_around();
    test_bad_arguments();
    test_bad_functions();
    test_lies();
    test_generator();
    test_generator_room();
    test_words();
    test_map_function();
    test_map_callback();
    test_filter();
    test_interleave();
    test_cache();
    test_errors();
    test_assert_cardinality();
    test_skipping();
    test_prefetch_open();
    nothing_is_left(before);
    return tap_done();
}
