/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/value/agreement.h"

#include "runtime/base/digest.h"
#include "runtime/base/memory.h"
#include "runtime/base/number.h"
#include "runtime/base/text.h"
#include "runtime/strategy/recorder.h"

#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------------ what was given */

/* Eight bytes at a time: arrays may be long. */
static uint64_t add_bytes(uint64_t digest, const void *data, uint64_t bytes)
{
    const char *at = data;
    for (; bytes >= sizeof digest; bytes -= sizeof digest, at += sizeof digest) {
        uint64_t word;
        memcpy(&word, at, sizeof word);
        digest = (digest ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        digest ^= digest >> 32;
    }
    return cohort_digest_add(digest, at, bytes);
}

static uint64_t add_form(uint64_t digest, cohort_dtype dtype, const cohort_extents *extents)
{
    const uint32_t form[] = { (uint32_t)dtype, (uint32_t)extents->rank };
    digest = cohort_digest_add(digest, form, sizeof form);
    return cohort_digest_add(digest, extents->shape,
                             (uint64_t)extents->rank * sizeof *extents->shape);
}

/* Along the first axis, as far as rows do not lie one behind the other. */
static uint64_t add_elements(uint64_t digest, const cohort_array *array)
{
    const uint64_t item = (uint64_t)cohort_array_item_bytes(array);
    if (array->rank == 0 || cohort_array_is_row_major(array))
        return add_bytes(digest, array->data, (uint64_t)cohort_array_items(array) * item);
    cohort_array row = *array;
    row.rank--;
    memmove(row.shape, array->shape + 1, (size_t)row.rank * sizeof *row.shape);
    memmove(row.strides, array->strides + 1, (size_t)row.rank * sizeof *row.strides);
    for (int64_t i = 0; i < array->shape[0]; i++) {
        row.data = (char *)array->data + i * array->strides[0] * (int64_t)item;
        digest = add_elements(digest, &row);
    }
    return digest;
}

static uint64_t add_array(uint64_t digest, const cohort_array *array)
{
    cohort_extents extents = { .rank = array->rank };
    memcpy(extents.shape, array->shape, sizeof extents.shape);
    digest = add_form(digest, array->dtype, &extents);
    return array->dtype != COHORT_RECORD ? add_elements(digest, array) : digest;
}

/* A recorded call uses later what the value is set to by then. */
static uint64_t add_value(uint64_t digest, cohort_value *value)
{
    const cohort_content *content = &value->plain;
    value->is_agreed = value->is_agreed || cohort_recorder_here(value->strategy) != NULL;
    if (value->kind != COHORT_PLAIN_VALUE)
        return digest;
    digest = add_form(digest, content->dtype, &content->extents);
    if (cohort_value_is_number(value))
        return add_bytes(digest, &value->number, sizeof value->number);
    return cohort_content_has_source(content) && content->dtype != COHORT_RECORD
               ? add_bytes(digest, content->source, cohort_content_bytes(content))
               : digest;
}

static uint64_t add_values(uint64_t digest, cohort_value *const values[], uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        digest = add_value(digest, values[i]);
    return digest;
}

/* As the number that it is: a long double has padding. */
static uint64_t add_number(uint64_t digest, const cohort_argument *x)
{
    char item[COHORT_NUMBER_BYTES] = { 0 };
    cohort_dtype dtype = x->kind == COHORT_ARGUMENT_COMPLEX ? COHORT_C128 : cohort_number_dtype(x);
    if (cohort_number_convert(x, dtype, item) < 0)
        return digest;
    return cohort_digest_add(digest, item, sizeof item);
}

uint64_t cohort_agreement_add(uint64_t digest, const cohort_argument *x)
{
    digest = cohort_digest_add(digest, &x->kind, sizeof x->kind);
    switch (x->kind) {
    case COHORT_ARGUMENT_ARRAY:
        return add_array(digest, x->as.p);
    case COHORT_ARGUMENT_VALUE:
        return add_value(digest, cohort_memory_own(x->as.p));
    case COHORT_ARGUMENT_LIST:
        return add_values(digest, x->as.p, x->bytes);
    case COHORT_ARGUMENT_VARIABLE:
        return digest ^ cohort_digest_of_text(((const cohort_variable *)x->as.p)->name);
    default:
        return cohort_number_is(x) ? add_number(digest, x) : digest;
    }
}

uint64_t cohort_agreement_add_list(uint64_t digest, const cohort_argument arguments[])
{
    for (int32_t i = 0; i < COHORT_MAX_ARGUMENTS && arguments[i].kind != COHORT_ARGUMENT_END; i++)
        digest = cohort_agreement_add(digest, &arguments[i]);
    return digest;
}

/* ------------------------------------------------------------------ a write */

void cohort_agreement_note(cohort_strategy *s, uint64_t digest, const char *call, const char *of,
                           const char *site)
{
    char room[COHORT_WRITES_TEXT];
    cohort_text text = cohort_text_begin(room, sizeof room);
    const char *slash = site != NULL ? strrchr(site, '/') : NULL;
    digest = cohort_digest_add(digest, call, strlen(call));
    if (of != NULL)
        digest = cohort_digest_add(digest, of, strlen(of));
    cohort_text_add(&text, "%s", call);
    if (of != NULL)
        cohort_text_add(&text, " of '%.32s'", of);
    if (site != NULL)
        cohort_text_add(&text, " at %s", slash != NULL ? slash + 1 : site);
    cohort_writes_add(&s->workers->writes, digest, room);
}

void cohort_agreement_note_update(cohort_strategy *s, const char *call, const char *of,
                                  const cohort_function *function,
                                  const cohort_argument arguments[], const char *site)
{
    char who[COHORT_WRITES_TEXT];
    (void)snprintf(who, sizeof who, "%s(%.24s)", call,
                   function->name != NULL ? function->name : "");
    cohort_agreement_note(s, cohort_agreement_add_list(0, arguments), who, of, site);
}

static bool is_given(const cohort_argument *x)
{
    const cohort_value *value = x->kind == COHORT_ARGUMENT_VALUE ? x->as.p : NULL;
    if (value == NULL)
        return x->kind == COHORT_ARGUMENT_ARRAY || cohort_number_is(x);
    return value->kind == COHORT_PLAIN_VALUE &&
           (cohort_value_is_number(value) || cohort_content_has_source(&value->plain));
}

void cohort_agreement_note_given(cohort_strategy *s, const cohort_argument *x, const char *call,
                                 const char *site)
{
    if (is_given(x))
        cohort_agreement_note(s, cohort_agreement_add(0, x), call, NULL, site);
}

void cohort_agreement_note_values(cohort_strategy *s, cohort_value *const values[], int n,
                                  const char *call)
{
    for (int i = 0; i < n; i++)
        cohort_agreement_note_given(
            s, &(cohort_argument){ .kind = COHORT_ARGUMENT_VALUE, .as.p = values[i] }, call, NULL);
}
