/* SPDX-License-Identifier: BSD-3-Clause */
/* From a file that may be loaded to a plugin that may be called.
 *
 * Three steps: the dynamic linker maps the file, which runs its constructors; the entry symbol,
 * whose name has the major version of the ABI, gives the plugin's tables; the tables are copied,
 * and the copies checked and used. A library that was mapped is never unmapped, also after a
 * failure: nobody knows which threads or callbacks it has left behind. */
#include "config.h"

#include "runtime/plugin/plugin.h"

#include <cohort/plugin_host.h>

#include "runtime/base/assert.h"
#include "runtime/base/error.h"
#include "runtime/base/library.h"
#include "runtime/base/log.h"
#include "runtime/base/memory.h"
#include "runtime/base/utf8.h"
#include "runtime/plugin/errand.h"
#include "runtime/plugin/slot.h"

#include <stdio.h>
#include <string.h>

enum { MAJOR = 1, MAX_MAJOR = 64, MAX_TABLE_BYTES = 65536, MAX_TEXT_BYTES = 256 };

typedef const cohort_plugin *entry_fn(const cohort_request *request, cohort_error *err);

/* The copy that cohort_loaded points to: the plugin's table as large as ours, with zeros where it
 * has nothing. */
typedef struct opened {
    cohort_loaded loaded;
    cohort_plugin plugin;
    pthread_mutex_t alone, serial;
    cohort_refusal refusal;
} opened;

/* ---- The entry symbol. */

/* A plugin of another major version has another entry symbol: look which one, for a message that
 * says what to install instead of "no plugin". */
static cohort_status explain_missing_entry(void *handle, char *fix, size_t fix_bytes)
{
    char symbol[64];
    for (int major = MAX_MAJOR; major >= 0; major--) {
        (void)snprintf(symbol, sizeof symbol, "cohort_plugin_entry_%d", major);
        if (major == MAJOR || cohort_library_find(handle, symbol) == NULL)
            continue;
        (void)snprintf(fix, fix_bytes, "install the vendor's plugin for cohort %s",
                       PACKAGE_VERSION);
        return cohort_error_set(COHORT_EINCOMPATIBLE,
                                "built for plugin ABI %d, this cohort speaks %d", major, MAJOR);
    }
    return cohort_error_set(COHORT_EINCOMPATIBLE,
                            "no plugin: it has no symbol cohort_plugin_entry_%d", MAJOR);
}

static cohort_status find_entry(void *handle, char *fix, size_t fix_bytes, entry_fn **out)
{
    void *address = cohort_library_find(handle, "cohort_plugin_entry_1");
    if (address == NULL)
        return explain_missing_entry(handle, fix, fix_bytes);
    memcpy(out, &address, sizeof *out); /* ISO C has no conversion from data to function pointers */
    return COHORT_OK;
}

/* The entry on its way: what it is given, and what comes back. */
typedef struct question {
    cohort_errand errand;
    entry_fn *entry;
    cohort_request request;
    cohort_error err;
    const cohort_plugin *answer;
} question;

static void call_entry(cohort_errand *errand)
{
    question *q = (question *)errand;
    q->answer = q->entry(&q->request, &q->err);
}

static cohort_status take_answer(const question *q, const cohort_plugin **out)
{
    char reason[COHORT_ERROR_BYTES];
    *out = q->answer;
    if (*out != NULL)
        return COHORT_OK;
    cohort_utf8_escape(q->err.text, sizeof q->err.text, reason, sizeof reason);
    return cohort_error_set(COHORT_EINCOMPATIBLE, "%s",
                            reason[0] != '\0' ? reason : "refused by the plugin without a reason");
}

static cohort_status ask(entry_fn *entry, const cohort_plugin **out)
{
    question *q = cohort_errand_create(sizeof *q, call_entry);
    if (q == NULL)
        return cohort_error_memory("a plugin");
    q->entry = entry;
    q->request = (cohort_request){ sizeof q->request, COHORT_ABI_MINOR, cohort_plugin_host(),
                                   PACKAGE_VERSION };
    q->err.struct_size = sizeof q->err;
    cohort_status st = cohort_errand_do(&q->errand, "its entry");
    if (st >= 0)
        st = take_answer(q, out);
    cohort_errand_let_go(&q->errand);
    return st;
}

