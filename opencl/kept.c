/* SPDX-License-Identifier: BSD-3-Clause */
/* Looking through PoCL's folder of kernels.
 *
 * It is AB/CDEF.../program.bc, with the letters A to P of a hash, and in folders beside that file
 * KERNEL/SIZES/KERNEL.so. A folder of another form, which a variable may name by mistake, is left
 * as it is. Source: pocl_cache.c of PoCL 3.1. */
#include "config.h"

#include "opencl/kept.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>
#ifdef __ELF__
#include <link.h>
#endif

/* ROOM_BYTES: PoCL 3.1 needs less than 1 MiB beside the files that stay, for a small kernel. */
enum { PATH_BYTES = 4096, ROOM_BYTES = 4 << 20, HASH_LETTERS = 30, MOST_PAIRS = 16 * 16 };

/* ---- Room. */

/* Without a file: quotas are not seen. */
static int look_for_room(int fd)
{
    struct statvfs system;
    if (fstatvfs(fd, &system) != 0)
        return 0;
    return (uint64_t)system.f_bavail * system.f_frsize < ROOM_BYTES ? ENOSPC : 0;
}

/* An error number. A file system that cannot reserve bytes is asked what is free. */
static int reserve(int fd)
{
#ifdef __linux__
    if (fallocate(fd, 0, 0, ROOM_BYTES) == 0)
        return 0;
    if (errno != EOPNOTSUPP && errno != ENOSYS)
        return errno;
#endif
    return look_for_room(fd);
}

/* A write past the limit on sizes of files is a signal, so the limit is looked at first. */
static int try_room(const char *folder)
{
    char file[PATH_BYTES];
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < ROOM_BYTES)
        return EFBIG;
    if (snprintf(file, sizeof file, "%s/cohort-room-XXXXXX", folder) >= (int)sizeof file)
        return ENAMETOOLONG;
    int fd = mkostemp(file, O_CLOEXEC);
    if (fd < 0)
        return errno;
    (void)unlink(file);
    int error = reserve(fd);
    (void)close(fd);
    return error;
}

bool opencl_kept_has_room(const char *folder, char *why, size_t size)
{
    int error = try_room(folder);
    if (error != 0)
        (void)snprintf(why, size, "PoCL needs %d MiB for its kernels in %.300s: %s%s",
                       ROOM_BYTES >> 20, folder, strerror(error),
                       error == EFBIG ? " (ulimit -f)" : "");
    return error == 0;
}

/* ---- What a whole file looks like. */

static bool read_at(int fd, void *out, size_t bytes, int64_t at)
{
    return pread(fd, out, bytes, (off_t)at) == (ssize_t)bytes;
}

#ifdef __ELF__
/* A folder may serve machines of several kinds. */
static bool is_of_this_machine(const unsigned char ident[EI_NIDENT])
{
    const bool is_little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    return ident[EI_CLASS] == (sizeof(ElfW(Addr)) == 8 ? ELFCLASS64 : ELFCLASS32) &&
           ident[EI_DATA] == (is_little ? ELFDATA2LSB : ELFDATA2MSB);
}
#endif

/* Linkers write the table of sections at the end. */
static bool is_whole_object(int fd, int64_t size)
{
#ifdef __ELF__
    ElfW(Ehdr) header;
    const uint64_t bytes = (uint64_t)size;
    if (!read_at(fd, &header, sizeof header, 0) || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
        return false;
    return !is_of_this_machine(header.e_ident) ||
           (header.e_shoff <= bytes &&
            (uint64_t)header.e_shnum * header.e_shentsize <= bytes - header.e_shoff);
#else
    (void)fd;
    return size > 0;
#endif
}

/* Little-endian on all machines. */
static uint32_t word_of(const unsigned char bytes[4])
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

/* Four bytes, and then blocks that fill the file: a word whose lowest two bits are 1, and the
 * number of words behind the next. Source: LLVM Bitcode File Format. */
static bool is_whole_bitcode(int fd, int64_t size)
{
    static const unsigned char magic[4] = { 'B', 'C', 0xc0, 0xde };
    unsigned char head[sizeof magic], block[8];
    if (!read_at(fd, head, sizeof head, 0) || memcmp(head, magic, sizeof magic) != 0)
        return false;
    int64_t at = sizeof magic;
    while (at < size) {
        if (!read_at(fd, block, sizeof block, at) || (word_of(block) & 3) != 1)
            return false;
        at += (int64_t)sizeof block + (int64_t)word_of(block + 4) * 4;
    }
    return at == size && size > (int64_t)sizeof magic;
}

/* ---- The walk. */

typedef struct walk {
    opencl_kept_damage damage;
    unsigned n_programs;
    char path[PATH_BYTES]; /* of the folder that is walked through */
} walk;

/* A user who could write there could also put code there; PoCL makes its folders for its user
 * alone. -1: none that is walked through. */
static int open_folder(int parent, const char *name)
{
    struct stat entry;
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0 &&
        (fstat(fd, &entry) != 0 || entry.st_uid != geteuid() || (entry.st_mode & S_IWOTH) != 0)) {
        (void)close(fd);
        fd = -1;
    }
    return fd;
}

