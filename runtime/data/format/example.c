/* SPDX-License-Identifier: BSD-3-Clause */
/* A record is walked once to find what was asked for, in whatever order it comes, then each feature
 * is measured, and only when all fit their room is any element written: a caller without room
 * learns how much to bring.
 *
 * Source tensorflow/core/example/example.proto, feature.proto. */
#include "config.h"

#include "runtime/data/format/example.h"

#include "runtime/base/error.h"
#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/base/number.h"
#include "runtime/data/format/example_value.h"

#include <string.h>

enum {
    EXAMPLE_FEATURES = 1, /* of a tf.SequenceExample its context */
    SEQUENCE_LISTS = 2,
    FEATURES_ENTRY = 1, /* and that of lists */
    ENTRY_NAME = 1,
    MOST_NUMBER_BYTES = 32
};

typedef cohort_status (*entry_fn)(const cohort_wire *entry, const cohort_wire *name, void *user);

/* ---- The map: an Example has Features, which have entries, which have a name. */

/* The last name is the one that counts; without one it is "". */
static cohort_status find_name(cohort_wire entry, cohort_wire *out)
{
    cohort_wire_field field;
    cohort_status status;
    *out = entry;
    out->end = out->at;
    while ((status = cohort_wire_next(&entry, &field)) == COHORT_OK)
        if (field.number == ENTRY_NAME && field.type == COHORT_WIRE_BYTES)
            *out = field.inside;
    return status < 0 ? status : COHORT_OK;
}

static cohort_status each_entry_of_features(cohort_wire features, entry_fn fn, void *user)
{
    cohort_wire_field field;
    cohort_wire name;
    cohort_status status = cohort_wire_next(&features, &field);
    for (; status == COHORT_OK; status = status < 0 ? status : cohort_wire_next(&features, &field))
        if (field.number == FEATURES_ENTRY && field.type == COHORT_WIRE_BYTES) {
            status = find_name(field.inside, &name);
            if (status >= 0)
                status = fn(&field.inside, &name, user);
        }
    return status < 0 ? status : COHORT_OK;
}

static cohort_status each_entry(const uint8_t *data, size_t bytes, const char *where, entry_fn fn,
                                void *user)
{
    /* an empty record has no bytes, and pointers to none may be NULL, which must not be added to */
    static const uint8_t nothing[1];
    const uint8_t *start = bytes > 0 ? data : nothing;
    cohort_wire wire = { where, NULL, start, start, start + bytes };
    cohort_wire_field field;
    cohort_status status = cohort_wire_next(&wire, &field);
    for (; status == COHORT_OK; status = status < 0 ? status : cohort_wire_next(&wire, &field))
        if (field.number == EXAMPLE_FEATURES && field.type == COHORT_WIRE_BYTES)
            status = each_entry_of_features(field.inside, fn, user);
    return status < 0 ? status : COHORT_OK;
}

/* ---- tf.SequenceExample: features, and lists of them, which nothing here reads */

/* What is looked for in the lists: a name, or any. */
typedef struct list_search {
    const char *name; /* NULL: any */
    bool is_found;
} list_search;

static cohort_status compare_list(const cohort_wire *entry, const cohort_wire *name, void *user)
{
    list_search *search = user;
    size_t bytes = cohort_wire_left(name);
    (void)entry;
    search->is_found = search->is_found || search->name == NULL ||
                       (strlen(search->name) == bytes &&
                        (bytes == 0 || memcmp(search->name, name->at, bytes) == 0));
    return COHORT_OK;
}

/* A message of other fields is none, nor are bytes that are no message. */
static bool has_list(const uint8_t *data, size_t bytes, const char *name)
{
    list_search search = { .name = name };
    cohort_wire wire = { "a record", NULL, data, data, data + bytes };
    cohort_wire_field field;
    cohort_status status = bytes > 0 ? cohort_wire_next(&wire, &field) : COHORT_END;
    for (; status == COHORT_OK; status = status < 0 ? status : cohort_wire_next(&wire, &field)) {
        if (field.type != COHORT_WIRE_BYTES || field.number < EXAMPLE_FEATURES ||
            field.number > SEQUENCE_LISTS)
            return false;
        if (field.number == SEQUENCE_LISTS)
            status = each_entry_of_features(field.inside, compare_list, &search);
    }
    return status >= 0 && search.is_found;
}

/* ---- What was asked for */

/* One feature on its way: what was asked for, and what is there. */
typedef struct part {
    const cohort_feature *feature;
    size_t name_bytes;
    bool is_there;
    cohort_example_value value;
    int64_t bytes; /* of its elements */
} part;

typedef struct request {
    const char *where;
    const uint8_t *data; /* of the record */
    size_t bytes;
    int n;
    part parts[COHORT_LIMIT_COMPONENTS];
} request;