/* ---- Its tables. */

/* Copy what both sides know of a struct that begins with its size; the rest of the copy is zero, so
 * that a slot which the plugin does not have is NULL. An older plugin's table is shorter than ours,
 * a newer one's longer. The size is read by memcpy and bounded, since it is the first word of
 * memory that only claims to be a table. */
static cohort_status copy_table(const char *what, const void *theirs, size_t least, void *ours,
                                size_t size)
{
    uint32_t struct_size;
    memcpy(&struct_size, theirs, sizeof struct_size);
    if (struct_size < least || struct_size > MAX_TABLE_BYTES || struct_size % 4 != 0)
        return cohort_error_set(COHORT_EINCOMPATIBLE,
                                "struct_size %u of its %s; this cohort has %zu", struct_size, what,
                                size);
    memset(ours, 0, size);
    memcpy(ours, theirs, struct_size < size ? struct_size : size);
    return COHORT_OK;
}

/* Before release 1.0 every minor one may change anything, so both sides must have the
 * same. */
static cohort_status check_version(const cohort_plugin *plugin)
{
    if (plugin->abi_minor != COHORT_ABI_MINOR || plugin->min_core_minor > COHORT_ABI_MINOR)
        return cohort_error_set(
            COHORT_EINCOMPATIBLE,
            "built for plugin ABI %d.%u (core %d.%u at least), this cohort speaks %d.%u", MAJOR,
            plugin->abi_minor, MAJOR, plugin->min_core_minor, MAJOR, COHORT_ABI_MINOR);
    return COHORT_OK;
}

/* The name is part of every device's id and of the file's name; one plugin must not pass for
 * another. */
static cohort_status check_texts(cohort_plugin *plugin, const char *name)
{
    plugin->version = plugin->version != NULL ? plugin->version : "";
    plugin->vendor = plugin->vendor != NULL ? plugin->vendor : "";
    if (plugin->name == NULL || !cohort_utf8_is_printable(plugin->name, MAX_TEXT_BYTES))
        return cohort_error_set(COHORT_EINCOMPATIBLE, "the plugin has no printable name");
    if (strcmp(plugin->name, name) != 0)
        return cohort_error_set(COHORT_EINCOMPATIBLE,
                                "the plugin names itself '%s': its file must be cohort-%s.so",
                                plugin->name, plugin->name);
    if (!cohort_utf8_is_printable(plugin->version, MAX_TEXT_BYTES) ||
        !cohort_utf8_is_printable(plugin->vendor, MAX_TEXT_BYTES))
        return cohort_error_set(COHORT_EINCOMPATIBLE, "version or vendor is not printable text");
    return COHORT_OK;
}

static cohort_status check_mandatory(const cohort_ops *ops)
{
    for (cohort_slot_id id = 0; id < COHORT_SLOT_COUNT; id++)
        if (cohort_slot_table[id].is_mandatory && !cohort_slot_is_there(ops, id))
            return cohort_error_set(COHORT_EINCOMPATIBLE, "the mandatory operation '%s' is missing",
                                    cohort_slot_table[id].name);
    return COHORT_OK;
}

static cohort_slot_id partner_of(cohort_slot_id id)
{
    cohort_slot_id partner = 0;
    while (cohort_slot_table[partner].at != cohort_slot_table[id].partner_at)
        partner++;
    cohort_assert(partner < COHORT_SLOT_COUNT); /* the table names its own slots */
    return partner;
}

/* Of two operations that only make sense together, such as event_wait and event_release, a plugin
 * that has one has none: the other is taken from the copy, and the log says so. */
