/* SPDX-License-Identifier: BSD-3-Clause */
/* Elements are named as the prototype indexes them: y[3][0] of y[n][k]; out of bounds by how many
 * of them it is from the first one. */
#include "config.h"

#include "runtime/operation/check_report.h"

#include "runtime/base/dtype.h"
#include "runtime/base/text.h"

#include <inttypes.h>

enum { NAME_BYTES = 256 };

static void name_item(const cohort_checked_array *array, int64_t item, char out[NAME_BYTES])
{
    cohort_text text = cohort_text_begin(out, NAME_BYTES);
    int64_t below = cohort_check_array_items(array);
    cohort_text_add(&text, "%s", array->name);
    for (int32_t k = 0; k < array->rank; k++) {
        below /= array->shape[k];
        cohort_text_add(&text, "[%" PRId64 "]", item / below);
        item %= below;
    }
}

/* "reads x[10], behind the last of its 10 elements" */
static cohort_status report_outside(const cohort_checked_array *array, int64_t item,
                                    const char *does)
{
    int64_t n = cohort_check_array_items(array);
    return cohort_error_set(
        COHORT_EINVAL,
        "check of bodies: %s %s[%" PRId64 "], %s: it has %" PRId64 " element%s%s; keep the index "
        "within the extents of the prototype, or let the prototype say how large the array is",
        does, array->name, item, item < 0 ? "in front of the array" : "behind its end", n,
        n == 1 ? "" : "s", array->rank > 1 ? ", counted from the first one" : "");
}

static int64_t divide_down(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

cohort_status cohort_check_report_hit(const cohort_checked_arrays *arrays,
                                      const cohort_guarded_hit *hit)
{
    static const char *const does[] = { "reads", "writes", "reads or writes" };
    const cohort_checked_array *array = &arrays->list[hit->array];
    int64_t item = divide_down(hit->offset, array->item_bytes);
    char name[NAME_BYTES];
    if (item < 0 || item >= cohort_check_array_items(array))
        return report_outside(array, item, does[hit->access]);
    name_item(array, item, name);
    return cohort_error_set(COHORT_EINVAL,
                            "check of bodies: writes %s, which the prototype only reads (const); "
                            "write to an array without const, or leave it as it is",
                            name);
}

cohort_status cohort_check_report_unwritten(const cohort_checked_array *array, int64_t item)
{
    char name[NAME_BYTES];
    name_item(array, item, name);
    return cohort_error_set(COHORT_EINVAL,
                            "check of bodies: never writes %s: %s is an output (COHORT_OUT), which "
                            "holds nothing before "
                            "the body; write all of its %" PRId64
                            " elements, or leave COHORT_OUT away and give it a "
                            "content that may stay",
                            name, array->name, cohort_check_array_items(array));
}

/* What was read. */
static void name_outputs(const cohort_checked_array *of, char out[NAME_BYTES])
{
    cohort_text text = cohort_text_begin(out, NAME_BYTES);
    if (of != NULL)
        cohort_text_add(&text, "%s", of->name);
    else
        cohort_text_add(&text, "an output");
}

cohort_status cohort_check_report_read(const cohort_checked_array *array, int64_t item,
                                       const cohort_checked_array *of)
{
    char name[NAME_BYTES], read[NAME_BYTES];
    name_item(array, item, name);
    name_outputs(of, read);
    return cohort_error_set(
        COHORT_EINVAL,
        "check of bodies: reads what %s held before it: %s is another number when that is; outputs "
        "(COHORT_OUT) hold nothing before the body: write each element before it is read, or leave "
        "COHORT_OUT away",
        read, name);
}

cohort_status cohort_check_report_read_of_result(const cohort_checked_array *of)
{
    char read[NAME_BYTES];
    name_outputs(of, read);
    return cohort_error_set(COHORT_EINVAL,
                            "check of bodies: reads what %s held before it: what the body returns "
                            "is another number when "
                            "that is; outputs (COHORT_OUT) hold nothing before the body: write "
                            "each element before it is "
                            "read, or leave COHORT_OUT away",
                            read);
}

cohort_status cohort_check_report_race(const cohort_checked_array *array, int64_t item,
                                       const char *how)
{
    char name[NAME_BYTES];
    name_item(array, item, name);
    return cohort_error_set(
        COHORT_EINVAL,
        "check of bodies: items are not independent: %s is another number when the items %s; let "
        "an "
        "item write elements that no other one writes, and read none that another one writes, or "
        "make it a COHORT_FUNCTION, whose loop has an order",
        name, how);
}

/* A number in words; of structs and other records nothing. */
static void print_item(const cohort_checked_array *array, int64_t item, const char *elements,
                       char out[64])
{
    cohort_dtype type = (cohort_dtype)array->type;
    cohort_text text = cohort_text_begin(out, 64);
    if (cohort_dtype_is_real(type))
        cohort_text_add(&text, " is %.17g", cohort_dtype_load_real(type, elements, item));
}

cohort_status cohort_check_report_twins(const cohort_checked_array *array, int64_t item,
                                        const char *mine, const char *others, const char *device,
                                        bool is_exact)
{
    char name[NAME_BYTES], one[64], other[64];
    name_item(array, item, name);
    print_item(array, item, mine, one);
    print_item(array, item, others, other);
    return cohort_error_set(
        COHORT_EINVAL,
        "check of bodies: its bodies differ: %s%s, and by the other one, on %s,%s; %s", name, one,
        device, other[0] != '\0' ? other : " it is another",
        is_exact
            ? "items without library functions have the same bits everywhere: look at what the "
              "program's compiler may change, such as -ffast-math or -ffp-contract=fast"
            : "make both compute the same");
}
