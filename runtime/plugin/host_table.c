/* SPDX-License-Identifier: BSD-3-Clause */
/* The core's services for plugins: log, settings, native calls, reductions.
 *
 * Plugins call these from any thread, also while the registry holds a lock for them, so none of
 * these functions takes a lock of the registry (registry.c). */
#include "config.h"

#include <cohort/plugin_host.h>

#include "runtime/arithmetic/reduction.h"
#include "runtime/base/log.h"
#include "runtime/base/settings.h"
#include "runtime/function/native_call.h"

#include <stdio.h>
#include <string.h>

/* One line, whatever the plugin puts into its text. */
static void write_log(void *ctx, int32_t level, const char *text)
{
    char line[1024];
    (void)ctx;
    (void)snprintf(line, sizeof line, "%s", text != NULL ? text : "");
    for (char *p = line; *p != '\0'; p++)
        if ((unsigned char)*p < ' ' || *p == 0x7f)
            *p = ' ';
    level = level < COHORT_LOG_ERROR   ? COHORT_LOG_ERROR
            : level > COHORT_LOG_DEBUG ? COHORT_LOG_DEBUG
                                       : level;
    cohort_log(COHORT_SUBSYSTEM_PLUGIN, level, "%s", line);
}

/* Only settings of Cohort's own table, so that a plugin does not read other variables by this way;
 * under AT_SECURE none is set. */
static cohort_status get_config(void *ctx, const char *key, char *out_text, uint64_t size)
{
    (void)ctx;
    if (out_text == NULL || size == 0)
        return COHORT_EINVAL;
    out_text[0] = '\0';
    const cohort_setting *setting = cohort_setting_find(key);
    const char *value = setting != NULL ? cohort_setting_value(setting) : NULL;
    if (value == NULL)
        return COHORT_ENOENT;
    if (strlen(value) >= size)
        return COHORT_EINVAL;
    memcpy(out_text, value, strlen(value) + 1);
    return COHORT_OK;
}

static cohort_status prepare_call(void *ctx, const cohort_sig *sig, cohort_call **out_call,
                                  cohort_error *err)
{
    (void)ctx;
    return cohort_call_prepare(sig, out_call, err);
}

static void call_native(void *ctx, const cohort_call *call, cohort_native_fn fn, void *const *argv,
                        void *ret)
{
    (void)ctx;
    cohort_call_native(call, fn, argv, ret);
}

static void free_call(void *ctx, cohort_call *call)
{
    (void)ctx;
    cohort_call_free(call);
}

static cohort_status reduce(void *ctx, const cohort_reduction *reduction,
                            const void *const *pointers, void *dst, uint64_t first, uint64_t count)
{
    (void)ctx;
    return cohort_reduction_run(reduction, pointers, dst, first, count);
}

const cohort_host *cohort_plugin_host(void)
{
    static const cohort_host host = { .struct_size = sizeof host,
                                      .log = write_log,
                                      .config_get = get_config,
                                      .call_prepare = prepare_call,
                                      .call_native = call_native,
                                      .call_free = free_call,
                                      .reduce_native = reduce };
    return &host;
}
