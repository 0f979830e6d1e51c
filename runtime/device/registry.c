/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/device/registry.h"

#include "runtime/base/error.h"
#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/device/elf.h"
#include "runtime/device/enumerate.h"
#include "runtime/device/guard.h"
#include "runtime/device/inventory.h"
#include "runtime/device/plugin.h"
#include "runtime/device/search.h"
#include "runtime/device/text.h"
#include "runtime/device/trust.h"
#include "runtime/device/unused.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct file_id {
    uint64_t device, inode;
} file_id;

/* The only global state of the library. Plugins are asked for their devices while the lock is held: log and config_get
 * do not take it. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static cohort_inventory inventory; /* held: lock, and all below */
static bool is_filled;
static file_id *tried;
static size_t tried_capacity, tried_count;

/* ---- One file. */

static bool was_tried(const cohort_trust *file)
{
    for (size_t i = 0; i < tried_count; i++)
        if (tried[i].device == file->device && tried[i].inode == file->inode)
            return true;
    return false;
}

static cohort_status remember(const cohort_trust *file)
{
    if (was_tried(file))
        return COHORT_OK;
    if (!cohort_grow((void **)&tried, &tried_capacity, tried_count + 1, sizeof *tried))
        return cohort_error_memory("the plugin files");
    tried[tried_count++] = (file_id){ file->device, file->inode };
    return COHORT_OK;
}

static cohort_status add_plugin(cohort_loaded *loaded, const cohort_device_info *infos, uint32_t n)
{
    if (!cohort_grow((void **)&inventory.loaded, &inventory.loaded_capacity, inventory.loaded_count + 1,
                     sizeof *inventory.loaded))
        return cohort_error_memory("the plugins");
    cohort_status st = cohort_inventory_add(&inventory, loaded, infos, n);
    if (st >= 0)
        inventory.loaded[inventory.loaded_count++] = loaded;
    return st;
}

/* The reason is in the thread's error slot. */
static void note_unused(const char *candidate, const char *name, const char *fix)
{
    cohort_unused_add(&inventory.unused, candidate, name, fix);
}

static cohort_status open_and_ask(const char *name, cohort_trust *file)
{
    cohort_loaded *loaded = NULL;
    cohort_device_info *infos = NULL;
    uint32_t n = 0;
    cohort_status st = cohort_plugin_open(file->real_path, name, file->fix, sizeof file->fix, &loaded);
    if (st >= 0 && loaded->plugin->ops != NULL)
        st = cohort_enumerate(loaded, &infos, &n);
    if (st >= 0)
        st = add_plugin(loaded, infos, n);
    if (st >= 0 && loaded->plugin->ops != NULL)
        cohort_enumerate_unused(loaded, note_unused);
    if (st < 0)
        cohort_plugin_discard(loaded);
    cohort_free(infos);
    return st;
}

static cohort_status load_guarded(const char *name, cohort_trust *file)
{
    cohort_process_guard guard;
    cohort_guard_enter(&guard);
    cohort_status st = open_and_ask(name, file);
    cohort_guard_leave(&guard, file->real_path);
    return st;
}

static cohort_status check_not_loaded(const char *name)
{
    const cohort_loaded *there = cohort_inventory_plugin(&inventory, name);
    if (there == NULL)
        return COHORT_OK;
    return cohort_error_set(COHORT_EINVAL, "plugin '%s' is already loaded from %s", name, there->file);
}

/* A file that is open and trusted. */
static cohort_status load_opened(const char *name, cohort_trust *file)
{
    cohort_status st = remember(file);
    if (st >= 0)
        st = check_not_loaded(name);
    if (st >= 0)
        st = cohort_elf_check(file->fd, file->bytes);
    return st < 0 ? st : load_guarded(name, file);
}

/* Check, open and ask one candidate. In a search a file that was tried is passed over without a word. */
static cohort_status load_candidate(const char *path, bool is_search, char *name, cohort_trust *file)
{
    file->fix[0] = '\0';
    cohort_status st = cohort_search_name(path, name);
    if (st < 0 || (st = cohort_search_filter(name)) < 0 || (st = cohort_trust_open(path, file)) < 0)
        return st;
    if (!is_search || !was_tried(file))
        st = load_opened(name, file);
    (void)close(file->fd);
    return st;
}

static cohort_status load(const char *path, bool is_search)
{
    char name[COHORT_SEARCH_NAME_BYTES];
    cohort_trust file;
    cohort_status st = load_candidate(path, is_search, name, &file);
    if (st < 0)
        cohort_unused_add(&inventory.unused, path, name, file.fix);
    return st;
}

/* ---- The search. */

static void on_found(void *user, const char *file)
{
    (void)user;
    (void)load(file, true);
}

static void on_ignored(void *user, const char *place, const char *fix)
{
    (void)user;
    cohort_unused_add(&inventory.unused, place, "", fix);
}

/* What plugins do wrong is in the list of unused ones, and no error of the call that needed devices. */
static void fill(void)
{
    static const cohort_search search = { on_found, on_ignored, NULL };
    char text[COHORT_ERROR_BYTES];
    (void)snprintf(text, sizeof text, "%s", cohort_error_text());
    cohort_search_run(&search);
    (void)cohort_error_set(COHORT_OK, "%s", text);
    is_filled = true;
}

cohort_inventory *cohort_registry_acquire(void)
{
    pthread_mutex_lock(&lock);
    if (!is_filled)
        fill();
    return &inventory;
}

void cohort_registry_release(void)
{
    pthread_mutex_unlock(&lock);
}

/* ---- The public interface. */

static cohort_status load_explicit(const char *file)
{
    char name[COHORT_SEARCH_NAME_BYTES];
    cohort_status st = load(file, false);
    bool is_there = cohort_search_name(file, name) >= 0 && cohort_inventory_plugin(&inventory, name) != NULL;
    if (st < 0)
        (void)cohort_error_prefix(st, "%s", file);
    return is_there ? COHORT_OK : st;
}

cohort_status cohort_plugin_load(const char *file)
{
    cohort_status st = cohort_error_if_forked();
    if (st < 0)
        return st;
    if (file == NULL || file[0] != '/')
        return cohort_error_set(COHORT_EINVAL, "cohort_plugin_load: '%s' is not an absolute path",
                                file != NULL ? file : "NULL");
    pthread_mutex_lock(&lock);
    st = load_explicit(file);
    pthread_mutex_unlock(&lock);
    return st;
}

const cohort_device *cohort_device_next(const cohort_device *previous)
{
    if (cohort_error_if_forked() < 0)
        return NULL;
    const cohort_inventory *held = cohort_registry_acquire();
    const cohort_node *node = previous != NULL ? ((const cohort_node *)previous)->whole->next : held->devices;
    cohort_registry_release();
    return node != NULL ? &node->device : NULL;
}

const cohort_unused *cohort_unused_next(const cohort_unused *previous)
{
    if (cohort_error_if_forked() < 0)
        return NULL;
    const cohort_inventory *held = cohort_registry_acquire();
    const cohort_unused *next = previous != NULL ? previous->next : held->unused;
    cohort_registry_release();
    return next;
}

int cohort_registry_knows_format(const char *format)
{
    bool is_known = false;
    if (cohort_error_if_forked() < 0)
        return false;
    const cohort_inventory *held = cohort_registry_acquire();
    for (const cohort_node *node = held->devices; node != NULL; node = node->next)
        for (const char *const *known = node->device.info->formats; *known != NULL; known++)
            is_known |= strcmp(*known, format) == 0;
    cohort_registry_release();
    return is_known;
}
