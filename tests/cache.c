/* SPDX-License-Identifier: BSD-3-Clause */
/* Built kernels on disk: whatever stands in the folder, a load gives what was stored, or
 * nothing. */
#include "config.h"

#include "runtime/operation/kernel_cache.h"

#include "runtime/base/memory.h"
#include "tests/tap.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BLOCK = 100, HEADER = 40, PROCESSES = 100, KEYS = 10, NOBODY = 65534 };

static char work[1024], path[4096], file[2048], line[2048];
static unsigned char block[BLOCK];
static int n_lines;

static const cohort_kernel_cache_part key[] = { { "source", 6 }, { "", 0 }, { "device", 6 } };
enum { PARTS = sizeof key / sizeof *key };

static const char *at(const char *name)
{
    (void)snprintf(path, sizeof path, "%s/%s", work, name);
    return path;
}

/* In the folder, with the one file of the cache as $file. */
static bool shell(const char *script)
{
    char command[8192];
    (void)snprintf(command, sizeof command, "cd '%s' && file='%s' && %s", work, file, script);
    return system(command) == 0;
}

/* An empty folder to work in, and COHORT_CACHE one in it that is not there yet. */
static void restart(void)
{
    (void)snprintf(path, sizeof path, "chmod -R u+rwx '%s' 2>/dev/null; rm -rf '%s'; mkdir -p '%s'",
                   work, work, work);
    (void)!system(path);
    (void)setenv("COHORT_CACHE", at("cache"), 1);
}

static void store(void)
{
    cohort_kernel_cache_store(key, PARTS, block, BLOCK);
}

/* 1: what was stored; 0: nothing; -1: something else */
static int load_key(const cohort_kernel_cache_part parts[], int n_parts)
{
    void *found;
    uint64_t bytes = 1;
    cohort_status st = cohort_kernel_cache_load(parts, n_parts, &found, &bytes);
    bool is_block = st == COHORT_OK && bytes == BLOCK && memcmp(found, block, BLOCK) == 0;
    bool is_nothing = st == COHORT_ENOENT && found == NULL && bytes == 0;
    cohort_free(found);
    return is_block ? 1 : is_nothing ? 0 : -1;
}

static int load(void)
{
    return load_key(key, PARTS);
}

/* Find the one file of the cache; false when there is another number of them. */
static bool find_file(void)
{
    int n = 0;
    DIR *folder = opendir(at("cache"));
    for (struct dirent *e; folder != NULL && (e = readdir(folder)) != NULL;)
        if (e->d_name[0] != '.' && ++n > 0)
            (void)snprintf(file, sizeof file, "%s/cache/%s", work, e->d_name);
    if (folder != NULL)
        (void)closedir(folder);
    return n == 1;
}

static size_t read_file(unsigned char *into, size_t size)
{
    FILE *stream = fopen(file, "rb");
    size_t bytes = stream != NULL ? fread(into, 1, size, stream) : 0;
    if (stream != NULL)
        (void)fclose(stream);
    return bytes;
}

static void write_file(const unsigned char *from, size_t bytes)
{
    int fd = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || write(fd, from, bytes) != (ssize_t)bytes)
        diag("%s cannot be written", file);
    (void)close(fd);
}

static void note(void *user, int level, const char *text)
{
    (void)user;
    n_lines += level == COHORT_LOG_WARNING;
    (void)snprintf(line, sizeof line, "%s", text);
}

/* Run it in a process of its own, since a warning comes once in each. Its answer: true. */
static bool elsewhere(bool (*run)(void))
{
    (void)fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        n_lines = 0;
        cohort_log_set(note, NULL, COHORT_LOG_DEBUG);
        _exit(run() ? 0 : 1);
    }
    int status = 1;
    (void)waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static const char *wanted_text;

static bool stores_nothing(void)
{
    store();
    store();
    bool is_said =
        n_lines == 1 && strstr(line, wanted_text) != NULL && strstr(line, "COHORT_CACHE") != NULL;
    if (!is_said)
        diag("%d lines, the last: %s", n_lines, line);
    return is_said && load() == 0;
}

static void refuses(const char *claim, const char *text)
{
    wanted_text = text;
    ok(elsewhere(stores_nothing), "%s: nothing is kept, which is said once: %s", claim, text);
}

/* ---- Folders that are not used. */

