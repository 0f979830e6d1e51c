/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of plugins and devices of the process, filled as devices are asked for.
 *
 * The first call that needs devices searches for files, which opens no plugin. A file is opened
 * when a device is wanted that its plugin may have, and is tried once, whatever comes of it, unless
 * the program itself names it again. */
#include "config.h"

#include "runtime/plugin/registry.h"

#include "runtime/base/assert.h"
#include "runtime/base/barrier.h"
#include "runtime/base/error.h"
#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/base/utf8.h"
#include "runtime/plugin/candidate.h"
#include "runtime/plugin/elf.h"
#include "runtime/plugin/enumeration.h"
#include "runtime/plugin/gate.h"
#include "runtime/plugin/plugin.h"
#include "runtime/plugin/search.h"
#include "runtime/plugin/snapshot.h"
#include "runtime/plugin/trust.h"
#include "runtime/plugin/unused.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct file_id {
    uint64_t device, inode;
} file_id;

/* Two locks, because plugins may take long. `opening` is held by the one thread that searches,
 * opens plugins and asks for their devices, for as long as they take; it is taken before `lock`.
 * `lock` is held by whoever reads, and by that thread for each change, so that what is open is
 * found while another plugin is waited for. The thread that holds `opening` may read without `lock`
 * what only it changes. Neither lock is taken by log and config_get, which plugins call. */
static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER; /* taken before lock */
static file_id *tried;                                      /* held: opening, and the two below */
static size_t tried_capacity, tried_count;
static uint32_t next_rank;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static cohort_inventory inventory; /* held: lock; changed with both, and all below */
static cohort_candidate *candidates;
static bool is_searched;

/* The reason is in the thread's error slot. */
static void note_unused(const char *candidate, const char *name, const char *fix)
{
    pthread_mutex_lock(&lock);
    cohort_unused_add(&inventory.unused, candidate, name, fix);
    pthread_mutex_unlock(&lock);
}

/* ---- One file. */

/* By the file itself, so that links and several folders lead to one try. held: opening */
static bool was_tried(uint64_t device, uint64_t inode)
{
    for (size_t i = 0; i < tried_count; i++)
        if (tried[i].device == device && tried[i].inode == inode)
            return true;
    return false;
}

static cohort_status remember(const cohort_trust *file)
{
    cohort_assert_held(&opening);
    if (was_tried(file->device, file->inode))
        return COHORT_OK;
    if (!cohort_grow((void **)&tried, &tried_capacity, tried_count + 1, sizeof *tried))
        return cohort_error_memory("the plugin files");
    tried[tried_count++] = (file_id){ file->device, file->inode };
    return COHORT_OK;
}

/* held: lock */
static cohort_status add_to_inventory(cohort_loaded *loaded, const cohort_device_info *infos,
                                      uint32_t n)
{
    cohort_assert_held(&opening);
    cohort_assert_held(&lock);
    if (!cohort_grow((void **)&inventory.loaded, &inventory.loaded_capacity,
                     inventory.loaded_count + 1, sizeof *inventory.loaded))
        return cohort_error_memory("the plugins");
    cohort_status st = cohort_inventory_add(&inventory, loaded, infos, n);
    if (st >= 0)
        inventory.loaded[inventory.loaded_count++] = loaded;
    return st;
}

static cohort_status add_plugin(cohort_loaded *loaded, const cohort_device_info *infos, uint32_t n)
{
    pthread_mutex_lock(&lock);
    cohort_status st = add_to_inventory(loaded, infos, n);
    pthread_mutex_unlock(&lock);
    return st;
}

