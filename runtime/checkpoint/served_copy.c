/* SPDX-License-Identifier: BSD-3-Clause */
/* Each look asks for the versions of all variables, and gets those that have changed since the look
 * before. A look that gets nothing has found, after it began, what the looks before had got until
 * then: versions only grow, so all of it was there together when the look began.
 *
 * Source: the double collect of Afek et al., Atomic Snapshots of Shared Memory, J. ACM 40, 1993. */
#include "config.h"

#include "runtime/checkpoint/served_copy.h"

#include "runtime/base/byte_order.h"
#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/base/thread.h"
#include "runtime/data/format/elements.h"
#include "runtime/value/remote.h"

static const char call[] = "saving";

/* Others are looked at so often at least, however long a look takes; and for so long where they are
 * waited for without end. */
enum { LOOKS = 4 };
#define LOOKS_NS INT64_C(15000000000)

static const cohort_source_of_tensor *source_at(const cohort_state_copy *copy, size_t i)
{
    return &copy->plan.sources[copy->plan.layout.tensors[i].index];
}

bool cohort_served_has(const cohort_source_of_tensor *source)
{
    return source->item->variable != NULL && source->item->variable->remote != NULL;
}

static size_t count_shards(const cohort_state_copy *copy)
{
    size_t n = 0;
    for (size_t i = 0; i < copy->plan.layout.n; i++)
        if (cohort_served_has(source_at(copy, i)))
            n += (size_t)source_at(copy, i)->item->variable->remote->n;
    return n;
}

static cohort_status look(const cohort_state_copy *copy, uint64_t versions[], bool *out_has_come)
{
    cohort_status status = COHORT_OK;
    *out_has_come = false;
    for (size_t i = 0; i < copy->plan.layout.n && status >= 0; i++) {
        if (!cohort_served_has(source_at(copy, i)))
            continue;
        cohort_variable *v = source_at(copy, i)->item->variable;
        bool has_come;
        status = cohort_remote_look(v, versions, copy->copies[i], call, &has_come);
        *out_has_come = *out_has_come || has_come;
        versions += v->remote->n;
    }
    return status;
}

static cohort_status look_until_still(const cohort_state_copy *copy, uint64_t versions[],
                                      int64_t limit_ns)
{
    const int64_t start = cohort_clock_ns();
    bool has_come = true;
    cohort_status status = COHORT_OK;
    for (int i = 0; status >= 0 && has_come; i++) {
        if (i >= LOOKS && cohort_clock_ns() - start >= limit_ns)
            break;
        status = look(copy, versions, &has_come);
    }
    if (status >= 0 && has_come)
        status = cohort_error_set(COHORT_EAGAIN,
                                  "other workers have written to the parameter servers all the "
                                  "time for %g s, so that nothing that was read is of one instant; "
                                  "let them wait while this one saves",
                                  (double)limit_ns / 1e9);
    return status;
}

static void arrange(const cohort_state_copy *copy)
{
    for (size_t i = 0; i < copy->plan.layout.n && !cohort_byte_order_is_little(); i++) {
        const cohort_source_of_tensor *source = source_at(copy, i);
        cohort_dtype dtype = cohort_item_form_of(source->item).dtype;
        if (cohort_served_has(source) && cohort_dtype_kind(dtype) != 'V')
            cohort_elements_arrange(copy->copies[i], copy->plan.layout.tensors[i].bytes, dtype,
                                    true);
    }
}

cohort_status cohort_served_copy_take(cohort_state_copy *copy, cohort_servers *servers)
{
    const int64_t limit_ns = servers->messages.limit_ns / 4;
    uint64_t *versions = cohort_allocate(count_shards(copy), sizeof *versions);
    if (versions == NULL)
        return cohort_error_memory("the copy of a checkpoint");
    cohort_status status = look_until_still(copy, versions, limit_ns > 0 ? limit_ns : LOOKS_NS);
    cohort_free(versions);
    if (status >= 0)
        arrange(copy);
    return status;
}
