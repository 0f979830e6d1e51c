/* SPDX-License-Identifier: BSD-3-Clause */
/* The binding has checked the call and solved the bounds of every shard, as if the shards were
 * here. What is left is to pack its arguments: contents are fetched whole, once, and each shard's
 * call gets its rows of those that are cut. */
#include "config.h"

#include "runtime/call/served_call.h"

#include "runtime/base/assert.h"
#include "runtime/base/memory.h"
#include "runtime/base/number.h"
#include "runtime/call/cut.h"
#include "runtime/value/operand.h"
#include "runtime/value/remote.h"

#include <stdio.h>
#include <string.h>

typedef struct served_call {
    const cohort_binding *binding;
    int64_t integers[COHORT_MAX_ARGUMENTS];
    char *contents[COHORT_MAX_ARGUMENTS]; /* [n_arrays], from staging; NULL: it does not travel */
} served_call;

static cohort_operand operand_of(const cohort_bound_array *a)
{
    return (cohort_operand){ .value = a->value, .variable = a->variable };
}

static bool is_on_servers(const cohort_bound_array *a)
{
    return a->variable != NULL && a->variable->remote != NULL;
}

/* ------------------------------------------------------------------ what cannot travel */

/* Where a launch finds a variable that is on servers; NULL: not on the server of the launch, or not
 * the rows that go with the shard. */
static const cohort_remote_shard *find_shard(const cohort_binding *b, const cohort_bound_array *a,
                                             int32_t launch)
{
    const cohort_remote *updated = b->updated->remote, *r = a->variable->remote;
    bool is_cut = cohort_cut_has(b, a) && updated->n > 1;
    if (is_cut || r->n > 1)
        return is_cut && cohort_remote_is_placed_like(r, updated) ? &r->shards[launch] : NULL;
    return r->shards[0].server == updated->shards[launch].server ? &r->shards[0] : NULL;
}

static cohort_status check_array(const cohort_binding *b, const cohort_bound_array *a)
{
    for (int32_t i = 0; i < b->count && is_on_servers(a); i++)
        if (find_shard(b, a, i) == NULL)
            return cohort_error_set(
                COHORT_EINVAL,
                "%s: argument '%s' is variable '%s', which is not where '%s' is updated, on "
                "parameter server %d%s; create it with colocate_with, or read it into a value",
                b->signature->name, a->parameter->name, a->variable->name, b->updated->name,
                (int)b->updated->remote->shards[i].server,
                a->variable->remote->n > 1 || cohort_cut_has(b, a) ? ", cut to the same rows" : "");
    return COHORT_OK;
}

cohort_status cohort_served_call_check(const cohort_binding *b, bool is_non_slot)
{
    const cohort_signature *s = b->signature;
    cohort_status status = cohort_remote_check_writer(b->updated, "cohort_update");
    if (status >= 0 && is_non_slot)
        return cohort_error_set(COHORT_ENOTSUP,
                                "%s: cohort_update_non_slot: variable '%s' is on parameter "
                                "servers; cohort_update runs the function there",
                                s->name, b->updated->name);
    for (int32_t i = 0; i < s->n_parameters && status >= 0; i++)
        if (s->parameters[i].role == COHORT_ROLE_POINTER)
            return cohort_error_set(COHORT_EINVAL,
                                    "%s: '%s' is a pointer, and means nothing on a parameter "
                                    "server, where '%s' is updated",
                                    s->name, s->parameters[i].name, b->updated->name);
    for (int32_t i = 0; i < b->n_arrays && status >= 0; i++)
        status = check_array(b, &b->arrays[i]);
    return status;
}

/* ------------------------------------------------------------------ contents */

static uint64_t bytes_of(const cohort_component *c)
{
    return (uint64_t)(cohort_component_items(c) * c->item_bytes);
}

