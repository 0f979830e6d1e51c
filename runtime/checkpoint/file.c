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
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ what it says */

/* As a save writes it: digits alone, and no more than fit. */
static bool take_step(const char *text, int64_t *out)
{
    char *end = NULL;
    errno = 0;
    *out = text[0] >= '0' && text[0] <= '9' ? strtoll(text, &end, 10) : -1;
    return end != NULL && *end == '\0' && errno == 0;
}

static cohort_status take_format(cohort_checkpoint *c, const cohort_safetensors *shard)
{
    const char *format = cohort_safetensors_text(shard, COHORT_TENSORS_KEYS "format"),
               *order = cohort_safetensors_text(shard, COHORT_TENSORS_KEYS "byte_order"),
               *step = cohort_safetensors_text(shard, COHORT_TENSORS_KEYS "step");
    c->has_other_byte_order =
        c->has_other_byte_order ||
        (order != NULL && (strcmp(order, "little") == 0) != cohort_byte_order_is_little());
    c->step = -1;
    if (format != NULL && strcmp(format, COHORT_CHECKPOINT_FORMAT) != 0)
        return cohort_error_set(COHORT_EINCOMPATIBLE,
                                "%s: has format %s of Cohort's checkpoints, and this version "
                                "knows " COHORT_CHECKPOINT_FORMAT ": it is newer",
                                shard->file.path, format);
    return step == NULL || take_step(step, &c->step)
               ? COHORT_OK
               : cohort_error_set(COHORT_EINVAL, "%s: its step, '%.32s', is no number of 0 or more",
                                  shard->file.path, step);
}

bool cohort_checkpoint_is_part(const cohort_checkpoint *c)
{
    return c->listed.n == 0 && c->shards[0].has_sums &&
           cohort_safetensors_text(&c->shards[0], COHORT_CHECKPOINT_WORKER) != NULL;
}

/* ------------------------------------------------------------------ shards */

/* It is the one that the manifest means: of the same save, by its place, with this header. */
static cohort_status check_shard(const cohort_checkpoint *c, int32_t index)
{
    const cohort_safetensors *shard = &c->shards[index];
    const cohort_manifest_shard *said = &c->listed.shards[index];
    char worker[32], save[24];
    uint32_t sum = 0;
    (void)snprintf(worker, sizeof worker, "%" PRId32 " of %" PRId32, index, c->listed.n);
    (void)snprintf(save, sizeof save, "%016" PRIx64, c->listed.save);
    const char *is_of = cohort_safetensors_text(shard, COHORT_CHECKPOINT_WORKER),
               *is_from = cohort_safetensors_text(shard, COHORT_CHECKPOINT_SAVE);
    cohort_status status = cohort_safetensors_header_sum(shard, &sum);
    if (status < 0)
        return status;
    bool is_meant = shard->has_sums && shard->file.bytes == said->bytes &&
                    sum == said->header_sum && is_of != NULL && strcmp(is_of, worker) == 0 &&
                    is_from != NULL && strcmp(is_from, save) == 0 && c->step == c->listed.step;
    return is_meant ? COHORT_OK
                    : cohort_error_set(COHORT_EINVAL,
                                       "%s: is not the shard that %s was written with: its length, "
                                       "its header or its save is another one",
                                       shard->file.path, c->path);
}

/* The path of a file beside that of the checkpoint. */
static char *path_beside(const char *path, const char *file)
{
    size_t folder = (size_t)(cohort_generation_file(path) - path), length = strlen(file);
    char *beside = cohort_allocate(folder + length + 1, 1);
    if (beside == NULL)
        return (void)cohort_error_memory(path), NULL;
    memcpy(beside, path, folder);
    memcpy(beside + folder, file, length + 1);
    return beside;
}

/* Of the files that were sent, which may have been taken before. */
static cohort_status take_received(const cohort_received *received, const char *path,
                                   cohort_file *out)
{
    for (int32_t i = 0; i < received->n; i++) {
        cohort_file *file = &received->files[i];
        if (file->fd < 0 || strcmp(file->path, cohort_generation_file(path)) != 0)
            continue;
        *out = (cohort_file){ .path = path, .fd = file->fd, .bytes = file->bytes };
        file->fd = -1;
        return COHORT_OK;
    }
    return cohort_error_set(COHORT_EINVAL, "%s: it was not sent", path);
}

