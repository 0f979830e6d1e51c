/* SPDX-License-Identifier: BSD-3-Clause */
/* Opening a checkpoint, what it says of itself, and reading its tensors. */
#include "config.h"

#include "runtime/checkpoint/file.h"

#include "runtime/base/array.h"
#include "runtime/base/byte_order.h"
#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/data/format/elements.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ what it says */

/* Of an element that lies as bytes, whose number is the last extent; false: there is no such dtype,
 * or it has another size. */
static bool take_dtype(const char *text, cohort_checkpoint_tensor *t)
{
    char name[32];
    size_t length = strcspn(text, "[");
    if (length >= sizeof name || t->rank == 0 || t->dtype != COHORT_U8)
        return false;
    memcpy(name, text, length);
    name[length] = '\0';
    t->dtype = cohort_dtype_parse(name);
    t->item_bytes = t->shape[--t->rank];
    bool is_struct = t->dtype == COHORT_RECORD && t->item_bytes > 0;
    return is_struct || (t->dtype == COHORT_C128 && t->item_bytes == cohort_dtype_bytes(t->dtype));
}

static cohort_status take_tensor(cohort_checkpoint *c, size_t index, char *key)
{
    const cohort_tensor *from = &c->file.tensors[index];
    cohort_checkpoint_tensor *t = &c->tensors[index];
    *t = (cohort_checkpoint_tensor){ .name = from->name,
                                     .type = from->type->name,
                                     .dtype = from->type->dtype,
                                     .rank = from->rank,
                                     .shape = from->shape,
                                     .item_bytes = cohort_dtype_bytes(from->type->dtype),
                                     .bytes = from->bytes,
                                     .crc = from->sum,
                                     .has_crc = from->has_sum };
    memcpy(key + strlen(COHORT_CHECKPOINT_DTYPE), t->name, strlen(t->name) + 1);
    const char *text = c->file.has_sums ? cohort_safetensors_text(&c->file, key) : NULL;
    return text == NULL || take_dtype(text, t)
               ? COHORT_OK
               : cohort_error_set(COHORT_EINVAL, "%s: tensor '%.256s': no array has the dtype '%s'",
                                  c->path, t->name, text);
}

/* A tensor of components is another part of what their variable is saved as. */
static cohort_status take_owner(cohort_checkpoint *c, size_t index)
{
    const char *name = c->tensors[index].name;
    size_t length = strlen(name), ending = strlen(COHORT_CHECKPOINT_REPLICAS);
    if (!c->file.has_sums || length <= ending ||
        strcmp(name + length - ending, COHORT_CHECKPOINT_REPLICAS) != 0)
        return COHORT_OK;
    c->owners[index] = cohort_string_copy(name);
    if (c->owners[index] == NULL)
        return cohort_error_memory(c->path);
    c->owners[index][length - ending] = '\0';
    return COHORT_OK;
}

static cohort_status take_tensors(cohort_checkpoint *c)
{
    size_t longest = 0;
    for (size_t i = 0; i < c->file.n; i++)
        if (strlen(c->file.tensors[i].name) > longest)
            longest = strlen(c->file.tensors[i].name);
    c->tensors = cohort_allocate(c->file.n, sizeof *c->tensors);
    c->owners = cohort_allocate(c->file.n, sizeof *c->owners);
    char *key = cohort_allocate(sizeof COHORT_CHECKPOINT_DTYPE + longest, 1);
    bool has_memory = c->tensors != NULL && c->owners != NULL && key != NULL;
    cohort_status status = has_memory ? COHORT_OK : cohort_error_memory(c->path);
    if (key != NULL)
        memcpy(key, COHORT_CHECKPOINT_DTYPE, strlen(COHORT_CHECKPOINT_DTYPE));
    for (size_t i = 0; i < c->file.n && status >= 0; i++)
        status = take_tensor(c, i, key);
    for (size_t i = 0; i < c->file.n && status >= 0; i++)
        status = take_owner(c, i);
    cohort_free(key);
    return status;
}

/* As a save writes it: digits alone, and no more than fit. */
static bool take_step(const char *text, int64_t *out)
{
    char *end = NULL;
    errno = 0;
    *out = text[0] >= '0' && text[0] <= '9' ? strtoll(text, &end, 10) : -1;
    return end != NULL && *end == '\0' && errno == 0;
}