/* The plugin becomes visible to others (add_plugin) when everything about it is checked. */
static cohort_status open_and_ask(const char *name, uint32_t rank, cohort_trust *file)
{
    cohort_loaded *loaded = NULL;
    cohort_device_info *infos = NULL;
    uint32_t n = 0;
    cohort_status st =
        cohort_plugin_open(file->real_path, name, file->fix, sizeof file->fix, &loaded);
    if (st >= 0 && loaded->plugin->ops != NULL)
        st = cohort_enumeration_make(loaded, &infos, &n);
    if (st >= 0) {
        loaded->rank = rank;
        st = add_plugin(loaded, infos, n);
    }
    if (st >= 0 && loaded->plugin->ops != NULL)
        cohort_enumeration_of_unused(loaded, note_unused);
    if (st < 0)
        cohort_plugin_discard(loaded);
    cohort_free(infos);
    return st;
}

/* Constructors and entries of plugins may change what belongs to the program: snapshot.h. */
static cohort_status load_guarded(const char *name, uint32_t rank, cohort_trust *file)
{
    cohort_snapshot before;
    cohort_snapshot_take(&before);
    cohort_status st = open_and_ask(name, rank, file);
    cohort_snapshot_restore(&before, file->real_path);
    return st;
}

static cohort_status check_not_loaded(const char *name)
{
    const cohort_loaded *there = cohort_inventory_plugin(&inventory, name);
    if (there == NULL)
        return COHORT_OK;
    return cohort_error_set(COHORT_EINVAL, "plugin '%s' is already loaded from %s", name,
                            there->file);
}

/* A file that is open and trusted. The checks read through the descriptor that cohort_trust_open
 * made, and nobody else can exchange the file or a folder above it: so what was checked is what is
 * loaded by its name. */
static cohort_status load_opened(const char *name, uint32_t rank, cohort_trust *file)
{
    cohort_status st = remember(file);
    if (st >= 0)
        st = check_not_loaded(name);
    if (st >= 0)
        st = cohort_elf_check(file->fd, file->bytes);
    return st < 0 ? st : load_guarded(name, rank, file);
}

/* Check, open and ask one file. */
static cohort_status load_file(const char *path, const char *name, uint32_t rank, bool is_search,
                               cohort_trust *file)
{
    cohort_status st = cohort_trust_open(path, file);
    if (st < 0)
        return st;
    if (!is_search || !was_tried(file->device, file->inode))
        st = load_opened(name, rank, file);
    (void)close(file->fd);
    return st;
}

/* Load a file, or note why not. In a search a file that was tried before is passed over without a
 * word, for the reason is in the list already; a program that names the file is told again. */
static cohort_status load(const char *path, const char *name, uint32_t rank, bool is_search)
{
    cohort_trust file = { .fix = "" };
    cohort_status st = load_file(path, name, rank, is_search, &file);
    if (st < 0)
        note_unused(path, name, file.fix);
    return st;
}

/* ---- The search. */

static cohort_status check_name(const char *path, char name[COHORT_SEARCH_NAME_BYTES])
{
    cohort_status st = cohort_search_name(path, name);
    return st < 0 ? st : cohort_search_filter(name);
}

static void on_found(void *user, const char *file)
{
    char name[COHORT_SEARCH_NAME_BYTES];
    (void)user;
    cohort_status st = check_name(file, name);
    if (st >= 0) {
        pthread_mutex_lock(&lock);
        st = cohort_candidate_add(&candidates, file, name, next_rank++);
        pthread_mutex_unlock(&lock);
    }
    if (st < 0)
        note_unused(file, name, "");
}

static void on_ignored(void *user, const char *place, const char *fix)
{
    (void)user;
    note_unused(place, "", fix);
}

/* Plugins are not open yet: the system prepares barriers at once before they start threads. */
static void search(void)
{
    static const cohort_search calls = { on_found, on_ignored, NULL };
    cohort_barrier_prepare();
    cohort_search_run(&calls);
    pthread_mutex_lock(&lock);
    is_searched = true;
    pthread_mutex_unlock(&lock);
}

static void set_tried(cohort_candidate *candidate)
{
    pthread_mutex_lock(&lock);
    candidate->is_tried = true;
    pthread_mutex_unlock(&lock);
}

