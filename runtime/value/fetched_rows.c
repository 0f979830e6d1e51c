/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/value/fetched_rows.h"

#include "runtime/base/memory.h"
#include "runtime/value/slices.h"

#include <string.h>

/* Room for so many more; both blocks are whole or as before. */
static cohort_status grow(cohort_fetched_rows *list, int64_t count, bool has_rows)
{
    size_t n = (size_t)(list->n + count), before = (size_t)list->n,
           bytes = (size_t)cohort_variable_row_bytes(list->variable);
    int64_t *ids = cohort_allocate(n + 1, sizeof *ids);
    char *rows = has_rows ? cohort_allocate(n + 1, bytes + 1) : NULL;
    if (ids == NULL || (has_rows && rows == NULL)) {
        cohort_free(ids);
        cohort_free(rows);
        return cohort_error_memory("index slices");
    }
    if (before > 0)
        memcpy(ids, list->ids, before * sizeof *ids);
    if (has_rows && before > 0)
        memcpy(rows, list->rows, before * bytes);
    cohort_free(list->ids);
    cohort_free(list->rows);
    list->ids = ids;
    list->rows = rows;
    return COHORT_OK;
}

/* int32 lies in the first half of the room, and is widened from its end on. */
static void widen(int64_t *ids, int64_t n)
{
    for (int64_t i = n; i-- > 0;) {
        int32_t narrow;
        memcpy(&narrow, (const char *)ids + i * (int64_t)sizeof narrow, sizeof narrow);
        ids[i] = narrow;
    }
}

static cohort_status check_ids(const cohort_fetched_rows *list, int64_t count, int32_t replica)
{
    const cohort_variable *v = list->variable;
    int64_t rows = v->extents.shape[0];
    for (int64_t i = list->n; i < list->n + count; i++)
        if (list->ids[i] < 0 || list->ids[i] >= rows)
            return cohort_error_set(COHORT_EINVAL,
                                    "variable '%s': id %lld of replica %d is no row of it: it has "
                                    "%lld",
                                    v->name, (long long)list->ids[i],
                                    cohort_strategy_replica_id(v->strategy, replica),
                                    (long long)rows);
    return COHORT_OK;
}

cohort_status cohort_fetched_rows_add(cohort_fetched_rows *list, const cohort_operand *ids,
                                      const cohort_operand *rows, int32_t replica)
{
    cohort_component seen = cohort_operand_look(ids, replica);
    int64_t count = seen.state == COHORT_CONTENT_ABSENT ? 0 : cohort_component_items(&seen);
    int64_t bytes = cohort_variable_row_bytes(list->variable);
    cohort_status status = grow(list, count, rows != NULL);
    if (status >= 0 && count > 0)
        status = cohort_operand_fetch(ids, replica, list->ids + list->n,
                                      (uint64_t)(count * seen.item_bytes));
    if (status < 0)
        return status;
    if (seen.dtype == COHORT_I32)
        widen(list->ids + list->n, count);
    status = check_ids(list, count, replica);
    if (status >= 0 && rows != NULL && count > 0)
        status = cohort_operand_fetch(rows, replica, list->rows + list->n * bytes,
                                      (uint64_t)(count * bytes));
    list->n += status >= 0 ? count : 0;
    return status;
}

void cohort_fetched_rows_fini(cohort_fetched_rows *list)
{
    cohort_free(list->ids);
    cohort_free(list->rows);
}
