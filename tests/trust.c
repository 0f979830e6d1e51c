/* SPDX-License-Identifier: BSD-3-Clause */
/* Whose files are loaded: the matrix of owners and modes, outside of the tree that this program was
 * loaded from, where the rules are those of the library, and inside of one. */
#include "config.h"

#include "runtime/plugin/trust.h"

#include "runtime/base/memory.h"
#include "tests/tap.h"

#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

static char work[1024], path[4096];
static char *self;
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

/* ---- In the tree of the program: a copy of this one in WORK/tree/lib, which looks at a file. */

static char answer[8192];

/* As the user, with the command before it, what the copy says of the file. */
static const char *ask(const char *before, const char *file)
{
    char command[16384];
    (void)snprintf(command, sizeof command, "cd / && %s '%s/tree/lib/library' '%s%s%s' 2>&1",
                   before, work, file[0] == '/' ? "" : work, file[0] == '/' ? "" : "/", file);
    FILE *pipe = popen(command, "r");
    size_t n = pipe != NULL ? fread(answer, 1, sizeof answer - 1, pipe) : 0;
    answer[n] = '\0';
    if (pipe != NULL)
        (void)pclose(pipe);
    return answer;
}

static int look(const char *file)
{
    cohort_status st = cohort_trust_open(file, &found);
    printf("%s %s | %s\n", cohort_status_name(st), st < 0 ? cohort_error_text() : "", found.fix);
    return 0;
}

/* Modes of the tree's root, of the plugins' folder and of a plugin, and whether that is as safe as
 * the library: 0755 in a folder of that mode. */
