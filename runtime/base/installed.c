/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/base/installed.h"

#include "runtime/base/library.h"
#include "runtime/base/settings.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char library[COHORT_LIMIT_PATH_BYTES], root[COHORT_LIMIT_PATH_BYTES];

/* ---- Paths as texts. */

/* "b/c" of "/a/b/c" for "/a", "" of "/a"; NULL where the folder is not below the other one. */
static const char *rest_below(const char *folder, const char *above)
{
    size_t length = strlen(above);
    while (length > 0 && above[length - 1] == '/')
        length--;
    if (strncmp(folder, above, length) != 0 || (folder[length] != '/' && folder[length] != '\0'))
        return NULL;
    return folder + length + strspn(folder + length, "/");
}

static int count_names(const char *path)
{
    int n = 0;
    for (path += strspn(path, "/"); *path != '\0'; n++) {
        path += strcspn(path, "/");
        path += strspn(path, "/");
    }
    return n;
}

/* Names are cut from the end of an absolute path; "/" stays. */
static void go_up(char *path, int n)
{
    for (; n > 0; n--) {
        char *slash = strrchr(path, '/');
        *(slash == path ? slash + 1 : slash) = '\0';
    }
}

/* How many folders the prefix is above that of libraries: 1 for /usr/lib, 2 for
 * /usr/lib/x86_64-linux-gnu. A folder that is not below the prefix counts as one. */
static int library_depth(void)
{
    const char *rest = rest_below(LIBDIR, PREFIX);
    int n = rest != NULL ? count_names(rest) : 0;
    return n > 0 ? n : 1;
}

/* ---- The library's own file. */

static void find(void)
{
    char path[COHORT_LIMIT_PATH_BYTES];
    char *real = cohort_library_own_file(path, sizeof path) ? realpath(path, NULL) : NULL;
    if (real != NULL && strlen(real) < sizeof library) {
        memcpy(library, real, strlen(real) + 1);
        memcpy(root, real, strlen(real) + 1);
        go_up(root, 1 + library_depth());
    }
    free(real);
}

static void find_once(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, find);
}

const char *cohort_installed_library(void)
{
    find_once();
    return library;
}

const char *cohort_installed_root(void)
{
    find_once();
    return root;
}

/* ---- What was installed with it. */

/* As seen from the folder of the library, "cohort/plugins-1" or "../share/cohort"; false for a
 * folder that is not of the tree. */
static bool find_way(const char *folder, char *out, size_t size)
{
    const char *rest = rest_below(folder, LIBDIR);
    if (rest != NULL)
        return (size_t)snprintf(out, size, "%s", rest) < size;
    rest = rest_below(folder, PREFIX);
    if (rest == NULL || rest_below(LIBDIR, PREFIX) == NULL)
        return false;
    size_t length = 0;
    for (int i = library_depth(); i > 0 && length + 3 < size; i--, length += 3)
        memcpy(out + length, "../", 3);
    return (size_t)snprintf(out + length, size - length, "%s", rest) < size - length;
}

static bool is_folder(const char *path)
{
    struct stat entry;
    return stat(path, &entry) == 0 && S_ISDIR(entry.st_mode);
}

static bool find_beside(const char *folder, char out[COHORT_LIMIT_PATH_BYTES])
{
    char way[COHORT_LIMIT_PATH_BYTES], path[2 * COHORT_LIMIT_PATH_BYTES];
    if (cohort_installed_library()[0] == '\0' || !find_way(folder, way, sizeof way))
        return false;
    int length = (int)(strrchr(library, '/') - library);
    (void)snprintf(path, sizeof path, "%.*s/%s", length, library, way);
    char *real = is_folder(path) ? realpath(path, NULL) : NULL;
    bool is_found = real != NULL && strlen(real) < COHORT_LIMIT_PATH_BYTES;
    if (is_found)
        memcpy(out, real, strlen(real) + 1);
    free(real);
    return is_found;
}

void cohort_installed_at(const char *folder, char out[COHORT_LIMIT_PATH_BYTES])
{
    if (cohort_setting_is_secure() || !find_beside(folder, out))
        (void)snprintf(out, COHORT_LIMIT_PATH_BYTES, "%s", folder);
}

/* ---- The public interface. */

enum { FOLDERS = 3 };
static char places[FOLDERS][COHORT_LIMIT_PATH_BYTES];
static const struct {
    const char *name, *told;
} folders[FOLDERS] = { { "plugins", PLUGINDIR },
                       { "data", PKGDATADIR },
                       { "examples", EXAMPLEDIR } };

static void find_places(void)
{
    for (int i = 0; i < FOLDERS; i++)
        cohort_installed_at(folders[i].told, places[i]);
}

const char *cohort_installed_folder(const char *name)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, find_places);
    for (int i = 0; i < FOLDERS; i++)
        if (name != NULL && strcmp(name, folders[i].name) == 0)
            return places[i];
    return NULL;
}
