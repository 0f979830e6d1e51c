/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/run/rollback_words.h"

#include "runtime/function/signature.h"
#include "runtime/operation/launch.h"

/* Has a content to go on with. */
static bool is_kept(const cohort_parameter *p)
{
    return cohort_parameter_is_array(p) && cohort_parameter_is_written(p) &&
           cohort_parameter_is_read(p);
}

/* As call/plain_update.c chooses. NULL: no array is copied by itself. */
static const char *why_apart(const cohort_signature *s)
{
    for (int32_t i = 0; i < s->n_parameters; i++)
        if (is_kept(&s->parameters[i]) && s->own_axes[i] == 0)
            return s->item == NULL ? "the function is no body of items" : s->apart[i];
    return NULL;
}

static bool keeps_any(const cohort_signature *s)
{
    bool keeps = false;
    for (int32_t i = 0; i < s->n_parameters && !keeps; i++)
        keeps = is_kept(&s->parameters[i]);
    return keeps;
}

/* The device of the first store that is not done in slices; NULL: there is none. */
static const char *find_team(const cohort_strategy *strategy, const cohort_variable *v)
{
    for (int32_t i = 0; i < v->n_stores; i++) {
        const cohort_context *context = cohort_strategy_context(strategy, v->stores[i].device);
        if (!cohort_launch_may_slice(context, v->stores[i].bytes))
            return context->device->id;
    }
    return NULL;
}

void cohort_rollback_describe(const cohort_strategy *strategy, const cohort_variable *v,
                              const cohort_function *function, FILE *out)
{
    const cohort_signature *s = cohort_signature_of(function);
    if (s == NULL || v->remote != NULL || cohort_variable_is_in_place(v) || !keeps_any(s))
        return;
    const char *team = find_team(strategy, v), *why = why_apart(s);
    if (why != NULL)
        (void)fprintf(out, ", copied by itself for a rollback: %s", why);
    else if (team != NULL)
        (void)fprintf(out, ", copied by itself for a rollback: %s is no single core of the host",
                      team);
}
