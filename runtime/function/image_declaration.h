/* SPDX-License-Identifier: BSD-3-Clause */
/* The declaration of an image or a sampler: declaration.h of parameters that only kernels have. */
#ifndef COHORT_FUNCTION_IMAGE_DECLARATION_H
#define COHORT_FUNCTION_IMAGE_DECLARATION_H

#include "runtime/function/declaration.h"

/* The role of a parameter that is an image or a sampler, or has words of one; *out_is: it has, else
 * nothing was done. COHORT_EINVAL, with a caret under the name: its words contradict each other. */
cohort_status cohort_image_declaration_assign_role(cohort_declaration *d, bool *out_is);

#endif
