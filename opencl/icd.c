/* SPDX-License-Identifier: BSD-3-Clause */
/* Why platforms are missing: the loader says nothing, so its files are read once more here.
 *
 * The files of the drivers (*.icd) name libraries; each is loaded, as the loader does, to see why
 * it does not load. */
#include "config.h"

#include "opencl/icd.h"

#include "opencl/library.h"
#include "opencl/unused.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/auxv.h>
#endif

#define DEFAULT_VENDORS "/etc/OpenCL/vendors"
#define FIX_INSTALL "apt-get install pocl-opencl-icd, or run on the CPU: --devices host"
#define FIX_DRIVER                                                                                 \
    "install that driver, in a container give it the device (--gpus all), or remove the file"

enum { PATH_BYTES = 4096, REASON_BYTES = 512 };

/* The drivers that are named somewhere, and how many of them load. */
struct census {
    cl_uint n_named, n_loading;
    const char *wanted; /* part of a library's name: no library is loaded, and nothing said */
    cl_uint n_wanted;
};

/* The loader and the drivers load what variables of the environment name. In a program with more
 * rights than its caller that environment is the caller's. */
bool opencl_icd_is_trustworthy(void)
{
#ifdef __linux__
    if (getauxval(AT_SECURE) != 0)
        return false;
#endif
    return geteuid() == getuid() && getegid() == getgid();
}

static bool ends_in(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

static void try_library(struct census *census, const char *name, const char *library)
{
    char reason[REASON_BYTES];
    census->n_named++;
    if (census->wanted != NULL)
        census->n_wanted += strstr(library, census->wanted) != NULL;
    else if (opencl_library_loads(library, reason, sizeof reason))
        census->n_loading++;
    else
        opencl_unused_add(name, reason, FIX_DRIVER);
}

/* The first line of a file is the name of a library. */
static void try_file(struct census *census, const char *path)
{
    char library[PATH_BYTES] = "", reason[REASON_BYTES];
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    FILE *stream = fopen(path, "re");
    if (stream != NULL && fgets(library, sizeof library, stream) != NULL)
        library[strcspn(library, "\r\n")] = '\0';
    const char *why = stream == NULL ? strerror(errno) : "names no library";
    if (stream != NULL)
        (void)fclose(stream);
    if (library[0] != '\0') {
        try_library(census, name, library);
        return;
    }
    census->n_named++;
    (void)snprintf(reason, sizeof reason, "%.300s: %s", path, why);
    if (census->wanted == NULL)
        opencl_unused_add(name, reason, FIX_DRIVER);
}

static int is_icd(const struct dirent *entry)
{
    return ends_in(entry->d_name, ".icd");
}

static void try_folder(struct census *census, const char *folder)
{
    struct dirent **entries = NULL;
    int n = scandir(folder, &entries, is_icd, alphasort);
    for (int i = 0; i < n; i++) {
        char path[PATH_BYTES];
        (void)snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        try_file(census, path);
        free(entries[i]);
    }
    free(entries);
}

/* OCL_ICD_VENDORS may be a folder, a file of one, or a library. Source: ocl-icd 2.3.1. */
static void take_census(struct census *census, const char *vendors)
{
    struct stat entry;
    char path[PATH_BYTES];
    if (stat(vendors, &entry) == 0 && S_ISDIR(entry.st_mode)) {
        try_folder(census, vendors);
    } else if (ends_in(vendors, ".icd")) {
        bool is_path = strchr(vendors, '/') != NULL;
        (void)snprintf(path, sizeof path, "%s%s", is_path ? "" : DEFAULT_VENDORS "/", vendors);
        try_file(census, path);
    } else if (strstr(vendors, ".so") != NULL) {
        try_library(census, vendors, vendors);
    }
}

static void say_nothing_is_named(const char *vendors, bool is_set)
{
    char reason[REASON_BYTES];
    struct stat entry;
    bool is_there = stat(vendors, &entry) == 0;
    (void)snprintf(reason, sizeof reason, "no OpenCL platform: the loader is there, %s%.300s %s",
                   is_set ? "OCL_ICD_VENDORS=" : "", vendors,
                   is_there ? "has no driver's file (*.icd)" : "does not exist");
    opencl_unused_add("opencl", reason,
                      is_set ? "unset OCL_ICD_VENDORS, or " FIX_INSTALL : FIX_INSTALL);
}

static cl_uint count_files(const char *vendors)
{
    struct dirent **entries = NULL;
    int n = scandir(vendors, &entries, is_icd, NULL);
    for (int i = 0; i < n; i++)
        free(entries[i]);
    free(entries);
    return n > 0 ? (cl_uint)n : 0;
}

bool opencl_icd_names(const char *part)
{
    struct census census = { .wanted = part };
    const char *set = getenv("OCL_ICD_VENDORS");
    take_census(&census, set != NULL && set[0] != '\0' ? set : DEFAULT_VENDORS);
    return census.n_wanted > 0;
}

void opencl_icd_explain(cl_uint n_platforms)
{
    struct census census = { .n_named = 0 };
    const char *set = getenv("OCL_ICD_VENDORS");
    bool is_set = set != NULL && set[0] != '\0';
    const char *vendors = is_set ? set : DEFAULT_VENDORS;
    /* every driver has its platform: nothing to explain, and no library is loaded for nothing */
    if (n_platforms > 0 && count_files(vendors) <= n_platforms)
        return;
    take_census(&census, vendors);
    if (census.n_named == 0)
        say_nothing_is_named(vendors, is_set);
    else if (n_platforms == 0 && census.n_loading > 0)
        opencl_unused_add("opencl", "no OpenCL platform, though a driver of it loads",
                          "clinfo, for what the driver says");
}