static cohort_status fetch(const cohort_binding *b, const cohort_bound_array *a, char **out)
{
    const cohort_operand operand = operand_of(a);
    const cohort_component whole = cohort_operand_look(&operand, 0);
    uint64_t bytes = bytes_of(&whole);
    *out = cohort_staging_take(&b->strategy->executor->staging, bytes);
    if (*out == NULL)
        return cohort_error_memory("an argument of an update");
    return bytes > 0 ? cohort_operand_fetch(&operand, 0, *out, bytes) : COHORT_OK;
}

static cohort_status fetch_all(served_call *c)
{
    const cohort_binding *b = c->binding;
    cohort_status status = COHORT_OK;
    for (int32_t i = 0; i < b->n_arrays && status >= 0; i++)
        if (!is_on_servers(&b->arrays[i]))
            status = fetch(b, &b->arrays[i], &c->contents[i]);
    return status;
}

static void give_contents(const served_call *c)
{
    const cohort_binding *b = c->binding;
    if (cohort_executor_has_lost(b->strategy->executor))
        return; /* a late device may write there */
    for (int32_t i = 0; i < b->n_arrays; i++)
        cohort_staging_give(c->contents[i]);
}

/* ------------------------------------------------------------------ arguments */

/* What stands for one parameter, and its content. */
typedef struct item {
    cohort_server_argument head;
    const char *content; /* [head.bytes] */
} item;

static void describe_array(const served_call *c, const cohort_bound_array *a, int32_t launch,
                           item *out)
{
    const cohort_binding *b = c->binding;
    const cohort_operand operand = operand_of(a);
    cohort_component part = cohort_operand_look(&operand, 0);
    uint64_t offset = 0;
    if (is_on_servers(a)) {
        out->head.kind = COHORT_ARGUMENT_VARIABLE;
        const cohort_remote_shard *shard = find_shard(b, a, launch);
        cohort_assert(shard != NULL); /* check_array has seen to that */
        out->head.word = (uint64_t)shard->number;
        return;
    }
    if (cohort_cut_has(b, a)) {
        const cohort_remote_shard *shard = &b->updated->remote->shards[launch];
        offset = bytes_of(&part) / (uint64_t)part.extents.shape[0] * (uint64_t)shard->first_row;
        part.extents.shape[0] = shard->rows;
    }
    out->head.kind = COHORT_ARGUMENT_ARRAY;
    out->head.dtype = (int32_t)part.dtype;
    out->head.rank = part.extents.rank;
    out->head.item_bytes = part.item_bytes;
    memcpy(out->head.shape, part.extents.shape, sizeof out->head.shape);
    out->head.bytes = bytes_of(&part);
    out->content = c->contents[a - b->arrays] + offset;
}

/* A constant of the runtime is that of this worker, and a plain value that stands for a number is
 * that number: both are known here. */
static void describe_number(const served_call *c, int32_t parameter, item *out)
{
    const cohort_argument *given = c->binding->given[parameter];
    cohort_argument number = *given;
    if (given->kind == COHORT_ARGUMENT_CONSTANT)
        number = cohort_argument_integer_(COHORT_ARGUMENT_INT, c->integers[parameter]);
    if (given->kind == COHORT_ARGUMENT_VALUE) {
        number = cohort_argument_make_(COHORT_ARGUMENT_REAL, NULL);
        number.as.f = ((const cohort_value *)given->as.p)->number;
    }
    out->head.kind = number.kind;
    if (number.kind == COHORT_ARGUMENT_LONG_DOUBLE || number.kind == COHORT_ARGUMENT_COMPLEX) {
        out->head.bytes =
            (number.kind == COHORT_ARGUMENT_COMPLEX ? 2 : 1) * (uint64_t)sizeof(long double);
        out->content = number.as.p;
    } else {
        out->head.word = number.as.u;
    }
}

/* false: the call passes nothing for it. */
static bool describe(const served_call *c, int32_t parameter, int32_t launch, item *out)
{
    const cohort_binding *b = c->binding;
    const cohort_argument *given = b->given[parameter];
    if (given == NULL)
        return false;
    *out = (item){ .head.parameter = parameter };
    if (b->signature->parameters[parameter].role == COHORT_ROLE_STRUCT) {
        out->head.kind = COHORT_ARGUMENT_BYTES;
        out->head.bytes = given->bytes;
        out->content = given->as.p;
    } else if (b->signature->parameters[parameter].role == COHORT_ROLE_ARRAY) {
        const cohort_bound_array *a = b->arrays;
        while (a->at != parameter)
            a++;
        describe_array(c, a, launch, out);
    } else {
        describe_number(c, parameter, out);
    }
    return true;
}

