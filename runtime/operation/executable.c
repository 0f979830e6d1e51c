/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/operation/executable.h"

#include "runtime/base/memory.h"

void cohort_executable_free(cohort_executable *executable)
{
    if (executable->twin != NULL)
        executable->free_twin(executable->twin);
    cohort_geometry_fini(&executable->geometry);
    cohort_signature_release(executable->signature);
    cohort_free(executable->entry);
    cohort_free(executable->data);
    cohort_free(cohort_memory_own(executable->code.format));
    cohort_free(cohort_memory_own(executable->code.options));
    cohort_free(executable->draft);
    cohort_free(executable);
}

cohort_status cohort_executable_prepare_dropped(cohort_executable *executable,
                                                cohort_executor *executor)
{
    if (executable->writes_result && executable->dropped == NULL)
        executable->dropped = cohort_buffer_create(executor, executable->context);
    return executable->writes_result && executable->dropped == NULL ? COHORT_ENOMEM : COHORT_OK;
}

/* After a failure the runner is idle: whether there is a kernel says whether the build has
 * happened. One that was given up may be in it still, and nobody asks for its kernels. */
void cohort_executable_settle(cohort_executable *executable)
{
    if (cohort_context_is_lost(executable->context))
        return;
    executable->is_posted = executable->kernel != NULL;
}