static void check_tree_modes(void)
{
    static const struct {
        mode_t root, folder, file;
        bool is_trusted;
    } rows[] = {
        { 0755, 0755, 0644, true },   { 0775, 0755, 0644, true },  { 0775, 0775, 0664, true },
        { 0755, 0775, 0644, false },  { 0755, 0755, 0664, false }, { 0775, 0777, 0644, false },
        { 0775, 0775, 0666, false },  { 0777, 0777, 0666, true },  { 01777, 0755, 0644, true },
        { 01777, 0777, 0644, false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        (void)(chmod(at("tree/lib/plugins/file"), rows[i].file) |
               chmod(at("tree/lib/plugins"), rows[i].folder) | chmod(at("tree"), rows[i].root));
        bool is_trusted = strncmp(ask("", "tree/lib/plugins/file"), "OK ", 3) == 0;
        if (!ok(is_trusted == rows[i].is_trusted, "tree %04o, folder %04o, file %04o: %s",
                rows[i].root, rows[i].folder, rows[i].file,
                rows[i].is_trusted ? "as safe as the library" : "less safe than the library"))
            diag("%s", answer);
    }
    (void)(chmod(at("tree"), 0775) | chmod(at("tree/lib/plugins"), 0775) |
           chmod(at("tree/lib/plugins/file"), 0664));
    has_text(ask("", "in/file"), "OK ", "a good folder outside of the tree");
    (void)chmod(at("in"), 0775);
    has_text(ask("", "in/file"), "/in can be written by others (mode 0775)",
             "outside of it the same mode is refused");
    (void)chmod(at("in"), 0755);
    has_text(ask("", "tree/lib/plugins/away"), "can be written by others",
             "a link that leads out of the tree is followed, and refused");
}

static bool has_other_group(void)
{
    return geteuid() == 0 && chown(at("tree/lib/plugins/file"), (uid_t)-1, 54321) == 0;
}

static void check_tree_owners(void)
{
    static const char user[] = "setpriv --reuid=12345 --regid=12345 --clear-groups";
    const char *claim = "trees of other owners";
    if (!has_other_group() || !make("command -v setpriv > /dev/null")) {
        skip(claim, "only root can give files away, or no setpriv");
        return;
    }
    has_text(ask("", "tree/lib/plugins/file"), "the file can be written by others",
             "a group that cannot write the library is not trusted with a plugin");
    (void)make("chown -R 23456:23456 tree && chmod -R g-w tree && chmod 755 .");
    if (strstr(ask(user, "in/file"), "OK ") == NULL) {
        skip(claim, "the folder to work in is closed to others");
        return;
    }
    has_text(ask(user, "tree/lib/plugins/file"), "OK ", "a tree of a service account, for a user");
    has_text(ask("", "tree/lib/plugins/file"), "OK ", "and for root");
    (void)make("chmod -R g+w tree");
    has_text(ask(user, "tree/lib/plugins/file"), "OK ", "that its group may write to, too");
    (void)make("chown 34567 tree/lib/plugins/file");
    has_text(ask(user, "tree/lib/plugins/file"), "the file belongs to user 34567, neither to root",
             "a plugin of somebody else in it is refused");
    has_text(answer, "| copy the plugin into a folder of yours",
             "and a user is told nothing that root alone can do");
    has_text(ask("", "tree/lib/plugins/file"), "| chown 0 '", "root is");
    (void)make("chown 0 tree/lib/plugins/file; chown 34567 in");
    has_text(ask("", "in/file"), "| chown 0 '", "a folder of plugins may be given away");
    (void)make("mkdir in/deep && : > in/deep/file");
    has_text(ask("", "in/deep/file"), "| copy the plugin", "nobody is told to do so to one above");
    (void)make("rm -r in/deep; chown 0 in");
    (void)make("cp tree/lib/library tree/lib/raised && chmod 4755 tree/lib/raised");
    (void)make("chown 23456 tree/lib/raised && chmod 4755 tree/lib/raised && mv tree/lib/library "
               "tree/lib/plain && mv tree/lib/raised tree/lib/library");
    const char *raised = ask(user, "tree/lib/plugins/file");
    (void)make("mv tree/lib/plain tree/lib/library");
    if (strstr(raised, "raised 1") == NULL)
        skip("with raised privileges the tree is a place like any other", "no set-user-ID here");
    else
        has_text(raised, "can be written by others",
                 "with raised privileges the tree is a place like any other");
}

/* The folder of the user where all above it can be written by its owner alone, who is not
 * mapped. */
static void check_below_root(const char *alone)
{
    char before[2048];
    (void)snprintf(before, sizeof before,
                   "unshare -m sh -c 'mount --bind \"%s/mine\" /mnt && exec %s \"$@\"' sh", work,
                   alone);
    if (!make("unshare -m mount --bind in /mnt 2> /dev/null"))
        skip("a folder of the user below folders of root", "nothing can be mounted here");
    else
        has_text(ask(before, "/mnt/file"), "OK ", "a folder of the user below folders of root");
}

/* A user namespace that maps the user alone: files of root and of everybody else look alike. */
static void check_namespace(void)
{
    static const char alone[] =
        "setpriv --reuid=12345 --regid=12345 --clear-groups unshare -U --map-current-user";
    char command[256];
    (void)snprintf(command, sizeof command, "%s true 2> /dev/null", alone);
    if (geteuid() != 0 || !make(command)) {
        skip("user namespaces", "not root, or none can be made here");
        return;
    }
    (void)make("chown -R 0:0 tree in && chmod -R go-w tree && chmod 755 . && mkdir -p mine && : > "
               "mine/file && chown -R 12345 mine");
    has_text(ask(alone, "tree/lib/plugins/file"), "OK ", "a tree of root, who is not mapped");
    has_text(ask(alone, "in/file"), "belongs to user",
             "plugins outside of the tree have to be the user's own");
    has_text(answer, "| copy the plugin", "and nobody is told to change what root has");
    has_text(ask(alone, "mine/file"), "belongs to user",
             "a folder above that others may write to is nobody's, sticky or not");
    check_below_root(alone);
    (void)make("chmod 755 . && chown 0 mine mine/file");
    has_text(ask("unshare -U --map-root-user", "in/file"), "OK ",
             "where root is mapped it is root as everywhere");
}

static bool make_tree(void)
{
    char command[8192];
    (void)snprintf(command, sizeof command,
                   "mkdir -p tree/lib/plugins && cp '%s' tree/lib/library && : > "
                   "tree/lib/plugins/file && ln -s ../../../out/file tree/lib/plugins/away",
                   self);
    return make(command);
}

/* Another program's folders must not be above: $TMPDIR, and no folder of the build. */
static bool find_work(void)
{
    const char *parent = getenv("TMPDIR");
    (void)snprintf(path, sizeof path, "%s/cohort-trust-XXXXXX",
                   parent != NULL && parent[0] == '/' ? parent : "/tmp");
    if (mkdtemp(path) == NULL || strlen(path) >= sizeof work)
        return false;
    (void)strcpy(work, path);
    return make("chmod 755 . && mkdir in && echo text > in/file");
}

int main(int argc, char **argv)
{
    umask(022);
    if (argc > 1 && getauxval(AT_SECURE) != 0)
        printf("raised 1 ");
    if (argc > 1)
        return look(argv[1]);
    self = realpath(argv[0], NULL);
    if (self == NULL || !find_work())
        return skip_all("no folder to work in");
    if (cohort_trust_folder(work, &found) < 0) {
        (void)make("cd / && rm -rf \"$OLDPWD\"");
        return skip_all("the folder for temporary files is not trusted");
    }
    check_paths();
    check_modes();
    check_remedy();
    check_links();
    check_owners();
    if (make_tree() && strstr(ask("", "in/file"), "OK ") != NULL) {
        check_tree_modes();
        check_tree_owners();
        check_namespace();
    } else
        skip("a tree", "no program runs in the folder for temporary files");
    (void)make("chmod -R u+rwx . && cd / && rm -rf \"$OLDPWD\"");
    free(self);
    ok(cohort_memory_blocks() == 0, "nothing is held");
    return tap_done();
}
