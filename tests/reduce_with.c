/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions with options: several axes, weights, a function that combines; lists and index slices.
 * What is random: reduce_tree.c. */
#include "config.h"

#include "tests/core.h"

#include <math.h>

enum { N = 5 };

/* ---- Several axes. */

static bool several_axes(cohort_strategy *s, int replicas)
{
    float data[2][3][4], found[4];
    for (int i = 0; i < 24; i++)
        (&data[0][0][0])[i] = (float)i;
    cohort_value *x = cohort_value_plain(s, COHORT_ARRAY(&data[0][0][0], 2, 3, 4)),
                 *out = cohort_value_create(s);
    const int32_t outer[] = { 2, 0 }, all[] = { -1, 0, 1 };
    return good(cohort_reduce_with(COHORT_MEAN, x,
                                   &(cohort_reduce_options){ .axes = outer, .n_axes = 2 },
                                   out) == COHORT_OK) &&
           good(cohort_value_read(out, COHORT_ARRAY(found, 3)) == COHORT_OK) &&
           good(found[0] == 7.5f && found[1] == 11.5f && found[2] == 15.5f) &&
           good(cohort_reduce_with(COHORT_MAX, x,
                                   &(cohort_reduce_options){ .axes = all, .n_axes = 3 },
                                   out) == COHORT_OK) &&
           good(cohort_value_scalar(out) == 23) &&
           good(cohort_reduce_with(COHORT_SUM, COHORT_ONCE(x),
                                   &(cohort_reduce_options){ .axes = all, .n_axes = 3 },
                                   out) == COHORT_OK) &&
           good(cohort_value_scalar(out) == 276) &&
           good(cohort_reduce_with(COHORT_SUM, COHORT_REPEATED(x), NULL, out) == COHORT_OK) &&
           good(cohort_value_shape(out, 0, NULL, NULL) == 3) && good(replicas > 0);
}

/* ---- Weights. */

static bool weighed(cohort_strategy *s, int replicas)
{
    float numbers[CORE_MAX_REPLICAS], by[CORE_MAX_REPLICAS], sum = 0, total = 0;
    cohort_array x[CORE_MAX_REPLICAS], w[CORE_MAX_REPLICAS];
    for (int r = 0; r < replicas; r++) {
        numbers[r] = (float)(r + 1), by[r] = (float)(r % 3);
        sum += numbers[r] * by[r], total += by[r];
        x[r] = (cohort_array){ .data = &numbers[r], .dtype = COHORT_F32 };
        w[r] = (cohort_array){ .data = &by[r], .dtype = COHORT_F32 };
    }
    cohort_value *v = cohort_value_per_replica(s, x), *weights = cohort_value_per_replica(s, w),
                 *out = cohort_value_create(s);
    cohort_reduce_options options = { .weights = weights };
    return good(cohort_reduce_with(COHORT_SUM, v, &options, out) == COHORT_OK) &&
           good(cohort_value_scalar(out) == sum) &&
           good(cohort_reduce_with(COHORT_MEAN, v, &options, out) == COHORT_OK) &&
           good(total > 0 ? cohort_value_scalar(out) == sum / total
                          : isnan(cohort_value_scalar(out)));
}

/* One weight for each row, which is absent where the row is. */
static bool weighed_rows(cohort_strategy *s, int replicas)
{
    double rows[3][2] = { { 1, 2 }, { 3, 4 }, { 5, 6 } }, by[3] = { 1, 0, 3 }, found[2];
    const int32_t axis = 0;
    cohort_value *x = cohort_value_split(s, COHORT_ARRAY(&rows[0][0], 3, 2)),
                 *weights = cohort_value_split(s, COHORT_ARRAY(by, 3)),
                 *out = cohort_value_create(s);
    cohort_reduce_options options = { .axes = &axis, .n_axes = 1, .weights = weights };
    return good(cohort_reduce_with(COHORT_MEAN, x, &options, out) == COHORT_OK) &&
           good(cohort_value_read(out, COHORT_ARRAY(found, 2)) == COHORT_OK) &&
           good(found[0] == 4 && found[1] == 5) && good(replicas > 0);
}

