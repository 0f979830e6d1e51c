/* SPDX-License-Identifier: BSD-3-Clause */
/* An error and its text, for another time or thread: the error slot belongs to the thread that
 * met the error, and the next call may overwrite it. */
#include "config.h"

#include "runtime/data/dataset/fault.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"

/* Without memory for the text the status is what is left, and cohort_fault_tell says that. */
cohort_status cohort_fault_note(cohort_fault *fault, cohort_status status, bool can_go_on)
{
    cohort_fault_forget(fault);
    fault->status = status;
    fault->can_go_on = can_go_on;
    fault->text = cohort_string_copy(cohort_error_slot());
    return status;
}

cohort_status cohort_fault_tell(const cohort_fault *fault)
{
    if (fault->text == NULL)
        return cohort_error_set(fault->status, "an element of a dataset: %s",
                                cohort_status_text(fault->status));
    return cohort_error_set(fault->status, "%s", fault->text);
}

void cohort_fault_forget(cohort_fault *fault)
{
    cohort_free(fault->text);
    *fault = (cohort_fault){ 0 };
}
