/* SPDX-License-Identifier: BSD-3-Clause */
/* The gate of a plugin: open until an answer shows that the plugin cannot be relied on, then shut
 * for good.
 *
 * The reason is written once, before is_set is stored with release; who finds is_set (acquire)
 * reads the reason without a lock, and it never changes again. The lock only makes the first of
 * several threads the one that writes. */
#include "config.h"

#include "runtime/plugin/gate.h"

#include "runtime/base/assert.h"
#include "runtime/base/error.h"
#include "runtime/base/log.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* held while a reason is written */

/* Keep what the slot says, unless there is a reason already. */
static void keep_reason(cohort_refusal *refusal)
{
    pthread_mutex_lock(&lock);
    bool is_first = !atomic_load_explicit(&refusal->is_set, memory_order_relaxed);
    if (is_first) {
        (void)snprintf(refusal->text, sizeof refusal->text, "%s", cohort_error_slot());
        atomic_store_explicit(&refusal->is_set, true, memory_order_release);
    }
    pthread_mutex_unlock(&lock);
    /* without the lock: the program's callback may come back with another call */
    if (is_first)
        cohort_log(COHORT_SUBSYSTEM_PLUGIN, COHORT_LOG_ERROR, "%s", refusal->text);
}

const char *cohort_gate_reason(const cohort_loaded *loaded)
{
    cohort_assert(cohort_gate_is_shut(loaded)); /* a text that is set does not change any more */
    return loaded->refusal->text;
}

cohort_status cohort_gate_tell(const cohort_loaded *loaded)
{
    return cohort_error_set(COHORT_ELOST, "%s", loaded->refusal->text);
}

cohort_status cohort_gate_shut(const cohort_loaded *loaded, const char *operation,
                               const char *expected, const char *format, ...)
{
    char answered[256];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(answered, sizeof answered, format, arguments);
    va_end(arguments);
    (void)cohort_error_set(
        COHORT_ELOST, "%s of plugin '%s' answered %s; expected %s; the plugin is not used any more",
        operation, loaded->name, answered, expected);
    keep_reason(loaded->refusal);
    return COHORT_ELOST;
}

cohort_status cohort_gate_shut_status(const cohort_loaded *loaded, const char *operation,
                                      cohort_status status)
{
    return cohort_gate_shut(
        loaded, operation, "COHORT_OK, or an error of cohort/codes.h", "%d (%s)", status,
        cohort_error_is_status(status) ? cohort_status_name(status) : "no status");
}

/* ---- What a device claims. */

static const struct claim {
    uint64_t cap;
    const char *name;
    cohort_slot_id needs;
} claims[] = {
    { COHORT_CAP_HOST_VISIBLE, "COHORT_CAP_HOST_VISIBLE", COHORT_SLOT_HOST_PTR },
    { COHORT_CAP_UNIFIED, "COHORT_CAP_UNIFIED", COHORT_SLOT_IMPORT },
    { COHORT_CAP_WIDE_MEAN, "COHORT_CAP_WIDE_MEAN", COHORT_SLOT_REDUCE },
};

cohort_status cohort_gate_check_caps(const cohort_ops *ops, const cohort_device_info *info,
                                     uint32_t index)
{
    for (size_t i = 0; i < sizeof claims / sizeof *claims; i++)
        if ((info->caps & claims[i].cap) != 0 && !cohort_slot_is_there(ops, claims[i].needs))
            return cohort_error_set(
                COHORT_EINVAL,
                "device %u: it claims %s, and its plugin has no operation %s; expected both, or "
                "neither",
                index, claims[i].name, cohort_slot_table[claims[i].needs].name);
    return COHORT_OK;
}
