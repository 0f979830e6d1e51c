/* SPDX-License-Identifier: BSD-3-Clause */
/* Quotas of control groups, read from folders that stand for /: contents that are wrong limit
 * nothing, and of those that are right the least counts. */
#include "config.h"

#include "host/quota.h"

#include "tests/tap.h"

#include <sys/stat.h>
#include <unistd.h>

static char work[1024];

/* A command of the shell in the empty folder that stands for /. */
static bool make(const char *script)
{
    char command[32768];
    int length =
        snprintf(command, sizeof command, "rm -rf '%s' && mkdir -p '%s/proc/self' && cd '%s' && %s",
                 work, work, work, script);
    return length < (int)sizeof command && system(command) == 0;
}

/* What is found, in hundredths of a CPU; -1: the folder could not be made. */
static int found_in(const char *script)
{
    struct quota quota = { .cpus = -5 };
    if (!make(script))
        return -1;
    quota_find(work, &quota);
    return (int)(100 * quota.cpus + 0.5);
}

/* One group of version 2 in the middle of a mount at /m, with these contents of cpu.max. */
#define V2_OF(contents)                                                                            \
    "echo 0::/a >proc/self/cgroup && "                                                             \
    "echo '9 1 0:9 / /m rw - cgroup2 cgroup2 rw' >proc/self/mountinfo && mkdir -p m/a && "         \
    "printf -- '" contents "' >m/a/cpu.max"
/* The same of version 1. */
#define V1_OF(quota, period)                                                                       \
    "echo 4:cpu,cpuacct:/a >proc/self/cgroup && "                                                  \
    "echo '9 1 0:9 / /m rw - cgroup cgroup rw,cpu,cpuacct' >proc/self/mountinfo && "               \
    "mkdir -p m/a && printf -- '" quota "' >m/a/cpu.cfs_quota_us && "                              \
    "printf -- '" period "' >m/a/cpu.cfs_period_us"

struct row {
    const char *claim, *script;
    int wanted; /* hundredths */
};

static void check_rows(const struct row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        int found = found_in(rows[i].script);
        if (!ok(found == rows[i].wanted, "%s", rows[i].claim))
            diag("found %d, wanted %d hundredths of a CPU", found, rows[i].wanted);
    }
}

static void check_contents(void)
{
    static const struct row rows[] = {
        { "max is no limit", V2_OF("max 100000\\n"), 0 },
        { "no text is none", V2_OF(""), 0 },
        { "nor is a quota of 0", V2_OF("0 100000\\n"), 0 },
        { "a period of 0", V2_OF("100000 0\\n"), 0 },
        { "a negative quota", V2_OF("-1 100000\\n"), 0 },
        { "a negative period", V2_OF("100000 -1\\n"), 0 },
        { "a quota without a period", V2_OF("150000"), 0 },
        { "what is no number", V2_OF("many 100000\\n"), 0 },
        { "what begins as a number", V2_OF("150000us 100000\\n"), 0 },
        { "hexadecimal digits", V2_OF("0x10 1\\n"), 0 },
        { "more digits than a number has", V2_OF("99999999999999999999999 100000\\n"), 0 },
        { "a period of so many", V2_OF("100000 99999999999999999999999\\n"), 0 },
        { "bytes that are no text", V2_OF("\\377\\000\\001 100000"), 0 },
        { "-1 of version 1", V1_OF("-1\\n", "100000\\n"), 0 },
        { "a quota of version 1 without a period", V1_OF("150000\\n", ""), 0 },
        { "a period of 0 there", V1_OF("150000\\n", "0\\n"), 0 },
        { "150 ms in each 100 ms are 1.5 CPUs", V2_OF("150000 100000\\n"), 150 },
        { "so they are in version 1", V1_OF("150000\\n", "100000\\n"), 150 },
        { "a hundredth of a CPU is less than one", V2_OF("1000 100000"), 1 },
        { "a FIFO is no file, and nobody waits for it",
          V2_OF("") " && rm m/a/cpu.max && mkfifo m/a/cpu.max", 0 },
        { "nor is a folder", V2_OF("") " && rm m/a/cpu.max && mkdir m/a/cpu.max", 0 },
        { "nor is a link to itself", V2_OF("") " && rm m/a/cpu.max && ln -s cpu.max m/a/cpu.max",
          0 },
    };
    check_rows(rows, sizeof rows / sizeof *rows);
}

