/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays in memory: their rows, or the whole of them as one element. Nothing is copied but
 * arrays with gaps: the program promises that its memory stays as long as the dataset, and so
 * elements are lasting views. */
#include "config.h"

#include "runtime/data/dataset/slices.h"

#include "runtime/base/array.h"
#include "runtime/base/error.h"
#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/data/format/crc.h"

#include <inttypes.h>
#include <string.h>

typedef struct slices_parameters {
    cohort_array *arrays; /* [n], row-major */
    void **packed;        /* [n]: copies of those with gaps, else NULL */
    int32_t n;
} slices_parameters;

typedef struct slices_cursor {
    cohort_cursor head;
    int64_t next, rows;
    int64_t *strides; /* [n]: bytes of a row */
    cohort_array *parts;
} slices_cursor;

static const slices_parameters *parameters_of(const cohort_dataset *dataset)
{
    return dataset->parameters;
}

static void free_slices(void *parameters)
{
    slices_parameters *p = parameters;
    for (int32_t k = 0; p->packed != NULL && k < p->n; k++)
        cohort_free(p->packed[k]);
    cohort_free(p->packed);
    cohort_free(p->arrays);
}

/* ------------------------------------------------------------------ rows */

/* Row-major arrays: a row is found by its number alone. */
static void point_at(slices_cursor *c, int64_t row)
{
    const slices_parameters *p = parameters_of(c->head.dataset);
    for (int32_t k = 0; k < p->n; k++)
        c->parts[k].data = (char *)p->arrays[k].data + row * c->strides[k];
}

static cohort_status at_row(cohort_cursor *cursor, int64_t index, cohort_element *out)
{
    slices_cursor *c = (slices_cursor *)cursor;
    point_at(c, index);
    *out = (cohort_element){ .parts = c->parts,
                             .n = cursor->dataset->n_components,
                             .is_lasting = true };
    return COHORT_OK;
}

static cohort_status next_row(cohort_cursor *cursor, cohort_element *out)
{
    slices_cursor *c = (slices_cursor *)cursor;
    return c->next < c->rows ? at_row(cursor, c->next++, out) : COHORT_END;
}

static int64_t rows_of(const slices_cursor *c, int64_t n)
{
    return n < c->rows - c->next ? n : c->rows - c->next;
}

static cohort_status skip_rows(cohort_cursor *cursor, int64_t n, int64_t *out_passed)
{
    slices_cursor *c = (slices_cursor *)cursor;
    *out_passed = rows_of(c, n);
    c->next += *out_passed;
    return COHORT_OK;
}

static cohort_status copy_rows(cohort_cursor *cursor, int64_t n, void *const into[],
                               int64_t *out_rows)
{
    slices_cursor *c = (slices_cursor *)cursor;
    *out_rows = rows_of(c, n);
    point_at(c, c->next);
    for (int32_t k = 0; k < cursor->dataset->n_components; k++)
        if (*out_rows * c->strides[k] > 0)
            memcpy(into[k], c->parts[k].data, (size_t)(*out_rows * c->strides[k]));
    c->next += *out_rows;
    return COHORT_OK;
}

/* Lends the rows as they lie there, in the second half of the parts. */
static cohort_status lend_rows(cohort_cursor *cursor, int64_t n, cohort_element *out,
                               int64_t *out_rows)
{
    slices_cursor *c = (slices_cursor *)cursor;
    const slices_parameters *p = parameters_of(cursor->dataset);
    cohort_array *stacked = c->parts + p->n;
    *out_rows = rows_of(c, n);
    for (int32_t k = 0; k < p->n; k++) {
        stacked[k] = p->arrays[k];
        stacked[k].shape[0] = *out_rows;
        stacked[k].data = (char *)p->arrays[k].data + c->next * c->strides[k];
    }
    c->next += *out_rows;
    *out = (cohort_element){ .parts = stacked, .n = p->n, .is_lasting = true };
    return COHORT_OK;
}

static void close_slices(cohort_cursor *cursor)
{
    slices_cursor *c = (slices_cursor *)cursor;
    cohort_free(c->strides);
    cohort_free(c->parts);
    cohort_cursor_free(cursor);
}

static const cohort_cursor_kind rows_cursor = { .next = next_row,
                                                .close = close_slices,
                                                .skip = skip_rows,
                                                .at = at_row,
                                                .lend = lend_rows,
                                                .copy = copy_rows };

