/* SPDX-License-Identifier: BSD-3-Clause */
/* One iteration of a source of files: each is opened when its turn comes and closed behind its last
 * row.
 *
 * Rows whose extents are known are read straight to where they are wanted; who asks for one gets it
 * from a chunk of several that were read at once. An error in the middle of a chunk waits until the
 * rows before it are given. */
#include "config.h"

#include "runtime/data/dataset/files.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/data/dataset/answer.h"
#include "runtime/data/dataset/dataset.h"
#include "runtime/data/dataset/fault.h"
#include "runtime/data/dataset/open_files.h"

#include <string.h>

enum { CHUNK_BYTES = 1 << 16, MOST_CHUNK_ROWS = 1024 };

typedef struct files_cursor {
    cohort_cursor head;
    const cohort_files *files; /* the dataset's */
    int64_t file;              /* of the list: the one that is read */
    int64_t row;               /* of that file: the next one */
    cohort_reader *reader;     /* NULL: not open yet */
    cohort_fault fault;        /* comes behind the chunk; stays where nothing can go on */
    bool is_known;             /* all extents */
    size_t *bytes;             /* [components]: of a row, where is_known */
    cohort_array *parts;       /* [components]: what was given last */
    cohort_block *chunk;       /* rows that were read at once */
    void **places;             /* [components]: where those rows begin */
    int64_t chunk_rows, chunk_at, chunk_most;
    cohort_block *picked; /* the row that `at` gave */
    cohort_open_files open;
} files_cursor;

/* ------------------------------------------------------------------ files */

static void leave_file(files_cursor *c)
{
    cohort_reader_close(c->reader);
    c->reader = NULL;
    c->file++;
    c->row = 0;
}

/* Says how the iteration goes on after an error: in this file, with the next one, or not at all. */
static cohort_status judge(files_cursor *c, cohort_status status)
{
    bool is_refusal = cohort_answer_is_refusal(status);
    if (is_refusal && (c->reader == NULL || !c->reader->can_go_on))
        leave_file(c);
    c->head.can_go_on = is_refusal;
    return is_refusal ? status : cohort_fault_note(&c->fault, status, false);
}

/* The file of the next row is open, and stands there. COHORT_END behind the last. */
static cohort_status have_file(files_cursor *c)
{
    int64_t wanted = c->row, passed = 0;
    if (c->reader != NULL)
        return COHORT_OK;
    if (c->file >= c->files->list.n)
        return COHORT_END;
    cohort_status status = cohort_files_open(c->head.dataset, c->file, &c->reader);
    if (status >= 0 && wanted > 0)
        status = c->files->kind->skip(c->reader, wanted, &passed);
    return status < 0 ? judge(c, status) : COHORT_OK;
}

/* Tells the fault that waited behind the chunk. */
static cohort_status tell_fault(files_cursor *c)
{
    cohort_status status = cohort_fault_tell(&c->fault);
    c->head.can_go_on = c->fault.can_go_on;
    if (c->fault.can_go_on)
        cohort_fault_forget(&c->fault);
    return status;
}

/* ------------------------------------------------------------------ rows of known extents */

static void move_on(const files_cursor *c, void *const into[], int64_t rows, void *moved[])
{
    for (int32_t k = 0; k < c->head.dataset->n_components; k++)
        moved[k] = (char *)into[k] + (size_t)rows * c->bytes[k];
}

/* Up to n rows from the files; fewer at the end or at an error. */
static cohort_status read_rows(files_cursor *c, int64_t n, void *const into[], int64_t *out_rows)
{
    void *moved[COHORT_LIMIT_COMPONENTS];
    cohort_status status = COHORT_OK;
    *out_rows = 0;
    while (*out_rows < n && (status = have_file(c)) == COHORT_OK) {
        int64_t wanted = n - *out_rows, got = 0;
        move_on(c, into, *out_rows, moved);
        status = c->files->kind->copy(c->reader, wanted, moved, &got);
        *out_rows += got;
        c->row += got;
        if (status < 0)
            return judge(c, status);
        if (got < wanted)
            leave_file(c);
    }
    return status == COHORT_END ? COHORT_OK : status;
}

/* Takes a block for so many rows in place of *block, and says where each component begins in it. */
static cohort_status take_block(const files_cursor *c, int64_t rows, cohort_block **block,
                                void *into[])
{
    size_t at = 0, offsets[COHORT_LIMIT_COMPONENTS];
    int32_t n = c->head.dataset->n_components;
    bool fits = true;
    cohort_block_release(*block);
    for (int32_t k = 0; k < n && fits; k++)
        fits = cohort_element_reserve(&at, (size_t)rows * c->bytes[k], &offsets[k]);
    *block = fits ? cohort_pool_take(c->head.pool, at) : NULL;
    if (*block == NULL)
        return cohort_error_memory(c->files->kind->call);
    for (int32_t k = 0; k < n; k++)
        into[k] = (char *)(*block)->memory + offsets[k];
    return COHORT_OK;
}

