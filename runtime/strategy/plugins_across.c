/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of plugins are as a rule the same everywhere, which their digests say. Where they are not,
 * workers may have other devices; what counts are plugins that two of them have. All get all lists,
 * so that all find the same difference. */
#include "config.h"

#include "runtime/strategy/plugins_across.h"

#include "runtime/base/digest.h"
#include "runtime/base/limits.h"
#include "runtime/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ those of a worker */

static bool has(const cohort_plugins_across *p, const char *name)
{
    for (int32_t i = 0; i < p->n; i++)
        if (strcmp(p->list[i].name, name) == 0)
            return true;
    return false;
}

static void add(cohort_plugins_across *p, const cohort_plugin *plugin)
{
    cohort_plugin_across *one = &p->list[p->n];
    if (has(p, plugin->name))
        return;
    p->n++;
    (void)snprintf(one->name, sizeof one->name, "%s", plugin->name);
    (void)snprintf(one->version, sizeof one->version, "%s",
                   plugin->version != NULL ? plugin->version : "");
    one->abi_minor = plugin->abi_minor;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const cohort_plugin_across *)a)->name, ((const cohort_plugin_across *)b)->name);
}

cohort_status cohort_plugins_across_init(cohort_plugins_across *p, const cohort_strategy *s)
{
    *p = (cohort_plugins_across){ .list = cohort_allocate((size_t)s->n_devices, sizeof *p->list) };
    if (p->list == NULL)
        return cohort_error_memory("a strategy");
    for (int32_t d = 0; d < s->n_devices; d++)
        add(p, cohort_strategy_context(s, d)->device->loaded->plugin);
    qsort(p->list, (size_t)p->n, sizeof *p->list, by_name);
    p->digest =
        cohort_digest_add(COHORT_DIGEST_OF_NOTHING, p->list, (uint64_t)p->n * sizeof *p->list);
    return COHORT_OK;
}

void cohort_plugins_across_fini(cohort_plugins_across *p)
{
    cohort_free(p->list);
}

cohort_plugins_note cohort_plugins_across_note(const cohort_plugins_across *p)
{
    return (cohort_plugins_note){ p->digest, p->n };
}

/* ------------------------------------------------------------------ those of all */

static bool are_alike(const cohort_plugins_note notes[], int32_t n)
{
    for (int32_t i = 1; i < n; i++)
        if (notes[i].digest != notes[0].digest || notes[i].n != notes[0].n)
            return false;
    return true;
}

/* A number from elsewhere is no size yet. */
static cohort_status count(const cohort_workers *w, const cohort_plugins_note notes[],
                           uint64_t *out_all)
{
    *out_all = 0;
    for (int32_t i = 0; i < w->n; i++) {
        if (notes[i].n < 1 || notes[i].n > COHORT_LIMIT_DEVICES)
            return cohort_error_set(COHORT_EINCOMPATIBLE,
                                    "strategy: worker %d of %d says that its devices are those of "
                                    "%d plugins",
                                    (int)i, (int)w->n, (int)notes[i].n);
        *out_all += (uint64_t)notes[i].n;
    }
    return COHORT_OK;
}

/* Text from elsewhere has an end. */
static void close_texts(cohort_plugin_across all[], const cohort_plugins_note notes[], int32_t n)
{
    for (int32_t worker = 0; worker < n; all += notes[worker++].n)
        for (int32_t i = 0; i < notes[worker].n; i++) {
            all[i].name[sizeof all->name - 1] = '\0';
            all[i].version[sizeof all->version - 1] = '\0';
            all[i].worker = worker;
        }
}

static cohort_status gather(const cohort_plugins_across *mine, cohort_workers *w,
                            const cohort_plugins_note notes[], uint64_t bytes[],
                            cohort_plugin_across *all)
{
    uint64_t before = 0;
    for (int32_t i = 0; i < w->n; i++) {
        bytes[i] = (uint64_t)notes[i].n * sizeof *all;
        before += i < w->rank ? (uint64_t)notes[i].n : 0;
    }
    memcpy(all + before, mine->list, (size_t)mine->n * sizeof *all);
    cohort_status status = cohort_workers_meet(w, "the plugins of a strategy", "", 0);
    if (status >= 0)
        status = cohort_workers_gather(w, "strategy", all, bytes);
    if (status >= 0)
        close_texts(all, notes, w->n);
    return status;
}

static cohort_status check_pair(const cohort_plugin_across *a, const cohort_plugin_across *b,
                                int32_t n)
{
    if (strcmp(a->version, b->version) == 0 && a->abi_minor == b->abi_minor)
        return COHORT_OK;
    return cohort_error_set(COHORT_EINCOMPATIBLE,
                            "strategy: plugin '%s' is version '%s' (ABI 1.%u) on worker %d of %d, "
                            "and '%s' (ABI 1.%u) on worker %d, which may compute other bits; "
                            "install the same one for all",
                            a->name, a->version, (unsigned)a->abi_minor, (int)a->worker, (int)n,
                            b->version, (unsigned)b->abi_minor, (int)b->worker);
}

/* Each with the first one of its name, which all between them are like. */
static cohort_status check_all(const cohort_plugin_across all[], uint64_t n_all, int32_t n_workers)
{
    cohort_status status = COHORT_OK;
    for (uint64_t i = 1; i < n_all && status >= 0; i++) {
        uint64_t k = 0;
        while (strcmp(all[k].name, all[i].name) != 0)
            k++;
        status = check_pair(&all[k], &all[i], n_workers);
    }
    return status;
}

cohort_status cohort_plugins_across_compare(const cohort_plugins_across *mine, cohort_workers *w,
                                            const cohort_plugins_note notes[])
{
    uint64_t n_all = 0;
    if (are_alike(notes, w->n))
        return COHORT_OK;
    cohort_status status = count(w, notes, &n_all);
    if (status < 0)
        return status;
    uint64_t *bytes = cohort_allocate((size_t)w->n, sizeof *bytes);
    cohort_plugin_across *all = cohort_allocate((size_t)n_all, sizeof *all);
    status = bytes != NULL && all != NULL ? gather(mine, w, notes, bytes, all)
                                          : cohort_error_memory("a strategy");
    if (status >= 0)
        status = check_all(all, n_all, w->n);
    cohort_free(bytes);
    cohort_messages_give(&w->messages, all, cohort_free);
    return status;
}