static void remove_file(walk *w, int folder, const char *name)
{
    int error = unlinkat(folder, name, 0) == 0 ? 0 : errno;
    if (error == ENOENT) /* another process has seen it, too */
        return;
    w->damage.n++;
    if (w->damage.n > 1 && (error == 0 || w->damage.error != 0))
        return;
    w->damage.error = error;
    (void)snprintf(w->damage.first, sizeof w->damage.first, "%.300s/%.200s", w->path, name);
}

static void look_at_file(walk *w, int folder, const char *name, bool (*is_whole)(int, int64_t))
{
    struct stat entry;
    int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return;
    bool is_damaged = fstat(fd, &entry) == 0 && S_ISREG(entry.st_mode) &&
                      entry.st_uid == geteuid() && !is_whole(fd, entry.st_size);
    (void)close(fd);
    if (is_damaged)
        remove_file(w, folder, name);
}

typedef void visit_fn(walk *w, int folder, const char *name);

/* Each entry of a folder in a folder, with the path of it. */
static void for_each(walk *w, int parent, const char *name, visit_fn *visit)
{
    size_t length = strlen(w->path);
    int fd = open_folder(parent, name);
    DIR *stream = fd >= 0 ? fdopendir(fd) : NULL;
    if (stream == NULL) {
        if (fd >= 0)
            (void)close(fd);
        return;
    }
    (void)snprintf(w->path + length, sizeof w->path - length, "%s%s", length > 0 ? "/" : "", name);
    for (const struct dirent *entry; (entry = readdir(stream)) != NULL;)
        if (entry->d_name[0] != '.')
            visit(w, fd, entry->d_name);
    (void)closedir(stream);
    w->path[length] = '\0';
}

static bool has_letters(const char *name, size_t least)
{
    size_t n = strspn(name, "ABCDEFGHIJKLMNOP");
    return n >= least && name[n] == '\0';
}

static void visit_object(walk *w, int folder, const char *name)
{
    size_t length = strlen(name);
    if (length > 3 && strcmp(name + length - 3, ".so") == 0)
        look_at_file(w, folder, name, is_whole_object);
}

static void visit_sizes(walk *w, int folder, const char *name)
{
    for_each(w, folder, name, visit_object);
}

static void visit_kernel(walk *w, int folder, const char *name)
{
    if (strcmp(name, "program.bc") == 0)
        look_at_file(w, folder, name, is_whole_bitcode);
    else
        for_each(w, folder, name, visit_sizes);
}

static void visit_program(walk *w, int folder, const char *name)
{
    if (has_letters(name, HASH_LETTERS) && w->n_programs++ < OPENCL_KEPT_MOST)
        for_each(w, folder, name, visit_kernel);
}

/* ---- The newest first: a folder of two letters changes when a program is added to it. */

typedef struct pair {
    char name[3];
    struct timespec changed;
} pair;

static int compare_pairs(const void *a, const void *b)
{
    const struct timespec *one = &((const pair *)a)->changed, *other = &((const pair *)b)->changed;
    if (one->tv_sec != other->tv_sec)
        return one->tv_sec > other->tv_sec ? -1 : 1;
    return (one->tv_nsec < other->tv_nsec) - (one->tv_nsec > other->tv_nsec);
}

static size_t list_pairs(int folder, pair pairs[MOST_PAIRS])
{
    size_t n = 0;
    struct stat entry;
    for (char first = 'A'; first <= 'P'; first++)
        for (char second = 'A'; second <= 'P'; second++) {
            pair *p = &pairs[n];
            *p = (pair){ .name = { first, second, '\0' } };
            if (fstatat(folder, p->name, &entry, AT_SYMLINK_NOFOLLOW) != 0)
                continue;
            p->changed = entry.st_mtim;
            n++;
        }
    qsort(pairs, n, sizeof *pairs, compare_pairs);
    return n;
}

opencl_kept_damage opencl_kept_mend(const char *folder)
{
    walk w = { .n_programs = 0 };
    pair pairs[MOST_PAIRS];
    struct stat entry;
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return w.damage;
    bool is_own =
        fstat(fd, &entry) == 0 && entry.st_uid == geteuid() && (entry.st_mode & S_IWOTH) == 0;
    size_t n = is_own ? list_pairs(fd, pairs) : 0;
    (void)snprintf(w.path, sizeof w.path, "%s", folder);
    for (size_t i = 0; i < n; i++)
        for_each(&w, fd, pairs[i].name, visit_program);
    (void)close(fd);
    return w.damage;
}