/* Weights of one content: one for each row, or one for each replica, which make as many
 * contributions of it. */
static bool weighs_one_content(cohort_strategy *s, int replicas)
{
    double rows[3] = { 1, 3, 5 }, by[3] = { 1, 0, 3 }, each[CORE_MAX_REPLICAS], sum = 0;
    cohort_array parts[CORE_MAX_REPLICAS];
    const int32_t axis = 0;
    for (int r = 0; r < replicas; r++) {
        each[r] = r + 1, sum += r + 1;
        parts[r] = (cohort_array){ .data = &each[r], .dtype = COHORT_F64 };
    }
    cohort_value *x = cohort_value_plain(s, COHORT_ARRAY(rows, 3)), *out = cohort_value_create(s);
    const cohort_reduce_options in_common = { .axes = &axis,
                                              .n_axes = 1,
                                              .weights =
                                                  cohort_value_plain(s, COHORT_ARRAY(by, 3)) },
                                of_each = { .axes = &axis,
                                            .n_axes = 1,
                                            .weights = cohort_value_per_replica(s, parts) };
    return refused_for(s, "COHORT_ONCE(x) counts it once",
                       cohort_reduce_with(COHORT_SUM, x, &in_common, out)) &&
           refused_for(s, "weights that are per replica",
                       cohort_reduce_with(COHORT_SUM, COHORT_ONCE(x), &of_each, out)) &&
           good(cohort_reduce_with(COHORT_SUM, COHORT_ONCE(x), &in_common, out) == COHORT_OK) &&
           good(cohort_value_scalar(out) == 16) &&
           good(cohort_reduce_with(COHORT_SUM, COHORT_REPEATED(x), &in_common, out) == COHORT_OK) &&
           good(cohort_value_scalar(out) == 16 * replicas) &&
           good(cohort_reduce_with(COHORT_SUM, x, &of_each, out) == COHORT_OK) &&
           good(cohort_value_scalar(out) == 9 * sum) &&
           good(cohort_reduce_with(COHORT_MEAN, x, &in_common, out) == COHORT_OK) &&
           good(cohort_value_scalar(out) == 4);
}

static bool refuses_options(cohort_strategy *s, int replicas)
{
    float ones[2 * CORE_MAX_REPLICAS];
    int32_t whole[CORE_MAX_REPLICAS] = { 0 };
    double doubles[CORE_MAX_REPLICAS] = { 0 };
    for (int i = 0; i < 2 * CORE_MAX_REPLICAS; i++)
        ones[i] = 1;
    cohort_value *x = cohort_value_split(s, COHORT_ARRAY(ones, replicas, 2)),
                 *out = cohort_value_create(s),
                 *other = cohort_value_split(s, COHORT_ARRAY(doubles, replicas)),
                 *wrong = cohort_value_split(s, COHORT_ARRAY(ones, replicas));
    const int32_t twice[] = { 0, -2 }, past[] = { 0, 2 }, one[] = { 1 };
    return refused_for(s, "axis -2 of a value of rank 2 is named twice",
                       cohort_reduce_with(COHORT_SUM, x,
                                          &(cohort_reduce_options){ .axes = twice, .n_axes = 2 },
                                          out)) &&
           refused_for(s, "axis 2 of",
                       cohort_reduce_with(COHORT_SUM, x,
                                          &(cohort_reduce_options){ .axes = past, .n_axes = 2 },
                                          out)) &&
           refused_for(
               s, "NULL",
               cohort_reduce_with(COHORT_SUM, x, &(cohort_reduce_options){ .n_axes = 1 }, out)) &&
           refused_for(
               s, "-1 axes",
               cohort_reduce_with(COHORT_SUM, x, &(cohort_reduce_options){ .n_axes = -1 }, out)) &&
           refused_for(s, "reserved[0]",
                       cohort_reduce_with(COHORT_SUM, x,
                                          &(cohort_reduce_options){ .reserved = { out } }, out)) &&
           refused_for(s, "weights of replica 0 are float64[1]; its component takes float32",
                       cohort_reduce_with(COHORT_SUM, x,
                                          &(cohort_reduce_options){ .weights = other }, out)) &&
           refused_for(s, "takes float32[2]",
                       cohort_reduce_with(
                           COHORT_SUM, x,
                           &(cohort_reduce_options){ .axes = one, .n_axes = 1, .weights = wrong },
                           out)) &&
           refused_for(s, "another",
                       cohort_reduce_with(COHORT_SUM, x, &(cohort_reduce_options){ .weights = out },
                                          out)) &&
           refused_for(s, "int32",
                       cohort_reduce_with(COHORT_MEAN,
                                          cohort_value_split(s, COHORT_ARRAY(whole, replicas)),
                                          &(cohort_reduce_options){ .weights = x }, out)) &&
           good(cohort_value_kind_of(out) == COHORT_EMPTY_VALUE) &&
           good(cohort_strategy_status(s) == COHORT_OK);
}

