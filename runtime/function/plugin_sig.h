/* SPDX-License-Identifier: BSD-3-Clause */
/* Sigs: what device plugins see of a signature. */
#ifndef COHORT_FUNCTION_PLUGIN_SIG_H
#define COHORT_FUNCTION_PLUGIN_SIG_H

#include "runtime/function/signature.h"
#include "runtime/function/types.h"

/* Fill sig, item_sig and kernel_sig of a signature that is complete but for them; out_type_names:
 * of sig.types. All that they point to is in the arena. COHORT_ENOMEM. */
cohort_status cohort_plugin_sig_describe(cohort_arena *arena, const cohort_types *types,
                                         cohort_signature *signature,
                                         const char *const **out_type_names);

#endif
