/* SPDX-License-Identifier: BSD-3-Clause */
/* Where several workers save: the chief takes the folder, a number and a place for its shard; who
 * sees that makes one beside it. */
#include "config.h"

#include "runtime/checkpoint/save_across.h"

#include "runtime/base/error.h"
#include "runtime/checkpoint/generations.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

/* What the chief says of a save that begins. */
typedef struct begin_note {
    int32_t status; /* COHORT_OK or COHORT_EAGAIN, with its text */
    char text[COHORT_WORKERS_TEXT];
    uint64_t save;
    int64_t number;
    char temporary[COHORT_SHARD_NAME_BYTES + 64]; /* what its shard is called until it is written */
} begin_note;

static cohort_workers *workers_of(const cohort_shards *s)
{
    return s->strategy->workers;
}

static bool is_chief(const cohort_shards *s)
{
    return workers_of(s)->rank == 0;
}

cohort_shard_name cohort_shards_name(const cohort_shards *s, int32_t worker)
{
    return (cohort_shard_name){ s->number, s->save, worker, workers_of(s)->n };
}

cohort_status cohort_shards_path(const cohort_shards *s, int32_t worker, char *out)
{
    char name[COHORT_SHARD_NAME_BYTES];
    const cohort_shard_name shard = cohort_shards_name(s, worker);
    cohort_shard_name_print(&shard, name);
    return cohort_generations_path(s->folder, name, out);
}

/* ------------------------------------------------------------------ the chief begins */

/* A folder that this worker alone sees may have later generations than the chief's, whose machine
 * may be another one than before: numbers grow over all folders, so that the newest is the newest
 * for all. */
static cohort_status find_newest(cohort_shards *s)
{
    cohort_workers *w = workers_of(s);
    cohort_generations mine = { 0 };
    cohort_error_saved saved;
    int64_t newest = 0;
    cohort_error_save(&saved);
    if (cohort_generations_list(s->folder, &mine) >= 0)
        newest = cohort_generations_newest(&mine);
    cohort_generations_free(&mine);
    cohort_error_restore(&saved);
    cohort_status status = cohort_workers_meet(w, s->call, &newest, sizeof newest);
    for (int32_t i = 0; i < w->n && status >= 0; i++) {
        memcpy(&newest, cohort_workers_note(w, i), sizeof newest);
        s->number = newest > s->number ? newest : s->number;
    }
    return status;
}

static cohort_status draw(uint64_t *out)
{
    ssize_t n;
    do
        n = getrandom(out, sizeof *out, 0);
    while (n < 0 && errno == EINTR);
    return n == (ssize_t)sizeof *out
               ? COHORT_OK
               : cohort_error_set(COHORT_EINTERNAL, "no random number for a save: %s",
                                  strerror(errno));
}

static cohort_status open_own(cohort_shards *s)
{
    cohort_status status = cohort_shards_path(s, workers_of(s)->rank, s->path);
    if (status >= 0)
        status = cohort_replacement_open_durable(s->path, &s->file);
    s->is_open = status >= 0;
    return status;
}

/* By the chief, which has the lock. s->number: of the newest that anybody has. */
static cohort_status choose_number(cohort_shards *s)
{
    cohort_generations before;
    cohort_generations_sweep(s->folder);
    cohort_status status = cohort_generations_list(s->folder, &before);
    if (status < 0)
        return status;
    if (cohort_generations_newest(&before) > s->number)
        s->number = cohort_generations_newest(&before);
    status = cohort_generations_next(s->folder, s->number, true, s->manifest);
    s->number++;
    if (status >= 0 && before.n == 0)
        status = cohort_generations_sync_name(s->folder);
    cohort_generations_free(&before);
    return status;
}

static cohort_status begin_chief(cohort_shards *s, begin_note *note)
{
    cohort_status status = cohort_generations_lock(s->folder, &s->lock);
    if (status == COHORT_EAGAIN) {
        note->status = status;
        (void)snprintf(note->text, sizeof note->text, "%s", cohort_error_slot());
        return COHORT_OK;
    }
    if (status >= 0)
        status = choose_number(s);
    if (status >= 0)
        status = draw(&s->save);
    if (status >= 0)
        status = open_own(s);
    if (status < 0)
        return status;
    note->save = s->save;
    note->number = s->number;
    (void)snprintf(note->temporary, sizeof note->temporary, "%s",
                   cohort_generation_file(s->file.temporary));
    return COHORT_OK;
}

/* ------------------------------------------------------------------ the others follow */

/* Whether the chief's file is there, whose name nobody else's has, and one can be made beside it.
 * Else the shard is sent, so that why is no matter. */
static void try_to_open(cohort_shards *s, const begin_note *note)
{
    char path[COHORT_LIMIT_PATH_BYTES];
    cohort_error_saved saved;
    cohort_error_save(&saved);
    if (cohort_generations_path(s->folder, note->temporary, path) >= 0 && access(path, F_OK) == 0)
        (void)open_own(s);
    cohort_error_restore(&saved);
}

static cohort_status follow(cohort_shards *s, const begin_note *note)
{
    char name[COHORT_GENERATION_NAME_BYTES];
    if (note->status == COHORT_EAGAIN)
        return cohort_error_set(COHORT_EAGAIN, "%s", note->text);
    if (is_chief(s))
        return COHORT_OK;
    s->save = note->save;
    s->number = note->number;
    try_to_open(s, note);
    cohort_generation_print(s->number, true, name);
    return cohort_generations_path(s->folder, name, s->manifest);
}

cohort_status cohort_shards_place(cohort_shards *s)
{
    cohort_workers *w = workers_of(s);
    begin_note note = { 0 };
    cohort_status status = find_newest(s);
    if (status >= 0 && is_chief(s))
        status = begin_chief(s, &note);
    if (status >= 0)
        status = cohort_workers_meet(w, s->call, &note, sizeof note);
    if (status < 0)
        return status;
    memcpy(&note, cohort_workers_note(w, 0), sizeof note);
    note.text[sizeof note.text - 1] = note.temporary[sizeof note.temporary - 1] = '\0';
    return follow(s, &note);
}
