/* SPDX-License-Identifier: BSD-3-Clause */
/* Whose files are loaded: the matrix of owners and modes. */
#include "config.h"

#include "runtime/plugin/trust.h"

#include "runtime/base/memory.h"
#include "tests/tap.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static char work[1024], path[4096];
static cohort_trust found;

static const char *at(const char *name)
{
    (void)snprintf(path, sizeof path, "%s/%s", work, name);
    return path;
}

static cohort_status open_file(const char *name)
{
    cohort_status st = cohort_trust_open(at(name), &found);
    if (found.fd >= 0)
        (void)close(found.fd);
    return st;
}

static bool make(const char *script)
{
    char command[8192];
    (void)snprintf(command, sizeof command, "cd '%s' && %s", work, script);
    return system(command) == 0;
}

static void check_paths(void)
{
    static char long_path[8192];
    memset(long_path, '/', sizeof long_path - 1);
    ok(cohort_trust_open(NULL, &found) == COHORT_EINVAL && found.fd == -1, "NULL is refused");
    ok(cohort_trust_open("", &found) == COHORT_EINVAL, "no path is refused");
    ok(cohort_trust_open("a/b", &found) == COHORT_EINVAL, "a relative path is refused");
    ok(cohort_trust_open(long_path, &found) == COHORT_EINVAL, "a path of 8,191 bytes is refused");
    ok(open_file("none") == COHORT_ENOENT, "a missing file is not found");
    ok(open_file("in/file/none") == COHORT_ENOENT, "a file is no folder");
    ok(open_file("in") == COHORT_EINVAL, "a folder is no file");
    has_text(cohort_error_text(), "not a regular file", "and the error says so");
    ok(cohort_trust_folder(at("in/file"), &found) == COHORT_EINVAL, "a file is no plugin folder");
    ok(make("mkfifo in/pipe") && open_file("in/pipe") == COHORT_EINVAL,
       "a FIFO is refused, at once");
    ok(make("ln -s loop in/loop") && open_file("in/loop") == COHORT_EINVAL,
       "a circle of links is refused");
    ok(cohort_trust_open("/dev/null", &found) == COHORT_EINVAL, "a device node is refused");
}

/* Owner and mode of file, folder and parent; whether that is trusted. */
static void check_modes(void)
{
    static const struct {
        mode_t parent, folder, file;
        bool is_trusted;
    } rows[] = {
        { 0755, 0755, 0644, true },  { 0700, 0700, 0600, true },  { 0755, 0755, 0444, true },
        { 0755, 0755, 0664, false }, { 0755, 0755, 0646, false }, { 0755, 0755, 01666, false },
        { 0755, 0775, 0644, false }, { 0755, 0757, 0644, false }, { 0755, 01777, 0644, false },
        { 0775, 0755, 0644, false }, { 0757, 0755, 0644, false }, { 01777, 0755, 0644, true },
        { 01775, 0755, 0644, true },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        (void)(chmod(at("in"), 0755) | chmod(at("in/file"), rows[i].file) |
               chmod(at("in"), rows[i].folder));
        (void)chmod(work, rows[i].parent);
        ok((open_file("in/file") == COHORT_OK) == rows[i].is_trusted,
           "parent %04o, folder %04o, file %04o: %s", rows[i].parent, rows[i].folder, rows[i].file,
           rows[i].is_trusted ? "trusted" : "refused");
        ok((found.fix[0] != '\0') != rows[i].is_trusted, "with a remedy when refused: %s",
           found.fix);
    }
    (void)(chmod(work, 0755) | chmod(at("in"), 0755) | chmod(at("in/file"), 0644));
}

static void check_remedy(void)
{
    (void)chmod(at("in/file"), 0666);
    (void)open_file("in/file");
    ok(make(found.fix) && open_file("in/file") == COHORT_OK, "the remedy helps");
    ok(make("mkdir \"it's\" && : > \"it's/file\" && chmod 666 \"it's/file\"") &&
           open_file("it's/file") == COHORT_EINVAL,
       "a path with a quote is refused");
    is_text(found.fix, "", "without a command that would go wrong");
}

static void check_links(void)
{
    ok(make("mkdir out && chmod 777 out && : > out/file && ln -s ../out/file in/out && ln -s "
            "in/file good") &&
           open_file("in/out") == COHORT_EINVAL,
       "a link into a folder of others is refused");
    ok(open_file("good") == COHORT_OK, "a link to a good file is followed");
    has_text(found.real_path, "/in/file", "to where it really is");
    ok(found.bytes == 5 && found.inode != 0, "size and inode are those of the file");
    is_text(found.fix, "", "nothing is to be mended");
    ok(cohort_trust_folder(at("in"), &found) == COHORT_OK, "a good folder");
    ok(cohort_trust_folder(at("out"), &found) == COHORT_EINVAL, "a folder of others");
    ok(cohort_trust_folder("/", &found) == COHORT_OK, "the root");
}

static void check_owners(void)
{
    if (geteuid() != 0) {
        skip("owners", "only root can give files away");
        return;
    }
    ok(chown(at("in/file"), 12345, 0) == 0 && open_file("in/file") == COHORT_EINVAL,
       "a file of another user is refused");
    has_text(found.fix, "chown 0 '", "the remedy is a chown");
    ok(make(found.fix) && open_file("in/file") == COHORT_OK, "and helps");
    ok(chown(at("in"), 12345, 0) == 0 && open_file("in/file") == COHORT_EINVAL,
       "a folder of another user is refused");
    ok(chown(at("in"), 0, 0) == 0 && chown(work, 12345, 0) == 0 &&
           open_file("in/file") == COHORT_EINVAL,
       "a parent of another user is refused");
    const char *claim = "the user trusts root's files and folders, and their own";
    bool is_other = seteuid(12345) == 0;
    if (is_other && faccessat(AT_FDCWD, work, X_OK, AT_EACCESS) != 0)
        skip(claim, "the build folder is closed to others");
    else
        ok(is_other && open_file("in/file") == COHORT_OK, "%s", claim);
    (void)!seteuid(0);
    (void)!chown(work, 0, 0);
}

int main(void)
{
    const char *builddir = getenv("builddir");
    (void)snprintf(work, sizeof work, "%s/tests/trust-work", builddir != NULL ? builddir : "/tmp");
    (void)snprintf(path, sizeof path, "rm -rf '%s'; mkdir -p '%s/in' && echo text > '%s/in/file'",
                   work, work, work);
    umask(022);
    if (system(path) != 0)
        return skip_all("no folder to work in");
    if (cohort_trust_folder(work, &found) < 0)
        return skip_all("the build folder itself is not trusted");
    check_paths();
    check_modes();
    check_remedy();
    check_links();
    check_owners();
    (void)make("cd .. && rm -rf trust-work");
    ok(cohort_memory_blocks() == 0, "nothing is held");
    return tap_done();
}
