/* SPDX-License-Identifier: BSD-3-Clause */
/* Built kernels on disk, which are code: a file that somebody else could have written is not read.
 *
 * A file is a header, the parts of the key, each after its length, and the block. Lengths are in
 * bytes, all numbers in the order of this machine: on another one the version does not match. Every
 * step works on descriptors, from the folder on, so that nothing can be exchanged between a check
 * and a use. */
#include "config.h"

#include "runtime/operation/kernel_cache.h"

#include "runtime/base/digest.h"
#include "runtime/base/error.h"
#include "runtime/base/file_limit.h"
#include "runtime/base/limits.h"
#include "runtime/base/log.h"
#include "runtime/base/memory.h"
#include "runtime/base/own_folder.h"
#include "runtime/base/settings.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { REASON_BYTES = 768, NAME_BYTES = 64, CHUNK = 4096, ATTEMPTS = 100, FIRST_FREE_FD = 3 };

/* ---- The folder: where it is, and whether it may be used. */

typedef struct place {
    char path[COHORT_LIMIT_PATH_BYTES];
    size_t parent; /* length of the folder above, which we may make too; 0: which we may not */
} place;

static bool refuse(char *reason, const char *path, const char *why, const char *fix)
{
    (void)snprintf(reason, REASON_BYTES,
                   "%.500s %s; %s, or set COHORT_CACHE to another folder, or to off", path, why,
                   fix);
    return false;
}

/* $COHORT_CACHE: its parents are the user's to make. A slash at the end would have a link
 * followed. */
static bool place_named(const char *path, place *p, char *reason)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    if (path[0] != '/' || length >= sizeof p->path)
        return refuse(reason, path, "is no absolute path", "name one");
    memcpy(p->path, path, length);
    p->path[length] = '\0';
    p->parent = 0;
    return true;
}

/* In the folder that programs share for their caches; a relative one counts as unset (XDG Base
 * Directory). */
static bool place_shared(place *p, char *reason)
{
    const char *shared = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    bool has_shared = shared != NULL && shared[0] == '/';
    if (!has_shared && (home == NULL || home[0] != '/'))
        return refuse(reason, "HOME", "is not set", "set it");
    int parent = snprintf(p->path, sizeof p->path, "%s%s", has_shared ? shared : home,
                          has_shared ? "" : "/.cache");
    if (parent < 0 || (size_t)parent + sizeof "/cohort" > sizeof p->path)
        return refuse(reason, has_shared ? "XDG_CACHE_HOME" : "HOME", "is too long",
                      "set a shorter one");
    memcpy(p->path + parent, "/cohort", sizeof "/cohort");
    p->parent = (size_t)parent;
    return true;
}

static bool place_find(place *p, char *reason)
{
    const char *path = cohort_setting_text(COHORT_SETTING_CACHE);
    reason[0] = '\0';
    if (cohort_setting_is_secure() || (path != NULL && strcmp(path, "off") == 0))
        return false;
    return path != NULL ? place_named(path, p, reason) : place_shared(p, reason);
}

/* What cannot be made is noticed when it is opened. */
static void place_create(place *p)
{
    if (p->parent > 0) {
        p->path[p->parent] = '\0';
        (void)mkdir(p->path, S_IRWXU);
        p->path[p->parent] = '/';
    }
    (void)mkdir(p->path, S_IRWXU);
}

static int place_open(const place *p, char *reason)
{
    const char *why, *fix;
    int fd = cohort_own_folder_open(p->path, &why, &fix);
    if (fd < 0)
        (void)refuse(reason, p->path, why, fix);
    return fd;
}

/* A descriptor of the folder, the caller's to close; -1 when there is none that may be used, and
 * then the reason with the fix, or "" where no cache is wanted (COHORT_CACHE=off, AT_SECURE).
 * may_create: make it, and the folder of caches above it, where it is missing. Sets no error
 * text. */
static int open_folder(bool may_create, char reason[REASON_BYTES])
{
    place p;
    if (!place_find(&p, reason))
        return -1;
    if (may_create)
        place_create(&p);
    return place_open(&p, reason);
}

/* ---- Entries. */

typedef struct header {
    char magic[8];
    uint64_t version, key_bytes, block_bytes;
    uint64_t digest; /* of the block */
} header;
static const header blank = { .magic = "COHORTK", .version = 1 };