static cohort_status open_file(const cohort_received *received, const char *path, cohort_file *out)
{
    return received != NULL ? take_received(received, path, out) : cohort_file_open(path, out);
}

/* A shard that is not there makes the checkpoint a damaged one, not one that is not there. */
static cohort_status open_shard(cohort_checkpoint *c, const cohort_received *received)
{
    cohort_file file;
    const char *path = c->paths[c->n_shards];
    cohort_status status = open_file(received, path, &file);
    if (status == COHORT_ENOENT && c->listed.n > 0)
        status = cohort_error_set(COHORT_EINVAL, "%s: its shard %s is not there", c->path,
                                  cohort_generation_file(path));
    if (status >= 0)
        status = cohort_safetensors_open_file(&file, &c->shards[c->n_shards]);
    if (status < 0)
        return status;
    status = take_format(c, &c->shards[c->n_shards++]);
    return status < 0 || c->listed.n == 0 ? status : check_shard(c, c->n_shards - 1);
}

static cohort_status open_shards(cohort_checkpoint *c, const cohort_received *received)
{
    const int32_t n = c->listed.n > 0 ? c->listed.n : 1;
    c->paths = cohort_allocate((size_t)n, sizeof *c->paths);
    c->shards = cohort_allocate((size_t)n, sizeof *c->shards);
    if (c->paths == NULL || c->shards == NULL)
        return cohort_error_memory(c->path);
    cohort_status status = COHORT_OK;
    for (int32_t i = 0; i < n && status >= 0; i++) {
        c->paths[i] = c->listed.n > 0 ? path_beside(c->path, c->listed.shards[i].file)
                                      : cohort_string_copy(c->path);
        status = c->paths[i] != NULL ? open_shard(c, received) : COHORT_ENOMEM;
    }
    return status;
}

static cohort_status open_manifest(cohort_checkpoint *c, const cohort_received *received)
{
    cohort_status status = open_file(received, c->path, &c->manifest);
    if (status < 0)
        c->manifest.fd = -1;
    return status < 0 ? status : cohort_manifest_read(&c->manifest, &c->listed);
}

/* ------------------------------------------------------------------ opening and closing */

static void close_shards(cohort_checkpoint *c)
{
    const int32_t n = c->listed.n > 0 ? c->listed.n : 1;
    for (int32_t i = 0; i < c->n_shards; i++)
        cohort_safetensors_close(&c->shards[i]);
    for (int32_t i = 0; i < n && c->paths != NULL; i++)
        cohort_free(c->paths[i]);
    cohort_free(c->shards);
    cohort_free(c->paths);
    cohort_manifest_free(&c->listed);
    cohort_file_close(&c->manifest);
}

void cohort_checkpoint_end(cohort_checkpoint *c)
{
    if (c == NULL)
        return;
    for (size_t i = 0; i < c->n && c->places != NULL; i++) {
        cohort_free(c->places[i].owner);
        cohort_free(c->places[i].shape);
    }
    close_shards(c);
    cohort_free(c->places);
    cohort_free(c->tensors);
    cohort_free(c->by_name);
    cohort_free(c->path);
    cohort_free(c->skipped);
    cohort_handle_free(&c->handle, sizeof *c, NULL);
}

static cohort_status open_all(cohort_checkpoint *c, const cohort_received *received)
{
    cohort_status status =
        cohort_manifest_is_name(c->path) ? open_manifest(c, received) : COHORT_OK;
    if (status >= 0)
        status = open_shards(c, received);
    return status < 0 ? status : cohort_checkpoint_list_tensors(c);
}

cohort_status cohort_checkpoint_begin_file(const char *path, const cohort_received *received,
                                           cohort_checkpoint **out)
{
    cohort_checkpoint *c = cohort_allocate(1, sizeof *c);
    *out = NULL;
    if (c == NULL)
        return cohort_error_memory(path);
    cohort_handle_begin(&c->handle, COHORT_HANDLE_CHECKPOINT);
    c->manifest.fd = -1;
    c->path = cohort_string_copy(path);
    c->skipped = cohort_string_copy("");
    cohort_status status =
        c->path != NULL && c->skipped != NULL ? open_all(c, received) : cohort_error_memory(path);
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
        is_there(checkpoint) && out != NULL && index >= 0 && (size_t)index < checkpoint->n;
    if (is_one)
        *out = checkpoint->tensors[index];
    return is_one;
}

