/* SPDX-License-Identifier: BSD-3-Clause */
/* Placing: the buffers that one launch reads and writes. Everything was prepared, so nothing fails
 * here; what has to move to the device is posted on the way. */
#include "config.h"

#include "runtime/call/place.h"

#include "runtime/call/cut.h"

static void shape_output(cohort_content *content, const cohort_parameter *p,
                         const cohort_extents *extents)
{
    cohort_content_take_shape(content, cohort_parameter_array_dtype(p->type), p->bytes, extents);
}

/* The component that a launch writes by this array, with its shape. Becoming per replica changes
 * nothing from the second launch of a call on (value.h). An output that is read as well keeps its
 * shape. */
static cohort_content *take_output(cohort_binding *b, const cohort_bound_array *a, int32_t launch)
{
    cohort_content *content = &a->value->components[b->first + launch];
    cohort_value_become_per_replica(a->value);
    if (!cohort_parameter_is_read(a->parameter))
        shape_output(content, a->parameter, &b->bounds[launch].arrays[a->at]);
    return content;
}

static cohort_content *take_result(cohort_binding *b, int32_t launch)
{
    const cohort_signature *s = b->signature;
    cohort_content *content = &b->result->components[b->first + launch];
    cohort_value_become_per_replica(b->result);
    cohort_content_take_shape(content, cohort_parameter_array_dtype(s->result_type),
                              s->result_bytes, &(cohort_extents){ .rank = 0 });
    return content;
}

static cohort_buffer *place_output(cohort_binding *b, const cohort_bound_array *a, int32_t launch,
                                   int32_t device)
{
    cohort_content *content = take_output(b, a, launch);
    return cohort_content_place_write(content, b->strategy->executor, device,
                                      cohort_content_bytes(content),
                                      cohort_parameter_is_read(a->parameter));
}

/* Of a replica that its share gets launched without a component of this value, which stays
 * absent. */
static cohort_buffer *place_nothing(const cohort_binding *b, cohort_content *content,
                                    int32_t device)
{
    cohort_buffer *buffer =
        cohort_content_place_write(content, b->strategy->executor, device, 0, false);
    cohort_content_become(content, COHORT_CONTENT_ABSENT);
    return buffer;
}

static cohort_buffer *place_input(const cohort_binding *b, const cohort_bound_array *a,
                                  int32_t launch, int32_t device)
{
    int32_t replica = cohort_binding_replica(b, launch);
    if (cohort_cut_has(b, a))
        return cohort_cut_place(b, a, launch);
    if (a->variable != NULL)
        return cohort_variable_place_read(a->variable, replica, device);
    cohort_content *content = cohort_value_content(a->value, replica);
    return content->state == COHORT_CONTENT_ABSENT
               ? place_nothing(b, content, device)
               : cohort_content_place_read(content, b->strategy->executor, device);
}

/* Inputs are placed first: placing an output makes every other copy of that content stale, from
 * which an input that is the same value might still have to be brought. */
int32_t cohort_place_all(cohort_binding *b, int32_t launch, int32_t device, cohort_use uses[])
{
    for (int32_t i = 0; i < b->n_arrays; i++)
        if (b->arrays[i].mode == COHORT_USE_READ)
            uses[i] = (cohort_use){ COHORT_USE_READ, place_input(b, &b->arrays[i], launch, device),
                                    NULL };
    for (int32_t i = 0; i < b->n_arrays; i++)
        if (b->arrays[i].mode == COHORT_USE_WRITE && b->arrays[i].value != NULL)
            uses[i] = (cohort_use){ COHORT_USE_WRITE,
                                    place_output(b, &b->arrays[i], launch, device), NULL };
    if (b->result == NULL)
        return b->n_arrays;
    uses[b->n_arrays] =
        (cohort_use){ COHORT_USE_WRITE,
                      cohort_content_place_write(take_result(b, launch), b->strategy->executor,
                                                 device, b->signature->result_bytes, false),
                      NULL };
    return b->n_arrays + 1;
}

void cohort_place_absent(cohort_binding *b, int32_t launch)
{
    for (int32_t i = 0; i < b->n_arrays; i++)
        if (b->arrays[i].mode == COHORT_USE_WRITE && b->arrays[i].value != NULL)
            cohort_content_become(take_output(b, &b->arrays[i], launch), COHORT_CONTENT_ABSENT);
    if (b->result != NULL)
        cohort_content_become(take_result(b, launch), COHORT_CONTENT_ABSENT);
}

void cohort_place_foresee(cohort_binding *b, int32_t launch)
{
    int32_t device = cohort_binding_device(b, launch);
    for (int32_t i = 0; i < b->n_arrays; i++)
        if (b->arrays[i].mode == COHORT_USE_WRITE && b->arrays[i].value != NULL)
            cohort_content_foresee(take_output(b, &b->arrays[i], launch), device);
    if (b->result != NULL)
        cohort_content_foresee(take_result(b, launch), device);
}