static cohort_status open_slices(const cohort_dataset *dataset, const cohort_opening *how,
                                 cohort_cursor **out)
{
    const slices_parameters *p = parameters_of(dataset);
    slices_cursor *c = cohort_cursor_allocate(dataset, &rows_cursor, how, sizeof *c);
    if (c == NULL)
        return COHORT_ENOMEM;
    c->rows = dataset->cardinality;
    c->strides = cohort_allocate((size_t)p->n, sizeof *c->strides);
    /* one half for rows, the other for stacks of them */
    c->parts = cohort_allocate(2 * (size_t)p->n, sizeof *c->parts);
    if (c->strides == NULL || c->parts == NULL) {
        close_slices(&c->head);
        return cohort_error_memory("cohort_dataset_slices");
    }
    for (int32_t k = 0; k < p->n; k++) {
        const cohort_spec *spec = &dataset->specs[k];
        c->parts[k] = (cohort_array){ .dtype = spec->dtype,
                                      .rank = spec->rank,
                                      .item_bytes = p->arrays[k].item_bytes };
        memcpy(c->parts[k].shape, spec->shape, sizeof spec->shape);
        c->strides[k] = (int64_t)cohort_part_bytes(&c->parts[k]);
    }
    *out = &c->head;
    return COHORT_OK;
}

/* ------------------------------------------------------------------ making */

static void derive_slices(cohort_dataset *dataset)
{
    const slices_parameters *p = parameters_of(dataset);
    dataset->cardinality = p->arrays[0].shape[0];
    dataset->is_indexed = dataset->is_lasting = dataset->is_lent = true;
    for (int32_t k = 0; k < p->n; k++)
        dataset->is_borrowed = dataset->is_borrowed || p->packed[k] == NULL;
}

static void describe_slices(const cohort_dataset *dataset, FILE *out)
{
    (void)fprintf(out, "%lld rows", (long long)dataset->cardinality);
}

/* Read whole up to this many bytes, and else in pieces that are as many together and as far apart
 * as can be: 64 MiB take 9.9 ms of a Xeon of two cores, the least of 300 runs. */
enum { READ_WHOLE = 64 << 20, PIECE = 4 << 10 };

static uint32_t checksum_of(const char *data, uint64_t bytes)
{
    const uint64_t last = READ_WHOLE / PIECE - 1;
    uint32_t crc = 0;
    if (bytes <= READ_WHOLE)
        return cohort_crc32c(0, data, (size_t)bytes);
    const uint64_t apart = (bytes - PIECE) / last, rest = (bytes - PIECE) % last;
    for (uint64_t i = 0; i <= last; i++) /* the first begins with the array, the last ends it */
        crc = cohort_crc32c(crc, data + apart * i + rest * i / last, PIECE);
    return crc;
}

static void print_contents(const cohort_dataset *dataset, FILE *out)
{
    const slices_parameters *p = parameters_of(dataset);
    for (int32_t k = 0; k < p->n; k++)
        (void)fprintf(out, "array %d has checksum %08" PRIx32 "\n", (int)k,
                      checksum_of(p->arrays[k].data, cohort_part_bytes(&p->arrays[k])));
}

static const cohort_dataset_kind slices = { .name = "slices",
                                            .derive = derive_slices,
                                            .describe = describe_slices,
                                            .open = open_slices,
                                            .free_parameters = free_slices,
                                            .print_contents = print_contents };

/* A row-major view of the array, or a copy without its gaps. */
static cohort_status take_array(const cohort_array *array, slices_parameters *p, int32_t k)
{
    p->arrays[k] = *array;
    p->arrays[k].item_bytes = cohort_dtype_bytes(array->dtype);
    if (!cohort_array_is_row_major(array)) {
        p->packed[k] = cohort_allocate_aligned(cohort_part_bytes(array), 128);
        if (p->packed[k] == NULL)
            return cohort_error_memory("an array with gaps");
        cohort_array_pack(p->packed[k], array);
        p->arrays[k].data = p->packed[k];
    }
    memset(p->arrays[k].strides, 0, sizeof p->arrays[k].strides);
    return COHORT_OK;
}

