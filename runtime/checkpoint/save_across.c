/* SPDX-License-Identifier: BSD-3-Clause */
/* Who fails returns, and tells the others by its failure where they meet next; so nothing is noted
 * of errors, but for a folder that somebody else has locked, which sticks nowhere. */
#include "config.h"

#include "runtime/checkpoint/save_across.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/checkpoint/agree.h"
#include "runtime/checkpoint/file.h"
#include "runtime/checkpoint/generations.h"
#include "runtime/data/format/crc.h"

#include <stdio.h>
#include <string.h>

/* What each says once it has looked for that: bytes of its shard, 0: it writes it itself. */
typedef struct seen_note {
    int64_t bytes;
} seen_note;

/* What each says of the shard that is written. */
typedef struct done_note {
    int64_t bytes, replicas;
    uint32_t header_sum;
} done_note;

static cohort_workers *workers_of(const cohort_shards *s)
{
    return s->strategy->workers;
}

static bool is_chief(const cohort_shards *s)
{
    return workers_of(s)->rank == 0;
}

/* ------------------------------------------------------------------ the content of a shard */

static int64_t bytes_of(const cohort_shards *s)
{
    const cohort_tensors_layout *layout = &s->copy.plan.layout;
    const cohort_tensor_layout *last = layout->n > 0 ? &layout->tensors[layout->n - 1] : NULL;
    return last != NULL ? last->at + last->bytes : layout->header_bytes;
}

/* Sum the tensors, and print the header, which has the sums. */
static cohort_status seal(cohort_shards *s)
{
    cohort_tensors_layout *layout = &s->copy.plan.layout;
    if (s->header != NULL)
        return COHORT_OK;
    for (size_t i = 0; i < layout->n; i++)
        layout->tensors[i].sum =
            cohort_crc32c(0, s->copy.copies[i], (size_t)layout->tensors[i].bytes);
    s->header = cohort_tensors_header(layout);
    return s->header != NULL ? COHORT_OK : cohort_error_memory("the header of a checkpoint");
}

static cohort_status put(cohort_shards *s)
{
    const cohort_tensors_layout *layout = &s->copy.plan.layout;
    cohort_status status =
        cohort_replacement_write_at(&s->file, 0, s->header, (size_t)layout->header_bytes);
    for (size_t i = 0; i < layout->n && status >= 0; i++)
        status = cohort_replacement_write_at(&s->file, layout->tensors[i].at, s->copy.copies[i],
                                             (size_t)layout->tensors[i].bytes);
    return status;
}

/* NULL also where there can be no so many, on a machine of 32 bits. */
static char *allocate(int64_t bytes)
{
    return (uint64_t)bytes < SIZE_MAX ? cohort_allocate_aligned((size_t)bytes + 1, 64) : NULL;
}

/* In one piece, to be sent. */
static cohort_status gather(cohort_shards *s, char **out)
{
    const cohort_tensors_layout *layout = &s->copy.plan.layout;
    cohort_status status = seal(s);
    *out = status >= 0 ? allocate(bytes_of(s)) : NULL;
    if (*out == NULL)
        return status < 0 ? status : cohort_error_memory("a shard of a checkpoint");
    memcpy(*out, s->header, (size_t)layout->header_bytes);
    for (size_t i = 0; i < layout->n; i++)
        memcpy(*out + layout->tensors[i].at, s->copy.copies[i], (size_t)layout->tensors[i].bytes);
    return COHORT_OK;
}

/* ------------------------------------------------------------------ sending */

static int64_t seen_bytes(const cohort_workers *w, int32_t worker)
{
    seen_note note;
    memcpy(&note, cohort_workers_note(w, worker), sizeof note);
    return note.bytes;
}

