/* SPDX-License-Identifier: BSD-3-Clause */
/* The header is parsed into lists, which are sorted and checked as wholes: tensors by place, so
 * that each begins where the one before it ends, and by name, so that each name stands once. While
 * it is parsed `at` and `bytes` of a tensor are begin and end of what the header says, and shapes
 * are not set, for their list moves when it grows. */
#include "config.h"

#include "runtime/data/format/safetensors_header.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/data/format/json_reader.h"

#include <stdlib.h>
#include <string.h>

typedef struct parser {
    cohort_safetensors *out;
    cohort_json json;
    size_t length;
    size_t n_extents, extents_room, tensors_room, notes_room;
    size_t sum_at; /* where the digits of the header's own checksum stand in it; 0: nowhere */
    bool has_metadata, is_out_of_memory;
} parser;

static cohort_status refuse(const parser *p, const char *name, const char *why)
{
    return cohort_error_set(COHORT_EINVAL, "%s: tensor '%.256s': %s", p->out->file.path, name, why);
}

/* ------------------------------------------------------------------ members */

static bool grow(parser *p, void **list, size_t *room, size_t wanted, size_t size)
{
    bool is_grown = p->json.why == NULL && cohort_grow(list, room, wanted, size);
    p->is_out_of_memory = p->is_out_of_memory || (!is_grown && p->json.why == NULL);
    if (!is_grown)
        cohort_json_refuse(&p->json, "there is no memory for this");
    return is_grown;
}

static void parse_shape(parser *p, cohort_tensor *t)
{
    cohort_json *json = &p->json;
    cohort_safetensors *out = p->out;
    cohort_json_expect(json, '[');
    for (bool more = !cohort_json_take(json, ']'); more; more = cohort_json_more(json, ']')) {
        int64_t extent = cohort_json_integer(json);
        if (!grow(p, (void **)&out->extents, &p->extents_room, p->n_extents + 1,
                  sizeof *out->extents))
            return;
        out->extents[p->n_extents++] = extent;
        t->rank++;
    }
}

static void parse_type(parser *p, cohort_tensor *t)
{
    const char *name = cohort_json_string(&p->json, NULL);
    t->type = name != NULL ? cohort_tensor_type_find(name) : NULL;
    if (t->type == NULL)
        cohort_json_refuse(&p->json, "no dtype of the safetensors format");
}

static void parse_offsets(parser *p, cohort_tensor *t)
{
    cohort_json_expect(&p->json, '[');
    t->at = cohort_json_integer(&p->json);
    cohort_json_expect(&p->json, ',');
    t->bytes = cohort_json_integer(&p->json);
    cohort_json_expect(&p->json, ']');
}

typedef void (*parse_member)(parser *p, cohort_tensor *t);

static const struct {
    const char *name;
    parse_member parse;
} members[] = { { "dtype", parse_type },
                { "shape", parse_shape },
                { "data_offsets", parse_offsets } };
enum { N_MEMBERS = sizeof members / sizeof *members };

/* A member that is none of the format's is passed, as its own reader does. */
static void parse_member_of(parser *p, cohort_tensor *t, const char *key, unsigned *seen)
{
    for (int i = 0; i < N_MEMBERS; i++)
        if (strcmp(members[i].name, key) == 0) {
            if ((*seen >> i & 1) != 0)
                cohort_json_refuse(&p->json, "a member that was there before");
            *seen |= 1u << i;
            members[i].parse(p, t);
            return;
        }
    cohort_json_skip(&p->json);
}

static void parse_tensor(parser *p, const char *name)
{
    cohort_json *json = &p->json;
    cohort_safetensors *out = p->out;
    unsigned seen = 0;
    if (!grow(p, (void **)&out->tensors, &p->tensors_room, out->n + 1, sizeof *out->tensors))
        return;
    cohort_tensor *t = &out->tensors[out->n++];
    t->name = name;
    cohort_json_expect(json, '{');
    for (bool more = !cohort_json_take(json, '}'); more; more = cohort_json_more(json, '}')) {
        const char *key = cohort_json_key(json);
        if (key != NULL)
            parse_member_of(p, t, key, &seen);
    }
    if (seen != (1u << N_MEMBERS) - 1)
        cohort_json_refuse(json, "a tensor has dtype, shape and data_offsets");
}

static void parse_note(parser *p)
{
    cohort_safetensors *out = p->out;
    size_t at = 0;
    const char *key = cohort_json_key(&p->json);
    const char *text = cohort_json_string(&p->json, &at);
    if (!grow(p, (void **)&out->notes, &p->notes_room, out->n_notes + 1, sizeof *out->notes))
        return;
    out->notes[out->n_notes++] = (cohort_tensors_note){ key, text };
    if (strcmp(key, COHORT_TENSORS_SUM) == 0)
        p->sum_at = at;
}

static void parse_metadata(parser *p)
{
    cohort_json *json = &p->json;
    if (p->has_metadata)
        cohort_json_refuse(json, "a member that was there before");
    p->has_metadata = true;
    if (cohort_json_null(json))
        return;
    cohort_json_expect(json, '{');
    for (bool more = !cohort_json_take(json, '}'); more; more = cohort_json_more(json, '}'))
        parse_note(p);
}