static void check_lists(void)
{
    static const struct row rows[] = {
        { "without /proc there is no limit", "true", 0 },
        { "nor without the list of mounts", V2_OF("150000 100000") " && rm proc/self/mountinfo",
          0 },
        { "nor without the list of groups", V2_OF("150000 100000") " && rm proc/self/cgroup", 0 },
        { "nor where the group's folder is not mounted", V2_OF("150000 100000") " && rm -r m", 0 },
        { "groups that are no lines are passed over",
          V2_OF("150000 100000") " && printf '\\n:\\n::\\n0:\\n0::\\n0::a\\n7\\n0::/a\\n' "
                                 ">proc/self/cgroup",
          150 },
        { "a group without an end is one",
          V2_OF("150000 100000") " && printf 0::/a "
                                 ">proc/self/cgroup",
          150 },
        { "mounts that are no lines are passed over",
          V2_OF("150000 100000") " && mv proc/self/mountinfo was && { printf '\\n - \\n9 1 0:9 / "
                                 "/m - cgroup2\\n - cgroup2 cgroup2 rw\\n9 - \\n'; cat was; } "
                                 ">proc/self/mountinfo",
          150 },
        { "a line of a million characters is passed over",
          V2_OF("150000 100000") " && mv proc/self/mountinfo was && { printf '%01000000d - cgroup2 "
                                 "cgroup2 rw\\n' 0; cat was; } >proc/self/mountinfo",
          150 },
        { "a path that is longer than paths are is passed over",
          V2_OF("150000 100000") " && printf '0::/%05000d\\n' 0 >proc/self/cgroup", 0 },
        { "a mount of another kind is none",
          V2_OF("150000 100000") " && echo '9 1 0:9 / /m rw - tmpfs cgroup2 rw' "
                                 ">proc/self/mountinfo",
          0 },
        { "nor is one of version 1 for another resource",
          V1_OF("150000", "100000") " && echo '9 1 0:9 / /m rw - cgroup cgroup rw,cpuacct,cpuset' "
                                    ">proc/self/mountinfo",
          0 },
        { "nor a group of one",
          V1_OF("150000", "100000") " && echo 4:cpuacct,cpuset:/a >proc/self/cgroup", 0 },
    };
    check_rows(rows, sizeof rows / sizeof *rows);
}