/* is_tried is set after the file was loaded: a thread that sees it finds the plugin's devices. */
static void try_candidate(cohort_candidate *candidate)
{
    (void)load(candidate->path, candidate->name, candidate->rank, true);
    set_tried(candidate);
}

/* Open the plugins of a name, or all. Faults of plugins are in the list of unused ones, and no
 * error of the call that needed devices: its error slot stays as it was. held: opening */
static void open_wanted(const char *name)
{
    cohort_assert_held(&opening);
    cohort_error_saved earlier;
    cohort_error_save(&earlier);
    if (!is_searched)
        search();
    for (cohort_candidate *candidate = candidates; candidate != NULL; candidate = candidate->next)
        if (!candidate->is_tried && cohort_candidate_is_wanted(candidate, name))
            try_candidate(candidate);
    cohort_error_restore(&earlier);
}

/* The quick way of every call that needs devices: nothing is left to open, which `lock` alone
 * tells. Else the caller waits for `opening`, and looks again. */
static bool is_open(const char *name)
{
    pthread_mutex_lock(&lock);
    bool is_left = !is_searched;
    for (const cohort_candidate *candidate = candidates; !is_left && candidate != NULL;
         candidate = candidate->next)
        is_left = !candidate->is_tried && cohort_candidate_is_wanted(candidate, name);
    pthread_mutex_unlock(&lock);
    return !is_left;
}

void cohort_registry_open(const char *name)
{
    if (is_open(name))
        return;
    pthread_mutex_lock(&opening);
    open_wanted(name);
    pthread_mutex_unlock(&opening);
}

/* held: lock */
static cohort_status say_not_there(const char *name)
{
    const cohort_unused *unused = cohort_unused_find(inventory.unused, name);
    char sentence[COHORT_ERROR_BYTES];
    cohort_text s = cohort_text_begin(sentence, sizeof sentence);
    if (unused == NULL)
        return cohort_error_set(COHORT_ENOENT, "there is no plugin '%s'", name);
    cohort_unused_say_plugin(&s, unused);
    return cohort_error_set(COHORT_EINCOMPATIBLE, "%s", sentence);
}

const cohort_loaded *cohort_registry_plugin(const char *name)
{
    cohort_registry_open(name);
    pthread_mutex_lock(&lock);
    const cohort_loaded *loaded = cohort_inventory_plugin(&inventory, name);
    if (loaded == NULL)
        (void)say_not_there(name);
    pthread_mutex_unlock(&lock);
    return loaded;
}

static void note_refused_plugin(const cohort_loaded *loaded)
{
    cohort_error_saved earlier;
    cohort_error_save(&earlier);
    loaded->refusal->is_noted = true;
    (void)cohort_gate_tell(loaded);
    cohort_unused_add(&inventory.unused, loaded->file, loaded->name,
                      "tell the maker of the plugin");
    cohort_error_restore(&earlier);
}

/* Plugins whose gate was shut after they were loaded. The gate knows no registry, so they are noted
 * when the registry is next looked at. held: lock */
static void note_refused(void)
{
    cohort_assert_held(&lock);
    for (size_t i = 0; i < inventory.loaded_count; i++)
        if (cohort_gate_is_shut(inventory.loaded[i]) && !inventory.loaded[i]->refusal->is_noted)
            note_refused_plugin(inventory.loaded[i]);
}

cohort_inventory *cohort_registry_acquire(void)
{
    pthread_mutex_lock(&lock);
    note_refused();
    return &inventory;
}

void cohort_registry_release(void)
{
    pthread_mutex_unlock(&lock);
}

/* ---- The public interface. */

/* A file that the program names. After a search a plugin of the same name that it found comes
 * first, whether it was needed yet or not: else the result would depend on which devices were asked
 * for before. held: opening */
