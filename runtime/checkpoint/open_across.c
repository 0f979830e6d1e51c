/* SPDX-License-Identifier: BSD-3-Clause */
/* Each looks what it can read, and tells it; all come to the same choice. Then the one that has the
 * chosen files sends them, piece by piece, each after a meeting, so that who cannot go on says so
 * before the others wait for bytes. What is received lies in files of memory, which are read as any
 * others. */
#include "config.h"

#include "runtime/checkpoint/open_across.h"

#include "runtime/base/digest.h"
#include "runtime/base/error.h"
#include "runtime/base/limits.h"
#include "runtime/base/log.h"
#include "runtime/base/memory.h"
#include "runtime/checkpoint/agree.h"
#include "runtime/data/format/crc.h"
#include "runtime/strategy/call.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PIECE = 4 << 20 };

/* What a worker has: status, and of a checkpoint that it can read its generation and a digest. */
typedef struct found_note {
    int32_t status, n_files;
    int64_t number;
    uint64_t digest;
    char text[COHORT_WORKERS_TEXT];
} found_note;

typedef struct file_note {
    int64_t bytes;
    char name[COHORT_SHARD_NAME_BYTES];
} file_note;

/* ------------------------------------------------------------------ what there is */

/* A file of others has no checksum that stands for it. */
static cohort_status sum_file(const cohort_file *file, uint64_t *digest)
{
    char *room = cohort_allocate_aligned(PIECE, 64);
    uint32_t sum = 0;
    cohort_status status = room != NULL ? COHORT_OK : cohort_error_memory(file->path);
    for (int64_t at = 0; at < file->bytes && status >= 0; at += PIECE) {
        size_t n = (size_t)(file->bytes - at < PIECE ? file->bytes - at : PIECE);
        status = cohort_file_read(file, at, room, n);
        sum = status >= 0 ? cohort_crc32c(sum, room, n) : sum;
    }
    cohort_free(room);
    *digest = cohort_digest_add(*digest, &sum, sizeof sum);
    return status;
}

static cohort_status sum_shard(const cohort_safetensors *shard, uint64_t *digest)
{
    uint32_t sum;
    *digest = cohort_digest_add(*digest, &shard->file.bytes, sizeof shard->file.bytes);
    if (!shard->has_sums)
        return sum_file(&shard->file, digest);
    cohort_status status = cohort_safetensors_header_sum(shard, &sum);
    *digest = cohort_digest_add(*digest, &sum, sizeof sum);
    return status;
}

static cohort_status describe(const cohort_checkpoint *c, found_note *note)
{
    cohort_status status = COHORT_OK;
    note->number = cohort_generation_number(cohort_generation_file(c->path), NULL);
    note->digest = cohort_digest_add(COHORT_DIGEST_OF_NOTHING, &c->n_shards, sizeof c->n_shards);
    while (cohort_checkpoint_file_at(c, note->n_files) != NULL)
        note->n_files++;
    for (int32_t s = 0; s < c->n_shards && status >= 0; s++)
        status = sum_shard(&c->shards[s], &note->digest);
    return status;
}

static cohort_status open_mine(const char *path, cohort_checkpoint **mine, found_note *note)
{
    cohort_status status = cohort_checkpoint_begin(path, mine);
    if (status == COHORT_OK && !(*mine)->is_verified)
        status = cohort_checkpoint_verify(*mine);
    if (status == COHORT_OK)
        status = describe(*mine, note);
    if (status == COHORT_OK) {
        (*mine)->is_verified = true;
        return COHORT_OK;
    }
    cohort_checkpoint_end(*mine);
    *mine = NULL;
    return status;
}

/* What this worker alone cannot read another one may have; where it has no memory, it is lost to
 * all. */
static cohort_status look(const char *path, cohort_checkpoint **mine, found_note *note)
{
    cohort_error_saved saved;
    cohort_error_save(&saved);
    *note = (found_note){ 0 };
    note->status = open_mine(path, mine, note);
    if (note->status == COHORT_ENOMEM)
        return COHORT_ENOMEM;
    (void)snprintf(note->text, sizeof note->text, "%s",
                   note->status < 0 ? cohort_error_slot() : "");
    cohort_error_restore(&saved);
    return COHORT_OK;
}

/* ------------------------------------------------------------------ which one */

static found_note note_of(const cohort_workers *w, int32_t worker)
{
    found_note note;
    memcpy(&note, cohort_workers_note(w, worker), sizeof note);
    note.text[sizeof note.text - 1] = '\0';
    return note;
}

/* The first of those that have the newest; -1: nobody has one. */
static int32_t choose(const cohort_workers *w)
{
    int32_t chosen = -1;
    int64_t newest = -1;
    for (int32_t i = 0; i < w->n; i++) {
        const found_note note = note_of(w, i);
        if (note.status == COHORT_OK && note.number > newest) {
            chosen = i;
            newest = note.number;
        }
    }
    return chosen;
}

