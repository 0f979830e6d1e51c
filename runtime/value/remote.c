/* SPDX-License-Identifier: BSD-3-Clause */
/* Every call asks the servers of all shards that it is about, and waits once. Blocks that a request
 * lends to MPI are freed only while MPI is known to be through with them. */
#include "config.h"

#include "runtime/value/remote.h"

#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/operation/transfer.h"

#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------------ making */

static int64_t row_bytes(const cohort_variable *v)
{
    return cohort_variable_row_bytes(v);
}

static cohort_status check_copies(const cohort_variable *v)
{
    if (v->n_copies == 1 || v->copies[0].rows > 0)
        return COHORT_OK;
    return cohort_error_set(COHORT_EINVAL,
                            "variable '%s': placement '%s' gives %d whole copies, and on parameter "
                            "servers there is one; choose round-robin or a partitioner",
                            v->name, v->placement.name, (int)v->n_copies);
}

cohort_status cohort_remote_make(cohort_variable *v)
{
    cohort_status status = check_copies(v);
    cohort_remote *r = status >= 0 ? cohort_allocate(1, sizeof *r) : NULL;
    if (r == NULL)
        return status < 0 ? status : cohort_error_memory("a variable");
    v->remote = r;
    r->servers = v->strategy->servers;
    r->shards = cohort_allocate((size_t)v->n_copies, sizeof *r->shards);
    r->questions = cohort_allocate((size_t)v->n_copies, sizeof *r->questions);
    if (r->shards == NULL || r->questions == NULL)
        return cohort_error_memory("a variable");
    for (r->n = 0; r->n < v->n_copies; r->n++) {
        const cohort_copy *c = &v->copies[r->n];
        bool is_whole = c->rows == 0;
        r->shards[r->n] =
            (cohort_remote_shard){ .server = c->device,
                                   .number = -1,
                                   .first_row = c->first_row,
                                   .rows = c->rows,
                                   .offset = is_whole ? 0 : (uint64_t)(c->first_row * row_bytes(v)),
                                   .bytes =
                                       is_whole ? v->bytes : (uint64_t)(c->rows * row_bytes(v)) };
    }
    return COHORT_OK;
}

bool cohort_remote_is_placed_like(const cohort_remote *a, const cohort_remote *b)
{
    bool is_alike = a->n == b->n;
    for (int32_t i = 0; i < a->n && is_alike; i++)
        is_alike = a->shards[i].server == b->shards[i].server &&
                   a->shards[i].first_row == b->shards[i].first_row &&
                   a->shards[i].rows == b->shards[i].rows;
    return is_alike;
}

/* ------------------------------------------------------------------ asking */

static cohort_server_question question(const cohort_remote_shard *shard,
                                       cohort_server_request_kind kind)
{
    return (cohort_server_question){ .server = shard->server,
                                     .request = { .kind = kind, .variable = shard->number } };
}

/* Asks r->questions[0 .. n - 1]. */
static cohort_status ask(cohort_variable *v, const char *call, int32_t n)
{
    cohort_remote *r = v->remote;
    cohort_status status = cohort_servers_ask(r->servers, call, r->questions, n);
    for (int32_t i = 0; i < n && !r->servers->messages.has_given_up; i++) {
        uint64_t version = r->questions[i].answer.version;
        r->writes = version > r->writes + 1 ? version - 1 : r->writes;
    }
    return status;
}

static void give(const cohort_remote *r, void *block)
{
    cohort_messages_give(&r->servers->messages, block, cohort_free);
}

/* Destroyed on the servers too, as far as they have it; what they say to that changes nothing. */
void cohort_remote_free(cohort_variable *v)
{
    cohort_remote *r = v->remote;
    int32_t n = 0;
    if (r == NULL)
        return;
    cohort_error_saved saved;
    cohort_error_save(&saved);
    for (int32_t i = 0; i < r->n; i++)
        if (r->shards[i].number >= 0)
            r->questions[n++] = question(&r->shards[i], COHORT_REQUEST_DESTROY);
    if (n > 0 && !r->servers->messages.has_given_up)
        (void)cohort_servers_ask(r->servers, "cohort_variable_destroy", r->questions, n);
    cohort_error_restore(&saved);
    give(r, r->mirror);
    give(r, r->questions);
    cohort_free(r->shards);
    cohort_free(r);
    v->remote = NULL;
}

/* ------------------------------------------------------------------ creating */

/* The name with its end, in so many bytes that what stands behind is aligned as any array. */
enum { NAME_ALIGNMENT = 16, NAME_BYTES = COHORT_LIMIT_VARIABLE_NAME_BYTES + 4 * NAME_ALIGNMENT };

