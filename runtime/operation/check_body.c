/* SPDX-License-Identifier: BSD-3-Clause */
/* Which runs there are, and what it means when two of them differ. */
#include "config.h"

#include "runtime/operation/check_body.h"

#include "runtime/base/log.h"
#include "runtime/base/memory.h"
#include "runtime/operation/check_copy.h"
#include "runtime/operation/check_report.h"
#include "runtime/operation/check_twin.h"

#include <string.h>

/* first: the run that counts; more: those that it is compared with, while they are. */
typedef struct check {
    cohort_check_body body;
    cohort_checked_arrays arrays;
    cohort_launch_slot *slots;
    cohort_check_copy first, more[2];
} check;

static const cohort_check_run first_run = { COHORT_CHECK_FILL_FIRST, -1, true, COHORT_CHECK_WHOLE,
                                            0 };

/* Where two copies differ; false: nowhere. */
static bool find_difference(const check *c, const cohort_check_copy *a, const cohort_check_copy *b,
                            int32_t *out_array, int64_t *out_item)
{
    *out_item = -1;
    for (int32_t i = 0; i < c->arrays.n && *out_item < 0; i++) {
        const cohort_checked_array *array = &c->arrays.list[i];
        if (!cohort_check_array_is_written(array))
            continue;
        *out_item = cohort_check_array_differs(array, 0, a->at[i], b->at[i]);
        *out_array = i;
    }
    return *out_item >= 0;
}

static bool returns_differ(const check *c, const cohort_check_copy *a, const cohort_check_copy *b)
{
    const cohort_checked_array *returned = &c->arrays.returned;
    return returned->bytes > 0 && !cohort_check_array_is_same(returned, 0, a->ret, b->ret);
}

/* ------------------------------------------------------------------ is it the same each time? */

/* Two equal runs differ: no difference says anything. The first item that does, where one does. */
static cohort_status find_unsteady(check *c, bool *out_is_unsteady, int32_t *out_array,
                                   int64_t *out_item)
{
    cohort_check_copy *again = &c->more[1];
    cohort_status status = cohort_check_copy_run(again, &c->body, first_run);
    *out_is_unsteady = false;
    *out_item = -1;
    if (status < 0)
        return status;
    *out_is_unsteady = find_difference(c, &c->first, again, out_array, out_item) ||
                       returns_differ(c, &c->first, again);
    cohort_check_copy_end(again);
    return COHORT_OK;
}

static bool is_of_items(const check *c)
{
    return c->body.launch->executable->signature->item != NULL;
}

/* Items have one outcome, or race. */
static cohort_status report_unsteady(const check *c, int32_t array, int64_t item)
{
    const char *name = c->body.launch->executable->signature->name;
    if (is_of_items(c) && item >= 0)
        return cohort_check_report_race(&c->arrays.list[array], item, "run once more");
    cohort_log(
        COHORT_SUBSYSTEM_OPERATION, COHORT_LOG_INFO,
        "%s: its results differ between two equal runs, so the check of bodies does not compare "
        "them",
        name);
    return COHORT_OK;
}

/* ------------------------------------------------------------------ outputs */

/* Of both runs: an output that still is what it began as. */
static bool find_unwritten(const check *c, const cohort_check_copy *second, int32_t *out_array,
                           int64_t *out_item)
{
    for (int32_t i = 0; i < c->arrays.n; i++) {
        const cohort_checked_array *array = &c->arrays.list[i];
        if (!cohort_check_array_is_output(array))
            continue;
        int64_t at = 0;
        while ((at = cohort_check_array_differs(array, at, c->first.at[i], second->at[i])) >= 0) {
            if (cohort_check_array_is_begin(array, at, COHORT_CHECK_FILL_FIRST, c->first.at[i]) &&
                cohort_check_array_is_begin(array, at, COHORT_CHECK_FILL_SECOND, second->at[i])) {
                *out_array = i;
                *out_item = at;
                return true;
            }
            at++;
        }
    }
    return false;
}

/* Which output is read: the one that alone makes the outcome another one. NULL: none does. */
static cohort_status find_read(check *c, const cohort_checked_array **out_array)
{
    cohort_status status = COHORT_OK;
    *out_array = NULL;
    for (int32_t i = 0; i < c->arrays.n && status >= 0 && *out_array == NULL; i++) {
        int32_t array;
        int64_t item;
        cohort_check_run run = first_run;
        run.other = i;
        if (!cohort_check_array_is_output(&c->arrays.list[i]))
            continue;
        status = cohort_check_copy_run(&c->more[1], &c->body, run);
        if (status < 0)
            return status;
        if (find_difference(c, &c->first, &c->more[1], &array, &item) ||
            returns_differ(c, &c->first, &c->more[1]))
            *out_array = &c->arrays.list[i];
        cohort_check_copy_end(&c->more[1]);
    }
    return status;
}