static cohort_status refuse(const cohort_workers *w)
{
    for (int32_t i = 0; i < w->n; i++) {
        const found_note note = note_of(w, i);
        if (note.status < 0)
            return cohort_error_set(note.status, "on worker %d of %d: %s", (int)i, (int)w->n,
                                    note.text);
    }
    return COHORT_END;
}

/* ------------------------------------------------------------------ who sends, who gets */

typedef struct transfer {
    cohort_workers *w;
    const char *call;
    int32_t from;
    bool *is_wanted; /* [w->n]: that worker has not the same */
    char *room;      /* PIECE bytes */
    const cohort_checkpoint *sent;
    cohort_received received;
} transfer;

static bool is_receiver(const transfer *t)
{
    return t->is_wanted[t->w->rank];
}

static cohort_status write_piece(int fd, int64_t at, const char *bytes, size_t count)
{
    for (size_t done = 0; done < count;) {
        ssize_t now = pwrite(fd, bytes + done, count - done, (off_t)(at + (int64_t)done));
        if (now < 0 && errno != EINTR)
            return cohort_error_set(errno == ENOSPC || errno == ENOMEM ? COHORT_ENOMEM
                                                                       : COHORT_EINTERNAL,
                                    "a file of memory for a checkpoint: %s", strerror(errno));
        done += now > 0 ? (size_t)now : 0;
    }
    return COHORT_OK;
}

/* The room is lent to messages until the wait is over. */
static cohort_status cross(transfer *t, size_t bytes)
{
    cohort_workers *w = t->w;
    cohort_talk_begin(&w->talk);
    cohort_status status = cohort_workers_meet(w, t->call, "", 0);
    for (int32_t i = 0; i < w->n && status >= 0 && w->rank == t->from; i++)
        if (t->is_wanted[i])
            cohort_messages_send(&w->messages, i, t->room, bytes);
    if (status >= 0 && is_receiver(t))
        cohort_messages_receive(&w->messages, t->from, t->room, bytes);
    if (status >= 0)
        status = cohort_messages_wait(&w->messages, t->call);
    cohort_talk_end(&w->talk);
    return status;
}

static cohort_status cross_piece(transfer *t, int32_t index, int64_t at, size_t bytes)
{
    cohort_status status = COHORT_OK;
    if (t->w->rank == t->from)
        status = cohort_file_read(cohort_checkpoint_file_at(t->sent, index), at, t->room, bytes);
    if (status >= 0)
        status = cross(t, bytes);
    if (status >= 0 && is_receiver(t))
        status = write_piece(t->received.files[index].fd, at, t->room, bytes);
    return status;
}

/* Name and length of the next file, and memory for it. */
static cohort_status begin_file(transfer *t, int32_t index, int64_t *out_bytes)
{
    cohort_workers *w = t->w;
    file_note note = { 0 };
    if (w->rank == t->from) {
        const cohort_file *file = cohort_checkpoint_file_at(t->sent, index);
        note.bytes = file->bytes;
        (void)snprintf(note.name, sizeof note.name, "%s", cohort_generation_file(file->path));
    }
    cohort_status status = cohort_workers_meet(w, t->call, &note, sizeof note);
    if (status < 0)
        return status;
    memcpy(&note, cohort_workers_note(w, t->from), sizeof note);
    note.name[sizeof note.name - 1] = '\0';
    *out_bytes = note.bytes;
    if (!is_receiver(t))
        return COHORT_OK;
    int fd = memfd_create(note.name, MFD_CLOEXEC);
    if (fd < 0)
        return cohort_error_set(COHORT_EINTERNAL, "a file of memory for a checkpoint: %s",
                                strerror(errno));
    t->received.files[index] = (cohort_file){ cohort_string_copy(note.name), fd, note.bytes };
    t->received.n = index + 1;
    return t->received.files[index].path != NULL ? COHORT_OK : cohort_error_memory(t->call);
}

static cohort_status cross_file(transfer *t, int32_t index)
{
    int64_t bytes = 0;
    cohort_status status = begin_file(t, index, &bytes);
    for (int64_t at = 0; at < bytes && status >= 0; at += PIECE)
        status = cross_piece(t, index, at, (size_t)(bytes - at < PIECE ? bytes - at : PIECE));
    return status;
}

static void end_received(cohort_received *received)
{
    for (int32_t i = 0; i < received->n; i++) {
        cohort_file_close(&received->files[i]);
        cohort_free(cohort_memory_own(received->files[i].path));
    }
    cohort_free(received->files);
}

