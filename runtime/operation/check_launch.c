/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/operation/check_launch.h"

#include "runtime/base/callback.h"
#include "runtime/operation/check_body.h"
#include "runtime/operation/check_twin.h"

/* The body of a launch that is checked runs several times, and what it wrote counts when nothing
 * was found: until then a variable that is written in place is as it was. */
static cohort_status do_checked(cohort_lane *lane, cohort_op *op)
{
    cohort_launch_op *l = (cohort_launch_op *)op;
    const cohort_executable *b = l->executable;
    void *argv[COHORT_MAX_ARGS];
    int64_t items[COHORT_ITEM_WORDS];
    bool writes;
    cohort_launch launch;
    cohort_launch_fill_call(l, l->slots, op->number, items, argv, &launch);
    cohort_callback body;
    body.running = cohort_launch_running(l);
    cohort_callback_begin_body(&body, lane->failure);
    cohort_status status = cohort_check_launch(l, l->slots, cohort_launch_commits(b, l->slots),
                                               &launch, items, &writes);
    status = cohort_callback_end(&body, status);
    if (writes)
        cohort_launch_mark_begun(l, l->slots);
    const cohort_buffer *result = *cohort_launch_slot_of_array(b, l->slots, b->n_arrays);
    if (status >= 0 && b->returns_value && result != NULL)
        status = cohort_context_write(b->context, result->mem, 0, launch.ret,
                                      b->signature->result_bytes, NULL);
    return status < 0 ? cohort_launch_say_who(l, NULL, status) : COHORT_OK;
}

/* A verdict that is none of success: it has written nothing. */
static cohort_status end_checked(cohort_op *op, cohort_status status)
{
    cohort_launch_op *l = (cohort_launch_op *)op;
    status = cohort_launch_end(l, l->slots, status, false);
    return status < 0 && status != COHORT_EAGAIN && op->status >= 0
               ? cohort_launch_say_who(l, NULL, status)
               : status;
}

/* What is checked is over when it was done. */
void cohort_check_launches(cohort_executable *executable, const cohort_function *function)
{
    executable->run = do_checked;
    executable->end = end_checked;
    executable->flags = 0;
    cohort_launch_begin(executable->draft, executable);
    executable->twin = cohort_twin_create(executable, function);
    executable->free_twin = cohort_twin_destroy;
}