static void check_folders(void)
{
    restart();
    ok(shell("mkdir cache && chmod 0770 cache"), "a folder");
    refuses("writable by a group", "can be written by others");
    ok(shell("chmod 0700 cache") && (store(), load()) == 1, "writable by its owner alone: used");
    ok(shell("chmod 0702 cache") && load() == 0, "writable by others: what is there is not read");
    restart();
    ok(shell("mkdir -m 700 real && ln -s real cache"), "a link");
    refuses("a link to a folder", "is a link");
    (void)setenv("COHORT_CACHE", at("cache///"), 1);
    refuses("with slashes at the end", "is a link");
    restart();
    ok(shell(": > cache"), "a file");
    refuses("a file", "no folder");
    (void)setenv("COHORT_CACHE", at("none/cache"), 1);
    refuses("a folder in one that is not there", "cannot be opened");
    (void)setenv("COHORT_CACHE", "cache", 1);
    refuses("a relative path", "absolute");
    (void)memset(path, 'x', sizeof path - 1);
    path[0] = '/', path[sizeof path - 1] = '\0';
    (void)setenv("COHORT_CACHE", path, 1);
    refuses("a path that is too long", "cannot be opened");
}

static void check_owner(void)
{
    if (geteuid() != 0) {
        skip("a folder of another user", "only root can give folders away");
        return;
    }
    restart();
    ok(shell("mkdir -m 700 cache") && chown(at("cache"), NOBODY, NOBODY) == 0,
       "a folder is given away");
    refuses("a folder of another user", "another user");
    ok(chown(at("cache"), 0, 0) == 0 && (store(), load()) == 1, "and taken back");
    ok(find_file() && chown(file, NOBODY, NOBODY) == 0 && load() == 0,
       "a file of another user is not read");
}

static bool stores_as_nobody(void)
{
    return setgid(NOBODY) == 0 && setuid(NOBODY) == 0 && stores_nothing();
}

static void check_no_right(void)
{
    restart();
    ok(shell("mkdir -m 500 cache"), "a folder that may not be written");
    if (geteuid() == 0) {
        (void)!chown(at("cache"), NOBODY, NOBODY);
        wanted_text = "";
        ok(elsewhere(stores_as_nobody), "nothing is kept, which is said once");
    } else
        refuses("a folder without the right to write", "Permission denied");
}

static bool stores_in_little_room(void)
{
    struct rlimit room = { 64, 64 };
    if (setrlimit(RLIMIT_FSIZE, &room) != 0)
        return false;
    return stores_nothing();
}

static void check_full_disk(void)
{
    restart();
    wanted_text = "File too large";
    ok(elsewhere(stores_in_little_room),
       "no room: nothing is kept, said once, and no signal arrives");
    ok(!find_file() && (store(), find_file()), "and nothing of it is left");
}

/* ---- Files that are not used. */

static void check_links(void)
{
    restart();
    store();
    (void)find_file();
    ok(shell("mv \"$file\" aside && ln -s ../aside \"$file\"") && load() == 0,
       "a link to a good file is not followed");
    store();
    struct stat entry;
    ok(lstat(file, &entry) == 0 && S_ISREG(entry.st_mode) && load() == 1, "a store replaces it");
    ok(shell("rm \"$file\" && mkfifo \"$file\"") && load() == 0, "a FIFO is not waited for");
    store();
    ok(load() == 1, "and is replaced");
    ok(shell("rm \"$file\" && mkdir \"$file\"") && load() == 0, "a folder is no file");
    refuses("a folder in place of the file", "directory");
    cohort_kernel_cache_drop(key, PARTS);
    ok(load() == 0, "and is not dropped");
}

static void check_modes(void)
{
    restart();
    store();
    struct stat entry;
    ok(find_file() && stat(file, &entry) == 0 && (entry.st_mode & 07777) == 0600,
       "a file is ours alone");
    ok(stat(at("cache"), &entry) == 0 && (entry.st_mode & 07777) == 0700,
       "so is the folder that was made");
    ok(chmod(file, 0620) == 0 && load() == 0, "a file that a group may write is not read");
    ok(chmod(file, 0604) == 0 && load() == 1, "one that others may read is");
}

