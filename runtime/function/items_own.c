/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/function/items_own.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"

#include <stdio.h>
#include <string.h>

typedef cohort_items_form form;
typedef cohort_items_own own_elements;
typedef cohort_items_own_array own_array;

/* SHOWN: characters of a place that a text shows. */
enum { SHOWN = 40, TEXT = 160 };

/* ------------------------------------------------------------------ how large an array is */

static form product(const form *a, const cohort_expression *b)
{
    const form of_b = cohort_items_form_of(b);
    return cohort_items_form_combine(a, &of_b, '*');
}

/* As the prototype writes them: so they may divide. */
static bool is_same(const cohort_expression *a, const cohort_expression *b)
{
    bool is = a->count == b->count;
    for (int32_t i = 0; is && i < a->count; i++)
        is = a->nodes[i].kind == b->nodes[i].kind && a->nodes[i].operand == b->nodes[i].operand;
    return is;
}

static bool has_extents(const cohort_signature *s, const cohort_parameter *p, int32_t n)
{
    bool has = p->rank == n;
    for (int32_t d = 0; d < n && has; d++)
        has = is_same(&s->counts[d], &p->extents[d]);
    return has;
}

static bool has_elements(const cohort_signature *s, const cohort_parameter *p, int32_t n)
{
    form of_items = cohort_items_form_number(1), of_array = of_items;
    for (int32_t d = 0; d < n; d++)
        of_items = product(&of_items, &s->counts[d]);
    for (int32_t d = 0; d < p->rank; d++)
        of_array = product(&of_array, &p->extents[d]);
    return cohort_items_form_is(&of_items, &of_array);
}

/* An element for each item of its first n indices. */
static uint8_t find_axes(const cohort_signature *s, const cohort_parameter *p)
{
    uint8_t axes = 0;
    for (int32_t n = 1; n <= s->n_indices && p->role == COHORT_ROLE_ARRAY; n++)
        if (has_extents(s, p, n) || has_elements(s, p, n))
            axes |= (uint8_t)(1U << (n - 1));
    return axes;
}

/* i, then i * m + j, and so on. */
static void find_places(own_elements *own)
{
    const cohort_signature *s = own->signature;
    form place = { 0 };
    for (int32_t d = 0; d < s->n_indices; d++) {
        const form index = cohort_items_form_name(s->n_parameters + d + 1);
        place = product(&place, &s->counts[d]);
        if (d == 0)
            place = (form){ 0 }; /* whatever the number of the first index is */
        place = cohort_items_form_combine(&place, &index, '+');
        own->places[d] = place;
    }
}

void cohort_items_own_begin(own_elements *own, const cohort_signature *signature, const char *body)
{
    *own = (own_elements){ .signature = signature, .body = body };
    find_places(own);
    for (int32_t i = 0; i < signature->n_parameters; i++) {
        own->arrays[i].axes = find_axes(signature, &signature->parameters[i]);
        if (own->arrays[i].axes == 0)
            own->arrays[i].how = "has not one element for each item";
    }
}

void cohort_items_own_free(own_elements *own)
{
    cohort_free(own->forms);
    *own = (own_elements){ 0 };
}

/* ------------------------------------------------------------------ forms */

static int32_t keep(own_elements *own, form f)
{
    if (f.n < 0)
        return 0;
    if (!cohort_grow((void **)&own->forms, &own->forms_capacity, own->n_forms + 1,
                     sizeof *own->forms)) {
        own->is_out_of_memory = true;
        return 0;
    }
    own->forms[own->n_forms++] = f;
    return (int32_t)own->n_forms;
}

int32_t cohort_items_own_number(own_elements *own, int64_t number)
{
    return own != NULL ? keep(own, cohort_items_form_number(number)) : 0;
}

int32_t cohort_items_own_name(own_elements *own, int32_t name)
{
    return own != NULL ? keep(own, cohort_items_form_name(name + 1)) : 0;
}