/* Groups above, and how much of the tree a mount shows. */
static void check_trees(void)
{
    static const struct row rows[] = {
        { "a group above allows less", V2_OF("300000 100000") " && echo '50000 100000' >m/cpu.max",
          50 },
        { "a group above allows more", V2_OF("50000 100000") " && echo '300000 100000' >m/cpu.max",
          50 },
        { "a group between has no file",
          V2_OF("") " && mkdir -p m/a/b/c && echo 0::/a/b/c >proc/self/cgroup && "
                    "echo '250000 100000' >m/a/cpu.max",
          250 },
        { "a group that is gone has those above",
          V2_OF("250000 100000") " && echo '0::/a/b (deleted)' >proc/self/cgroup", 250 },
        { "a group beside counts for nothing",
          V2_OF("max 100000") " && mkdir m/ab && echo '50000 100000' >m/ab/cpu.max", 0 },
        { "a container without a namespace of groups sees its own folder as the mount",
          V1_OF("50000", "100000") " && echo 4:cpu:/docker/12 >proc/self/cgroup && "
                                   "echo '9 1 0:9 /docker/12 /m/a rw - cgroup cgroup rw,cpu' "
                                   ">proc/self/mountinfo",
          50 },
        { "and groups of its own below",
          V1_OF("50000", "100000") " && echo 4:cpu:/docker/12/a >proc/self/cgroup && "
                                   "echo '9 1 0:9 /docker/12 /m rw - cgroup cgroup rw,cpu' "
                                   ">proc/self/mountinfo",
          50 },
        { "a mount that shows another group's tree says nothing",
          V2_OF("50000 100000") " && echo '9 1 0:9 /b /m rw - cgroup2 cgroup2 rw' "
                                ">proc/self/mountinfo",
          0 },
        { "nor does one whose name only begins as the group's",
          V2_OF("50000 100000") " && echo 0::/ab >proc/self/cgroup && "
                                "echo '9 1 0:9 /a /m/a rw - cgroup2 cgroup2 rw' "
                                ">proc/self/mountinfo",
          0 },
        { "of a mount from above the namespace its own folder is a group above",
          V2_OF("50000 100000") " && echo 0::/ >proc/self/cgroup && "
                                "echo '9 1 0:9 /../.. /m/a rw - cgroup2 cgroup2 rw' "
                                ">proc/self/mountinfo",
          50 },
        { "a group outside of the namespace is not to be seen",
          V2_OF("50000 100000") " && echo 0::/../a >proc/self/cgroup", 0 },
        { "but through a mount from there",
          V2_OF("50000 100000") " && echo 0::/../a >proc/self/cgroup && "
                                "echo '9 1 0:9 /.. /m rw - cgroup2 cgroup2 rw' "
                                ">proc/self/mountinfo",
          50 },
        { "a name that begins with two dots is a name",
          V2_OF("") " && mkdir m/..a && echo 0::/..a >proc/self/cgroup && "
                    "echo '50000 100000' >m/..a/cpu.max",
          50 },
        { "spaces in a mount's path are read",
          V2_OF("50000 100000") " && mv m 'm m' && echo '9 1 0:9 / /m\\\\040m rw - cgroup2 "
                                "cgroup2 rw' >proc/self/mountinfo",
          50 },
        { "fields between the options and the type are passed over",
          V2_OF("50000 100000") " && echo '9 1 0:9 / /m rw shared:5 master:1 - cgroup2 cgroup2 "
                                "rw' >proc/self/mountinfo",
          50 },
        { "beside version 1 an empty tree of version 2 changes nothing",
          V1_OF("150000", "100000") " && mkdir u && echo 0::/ >>proc/self/cgroup && "
                                    "echo '8 1 0:8 / /u rw - cgroup2 cgroup2 rw' "
                                    ">>proc/self/mountinfo",
          150 },
        { "of two mounts of one tree both count",
          V2_OF("150000 100000") " && cp -r m n && echo '50000 100000' >n/cpu.max && "
                                 "echo '8 1 0:9 / /n rw - cgroup2 cgroup2 rw' "
                                 ">>proc/self/mountinfo",
          50 },
    };
    check_rows(rows, sizeof rows / sizeof *rows);
}

static int threads(double cpus, int of)
{
    return quota_threads(&(struct quota){ .cpus = cpus }, of);
}

static void check_threads(void)
{
    char text[QUOTA_TEXT_BYTES];
    ok(threads(0, 8) == 8, "without a limit each CPU has its thread");
    ok(threads(1.5, 8) == 2, "one and a half CPUs keep two threads busy");
    ok(threads(2, 8) == 2, "two keep two");
    ok(threads(0.01, 8) == 1, "there is always one");
    ok(threads(7.5, 8) == 8 && threads(100, 8) == 8 && threads(9e18, 8) == 8,
       "and never more than there are CPUs");
    ok(quota_describe(&(struct quota){ .cpus = 1.5 }, 8, text), "less than there is is a limit");
    is_text(text, "quota 1.50 of 8 CPUs", "which is told");
    ok(!quota_describe(&(struct quota){ .cpus = 8 }, 8, text) && text[0] == '\0',
       "as much as there is is none");
    ok(!quota_describe(&(struct quota){ .cpus = 0 }, 8, text), "nor is none");
}

int main(void)
{
    const char *folder = getenv("builddir");
    (void)snprintf(work, sizeof work, "%s/tests/quota.scratch", folder != NULL ? folder : ".");
    check_contents();
    check_lists();
    check_trees();
    check_threads();
    struct quota quota;
    (void)make(V2_OF("150000 100000"));
    quota_find(work, &quota);
    has_text(quota.file, "/m/a/cpu.max", "the file that says so is named");
    char command[1100];
    (void)snprintf(command, sizeof command, "rm -rf '%s'", work);
    return system(command) == 0 ? tap_done() : 1;
}