static cohort_status take_format(cohort_checkpoint *c)
{
    const char *format = cohort_safetensors_text(&c->file, COHORT_TENSORS_KEYS "format"),
               *order = cohort_safetensors_text(&c->file, COHORT_TENSORS_KEYS "byte_order"),
               *step = cohort_safetensors_text(&c->file, COHORT_TENSORS_KEYS "step");
    c->has_other_byte_order =
        order != NULL && (strcmp(order, "little") == 0) != cohort_byte_order_is_little();
    c->step = -1;
    if (format != NULL && strcmp(format, COHORT_CHECKPOINT_FORMAT) != 0)
        return cohort_error_set(COHORT_EINCOMPATIBLE,
                                "%s: has format %s of Cohort's checkpoints, and this version "
                                "knows " COHORT_CHECKPOINT_FORMAT ": it is newer",
                                c->path, format);
    return step == NULL || take_step(step, &c->step)
               ? COHORT_OK
               : cohort_error_set(COHORT_EINVAL, "%s: its step, '%.32s', is no number of 0 or more",
                                  c->path, step);
}

/* ------------------------------------------------------------------ opening and closing */

void cohort_checkpoint_end(cohort_checkpoint *c)
{
    if (c == NULL)
        return;
    for (size_t i = 0; i < c->file.n && c->owners != NULL; i++)
        cohort_free(c->owners[i]);
    cohort_safetensors_close(&c->file);
    cohort_free(c->owners);
    cohort_free(c->tensors);
    cohort_free(c->path);
    cohort_free(c->skipped);
    cohort_handle_free(&c->handle, sizeof *c, NULL);
}

cohort_status cohort_checkpoint_begin_file(const char *path, cohort_checkpoint **out)
{
    cohort_checkpoint *c = cohort_allocate(1, sizeof *c);
    *out = NULL;
    if (c == NULL)
        return cohort_error_memory(path);
    cohort_handle_begin(&c->handle, COHORT_HANDLE_CHECKPOINT);
    c->file.file.fd = -1;
    c->path = cohort_string_copy(path);
    c->skipped = cohort_string_copy("");
    cohort_status status = c->path != NULL && c->skipped != NULL
                               ? cohort_safetensors_open(c->path, &c->file)
                               : cohort_error_memory(path);
    if (status >= 0)
        status = take_format(c);
    if (status >= 0)
        status = take_tensors(c);
    if (status < 0)
        cohort_checkpoint_end(c);
    else
        *out = c;
    return status;
}

cohort_checkpoint *cohort_checkpoint_open(const char *path)
{
    cohort_checkpoint *c = NULL;
    cohort_status status = path != NULL ? cohort_checkpoint_begin(path, &c)
                                        : cohort_error_null("cohort_checkpoint_open", "the path");
    if (status == COHORT_END)
        (void)cohort_error_set(COHORT_ENOENT, "%s: there is no checkpoint in it", path);
    return cohort_handle_made(COHORT_HANDLE_CHECKPOINT, c);
}

void cohort_checkpoint_close(cohort_checkpoint *checkpoint)
{
    if (checkpoint != NULL &&
        cohort_handle_may_destroy(checkpoint, COHORT_HANDLE_CHECKPOINT, "cohort_checkpoint_close",
                                  "the checkpoint"))
        cohort_checkpoint_end(checkpoint);
}

/* ------------------------------------------------------------------ questions */

static bool is_there(const cohort_checkpoint *c)
{
    return cohort_handle_is(c, COHORT_HANDLE_CHECKPOINT);
}

const char *cohort_checkpoint_file(const cohort_checkpoint *checkpoint)
{
    return is_there(checkpoint) ? checkpoint->path : NULL;
}

int64_t cohort_checkpoint_step(const cohort_checkpoint *checkpoint)
{
    return is_there(checkpoint) ? checkpoint->step : -1;
}

const char *cohort_checkpoint_skipped(const cohort_checkpoint *checkpoint)
{
    return is_there(checkpoint) ? checkpoint->skipped : NULL;
}

bool cohort_checkpoint_tensor_at(const cohort_checkpoint *checkpoint, int index,
                                 cohort_checkpoint_tensor *out)
{
    bool is_one =
        is_there(checkpoint) && out != NULL && index >= 0 && (size_t)index < checkpoint->file.n;
    if (is_one)
        *out = checkpoint->tensors[index];
    return is_one;
}

const char *cohort_checkpoint_text(const cohort_checkpoint *checkpoint, const char *key)
{
    return is_there(checkpoint) && key != NULL ? cohort_safetensors_text(&checkpoint->file, key)
                                               : NULL;
}

const char *cohort_checkpoint_key(const cohort_checkpoint *checkpoint, int index)
{
    bool is_one = is_there(checkpoint) && index >= 0 && (size_t)index < checkpoint->file.n_notes;
    return is_one ? checkpoint->file.notes[index].key : NULL;
}

