/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/value/forms.h"

#include "runtime/base/assert.h"
#include "runtime/base/memory.h"
#include "runtime/value/variable.h"

/* Of what a place holds (places.h). */
typedef struct place_form {
    uint64_t epoch, result;
} place_form;

/* One content: its description, and what its places hold. */
typedef struct content_form {
    cohort_content *content;
    cohort_dtype dtype;
    int64_t item_bytes;
    cohort_extents extents;
    cohort_content_state state;
    uint64_t epoch, source_epoch;
    place_form *places; /* [places]: in the list of all */
} content_form;

typedef struct value_form {
    cohort_value *value;
    cohort_value_kind kind;
    double number;
    bool has_places, has_components; /* else made by the trial, and not looked at before */
} value_form;

typedef struct variable_form {
    cohort_variable *variable;
    uint64_t epoch;
} variable_form;

struct cohort_forms {
    value_form *values;
    content_form *contents;
    variable_form *variables;
    place_form *places;
    size_t n_values, n_contents, n_variables, n_places;
};

static cohort_value *value_of(cohort_dependent *dependent)
{
    return cohort_handle_is(dependent, COHORT_HANDLE_VALUE) ? (cohort_value *)dependent : NULL;
}

static cohort_variable *variable_of(cohort_dependent *dependent)
{
    return cohort_handle_is(dependent, COHORT_HANDLE_VARIABLE) ? (cohort_variable *)dependent
                                                               : NULL;
}

/* ------------------------------------------------------------------ save */

/* Every content of a value that has places. */
static void each_content(cohort_forms *f, cohort_value *value,
                         void (*visit)(cohort_forms *f, cohort_content *content))
{
    if (value->plain.places.list != NULL)
        visit(f, &value->plain);
    for (int32_t r = 0; value->components != NULL && r < value->strategy->n_replicas; r++)
        visit(f, &value->components[r]);
}

static void count_content(cohort_forms *f, cohort_content *content)
{
    f->n_contents++;
    f->n_places += (size_t)content->places.n;
}

static void save_content(cohort_forms *f, cohort_content *c)
{
    content_form *form = &f->contents[f->n_contents++];
    *form = (content_form){ .content = c,
                            .dtype = c->dtype,
                            .item_bytes = c->item_bytes,
                            .extents = c->extents,
                            .state = c->state,
                            .epoch = c->places.epoch.now,
                            .source_epoch = c->source_epoch,
                            .places = f->places + f->n_places };
    for (int32_t i = 0; i < c->places.n; i++)
        f->places[f->n_places++] =
            (place_form){ c->places.list[i].epoch.now, c->places.list[i].result.now };
}

static void save_value(cohort_forms *f, cohort_value *value)
{
    f->values[f->n_values++] =
        (value_form){ value, value->kind, value->number, value->plain.places.list != NULL,
                      value->components != NULL };
    each_content(f, value, save_content);
}

static void count_all(cohort_forms *f, cohort_strategy *s)
{
    for (cohort_dependent *d = s->dependents.next; d != &s->dependents; d = d->next) {
        cohort_assert(d != NULL); /* dependents are a ring */
        f->n_variables += variable_of(d) != NULL;
        f->n_values += value_of(d) != NULL;
        if (value_of(d) != NULL)
            each_content(f, value_of(d), count_content);
    }
}

static void save_all(cohort_forms *f, cohort_strategy *s)
{
    for (cohort_dependent *d = s->dependents.next; d != &s->dependents; d = d->next) {
        cohort_value *value = value_of(d);
        cohort_variable *variable = variable_of(d);
        if (value != NULL)
            save_value(f, value);
        if (variable != NULL)
            f->variables[f->n_variables++] =
                (variable_form){ variable, variable->caches.epoch.now };
    }
}

static void free_forms(cohort_forms *f)
{
    cohort_free(f->values);
    cohort_free(f->contents);
    cohort_free(f->variables);
    cohort_free(f->places);
    cohort_free(f);
}

/* Room for what was counted, and nothing in it yet. */
static bool make_room(cohort_forms *f)
{
    f->values = cohort_allocate(f->n_values + 1, sizeof *f->values);
    f->contents = cohort_allocate(f->n_contents + 1, sizeof *f->contents);
    f->variables = cohort_allocate(f->n_variables + 1, sizeof *f->variables);
    f->places = cohort_allocate(f->n_places + 1, sizeof *f->places);
    f->n_values = f->n_contents = f->n_variables = f->n_places = 0;
    return f->values != NULL && f->contents != NULL && f->variables != NULL && f->places != NULL;
}

cohort_forms *cohort_forms_save(cohort_strategy *s)
{
    cohort_forms *f = cohort_allocate(1, sizeof *f);
    if (f != NULL) {
        count_all(f, s);
        if (make_room(f)) {
            save_all(f, s);
            return f;
        }
        free_forms(f);
    }
    (void)cohort_error_memory("the trial of a program");
    return NULL;
}

/* ------------------------------------------------------------------ restore */

static void restore_content(const content_form *form)
{
    cohort_content *c = form->content;
    cohort_content_take_shape(c, form->dtype, form->item_bytes, &form->extents);
    if (form->state == COHORT_CONTENT_FILLED)
        (void)cohort_content_renew(c);
    else
        cohort_content_become(c, form->state);
    cohort_ledger_reset(&c->places.epoch, 1, form->epoch);
    c->source_epoch = form->source_epoch;
    for (int32_t i = 0; i < c->places.n; i++) {
        cohort_ledger_reset(&c->places.list[i].epoch, 1, form->places[i].epoch);
        cohort_ledger_reset(&c->places.list[i].result, 1, form->places[i].result);
    }
}

/* What the trial made first was never written. */
static void forget_content(cohort_content *c)
{
    cohort_content_become(c, COHORT_CONTENT_EMPTY);
    cohort_ledger_reset(&c->places.epoch, 1, 0);
    for (int32_t i = 0; i < c->places.n; i++)
        cohort_content_count_copy(&c->places.list[i], 0);
}

static void restore_value(const value_form *form)
{
    cohort_value *value = form->value;
    cohort_value_take_kind(value, form->kind);
    value->number = form->number;
    if (!form->has_places && value->plain.places.list != NULL)
        forget_content(&value->plain);
    for (int32_t r = 0;
         !form->has_components && value->components != NULL && r < value->strategy->n_replicas; r++)
        forget_content(&value->components[r]);
}

void cohort_forms_restore(cohort_forms *f)
{
    for (size_t i = 0; i < f->n_values; i++)
        restore_value(&f->values[i]);
    for (size_t i = 0; i < f->n_contents; i++)
        restore_content(&f->contents[i]);
    for (size_t i = 0; i < f->n_variables; i++)
        cohort_ledger_reset(&f->variables[i].variable->caches.epoch, 1, f->variables[i].epoch);
    free_forms(f);
}