static cohort_status report_read(check *c, const cohort_check_copy *second)
{
    const cohort_checked_array *of;
    int32_t array;
    int64_t item;
    cohort_status status = find_read(c, &of);
    if (status < 0)
        return status;
    return find_difference(c, &c->first, second, &array, &item)
               ? cohort_check_report_read(&c->arrays.list[array], item, of)
               : cohort_check_report_read_of_result(of);
}

/* Two runs with outputs that begin differently, and guard pages on either side. */
static cohort_status compare_second(check *c, const cohort_check_copy *second,
                                    bool *out_is_unsteady)
{
    int32_t array;
    int64_t item;
    if (second->was_hit)
        return cohort_check_report_hit(&c->arrays, &second->hit);
    if (find_unwritten(c, second, &array, &item))
        return cohort_check_report_unwritten(&c->arrays.list[array], item);
    if (!find_difference(c, &c->first, second, &array, &item) &&
        !returns_differ(c, &c->first, second))
        return COHORT_OK;
    cohort_status status = find_unsteady(c, out_is_unsteady, &array, &item);
    if (status < 0)
        return status;
    return *out_is_unsteady ? report_unsteady(c, array, item) : report_read(c, second);
}

static cohort_status check_outputs(check *c, bool *out_is_unsteady)
{
    const cohort_check_run run = { COHORT_CHECK_FILL_SECOND, -1, false, COHORT_CHECK_WHOLE, 0 };
    cohort_status status = cohort_check_copy_run(&c->more[0], &c->body, run);
    if (status < 0)
        return status;
    status = compare_second(c, &c->more[0], out_is_unsteady);
    cohort_check_copy_end(&c->more[0]);
    return status;
}

/* Of a body that runs once: only a NaN of this kind is surely what nobody has written. */
static cohort_status check_once(const check *c)
{
    for (int32_t i = 0; i < c->arrays.n; i++) {
        const cohort_checked_array *array = &c->arrays.list[i];
        bool is_nan = array->type == COHORT_F32 || array->type == COHORT_F64;
        for (int64_t k = 0, n = cohort_check_array_items(array);
             cohort_check_array_is_output(array) && is_nan && k < n; k++)
            if (cohort_check_array_is_begin(array, k, COHORT_CHECK_FILL_FIRST, c->first.at[i]))
                return cohort_check_report_unwritten(array, k);
    }
    return COHORT_OK;
}

/* ------------------------------------------------------------------ items */

static cohort_status compare_backwards(const check *c, const cohort_check_copy *backwards)
{
    int32_t array;
    int64_t item;
    if (backwards->was_hit)
        return cohort_check_report_hit(&c->arrays, &backwards->hit);
    return find_difference(c, &c->first, backwards, &array, &item)
               ? cohort_check_report_race(&c->arrays.list[array], item, "run backwards")
               : COHORT_OK;
}

/* Each half began with the content before all items, so what it left so is the other one's. */
static bool halves_agree(const check *c, int32_t i, int64_t item)
{
    const cohort_checked_array *array = &c->arrays.list[i];
    const char *first = c->first.at[i], *one = c->more[0].at[i], *two = c->more[1].at[i];
    bool is_of_one = !cohort_check_array_is_begin(array, item, COHORT_CHECK_FILL_FIRST, one),
         is_of_two = !cohort_check_array_is_begin(array, item, COHORT_CHECK_FILL_FIRST, two);
    return (is_of_one || is_of_two)
               ? (!is_of_one || cohort_check_array_is_same(array, item, first, one)) &&
                     (!is_of_two || cohort_check_array_is_same(array, item, first, two))
               : cohort_check_array_is_begin(array, item, COHORT_CHECK_FILL_FIRST, first);
}

static cohort_status compare_halves(const check *c)
{
    for (int32_t i = 0; i < c->arrays.n; i++) {
        const cohort_checked_array *array = &c->arrays.list[i];
        int64_t n = cohort_check_array_is_written(array) ? cohort_check_array_items(array) : 0;
        for (int64_t item = 0; item < n; item++)
            if (!halves_agree(c, i, item))
                return cohort_check_report_race(
                    array, item, "run in two halves, of which neither sees the other");
    }
    return COHORT_OK;
}

static cohort_status check_backwards(check *c, uint32_t index)
{
    const cohort_check_run run = { COHORT_CHECK_FILL_FIRST, -1, true, COHORT_CHECK_BACKWARDS,
                                   index };
    cohort_status status = cohort_check_copy_run(&c->more[0], &c->body, run);
    if (status < 0)
        return status;
    status = compare_backwards(c, &c->more[0]);
    cohort_check_copy_end(&c->more[0]);
    return status;
}

