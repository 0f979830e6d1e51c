/* SPDX-License-Identifier: BSD-3-Clause */
/* Values keep what they were given and what calls wrote, on every list of devices. Wrong calls:
 * wrong_calls.c. */
#include "config.h"

#include "tests/core.h"
#include "tests/dtypes.h"

typedef struct point {
    int16_t x;
    double y;
} point;

COHORT_FUNCTION(twice, (int64_t n, float x[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        x[i] *= 2;
}

COHORT_FUNCTION(copy, (int64_t n, const float x[n], COHORT_OUT float y[n]), COHORT_HOST_ONLY)
{
    memcpy(y, x, (size_t)n * sizeof *x);
}

/* Late, but for replica 0. */
COHORT_FUNCTION(rounded, (int64_t n, const float x[n], COHORT_OUT int32_t y[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = (int32_t)x[i];
}

COHORT_FUNCTION(copy_late, (int32_t id, int64_t n, const float x[n], COHORT_OUT float y[n]),
                COHORT_HOST_ONLY)
{
    if (id > 0)
        (void)nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
    memcpy(y, x, (size_t)n * sizeof *x);
}

static float data[CORE_MAX_ELEMENTS], found[CORE_MAX_ELEMENTS];

static void count_up(float from)
{
    for (int i = 0; i < CORE_MAX_ELEMENTS; i++)
        data[i] = from + (float)i, found[i] = -1;
}

static bool holds(cohort_value *value, int64_t n, float from)
{
    bool is_good = good(cohort_value_read(value, COHORT_ARRAY(found, n)) == COHORT_OK);
    for (int64_t i = 0; i < n && is_good; i++)
        is_good = good(found[i] == from + (float)i);
    return is_good;
}

/* The rows of replica r out of n: n div R each, the first n mod R one more. */
static int64_t share(int64_t n, int replicas, int r)
{
    return n / replicas + (r < n % replicas);
}

static bool empty(cohort_strategy *s, int replicas)
{
    cohort_value *value = cohort_value_create(s);
    (void)replicas;
    return good(cohort_value_kind_of(value) == COHORT_EMPTY_VALUE);
}

static bool number(cohort_strategy *s, int replicas)
{
    cohort_value *value = cohort_value_number(s, 0.1);
    cohort_dtype dtype = COHORT_VOID;
    int64_t shape[COHORT_MAX_RANK];
    (void)replicas;
    return good(cohort_value_kind_of(value) == COHORT_PLAIN_VALUE) &&
           good(cohort_value_scalar(value) == 0.1) &&
           good(cohort_value_shape(value, 0, &dtype, shape) == 0) && good(dtype == COHORT_F64) &&
           good(cohort_value_set(value, 7) == COHORT_OK) && good(cohort_value_scalar(value) == 7);
}

static bool plain(cohort_strategy *s, int replicas)
{
    cohort_dtype dtype = COHORT_VOID;
    int64_t shape[COHORT_MAX_RANK];
    count_up(3);
    cohort_value *value = cohort_value_plain(s, COHORT_ARRAY(data, 2, 3));
    return good(cohort_value_kind_of(value) == COHORT_PLAIN_VALUE) && holds(value, 6, 3) &&
           good(cohort_value_shape(value, replicas - 1, &dtype, shape) == 2) &&
           good(dtype == COHORT_F32) && good(shape[0] == 2 && shape[1] == 3) &&
           good(cohort_value_rows(value, replicas - 1) == 2);
}

static bool split(cohort_strategy *s, int replicas)
{
    bool is_good = true;
    for (int64_t n = 0; n <= 3 * replicas + 1 && is_good; n++) {
        int64_t shape[COHORT_MAX_RANK];
        count_up(1);
        cohort_value *value = cohort_value_split(s, COHORT_ARRAY(data, n, 2));
        is_good =
            good(cohort_value_kind_of(value) == COHORT_PER_REPLICA_VALUE) && holds(value, 2 * n, 1);
        for (int r = 0; r < replicas && is_good; r++)
            is_good = good(cohort_value_rows(value, r) == share(n, replicas, r)) &&
                      good(cohort_value_shape(value, r, NULL, shape) == 2) &&
                      good(shape[0] == share(n, replicas, r) && shape[1] == 2);
        cohort_value_destroy(value);
    }
    return is_good;
}

static bool strided(cohort_strategy *s, int replicas)
{
    float wanted[12], back[4][3];
    cohort_array columns = COHORT_ARRAY(data, 3, 4), turned = COHORT_ARRAY(&back[0][0], 3, 4),
                 mirrored = COHORT_ARRAY(data + 11, 3, 4);
    count_up(0);
    columns.strides[0] = 1, columns.strides[1] = 3; /* 4 x 3 in memory, seen as 3 x 4 */
    turned.strides[0] = 1, turned.strides[1] = 3;
    mirrored.strides[0] = -4, mirrored.strides[1] = -1;
    cohort_value *value = cohort_value_split(s, columns), *other = cohort_value_plain(s, mirrored);
    (void)replicas;
    bool is_good = good(cohort_value_read(value, COHORT_ARRAY(wanted, 12)) == COHORT_OK);
    for (int i = 0; i < 12 && is_good; i++)
        is_good = good(wanted[i] == data[i / 4 + i % 4 * 3]);
    is_good = is_good && good(cohort_value_read(value, turned) == COHORT_OK) &&
              good(memcmp(back, data, sizeof back) == 0) &&
              good(cohort_value_read(other, COHORT_ARRAY(wanted, 3, 4)) == COHORT_OK);
    for (int i = 0; i < 12 && is_good; i++)
        is_good = good(wanted[i] == data[11 - i]);
    return is_good;
}

static bool components(cohort_strategy *s, int replicas)
{
    cohort_array parts[CORE_MAX_REPLICAS], local[CORE_MAX_REPLICAS];
    int64_t n = 0, seen = 0;
    count_up(5);
    for (int r = 0; r < replicas; r++) {
        parts[r] = COHORT_ARRAY(data + n, (r + 2) % 3, 2);
        n += (r + 2) % 3 * 2;
    }
    cohort_value *value = cohort_value_per_replica(s, parts);
    bool is_good = holds(value, n, 5) &&
                   good(cohort_local_results(value, local, CORE_MAX_REPLICAS) == replicas);
    for (int r = 0; r < replicas && is_good; r++) {
        is_good =
            good(cohort_value_rows(value, r) == parts[r].shape[0]) &&
            good(local[r].shape[0] == parts[r].shape[0]) &&
            good(local[r].rank == 2 && local[r].shape[1] == 2 && local[r].dtype == COHORT_F32);
        for (int64_t i = 0; i < 2 * parts[r].shape[0] && is_good; i++)
            is_good = good(((const float *)local[r].data)[i] == 5 + (float)seen++);
    }
    return is_good && good(cohort_local_results(value, local, 0) == replicas) &&
           good(cohort_unwrap(value, local, 1) == replicas);
}

static bool single_elements(cohort_strategy *s, int replicas)
{
    cohort_array parts[CORE_MAX_REPLICAS];
    count_up(1);
    for (int r = 0; r < replicas; r++)
        parts[r] = (cohort_array){ .data = &data[r], .dtype = COHORT_F32 };
    cohort_value *value = cohort_value_per_replica(s, parts);
    return holds(value, replicas, 1) && good(cohort_value_shape(value, 0, NULL, NULL) == 0);
}

static bool records(cohort_strategy *s, int replicas)
{
    point points[5], back[5];
    memset(points, 0, sizeof points);
    for (int i = 0; i < 5; i++)
        points[i].x = (int16_t)i, points[i].y = i / 4.0;
    cohort_value *value = cohort_value_split(s, COHORT_ARRAY(points, 5));
    cohort_dtype dtype = COHORT_VOID;
    (void)replicas;
    return good(cohort_value_read(value, COHORT_ARRAY(back, 5)) == COHORT_OK) &&
           good(memcmp(back, points, sizeof back) == 0) &&
           good(cohort_value_shape(value, 0, &dtype, NULL) == 1) && good(dtype == COHORT_RECORD);
}

static bool every_dtype(cohort_strategy *s, int replicas)
{
    bool is_good = true;
    uint8_t bytes[16 * 7], back[16 * 7];
    (void)replicas;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i * 37 + 1);
    for (uint32_t dtype = next_dtype(0); dtype != 0 && is_good; dtype = next_dtype(dtype)) {
        cohort_array from = { .data = bytes,
                              .dtype = (cohort_dtype)dtype,
                              .rank = 1,
                              .shape = { 7 } },
                     into = from;
        memset(back, 0, sizeof back);
        into.data = back;
        cohort_value *value = cohort_value_split(s, from);
        size_t n = 7 * (size_t)cohort_dtype_bytes((cohort_dtype)dtype);
        is_good =
            good(cohort_value_read(value, into) == COHORT_OK) && good(memcmp(bytes, back, n) == 0);
        cohort_value_destroy(value);
    }
    return is_good;
}

/* What the program borrowed is never written, also when a call works on it in place. */
static bool untouched(cohort_strategy *s, int replicas)
{
    count_up(1);
    cohort_value *value = cohort_value_split(s, COHORT_ARRAY(data, 3 * replicas));
    bool is_good = good(cohort_run(s, twice, value) == COHORT_OK) &&
                   good(cohort_run(s, twice, value) == COHORT_OK) &&
                   good(cohort_value_read(value, COHORT_ARRAY(found, 3 * replicas)) == COHORT_OK);
    for (int i = 0; i < 3 * replicas && is_good; i++)
        is_good = good(found[i] == 4 * (float)(i + 1)) && good(data[i] == (float)(i + 1));
    return is_good;
}

static bool set_again(cohort_strategy *s, int replicas)
{
    cohort_value *rows = cohort_value_split(s, COHORT_ARRAY(data, 0)),
                 *whole = cohort_value_plain(s, COHORT_ARRAY(data, 1));
    cohort_value *out = cohort_value_create(s), *copied = cohort_value_create(s);
    bool is_good = true;
    for (int i = 0; i < 20 && is_good; i++) {
        int64_t n = i * 7 % 11 * replicas + i % 3;
        count_up((float)i);
        is_good = good(cohort_value_set(rows, COHORT_ARRAY(data, n)) == COHORT_OK) &&
                  good(cohort_value_set(whole, COHORT_ARRAY(data, i + 1)) == COHORT_OK) &&
                  good(cohort_run(s, copy, rows, out) == COHORT_OK) &&
                  good(cohort_run(s, copy, whole, copied) == COHORT_OK) &&
                  holds(out, n, (float)i) && holds(rows, n, (float)i) &&
                  holds(whole, i + 1, (float)i) &&
                  good(cohort_value_rows(copied, replicas - 1) == i + 1);
    }
    return is_good;
}

/* The next content goes to calls that come after; a call that is under way keeps the one that it
 * was given. */
static bool set_ahead(cohort_strategy *s, int replicas)
{
    static float lines[16][64];
    cohort_value *x = cohort_value_split(s, COHORT_ARRAY(&lines[0][0], 64)), *out[16];
    bool is_good = true;
    (void)replicas;
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 64; j++)
            lines[i][j] = (float)(100 * i + j);
    for (int i = 0; i < 16 && is_good; i++) {
        out[i] = cohort_value_create(s);
        is_good = good(cohort_value_set(x, COHORT_ARRAY(lines[i], 64)) == COHORT_OK) &&
                  good(cohort_run(s, copy, x, out[i]) == COHORT_OK);
    }
    for (int i = 0; i < 16 && is_good; i++)
        is_good = holds(out[i], 64, (float)(100 * i));
    return is_good;
}

static bool set_after_writing(cohort_strategy *s, int replicas)
{
    count_up(1);
    cohort_value *value = cohort_value_split(s, COHORT_ARRAY(data, 2 * replicas));
    return good(cohort_run(s, twice, value) == COHORT_OK) &&
           good(cohort_value_set(value, COHORT_ARRAY(data, replicas)) == COHORT_OK) &&
           holds(value, replicas, 1);
}

/* A split value whose rows were integers in between, and then a plain one. */
static bool set_after_another_dtype(cohort_strategy *s, int replicas)
{
    count_up(1);
    cohort_value *value = cohort_value_split(s, COHORT_ARRAY(data, 2 * replicas));
    cohort_value *other = cohort_value_split(s, COHORT_ARRAY(data, 2 * replicas));
    return good(cohort_run(s, rounded, other, value) == COHORT_OK) &&
           refused_for(s, "is int32", cohort_value_set(value, COHORT_ARRAY(data, replicas))) &&
           good(cohort_gather(other, 0, value) == COHORT_OK) &&
           good(cohort_value_set(value, COHORT_ARRAY(data, replicas)) == COHORT_OK) &&
           holds(value, replicas, 1);
}

static bool destroyed_early(cohort_strategy *s, int replicas)
{
    count_up(1);
    bool is_good = true;
    for (int i = 0; i < 50 && is_good; i++) {
        cohort_value *x = cohort_value_split(s, COHORT_ARRAY(data, 100 * replicas)),
                     *y = cohort_value_create(s);
        is_good = good(cohort_run(s, copy, x, y) == COHORT_OK);
        cohort_value_destroy(x);
        is_good = is_good && good(cohort_run(s, twice, y) == COHORT_OK);
        cohort_value_destroy(y);
    }
    return is_good && good(cohort_wait(s) == COHORT_OK);
}

static bool large(cohort_strategy *s, int replicas)
{
    int64_t n = 300000;
    float *many = malloc((size_t)n * sizeof *many), *back = malloc((size_t)n * sizeof *back);
    bool is_good = many != NULL && back != NULL;
    (void)replicas;
    for (int64_t i = 0; is_good && i < n; i++)
        many[i] = (float)i;
    cohort_value *x = cohort_value_split(s, COHORT_ARRAY(many, n)), *y = cohort_value_create(s);
    is_good = is_good && good(cohort_run(s, copy, x, y) == COHORT_OK) &&
              good(cohort_value_read(y, COHORT_ARRAY(back, n)) == COHORT_OK) &&
              good(memcmp(many, back, (size_t)n * sizeof *many) == 0);
    (void)cohort_wait(s); /* the arrays are borrowed until then */
    free(many);
    free(back);
    return is_good;
}

/* What a call was accepted with is borrowed until the wait, also when a later call was refused. */
static bool free_after_wait(cohort_strategy *s, int replicas)
{
    enum { ITEMS = 4000 };
    cohort_value *y = cohort_value_create(s);
    (void)replicas;
    count_up(5);
    cohort_value *x = cohort_value_split(s, COHORT_ARRAY(data, ITEMS));
    bool is_good = good(cohort_run(s, copy_late, COHORT_REPLICA_ID, x, y) == COHORT_OK) &&
                   good(cohort_run(s, copy_late, x, y) == COHORT_EINVAL) &&
                   good(cohort_wait(s) == COHORT_EINVAL);
    count_up(1000);
    return is_good && good(cohort_strategy_recover(s) == COHORT_OK) && holds(y, ITEMS, 5);
}

int main(void)
{
    if (!HAS_EQUAL_BITS)
        return skip_all(UNEQUAL_BITS);
    (void)core_warm();
    core_live warm = { 0 };
    for (int i = 0; i < 2; i++) { /* prototypes are parsed once for the process */
        warm = core_live_now();
        core_everywhere(empty, "a new value is empty");
        core_everywhere(number, "a number is plain, of rank 0, and can be set");
        core_everywhere(plain, "a plain value has one content for all replicas");
        core_everywhere(
            split,
            "rows are shared out: n div R each, the first n mod R one more, 0 rows included");
        core_everywhere(strided, "strided arrays are read and written element by element");
        core_everywhere(components,
                        "components may differ in length, and are lent as local results");
        core_everywhere(single_elements, "components of rank 0 are a row each");
        core_everywhere(records, "elements may be structs");
        core_everywhere(every_dtype, "every dtype keeps its bits");
        core_everywhere(untouched,
                        "a borrowed array is never written, a call that does works on a copy");
        core_everywhere(set_again, "a value is set again and again, longer and shorter");
        core_everywhere(set_ahead,
                        "a call keeps the content that the value had when it was called");
        core_everywhere(set_after_writing, "a value that a call wrote can be set again");
        core_everywhere(set_after_another_dtype, "the dtype that counts is that of what it holds");
        core_everywhere(destroyed_early,
                        "a value may be destroyed while calls with it are under way");
        core_everywhere(
            free_after_wait,
            "an array is free after a wait, also after one that answers a refused call");
        core_everywhere(large, "large arrays come back as they were");
    }
    core_no_leak(warm);
    return tap_done();
}