static void check_damage(void)
{
    unsigned char good[1024], bad[1024];
    restart();
    store();
    (void)find_file();
    size_t bytes = read_file(good, sizeof good);
    ok(bytes > HEADER + BLOCK && bytes < sizeof good, "a file of %zu bytes", bytes);
    int n_nothing = 0;
    for (size_t n = 0; n < bytes; n++) {
        write_file(good, n);
        n_nothing += load() == 0;
    }
    ok(n_nothing == (int)bytes, "cut at every byte it is as if it were not there");
    n_nothing = 0;
    for (size_t bit = 0; bit < 8 * bytes; bit++) {
        memcpy(bad, good, bytes);
        bad[bit / 8] ^= (unsigned char)(1u << bit % 8);
        write_file(bad, bytes);
        n_nothing += load() == 0;
    }
    ok(n_nothing == 8 * (int)bytes, "with any bit flipped too");
    memcpy(bad, good, bytes);
    bad[bytes] = 0;
    write_file(bad, bytes + 1);
    ok(load() == 0, "and with a byte more");
    write_file(good, bytes);
    ok(load() == 1, "the file itself is good");
}

static void check_sizes(void)
{
    static const uint64_t sizes[] = { UINT64_MAX, UINT64_MAX - 200, INT64_MAX, UINT64_C(1) << 40,
                                      0 };
    unsigned char good[1024];
    restart();
    store();
    (void)find_file();
    size_t bytes = read_file(good, sizeof good);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t field = 16; field <= 24; field += 8) {
            unsigned char bad[1024];
            memcpy(bad, good, bytes);
            memcpy(bad + field, &sizes[i], sizeof sizes[i]);
            write_file(bad, bytes);
            ok(load() == 0, "a header that speaks of %llu bytes at %zu",
               (unsigned long long)sizes[i], field);
        }
    uint64_t huge = (UINT64_C(1) << 30) - (bytes - BLOCK);
    memcpy(good + 24, &huge, sizeof huge);
    write_file(good, bytes);
    ok(truncate(file, 1 << 30) == 0 && load() == 0, "a file of 1 GiB is not read");
}

static void check_other_key(void)
{
    static const cohort_kernel_cache_part other[] = { { "Source", 6 }, { "", 0 }, { "device", 6 } };
    restart();
    store();
    (void)find_file();
    cohort_kernel_cache_store(other, PARTS, block, BLOCK);
    ok(load() == 1 && shell("mv $(ls cache/* | grep -v ${file##*/}) \"$file\"") && load() == 0,
       "a file of another key under our name is not ours");
}

static void check_limits(void)
{
    static char large[(16 << 20) + 1];
    cohort_kernel_cache_part most = { large, (16 << 20) - sizeof(uint64_t) },
                             more = { large, sizeof large };
    cohort_kernel_cache_part two[] = { { large, 8 << 20 }, { large, 8 << 20 } },
                             endless = { large, SIZE_MAX };
    restart();
    cohort_kernel_cache_store(&most, 1, block, BLOCK);
    ok(load_key(&most, 1) == 1, "a key of 16 MiB, its length included");
    cohort_kernel_cache_store(&more, 1, block, BLOCK);
    cohort_kernel_cache_store(two, 2, block, BLOCK);
    cohort_kernel_cache_store(&endless, 1, block, BLOCK);
    cohort_kernel_cache_drop(&endless, 1);
    ok(load_key(&more, 1) == 0 && load_key(two, 2) == 0 && load_key(&endless, 1) == 0,
       "and no longer one");
    cohort_kernel_cache_store(key, PARTS, block, (64 << 20) + 1);
    ok(load() == 0, "a block of more than 64 MiB is not kept");
}

/* ---- What is used. */

static void check_keeping(void)
{
    static const cohort_kernel_cache_part moved[] = { { "sourc", 5 }, { "e", 1 }, { "device", 6 } };
    void *found;
    uint64_t bytes;
    restart();
    ok(load() == 0, "nothing is there at first");
    is_text(cohort_error_text(), "", "and no error is left");
    store();
    ok(load() == 1 && load() == 1, "what was stored is loaded, any number of times");
    ok(load_key(moved, PARTS) == 0 && load_key(key, PARTS - 1) == 0,
       "parts cut elsewhere are another key");
    block[0] ^= 1;
    store();
    ok(load() == 1, "a second store replaces the first");
    cohort_kernel_cache_drop(key, PARTS);
    ok(load() == 0, "what was dropped is gone");
    cohort_kernel_cache_drop(key, PARTS);
    cohort_kernel_cache_store(NULL, 0, NULL, 0);
    ok(cohort_kernel_cache_load(NULL, 0, &found, &bytes) == COHORT_OK && bytes == 0,
       "an empty block under an empty key");
    cohort_free(found);
}