#define REFUSE(where, feature, format, ...)                                                        \
    cohort_error_set(COHORT_EINVAL, "%s: feature '%s' " format, where, (feature)->name, __VA_ARGS__)

static cohort_status begin_request(const cohort_feature features[], int n, const char *where,
                                   request *out)
{
    if (n < 0 || n > COHORT_LIMIT_COMPONENTS)
        return cohort_error_set(COHORT_EINVAL, "%s: %d features are asked for; at most %d can be",
                                where, n, (int)COHORT_LIMIT_COMPONENTS);
    out->where = where;
    out->n = n;
    for (int i = 0; i < n; i++) {
        out->parts[i].feature = &features[i];
        out->parts[i].name_bytes = strlen(features[i].name);
        out->parts[i].is_there = false;
    }
    return COHORT_OK;
}

/* Without a break: two features may ask for the same name. A later entry of the map replaces an
 * earlier one. */
static cohort_status keep_entry(const cohort_wire *entry, const cohort_wire *name, void *user)
{
    request *r = user;
    size_t bytes = cohort_wire_left(name);
    for (int i = 0; i < r->n; i++) {
        part *p = &r->parts[i];
        if (p->name_bytes != bytes || (bytes > 0 && memcmp(p->feature->name, name->at, bytes) != 0))
            continue;
        p->value.entry = *entry;
        p->value.entry.feature = p->feature->name;
        p->is_there = true;
    }
    return COHORT_OK;
}

/* ---- Shapes */

/* The product of the known extents, and the axis that is not known; -1: none. */
static cohort_status survey_shape(const request *r, const cohort_feature *f, int64_t *out_items,
                                  int *out_open)
{
    *out_items = 1;
    *out_open = -1;
    if (!cohort_example_value_fits('f', f->dtype) && !cohort_example_value_fits('i', f->dtype))
        return REFUSE(r->where, f,
                      "is to be %s; expected float32, float64, an integer dtype or bool",
                      cohort_dtype_name(f->dtype));
    if (f->rank < 0 || f->rank > COHORT_MAX_RANK)
        return REFUSE(r->where, f, "has rank %d; 0 to %d can be", (int)f->rank, COHORT_MAX_RANK);
    for (int k = 0; k < f->rank; k++) {
        bool is_open = f->shape[k] == -1 && *out_open < 0;
        if (is_open)
            *out_open = k;
        else if (f->shape[k] < 0 || !cohort_multiply(*out_items, f->shape[k], out_items))
            return REFUSE(r->where, f,
                          "has extent %lld at axis %d; one may be -1, and all together fit 63 bits",
                          (long long)f->shape[k], k);
    }
    return COHORT_OK;
}

static const char *name_of(char kind)
{
    return kind == 'b' ? "strings" : kind == 'f' ? "floats" : "integers";
}

/* What the value's elements are counted as: those of a string are its bytes. */
static cohort_status count_elements(const request *r, const part *p, int64_t *out)
{
    const cohort_example_value *v = &p->value;
    if (!cohort_example_value_fits(v->kind, p->feature->dtype))
        return REFUSE(r->where, p->feature, "has %lld %s, which cannot become %s",
                      (long long)v->count, name_of(v->kind), cohort_dtype_name(p->feature->dtype));
    if (v->kind == 'b' && v->count != 1)
        return REFUSE(r->where, p->feature, "has %lld strings, and exactly 1 can be read",
                      (long long)v->count);
    *out = v->kind == 'b' ? (int64_t)cohort_wire_left(&v->string) : v->count;
    return COHORT_OK;
}

static cohort_status fit_shape(const request *r, const part *p, int64_t items, int open,
                               cohort_array *out)
{
    int64_t count = 0;
    cohort_status status = count_elements(r, p, &count);
    if (status < 0)
        return status;
    if (open < 0 && count != items)
        return REFUSE(r->where, p->feature, "has %lld elements, and its shape takes %lld",
                      (long long)count, (long long)items);
    /* where another extent is 0, no extent here makes elements */
    if (open >= 0 && (items > 0 ? count % items != 0 : count != 0))
        return REFUSE(
            r->where, p->feature,
            "has %lld elements, which are no multiple of the %lld of its shape's other extents",
            (long long)count, (long long)items);
    if (open >= 0)
        out->shape[open] = items > 0 ? count / items : 0;
    return COHORT_OK;
}

/* A default would stand for what is there, in a list. */
static cohort_status check_default(const request *r, const cohort_feature *f, int open)
{
    if (has_list(r->data, r->bytes, f->name))
        return REFUSE(r->where, f,
                      "is a list of features of a tf.SequenceExample, which is not "
                      "read; expected a tf.Example%s",
                      ": write the numbers of all steps as one feature");
    if (!f->has_absent)
        return REFUSE(r->where, f, "is not in the record, and has no default%s",
                      "; expected it there, or has_absent");
    if (open >= 0)
        return REFUSE(r->where, f,
                      "is not in the record, and a default cannot say how long extent %d is", open);
    return COHORT_OK;
}