/* "w", or "w/part_1" of a variable that is cut. */
static size_t write_name(const cohort_variable *v, int32_t shard, char out[NAME_BYTES])
{
    memset(out, 0, NAME_BYTES);
    int n = v->remote->shards[shard].rows > 0
                ? snprintf(out, NAME_BYTES, "%s/part_%d", v->name, shard)
                : snprintf(out, NAME_BYTES, "%s", v->name);
    return ((size_t)n / NAME_ALIGNMENT + 1) * NAME_ALIGNMENT;
}

/* The name, and then the content, if there is one. */
static cohort_status prepare_create(cohort_variable *v, int32_t i, const void *content, char **out)
{
    cohort_remote *r = v->remote;
    const cohort_remote_shard *shard = &r->shards[i];
    cohort_server_question *q = &r->questions[i];
    char name[NAME_BYTES];
    size_t name_bytes = write_name(v, i, name);
    uint64_t bytes = content != NULL ? shard->bytes : 0;
    *out = cohort_allocate(1, name_bytes + bytes);
    if (*out == NULL)
        return cohort_error_memory("a variable");
    memcpy(*out, name, name_bytes);
    if (bytes > 0)
        memcpy(*out + name_bytes, (const char *)content + shard->offset, bytes);
    *q = question(shard, COHORT_REQUEST_CREATE);
    q->request.rank = v->extents.rank;
    q->request.dtype = (int32_t)v->dtype;
    q->request.item_bytes = v->item_bytes;
    q->request.is_zero = content == NULL;
    memcpy(q->request.shape, v->extents.shape, sizeof q->request.shape);
    if (shard->rows > 0)
        q->request.shape[0] = shard->rows;
    q->request.name_bytes = name_bytes;
    q->request.bytes = name_bytes + bytes;
    q->bytes = *out;
    return COHORT_OK;
}

/* Servers that have made theirs where another one has refused destroy it with the variable. */
cohort_status cohort_remote_create(cohort_variable *v, const void *content)
{
    cohort_remote *r = v->remote;
    char **blocks = cohort_allocate((size_t)r->n, sizeof *blocks);
    cohort_status status = blocks != NULL ? COHORT_OK : cohort_error_memory("a variable");
    for (int32_t i = 0; i < r->n && status >= 0; i++)
        status = prepare_create(v, i, content, &blocks[i]);
    if (status >= 0) {
        status = ask(v, "cohort_variable_create", r->n);
        for (int32_t i = 0; i < r->n; i++)
            if (r->questions[i].answer.status >= 0 && r->questions[i].answer.version > 0)
                r->shards[i].number = r->questions[i].answer.variable;
    }
    for (int32_t i = 0; i < r->n && blocks != NULL; i++)
        give(r, blocks[i]);
    cohort_free(blocks);
    return status;
}

/* ------------------------------------------------------------------ reading all of it */

/* Changes on a server since then come into the mirror. */
static cohort_status read_shards(cohort_variable *v, const char *call)
{
    cohort_remote *r = v->remote;
    for (int32_t i = 0; i < r->n; i++) {
        r->questions[i] = question(&r->shards[i], COHORT_REQUEST_READ);
        r->questions[i].request.version = r->shards[i].version;
        r->questions[i].into = r->mirror + r->shards[i].offset;
        r->questions[i].room = r->shards[i].bytes;
    }
    cohort_status status = ask(v, call, r->n);
    for (int32_t i = 0; i < r->n && status >= 0; i++) {
        uint64_t version = r->questions[i].answer.version;
        r->placed = r->shards[i].version == version ? r->placed : 0;
        r->shards[i].version = version;
    }
    return status;
}

/* From the mirror into the store, as an assignment would be. */
static cohort_status place(cohort_variable *v)
{
    cohort_context *context = cohort_strategy_context(v->strategy, v->stores[0].device);
    void *block = v->bytes > 0 ? cohort_staging_take(context->staging, v->bytes) : NULL;
    if (block == NULL && v->bytes > 0)
        return cohort_error_memory("a variable");
    cohort_buffer *next = cohort_variable_start(v, 0, COHORT_WRITE_JOINT, false);
    if (block != NULL) {
        memcpy(block, v->remote->mirror, v->bytes);
        cohort_transfer_upload_taken(next, 0, block, v->bytes);
    }
    cohort_variable_post_commit(v, 0, COHORT_WRITE_JOINT, next);
    cohort_variable_finish(v);
    v->remote->placed = v->caches.epoch.now;
    return COHORT_OK;
}

/* After a failure the store may have lost what was posted (variable_settle.c): then its epoch is
 * another one. */