/* There is no row at all. A row may be of any size then, so no memory is asked for one. */
static bool has_no_rows(const files_cursor *c)
{
    return c->files->starts != NULL && c->files->starts[c->files->list.n] == 0;
}

/* Reads a new chunk: at least one row, COHORT_END, or an error. */
static cohort_status fill_chunk(files_cursor *c)
{
    c->chunk_rows = c->chunk_at = 0;
    if (has_no_rows(c))
        return COHORT_END;
    cohort_status status = take_block(c, c->chunk_most, &c->chunk, c->places);
    if (status < 0)
        return judge(c, status);
    status = read_rows(c, c->chunk_most, c->places, &c->chunk_rows);
    if (status < 0 && c->chunk_rows > 0) {
        (void)cohort_fault_note(&c->fault, status, c->head.can_go_on);
        c->head.can_go_on = false;
        return COHORT_OK;
    }
    return status < 0 ? status : c->chunk_rows > 0 ? COHORT_OK : COHORT_END;
}

/* A row alone in its block may be held; of others, copies are cheaper than what they would hold. */
static cohort_status next_known(files_cursor *c, cohort_element *out)
{
    const cohort_dataset *d = c->head.dataset;
    if (c->chunk_at == c->chunk_rows) {
        cohort_status status = c->fault.status < 0 ? tell_fault(c) : fill_chunk(c);
        if (status != COHORT_OK)
            return status;
    }
    for (int32_t k = 0; k < d->n_components; k++)
        c->parts[k].data = (char *)c->places[k] + (size_t)c->chunk_at * c->bytes[k];
    c->chunk_at++;
    *out = (cohort_element){ .parts = c->parts,
                             .n = d->n_components,
                             .block = c->chunk_most == 1 ? c->chunk : NULL };
    return COHORT_OK;
}

static cohort_status copy_files(cohort_cursor *cursor, int64_t n, void *const into[],
                                int64_t *out_rows)
{
    files_cursor *c = (files_cursor *)cursor;
    void *moved[COHORT_LIMIT_COMPONENTS];
    int64_t there = c->chunk_rows - c->chunk_at, now = n < there ? n : there, got = 0;
    cursor->can_go_on = false;
    for (int32_t k = 0; now > 0 && k < cursor->dataset->n_components; k++)
        if (c->bytes[k] > 0)
            memcpy(into[k], (char *)c->places[k] + (size_t)c->chunk_at * c->bytes[k],
                   (size_t)now * c->bytes[k]);
    c->chunk_at += now;
    *out_rows = now;
    if (now == n)
        return COHORT_OK;
    if (c->fault.status < 0)
        return tell_fault(c);
    move_on(c, into, now, moved);
    cohort_status status = read_rows(c, n - now, moved, &got);
    *out_rows += got;
    return status;
}

/* ------------------------------------------------------------------ rows of any extents */

static cohort_status next_any(files_cursor *c, cohort_element *out)
{
    cohort_status status = c->fault.status < 0 ? tell_fault(c) : COHORT_OK;
    while (status == COHORT_OK && (status = have_file(c)) == COHORT_OK) {
        status = c->files->kind->next(c->reader, c->parts);
        if (status == COHORT_OK) {
            c->row++;
            *out = (cohort_element){ .parts = c->parts, .n = c->head.dataset->n_components };
            return COHORT_OK;
        }
        if (status < 0)
            return judge(c, status);
        leave_file(c);
        status = COHORT_OK;
    }
    return status;
}

static cohort_status next_row(cohort_cursor *cursor, cohort_element *out)
{
    files_cursor *c = (files_cursor *)cursor;
    cursor->can_go_on = false;
    return c->is_known ? next_known(c, out) : next_any(c, out);
}

/* ------------------------------------------------------------------ passing over */

static cohort_status skip_files(files_cursor *c, int64_t n, int64_t *out_passed)
{
    cohort_status status = COHORT_OK;
    while (*out_passed < n && (status = have_file(c)) == COHORT_OK) {
        int64_t wanted = n - *out_passed, passed = 0;
        status = c->files->kind->skip(c->reader, wanted, &passed);
        *out_passed += passed;
        c->row += passed;
        if (status < 0)
            return judge(c, status);
        if (passed < wanted)
            leave_file(c);
    }
    return status == COHORT_END ? COHORT_OK : status;
}

/* Where it goes on is known without the files between: the one that has it is opened when it is
 * read. */
static cohort_status skip_counted(files_cursor *c, int64_t n, int64_t *out_passed)
{
    const cohort_files *p = c->files;
    if (c->file >= p->list.n)
        return COHORT_OK;
    int64_t here = p->starts[c->file] + c->row, left = p->starts[p->list.n] - here;
    int64_t passed = n - *out_passed < left ? n - *out_passed : left, target = here + passed;
    if (c->reader != NULL && target < p->starts[c->file + 1])
        return skip_files(c, n, out_passed);
    cohort_reader_close(c->reader);
    c->reader = NULL;
    c->file = passed < left ? cohort_open_files_of_row(p, target) : p->list.n;
    c->row = passed < left ? target - p->starts[c->file] : 0;
    *out_passed += passed;
    return COHORT_OK;
}