static cohort_status check_rows(const cohort_array arrays[], int32_t k, const char *call)
{
    if (arrays[k].rank == 0)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: array %d has rank 0, and no rows; use cohort_dataset_tensors",
                                call, k);
    if (arrays[k].shape[0] != arrays[0].shape[0])
        return cohort_error_set(
            COHORT_EINVAL, "%s: array %d has %lld rows, array 0 has %lld; they stand side by side",
            call, k, (long long)arrays[k].shape[0], (long long)arrays[0].shape[0]);
    return COHORT_OK;
}

static cohort_status take_arrays(int n, const cohort_array arrays[], const char *call,
                                 slices_parameters *p)
{
    if (n < 1 || n > COHORT_LIMIT_COMPONENTS || arrays == NULL)
        return cohort_error_set(COHORT_EINVAL, "%s: %d arrays; 1 to %d are possible", call,
                                arrays != NULL ? n : 0, COHORT_LIMIT_COMPONENTS);
    p->arrays = cohort_allocate((size_t)n, sizeof *p->arrays);
    p->packed = cohort_allocate((size_t)n, sizeof *p->packed);
    p->n = n;
    cohort_status status =
        p->arrays != NULL && p->packed != NULL ? COHORT_OK : cohort_error_memory(call);
    for (int32_t k = 0; k < n && status >= 0; k++) {
        status = cohort_array_check(&arrays[k], false, call);
        if (status >= 0 && cohort_dtype_bytes(arrays[k].dtype) == 0)
            status = cohort_error_set(
                COHORT_EINVAL, "%s: array %d has structs; elements have numbers or bools", call, k);
        if (status >= 0)
            status = take_array(&arrays[k], p, k);
    }
    return status;
}

/* The rows of arrays that were taken; takes the parameters, also on failure. */
static cohort_dataset *make_rows(slices_parameters *p, const char *call)
{
    cohort_spec specs[COHORT_LIMIT_COMPONENTS];
    cohort_dataset_builder node = {
        .kind = &slices, .parameters = p, .bytes = sizeof *p, .specs = specs, .n_components = p->n
    };
    for (int32_t k = 0; k < p->n; k++) {
        cohort_status status = check_rows(p->arrays, k, call);
        if (status < 0)
            return cohort_dataset_builder_give_up(&node);
        specs[k] = (cohort_spec){ .dtype = p->arrays[k].dtype, .rank = p->arrays[k].rank - 1 };
        for (int32_t i = 0; i < specs[k].rank; i++)
            specs[k].shape[i] = p->arrays[k].shape[i + 1];
    }
    return cohort_dataset_builder_make(&node);
}

cohort_dataset *cohort_dataset_slices(int n, const cohort_array arrays[])
{
    slices_parameters p = { 0 };
    if (take_arrays(n, arrays, "cohort_dataset_slices", &p) >= 0)
        return make_rows(&p, "cohort_dataset_slices");
    free_slices(&p);
    return cohort_handle_made(COHORT_HANDLE_DATASET, NULL);
}

/* One row of arrays that have one more axis, of extent 1. */
cohort_dataset *cohort_dataset_tensors(int n, const cohort_array arrays[])
{
    slices_parameters p = { 0 };
    cohort_status status = take_arrays(n, arrays, "cohort_dataset_tensors", &p);
    for (int32_t k = 0; k < n && status >= 0; k++) {
        cohort_array *a = &p.arrays[k];
        if (a->rank == COHORT_MAX_RANK)
            status = cohort_error_set(
                COHORT_EINVAL, "cohort_dataset_tensors: array %d has rank %d; one less is possible",
                k, a->rank);
        /* also of an array that is refused: its shape is given up with it */
        memmove(a->shape + 1, a->shape, (COHORT_MAX_RANK - 1) * sizeof *a->shape);
        a->shape[0] = 1;
        a->rank++;
    }
    if (status >= 0)
        return make_rows(&p, "cohort_dataset_tensors");
    free_slices(&p);
    return cohort_handle_made(COHORT_HANDLE_DATASET, NULL);
}

cohort_dataset *cohort_slices_own(int n, const cohort_array arrays[], void *const blocks[],
                                  const char *call)
{
    slices_parameters p = { 0 };
    if (take_arrays(n, arrays, call, &p) >= 0) {
        /* row-major arrays were not packed, so there is nothing to overwrite */
        memcpy(p.packed, blocks, (size_t)n * sizeof *blocks);
        return make_rows(&p, call);
    }
    free_slices(&p);
    for (int k = 0; k < n; k++)
        cohort_free(blocks[k]);
    return NULL;
}