static cohort_status parse_object(parser *p)
{
    cohort_json *json = &p->json;
    cohort_json_expect(json, '{');
    for (bool more = !cohort_json_take(json, '}'); more; more = cohort_json_more(json, '}')) {
        const char *name = cohort_json_key(json);
        if (name != NULL && strcmp(name, COHORT_TENSORS_METADATA) == 0)
            parse_metadata(p);
        else if (name != NULL)
            parse_tensor(p, name);
    }
    cohort_json_finish(json);
    if (p->is_out_of_memory)
        return cohort_error_memory(p->out->file.path);
    return json->why == NULL
               ? COHORT_OK
               : cohort_error_set(COHORT_EINVAL, "%s: byte %zu: %s", p->out->file.path,
                                  COHORT_TENSORS_LENGTH_BYTES + json->why_at, json->why);
}

/* ------------------------------------------------------------------ places */

static int compare_places(const void *a, const void *b)
{
    const cohort_tensor *s = a, *t = b;
    if (s->at != t->at)
        return s->at < t->at ? -1 : 1;
    if (s->bytes != t->bytes)
        return s->bytes < t->bytes ? -1 : 1;
    return strcmp(s->name, t->name);
}

/* Of one that begins where the last one ended. */
static cohort_status check_place(const parser *p, cohort_tensor *t, int64_t *end)
{
    int64_t bytes = 0;
    if (t->at < *end)
        return refuse(p, t->name, "begins before the tensor in front of it ends");
    if (t->at > *end)
        return refuse(p, t->name, "begins behind a hole");
    if (t->bytes < t->at)
        return refuse(p, t->name, "ends before it begins");
    if (!cohort_tensor_type_bytes(t->type, t->rank, t->shape, &bytes))
        return refuse(p, t->name,
                      "its shape has more elements than there can be, or bits that "
                      "are no whole bytes");
    if (bytes != t->bytes - t->at)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: tensor '%.256s': its shape and dtype are %lld bytes, and its "
                                "place has %lld",
                                p->out->file.path, t->name, (long long)bytes,
                                (long long)(t->bytes - t->at));
    *end = t->bytes;
    return COHORT_OK;
}

static cohort_status check_places(const parser *p)
{
    cohort_safetensors *out = p->out;
    int64_t begin = COHORT_TENSORS_LENGTH_BYTES + (int64_t)p->length, end = 0;
    cohort_status status = COHORT_OK;
    for (size_t i = 0; i < out->n && status >= 0; i++)
        status = check_place(p, &out->tensors[i], &end);
    if (status >= 0 && end != out->file.bytes - begin)
        return cohort_error_set(
            COHORT_EINVAL, "%s: %lld bytes of tensors follow the header, which says %lld",
            out->file.path, (long long)(out->file.bytes - begin), (long long)end);
    for (size_t i = 0; i < out->n && status >= 0; i++) {
        out->tensors[i].bytes -= out->tensors[i].at;
        out->tensors[i].at += begin;
    }
    return status;
}

/* ------------------------------------------------------------------ names */

static int compare_names(const void *a, const void *b)
{
    return strcmp((*(cohort_tensor *const *)a)->name, (*(cohort_tensor *const *)b)->name);
}

static int compare_keys(const void *a, const void *b)
{
    return strcmp(((const cohort_tensors_note *)a)->key, ((const cohort_tensors_note *)b)->key);
}

/* Tensors are sorted by place before their names point to them. */
static cohort_status sort_names(const parser *p)
{
    cohort_safetensors *out = p->out;
    if (out->n > 0)
        qsort(out->tensors, out->n, sizeof *out->tensors, compare_places);
    out->by_name = cohort_allocate(out->n, sizeof *out->by_name);
    if (out->by_name == NULL)
        return cohort_error_memory(out->file.path);
    for (size_t i = 0; i < out->n; i++)
        out->by_name[i] = &out->tensors[i];
    if (out->n > 0)
        qsort(out->by_name, out->n, sizeof *out->by_name, compare_names);
    for (size_t i = 1; i < out->n; i++)
        if (compare_names(&out->by_name[i - 1], &out->by_name[i]) == 0)
            return refuse(p, out->by_name[i]->name, "there are two of this name");
    return COHORT_OK;
}

static cohort_status sort_keys(const parser *p)
{
    cohort_safetensors *out = p->out;
    if (out->n_notes > 0)
        qsort(out->notes, out->n_notes, sizeof *out->notes, compare_keys);
    for (size_t i = 1; i < out->n_notes; i++)
        if (compare_keys(&out->notes[i - 1], &out->notes[i]) == 0)
            return cohort_error_set(COHORT_EINVAL, "%s: the metadata has the key '%.256s' twice",
                                    out->file.path, out->notes[i].key);
    return COHORT_OK;
}

/* ------------------------------------------------------------------ all of it */

static void set_shapes(const parser *p)
{
    const int64_t *next = p->out->extents;
    for (size_t i = 0; i < p->out->n; i++) {
        p->out->tensors[i].shape = next;
        if (p->out->tensors[i].rank > 0)
            next += p->out->tensors[i].rank;
    }
}

cohort_status cohort_safetensors_parse(cohort_safetensors *tensors, size_t length)
{
    parser p = { .out = tensors,
                 .length = length,
                 .json = cohort_json_begin(tensors->header, length) };
    cohort_status status = parse_object(&p);
    if (status >= 0) {
        set_shapes(&p);
        status = sort_keys(&p);
    }
    if (status >= 0)
        status = cohort_safetensors_check_sums(tensors, length, p.sum_at);
    if (status >= 0)
        status = sort_names(&p);
    return status < 0 ? status : check_places(&p);
}
