/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/checkpoint/tensor.h"

#include "runtime/base/array.h"
#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/checkpoint/file.h"

#include <stdio.h>
#include <string.h>

static cohort_status add_dtype(cohort_tensors_layout *layout, const char *name, cohort_dtype dtype,
                               int32_t rank, const int64_t shape[])
{
    char text[COHORT_SHAPE_BYTES];
    size_t bytes = sizeof COHORT_CHECKPOINT_DTYPE + strlen(name);
    char *key = cohort_allocate(bytes, 1);
    if (key == NULL)
        return cohort_error_memory(name);
    (void)snprintf(key, bytes, COHORT_CHECKPOINT_DTYPE "%s", name);
    cohort_status status =
        cohort_tensors_add_note(layout, key, cohort_shape_to_string(dtype, rank, shape, text));
    cohort_free(key);
    return status;
}

cohort_status cohort_checkpoint_add(cohort_tensors_layout *layout, const char *name,
                                    cohort_dtype dtype, int64_t item_bytes, int32_t rank,
                                    const int64_t shape[])
{
    int64_t all[COHORT_TENSORS_MAX_RANK];
    const cohort_tensor_type *type = cohort_tensor_type_of(dtype);
    bool is_bytes = type->dtype != dtype;
    for (int32_t i = 0; i < rank; i++)
        all[i] = shape[i];
    cohort_status status = is_bytes ? add_dtype(layout, name, dtype, rank, shape) : COHORT_OK;
    if (is_bytes)
        all[rank++] = item_bytes;
    return status < 0 ? status : cohort_tensors_add(layout, name, type, rank, all);
}

cohort_status cohort_checkpoint_write_header(cohort_replacement *file,
                                             const cohort_tensors_layout *layout)
{
    char *header = cohort_tensors_header(layout);
    if (header == NULL)
        return cohort_error_memory("the header of a checkpoint");
    cohort_status status =
        cohort_replacement_write_at(file, 0, header, (size_t)layout->header_bytes);
    cohort_free(header);
    return status;
}