typedef struct entry {
    const cohort_kernel_cache_part *key;
    int n_parts;
    uint64_t key_bytes; /* in the file: with a length before each part */
    char name[NAME_BYTES];
} entry;

/* false: more than a key may be */
static bool entry_init(entry *e, const cohort_kernel_cache_part key[], int n_parts)
{
    uint64_t digest = COHORT_DIGEST_OF_NOTHING;
    *e = (entry){ .key = key, .n_parts = n_parts };
    for (int i = 0; i < n_parts; i++) {
        uint64_t bytes = key[i].bytes;
        if (bytes > COHORT_LIMIT_CACHE_KEY_BYTES)
            return false;
        e->key_bytes += sizeof bytes + bytes;
        digest = cohort_digest_add(digest, &bytes, sizeof bytes);
        digest = cohort_digest_add(digest, key[i].data, bytes);
    }
    (void)snprintf(e->name, sizeof e->name, "%016" PRIx64 ".kernel", digest);
    return e->key_bytes <= COHORT_LIMIT_CACHE_KEY_BYTES;
}

/* ---- Reading. */

static bool read_all(int fd, void *into, uint64_t bytes)
{
    for (char *at = into; bytes > 0;) {
        ssize_t n = read(fd, at, bytes);
        if (n == 0 || (n < 0 && errno != EINTR))
            return false;
        if (n > 0)
            at += n, bytes -= (uint64_t)n;
    }
    return true;
}

static bool next_is(int fd, const void *wanted, uint64_t bytes)
{
    char found[CHUNK];
    for (const char *at = wanted; bytes > 0;) {
        uint64_t n = bytes < sizeof found ? bytes : sizeof found;
        if (!read_all(fd, found, n) || memcmp(found, at, n) != 0)
            return false;
        at += n, bytes -= n;
    }
    return true;
}

static bool next_is_key(int fd, const entry *e)
{
    bool is_ours = true;
    for (int i = 0; i < e->n_parts && is_ours; i++) {
        uint64_t bytes = e->key[i].bytes;
        is_ours = next_is(fd, &bytes, sizeof bytes) && next_is(fd, e->key[i].data, bytes);
    }
    return is_ours;
}

/* The block's size follows from that of the file, so that nothing is allocated that is not
 * there. */
static bool read_header(int fd, const entry *e, header *out)
{
    struct stat file;
    uint64_t rest = sizeof(header) + e->key_bytes;
    if (fstat(fd, &file) != 0 || !S_ISREG(file.st_mode) || file.st_uid != geteuid() ||
        (file.st_mode & (S_IWGRP | S_IWOTH)) != 0 || file.st_size < 0 ||
        (uint64_t)file.st_size < rest)
        return false;
    header wanted = blank;
    wanted.key_bytes = e->key_bytes;
    wanted.block_bytes = (uint64_t)file.st_size - rest;
    return wanted.block_bytes <= COHORT_LIMIT_CACHE_BLOCK_BYTES && read_all(fd, out, sizeof *out) &&
           memcmp(out, &wanted, offsetof(header, digest)) == 0;
}

static cohort_status load(int fd, const entry *e, void **out_block, uint64_t *out_bytes)
{
    header h;
    if (!read_header(fd, e, &h) || !next_is_key(fd, e))
        return COHORT_ENOENT;
    void *block = cohort_allocate((size_t)h.block_bytes, 1);
    if (block == NULL)
        return cohort_error_memory("a built kernel");
    if (!read_all(fd, block, h.block_bytes) ||
        cohort_digest_add(COHORT_DIGEST_OF_NOTHING, block, h.block_bytes) != h.digest) {
        cohort_free(block);
        return COHORT_ENOENT;
    }
    *out_block = block;
    *out_bytes = h.block_bytes;
    return COHORT_OK;
}