static cohort_status load_explicit(const char *file)
{
    cohort_assert_held(&opening);
    char name[COHORT_SEARCH_NAME_BYTES];
    cohort_status st = check_name(file, name);
    if (st < 0)
        note_unused(file, name, "");
    if (st >= 0 && is_searched)
        open_wanted(name);
    if (st >= 0)
        st = load(file, name, next_rank++, false);
    if (st < 0)
        (void)cohort_error_prefix(st, "%s", file);
    return cohort_inventory_plugin(&inventory, name) != NULL ? COHORT_OK : st;
}

cohort_status cohort_plugin_load(const char *file)
{
    cohort_status st = cohort_error_if_forked();
    if (st < 0)
        return st;
    if (file == NULL || file[0] != '/')
        return cohort_error_set(COHORT_EINVAL, "cohort_plugin_load: '%s' is not an absolute path",
                                file != NULL ? file : "NULL");
    pthread_mutex_lock(&opening);
    st = load_explicit(file);
    pthread_mutex_unlock(&opening);
    return st;
}

/* No plugin has the name "", so that the search is all that is done. */
const cohort_candidate *cohort_candidate_next(const cohort_candidate *previous)
{
    if (cohort_error_is_forked())
        return NULL;
    cohort_registry_open("");
    pthread_mutex_lock(&lock);
    const cohort_candidate *next = previous != NULL ? previous->next : candidates;
    while (next != NULL && !cohort_candidate_is_wanted(next, NULL))
        next = next->next;
    pthread_mutex_unlock(&lock);
    return next;
}

static cohort_status check_not_tried(const cohort_candidate *candidate)
{
    cohort_assert_held(&opening);
    if (!candidate->is_tried && !was_tried(candidate->device, candidate->inode))
        return COHORT_OK;
    return cohort_error_set(COHORT_EINVAL,
                            "cohort_candidate_leave_out: %s was opened or left out before",
                            candidate->path);
}

/* The file has a place in the list of unused ones for each of its names. held: opening */
static void leave_out(const cohort_candidate *left_out, const char *reason, const char *fix)
{
    cohort_assert_held(&opening);
    cohort_error_saved earlier;
    cohort_error_save(&earlier);
    (void)cohort_error_set(COHORT_EINCOMPATIBLE, "%s", reason);
    for (cohort_candidate *candidate = candidates; candidate != NULL; candidate = candidate->next)
        if (cohort_candidate_is_same(candidate, left_out)) {
            note_unused(candidate->path, candidate->name, fix != NULL ? fix : "");
            set_tried(candidate);
        }
    cohort_error_restore(&earlier);
}

cohort_status cohort_candidate_leave_out(const cohort_candidate *candidate, const char *reason,
                                         const char *fix)
{
    if (cohort_error_is_forked())
        return cohort_error_if_forked();
    if (candidate == NULL || reason == NULL)
        return cohort_error_null("cohort_candidate_leave_out",
                                 candidate == NULL ? "candidate" : "reason");
    pthread_mutex_lock(&opening);
    cohort_status st = check_not_tried(candidate);
    if (st >= 0)
        leave_out(candidate, reason, fix);
    pthread_mutex_unlock(&opening);
    return st;
}

const cohort_device *cohort_device_next(const cohort_device *previous)
{
    if (cohort_error_if_forked() < 0)
        return NULL;
    cohort_registry_open(NULL);
    const cohort_inventory *held = cohort_registry_acquire();
    const cohort_inventory_device *node =
        previous != NULL ? ((const cohort_inventory_device *)previous)->whole->next : held->devices;
    cohort_registry_release();
    return node != NULL ? &node->device : NULL;
}

const cohort_unused *cohort_unused_next(const cohort_unused *previous)
{
    if (cohort_error_if_forked() < 0)
        return NULL;
    cohort_registry_open(NULL);
    const cohort_inventory *held = cohort_registry_acquire();
    const cohort_unused *next = previous != NULL ? previous->next : held->unused;
    cohort_registry_release();
    return next;
}
