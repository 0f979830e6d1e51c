/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort_reduce_with: several axes and weights are a plan of runtime/reduce; a function is launched
 * along the tree. */
#include "config.h"

#include "runtime/call/combine.h"
#include "runtime/function/parsed.h"
#include "runtime/reduce/reduce.h"

#include <cohort/reduce.h>

static const char call[] = "cohort_reduce_with";

/* Reserved members are refused unless they are zero, so that a later version can give them a
 * meaning. */
static cohort_status check_options(cohort_reduce_op op, const cohort_reduce_options *o,
                                   const cohort_value *into)
{
    for (size_t i = 0; i < sizeof o->reserved / sizeof *o->reserved; i++)
        if (o->reserved[i] != NULL)
            return cohort_error_set(COHORT_EINVAL, "%s: reserved[%zu] of the options is not zero",
                                    call, i);
    if (o->n_axes < 0 || (o->n_axes > 0 && o->axes == NULL))
        return cohort_error_set(COHORT_EINVAL, "%s: %d axes%s", call, o->n_axes,
                                o->n_axes > 0 ? ", list NULL" : "");
    if (o->weights != NULL && o->weights == into)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: the weights are the value to fill; give it another one", call);
    if (o->combine != NULL && (op != 0 || o->n_axes > 0 || o->weights != NULL))
        return cohort_error_set(
            COHORT_EINVAL, "%s: a function that combines stands alone: op 0, no axes, no weights",
            call);
    return COHORT_OK;
}

typedef struct with_request {
    cohort_reduce_op op;
    cohort_argument x;
    cohort_contributes contributes;
    cohort_reduce_options options;
    cohort_value *into;
} with_request;

static cohort_status reduce_with(const with_request *r)
{
    const cohort_reduce_options *o = &r->options;
    cohort_status status = check_options(r->op, o, r->into);
    if (status < 0)
        return status;
    if (o->combine != NULL)
        return cohort_combine_into(call, o->combine, &r->x, r->contributes, r->into);
    const cohort_reduce_request request = { r->op,     r->x,       o->axes,
                                            o->n_axes, o->weights, r->contributes };
    return cohort_reduce_into(call, &request, r->into);
}

static cohort_status keep(cohort_recorder *recorder, const char *name, void *request)
{
    with_request *r = request;
    cohort_reduce_options *o = &r->options;
    cohort_status status = cohort_reduce_keep(recorder, name, &r->x, r->into);
    if (status >= 0)
        status = check_options(r->op, o, r->into);
    if (status >= 0 && o->weights != NULL)
        status = cohort_operand_keep_value(recorder, name, o->weights, "the value of the weights");
    if (status >= 0 && o->combine != NULL)
        status = cohort_parsed_check(o->combine, name);
    if (status < 0)
        return status;
    o->axes = cohort_recorder_copy(recorder, o->axes, (size_t)o->n_axes, sizeof *o->axes);
    return o->axes != NULL || o->n_axes == 0 ? COHORT_OK : COHORT_ENOMEM;
}

static cohort_status run(cohort_strategy *strategy, const void *request)
{
    (void)strategy;
    return reduce_with(request);
}

cohort_status cohort_reduce_with_argument(cohort_reduce_op op, cohort_argument x,
                                          const cohort_reduce_options *options, cohort_value *into)
{
    static const cohort_recordable recordable = { .bytes = sizeof(with_request),
                                                  .keep = keep,
                                                  .run = run,
                                                  .describe = cohort_reduce_describe_home };
    static const cohort_reduce_options defaults;
    const cohort_contributes contributes = cohort_reduce_unwrap(&x);
    const with_request request = { op, x, contributes, options != NULL ? *options : defaults,
                                   into };
    return cohort_reduce_make(into, &x, call, &recordable, &request);
}
