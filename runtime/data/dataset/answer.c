/* SPDX-License-Identifier: BSD-3-Clause */
/* The answer of a function of the program is checked before anything else looks at it: a status, a
 * dataset, or arrays, any of which may be nonsense. Each check names the call and the element. */
#include "config.h"

#include "runtime/data/dataset/answer.h"

#include "runtime/base/array.h"
#include "runtime/base/error.h"

#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------------ what they answer */

/* The callback has ended in any case; what a call of a strategy inside it has noted counts only
 * where the callback itself reports no error, since its own words are nearer to the cause. */
cohort_status cohort_answer_judge(cohort_callback *callback, cohort_status status, const char *call,
                                  int64_t number)
{
    char when[32] = "begin";
    const char *why = cohort_error_slot();
    if (status == COHORT_OK)
        status = cohort_callback_end(callback, COHORT_OK);
    else
        cohort_callback_drop(callback);
    if (status == COHORT_OK)
        return COHORT_OK;
    if (number >= 0)
        (void)snprintf(when, sizeof when, "element %lld", (long long)number);
    if (status > 0 || !cohort_error_is_status(status))
        return cohort_error_set(COHORT_EINVAL,
                                "%s: %s: the callback answers %d, which is none of the errors of "
                                "cohort/codes.h%s%s",
                                call, when, (int)status, why[0] != '\0' ? ": " : "", why);
    if (why[0] != '\0')
        return cohort_error_prefix(status, "%s: %s", call, when);
    return cohort_error_set(status, "%s: %s: the callback answers %d (%s: %s)", call, when,
                            (int)status, cohort_status_name(status), cohort_status_text(status));
}

cohort_dataset *cohort_answer_dataset(cohort_callback *callback, cohort_dataset *returned,
                                      const char *none, cohort_status *out_status)
{
    cohort_status status = COHORT_OK;
    if (returned == NULL)
        status = cohort_error_slot()[0] != '\0' ? cohort_error_status()
                                                : cohort_error_set(COHORT_EINVAL, "%s", none);
    else
        status = cohort_handle_check(returned, COHORT_HANDLE_DATASET, "the function",
                                     "the dataset that it returned");
    /* claimed before the callback ends: whatever comes, it is given up here */
    cohort_dataset *made = status >= 0 ? cohort_dataset_claim(returned) : NULL;
    *out_status = cohort_callback_end(callback, status);
    if (*out_status >= 0)
        return made;
    cohort_dataset_release(made);
    return NULL;
}

/* Out of memory or a lost device says nothing about the element that was asked for. */
bool cohort_answer_is_refusal(cohort_status status)
{
    return status != COHORT_ENOMEM && status != COHORT_ENODEV && status != COHORT_ELOST &&
           status != COHORT_EINTERNAL;
}

/* ------------------------------------------------------------------ what they give */

void cohort_answer_arrays_begin(const cohort_spec specs[], int32_t n, cohort_array out[])
{
    for (int32_t k = 0; k < n; k++) {
        out[k] = (cohort_array){ .dtype = specs[k].dtype,
                                 .rank = specs[k].rank,
                                 .item_bytes = cohort_dtype_bytes(specs[k].dtype) };
        memcpy(out[k].shape, specs[k].shape, sizeof out[k].shape);
    }
}

static bool has_shape_of(const cohort_array *given, const cohort_spec *spec)
{
    bool has = given->dtype == spec->dtype && given->rank == spec->rank;
    for (int32_t i = 0; has && i < spec->rank; i++)
        has = spec->shape[i] == -1 || given->shape[i] == spec->shape[i];
    return has;
}

