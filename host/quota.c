/* SPDX-License-Identifier: BSD-3-Clause */
/* Quotas of control groups, from the files of Linux.
 *
 * /proc/self/cgroup names the groups of this process, and /proc/self/mountinfo where their folders
 * are: a mount shows the tree from one group, its root, on. Both are as the process's own namespace
 * of groups sees them. The folder of each group above counts too, up to the mount.
 *
 * Version 2: "0::/a/b", type cgroup2, cpu.max "QUOTA PERIOD" or "max PERIOD". Version 1:
 * "4:cpu,cpuacct:/a/b", type cgroup with the option cpu, cpu.cfs_quota_us (-1: no limit) and
 * cpu.cfs_period_us.
 *
 * Source  cgroups(7), proc_pid_mountinfo(5), Documentation/admin-guide/cgroup-v2.rst of Linux */
#include "config.h"

#include "host/quota.h"

#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINE_BYTES = 16384 }; /* a mount has two paths, and options */

/* What is looked for, and the least that was found. */
struct search {
    const char *root;
    char groups[2][PATH_MAX]; /* of version 1 and 2; "": the process is in none */
    struct quota *least;
};

enum { V1, V2 };

/* ------------------------------------------------------------------ numbers in files */

/* The text of a regular file: a FIFO would keep the start of a program waiting. */
static bool read_file(const char *path, char *out_text, size_t size)
{
    struct stat entry;
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    ssize_t n = -1;
    if (file >= 0 && fstat(file, &entry) == 0 && S_ISREG(entry.st_mode))
        n = read(file, out_text, size - 1);
    if (file >= 0)
        (void)close(file);
    out_text[n > 0 ? n : 0] = '\0';
    return n > 0;
}

/* A number above 0 and where the text goes on; 0: there is none. A text that is no such number,
 * "max" and -1 among them, limits nothing. */
static long long read_number(const char **text)
{
    char *end;
    long long number = strtoll(*text, &end, 10);
    bool is_whole = end > *text && (*end == ' ' || *end == '\n' || *end == '\0');
    *text = end;
    return is_whole && number > 0 && number < LLONG_MAX ? number : 0;
}

static double read_both(const char *quota_text, const char *period_text)
{
    long long quota = read_number(&quota_text);
    if (period_text == NULL)
        period_text = quota_text; /* of one text */
    long long period = read_number(&period_text);
    return quota > 0 && period > 0 ? (double)quota / (double)period : 0;
}

/* ------------------------------------------------------------------ groups */

static bool join(char *out, size_t size, const char *a, const char *b)
{
    int length = snprintf(out, size, "%s%s", a, b);
    return length >= 0 && (size_t)length < size;
}

static void take_least(struct search *search, double cpus, const char *file)
{
    struct quota *least = search->least;
    if (cpus <= 0 || (least->cpus > 0 && least->cpus <= cpus))
        return;
    size_t length = strnlen(file, sizeof least->file - 1);
    least->cpus = cpus;
    memcpy(least->file, file, length);
    least->file[length] = '\0';
}

static void look_at(struct search *search, int version, const char *folder)
{
    char path[2 * PATH_MAX + 64], quota[64], period[64];
    if (!join(path, sizeof path, folder, "/cpu.cfs_period_us"))
        return;
    if (version == V1 && !read_file(path, period, sizeof period))
        return;
    (void)join(path, sizeof path, folder, version == V1 ? "/cpu.cfs_quota_us" : "/cpu.max");
    if (read_file(path, quota, sizeof quota))
        take_least(search, read_both(quota, version == V1 ? period : NULL), path);
}

static bool leaves(const char *path)
{
    for (const char *at = strstr(path, "/.."); at != NULL; at = strstr(at + 1, "/.."))
        if (at[3] == '/' || at[3] == '\0')
            return true;
    return false;
}

/* The way of a group below the root of a mount, "" the root itself; NULL: it is not below, or not
 * to be seen. Where the mount begins above the process's namespace, /.., the names between are
 * unknown, and its root is a group above. */
static const char *way_below(const char *group, const char *root)
{
    size_t length = strcmp(root, "/") == 0 ? 0 : strlen(root);
    bool is_below =
        strncmp(group, root, length) == 0 && (group[length] == '/' || group[length] == '\0');
    const char *way = is_below ? group + length : leaves(root) && !leaves(group) ? "" : NULL;
    return way == NULL || leaves(way) ? NULL : strcmp(way, "/") == 0 ? "" : way;
}