/* In the folder that the caller named, where it would lie. */
static cohort_status open_received(const transfer *t, const char *path, cohort_checkpoint **out)
{
    char file[COHORT_LIMIT_PATH_BYTES];
    const char *name = t->received.files[0].path;
    int used = cohort_checkpoint_is_file(path)
                   ? snprintf(file, sizeof file, "%.*s%s",
                              (int)(cohort_generation_file(path) - path), path, name)
                   : snprintf(file, sizeof file, "%s/%s", path, name);
    if (used < 0 || (size_t)used >= sizeof file)
        return cohort_error_set(COHORT_EINVAL, "a path of %d bytes; at most %d", used,
                                COHORT_LIMIT_PATH_BYTES - 1);
    cohort_status status = cohort_checkpoint_begin_file(file, &t->received, out);
    if (status >= 0)
        status = cohort_checkpoint_verify(*out);
    if (status >= 0)
        (*out)->is_verified = true;
    return status;
}

static cohort_status cross_all(transfer *t, int32_t n_files)
{
    cohort_workers *w = t->w;
    t->room = cohort_allocate_aligned(PIECE, 64);
    t->received.files = cohort_allocate((size_t)n_files, sizeof *t->received.files);
    cohort_status status = t->room != NULL && t->received.files != NULL
                               ? cohort_messages_reserve(&w->messages, (size_t)w->n)
                               : cohort_error_memory(t->call);
    for (int32_t i = 0; i < n_files && status >= 0; i++)
        status = cross_file(t, i);
    return status;
}

/* *mine: of those who have not the same, what they have, in whose place comes what they get. */
static cohort_status bring(transfer *t, const char *path, int32_t n_files, cohort_checkpoint **mine)
{
    t->sent = t->w->rank == t->from ? *mine : NULL;
    if (is_receiver(t)) {
        cohort_log(COHORT_SUBSYSTEM_CHECKPOINT, COHORT_LOG_INFO,
                   "%s: the checkpoint of worker %d is not here, and is sent", path, (int)t->from);
        cohort_checkpoint_end(*mine);
        *mine = NULL;
    }
    cohort_status status = cross_all(t, n_files);
    if (status >= 0 && is_receiver(t))
        status = open_received(t, path, mine);
    end_received(&t->received);
    cohort_messages_give(&t->w->messages, t->room, cohort_free);
    return status;
}

/* ------------------------------------------------------------------ all of it */

static cohort_status settle(cohort_workers *w, const char *call, const char *path,
                            cohort_checkpoint **mine)
{
    transfer t = { .w = w, .call = call, .from = choose(w) };
    if (t.from < 0)
        return refuse(w);
    const found_note chosen = note_of(w, t.from);
    bool is_needed = false;
    t.is_wanted = cohort_allocate((size_t)w->n, sizeof *t.is_wanted);
    if (t.is_wanted == NULL)
        return cohort_error_memory(call);
    for (int32_t i = 0; i < w->n; i++) {
        const found_note note = note_of(w, i);
        t.is_wanted[i] = note.status != COHORT_OK || note.digest != chosen.digest;
        is_needed = is_needed || t.is_wanted[i];
    }
    cohort_status status = is_needed ? bring(&t, path, chosen.n_files, mine) : COHORT_OK;
    cohort_free(t.is_wanted);
    return status;
}

static cohort_status begin(cohort_strategy *s, const char *call, const char *path,
                           cohort_checkpoint **mine)
{
    found_note note;
    cohort_status status = look(path, mine, &note);
    if (status >= 0)
        status = cohort_workers_meet(s->workers, call, &note, sizeof note);
    if (status >= 0)
        status = settle(s->workers, call, path, mine);
    return status == COHORT_OK ? cohort_agree_that_all_can(s, call) : status;
}

cohort_status cohort_checkpoint_begin_across(cohort_strategy *s, const char *call, const char *path,
                                             cohort_checkpoint **out)
{
    *out = NULL;
    if (s->workers == NULL)
        return cohort_checkpoint_begin(path, out);
    cohort_status status = begin(s, call, path, out);
    if (status != COHORT_OK) {
        cohort_checkpoint_end(*out);
        *out = NULL;
    }
    return status;
}

cohort_status cohort_checkpoint_open_for(cohort_strategy *strategy, const char *path,
                                         cohort_checkpoint **out)
{
    static const char name[] = "cohort_checkpoint_open_for";
    cohort_status status = cohort_call_enter(strategy, name);
    if (out != NULL)
        *out = NULL;
    if (status < 0)
        return status;
    if (path == NULL || out == NULL)
        status = cohort_error_null(name, path == NULL ? "the path" : "the place of the result");
    if (status >= 0)
        status = cohort_checkpoint_begin_across(strategy, name, path, out);
    return cohort_call_leave(strategy, status < 0 ? cohort_state_refuse(status, name) : status);
}