cohort_status cohort_remote_refresh(cohort_variable *v, const char *call)
{
    cohort_remote *r = v->remote;
    if (r->mirror == NULL)
        r->mirror = cohort_allocate_aligned(v->bytes > 0 ? v->bytes : 1, 64);
    if (r->mirror == NULL)
        return cohort_error_memory("a variable");
    cohort_status status = read_shards(v, call);
    bool is_placed = r->placed > 0 && r->placed == v->caches.epoch.now;
    return status < 0 || is_placed ? status : place(v);
}

cohort_status cohort_remote_look(cohort_variable *v, uint64_t versions[], char *into,
                                 const char *call, bool *out_has_come)
{
    cohort_remote *r = v->remote;
    *out_has_come = false;
    for (int32_t i = 0; i < r->n; i++) {
        r->questions[i] = question(&r->shards[i], COHORT_REQUEST_READ);
        r->questions[i].request.version = versions[i];
        r->questions[i].into = into + r->shards[i].offset;
        r->questions[i].room = r->shards[i].bytes;
    }
    cohort_status status = ask(v, call, r->n);
    for (int32_t i = 0; i < r->n && status >= 0; i++) {
        *out_has_come = *out_has_come || versions[i] != r->questions[i].answer.version;
        versions[i] = r->questions[i].answer.version;
    }
    return status;
}

/* ------------------------------------------------------------------ writing all of it */

cohort_status cohort_remote_check_writer(const cohort_variable *v, const char *call)
{
    if (!cohort_servers_is_evaluator(v->remote->servers))
        return COHORT_OK;
    return cohort_error_set(COHORT_EINVAL,
                            "%s: variable '%s': an evaluator reads what the workers train, and "
                            "writes nothing",
                            call, v->name);
}

/* A copy, for what the program or a device lends may change or go while MPI has it. */
cohort_status cohort_remote_write(cohort_variable *v, cohort_write_op op, const void *content,
                                  const char *call)
{
    cohort_remote *r = v->remote;
    char *block = cohort_allocate(1, v->bytes > 0 ? v->bytes : 1);
    if (block == NULL)
        return cohort_error_memory("an assignment");
    if (v->bytes > 0)
        memcpy(block, content, v->bytes);
    for (int32_t i = 0; i < r->n; i++) {
        r->questions[i] = question(&r->shards[i], COHORT_REQUEST_WRITE);
        r->questions[i].request.op = (int32_t)op;
        r->questions[i].request.bytes = r->shards[i].bytes;
        r->questions[i].bytes = block + r->shards[i].offset;
    }
    cohort_status status = ask(v, call, r->n);
    give(r, block);
    return status;
}

/* ------------------------------------------------------------------ functions */

cohort_status cohort_remote_update(cohort_variable *v, char *blocks[], const uint64_t bytes[],
                                   const char *call)
{
    cohort_remote *r = v->remote;
    for (int32_t i = 0; i < r->n; i++) {
        r->questions[i] = question(&r->shards[i], COHORT_REQUEST_UPDATE);
        r->questions[i].request.bytes = bytes[i];
        r->questions[i].bytes = blocks[i];
    }
    cohort_status status = ask(v, call, r->n);
    for (int32_t i = 0; i < r->n; i++)
        give(r, blocks[i]);
    return status;
}

/* ------------------------------------------------------------------ some rows */

/* The ids and rows that go to one shard. */
typedef struct parcel {
    int32_t shard;
    int64_t n;
    char *block;  /* [n] ids, then [n] rows of a scatter */
    char *answer; /* [n] rows of a gather: the caller's where they are all that it wants */
    /* [n] of the ids in the list of the call, of a gather that wants others as well; else NULL */
    int64_t *places;
} parcel;

static bool holds(const cohort_remote_shard *s, int64_t row)
{
    return s->rows == 0 || (row >= s->first_row && row < s->first_row + s->rows);
}

/* In the order of the list, so that each row is combined in that order. */
static void fill_parcel(const cohort_variable *v, const cohort_remote_rows *slices, bool has_rows,
                        parcel *p)
{
    const cohort_remote_shard *s = &v->remote->shards[p->shard];
    int64_t bytes = row_bytes(v), at = 0;
    for (int64_t i = 0; i < slices->n; i++) {
        if (!holds(s, slices->ids[i]))
            continue;
        int64_t id = slices->ids[i] - s->first_row;
        memcpy(p->block + at * (int64_t)sizeof id, &id, sizeof id);
        if (has_rows && bytes > 0)
            memcpy(p->block + p->n * (int64_t)sizeof id + at * bytes, slices->rows + i * bytes,
                   (size_t)bytes);
        if (p->places != NULL)
            p->places[at] = i;
        at++;
    }
}