cohort_status cohort_kernel_cache_load(const cohort_kernel_cache_part key[], int n_parts,
                                       void **out_block, uint64_t *out_bytes)
{
    entry e;
    char reason[REASON_BYTES];
    *out_block = NULL;
    *out_bytes = 0;
    int folder = entry_init(&e, key, n_parts) ? open_folder(false, reason) : -1;
    if (folder < 0)
        return COHORT_ENOENT;
    int fd = openat(folder, e.name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    cohort_status st = fd >= 0 ? load(fd, &e, out_block, out_bytes) : COHORT_ENOENT;
    if (fd >= 0)
        (void)close(fd);
    (void)close(folder);
    return st;
}

/* ---- Writing. */

static bool write_all(int fd, const void *from, uint64_t bytes)
{
    for (const char *at = from; bytes > 0;) {
        ssize_t n = write(fd, at, bytes);
        if (n < 0 && errno != EINTR)
            return false;
        if (n > 0)
            at += n, bytes -= (uint64_t)n;
    }
    return true;
}

static bool write_entry(int fd, const entry *e, const void *block, uint64_t bytes)
{
    header h = blank;
    h.key_bytes = e->key_bytes;
    h.block_bytes = bytes;
    h.digest = cohort_digest_add(COHORT_DIGEST_OF_NOTHING, block, bytes);
    bool is_written = write_all(fd, &h, sizeof h);
    for (int i = 0; i < e->n_parts && is_written; i++) {
        uint64_t part_bytes = e->key[i].bytes;
        is_written = write_all(fd, &part_bytes, sizeof part_bytes) &&
                     write_all(fd, e->key[i].data, part_bytes);
    }
    return is_written && write_all(fd, block, bytes);
}

/* A limit on file sizes would end the process by SIGXFSZ: the write fails instead. */
static bool write_quietly(int fd, const entry *e, const void *block, uint64_t bytes)
{
    cohort_file_limit limit;
    cohort_file_limit_begin(&limit);
    bool is_written = write_entry(fd, e, block, bytes);
    cohort_file_limit_end(&limit, is_written ? 0 : errno);
    return is_written;
}

/* A new file under a name that nobody else uses. Not on a descriptor where the program's own output
 * may go. */
static int create(int folder, const entry *e, char name[NAME_BYTES])
{
    static atomic_uint n_created;
    int fd = -1;
    for (int i = 0; i < ATTEMPTS && fd < 0 && (i == 0 || errno == EEXIST); i++) {
        (void)snprintf(name, NAME_BYTES, "%.16s.%ld.%u.new", e->name, (long)getpid(),
                       atomic_fetch_add(&n_created, 1));
        fd = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                    S_IRUSR | S_IWUSR);
    }
    if (fd < 0 || fd >= FIRST_FREE_FD)
        return fd;
    int moved = fcntl(fd, F_DUPFD_CLOEXEC, FIRST_FREE_FD);
    int error = errno;
    (void)close(fd);
    if (moved < 0)
        (void)unlinkat(folder, name, 0);
    errno = error;
    return moved;
}

/* false: errno says why, and nothing has changed */
static bool store(int folder, const entry *e, const void *block, uint64_t bytes)
{
    char name[NAME_BYTES];
    int fd = create(folder, e, name);
    if (fd < 0)
        return false;
    bool is_written = write_quietly(fd, e, block, bytes);
    int error = errno;
    if (close(fd) != 0 && is_written) {
        is_written = false;
        error = errno;
    }
    if (is_written && renameat(folder, name, folder, e->name) == 0)
        return true;
    error = is_written ? errno : error;
    (void)unlinkat(folder, name, 0);
    errno = error;
    return false;
}

/* Once in a process: a folder that cannot be used is so for every kernel. */
static void complain(const char *reason)
{
    static atomic_bool is_told;
    if (!atomic_exchange(&is_told, true))
        cohort_log(COHORT_SUBSYSTEM_OPERATION, COHORT_LOG_WARNING,
                   "built kernels are not kept on disk: %s", reason);
}

void cohort_kernel_cache_store(const cohort_kernel_cache_part key[], int n_parts, const void *block,
                               uint64_t bytes)
{
    entry e;
    char reason[REASON_BYTES];
    if (!entry_init(&e, key, n_parts) || bytes > COHORT_LIMIT_CACHE_BLOCK_BYTES)
        return;
    int folder = open_folder(true, reason);
    if (folder >= 0 && !store(folder, &e, block, bytes))
        (void)snprintf(reason, sizeof reason,
                       "%s; make room, or set COHORT_CACHE to a folder of yours, or to off",
                       strerror(errno));
    if (folder >= 0)
        (void)close(folder);
    if (reason[0] != '\0')
        complain(reason);
}

void cohort_kernel_cache_drop(const cohort_kernel_cache_part key[], int n_parts)
{
    entry e;
    char reason[REASON_BYTES];
    int folder = entry_init(&e, key, n_parts) ? open_folder(false, reason) : -1;
    if (folder >= 0) {
        (void)unlinkat(folder, e.name, 0);
        (void)close(folder);
    }
}