/* From the group itself up to the folder of the mount. */
static void climb(struct search *search, int version, const char *mount, const char *way)
{
    char folder[2 * PATH_MAX];
    size_t top = strlen(search->root) + strlen(mount);
    if (top + strlen(way) >= sizeof folder)
        return;
    (void)snprintf(folder, sizeof folder, "%s%s%s", search->root, mount, way);
    for (;;) {
        look_at(search, version, folder);
        if (folder[top] == '\0')
            return;
        *strrchr(folder, '/') = '\0'; /* there is one at `top`, where the way begins */
    }
}

/* ------------------------------------------------------------------ the two lists */

static bool has_word(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; *at != '\0'; at += *at == ',') {
        size_t n = strcspn(at, ",");
        if (n == length && memcmp(at, word, n) == 0)
            return true;
        at += n;
    }
    return false;
}

/* "4:cpu,cpuacct:/a/b" */
static void take_group(struct search *search, char *line)
{
    char *controllers = strchr(line, ':');
    char *path = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
    if (path == NULL || path[1] != '/' || strlen(path + 1) >= PATH_MAX)
        return;
    *path++ = '\0';
    if (strcmp(line, "0:") == 0)
        strcpy(search->groups[V2], path);
    else if (has_word(controllers + 1, "cpu"))
        strcpy(search->groups[V1], path);
}

/* Spaces and their like stand as \040. */
static void unescape(char *path)
{
    char *to = path;
    for (const char *from = path; *from != '\0'; to++) {
        bool is_octal = from[0] == '\\' && strspn(from + 1, "01234567") >= 3;
        *to = is_octal ? (char)((from[1] - '0') * 64 + (from[2] - '0') * 8 + from[3] - '0') : *from;
        from += is_octal ? 4 : 1;
    }
    *to = '\0';
}

/* "32 31 0:29 ROOT MOUNT OPTIONS TAGS... - TYPE SOURCE OPTIONS" */
static void take_mount(struct search *search, char *line)
{
    enum { ROOT = 3, MOUNT = 4, TYPE = 1, OPTIONS = 3, WORDS = 5 };
    char *tail = strstr(line, " - "), *words[WORDS] = { NULL }, *ends[WORDS] = { NULL }, *rest;
    if (tail == NULL)
        return;
    *tail = '\0';
    for (int i = 0; i < WORDS; i++)
        words[i] = strtok_r(i == 0 ? line : NULL, " ", &rest);
    for (int i = TYPE; i <= OPTIONS; i++)
        ends[i] = strtok_r(i == TYPE ? tail + 2 : NULL, " ", &rest);
    if (words[MOUNT] == NULL || ends[OPTIONS] == NULL)
        return;
    int version = strcmp(ends[TYPE], "cgroup2") == 0 ? V2 : V1;
    if (version == V1 && (strcmp(ends[TYPE], "cgroup") != 0 || !has_word(ends[OPTIONS], "cpu")))
        return;
    unescape(words[ROOT]);
    unescape(words[MOUNT]);
    const char *way = way_below(search->groups[version], words[ROOT]);
    if (search->groups[version][0] != '\0' && way != NULL)
        climb(search, version, words[MOUNT], way);
}

/* Each line without its end; one that is too long is left out. */
static void for_each_line(struct search *search, const char *name,
                          void (*take)(struct search *, char *))
{
    char path[PATH_MAX], line[LINE_BYTES];
    bool is_start = true;
    FILE *file = join(path, sizeof path, search->root, name) ? fopen(path, "re") : NULL;
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        char *end = strchr(line, '\n');
        if (end != NULL)
            *end = '\0';
        if (is_start && (end != NULL || feof(file)))
            take(search, line);
        is_start = end != NULL;
    }
    if (file != NULL)
        (void)fclose(file);
}

void quota_find(const char *root, struct quota *out)
{
    struct search search = { .root = root, .least = out };
    *out = (struct quota){ .cpus = 0 };
    for_each_line(&search, "/proc/self/cgroup", take_group);
    for_each_line(&search, "/proc/self/mountinfo", take_mount);
}

int quota_threads(const struct quota *quota, int cpus)
{
    double threads = ceil(quota->cpus);
    return threads > 0 && threads < cpus ? (int)threads : cpus;
}

bool quota_describe(const struct quota *quota, int cpus, char out_text[QUOTA_TEXT_BYTES])
{
    bool is_limit = quota->cpus > 0 && quota->cpus < cpus;
    int hundredths = is_limit ? (int)lround(100 * quota->cpus) : 0;
    out_text[0] = '\0';
    if (is_limit)
        (void)snprintf(out_text, QUOTA_TEXT_BYTES, "quota %d.%02d of %d CPUs", hundredths / 100,
                       hundredths % 100, cpus);
    return is_limit;
}
