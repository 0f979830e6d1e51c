/* SPDX-License-Identifier: BSD-3-Clause */
/* A folder is read whenever something is asked: others write to it too, and the names in it are all
 * that is known. The lock is the kernel's, so that none is left by a process that was killed; its
 * file stays, for another process may just have opened it. */
#include "config.h"

#include "runtime/checkpoint/generations.h"

#include "runtime/base/error.h"
#include "runtime/base/limits.h"
#include "runtime/base/log.h"
#include "runtime/base/memory.h"
#include "runtime/data/format/replacement.h"
#include "runtime/data/format/safetensors.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static cohort_status refuse(const char *path)
{
    cohort_status status = errno == ENOENT    ? COHORT_ENOENT
                           : errno == ENOTDIR ? COHORT_EINVAL
                                              : COHORT_EINTERNAL;
    return cohort_error_set(status, "%s: %s", path, strerror(errno));
}

cohort_status cohort_generations_path(const char *folder, const char *file, char *out)
{
    int used = snprintf(out, COHORT_LIMIT_PATH_BYTES, "%s/%s", folder, file);
    return used >= 0 && used < COHORT_LIMIT_PATH_BYTES
               ? COHORT_OK
               : cohort_error_set(COHORT_EINVAL, "a path of %d bytes; at most %d", used,
                                  COHORT_LIMIT_PATH_BYTES - 1);
}

/* ------------------------------------------------------------------ listing */

/* Does something with each name of a folder, until it fails. */
typedef cohort_status (*each_fn)(const char *folder, const char *name, void *user);

static cohort_status for_each(const char *folder, each_fn each, void *user)
{
    DIR *entries = opendir(folder);
    if (entries == NULL)
        return refuse(folder);
    cohort_status status = COHORT_OK;
    errno = 0;
    for (const struct dirent *e; status >= 0 && (e = readdir(entries)) != NULL; errno = 0)
        status = each(folder, e->d_name, user);
    if (status >= 0 && errno != 0)
        status = refuse(folder);
    (void)closedir(entries);
    return status;
}

typedef struct listing {
    cohort_generations *out;
    size_t room;
} listing;

/* One that was removed meanwhile is none any more. */
static cohort_status add(const char *folder, const char *name, void *user)
{
    listing *l = user;
    char path[COHORT_LIMIT_PATH_BYTES];
    struct stat what;
    bool is_sharded;
    cohort_checkpoint_generation g = { .number = cohort_generation_number(name, &is_sharded) };
    if (g.number == 0 || cohort_generations_path(folder, name, path) < 0 ||
        lstat(path, &what) != 0 || !S_ISREG(what.st_mode))
        return COHORT_OK;
    g.bytes = (int64_t)what.st_size;
    g.time_us = (int64_t)what.st_mtim.tv_sec * 1000000 + what.st_mtim.tv_nsec / 1000;
    cohort_generation_print(g.number, is_sharded, g.file);
    if (!cohort_grow((void **)&l->out->list, &l->room, l->out->n + 1, sizeof g))
        return cohort_error_memory("the list of checkpoints");
    l->out->list[l->out->n++] = g;
    return COHORT_OK;
}

static int compare(const void *a, const void *b)
{
    const cohort_checkpoint_generation *s = a, *t = b;
    return s->number < t->number ? 1 : s->number > t->number ? -1 : strcmp(s->file, t->file);
}

/* The manifest of that number; NULL: there is none. */
static cohort_checkpoint_generation *find_manifest(const cohort_generations *g, int64_t number)
{
    for (size_t i = 0; i < g->n; i++)
        if (g->list[i].number == number && cohort_manifest_is_name(g->list[i].file))
            return &g->list[i];
    return NULL;
}

/* A generation is as long as all of its files. */
static cohort_status add_shard(const char *folder, const char *name, void *user)
{
    char path[COHORT_LIMIT_PATH_BYTES];
    cohort_shard_name shard;
    struct stat what;
    cohort_checkpoint_generation *of =
        cohort_shard_name_read(name, &shard) ? find_manifest(user, shard.number) : NULL;
    if (of != NULL && cohort_generations_path(folder, name, path) >= 0 && lstat(path, &what) == 0)
        of->bytes += (int64_t)what.st_size;
    return COHORT_OK;
}

static bool has_manifest(const cohort_generations *g)
{
    bool has = false;
    for (size_t i = 0; i < g->n && !has; i++)
        has = cohort_manifest_is_name(g->list[i].file);
    return has;
}

cohort_status cohort_generations_list(const char *folder, cohort_generations *out)
{
    listing l = { .out = out };
    *out = (cohort_generations){ 0 };
    cohort_status status = for_each(folder, add, &l);
    if (status >= 0 && has_manifest(out))
        status = for_each(folder, add_shard, out);
    if (status < 0)
        cohort_generations_free(out);
    else if (out->n > 0)
        qsort(out->list, out->n, sizeof *out->list, compare);
    return status;
}