static cohort_status check_halves(check *c, uint32_t index)
{
    cohort_check_run run = { COHORT_CHECK_FILL_FIRST, -1, false, COHORT_CHECK_FIRST_HALF, index };
    cohort_status status = cohort_check_copy_run(&c->more[0], &c->body, run);
    if (status < 0)
        return status;
    run.order = COHORT_CHECK_SECOND_HALF;
    status = cohort_check_copy_run(&c->more[1], &c->body, run);
    if (status >= 0) {
        status = compare_halves(c);
        cohort_check_copy_end(&c->more[1]);
    }
    cohort_check_copy_end(&c->more[0]);
    return status;
}

static cohort_status check_index(check *c, uint32_t index)
{
    const int64_t *range = c->body.items + (size_t)2 * index;
    if (range[1] - range[0] < 2)
        return COHORT_OK;
    cohort_status status = check_backwards(c, index);
    return status < 0 ? status : check_halves(c, index);
}

static cohort_status check_items(check *c)
{
    cohort_status status = COHORT_OK;
    uint32_t n = c->body.launch->executable->takes_items ? c->body.call->range.dims : 0;
    for (uint32_t i = 0; i < n && status >= 0; i++)
        status = check_index(c, i);
    return status;
}

/* ------------------------------------------------------------------ the whole */

static bool has_pointer(const cohort_signature *s)
{
    bool has = false;
    for (int32_t i = 0; i < s->n_parameters && !has; i++)
        has = s->parameters[i].role == COHORT_ROLE_POINTER;
    return has;
}

static cohort_status look_at_first(check *c)
{
    bool is_unsteady = false;
    if (c->first.was_hit)
        return cohort_check_report_hit(&c->arrays, &c->first.hit);
    if (cohort_check_copy_has_failed(&c->first, &c->body))
        return COHORT_OK;
    if (has_pointer(c->body.launch->executable->signature))
        return check_once(c);
    cohort_status status = check_outputs(c, &is_unsteady);
    if (status >= 0 && !is_unsteady)
        status = check_items(c);
    cohort_twin *twin = c->body.launch->executable->twin;
    return status < 0 || is_unsteady || twin == NULL
               ? status
               : cohort_twin_compare(twin, &c->body, c->slots, &c->first);
}

static cohort_status write_array(const check *c, const cohort_checked_array *array,
                                 const char *from)
{
    char *memory = cohort_check_array_memory(array->buffer);
    if (memory == NULL)
        return cohort_context_write(c->body.launch->executable->context, array->buffer->mem, 0,
                                    from, array->bytes, NULL);
    memcpy(memory, from, array->bytes);
    return COHORT_OK;
}

/* What the first run has made becomes that of the launch; of a body that says that it failed this
 * alone. */
static cohort_status take_over(const check *c, bool *out_writes)
{
    cohort_status status = COHORT_OK;
    if (c->arrays.returned.bytes > 0)
        memcpy(c->body.call->ret, c->first.ret, c->arrays.returned.bytes);
    *out_writes = !cohort_check_copy_has_failed(&c->first, &c->body);
    for (int32_t i = 0; i < c->arrays.n && status >= 0 && *out_writes; i++) {
        const cohort_checked_array *array = &c->arrays.list[i];
        if (cohort_check_array_is_written(array) && array->bytes > 0)
            status = write_array(c, array, c->first.at[i]);
    }
    return status;
}

static cohort_status run_all(check *c, bool *out_writes)
{
    cohort_status status = cohort_check_copy_run(&c->first, &c->body, first_run);
    if (status < 0)
        return status;
    status = look_at_first(c);
    if (status >= 0)
        status = take_over(c, out_writes);
    cohort_check_copy_end(&c->first);
    return status;
}

cohort_status cohort_check_launch(const cohort_launch_op *l, cohort_launch_slot slots[],
                                  const cohort_launch_commit commits[], const cohort_launch *call,
                                  const int64_t items[COHORT_ITEM_WORDS], bool *out_writes)
{
    *out_writes = false;
    check *c = cohort_allocate(1, sizeof *c);
    if (c == NULL)
        return cohort_error_memory("the check of a body");
    c->slots = slots;
    c->body =
        (cohort_check_body){ .launch = l, .arrays = &c->arrays, .call = call, .items = items };
    cohort_status status = cohort_check_arrays_begin(&c->arrays, l, slots, commits);
    if (status >= 0)
        status = run_all(c, out_writes);
    cohort_check_arrays_end(&c->arrays);
    cohort_free(c);
    return status;
}