static bool stores_silently(void)
{
    store();
    return n_lines == 0 && load() == 0;
}

static void check_places(void)
{
    const char *kept = getenv("HOME");
    char *home = kept != NULL ? strdup(kept) : NULL;
    restart();
    (void)setenv("COHORT_CACHE", "off", 1);
    ok(elsewhere(stores_silently), "COHORT_CACHE=off: no cache, and no word of it");
    (void)unsetenv("COHORT_CACHE");
    (void)setenv("HOME", at("home"), 1);
    (void)setenv("XDG_CACHE_HOME", "relative", 1);
    refuses("a HOME that is not there", "cannot be opened");
    ok(shell("mkdir home") && (store(), load()) == 1 && access(at("home/.cache/cohort"), F_OK) == 0,
       "a cache in HOME, while the other variable is relative");
    (void)setenv("XDG_CACHE_HOME", at("shared"), 1);
    ok(load() == 0 && (store(), load()) == 1 && access(at("shared/cohort"), F_OK) == 0,
       "in XDG_CACHE_HOME");
    (void)unsetenv("XDG_CACHE_HOME");
    ok(load() == 1, "in HOME without it");
    (void)unsetenv("HOME");
    refuses("without both", "HOME is not set");
    if (home != NULL)
        (void)setenv("HOME", home, 1);
    free(home);
}

/* On an empty folder, at the same time: each stores and loads keys of its own and keys that all
 * have. */
static bool shares(int id)
{
    bool is_right = true;
    for (int round = 0; round < 3; round++)
        for (int k = 0; k < KEYS; k++) {
            int wanted[2] = { k, k % 2 == 0 ? id : -1 }; /* the odd ones are everybody's */
            cohort_kernel_cache_part part = { wanted, sizeof wanted };
            void *found;
            uint64_t bytes;
            cohort_status st = cohort_kernel_cache_load(&part, 1, &found, &bytes);
            bool may_miss = round == 0;
            is_right = is_right && (st == COHORT_OK || (may_miss && st == COHORT_ENOENT));
            is_right = is_right && (st != COHORT_OK ||
                                    (bytes == sizeof wanted && memcmp(found, wanted, bytes) == 0));
            cohort_free(found);
            cohort_kernel_cache_store(&part, 1, wanted, sizeof wanted);
        }
    return is_right && n_lines == 0;
}

static void check_processes(void)
{
    pid_t children[PROCESSES];
    restart();
    (void)fflush(stdout);
    for (int id = 0; id < PROCESSES; id++)
        if ((children[id] = fork()) == 0) {
            cohort_log_set(note, NULL, COHORT_LOG_DEBUG);
            _exit(shares(id) ? 0 : 1);
        }
    int n_right = 0;
    for (int id = 0; id < PROCESSES; id++) {
        int status = 1;
        (void)waitpid(children[id], &status, 0);
        n_right += status == 0;
    }
    ok(n_right == PROCESSES, "%d processes use the same empty folder at a time", PROCESSES);
    char count[64];
    (void)snprintf(count, sizeof count, "test $(ls -A cache | wc -l) = %d",
                   PROCESSES * KEYS / 2 + KEYS / 2);
    ok(shell(count), "and leave one file for each key");
}

int main(void)
{
    const char *builddir = getenv("builddir");
    (void)snprintf(work, sizeof work, "%s/tests/cache-work", builddir != NULL ? builddir : "/tmp");
    for (int i = 0; i < BLOCK; i++)
        block[i] = (unsigned char)(7 * i);
    (void)unsetenv("XDG_CACHE_HOME");
    umask(022);
    restart();
    if (access(at(""), W_OK) != 0)
        return skip_all("no folder to work in");
    check_folders();
    check_owner();
    check_no_right();
    check_full_disk();
    check_links();
    check_modes();
    check_damage();
    check_sizes();
    check_other_key();
    check_limits();
    check_keeping();
    check_places();
    check_processes();
    restart();
    (void)rmdir(work);
    ok(cohort_memory_blocks() == 0, "nothing is held");
    return tap_done();
}