static void drop_half_groups(cohort_ops *ops, const char *name)
{
    void (*const none)(void) = NULL;
    for (cohort_slot_id id = 0; id < COHORT_SLOT_COUNT; id++) {
        const cohort_slot *half = &cohort_slot_table[id];
        cohort_slot_id other = partner_of(id);
        if (!cohort_slot_is_there(ops, id) || cohort_slot_is_there(ops, other))
            continue;
        cohort_log(COHORT_SUBSYSTEM_PLUGIN, COHORT_LOG_WARNING,
                   "%s: the plugin has only one of %s and %s: neither is used", name,
                   cohort_slot_table[id < other ? id : other].name,
                   cohort_slot_table[id < other ? other : id].name);
        memcpy((char *)ops + half->at, &none, sizeof none);
    }
}

static cohort_status take_ops(opened *o, const char *name)
{
    cohort_ops *ops = &o->loaded.ops;
    if (o->plugin.ops == NULL && o->plugin.extension == NULL)
        return cohort_error_set(COHORT_EINCOMPATIBLE,
                                "the plugin has neither operations (ops is NULL) nor extensions");
    if (o->plugin.ops == NULL)
        return COHORT_OK;
    cohort_status st =
        copy_table("operations", o->plugin.ops, offsetof(cohort_ops, enumerate), ops, sizeof *ops);
    if (st < 0 || (st = check_mandatory(ops)) < 0)
        return st;
    drop_half_groups(ops, name);
    o->plugin.ops = ops;
    return COHORT_OK;
}

static cohort_status take_tables(opened *o, const cohort_plugin *theirs, const char *name)
{
    cohort_status st = copy_table("plugin table", theirs, offsetof(cohort_plugin, reserved),
                                  &o->plugin, sizeof o->plugin);
    if (st >= 0)
        st = check_version(&o->plugin);
    if (st >= 0)
        st = check_texts(&o->plugin, name);
    return st < 0 ? st : take_ops(o, name);
}

/* Later changes by a plugin to its own tables change nothing, as only the copies are used. */
static cohort_status negotiate(opened *o, const char *name, char *fix, size_t fix_bytes)
{
    entry_fn *entry = NULL;
    const cohort_plugin *theirs = NULL;
    cohort_status st = find_entry(o->loaded.handle, fix, fix_bytes, &entry);
    if (st >= 0)
        st = ask(entry, &theirs);
    return st < 0 ? st : take_tables(o, theirs, name);
}

/* Mutexes and the refusal are in the struct around cohort_loaded, which holds pointers to them, so
 * that everybody else can have a pointer to const. */
cohort_status cohort_plugin_open(const char *real_path, const char *name, char *fix,
                                 size_t fix_bytes, cohort_loaded **out)
{
    opened *o = cohort_allocate(1, sizeof *o);
    cohort_status st = COHORT_OK;
    *out = NULL;
    if (o == NULL)
        return cohort_error_memory("a plugin");
    pthread_mutex_init(&o->alone, NULL);
    pthread_mutex_init(&o->serial, NULL);
    o->loaded.alone = &o->alone;
    o->loaded.serial = &o->serial;
    o->loaded.refusal = &o->refusal;
    o->loaded.plugin = &o->plugin;
    o->loaded.name = cohort_string_copy(name);
    o->loaded.file = cohort_string_copy(real_path);
    if (o->loaded.name == NULL || o->loaded.file == NULL)
        st = cohort_error_memory("a plugin");
    if (st >= 0)
        st = cohort_library_open_plugin(real_path, &o->loaded.handle);
    if (st >= 0)
        st = negotiate(o, name, fix, fix_bytes);
    if (st < 0)
        cohort_plugin_discard(&o->loaded);
    else
        *out = &o->loaded;
    return st;
}

void cohort_plugin_discard(cohort_loaded *loaded)
{
    if (loaded == NULL)
        return;
    cohort_free(cohort_memory_own(loaded->name));
    cohort_free(cohort_memory_own(loaded->file));
    pthread_mutex_destroy(loaded->alone);
    pthread_mutex_destroy(loaded->serial);
    cohort_free(loaded);
}
