/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels that PoCL keeps: what is cut is removed, and nothing else, wherever a variable
 * points. */
#include "config.h"

#include "opencl/kept.h"
#include "tests/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define PROGRAM "AB/CDEFGHIJKLMNOPABCDEFGHIJKLMNOPABCDEFG"
#define OBJECT PROGRAM "/saxpy/0-0-0/saxpy.so"
#define BITCODE PROGRAM "/program.bc"

static char work[4096], top[4200], object[1 << 16];
static size_t object_bytes;

/* Two blocks, of two words and of none. */
static const unsigned char bitcode[] = { 'B',  'C', 0xc0, 0xde, 0x35, 0x14, 0, 0, 2, 0,
                                         0,    0,   1,    2,    3,    4,    5, 6, 7, 8,
                                         0x5d, 0xc, 0,    0,    0,    0,    0, 0 };

__attribute__((format(printf, 1, 2))) static bool shell(const char *format, ...)
{
    char command[16384];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    return system(command) == 0;
}

static const char *path_of(const char *name)
{
    static char path[8400];
    (void)snprintf(path, sizeof path, "%s/%s", top, name);
    return path;
}

static bool is_there(const char *name)
{
    struct stat entry;
    return lstat(path_of(name), &entry) == 0;
}

static void put(const char *name, const void *bytes, size_t n)
{
    const char *path = path_of(name);
    (void)shell("umask 077; mkdir -p \"$(dirname '%s')\"", path);
    int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0600);
    if (fd < 0 || write(fd, bytes, n) != (ssize_t)n)
        diag("%s: %s", path, strerror(errno));
    (void)close(fd);
}

static void begin(void)
{
    (void)shell("chmod -R u+rwx '%s' 2>/dev/null; rm -rf '%s'; mkdir -p -m 700 '%s'", top, top,
                top);
}

static void put_both(void)
{
    begin();
    put(BITCODE, bitcode, sizeof bitcode);
    put(OBJECT, object, object_bytes);
}

/* The damage is this file, which is removed. */
static bool removes(const char *name)
{
    opencl_kept_damage damage = opencl_kept_mend(top);
    return damage.n == 1 && damage.error == 0 && strcmp(damage.first, path_of(name)) == 0 &&
           !is_there(name);
}

static bool leaves_all(void)
{
    return opencl_kept_mend(top).n == 0;
}

/* ---- What is damaged. */

static void test_whole(void)
{
    ok(opencl_kept_mend("/nowhere").n == 0, "a folder that is not there is no damage");
    begin();
    ok(leaves_all(), "nor is an empty one");
    put_both();
    ok(leaves_all() && is_there(BITCODE) && is_there(OBJECT), "what is whole stays");
}

static void test_cut(void)
{
    size_t n_seen = 0;
    for (size_t n = 0; n < sizeof bitcode; n++) {
        put_both();
        put(BITCODE, bitcode, n);
        n_seen += n != 20 && removes(BITCODE) && is_there(OBJECT);
    }
    ok(n_seen == sizeof bitcode - 1,
       "a program that is cut, but between its blocks, is removed alone: %zu", n_seen);
    const size_t sizes[] = { 0, 1, 63, 64, 100, object_bytes / 2, object_bytes - 1 };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        put_both();
        put(OBJECT, object, sizes[i]);
        ok(removes(OBJECT) && is_there(BITCODE), "a kernel cut to %zu bytes is removed", sizes[i]);
    }
    static const char zeros[sizeof object];
    put_both();
    put(OBJECT, zeros, object_bytes);
    ok(removes(OBJECT), "so is one whose bytes never came to the disk");
    put_both();
    put(OBJECT, "", 0), put(BITCODE, "", 0);
    ok(opencl_kept_mend(top).n == 2, "all are counted");
    put_both();
    object[4] = (char)(3 - object[4]);
    put(OBJECT, object, 100);
    object[4] = (char)(3 - object[4]);
    ok(leaves_all(), "of a kernel for another machine nothing is said");
}

/* ---- What is not PoCL's, or not ours. */

static void test_other_files(void)
{
    static const char *const others[] = {
        "ab/CDEFGHIJKLMNOPABCDEFGHIJKLMNOPABCDEFG/program.bc",
        "AB/CDEF/program.bc",
        "AB/CDEFGHIJKLMNOPABCDEFGHIJKLMNOPABCDEFq/program.bc",
        "program.bc",
        "x.so",
        "AB/x.so",
        PROGRAM "/x.so",
        PROGRAM "/saxpy/x.so",
        PROGRAM "/saxpy/0-0-0/more/x.so",
        PROGRAM "/saxpy/0-0-0/x.txt",
        PROGRAM "/other.bc",
        PROGRAM "/.saxpy/0-0-0/x.so",
    };
    put_both();
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        put(others[i], "", 0);
    ok(leaves_all(), "files at other places than PoCL's, and of other names, stay");
    put_both();
    (void)shell("cd '%s' && rm '" BITCODE "' '" OBJECT "' && mkdir '" BITCODE "' && mkfifo '" OBJECT
                "'",
                top);
    ok(leaves_all() && is_there(BITCODE) && is_there(OBJECT), "so does what is no file");
}

