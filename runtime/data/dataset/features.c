/* SPDX-License-Identifier: BSD-3-Clause */
/* The features that a program asks for, checked once and copied: from then on a record that does
 * not fit is the record's fault, and never a mistake in what was asked. */
#include "config.h"

#include "runtime/data/dataset/features.h"

#include "runtime/base/dtype.h"
#include "runtime/base/error.h"
#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/base/number.h"
#include "runtime/data/dataset/reader.h"

#include <string.h>

cohort_spec cohort_feature_spec(const cohort_feature *feature)
{
    cohort_spec spec = { .dtype = feature->dtype, .rank = feature->rank };
    memcpy(spec.shape, feature->shape, sizeof spec.shape);
    return spec;
}

/* ---- Checks */

#define REFUSE(call, feature, format, ...)                                                         \
    cohort_error_set(COHORT_EINVAL, "%s: feature '%.128s' " format, call, (feature)->name,         \
                     __VA_ARGS__)

static bool is_feature_dtype(cohort_dtype dtype)
{
    return dtype == COHORT_BOOL || cohort_dtype_is_integer(dtype) || dtype == COHORT_F32 ||
           dtype == COHORT_F64;
}

/* An extent of -1 is found by dividing by the others, which works for one of them. */
static cohort_status check_shape(const cohort_feature *f, const char *call)
{
    int64_t bytes = cohort_dtype_bytes(f->dtype);
    int open = 0;
    if (f->rank < 0 || f->rank > COHORT_MAX_RANK)
        return REFUSE(call, f, "has rank %d; 0 to %d are possible", f->rank, COHORT_MAX_RANK);
    for (int32_t i = 0; i < f->rank; i++) {
        open += f->shape[i] == -1;
        if (f->shape[i] < -1 || open > 1)
            return REFUSE(call, f,
                          "has extent %lld of axis %d; one may be -1, the others are 0 or more",
                          (long long)f->shape[i], i);
        if (f->shape[i] > 0 && !cohort_multiply(bytes, f->shape[i], &bytes))
            return REFUSE(call, f, "has %d extents which are more than a memory holds", f->rank);
    }
    if (f->has_absent && open > 0)
        return REFUSE(
            call, f,
            "has %s, and an extent that only a record tells; a record without it tells none",
            "has_absent");
    return COHORT_OK;
}

static cohort_status check_absent(const cohort_feature *f, const char *call)
{
    char number[32];
    cohort_argument absent = { .kind = COHORT_ARGUMENT_REAL, .as.f = f->absent };
    cohort_status status = cohort_number_convert(&absent, f->dtype, number);
    return status < 0
               ? cohort_error_prefix(status, "%s: the default of feature '%.128s'", call, f->name)
               : COHORT_OK;
}

static cohort_status check_feature(const cohort_feature *f, int index, const char *call)
{
    if (f->name == NULL)
        return cohort_error_set(COHORT_EINVAL, "%s: feature %d has no name", call, index);
    if (!is_feature_dtype(f->dtype))
        return REFUSE(call, f, "is to be %s; expected float32, float64, an integer dtype or bool",
                      cohort_dtype_name(f->dtype));
    cohort_status status = check_shape(f, call);
    return status < 0 || !f->has_absent ? status : check_absent(f, call);
}

/* ---- Copies */

/* Only the copies of names are allocated one by one; those behind a failure are NULL. */
void cohort_features_free(cohort_feature *features, int n)
{
    for (int i = 0; features != NULL && i < n; i++)
        cohort_free(cohort_memory_own(features[i].name));
    cohort_free(features);
}

static cohort_status copy_feature(const cohort_feature *from, int index, const char *call,
                                  cohort_feature *to)
{
    cohort_status status = check_feature(from, index, call);
    if (status < 0)
        return status;
    *to = *from;
    to->name = cohort_string_copy(from->name);
    return to->name != NULL ? COHORT_OK : cohort_error_memory(call);
}

cohort_status cohort_features_copy(const cohort_feature features[], int n, const char *call,
                                   cohort_feature **out)
{
    cohort_status status = COHORT_OK;
    *out = NULL;
    if (features == NULL || n < 1 || n > COHORT_LIMIT_COMPONENTS)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: %d features%s; 1 to %d are possible, or none at all", call, n,
                                features == NULL ? " at NULL" : "", COHORT_LIMIT_COMPONENTS);
    cohort_feature *copies = cohort_allocate((size_t)n, sizeof *copies);
    if (copies == NULL)
        return cohort_error_memory(call);
    for (int i = 0; i < n && status >= 0; i++)
        status = copy_feature(&features[i], i, call, &copies[i]);
    if (status < 0)
        cohort_features_free(copies, n);
    else
        *out = copies;
    return status;
}

/* ---- Describe */

void cohort_feature_describe(const cohort_feature *feature, FILE *out)
{
    cohort_reader_describe_quoted(feature->name, out);
    (void)fprintf(out, " %s[", cohort_dtype_name(feature->dtype));
    for (int32_t i = 0; i < feature->rank; i++)
        (void)fprintf(out, "%s%lld", i > 0 ? "," : "", (long long)feature->shape[i]);
    (void)fputc(']', out);
    if (feature->has_absent) {
        (void)fputs(" absent ", out);
        cohort_reader_describe_number(feature->absent, out);
    }
}