static cohort_status measure(const request *r, part *p, cohort_array *out)
{
    const cohort_feature *f = p->feature;
    int64_t items;
    int open;
    cohort_status status = survey_shape(r, f, &items, &open);
    if (status >= 0 && p->is_there)
        status = cohort_example_value_measure(&p->value);
    if (status < 0)
        return status;
    p->is_there = p->is_there && p->value.kind != '\0'; /* an empty Feature is no value */
    *out = (cohort_array){ .data = out->data, .dtype = f->dtype, .rank = f->rank };
    memcpy(out->shape, f->shape, sizeof out->shape);
    status = p->is_there ? fit_shape(r, p, items, open, out) : check_default(r, f, open);
    if (status >= 0 && open >= 0)
        items *= out->shape[open];
    if (status >= 0 && !cohort_multiply(items, cohort_dtype_bytes(f->dtype), &p->bytes))
        return REFUSE(r->where, f, "has %lld elements, which pass 63 bits", (long long)items);
    return status;
}

static cohort_status check_room(const request *r, const size_t room[], size_t needed[])
{
    const part *bad = NULL;
    size_t bad_room = 0;
    for (int i = 0; i < r->n; i++) {
        needed[i] = (size_t)r->parts[i].bytes;
        if (needed[i] > room[i] && bad == NULL) {
            bad = &r->parts[i];
            bad_room = room[i];
        }
    }
    if (bad == NULL)
        return COHORT_OK;
    return REFUSE(r->where, bad->feature, "has %lld bytes of elements, and there is room for %llu",
                  (long long)bad->bytes, (unsigned long long)bad_room);
}

/* ---- Elements */

static cohort_status fill_default(const request *r, const part *p, uint8_t *into)
{
    const cohort_feature *f = p->feature;
    uint8_t number[MOST_NUMBER_BYTES];
    size_t width = (size_t)cohort_dtype_bytes(f->dtype);
    cohort_argument absent = { .kind = COHORT_ARGUMENT_REAL, .as.f = f->absent };
    cohort_status status = cohort_number_convert(&absent, f->dtype, number);
    if (status < 0)
        return cohort_error_prefix(status, "%s: the default of feature '%s'", r->where, f->name);
    for (int64_t at = 0; at < p->bytes; at += (int64_t)width)
        memcpy(into + at, number, width);
    return COHORT_OK;
}

cohort_status cohort_example_decode(const uint8_t *data, size_t bytes,
                                    const cohort_feature features[], int n, cohort_array out[],
                                    const size_t room[], size_t needed[], const char *where)
{
    request r;
    cohort_status status = begin_request(features, n, where, &r);
    for (int i = 0; i < n && status >= 0; i++)
        needed[i] = 0;
    r.data = data;
    r.bytes = bytes;
    if (status >= 0)
        status = each_entry(data, bytes, where, keep_entry, &r);
    for (int i = 0; i < n && status >= 0; i++)
        status = measure(&r, &r.parts[i], &out[i]);
    if (status >= 0)
        status = check_room(&r, room, needed);
    for (int i = 0; i < n && status >= 0; i++)
        if (r.parts[i].bytes > 0)
            status =
                r.parts[i].is_there
                    ? cohort_example_value_decode(&r.parts[i].value, features[i].dtype, out[i].data)
                    : fill_default(&r, &r.parts[i], out[i].data);
    return status;
}

/* ---- Listing */

typedef struct listing {
    cohort_example_fn fn;
    void *user;
} listing;

static cohort_status list_entry(const cohort_wire *entry, const cohort_wire *name, void *user)
{
    const listing *l = user;
    cohort_example_value value = { .entry = *entry };
    cohort_status status = cohort_example_value_measure(&value);
    bool has_string = value.kind == 'b' && value.count > 0;
    if (status < 0)
        return status;
    return l->fn((const char *)name->at, cohort_wire_left(name),
                 value.kind != '\0' ? value.kind : '-', value.count,
                 has_string ? (int64_t)cohort_wire_left(&value.string) : 0, l->user);
}

cohort_status cohort_example_list(const uint8_t *data, size_t bytes, cohort_example_fn fn,
                                  void *user, const char *where)
{
    listing l = { fn, user };
    if (has_list(data, bytes, NULL))
        return cohort_error_set(
            COHORT_ENOTSUP,
            "%s: a tf.SequenceExample, whose lists of features are not read; expected a "
            "tf.Example: write the numbers of all steps as one feature",
            where);
    return each_entry(data, bytes, where, list_entry, &l);
}