/* Memory of the chief for what comes; *out_any: something does, for somebody. */
static cohort_status make_room(cohort_shards *s, bool *out_any)
{
    const cohort_workers *w = workers_of(s);
    *out_any = false;
    s->sent = cohort_allocate((size_t)w->n, sizeof *s->sent);
    if (s->sent == NULL)
        return cohort_error_memory("the shards of other workers");
    for (int32_t i = 0; i < w->n; i++) {
        const int64_t bytes = seen_bytes(w, i);
        *out_any = *out_any || bytes > 0;
        if (bytes <= 0 || !is_chief(s))
            continue;
        s->sent[i] = (cohort_sent_shard){ allocate(bytes), bytes };
        if (s->sent[i].bytes == NULL)
            return cohort_error_memory("the shards of other workers");
    }
    return COHORT_OK;
}

/* mine: of who sends. */
static cohort_status cross(cohort_shards *s, const char *mine, int64_t bytes)
{
    cohort_workers *w = workers_of(s);
    cohort_talk_begin(&w->talk);
    cohort_status status = cohort_workers_meet(w, s->call, "", 0);
    for (int32_t i = 0; i < w->n && status >= 0; i++)
        if (s->sent[i].bytes != NULL)
            cohort_messages_receive(&w->messages, i, s->sent[i].bytes, (uint64_t)s->sent[i].n);
    if (status >= 0 && bytes > 0)
        cohort_messages_send(&w->messages, 0, mine, (uint64_t)bytes);
    if (status >= 0)
        status = cohort_messages_wait(&w->messages, s->call);
    cohort_talk_end(&w->talk);
    return status;
}

static cohort_status send_all(cohort_shards *s)
{
    cohort_workers *w = workers_of(s);
    char *mine = NULL;
    bool any = false;
    const seen_note note = { s->is_open ? 0 : bytes_of(s) };
    cohort_status status = s->is_open ? COHORT_OK : gather(s, &mine);
    if (status >= 0)
        status = cohort_messages_reserve(&w->messages, (size_t)w->n);
    if (status >= 0)
        status = cohort_workers_meet(w, s->call, &note, sizeof note);
    if (status >= 0)
        status = make_room(s, &any);
    if (status >= 0 && any)
        status = cross(s, mine, note.bytes);
    cohort_messages_give(&w->messages, mine, cohort_free);
    return status;
}

cohort_status cohort_shards_begin(cohort_shards *out, cohort_state *state, const char *call,
                                  const char *folder, int64_t step)
{
    *out =
        (cohort_shards){ .strategy = state->strategy, .folder = folder, .step = step, .lock = -1 };
    (void)snprintf(out->call, sizeof out->call, "%s", call);
    cohort_status status = cohort_agree_to_save(state, call, step);
    if (status >= 0)
        status = cohort_shards_place(out);
    state->save = out->save;
    if (status >= 0)
        status = cohort_state_copy_take(&out->copy, state, step);
    if (status >= 0)
        status = send_all(out);
    if (status < 0)
        cohort_shards_free(out);
    return status;
}

/* ------------------------------------------------------------------ writing */

static cohort_status write_own(cohort_shards *s)
{
    cohort_status status = seal(s);
    if (!s->is_open)
        return status;
    s->is_open = false;
    return cohort_replacement_close(&s->file, status < 0 ? status : put(s));
}

static cohort_status write_sent(const cohort_shards *s, int32_t worker)
{
    char path[COHORT_LIMIT_PATH_BYTES];
    cohort_replacement file;
    const cohort_sent_shard *sent = &s->sent[worker];
    cohort_status status = cohort_shards_path(s, worker, path);
    if (status >= 0)
        status = cohort_replacement_open_durable(path, &file);
    if (status < 0)
        return status;
    status = cohort_replacement_write(&file, sent->bytes, (size_t)sent->n);
    return cohort_replacement_close(&file, status);
}

cohort_status cohort_shards_write(cohort_shards *s)
{
    cohort_status status = write_own(s);
    for (int32_t i = 0; i < workers_of(s)->n && status >= 0; i++)
        if (s->sent[i].bytes != NULL)
            status = write_sent(s, i);
    return status;
}

