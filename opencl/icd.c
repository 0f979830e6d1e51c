/* SPDX-License-Identifier: BSD-3-Clause */
/* Why platforms are missing: the loader says nothing, so its files are read once more here.
 *
 * The files of the drivers (*.icd) name libraries; each is loaded, as the loader does, to see why
 * it does not load. There are two loaders, which read the same variables in different ways.
 * Source: ocl_icd_loader.c of ocl-icd 2.3; loader/icd.c and loader/linux/icd_linux.c of Khronos'
 * loader of 2024. */
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
#define FIX_VARIABLE(name) "install that driver, or take it out of " name
#define FIX_DRIVER                                                                                 \
    "install that driver, in a container give it the device (--gpus all), or remove the file"

enum { PATH_BYTES = 4096, REASON_BYTES = 512 };

/* Where the loader looks, and the drivers that are named there. */
struct census {
    bool is_ocl_icd;
    const char *vendors;   /* OCL_ICD_VENDORS; NULL: it is not set */
    const char *folder;    /* which it stands for else */
    const char *libraries; /* OCL_ICD_FILENAMES, which is read by Khronos' loader; else "" */
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

static void try_library(struct census *census, const char *name, const char *library,
                        const char *fix)
{
    char reason[REASON_BYTES];
    census->n_named++;
    if (census->wanted != NULL)
        census->n_wanted += strstr(library, census->wanted) != NULL;
    else if (opencl_library_loads(library, reason, sizeof reason))
        census->n_loading++;
    else
        opencl_unused_add(name, reason, fix);
}

/* The library that a file names: the first line for ocl-icd, for Khronos' loader all of the file up
 * to a line end at its very end. Returns what is wrong, or NULL. */
static const char *read_file(const struct census *census, const char *path,
                             char library[PATH_BYTES])
{
    FILE *stream = fopen(path, "re");
    if (stream == NULL)
        return strerror(errno);
    size_t n = fread(library, 1, PATH_BYTES - 1, stream);
    const char *wrong = ferror(stream) ? strerror(errno) : NULL;
    (void)fclose(stream);
    if (wrong != NULL)
        return wrong;
    library[n] = '\0';
    if (census->is_ocl_icd)
        library[strcspn(library, "\n")] = '\0';
    else if (n > 0 && library[n - 1] == '\n')
        library[n - 1] = '\0';
    return library[0] != '\0' ? NULL : "names no library";
}

static void try_file(struct census *census, const char *path)
{
    char library[PATH_BYTES] = "", reason[REASON_BYTES];
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    const char *fault = read_file(census, path, library);
    if (fault == NULL) {
        try_library(census, name, library, FIX_DRIVER);
        return;
    }
    census->n_named++;
    (void)snprintf(reason, sizeof reason, "%.300s: %s", path, fault);
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

static bool is_folder(const char *path)
{
    struct stat entry;
    return stat(path, &entry) == 0 && S_ISDIR(entry.st_mode);
}

/* For ocl-icd OCL_ICD_VENDORS may also be a file, one without a slash of the usual folder, or else
 * a library. A path that is neither there nor named like one is taken for a folder that is
 * missing. */
static void try_one(struct census *census)
{
    char path[PATH_BYTES];
    bool is_plain = strchr(census->vendors, '/') == NULL;
    (void)snprintf(path, sizeof path, "%s/%s", census->folder, census->vendors);
    if (ends_in(census->vendors, ".icd"))
        try_file(census, is_plain && access(path, R_OK) == 0 ? path : census->vendors);
    else if (strstr(census->vendors, ".so") != NULL)
        try_library(census, census->vendors, census->vendors, FIX_VARIABLE("OCL_ICD_VENDORS"));
}

/* OCL_ICD_FILENAMES: libraries between colons, which come before what is in the folder. */
static void try_libraries(struct census *census)
{
    for (const char *at = census->libraries; *at != '\0'; at += strspn(at, ":")) {
        char library[PATH_BYTES];
        size_t n = strcspn(at, ":");
        (void)snprintf(library, sizeof library, "%.*s", (int)n, at);
        if (n > 0)
            try_library(census, library, library, FIX_VARIABLE("OCL_ICD_FILENAMES"));
        at += n;
    }
}

static void take_census(struct census *census)
{
    const char *vendors = census->vendors != NULL ? census->vendors : census->folder;
    try_libraries(census);
    if (is_folder(vendors))
        try_folder(census, vendors);
    else if (census->is_ocl_icd && census->vendors != NULL)
        try_one(census);
}

/* ---- What is said. */

static void say_nothing_is_named(const struct census *census)
{
    char reason[REASON_BYTES];
    struct stat entry;
    bool is_set = census->vendors != NULL;
    const char *vendors = is_set ? census->vendors : census->folder;
    bool is_there = stat(vendors, &entry) == 0;
    (void)snprintf(reason, sizeof reason, "no OpenCL platform: the loader is there, %s%.300s %s",
                   is_set ? "OCL_ICD_VENDORS=" : "", vendors,
                   is_there ? "has no driver's file (*.icd)" : "does not exist");
    opencl_unused_add("opencl", reason,
                      is_set ? "unset OCL_ICD_VENDORS, or " FIX_INSTALL : FIX_INSTALL);
}

static void say_unread(const char *variable, const char *loader, const char *fix)
{
    char reason[REASON_BYTES];
    (void)snprintf(reason, sizeof reason, "%s=%.300s is not read: the OpenCL loader here is %s",
                   variable, getenv(variable), loader);
    opencl_unused_add(variable, reason, fix);
}

static bool is_set(const char *variable)
{
    const char *value = getenv(variable);
    return value != NULL && value[0] != '\0';
}

/* A variable of the other loader does nothing, in silence. */
static void say_variables(const struct census *census)
{
    if (census->is_ocl_icd && is_set("OCL_ICD_FILENAMES"))
        say_unread("OCL_ICD_FILENAMES", "ocl-icd",
                   "OCL_ICD_VENDORS=<that library>, or unset OCL_ICD_FILENAMES");
    if (!census->is_ocl_icd && is_set("OPENCL_VENDOR_PATH"))
        say_unread("OPENCL_VENDOR_PATH", "not ocl-icd",
                   "OCL_ICD_VENDORS=<that folder>, or unset OPENCL_VENDOR_PATH");
    if (!census->is_ocl_icd && is_set("OCL_ICD_VENDORS") && !is_folder(census->vendors) &&
        access(census->vendors, F_OK) == 0)
        say_unread("OCL_ICD_VENDORS", "not ocl-icd, and wants a folder there",
                   "OCL_ICD_VENDORS=<its folder>, or OCL_ICD_FILENAMES=<the library>");
}

static cl_uint count_files(const char *folder)
{
    struct dirent **entries = NULL;
    int n = scandir(folder, &entries, is_icd, NULL);
    for (int i = 0; i < n; i++)
        free(entries[i]);
    free(entries);
    return n > 0 ? (cl_uint)n : 0;
}

static cl_uint count_named(const struct census *census)
{
    cl_uint n = count_files(census->vendors != NULL ? census->vendors : census->folder);
    for (const char *at = census->libraries; *at != '\0'; at++)
        n += *at != ':' && (at[1] == ':' || at[1] == '\0');
    return n;
}

/* An empty variable is none for ocl-icd; Khronos' loader finds no folder of that name. */
static struct census find_places(bool is_ocl_icd)
{
    const char *vendors = getenv("OCL_ICD_VENDORS"), *folder = getenv("OPENCL_VENDOR_PATH"),
               *libraries = getenv("OCL_ICD_FILENAMES");
    struct census census = {
        .is_ocl_icd = is_ocl_icd, .vendors = vendors, .folder = DEFAULT_VENDORS, .libraries = ""
    };
    if (!census.is_ocl_icd)
        census.libraries = libraries != NULL ? libraries : "";
    else if (is_set("OPENCL_VENDOR_PATH"))
        census.folder = folder;
    if (census.is_ocl_icd && !is_set("OCL_ICD_VENDORS"))
        census.vendors = NULL;
    return census;
}

/* Which loader it is would be known by asking it, and ocl-icd loads its drivers before it answers.
 * So the places of both are looked at. */
bool opencl_icd_names(const char *part)
{
    struct census one = find_places(true), other = find_places(false);
    one.wanted = other.wanted = part;
    take_census(&one);
    take_census(&other);
    return one.n_wanted + other.n_wanted > 0;
}

void opencl_icd_explain(cl_uint n_platforms)
{
    struct census census = find_places(opencl_library_is_ocl_icd());
    say_variables(&census);
    /* every driver has its platform: nothing to explain, and no library is loaded for nothing */
    if (n_platforms > 0 && count_named(&census) <= n_platforms)
        return;
    take_census(&census);
    if (census.n_named == 0)
        say_nothing_is_named(&census);
    else if (n_platforms == 0 && census.n_loading > 0)
        opencl_unused_add("opencl", "no OpenCL platform, though a driver of it loads",
                          "clinfo, for what the driver says");
}