int32_t cohort_items_own_combine(own_elements *own, int32_t a, int32_t b, char sign)
{
    if (own == NULL || a == 0 || b == 0)
        return 0;
    return keep(own, cohort_items_form_combine(&own->forms[a - 1], &own->forms[b - 1], sign));
}

/* ------------------------------------------------------------------ places */

void cohort_items_own_see(own_elements *own, int32_t array)
{
    if (own != NULL)
        own->arrays[array].n_seen++;
}

void cohort_items_own_refuse(own_elements *own, int32_t array, const char *how, const char *start,
                             const char *end)
{
    if (own == NULL || own->arrays[array].how != NULL)
        return;
    while (end > start && (end[-1] == ' ' || end[-1] == '\n'))
        end--;
    own->arrays[array].axes = 0;
    own->arrays[array].how = how;
    own->arrays[array].where = (cohort_token){ .start = start, .length = (size_t)(end - start) };
}

void cohort_items_own_refuse_all(own_elements *own, const char *how, const char *start,
                                 const char *end)
{
    for (int32_t i = 0; own != NULL && i < own->signature->n_parameters; i++)
        cohort_items_own_refuse(own, i, how, start, end);
}

void cohort_items_own_index(own_elements *own, int32_t array, int32_t number, const char *start,
                            const char *end)
{
    uint8_t axes = 0;
    if (own == NULL)
        return;
    for (int32_t d = 0; number > 0 && d < own->signature->n_indices; d++)
        if (cohort_items_form_is(&own->places[d], &own->forms[number - 1]))
            axes |= (uint8_t)(1U << d);
    if ((own->arrays[array].axes & axes) != 0)
        own->arrays[array].axes &= axes;
    else
        cohort_items_own_refuse(own, array, "is used at another element, too", start, end);
}

/* ------------------------------------------------------------------ the end */

static int32_t count_names(const char *body, const char *name)
{
    int32_t n = 0;
    cohort_token before = { .start = "" };
    for (cohort_token t = cohort_items_token(body); t.length > 0; t = cohort_items_next(t)) {
        n += cohort_token_is(t, name) && !cohort_token_is(before, ".") &&
             !cohort_token_is(before, "->");
        before = t;
    }
    return n;
}

/* A name that hides the array's, or stands where nobody reads an expression, as in the parentheses
 * of a declaration of C++. */
static void check_seen(own_elements *own, int32_t array)
{
    const char *name = own->signature->parameters[array].name;
    if (count_names(own->body, name) != own->arrays[array].n_seen)
        cohort_items_own_refuse(own, array, "stands where its tokens do not tell how it is used",
                                name, name + strlen(name));
}

static int32_t lowest(uint8_t axes)
{
    int32_t n = 1;
    while ((axes >> (n - 1) & 1) == 0)
        n++;
    return n;
}

/* "w[i + 1]: is used at another element". */
static const char *describe(const own_array *a, const char *name, cohort_arena *arena)
{
    char text[TEXT];
    int shown = a->where.length < SHOWN ? (int)a->where.length : SHOWN;
    int n = shown == 0 ? snprintf(text, sizeof text, "'%s' %s", name, a->how)
                       : snprintf(text, sizeof text, "'%s' %s, '%.*s'", name, a->how, shown,
                                  a->where.start);
    size_t length = n < (int)sizeof text ? (size_t)n : sizeof text - 1;
    return cohort_arena_text(arena, text, length);
}

cohort_status cohort_items_own_end(own_elements *own, cohort_arena *arena, cohort_signature *s)
{
    for (int32_t i = 0; i < s->n_parameters && !own->is_out_of_memory; i++) {
        const own_array *a = &own->arrays[i];
        if (s->parameters[i].role != COHORT_ROLE_ARRAY)
            continue;
        check_seen(own, i);
        s->own_axes[i] = a->axes != 0 ? (uint8_t)lowest(a->axes) : 0;
        s->apart[i] = a->axes == 0 ? describe(a, s->parameters[i].name, arena) : NULL;
        own->is_out_of_memory = a->axes == 0 && s->apart[i] == NULL;
    }
    return own->is_out_of_memory ? cohort_error_memory("a signature") : COHORT_OK;
}
