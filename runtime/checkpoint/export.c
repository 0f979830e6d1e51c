/* SPDX-License-Identifier: BSD-3-Clause */
/* Tensors of a checkpoint as members of a .npz file. */
#include "config.h"

#include "runtime/checkpoint/convert.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/base/print.h"
#include "runtime/data/format/json_print.h"
#include "runtime/data/format/npy_header.h"
#include "runtime/data/format/zip_write.h"

#include <stdlib.h>
#include <string.h>

static cohort_status begin_member(cohort_zip_writer *zip, const char *name)
{
    size_t bytes = strlen(name) + sizeof ".npy";
    char *member = cohort_allocate(bytes, 1);
    if (member == NULL)
        return cohort_error_memory(name);
    (void)snprintf(member, bytes, "%s.npy", name);
    cohort_status status = name[0] != '\0'
                               ? cohort_zip_write_name(zip, member)
                               : cohort_error_set(COHORT_EINVAL, "an empty name; arrays of a .npz "
                                                                 "file have one");
    cohort_free(member);
    return status;
}

/* Of elements that lie row-major in this machine's byte order. */
static cohort_status write_array(cohort_zip_writer *zip, const char *name,
                                 const cohort_array *array, int64_t bytes)
{
    char header[COHORT_NPY_HEADER_TEXT_BYTES];
    cohort_status status = begin_member(zip, name);
    if (status >= 0)
        status = cohort_zip_write(zip, header, cohort_npy_header_write(array, header));
    return status < 0 ? status : cohort_zip_write(zip, array->data, (size_t)bytes);
}

/* ------------------------------------------------------------------ tensors */

static cohort_status check_tensor(const cohort_checkpoint_tensor *t)
{
    if (t->dtype == COHORT_VOID)
        return cohort_error_set(COHORT_ENOTSUP, "it is %s, which neither arrays nor NumPy have",
                                t->type);
    return t->rank <= COHORT_MAX_RANK
               ? COHORT_OK
               : cohort_error_set(COHORT_ENOTSUP, "it has %d axes; arrays have at most %d",
                                  (int)t->rank, COHORT_MAX_RANK);
}

static cohort_array array_of(const cohort_checkpoint_tensor *t, void *room)
{
    cohort_array array = {
        .data = room, .dtype = t->dtype, .rank = t->rank, .item_bytes = t->item_bytes
    };
    for (int32_t i = 0; i < t->rank; i++)
        array.shape[i] = t->shape[i];
    return array;
}

static cohort_status fetch_and_write(cohort_zip_writer *zip, const cohort_checkpoint *c, int index)
{
    const cohort_checkpoint_tensor *t = &c->tensors[index];
    void *room = cohort_allocate_aligned((size_t)t->bytes + 1, 64);
    cohort_array array = array_of(t, room);
    cohort_status status = room != NULL ? COHORT_OK : cohort_error_memory(t->name);
    if (status >= 0)
        status = cohort_checkpoint_fetch(c, index, room);
    if (status >= 0)
        status = write_array(zip, t->name, &array, t->bytes);
    cohort_free(room);
    return status;
}

static cohort_status write_tensor(cohort_zip_writer *zip, const cohort_checkpoint *c, int index)
{
    cohort_status status = check_tensor(&c->tensors[index]);
    if (status >= 0)
        status = fetch_and_write(zip, c, index);
    return status < 0
               ? cohort_error_prefix(status, "%s: tensor '%.256s'", c->path, c->tensors[index].name)
               : status;
}

/* ------------------------------------------------------------------ metadata */

static void print_notes(const void *what, FILE *out)
{
    const cohort_checkpoint *c = what;
    const char *between = "{";
    for (size_t i = 0; i < c->shards[0].n_notes; i++) {
        const cohort_tensors_note *note = &c->shards[0].notes[i];
        if (cohort_convert_is_of_file(note->key))
            continue;
        (void)fputs(between, out);
        cohort_json_print(out, note->key, "");
        (void)fputc(':', out);
        cohort_json_print(out, note->text, "");
        between = ",";
    }
    (void)fputs(between[0] == '{' ? "{}" : "}", out);
}

static cohort_status write_notes(cohort_zip_writer *zip, const cohort_checkpoint *c)
{
    size_t bytes = 0;
    char *text = cohort_print_to_text(print_notes, c, &bytes);
    if (text == NULL)
        return cohort_error_memory("the metadata of a checkpoint");
    const cohort_array array = {
        .data = text, .dtype = COHORT_U8, .rank = 1, .shape = { (int64_t)bytes }
    };
    cohort_status status = write_array(zip, COHORT_CONVERT_METADATA, &array, (int64_t)bytes);
    free(text);
    return status;
}

/* ------------------------------------------------------------------ all of it */

static cohort_status write_all(cohort_zip_writer *zip, const cohort_checkpoint *c)
{
    cohort_status status = COHORT_OK;
    for (size_t i = 0; i < c->n && status >= 0; i++)
        status = write_tensor(zip, c, (int)i);
    if (status >= 0 && c->shards[0].n_notes > 0)
        status = write_notes(zip, c);
    return status < 0 ? status : cohort_zip_write_directory(zip);
}

cohort_status cohort_checkpoint_export(const cohort_checkpoint *from, const char *to)
{
    cohort_replacement file;
    cohort_status status = cohort_replacement_open_durable(to, &file);
    if (status < 0)
        return status;
    cohort_zip_writer zip = { .file = &file };
    status = write_all(&zip, from);
    cohort_zip_writer_free(&zip);
    return cohort_replacement_close(&file, status);
}
