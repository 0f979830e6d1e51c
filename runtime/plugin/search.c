/* SPDX-License-Identifier: BSD-3-Clause */
/* Where plugin files may be, and which of them are wanted.
 *
 * Three places: the folders of $COHORT_PLUGIN_PATH, the installed folder, and manifests. Names are
 * sorted, as the order of readdir differs between machines and the order of devices is that of
 * plugins. A folder that others can write to is not even listed (trust.h). */
#include "config.h"

#include "runtime/plugin/search.h"

#include "runtime/base/error.h"
#include "runtime/base/installed.h"
#include "runtime/base/limits.h"
#include "runtime/base/log.h"
#include "runtime/base/memory.h"
#include "runtime/base/settings.h"
#include "runtime/plugin/trust.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct names {
    char **items;
    size_t capacity, count;
} names;

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void free_names(names *list)
{
    for (size_t i = 0; i < list->count; i++)
        cohort_free(list->items[i]);
    cohort_free(list->items);
}

/* A folder of a million files must not take the process's memory. */
static cohort_status add_name(names *list, const char *name)
{
    if (list->count == COHORT_LIMIT_PLUGIN_FILES)
        return cohort_error_set(COHORT_EINVAL, "more than %d files; the rest is not looked at",
                                COHORT_LIMIT_PLUGIN_FILES);
    if (!cohort_grow((void **)&list->items, &list->capacity, list->count + 1,
                     sizeof *list->items) ||
        (list->items[list->count] = cohort_string_copy(name)) == NULL)
        return cohort_error_memory("the names of plugin files");
    list->count++;
    return COHORT_OK;
}

/* Something stands between the two: "cohort-.so" is no plugin. */
static bool has_affixes(const char *name, const char *prefix, const char *suffix)
{
    size_t length = strlen(name), before = strlen(prefix), after = strlen(suffix);
    return length > before + after && strncmp(name, prefix, before) == 0 &&
           strcmp(name + length - after, suffix) == 0;
}

/* Names in a folder with this beginning and end, sorted. What was collected before an error
 * stays. */
static cohort_status list_folder(const char *folder, const char *prefix, const char *suffix,
                                 names *list)
{
    DIR *stream = opendir(folder);
    cohort_status st = COHORT_OK;
    if (stream == NULL)
        return cohort_error_set(COHORT_ENOENT, "%s", strerror(errno));
    for (struct dirent *entry; st >= 0 && (entry = readdir(stream)) != NULL;)
        if (has_affixes(entry->d_name, prefix, suffix))
            st = add_name(list, entry->d_name);
    (void)closedir(stream);
    if (list->count > 0)
        qsort(list->items, list->count, sizeof *list->items, compare_names);
    return st;
}

typedef void file_fn(const cohort_search *search, const char *file);

/* Call fn for the files of a folder; one that does not exist is worth a word only when the user has
 * named it. */
static void search_folder(const cohort_search *search, const char *folder, const char *prefix,
                          const char *suffix, bool must_exist, file_fn *fn)
{
    char file[COHORT_LIMIT_PATH_BYTES];
    cohort_trust trust;
    names list = { NULL, 0, 0 };
    cohort_status st = cohort_trust_folder(folder, &trust);
    if (st >= 0)
        st = list_folder(trust.real_path, prefix, suffix, &list);
    if (st < 0 && (st != COHORT_ENOENT || must_exist))
        search->ignored(search->user, folder, trust.fix);
    else if (st < 0)
        cohort_log(COHORT_SUBSYSTEM_PLUGIN, COHORT_LOG_DEBUG, "%s: %s", folder,
                   cohort_error_slot());
    for (size_t i = 0; i < list.count; i++)
        if ((size_t)snprintf(file, sizeof file, "%s/%s", trust.real_path, list.items[i]) <
            sizeof file)
            fn(search, file);
    free_names(&list);
}

static void report_plugin(const cohort_search *search, const char *file)
{
    search->found(search->user, file);
}

static void search_plugins(const cohort_search *search, const char *folder, bool must_exist)
{
    search_folder(search, folder, "cohort-", ".so", must_exist, report_plugin);
}

/* ---- $COHORT_PLUGIN_PATH. */

/* One folder of the list. An empty element means the current folder to a shell, and a relative one
 * depends on it: neither is searched, since that folder may be anybody's. */
static void search_element(const cohort_search *search, const char *element, size_t length)
{
    char folder[COHORT_LIMIT_PATH_BYTES] = "COHORT_PLUGIN_PATH";
    if (length == 0)
        (void)cohort_error_set(
            COHORT_EINVAL,
            "has an empty element, which is ignored: the current folder is never searched");
    else if (length >= sizeof folder)
        (void)cohort_error_set(COHORT_EINVAL, "has an element longer than %d bytes",
                               COHORT_LIMIT_PATH_BYTES);
    else {
        memcpy(folder, element, length);
        folder[length] = '\0';
        if (folder[0] == '/') {
            search_plugins(search, folder, true);
            return;
        }
        (void)cohort_error_set(COHORT_EINVAL,
                               "relative folder in COHORT_PLUGIN_PATH, which is ignored");
    }
    search->ignored(search->user, folder, "");
}

