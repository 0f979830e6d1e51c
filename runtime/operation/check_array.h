/* SPDX-License-Identifier: BSD-3-Clause */
/* The arrays of a launch as a check of its body sees them: how large they are, what they hold
 * before it, and which of their bits mean anything. */
#ifndef COHORT_OPERATION_CHECK_ARRAY_H
#define COHORT_OPERATION_CHECK_ARRAY_H

#include "runtime/base/dtype.h"
#include "runtime/operation/launch.h"

/* What outputs begin as, and what tells whether a body has read them: first floating-point numbers
 * are a NaN that no arithmetic makes, and all else bytes of 0xA5; then they are bytes of 0x40,
 * which are positive and so small that a sum shows them, and all else of 0x5A. */
typedef enum cohort_check_fill {
    COHORT_CHECK_FILL_FIRST,
    COHORT_CHECK_FILL_SECOND
} cohort_check_fill;

typedef struct cohort_checked_array {
    const char *name;
    uint32_t type, item_bytes;
    int32_t rank;
    int64_t shape[COHORT_MAX_RANK];
    uint64_t bytes; /* of its elements */
    cohort_buffer *buffer;
    int32_t argument; /* of the launch's argv, behind a range of items */
    bool is_result;   /* what a kernel writes in place of returning it */
    /* one that is not read is an output; of an array that nobody counts it is not known */
    bool is_read, is_written;
    int32_t same;      /* an earlier array, of the same buffer, that stands for both; -1: none */
    const char *given; /* what it holds; of an output NULL */
    char *own_given, *mask;
} cohort_checked_array;

typedef struct cohort_checked_arrays {
    cohort_checked_array list[COHORT_MAX_ARGUMENTS + 1];
    int32_t n;
    const cohort_sig *sig;                  /* has the layouts of structs */
    int64_t integers[COHORT_MAX_ARGUMENTS]; /* by parameter */
    /* what a native body returns, as an array of one; bytes 0: nothing */
    cohort_checked_array returned;
} cohort_checked_arrays;

/* Runner: those of a launch, the result of a kernel among them. Ends as it fails, by _end. */
cohort_status cohort_check_arrays_begin(cohort_checked_arrays *arrays,
                                        const cohort_launch_op *launch, cohort_launch_slot slots[],
                                        const cohort_launch_commit commits[]);
void cohort_check_arrays_end(cohort_checked_arrays *arrays);

/* Those of the same launch of another body of the function. They borrow what `of` has, and need no
 * end. */
void cohort_check_arrays_for(cohort_checked_arrays *arrays, const cohort_checked_arrays *of,
                             const cohort_executable *executable);

/* Floating-point and complex numbers: elements of these may be close, and need not be equal. */
static inline bool cohort_check_type_is_inexact(uint32_t type)
{
    return cohort_dtype_is_floating((cohort_dtype)type) ||
           cohort_dtype_is_complex((cohort_dtype)type);
}

/* Where the runner sees what the buffer holds; NULL: it asks the device. */
static inline char *cohort_check_array_memory(const cohort_buffer *buffer)
{
    return cohort_context_has(buffer->context, COHORT_CAP_PROMPT | COHORT_CAP_HOST_VISIBLE)
               ? buffer->host
               : NULL;
}

/* The array has memory of its own in a copy. */
static inline bool cohort_check_array_counts(const cohort_checked_array *array)
{
    return array->same < 0;
}

/* ... and the body may write it. */
static inline bool cohort_check_array_is_written(const cohort_checked_array *array)
{
    return cohort_check_array_counts(array) && array->is_written;
}

static inline bool cohort_check_array_is_output(const cohort_checked_array *array)
{
    return cohort_check_array_is_written(array) && !array->is_read;
}

static inline int64_t cohort_check_array_items(const cohort_checked_array *array)
{
    return (int64_t)(array->bytes / array->item_bytes);
}

/* Write what it begins with: what it holds, or of an output the fill. */
void cohort_check_array_fill(const cohort_checked_array *array, cohort_check_fill fill, char *to);

/* Element i of two copies has the same bits, but for those between the members of a struct. */
bool cohort_check_array_is_same(const cohort_checked_array *array, int64_t i, const char *a,
                                const char *b);

/* Element i of a copy is as it began. */
bool cohort_check_array_is_begin(const cohort_checked_array *array, int64_t i,
                                 cohort_check_fill fill, const char *copy);

/* The first element, from `from` on, in which two copies differ; -1: none. */
int64_t cohort_check_array_differs(const cohort_checked_array *array, int64_t from, const char *a,
                                   const char *b);

#endif
