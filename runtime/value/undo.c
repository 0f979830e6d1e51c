/* SPDX-License-Identifier: BSD-3-Clause */
/* The bits are there to keep a row once, however often it is written: so what is kept is never more
 * than the store. To clear them costs as much as the rows that were kept, not as those there
 * are. */
#include "config.h"

#include "runtime/value/undo.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"

void cohort_undo_forget(cohort_undo *undo)
{
    undo->epoch = 0;
    undo->n = 0;
}

/* At least that many bytes, all zero where there were fewer; what was there is of no use. */
static bool has_room(void **block, size_t *room, size_t bytes)
{
    if (bytes <= *room)
        return true;
    cohort_free(*block);
    *block = cohort_allocate(bytes, 1);
    *room = *block != NULL ? bytes : 0;
    return *block != NULL;
}

cohort_status cohort_undo_begin(cohort_undo *undo, uint64_t epoch, int64_t most, int64_t rows,
                                int64_t row_bytes)
{
    cohort_undo_forget(undo);
    size_t n = (size_t)(most < rows ? most : rows), words = (size_t)(rows + 63) / 64;
    if (!has_room((void **)&undo->rows, &undo->rows_room, n * sizeof *undo->rows) ||
        !has_room((void **)&undo->contents, &undo->contents_room, n * (size_t)row_bytes) ||
        !has_room((void **)&undo->kept, &undo->kept_room, words * sizeof *undo->kept))
        return cohort_error_memory("the way back from a scatter");
    undo->epoch = epoch;
    return COHORT_OK;
}

void cohort_undo_end(cohort_undo *undo)
{
    for (size_t i = 0; i < undo->n; i++)
        undo->kept[undo->rows[i] / 64] = 0;
}

void cohort_undo_restore(cohort_undo *undo, char *store, int64_t row_bytes)
{
    for (size_t i = 0; i < undo->n; i++)
        memcpy(store + undo->rows[i] * row_bytes, undo->contents + i * (size_t)row_bytes,
               (size_t)row_bytes);
    cohort_undo_forget(undo);
}

void cohort_undo_free(cohort_undo *undo)
{
    cohort_free(undo->rows);
    cohort_free(undo->contents);
    cohort_free(undo->kept);
}