bool cohort_checkpoint_tensor_find(const cohort_checkpoint *checkpoint, const char *name,
                                   cohort_checkpoint_tensor *out)
{
    int index =
        is_there(checkpoint) && name != NULL ? cohort_checkpoint_find(checkpoint, name) : -1;
    return cohort_checkpoint_tensor_at(checkpoint, index, out);
}

const char *cohort_checkpoint_text(const cohort_checkpoint *checkpoint, const char *key)
{
    return is_there(checkpoint) && key != NULL
               ? cohort_safetensors_text(&checkpoint->shards[0], key)
               : NULL;
}

const char *cohort_checkpoint_key(const cohort_checkpoint *checkpoint, int index)
{
    bool is_one =
        is_there(checkpoint) && index >= 0 && (size_t)index < checkpoint->shards[0].n_notes;
    return is_one ? checkpoint->shards[0].notes[index].key : NULL;
}

const char *cohort_checkpoint_shard(const cohort_checkpoint *checkpoint, int index)
{
    bool is_one = is_there(checkpoint) && index >= 0 && index < checkpoint->listed.n;
    return is_one ? checkpoint->paths[index] : NULL;
}

const cohort_file *cohort_checkpoint_file_at(const cohort_checkpoint *c, int32_t index)
{
    int32_t shard = c->listed.n > 0 ? index - 1 : index;
    if (shard < 0)
        return &c->manifest;
    return shard < c->n_shards ? &c->shards[shard].file : NULL;
}

/* ------------------------------------------------------------------ reading */

/* The pieces of a tensor: one, or of components one in each shard. Does something with each. */
typedef cohort_status (*each_piece)(const cohort_safetensors *shard, const cohort_tensor *piece,
                                    void *into);

static cohort_status for_each_piece(const cohort_checkpoint *c, int index, each_piece each,
                                    char *into)
{
    const cohort_place_of_tensor *place = &c->places[index];
    cohort_status status = COHORT_OK;
    if (place->shape == NULL)
        return each(&c->shards[place->shard], place->tensor, into);
    for (int32_t s = 0; s < c->n_shards && status >= 0; s++) {
        const cohort_tensor *piece = cohort_safetensors_find(&c->shards[s], c->tensors[index].name);
        status = each(&c->shards[s], piece, into);
        into += into != NULL ? piece->bytes : 0;
    }
    return status;
}

static cohort_status read_piece(const cohort_safetensors *shard, const cohort_tensor *piece,
                                void *into)
{
    return cohort_safetensors_read(shard, piece, into);
}

static cohort_status check_piece(const cohort_safetensors *shard, const cohort_tensor *piece,
                                 void *into)
{
    (void)into;
    return cohort_safetensors_check(shard, piece);
}

cohort_status cohort_checkpoint_fetch(const cohort_checkpoint *c, int index, void *into)
{
    const cohort_checkpoint_tensor *t = &c->tensors[index];
    cohort_status status = for_each_piece(c, index, read_piece, into);
    if (status >= 0 && cohort_dtype_kind(t->dtype) != 'V')
        cohort_elements_arrange(into, t->bytes, t->dtype, !cohort_byte_order_is_little());
    return status;
}

cohort_status cohort_checkpoint_check_tensor(const cohort_checkpoint *c, int index)
{
    return for_each_piece(c, index, check_piece, NULL);
}

cohort_status cohort_checkpoint_verify(const cohort_checkpoint *c)
{
    cohort_status status = COHORT_OK;
    for (size_t i = 0; i < c->n && status >= 0; i++)
        status = cohort_checkpoint_check_tensor(c, (int)i);
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
    if (!checkpoint->places[index].tensor->has_sum)
        return cohort_error_set(COHORT_ENOTSUP, "%s: %s has no checksum of '%.256s'", call,
                                checkpoint->path, name);
    return cohort_checkpoint_check_tensor(checkpoint, index);
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