static void test_links(void)
{
    put_both();
    (void)shell("cd '%s' && : > ../cut.so && ln -sf ../../../../../cut.so '" OBJECT "'", top);
    ok(leaves_all() && is_there("../cut.so") && is_there(OBJECT), "a link is not followed");
    put_both();
    (void)shell("cd '%s' && : > '" OBJECT
                "' && rm -rf ../moved && mv AB ../moved && ln -s ../moved AB",
                top);
    ok(leaves_all() && is_there(OBJECT), "nor is one to a folder");
}

static void test_rights(void)
{
    put_both();
    put(OBJECT, "", 0);
    (void)shell("chmod o+w '%s'", path_of("AB"));
    ok(leaves_all(), "a folder that others may write to is left");
    (void)shell("chmod 700 '%s'; chmod o+w '%s'", path_of("AB"), top);
    ok(leaves_all(), "with all that is in it");
    (void)shell("chmod 700 '%s'", top);
    if (geteuid() == 0) {
        (void)shell("chown -R 65534 '%s'", path_of("AB"));
        ok(leaves_all() && is_there(OBJECT), "one of another user is left");
    } else
        skip("one of another user is left", "only root can make it");
}

/* Root may remove everything, and is somebody else here, to whom all of the folder belongs. */
static void test_unremovable(void)
{
    bool is_root = geteuid() == 0;
    put_both();
    put(OBJECT, "", 0);
    (void)shell("chmod 500 '%s'", path_of(PROGRAM "/saxpy/0-0-0"));
    bool is_somebody = !is_root || (shell("chown -R 65534 '%s'", top) && seteuid(65534) == 0);
    if (is_somebody && is_there(OBJECT)) {
        opencl_kept_damage damage = opencl_kept_mend(top);
        ok(damage.n == 1 && damage.error == EACCES && strcmp(damage.first, path_of(OBJECT)) == 0,
           "what cannot be removed is told");
    } else
        skip("what cannot be removed is told", "this folder is shut to others than root");
    if (is_root && seteuid(0) != 0)
        diag("root does not come back: %s", strerror(errno));
}

/* ---- Many. */

static void test_many(void)
{
    begin();
    (void)shell(
        "cd '%s' && umask 077 && mkdir AB BC && touch -d 2001-01-01 BC && cd AB && for i in $(seq "
        "1000 %d); do echo \"$i\" | tr 0-9 A-J; done | sed 's/$/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA/' "
        "| xargs mkdir",
        top, 1000 + OPENCL_KEPT_MOST - 2);
    put(BITCODE, "", 0);
    (void)shell("cp -R '%s/" PROGRAM "' '%s/BC' && touch -d 2001-01-01 '%s/BC'", top, top, top);
    ok(removes(BITCODE), "of very many programs those that were made last are looked at");
    (void)shell("touch -d 2000-01-01 '%s/AB'", top);
    ok(opencl_kept_mend(top).n == 1, "the others are when they are the last");
}

/* ---- Room. */

static void test_room(void)
{
    char why[512] = "";
    struct rlimit before, limit;
    begin();
    ok(opencl_kept_has_room(top, why, sizeof why) && why[0] == '\0', "there is room for a kernel");
    ok(rmdir(top) == 0, "and nothing is left of looking");
    ok(!opencl_kept_has_room(top, why, sizeof why) && strstr(why, "No such file") != NULL &&
           strstr(why, top) != NULL,
       "there is none in a folder that is not there, which is named");
    begin();
    (void)getrlimit(RLIMIT_FSIZE, &before);
    limit = before;
    limit.rlim_cur = 1 << 20;
    (void)setrlimit(RLIMIT_FSIZE, &limit);
    ok(!opencl_kept_has_room(top, why, sizeof why) && strstr(why, "ulimit -f") != NULL,
       "nor under a limit on sizes of files, and no signal comes");
    (void)setrlimit(RLIMIT_FSIZE, &before);
}

/* A library of this machine. */
static bool read_object(const char *program)
{
    int fd = open(program, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, object, sizeof object) : -1;
    struct stat entry;
    bool is_small = n > 0 && fstat(fd, &entry) == 0 && entry.st_size == n;
    (void)close(fd);
    object_bytes = n > 0 ? (size_t)n : 0;
    return is_small;
}

static bool prepare(void)
{
    const char *builddir = getenv("builddir");
    (void)snprintf(work, sizeof work, "%s/tests/kept-work", builddir != NULL ? builddir : "/tmp");
    (void)snprintf(top, sizeof top, "%s/kcache", work);
    return shell("mkdir -p -m 755 '%s' && cd '%s' && echo 'int f(void) { return 1; }' > f.c && "
                 "${CC:-cc} -shared -fPIC f.c -o f.so 2>/dev/null",
                 work, work);
}

int main(void)
{
    char file[4200];
    bool has_compiler = prepare();
    (void)snprintf(file, sizeof file, "%s/f.so", work);
    if (!has_compiler || !read_object(file))
        return skip_all("no C compiler makes a small library here ($CC)");
    test_whole();
    test_cut();
    test_other_files();
    test_links();
    test_rights();
    test_unremovable();
    test_many();
    test_room();
    (void)shell("chmod -R u+rwx '%s'; rm -rf '%s'", work, work);
    return tap_done();
}