/* A rank out of bounds is shown as 0: there are no extents beyond COHORT_MAX_RANK to print. */
static cohort_status refuse_shape(const cohort_spec *spec, const cohort_array *given,
                                  const char *who)
{
    char wanted[128], found[128];
    int32_t rank = given->rank >= 0 && given->rank <= COHORT_MAX_RANK ? given->rank : 0;
    return cohort_error_set(COHORT_EINVAL, "%s: the callback gives %s%s; its spec says %s", who,
                            cohort_shape_to_string(given->dtype, rank, given->shape, found),
                            rank == given->rank ? "" : " of an impossible rank",
                            cohort_shape_to_string(spec->dtype, spec->rank, spec->shape, wanted));
}

cohort_status cohort_answer_arrays_check(const cohort_spec specs[], const cohort_array given[],
                                         int32_t n, const char *call, int64_t number)
{
    for (int32_t k = 0; k < n; k++) {
        char who[160];
        /* the text that names the element is made for an error alone */
        if (has_shape_of(&given[k], &specs[k]) && cohort_array_check(&given[k], false, call) >= 0)
            continue;
        (void)snprintf(who, sizeof who, "%s: element %lld, component %d", call, (long long)number,
                       (int)k);
        if (!has_shape_of(&given[k], &specs[k]))
            return refuse_shape(&specs[k], &given[k], who);
        return cohort_array_check(&given[k], false, who);
    }
    return COHORT_OK;
}

/* ------------------------------------------------------------------ elements of it */

static bool is_known(const cohort_array *array)
{
    bool is = true;
    for (int32_t i = 0; i < array->rank; i++)
        is = is && array->shape[i] >= 0;
    return is;
}

/* Two passes with the same arithmetic: the first finds the size of the block, the second the
 * places. */
cohort_status cohort_answer_arrays_place(cohort_array arrays[], int32_t n, cohort_pool *pool,
                                         cohort_block **out)
{
    size_t at = 0, offset = 0;
    bool fits = true;
    *out = NULL;
    for (int32_t k = 0; k < n && fits; k++)
        fits = !is_known(&arrays[k]) ||
               cohort_element_reserve(&at, cohort_part_bytes(&arrays[k]), &offset);
    if (!fits)
        return cohort_error_set(
            COHORT_EINVAL, "the components of an element are together more than a memory holds");
    *out = cohort_pool_take(pool, at);
    if (*out == NULL)
        return COHORT_ENOMEM;
    at = 0;
    for (int32_t k = 0; k < n; k++) {
        if (!is_known(&arrays[k]))
            continue;
        (void)cohort_element_reserve(&at, cohort_part_bytes(&arrays[k]), &offset);
        arrays[k].data = (char *)(*out)->memory + offset;
    }
    return COHORT_OK;
}

/* The content of `retained` is dropped. It then has copies of these n arrays' descriptions, as
 * row-major arrays, whose memory the caller provides. */
static cohort_status list(const cohort_array arrays[], int32_t n, cohort_retained *retained)
{
    cohort_element_drop(retained);
    cohort_status status = cohort_element_make_room(retained, n);
    for (int32_t k = 0; k < n && status >= 0; k++) {
        retained->parts[k] = arrays[k];
        retained->parts[k].item_bytes = cohort_dtype_bytes(arrays[k].dtype);
        memset(retained->parts[k].strides, 0, sizeof retained->parts[k].strides);
    }
    return status;
}

cohort_status cohort_answer_arrays_adopt(const cohort_array arrays[], int32_t n,
                                         cohort_block *block, cohort_retained *retained)
{
    cohort_status status = list(arrays, n, retained);
    if (status < 0)
        cohort_block_release(block);
    else
        retained->block = block;
    return status;
}

cohort_status cohort_answer_arrays_copy(const cohort_array given[], int32_t n, cohort_pool *pool,
                                        cohort_retained *retained)
{
    cohort_status status = list(given, n, retained);
    if (status >= 0)
        status = cohort_answer_arrays_place(retained->parts, n, pool, &retained->block);
    for (int32_t k = 0; k < n && status >= 0; k++)
        if (cohort_part_items(&given[k]) > 0)
            cohort_array_pack(retained->parts[k].data, &given[k]);
    return status;
}