/* ---- A function that combines: what it makes shows the tree, for it is not associative. */

static float half_way(float a, float b)
{
    return a / 2 + 3 * b;
}

COHORT_FUNCTION(mix, (int64_t n, const float in[n], float inout[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        inout[i] = half_way(in[i], inout[i]);
}

COHORT_ITEMS(mix_items, i, n, (int64_t n, const float in[n], float inout[n]),
             { inout[i] = in[i] / 2 + 3 * inout[i]; });

COHORT_STRUCT(span, {
    int32_t first;
    double last;
});

COHORT_FUNCTION(join_spans, (int64_t n, int m COHORT_IS(2 * n), const span in[n], span inout[n]),
                .types = COHORT_TYPES(span))
{
    for (int64_t i = 0; i < n && m == 2 * n; i++)
        inout[i].first = in[i].first;
}

COHORT_FUNCTION(takes_one, (int64_t n, float inout[n]), COHORT_HOST_ONLY)
{
    inout[0] = (float)n;
}

COHORT_FUNCTION(changes_both, (int64_t n, float in[n], float inout[n]), COHORT_HOST_ONLY)
{
    inout[0] = in[0] + (float)n;
}

COHORT_FUNCTION(takes_a_number, (int64_t n, float by, const float in[n], float inout[n]),
                COHORT_HOST_ONLY)
{
    inout[0] = by * in[0] + (float)n;
}

COHORT_FUNCTION(takes_doubles, (int64_t n, const double in[n], double inout[n]), COHORT_HOST_ONLY)
{
    inout[0] = in[0] + (double)n;
}

COHORT_FUNCTION_RETURNING(cohort_status, fails, (int64_t n, const float in[n], float inout[n]),
                          COHORT_HOST_ONLY)
{
    inout[0] = in[0] + (float)n;
    return COHORT_ENOENT;
}

static float tree(const float *terms, const bool *is_present, int n, bool *out_any)
{
    bool left_any, right_any;
    int m = 1;
    if (n == 1)
        return *out_any = is_present[0], terms[0];
    while (2 * m < n)
        m *= 2;
    float left = tree(terms, is_present, m, &left_any),
          right = tree(terms + m, is_present + m, n - m, &right_any);
    *out_any = left_any || right_any;
    return !left_any ? right : !right_any ? left : half_way(left, right);
}

static bool combines_with(cohort_strategy *s, int replicas, const cohort_function *function,
                          int absent)
{
    float data[CORE_MAX_REPLICAS][N], terms[CORE_MAX_REPLICAS], found[N];
    cohort_array parts[CORE_MAX_REPLICAS];
    bool is_present[CORE_MAX_REPLICAS], any, is_good = true;
    for (int r = 0; r < replicas; r++) {
        is_present[r] = r != absent;
        for (int i = 0; i < N; i++)
            data[r][i] = (float)((r * 7 + i * 3) % 11) / 4;
        parts[r] = COHORT_ARRAY(data[r], is_present[r] ? N : 0);
    }
    cohort_value *x = cohort_value_per_replica(s, parts), *out = cohort_value_create(s);
    is_good = good(cohort_reduce_with((cohort_reduce_op)0, x,
                                      &(cohort_reduce_options){ .combine = function },
                                      out) == COHORT_OK) &&
              good(cohort_value_kind_of(out) == COHORT_PLAIN_VALUE) &&
              good(cohort_value_read(out, COHORT_ARRAY(found, N)) == COHORT_OK);
    for (int i = 0; i < N && is_good; i++) {
        for (int r = 0; r < replicas; r++)
            terms[r] = data[r][i];
        is_good = good(found[i] == tree(terms, is_present, replicas, &any));
    }
    for (int r = 0; r < replicas && is_good; r++) /* contributions stay as they are */
        is_good = good(data[r][0] == (float)((r * 7) % 11) / 4);
    cohort_value_destroy(x);
    cohort_value_destroy(out);
    return is_good;
}

static bool combines(cohort_strategy *s, int replicas)
{
    return combines_with(s, replicas, mix, -1) && combines_with(s, replicas, mix_items, -1) &&
           (replicas == 1 ||
            (combines_with(s, replicas, mix, 0) && combines_with(s, replicas, mix, replicas / 2)));
}

static bool combines_structs(cohort_strategy *s, int replicas)
{
    span spans[CORE_MAX_REPLICAS], found;
    for (int r = 0; r < replicas; r++)
        spans[r] = (span){ r + 1, r + 0.5 };
    cohort_array parts[CORE_MAX_REPLICAS];
    for (int r = 0; r < replicas; r++)
        parts[r] = (cohort_array){ .data = &spans[r],
                                   .dtype = COHORT_RECORD,
                                   .item_bytes = sizeof(span),
                                   .rank = 1,
                                   .shape = { 1 } };
    cohort_value *x = cohort_value_per_replica(s, parts), *out = cohort_value_create(s);
    cohort_array into = parts[0];
    into.data = &found;
    return good(cohort_reduce_with((cohort_reduce_op)0, x,
                                   &(cohort_reduce_options){ .combine = join_spans },
                                   out) == COHORT_OK) &&
           good(cohort_value_read(out, into) == COHORT_OK) &&
           good(found.first == 1 && found.last == replicas - 0.5);
}

static bool combines_plain(cohort_strategy *s, int replicas)
{
    float line[2] = { 2, 4 }, found[2], terms[CORE_MAX_REPLICAS];
    bool is_present[CORE_MAX_REPLICAS], any;
    for (int r = 0; r < replicas; r++)
        terms[r] = 4, is_present[r] = true;
    cohort_value *out = cohort_value_create(s);
    return refused_for(s, "COHORT_REPEATED(x) once for each replica",
                       cohort_reduce_with((cohort_reduce_op)0, COHORT_ARRAY(line, 2),
                                          &(cohort_reduce_options){ .combine = mix }, out)) &&
           good(cohort_reduce_with((cohort_reduce_op)0, COHORT_ONCE(COHORT_ARRAY(line, 2)),
                                   &(cohort_reduce_options){ .combine = mix }, out) == COHORT_OK) &&
           good(cohort_value_read(out, COHORT_ARRAY(found, 2)) == COHORT_OK) &&
           good(memcmp(found, line, sizeof found) == 0) &&
           good(cohort_reduce_with((cohort_reduce_op)0, COHORT_REPEATED(COHORT_ARRAY(line, 2)),
                                   &(cohort_reduce_options){ .combine = mix }, out) == COHORT_OK) &&
           good(cohort_value_read(out, COHORT_ARRAY(found, 2)) == COHORT_OK) &&
           good(found[1] == tree(terms, is_present, replicas, &any)) &&
           good(line[0] == 2 && line[1] == 4);
}

static cohort_status with(const cohort_function *function, cohort_value *x, cohort_value *out)
{
    return cohort_reduce_with((cohort_reduce_op)0, x,
                              &(cohort_reduce_options){ .combine = function }, out);
}

static bool refuses_functions(cohort_strategy *s, int replicas)
{
    float ones[CORE_MAX_REPLICAS] = { 0 };
    const int32_t axis = 0;
    cohort_value *x = cohort_value_split(s, COHORT_ARRAY(ones, replicas)),
                 *out = cohort_value_create(s);
    return refused_for(s, "'inout' of takes_one is the left side, and must be const",
                       with(takes_one, x, out)) &&
           refused_for(s, "'in' of changes_both is the left side, and must be const",
                       with(changes_both, x, out)) &&
           refused_for(s, "takes_a_number takes 2 arrays and other arguments",
                       with(takes_a_number, x, out)) &&
           refused_for(s, "'in' of takes_doubles takes float64 of 8 bytes",
                       with(takes_doubles, x, out)) &&
           refused_for(s, "op 0",
                       cohort_reduce_with(COHORT_SUM, x, &(cohort_reduce_options){ .combine = mix },
                                          out)) &&
           refused_for(s, "stands alone",
                       cohort_reduce_with(
                           (cohort_reduce_op)0, x,
                           &(cohort_reduce_options){ .combine = mix, .axes = &axis, .n_axes = 1 },
                           out)) &&
           refused_for(s, "nothing has written", with(mix, out, x)) &&
           refused_for(s, "itself", with(mix, x, x)) &&
           good(cohort_value_kind_of(out) == COHORT_EMPTY_VALUE) &&
           good(cohort_strategy_status(s) == COHORT_OK) &&
           (replicas == 1 ||
            (good(with(fails, x, out) != COHORT_EINVAL) && good(cohort_wait(s) == COHORT_ENOENT) &&
             good(strstr(cohort_error_text(), "fails on ") != NULL) &&
             good(cohort_strategy_recover(s) == COHORT_OK) && combines(s, replicas)));
}

/* ---- Lists. */

static bool lists(cohort_strategy *s, int replicas)
{
    enum { MANY = 12 };
    float data[MANY][CORE_MAX_REPLICAS];
    cohort_value *x[MANY], *into[MANY], *twin[MANY];
    bool is_good = true;
    for (int i = 0; i < MANY; i++) {
        for (int r = 0; r < replicas; r++)
            data[i][r] = (float)(i + r);
        x[i] = cohort_value_split(s, COHORT_ARRAY(data[i], replicas));
        twin[i] = into[i] = cohort_value_create(s);
    }
    is_good = good(cohort_reduce_list(COHORT_SUM, x, MANY, 0, into) == COHORT_OK);
    for (int i = 0; i < MANY && is_good; i++)
        is_good =
            good(cohort_value_scalar(into[i]) == replicas * i + replicas * (replicas - 1) / 2);
    twin[MANY - 1] = twin[0];
    cohort_value *empty = cohort_value_create(s),
                 *fresh[2] = { cohort_value_create(s), cohort_value_create(s) };
    return is_good &&
           refused_for(s, "result 0", cohort_reduce_list(COHORT_SUM, x, MANY, 0, twin)) &&
           refused_for(s, "argument 0", cohort_reduce_list(COHORT_SUM, x, MANY, 0, x)) &&
           refused_for(
               s, "nothing has written",
               cohort_reduce_list(COHORT_SUM, (cohort_value *[]){ x[0], empty }, 2, 0, fresh)) &&
           good(cohort_value_kind_of(fresh[0]) == COHORT_EMPTY_VALUE) &&
           good(cohort_reduce_list(COHORT_SUM, x, -1, 0, into) == COHORT_EINVAL) &&
           says("-1 values") && good(cohort_strategy_status(s) == COHORT_OK) &&
           refused_for(s, "NULL", cohort_reduce_list(COHORT_SUM, NULL, 1, 0, into)) &&
           good(cohort_reduce_list(COHORT_SUM, NULL, 0, 0, NULL) == COHORT_OK);
}

/* ---- Index slices. */

static bool slices(cohort_strategy *s, int replicas)
{
    int32_t ids[2 * CORE_MAX_REPLICAS], found_ids[2 * CORE_MAX_REPLICAS],
        whole[2 * CORE_MAX_REPLICAS][2];
    float rows[2 * CORE_MAX_REPLICAS][2], found[2 * CORE_MAX_REPLICAS][2];
    double means[2 * CORE_MAX_REPLICAS][2];
    int n = replicas + 1;
    for (int i = 0; i < n; i++) {
        ids[i] = i * 3 % 7;
        rows[i][0] = (float)i, rows[i][1] = (float)-i;
        whole[i][0] = i, whole[i][1] = -i;
    }
    cohort_value *v = cohort_value_split(s, COHORT_ARRAY(ids, n)),
                 *x = cohort_value_split(s, COHORT_ARRAY(&rows[0][0], n, 2)),
                 *y = cohort_value_split(s, COHORT_ARRAY(&whole[0][0], n, 2)),
                 *at = cohort_value_create(s), *out = cohort_value_create(s),
                 *mean = cohort_value_create(s);
    bool is_good = good(cohort_reduce_slices(COHORT_SUM, v, x, at, out) == COHORT_OK) &&
                   good(cohort_value_read(at, COHORT_ARRAY(found_ids, n)) == COHORT_OK) &&
                   good(memcmp(found_ids, ids, (size_t)n * sizeof *ids) == 0) &&
                   good(cohort_value_read(out, COHORT_ARRAY(&found[0][0], n, 2)) == COHORT_OK) &&
                   good(memcmp(found, rows, (size_t)n * sizeof *rows) == 0) &&
                   good(cohort_reduce_slices(COHORT_MEAN, v, x, at, out) == COHORT_OK) &&
                   good(cohort_value_read(out, COHORT_ARRAY(&found[0][0], n, 2)) == COHORT_OK) &&
                   good(cohort_reduce_slices(COHORT_MEAN, v, y, at, mean) == COHORT_OK) &&
                   good(cohort_value_read(mean, COHORT_ARRAY(&means[0][0], n, 2)) == COHORT_OK);
    for (int i = 0; i < n && is_good; i++)
        is_good = good(found[i][1] == (float)-i / (float)replicas) &&
                  good(means[i][1] == (double)-i / replicas);
    return is_good;
}

/* What is not per replica is contributed by every one. */
static bool plain_slices(cohort_strategy *s, int replicas)
{
    int64_t ids[2] = { 5, 1 }, found_ids[2 * CORE_MAX_REPLICAS];
    double rows[2] = { 3, 4 }, found[2 * CORE_MAX_REPLICAS];
    cohort_value *at = cohort_value_create(s), *out = cohort_value_create(s);
    cohort_value *v = cohort_value_plain(s, COHORT_ARRAY(ids, 2)),
                 *x = cohort_value_plain(s, COHORT_ARRAY(rows, 2));
    bool is_good =
        good(cohort_reduce_slices(COHORT_MEAN, v, x, at, out) == COHORT_OK) &&
        good(cohort_value_read(at, COHORT_ARRAY(found_ids, 2 * replicas)) == COHORT_OK) &&
        good(cohort_value_read(out, COHORT_ARRAY(found, 2 * replicas)) == COHORT_OK);
    for (int i = 0; i < 2 * replicas && is_good; i++)
        is_good = good(found_ids[i] == ids[i % 2]) && good(found[i] == rows[i % 2] / replicas);
    return is_good;
}

static bool refuses_slices(cohort_strategy *s, int replicas)
{
    int32_t ids[4] = { 0 };
    float rows[4] = { 0 };
    cohort_value *v = cohort_value_plain(s, COHORT_ARRAY(ids, 4)),
                 *x = cohort_value_plain(s, COHORT_ARRAY(rows, 4)),
                 *few = cohort_value_plain(s, COHORT_ARRAY(rows, 3)), *a = cohort_value_create(s),
                 *b = cohort_value_create(s),
                 *square = cohort_value_plain(s, COHORT_ARRAY(ids, 2, 2));
    return refused_for(s, "COHORT_SUM and COHORT_MEAN",
                       cohort_reduce_slices(COHORT_MAX, v, x, a, b)) &&
           refused_for(s, "ids are float32 of rank 1",
                       cohort_reduce_slices(COHORT_SUM, x, x, a, b)) &&
           refused_for(s, "ids are int32 of rank 2",
                       cohort_reduce_slices(COHORT_SUM, square, x, a, b)) &&
           refused_for(s, "replica 0 has 4 ids and 3 rows",
                       cohort_reduce_slices(COHORT_SUM, v, few, a, b)) &&
           refused_for(s, "result", cohort_reduce_slices(COHORT_SUM, v, x, a, a)) &&
           refused_for(s, "argument", cohort_reduce_slices(COHORT_SUM, v, x, v, b)) &&
           refused_for(s, "", cohort_reduce_slices(COHORT_SUM, NULL, x, a, b)) &&
           refused_for(s, "", cohort_reduce_slices(COHORT_SUM, v, x, a, NULL)) &&
           refused_for(s, "index slices already", cohort_reduce_slices(COHORT_SUM, v, x, a, b)) &&
           good(replicas > 0);
}

/* A body for items runs on OpenCL devices; one for the host alone runs where some side of the node,
 * or home, is. */
static void on_opencl(void)
{
    cohort_strategy *both =
        cohort_strategy_create(&(cohort_strategy_options){ .devices = "opencl:0,host",
                                                           .replicas = 7,
                                                           .n_hosted = 2,
                                                           .hosted = (const int32_t[]){ 4, 3 } });
    cohort_strategy *one =
        cohort_strategy_create(&(cohort_strategy_options){ .devices = "opencl:0", .replicas = 3 });
    if (both == NULL || one == NULL) {
        skip("a function that combines on OpenCL", "no such device");
    } else {
        float ones[3] = { 1, 1, 1 };
        cohort_value *x = cohort_value_split(one, COHORT_ARRAY(ones, 3)),
                     *out = cohort_value_create(one);
        ok(combines_with(both, 7, mix_items, -1) && combines_with(one, 3, mix_items, -1),
           "a function that combines on OpenCL");
        ok(refused(one, COHORT_EINCOMPATIBLE, with(mix, x, out)) &&
               cohort_value_kind_of(out) == COHORT_EMPTY_VALUE &&
               combines_with(one, 3, mix_items, -1),
           "without a body for any of the devices it is refused");
    }
    cohort_strategy_destroy(both);
    cohort_strategy_destroy(one);
}

int main(void)
{
    if (!HAS_EQUAL_BITS)
        return skip_all(UNEQUAL_BITS);
    (void)core_warm();
    core_live warm = { 0 };
    for (int i = 0; i < 2; i++) {
        core_everywhere(refuses_options,
                        "options that are wrong are refused, and nothing has changed");
        core_everywhere(refuses_functions,
                        "functions of another prototype too; one that fails fails the strategy");
        core_everywhere(refuses_slices, "index slices that do not fit together too");
        core_everywhere(several_axes, "several axes in any order");
        core_everywhere(weighed, "one weight for each replica");
        core_everywhere(weighs_one_content,
                        "one content is weighed row by row, or for each replica");
        core_everywhere(weighed_rows, "one weight for each row");
        core_everywhere(
            combines,
            "a function is called along the tree, on contributions that stay as they are");
        core_everywhere(combines_structs, "on structs");
        core_everywhere(combines_plain, "of one content once, or once for each replica");
        core_everywhere(lists, "a list is reduced value by value, or not at all");
        core_everywhere(slices, "index slices come together in replica order; a mean divides them");
        core_everywhere(plain_slices, "those that are not per replica count for every one");
        if (i == 0)
            warm = core_live_now();
    }
    core_no_leak(warm);
    on_opencl(); /* last: its driver keeps threads */
    return tap_done();
}
