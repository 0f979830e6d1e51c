/* SPDX-License-Identifier: BSD-3-Clause */
/* Sizes decide, and rows where the format tells them: times do not, since files that were copied to
 * another machine are the same data. */
#include "config.h"

#include "runtime/input/marks.h"

#include "runtime/base/error.h"
#include "runtime/base/log.h"
#include "runtime/base/memory.h"
#include "runtime/data/format/crc.h"

#include <inttypes.h>

/* ------------------------------------------------------------------ of datasets */

/* As text, which is the same bytes on every machine. */
static void add_other(cohort_marks *marks, const cohort_file_mark *mark)
{
    char text[64];
    int n = snprintf(text, sizeof text, "%" PRId64 " %" PRId64 "\n", mark->bytes, mark->rows);
    marks->others = cohort_crc32c(marks->others, text, (size_t)n);
}

static cohort_status make_room(cohort_marks *marks)
{
    if (marks->list == NULL)
        marks->list = cohort_allocate(COHORT_MARKS_LISTED, sizeof *marks->list);
    return marks->list != NULL ? COHORT_OK : cohort_error_memory("a position");
}

cohort_status cohort_marks_add(cohort_marks *marks, const cohort_dataset *dataset)
{
    const cohort_dataset_kind *kind = dataset->kind;
    int64_t n = kind->files != NULL ? kind->files(dataset) : 0;
    cohort_status status = n > 0 ? make_room(marks) : COHORT_OK;
    for (int64_t i = 0; i < n && status >= 0; i++) {
        cohort_file_mark mark;
        kind->look_at_file(dataset, i, &mark);
        if (marks->n < COHORT_MARKS_LISTED)
            marks->list[marks->n] = mark;
        else
            add_other(marks, &mark);
        marks->n++;
    }
    for (int32_t i = 0; i < dataset->n_inputs && status >= 0; i++)
        status = cohort_marks_add(marks, dataset->inputs[i]);
    return status;
}

void cohort_marks_free(cohort_marks *marks)
{
    cohort_free(marks->list);
    *marks = (cohort_marks){ 0 };
}

/* ------------------------------------------------------------------ comparing */

static cohort_status refuse_sizes(const cohort_file_mark *saved, const cohort_file_mark *now,
                                  const char *position)
{
    return cohort_error_set(
        COHORT_EINVAL,
        "cohort_input_restore: %s: %s has %" PRId64 " bytes, and had %" PRId64
        " when the position was saved: rows would come twice, and others never; restore it beside "
        "the files of then, or begin anew",
        position, now->name, now->bytes, saved->bytes);
}

static cohort_status refuse_rows(const cohort_file_mark *saved, const cohort_file_mark *now,
                                 const char *position)
{
    return cohort_error_set(
        COHORT_EINVAL,
        "cohort_input_restore: %s: %s has %" PRId64 " rows, and had %" PRId64
        " when the position was saved, in as many bytes; restore it beside the files of then, or "
        "begin anew",
        position, now->name, now->rows, saved->rows);
}

static cohort_status compare_one(const cohort_file_mark *saved, const cohort_file_mark *now,
                                 const char *position)
{
    if (saved->bytes < 0 || now->bytes < 0)
        return COHORT_OK;
    if (saved->bytes != now->bytes)
        return refuse_sizes(saved, now, position);
    return saved->rows < 0 || now->rows < 0 || saved->rows == now->rows
               ? COHORT_OK
               : refuse_rows(saved, now, position);
}

static bool is_newer(const cohort_file_mark *saved, const cohort_file_mark *now)
{
    return saved->bytes >= 0 && now->bytes >= 0 && now->time_us > saved->time_us;
}

static void warn_of_newer(const cohort_marks *saved, const cohort_marks *now, const char *position)
{
    const char *first = NULL;
    int32_t n = 0;
    for (int32_t i = cohort_marks_listed(now); i-- > 0;)
        if (is_newer(&saved->list[i], &now->list[i])) {
            first = now->list[i].name;
            n++;
        }
    if (n > 0)
        cohort_log(COHORT_SUBSYSTEM_INPUT, COHORT_LOG_WARNING,
                   "cohort_input_restore: %s: %s was written after the position was saved (%d of "
                   "%" PRId64
                   " files were); it has the size that it had, and is taken for the same",
                   position, first, n, now->n);
}

cohort_status cohort_marks_compare(const cohort_marks *saved, const cohort_marks *now,
                                   const char *position)
{
    cohort_status status = COHORT_OK;
    if (saved->n != now->n)
        return cohort_error_set(COHORT_EINVAL,
                                "cohort_input_restore: %s: the data comes from %" PRId64
                                " files, and came from %" PRId64 " when the position was saved",
                                position, now->n, saved->n);
    for (int32_t i = 0; i < cohort_marks_listed(now) && status >= 0; i++)
        status = compare_one(&saved->list[i], &now->list[i], position);
    if (status >= 0 && saved->others != now->others)
        status = cohort_error_set(COHORT_EINVAL,
                                  "cohort_input_restore: %s: one of the files behind the first %d "
                                  "has another size, or other rows, than when the position was "
                                  "saved",
                                  position, COHORT_MARKS_LISTED);
    if (status >= 0)
        warn_of_newer(saved, now, position);
    return status;
}