void cohort_generations_free(cohort_generations *generations)
{
    cohort_free(generations->list);
    *generations = (cohort_generations){ 0 };
}

cohort_status cohort_generations_next(const char *folder, int64_t newest, bool is_sharded,
                                      char *out)
{
    char name[COHORT_GENERATION_NAME_BYTES];
    cohort_generation_print(newest + 1, is_sharded, name);
    if (cohort_generation_number(name, NULL) == 0)
        return cohort_error_set(COHORT_EINVAL, "%s: there is no number behind %lld", folder,
                                (long long)newest);
    return cohort_generations_path(folder, name, out);
}

int cohort_checkpoint_generations(const char *folder, cohort_checkpoint_generation out[],
                                  int capacity)
{
    cohort_generations found = { 0 };
    cohort_status status = folder != NULL
                               ? cohort_generations_list(folder, &found)
                               : cohort_error_null("cohort_checkpoint_generations", "the folder");
    int n = status < 0 ? -1 : found.n > INT32_MAX ? INT32_MAX : (int)found.n;
    for (int i = 0; out != NULL && i < n && i < capacity; i++)
        out[i] = found.list[i];
    cohort_generations_free(&found);
    return (int)cohort_error_answer(n);
}

/* ------------------------------------------------------------------ writers */

static cohort_status make_folder(const char *folder)
{
    return mkdir(folder, 0700) == 0 || errno == EEXIST ? COHORT_OK : refuse(folder);
}

/* Where the one around it may not be read, all of the file system is synced. */
cohort_status cohort_generations_sync_name(const char *folder)
{
    char parent[COHORT_LIMIT_PATH_BYTES];
    cohort_status status = cohort_generations_path(folder, "..", parent);
    if (status < 0)
        return status;
    int fd = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool is_parent = fd >= 0 || errno != EACCES;
    if (!is_parent)
        fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0 || (is_parent ? fsync(fd) : syncfs(fd)) != 0)
        status = refuse(folder);
    if (fd >= 0)
        (void)close(fd);
    return status;
}

/* None of the first three: see replacement.c. */
static int open_lock(const char *path)
{
    enum { FIRST = 3 };
    int fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0600);
    if (fd < 0 || fd >= FIRST)
        return fd;
    int above = fcntl(fd, F_DUPFD_CLOEXEC, FIRST);
    (void)close(fd);
    return above;
}

cohort_status cohort_generations_lock(const char *folder, int *out_fd)
{
    char path[COHORT_LIMIT_PATH_BYTES];
    *out_fd = -1;
    cohort_status status = make_folder(folder);
    if (status >= 0)
        status = cohort_generations_path(folder, "checkpoint.lock", path);
    if (status < 0)
        return status;
    int fd = open_lock(path);
    if (fd < 0)
        return refuse(path);
    if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        status = errno == EWOULDBLOCK
                     ? cohort_error_set(COHORT_EAGAIN, "%s: somebody else is writing to it", folder)
                     : refuse(path);
        (void)close(fd);
        return status;
    }
    *out_fd = fd;
    return COHORT_OK;
}

/* Unlocked by itself: a process that was forked meanwhile has the descriptor too, and with it the
 * lock. */
void cohort_generations_unlock(int fd)
{
    (void)flock(fd, LOCK_UN);
    (void)close(fd);
}

/* ------------------------------------------------------------------ removing */

/* What was to become a generation, or a shard. Other files may have a number of their own, or a
 * date, at the end of their names: checkpoint-2026.11-30 is a program's. */
static bool is_left(const char *name)
{
    char target[COHORT_SHARD_NAME_BYTES];
    cohort_shard_name shard;
    const char *dot = strrchr(name, '.');
    size_t length = dot != NULL ? (size_t)(dot - name) : sizeof target;
    if (length >= sizeof target ||
        !cohort_replacement_is_temporary(name, COHORT_GENERATION_BEGINNING))
        return false;
    memcpy(target, name, length);
    target[length] = '\0';
    return cohort_generation_number(target, NULL) > 0 || cohort_shard_name_read(target, &shard);
}

/* generations: those that there are; a manifest that cannot be read may mean any shard of its
 * number. */
static bool is_orphan(const cohort_generations *generations, const char *name)
{
    cohort_shard_name shard;
    return cohort_shard_name_read(name, &shard) && find_manifest(generations, shard.number) == NULL;
}

static cohort_status sweep(const char *folder, const char *name, void *user)
{
    char path[COHORT_LIMIT_PATH_BYTES];
    if ((is_left(name) || is_orphan(user, name)) &&
        cohort_generations_path(folder, name, path) >= 0)
        (void)unlink(path);
    return COHORT_OK;
}

void cohort_generations_sweep(const char *folder)
{
    cohort_generations generations;
    if (cohort_generations_list(folder, &generations) < 0)
        return;
    (void)for_each(folder, sweep, &generations);
    cohort_generations_free(&generations);
}
