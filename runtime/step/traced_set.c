/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/step/traced_set.h"

#include "runtime/base/dtype.h"
#include "runtime/operation/ledger.h"
#include "runtime/operation/transfer.h"
#include "runtime/step/contribution.h"

static cohort_status plan(cohort_strategy *s, const cohort_rendezvous *rendezvous,
                          void *const all[])
{
    cohort_value *value = rendezvous->values[0];
    cohort_status status = cohort_contribution_prepare_components(value);
    if (status < 0)
        return status;
    cohort_ledger_say_repeatable(s->executor);
    cohort_value_become_per_replica(value);
    for (int32_t r = 0; r < s->n_replicas; r++) {
        cohort_content *c = &value->components[r];
        cohort_content_take_shape(c, COHORT_F64, cohort_dtype_bytes(COHORT_F64),
                                  &(cohort_extents){ .rank = 0 });
        cohort_buffer *into = cohort_value_start_content(s, c, cohort_value_device(value, r));
        if (into != NULL)
            cohort_transfer_upload_copy(into, 0, all[r], sizeof(double), "a value");
    }
    return COHORT_OK;
}

static cohort_status keep(cohort_recorder *recorder, cohort_rendezvous *rendezvous, void *all[])
{
    return cohort_trace_keep_each(recorder, rendezvous->call, all, sizeof(double), NULL);
}

cohort_status cohort_traced_set_meet(cohort_replica *me, cohort_value *value, double number)
{
    static const cohort_traced traced = { .keep = keep };
    return cohort_stage_meet(me, &(cohort_rendezvous){ .call = "cohort_replica_set",
                                                       .n = 1,
                                                       .values = &value,
                                                       .mine = &number,
                                                       .plan = plan,
                                                       .traced = &traced });
}