/* Where its rows go to. */
static cohort_status make_answer(const cohort_variable *v, const cohort_remote_rows *slices,
                                 parcel *p)
{
    if (p->n == slices->n) {
        p->answer = slices->rows;
        return COHORT_OK;
    }
    size_t n = (size_t)p->n;
    p->places = cohort_allocate(n + 1, sizeof *p->places);
    p->answer = cohort_allocate(n * (size_t)row_bytes(v) + 1, 1);
    return p->places != NULL && p->answer != NULL ? COHORT_OK
                                                  : cohort_error_memory("rows of a variable");
}

static cohort_status make_parcel(const cohort_variable *v, const cohort_remote_rows *slices,
                                 bool has_rows, parcel *p)
{
    size_t bytes = (size_t)row_bytes(v);
    for (int64_t i = 0; i < slices->n; i++)
        p->n += holds(&v->remote->shards[p->shard], slices->ids[i]);
    size_t n = (size_t)p->n;
    p->block = cohort_allocate(n + 1, sizeof(int64_t) + (has_rows ? bytes : 0));
    if (p->block == NULL)
        return cohort_error_memory("rows of a variable");
    cohort_status status = has_rows ? COHORT_OK : make_answer(v, slices, p);
    if (status >= 0)
        fill_parcel(v, slices, has_rows, p);
    return status;
}

static void free_parcels(const cohort_remote *r, const cohort_remote_rows *slices, parcel *parcels)
{
    for (int32_t i = 0; i < r->n; i++) {
        give(r, parcels[i].block);
        give(r, parcels[i].answer != slices->rows ? parcels[i].answer : NULL);
        cohort_free(parcels[i].places);
    }
    cohort_free(parcels);
}

static void prepare_parcel(const cohort_variable *v, const parcel *p, cohort_write_op op,
                           cohort_server_question *q)
{
    uint64_t ids = (uint64_t)p->n * sizeof(int64_t), rows = (uint64_t)(p->n * row_bytes(v));
    bool is_scatter = p->answer == NULL;
    *q = question(&v->remote->shards[p->shard],
                  is_scatter ? COHORT_REQUEST_SCATTER : COHORT_REQUEST_GATHER);
    q->request.op = (int32_t)op;
    q->request.ids = p->n;
    q->request.bytes = ids + (is_scatter ? rows : 0);
    q->bytes = p->block;
    q->into = p->answer;
    q->room = rows;
}

/* Shards without a row of the list are not asked; but every write counts where its number does. */
static cohort_status ask_parcels(cohort_variable *v, cohort_write_op op,
                                 const cohort_remote_rows *slices, bool is_scatter, parcel *parcels,
                                 const char *call)
{
    cohort_remote *r = v->remote;
    int32_t n = 0;
    cohort_status status = COHORT_OK;
    for (int32_t i = 0; i < r->n && status >= 0; i++) {
        parcels[i].shard = i;
        status = make_parcel(v, slices, is_scatter, &parcels[i]);
        if (parcels[i].n > 0 || is_scatter)
            prepare_parcel(v, &parcels[i], op, &r->questions[n++]);
    }
    return status < 0 ? status : ask(v, call, n);
}

cohort_status cohort_remote_scatter(cohort_variable *v, cohort_write_op op,
                                    const cohort_remote_rows *slices, const char *call)
{
    parcel *parcels = cohort_allocate((size_t)v->remote->n, sizeof *parcels);
    if (parcels == NULL)
        return cohort_error_memory("a scatter");
    cohort_status status = ask_parcels(v, op, slices, true, parcels, call);
    free_parcels(v->remote, slices, parcels);
    return status;
}

cohort_status cohort_remote_gather(cohort_variable *v, const cohort_remote_rows *slices,
                                   const char *call)
{
    size_t bytes = (size_t)row_bytes(v);
    parcel *parcels = cohort_allocate((size_t)v->remote->n, sizeof *parcels);
    if (parcels == NULL)
        return cohort_error_memory("a sparse read");
    cohort_status status = ask_parcels(v, COHORT_ASSIGN, slices, false, parcels, call);
    for (int32_t i = 0; i < v->remote->n && status >= 0; i++)
        for (int64_t k = 0; parcels[i].places != NULL && k < parcels[i].n && bytes > 0; k++)
            memcpy(slices->rows + parcels[i].places[k] * (int64_t)bytes,
                   parcels[i].answer + k * (int64_t)bytes, bytes);
    free_parcels(v->remote, slices, parcels);
    return status;
}

void cohort_remote_give_rows(const cohort_variable *v, char *rows, void (*give_back)(void *))
{
    cohort_messages_give(&v->remote->servers->messages, rows, give_back);
}