static void search_path(const cohort_search *search)
{
    const char *element = cohort_setting_text(COHORT_SETTING_PLUGIN_PATH);
    while (element != NULL) {
        size_t length = strcspn(element, ":");
        search_element(search, element, length);
        element = element[length] == ':' ? element + length + 1 : NULL;
    }
}

/* ---- Manifests: one path each, absolute or relative to the manifest's folder. */

static bool read_text(int fd, uint64_t bytes, char *text)
{
    size_t done = 0;
    while (done < bytes) {
        ssize_t n = pread(fd, text + done, (size_t)bytes - done, (off_t)done);
        if (n == 0 || (n < 0 && errno != EINTR))
            break;
        done += n > 0 ? (size_t)n : 0;
    }
    text[done] = '\0';
    return done == bytes && strlen(text) == done;
}

/* The one line of the text, without blanks around it; NULL when there is none, or more. */
static char *only_line(char *text)
{
    text += strspn(text, " \t\r\n");
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t\r\n", text[length - 1]) != NULL)
        text[--length] = '\0';
    return length > 0 && strpbrk(text, "\r\n") == NULL ? text : NULL;
}

/* The manifest is trusted like a plugin, for whoever writes it decides what is loaded. The file
 * that it names is not looked at here; it is checked when it is opened. */
static cohort_status read_manifest(const char *manifest, cohort_trust *trust,
                                   char file[COHORT_LIMIT_PATH_BYTES])
{
    char text[COHORT_LIMIT_MANIFEST_BYTES + 1];
    cohort_status st = cohort_trust_open(manifest, trust);
    if (st < 0)
        return st;
    bool fits = trust->bytes <= COHORT_LIMIT_MANIFEST_BYTES,
         is_read = fits && read_text(trust->fd, trust->bytes, text);
    (void)close(trust->fd);
    if (!fits)
        return cohort_error_set(COHORT_EINVAL, "manifest longer than %d bytes",
                                COHORT_LIMIT_MANIFEST_BYTES);
    const char *line = is_read ? only_line(text) : NULL;
    if (line == NULL)
        return cohort_error_set(COHORT_EINVAL, "manifest: expected the path of one plugin");
    int folder = line[0] == '/' ? 0 : (int)(strrchr(trust->real_path, '/') - trust->real_path + 1);
    if (snprintf(file, COHORT_LIMIT_PATH_BYTES, "%.*s%s", folder, trust->real_path, line) >=
        COHORT_LIMIT_PATH_BYTES)
        return cohort_error_set(COHORT_EINVAL, "manifest: path longer than %d bytes",
                                COHORT_LIMIT_PATH_BYTES);
    return COHORT_OK;
}

static void follow_manifest(const cohort_search *search, const char *manifest)
{
    char file[COHORT_LIMIT_PATH_BYTES];
    cohort_trust trust;
    if (read_manifest(manifest, &trust, file) >= 0)
        search->found(search->user, file);
    else
        search->ignored(search->user, manifest, trust.fix);
}

/* The user's plugins come before installed ones: the first plugin of a name is used. */
void cohort_search_run(const cohort_search *search)
{
    char folder[COHORT_LIMIT_PATH_BYTES];
    search_path(search);
    cohort_installed_at(PLUGINDIR, folder);
    search_plugins(search, folder, false);
    if (cohort_setting_is_secure())
        return;
    cohort_installed_at(SYSCONFDIR "/cohort/plugins.d", folder);
    search_folder(search, folder, "", ".plugin", false, follow_manifest);
}

/* ---- Names. */

cohort_status cohort_search_name(const char *file, char name[COHORT_SEARCH_NAME_BYTES])
{
    static const char *const allowed =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    const char *slash = strrchr(file, '/'), *base = slash != NULL ? slash + 1 : file;
    size_t prefix = strlen("cohort-"), length = strlen(base);
    name[0] = '\0';
    if (!has_affixes(base, "cohort-", ".so"))
        return cohort_error_set(COHORT_EINVAL, "plugins are called cohort-NAME.so");
    length -= prefix + strlen(".so");
    if (length >= COHORT_SEARCH_NAME_BYTES || strspn(base + prefix, allowed) < length)
        return cohort_error_set(
            COHORT_EINVAL, "NAME of cohort-NAME.so has letters, digits, '_' and '-', %d at most",
            COHORT_SEARCH_NAME_BYTES - 1);
    memcpy(name, base + prefix, length);
    name[length] = '\0';
    return COHORT_OK;
}

static bool is_named(const char *item, size_t length, const char *name)
{
    return strlen(name) == length && strncmp(item, name, length) == 0;
}

cohort_status cohort_search_filter(const char *name)
{
    const char *list = cohort_setting_text(COHORT_SETTING_PLUGINS), *item = list;
    bool has_positive = false, is_wanted = false, is_refused = false;
    while (item != NULL) {
        size_t blanks = strspn(item, " "), length = strcspn(item + blanks, ", ");
        const char *start = item + blanks;
        if (start[0] == '^')
            is_refused |= is_named(start + 1, length - 1, name);
        else if (length > 0)
            has_positive = true, is_wanted |= is_named(start, length, name);
        item = strchr(item, ',');
        item = item != NULL ? item + 1 : NULL;
    }
    if (is_refused || (has_positive && !is_wanted))
        return cohort_error_set(COHORT_EINVAL, "left out by COHORT_PLUGINS=%s", list);
    return COHORT_OK;
}