/* ------------------------------------------------------------------ reading */

int cohort_checkpoint_find(const cohort_checkpoint *c, const char *name)
{
    const cohort_tensor *found = cohort_safetensors_find(&c->file, name);
    return found != NULL ? (int)(found - c->file.tensors) : -1;
}

cohort_status cohort_checkpoint_fetch(const cohort_checkpoint *c, int index, void *into)
{
    const cohort_checkpoint_tensor *t = &c->tensors[index];
    cohort_status status = cohort_safetensors_read(&c->file, &c->file.tensors[index], into);
    if (status >= 0 && cohort_dtype_kind(t->dtype) != 'V')
        cohort_elements_arrange(into, t->bytes, t->dtype, !cohort_byte_order_is_little());
    return status;
}

cohort_status cohort_checkpoint_verify(const cohort_checkpoint *c)
{
    cohort_status status = COHORT_OK;
    for (size_t i = 0; i < c->file.n && status >= 0; i++)
        status = cohort_safetensors_check(&c->file, &c->file.tensors[i]);
    return status;
}

/* Index of a tensor that a program asks for. */
static cohort_status look_up(const cohort_checkpoint *c, const char *name, const char *call,
                             int *out_index)
{
    cohort_status status = cohort_handle_check(c, COHORT_HANDLE_CHECKPOINT, call, "the checkpoint");
    if (status >= 0 && name == NULL)
        status = cohort_error_null(call, "the name");
    if (status < 0)
        return status;
    *out_index = cohort_checkpoint_find(c, name);
    return *out_index >= 0 ? COHORT_OK
                           : cohort_error_set(COHORT_ENOENT, "%s: %s has no tensor '%.256s'", call,
                                              c->path, name);
}

cohort_status cohort_checkpoint_check(const cohort_checkpoint *checkpoint, const char *name)
{
    static const char call[] = "cohort_checkpoint_check";
    int index;
    cohort_status status = look_up(checkpoint, name, call, &index);
    if (status < 0)
        return status;
    if (!checkpoint->tensors[index].has_crc)
        return cohort_error_set(COHORT_ENOTSUP, "%s: %s has no checksum of '%.256s'", call,
                                checkpoint->path, name);
    return cohort_safetensors_check(&checkpoint->file, &checkpoint->file.tensors[index]);
}

static cohort_status check_into(const cohort_checkpoint_tensor *t, const cohort_array *into,
                                const char *call)
{
    cohort_status status = cohort_array_check(into, false, call);
    if (status < 0)
        return status;
    bool is_same = t->dtype == into->dtype && t->item_bytes == cohort_array_item_bytes(into) &&
                   t->bytes == cohort_array_items(into) * t->item_bytes;
    return is_same
               ? COHORT_OK
               : cohort_error_set(
                     COHORT_EINVAL,
                     "%s: tensor '%.256s' is %s of %lld bytes, the array %s of "
                     "%lld",
                     call, t->name, t->dtype != COHORT_VOID ? cohort_dtype_name(t->dtype) : t->type,
                     (long long)t->bytes, cohort_dtype_name(into->dtype),
                     (long long)(cohort_array_items(into) * cohort_array_item_bytes(into)));
}

/* Into the array itself where its elements lie one after the other. */
static cohort_status read_into(const cohort_checkpoint *c, int index, const cohort_array *into)
{
    if (cohort_array_is_row_major(into))
        return cohort_checkpoint_fetch(c, index, into->data);
    void *room = cohort_allocate_aligned((size_t)c->tensors[index].bytes + 1, sizeof(void *));
    if (room == NULL)
        return cohort_error_memory(c->path);
    cohort_status status = cohort_checkpoint_fetch(c, index, room);
    if (status >= 0)
        cohort_array_unpack(into, room);
    cohort_free(room);
    return status;
}

cohort_status cohort_checkpoint_read(const cohort_checkpoint *checkpoint, const char *name,
                                     cohort_array into)
{
    static const char call[] = "cohort_checkpoint_read";
    int index;
    cohort_status status = look_up(checkpoint, name, call, &index);
    if (status >= 0)
        status = check_into(&checkpoint->tensors[index], &into, call);
    if (status >= 0 && into.dtype == COHORT_RECORD && checkpoint->has_other_byte_order)
        status = cohort_error_set(COHORT_EINCOMPATIBLE,
                                  "%s: structs of a machine of the other byte order", call);
    return status < 0 ? status : read_into(checkpoint, index, &into);
}