/* ------------------------------------------------------------------ committing */

static void take_shard(const cohort_shards *s, int32_t worker, cohort_manifest_shard *out)
{
    done_note note;
    const cohort_shard_name name = cohort_shards_name(s, worker);
    memcpy(&note, cohort_workers_note(workers_of(s), worker), sizeof note);
    *out = (cohort_manifest_shard){ .bytes = note.bytes,
                                    .header_sum = note.header_sum,
                                    .replicas = note.replicas };
    cohort_shard_name_print(&name, out->file);
}

/* Of what all have noted in the last meeting. NULL with the reason. */
static char *make_manifest(const cohort_shards *s)
{
    const int32_t n = workers_of(s)->n;
    cohort_manifest m = { .save = s->save,
                          .step = s->step,
                          .replicas = s->strategy->n_in_sync,
                          .shards = cohort_allocate((size_t)n, sizeof *m.shards),
                          .n = n };
    if (m.shards == NULL)
        return (void)cohort_error_memory("a manifest"), NULL;
    for (int32_t i = 0; i < n; i++)
        take_shard(s, i, &m.shards[i]);
    char *text = cohort_manifest_to_text(&m);
    cohort_manifest_free(&m);
    return text;
}

static cohort_status write_manifest(const cohort_shards *s)
{
    cohort_replacement file;
    char *text = make_manifest(s);
    if (text == NULL)
        return cohort_error_status();
    cohort_status status = cohort_replacement_open_durable(s->manifest, &file);
    if (status >= 0)
        status =
            cohort_replacement_close(&file, cohort_replacement_write(&file, text, strlen(text)));
    cohort_free(text);
    return status;
}

cohort_status cohort_shards_commit(cohort_shards *s, int32_t keep, cohort_checkpoint_best best,
                                   char *path)
{
    cohort_workers *w = workers_of(s);
    done_note note;
    memset(&note, 0, sizeof note); /* what is between its members crosses, too */
    note.bytes = bytes_of(s);
    note.replicas = s->strategy->n_replicas;
    note.header_sum = cohort_crc32c(0, s->header, (size_t)s->copy.plan.layout.header_bytes);
    cohort_status status = cohort_workers_meet(w, s->call, &note, sizeof note);
    if (status >= 0 && is_chief(s))
        status = write_manifest(s);
    if (status >= 0 && is_chief(s))
        cohort_generations_clean_up(s->folder, keep, best, s->manifest);
    if (status >= 0)
        status = cohort_workers_meet(w, s->call, "", 0);
    (void)snprintf(path, COHORT_LIMIT_PATH_BYTES, "%s", s->manifest);
    return status;
}

void cohort_shards_free(cohort_shards *s)
{
    if (s->is_open)
        (void)cohort_replacement_close(&s->file, COHORT_ELOST);
    for (int32_t i = 0; s->sent != NULL && i < workers_of(s)->n; i++)
        cohort_messages_give(&workers_of(s)->messages, s->sent[i].bytes, cohort_free);
    cohort_free(s->sent);
    cohort_free(s->header);
    cohort_state_copy_free(&s->copy);
    if (s->lock >= 0)
        cohort_generations_unlock(s->lock);
    *s = (cohort_shards){ .lock = -1 };
}

cohort_status cohort_save_across(cohort_state *state, const char *call, const char *folder,
                                 int64_t step)
{
    char path[COHORT_LIMIT_PATH_BYTES];
    cohort_shards shards;
    cohort_status status = cohort_shards_begin(&shards, state, call, folder, step);
    if (status < 0)
        return status;
    status = cohort_shards_write(&shards);
    if (status >= 0)
        status =
            cohort_shards_commit(&shards, state->options->keep, COHORT_CHECKPOINT_NO_BEST, path);
    cohort_shards_free(&shards);
    return status;
}