static cohort_status skip_rows(cohort_cursor *cursor, int64_t n, int64_t *out_passed)
{
    files_cursor *c = (files_cursor *)cursor;
    int64_t there = c->chunk_rows - c->chunk_at, now = n < there ? n : there;
    cursor->can_go_on = false;
    c->chunk_at += now;
    *out_passed = now;
    if (now == n)
        return COHORT_OK;
    if (c->fault.status < 0)
        return tell_fault(c);
    return c->files->starts != NULL ? skip_counted(c, n, out_passed) : skip_files(c, n, out_passed);
}

/* ------------------------------------------------------------------ any row */

static cohort_status at_row(cohort_cursor *cursor, int64_t index, cohort_element *out)
{
    files_cursor *c = (files_cursor *)cursor;
    void *into[COHORT_LIMIT_COMPONENTS];
    cohort_reader *reader = NULL;
    int64_t row = 0;
    cursor->can_go_on = false;
    cohort_status status = cohort_open_files_find(&c->open, cursor->dataset, index, &reader, &row);
    if (status >= 0)
        status = take_block(c, 1, &c->picked, into);
    for (int32_t k = 0; status >= 0 && k < cursor->dataset->n_components; k++)
        c->parts[k].data = into[k];
    if (status >= 0)
        status = c->files->kind->at(reader, row, into);
    cursor->can_go_on = status < 0 && cohort_answer_is_refusal(status);
    *out = (cohort_element){ .parts = c->parts,
                             .n = cursor->dataset->n_components,
                             .block = c->picked };
    return status;
}

/* ------------------------------------------------------------------ opening */

static void close_files(cohort_cursor *cursor)
{
    files_cursor *c = (files_cursor *)cursor;
    cohort_reader_close(c->reader);
    cohort_open_files_fini(&c->open);
    cohort_fault_forget(&c->fault);
    cohort_block_release(c->chunk);
    cohort_block_release(c->picked);
    cohort_free(c->bytes);
    cohort_free(c->places);
    cohort_free(c->parts);
    cohort_cursor_free(cursor);
}

static const cohort_cursor_kind known = {
    .next = next_row, .close = close_files, .skip = skip_rows, .at = at_row, .copy = copy_files
};
static const cohort_cursor_kind any = { .next = next_row, .close = close_files, .skip = skip_rows };

/* Not strings, nor what has an extent that each row says itself. */
static bool has_one_size(const cohort_spec *spec)
{
    for (int32_t i = 0; i < spec->rank; i++)
        if (spec->shape[i] < 0)
            return false;
    return cohort_dtype_bytes(spec->dtype) > 0;
}

/* Shapes of the parts, and how many rows make a chunk. */
static void measure(files_cursor *c)
{
    const cohort_dataset *d = c->head.dataset;
    size_t row = 0;
    bool fits = true;
    c->is_known = true;
    for (int32_t k = 0; k < d->n_components; k++) {
        const cohort_spec *spec = &d->specs[k];
        c->parts[k] = (cohort_array){ .dtype = spec->dtype,
                                      .rank = spec->rank,
                                      .item_bytes = cohort_dtype_bytes(spec->dtype) };
        memcpy(c->parts[k].shape, spec->shape, sizeof spec->shape);
        bool fits_memory = cohort_spec_bytes(spec, &c->bytes[k]);
        c->is_known = has_one_size(spec) && c->is_known;
        if (has_one_size(spec) && !fits_memory)
            c->bytes[k] = SIZE_MAX; /* beyond the address space: no block has room for a row */
        fits = fits && !__builtin_add_overflow(row, c->bytes[k], &row);
    }
    c->chunk_most = !fits || row > CHUNK_BYTES ? 1
                    : row > 0                  ? (int64_t)(CHUNK_BYTES / row)
                                               : MOST_CHUNK_ROWS;
    c->chunk_most = c->chunk_most < MOST_CHUNK_ROWS ? c->chunk_most : MOST_CHUNK_ROWS;
    c->head.kind = c->is_known ? &known : &any;
}

cohort_status cohort_files_cursor_open(const cohort_dataset *dataset, const cohort_opening *how,
                                       cohort_cursor **out)
{
    files_cursor *c = cohort_cursor_allocate(dataset, &known, how, sizeof *c);
    if (c == NULL)
        return COHORT_ENOMEM;
    c->files = dataset->parameters;
    c->bytes = cohort_allocate((size_t)dataset->n_components, sizeof *c->bytes);
    c->places = cohort_allocate((size_t)dataset->n_components, sizeof *c->places);
    c->parts = cohort_allocate((size_t)dataset->n_components, sizeof *c->parts);
    if (c->bytes == NULL || c->places == NULL || c->parts == NULL) {
        close_files(&c->head);
        return cohort_error_memory(c->files->kind->call);
    }
    measure(c);
    *out = &c->head;
    return COHORT_OK;
}