/* ------------------------------------------------------------------ packing */

/* Written twice: with `out` NULL to count the bytes. */
typedef struct packing {
    char *out;
    uint64_t at;
} packing;

static void put(packing *p, const void *from, uint64_t bytes)
{
    if (p->out != NULL && bytes > 0)
        memcpy(p->out + p->at, from, bytes);
    p->at += bytes;
}

static void align(packing *p)
{
    p->at = (p->at + COHORT_CALL_ALIGNMENT - 1) / COHORT_CALL_ALIGNMENT * COHORT_CALL_ALIGNMENT;
}

static void put_text(packing *p, const char *text, uint64_t bytes_behind)
{
    put(p, text, strlen(text) + bytes_behind);
}

/* "decay" and "void decay(int64_t n, ...)", each with its end. */
static void put_texts(packing *p, const cohort_signature *s)
{
    put_text(p, s->name, 1);
    put_text(p, s->returns, 0);
    put_text(p, " ", 0);
    put_text(p, s->name, 0);
    put_text(p, s->prototype, 1);
}

static uint64_t count_text_bytes(const cohort_signature *s)
{
    packing counted = { NULL, 0 };
    put_texts(&counted, s);
    return counted.at;
}

static void pack(const served_call *c, int32_t launch, packing *p)
{
    const cohort_signature *s = c->binding->signature;
    cohort_server_call head = { .digest = s->digest, .text_bytes = count_text_bytes(s) };
    item x;
    for (int32_t i = 0; i < s->n_parameters; i++)
        head.n_arguments += c->binding->given[i] != NULL;
    put(p, &head, sizeof head);
    for (int32_t i = 0; i < s->n_parameters; i++)
        if (describe(c, i, launch, &x))
            put(p, &x.head, sizeof x.head);
    align(p);
    put_texts(p, s);
    for (int32_t i = 0; i < s->n_parameters; i++)
        if (describe(c, i, launch, &x)) {
            align(p);
            put(p, x.content, x.head.bytes);
        }
}

static cohort_status pack_all(const served_call *c, char *blocks[], uint64_t bytes[])
{
    for (int32_t i = 0; i < c->binding->count; i++) {
        packing p = { NULL, 0 };
        pack(c, i, &p);
        bytes[i] = p.at;
        blocks[i] = cohort_allocate(1, bytes[i]);
        if (blocks[i] == NULL)
            return cohort_error_memory("an update");
        p = (packing){ blocks[i], 0 };
        pack(c, i, &p);
    }
    return COHORT_OK;
}

/* ------------------------------------------------------------------ all of it */

static void free_blocks(char *blocks[], int32_t n)
{
    for (int32_t i = 0; i < n; i++)
        cohort_free(blocks[i]);
}

static cohort_status make(served_call *c, char *blocks[], uint64_t bytes[])
{
    const cohort_binding *b = c->binding;
    cohort_status status = fetch_all(c);
    if (status >= 0)
        status = pack_all(c, blocks, bytes);
    give_contents(c);
    if (status >= 0)
        return cohort_remote_update(b->updated, blocks, bytes, "cohort_update");
    free_blocks(blocks, b->count);
    return status;
}

cohort_status cohort_served_call_make(const cohort_binding *b)
{
    served_call c = { .binding = b };
    cohort_binding_integers(b, 0, c.integers);
    char **blocks = cohort_allocate((size_t)b->count, sizeof *blocks);
    uint64_t *bytes = cohort_allocate((size_t)b->count, sizeof *bytes);
    cohort_status status = blocks != NULL && bytes != NULL ? make(&c, blocks, bytes)
                                                           : cohort_error_memory("an update");
    cohort_free(blocks);
    cohort_free(bytes);
    return status;
}
