/* SPDX-License-Identifier: BSD-3-Clause */
/* The devices of a strategy: those of its replicas first, then those on which only variables live.
 *
 * A device that is in both lists stands once. Places in the list are the numbers of devices that
 * everything else in the strategy uses. */
#include "config.h"

#include "runtime/strategy/device_list.h"

#include "runtime/base/memory.h"

#include <string.h>

/* Where variables of a kind live when the options do not say, if there are several replicas'
 * devices; a kind that is not listed has them where replicas are. */
typedef struct default_row {
    const char *kind, *parameters;
} default_row;
static const default_row defaults[] = { { "central", "host" } };

static const char *default_parameters(const cohort_device_list *list, const char *kind)
{
    for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++)
        if (list->n_hosts > 1 && strcmp(defaults[i].kind, kind) == 0)
            return defaults[i].parameters;
    return NULL;
}

static bool is_whole(const cohort_device *device)
{
    return device->parts == 1;
}

/* The place of a device in the list; -1: it is not there. A whole device that was only meant by
 * default is found in a part of it too, which has the same memory: host:0 would else be opened
 * beside its own parts. */
static int32_t find(const cohort_device_list *list, const cohort_device *device, bool is_default)
{
    for (int32_t i = 0; i < list->n; i++)
        if (list->devices[i] == device)
            return i;
    for (int32_t i = 0; i < list->n && is_default && is_whole(device); i++)
        if (list->devices[i]->loaded == device->loaded && list->devices[i]->index == device->index)
            return i;
    return -1;
}

static cohort_status add_parameters(cohort_device_list *list, const cohort_device *const wanted[],
                                    int32_t n, bool is_default)
{
    const cohort_device **all = cohort_allocate((size_t)list->n + (size_t)n, sizeof *all);
    list->parameters = cohort_allocate((size_t)n, sizeof *list->parameters);
    if (all == NULL || list->parameters == NULL) {
        cohort_free(all);
        return cohort_error_memory("a strategy");
    }
    memcpy(all, list->devices, (size_t)list->n * sizeof *all);
    cohort_free(list->devices);
    list->devices = all;
    for (int32_t i = 0; i < n; i++) {
        int32_t at = find(list, wanted[i], is_default);
        if (at < 0)
            list->devices[at = list->n++] = wanted[i];
        list->parameters[list->n_parameters++] = at;
    }
    return COHORT_OK;
}

static cohort_status choose_parameters(cohort_device_list *list, const char *text, bool is_default)
{
    const cohort_device **wanted = NULL;
    int n = 0;
    cohort_status status = cohort_registry_select(text, &wanted, &n);
    if (status >= 0)
        status = add_parameters(list, wanted, is_default ? 1 : n, is_default);
    else
        status = cohort_error_prefix(status, "parameter devices");
    cohort_free(wanted);
    return status;
}

/* From the order of replicas to that of logical devices. */
static cohort_status lay_out(cohort_device_list *list, int32_t n_logical)
{
    int32_t n = list->n_hosts, each = n / n_logical;
    if (n % n_logical != 0)
        return cohort_error_set(COHORT_EINVAL,
                                "strategy: %d device%s for replicas of %d logical devices each; "
                                "the devices are divisible by that",
                                n, n == 1 ? "" : "s", n_logical);
    const cohort_device **laid = cohort_allocate((size_t)n, sizeof *laid);
    if (laid == NULL)
        return cohort_error_memory("a strategy");
    for (int32_t i = 0; i < n; i++)
        laid[i % n_logical * each + i / n_logical] = list->devices[i];
    memcpy(list->devices, laid, (size_t)n * sizeof *laid);
    cohort_free(laid);
    return COHORT_OK;
}

/* Variables live where replicas are. */
static cohort_status take_hosts(cohort_device_list *list)
{
    list->has_own_parameters = true;
    list->parameters = cohort_allocate((size_t)list->n_hosts, sizeof *list->parameters);
    if (list->parameters == NULL)
        return cohort_error_memory("a strategy");
    for (int32_t i = 0; i < list->n_hosts; i++)
        list->parameters[list->n_parameters++] = i;
    return COHORT_OK;
}

cohort_status cohort_device_list_choose(cohort_device_list *list, const char *hosts,
                                        const char *parameters, int32_t n_logical, const char *kind)
{
    memset(list, 0, sizeof *list);
    int n = 0;
    cohort_status status = cohort_registry_select(hosts, &list->devices, &n);
    if (status < 0)
        return status;
    list->n = list->n_hosts = n;
    status = lay_out(list, n_logical);
    if (status < 0)
        return status;
    const char *text = parameters != NULL ? parameters : default_parameters(list, kind);
    return text != NULL ? choose_parameters(list, text, parameters == NULL) : take_hosts(list);
}

cohort_status cohort_device_list_take(cohort_device_list *list, const cohort_device *const hosts[],
                                      int32_t n, int32_t n_logical)
{
    memset(list, 0, sizeof *list);
    list->devices = cohort_allocate((size_t)n, sizeof *list->devices);
    if (list->devices == NULL)
        return cohort_error_memory("a strategy");
    memcpy(list->devices, hosts, (size_t)n * sizeof *hosts);
    list->n = list->n_hosts = n;
    cohort_status status = lay_out(list, n_logical);
    return status < 0 ? status : take_hosts(list);
}

void cohort_device_list_free(cohort_device_list *list)
{
    cohort_free(list->devices);
    cohort_free(list->parameters);
    memset(list, 0, sizeof *list);
}
