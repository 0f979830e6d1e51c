/* SPDX-License-Identifier: BSD-3-Clause */
/* Plugins that are found, refused, loaded. The registry is filled once in a process, so this
 * program starts itself: with arguments it does what they say and prints what it sees. */
#include "config.h"

#include "runtime/base/fpstate.h"
#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/base/settings.h"
#include "runtime/base/utf8.h"
#include "runtime/plugin/registry.h"
#include "runtime/plugin/trust.h"
#include "tests/command_output.h"
#include "tests/tap.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- The program that is looked at. */

static void print_line(void *user, int level, const char *line)
{
    (void)user;
    printf("log %d %s\n", level, line);
}

static void print_all(void)
{
    for (const cohort_device *d = cohort_device_next(NULL); d != NULL; d = cohort_device_next(d))
        printf("device %s default=%s%s%s\n", cohort_device_id(d),
               cohort_device_property(d, "default"),
               cohort_device_property(d, "note")[0] != '\0' ? " note=" : "",
               cohort_device_property(d, "note"));
    for (const cohort_unused *u = cohort_unused_next(NULL); u != NULL; u = cohort_unused_next(u))
        printf("unused %s | %s | %s\n", cohort_unused_candidate(u), cohort_unused_reason(u),
               cohort_unused_fix(u));
    printf("error '%s'\n", cohort_error_text());
}

static void print_selection(const char *list)
{
    const cohort_device **devices = NULL;
    int n = 0;
    cohort_status st = cohort_registry_select(list, &devices, &n);
    printf("select %s", cohort_status_name(st));
    for (int i = 0; i < n; i++)
        printf(" %s", devices[i]->id);
    printf("%s%s\n", st < 0 ? " " : "", st < 0 ? cohort_error_text() : "");
    cohort_free(devices);
}

static void print_properties(const char *id)
{
    static const char *const keys[] = { "plugin",        "name",         "driver",    "type",
                                        "compute_units", "memory_bytes", "numa_node", "max_parts",
                                        "formats",       "default",      "?" };
    const cohort_device **devices = NULL;
    int n = 0;
    (void)cohort_registry_select(id, &devices, &n);
    for (size_t i = 0; n > 0 && i < sizeof keys / sizeof *keys; i++) {
        const char *value = cohort_device_property(devices[n - 1], keys[i]);
        printf("property %s=%s\n", keys[i], value != NULL ? value : "NULL");
    }
    cohort_free(devices);
}

static void print_thread_state(void)
{
    printf("state %s\n", cohort_fpstate_same_mode(cohort_fpstate_get(), cohort_fpstate_default())
                             ? "default"
                             : "changed");
}

static void print_blocks(void)
{
    static int64_t warm;
    print_selection("toy/4");
    print_selection("toy:1/2,toy:0");
    warm = cohort_memory_blocks();
    for (int i = 0; i < 100; i++) {
        const cohort_device **devices = NULL;
        int n = 0;
        (void)cohort_registry_select(i % 3 == 0   ? "toy/4"
                                     : i % 3 == 1 ? "toy:1/2,toy:0"
                                                  : "toy:9",
                                     &devices, &n);
        cohort_free(devices);
    }
    printf("blocks %lld\n", (long long)(cohort_memory_blocks() - warm));
}

static void *list_devices(void *user)
{
    int *count = user;
    for (const cohort_device *d = cohort_device_next(NULL); d != NULL; d = cohort_device_next(d))
        ++*count;
    return NULL;
}

static void print_threads(void)
{
    pthread_t threads[8];
    int counts[8] = { 0 };
    for (int i = 0; i < 8; i++)
        pthread_create(&threads[i], NULL, list_devices, &counts[i]);
    for (int i = 0; i < 8; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < 8; i++)
        printf("thread %d\n", counts[i]);
}

static void *select_slow(void *user)
{
    print_selection("slow");
    return user;
}

/* The plugin slow lists its devices when the FIFO was opened and closed. */
static void print_beside(const char *fifo)
{
    pthread_t thread;
    int gate = -1;
    print_selection("toy:0");
    pthread_create(&thread, NULL, select_slow, NULL);
    for (int i = 0; i < 30000 && gate < 0; i++, usleep(1000))
        gate = open(fifo, O_WRONLY | O_NONBLOCK);
    print_selection("toy:1");
    print_selection("toy/2");
    close(gate);
    pthread_join(thread, NULL);
}

static void print_candidates(void)
{
    for (const cohort_candidate *c = cohort_candidate_next(NULL); c != NULL;
         c = cohort_candidate_next(c))
        printf("candidate %s %s\n", cohort_candidate_name(c), cohort_candidate_file(c));
}

static void leave_out(const char *name)
{
    const cohort_candidate *c = cohort_candidate_next(NULL);
    while (c != NULL && strcmp(cohort_candidate_name(c), name) != 0)
        c = cohort_candidate_next(c);
    cohort_status st = cohort_candidate_leave_out(c, "it ends processes", "mend it");
    printf("leave out %s %s\n", cohort_status_name(st), st < 0 ? cohort_error_text() : "");
}

static void print_fork(void)
{
    (void)cohort_device_next(NULL);
    fflush(stdout);
    if (fork() == 0) {
        printf("forked %s\n", cohort_device_next(NULL) == NULL ? cohort_error_text() : "a device");
        printf("forked load %s\n", cohort_status_name(cohort_plugin_load("/nowhere/cohort-x.so")));
        printf("forked candidates %d\n", cohort_candidate_next(NULL) != NULL);
        leave_out("toy");
        print_selection("toy");
        fflush(stdout);
        _exit(0);
    }
    (void)wait(NULL);
}

/* The devices of each candidate in a child that leaves out the others. */
static void print_each_in_child(void)
{
    for (const cohort_candidate *c = cohort_candidate_next(NULL); c != NULL;
         c = cohort_candidate_next(c)) {
        fflush(stdout);
        if (fork() == 0) {
            for (const cohort_candidate *other = cohort_candidate_next(NULL); other != NULL;
                 other = cohort_candidate_next(other))
                if (other != c)
                    (void)cohort_candidate_leave_out(other, "not here", NULL);
            printf("child %s:", cohort_candidate_name(c));
            for (const cohort_device *d = cohort_device_next(NULL); d != NULL;
                 d = cohort_device_next(d))
                printf(" %s", cohort_device_id(d));
            printf("\n");
            fflush(stdout);
            _exit(0);
        }
        (void)wait(NULL);
    }
}

static void do_step(const char *step)
{
    const char *value = strchr(step, '=') != NULL ? strchr(step, '=') + 1 : NULL;
    if (strncmp(step, "load=", 5) == 0) {
        cohort_status st = cohort_plugin_load(value);
        printf("load %s %s\n", cohort_status_name(st), st < 0 ? cohort_error_text() : "");
    } else if (strncmp(step, "select", 6) == 0)
        print_selection(value);
    else if (strncmp(step, "properties=", 11) == 0)
        print_properties(value);
    else if (strcmp(step, "log") == 0)
        cohort_log_set(print_line, NULL, COHORT_LOG_DEBUG);
    else if (strcmp(step, "state") == 0)
        print_thread_state();
    else if (strcmp(step, "blocks") == 0)
        print_blocks();
    else if (strcmp(step, "threads") == 0)
        print_threads();
    else if (strncmp(step, "beside=", 7) == 0)
        print_beside(value);
    else if (strcmp(step, "fork") == 0)
        print_fork();
    else if (strcmp(step, "candidates") == 0)
        print_candidates();
    else if (strncmp(step, "leave=", 6) == 0)
        leave_out(value);
    else if (strcmp(step, "children") == 0)
        print_each_in_child();
    else if (strcmp(step, "secure") == 0)
        printf("secure %d\n", cohort_setting_is_secure());
    else
        print_all();
}

static int do_steps(int n, char **steps)
{
    for (int i = 0; i < n; i++)
        do_step(steps[i]);
    return 0;
}

/* ---- The one that looks. */

static char self[4096], work[4096], output[1 << 18];

__attribute__((format(printf, 1, 2))) static int shell(const char *format, ...)
{
    char command[16384];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    return system(command);
}

/* Run this program with an environment and steps; what it prints is in `output`. */
__attribute__((format(printf, 1, 2))) static const char *look(const char *format, ...)
{
    char rest[8192], command[16384];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(rest, sizeof rest, format, arguments);
    va_end(arguments);
    (void)snprintf(command, sizeof command,
                   "env -u COHORT_PLUGIN_PATH -u COHORT_PLUGINS -u COHORT_DEVICES %s 2>&1", rest);
    return command_output(command, output, sizeof output);
}

/* Build tests/plugins-bad/SOURCE.c into folder/cohort-NAME.so of the work folder. */
static bool build_from(const char *source, const char *folder, const char *name, const char *flags)
{
    return shell("mkdir -p '%s/%s' && ${CC:-cc} -std=c11 -w -fPIC -shared -fvisibility=hidden "
                 "-I\"$srcdir/include\" -I\"$srcdir\" %s "
                 "\"$srcdir/tests/plugins-bad/%s.c\" -o '%s/%s/cohort-%s.so'",
                 work, folder, flags, source, work, folder, name) == 0;
}

static bool build(const char *folder, const char *name, const char *flags)
{
    return build_from("variant", folder, name, flags);
}

/* One plugin alone in a folder: what becomes of it. */
static const char *try_variant(const char *flags)
{
    (void)shell("rm -rf '%s/one'", work);
    if (!build("one", "toy", flags))
        return "it does not compile";
    return look("COHORT_PLUGIN_PATH='%s/one' COHORT_TIMEOUT_OPEN=5 %s list", work, self);
}

static void check_arguments(void)
{
    has_text(look("%s load=relative.so", self),
             "load EINVAL cohort_plugin_load: 'relative.so' is not an absolute path",
             "a relative path is refused");
    has_text(look("%s load=/nowhere/cohort-x.so", self),
             "load ENOENT /nowhere/cohort-x.so: No such file", "a missing file is named");
    has_text(look("%s load=/nowhere/x.so", self),
             "load EINVAL /nowhere/x.so: plugins are called cohort-NAME.so",
             "a file must be called cohort-NAME.so");
    has_text(look("%s load=/nowhere/cohort-a.b.so", self),
             "load EINVAL /nowhere/cohort-a.b.so: NAME of cohort-NAME.so has",
             "a name that could not stand in a device id is refused");
    has_text(look("%s select", self), "select ENODEV no usable device; plugins are looked for in ",
             "without plugins the error says where they are looked for");
}

static void check_escapes(void)
{
    static const struct {
        const char *text, *wanted;
    } cases[] = {
        { "", "" },
        { "gl\u00fcck \u2211 \U0001f600", "gl\u00fcck \u2211 \U0001f600" },
        { "a\nb\tc\x1b[31m\x7f", "a\\x0ab\\x09c\\x1b[31m\\x7f" },
        { "\xc2\x85", "\\xc2\\x85" },
        { "\xff\xc3", "\\xff\\xc3" },
        { "\xed\xa0\x80", "\\xed\\xa0\\x80" },
        { "\xc0\xaf", "\\xc0\\xaf" },
        { "\xf0\x9f\x98", "\\xf0\\x9f\\x98" },
    };
    char text[64];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cohort_utf8_escape(cases[i].text, strlen(cases[i].text), text, sizeof text);
        is_text(text, cases[i].wanted, "escaped: %s", cases[i].wanted);
    }
    cohort_utf8_escape("abcdefgh", 8, text, 8);
    is_text(text, "abcd", "what does not fit is cut");
    cohort_utf8_escape("abcdefgh", 2, text, 8);
    is_text(text, "ab", "a text ends after its bytes");
}

static void check_entry(void)
{
    has_text(try_variant(""), "device toy:0 default=yes\ndevice toy:1 default=no\n",
             "a sound plugin is loaded");
    has_text(output, "error ''", "and leaves no error text");
    has_text(try_variant("-DENTRY=something_else"),
             "no plugin: it has no symbol cohort_plugin_entry_1",
             "a library without the entry is no plugin");
    has_text(try_variant("-DENTRY=cohort_plugin_entry_2"),
             "built for plugin ABI 2, this cohort speaks 1 | install the vendor's",
             "another major version of the ABI is named");
    has_text(try_variant("-DENTRY=cohort_plugin_entry_0"),
             "built for plugin ABI 0, this cohort speaks 1 | install the vendor's",
             "an earlier one, too");
    has_text(try_variant("'-DENTRY_ACT=return NULL'"), "refused by the plugin without a reason",
             "an entry may refuse");
    has_text(try_variant("'-DENTRY_ACT=cohort_fail(err,COHORT_EINCOMPATIBLE,0,\"needs firmware "
                         "7\");return NULL'"),
             "needs firmware 7", "an entry may refuse with a reason");
    has_text(try_variant("-DPLUGIN_LIE=plugin.abi_minor=3"), "built for plugin ABI 1.3",
             "another minor of ABI 1 is refused");
    has_text(try_variant("-DPLUGIN_LIE=plugin.min_core_minor=1"), "(core 1.1 at least)",
             "a plugin may ask for a newer core");
    has_text(try_variant("-DPLUGIN_LIE=plugin.name=NULL"), "no printable name", "a name is needed");
    has_text(try_variant("-DNAME=npu"), "names itself 'npu': its file must be cohort-npu.so",
             "the name is the file's");
    has_text(try_variant("'-DPLUGIN_LIE=plugin.vendor=\"a\\nb\"'"),
             "version or vendor is not printable", "texts are printable");
}

static void check_tables(void)
{
    has_text(try_variant("-DPLUGIN_LIE=plugin.ops=NULL"),
             "neither operations (ops is NULL) nor extensions", "ops may not be NULL");
    has_text(try_variant("-DOPS_LIE=ops.launch=NULL"),
             "the mandatory operation 'launch' is missing", "mandatory: launch");
    has_text(try_variant("-DOPS_LIE=ops.enumerate=NULL"),
             "the mandatory operation 'enumerate' is missing", "mandatory: enumerate");
    has_text(try_variant("'-DOPS_LIE=ops.struct_size=offsetof(cohort_ops,launch)'"),
             "'launch' is missing", "a smaller table ends before launch");
    has_text(try_variant("'-DOPS_LIE=ops.struct_size=offsetof(cohort_ops,event_wait)'"),
             "device toy:1", "a smaller table without optional operations is fine");
    has_text(try_variant("-DOPS_LIE=ops.struct_size=4096"), "device toy:1",
             "a larger table is fine");
    has_text(try_variant("-DPLUGIN_LIE=plugin.struct_size=128"), "device toy:1",
             "a larger plugin struct is fine");
    has_text(try_variant("'-DPLUGIN_LIE=plugin.struct_size=offsetof(cohort_plugin,extension)'"),
             "device toy:1", "a smaller plugin struct is fine");
    has_text(try_variant("-DOPS_LIE=ops.struct_size=0"), "struct_size 0 of its operations",
             "struct_size 0 is refused");
    has_text(try_variant("-DPLUGIN_LIE=plugin.struct_size=7"), "struct_size 7 of its plugin table",
             "struct_size 7 is refused");
    has_text(try_variant("-DPLUGIN_LIE=plugin.struct_size=0xfffffffc"), "struct_size 4294967292",
             "a huge struct_size is refused");
    (void)try_variant("-DOPS_LIE=ops.event_wait=stub_event_wait");
    has_text(look("COHORT_PLUGIN_PATH='%s/one' %s log list", work, self),
             "only one of event_wait and event_release: neither is used",
             "half a group is left out, and said");
    has_text(output, "device toy:1", "and the plugin is used without it");
}

static void check_lies(void)
{
    static const struct {
        const char *flags, *reason, *claim;
    } lies[] = {
        { "'-DDEVICES=1000000000'", "claims 1000000000 devices; at most 4096",
          "a billion devices" },
        { "-DDEVICES=4097", "claims 4097 devices", "one device too many" },
        { "-DLISTED=3", "counts 2 devices and then lists 3", "more than counted" },
        { "-DLISTED=1", "counts 2 devices and then lists 1", "fewer than counted" },
        { "'-DENUMERATE_ACT=return 7'", "enumerate returns 7", "a status that is none" },
        { "'-DENUMERATE_ACT=return cohort_fail(err,COHORT_ENODEV,-1001,\"no driver here\")'",
          "enumerate: no driver here", "an error keeps its text" },
        { "'-DENUMERATE_ACT=return COHORT_ELOST'", "enumerate: device lost",
          "an error without a text" },
        { "'-DENUMERATE_ACT=memset(err->text,65,sizeof err->text);return COHORT_ELOST'",
          "enumerate fails with an error text without an end", "an unterminated error text" },
        { "'-DINFO_LIE=if(index==1)info->struct_size=8'", "device 1: struct_size is 8",
          "struct_size of a device" },
        { "'-DINFO_LIE=info->type=0'", "device 0: type is 0", "type 0" },
        { "'-DINFO_LIE=info->type=4'", "device 0: type is 4", "an unknown type" },
        { "'-DINFO_LIE=info->caps=128'", "device 0: caps is 128", "unknown abilities" },
        { "'-DINFO_LIE=info->mem_total=0'", "device 0: mem_total is 0", "no memory" },
        { "'-DINFO_LIE=info->mem_total=UINT64_MAX'", "device 0: mem_total is 18446744073709551615",
          "too much memory" },
        { "'-DINFO_LIE=info->mem_max_alloc=0'", "mem_max_alloc is 0", "no allocation" },
        { "'-DINFO_LIE=info->mem_align=48'", "mem_align is 48", "an alignment of 48" },
        { "'-DINFO_LIE=info->import_align=3'", "import_align is 3", "an import alignment of 3" },
        { "'-DINFO_LIE=info->compute_units=0'", "compute_units is 0", "no compute units" },
        { "'-DINFO_LIE=info->max_parts=0'", "max_parts is 0", "no parts" },
        { "'-DINFO_LIE=info->numa_node=-2'", "numa_node is -2", "NUMA node -2" },
        { "'-DINFO_LIE=memset(info->uuid,0,16)'", "uuid is all zero", "no uuid" },
        { "'-DINFO_LIE=info->name[0]=0'", "name is empty", "no name" },
        { "'-DINFO_LIE=memset(info->name,65,64)'", "name is not a terminated",
          "an unterminated name" },
        { "'-DINFO_LIE=info->name[0]=7'", "name is not a terminated", "a bell in the name" },
        { "'-DINFO_LIE=strcpy(info->name,\"\\xc0\\x80\")'", "name is not a terminated",
          "overlong UTF-8" },
        { "'-DINFO_LIE=strcpy(info->driver,\"\\xff\")'", "driver is not a terminated",
          "a driver that is no UTF-8" },
        { "'-DINFO_LIE=memset(info->pci,65,16)'", "pci is not a terminated",
          "an unterminated pci" },
        { "'-DINFO_LIE=static const char*f[]={\"\\n\",NULL};info->formats=f'",
          "a format is not a terminated", "a format with a newline" },
        { "'-DINFO_LIE=static const char*f[70];for(int i=0;i<69;i++)f[i]=\"x\";info->formats=f'",
          "more than 64 formats", "too many formats" },
    };
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        has_text(try_variant(lies[i].flags), lies[i].reason, "lie: %s", lies[i].claim);
        ok(strstr(output, "device toy:") == NULL, "and no device of it is used");
    }
}

static void check_generosity(void)
{
    has_text(try_variant("'-DINFO_LIE=info->max_parts=4000000000u'"), "device toy:1",
             "more parts than we use are fine");
    has_text(try_variant("'-DINFO_LIE=strcpy(info->name,\"\\xc3\\xa4\\xe2\\x82\\xac\")'"),
             "device toy:1", "UTF-8 names are fine");
    has_text(try_variant("'-DINFO_LIE=info->formats=NULL'"), "device toy:1",
             "a device without formats is fine");
    (void)try_variant("-DDEVICES=0");
    ok(strstr(output, "device ") == NULL && strstr(output, "unused ") == NULL,
       "no device is no error");
    has_text(look("COHORT_PLUGIN_PATH='%s/one' %s select=toy:0", work, self),
             "plugin 'toy' found no device", "but a reason when one is asked for");
    has_text(try_variant("-DDEVICES=4096"), "device toy:4095",
             "as many devices as the limit are fine");
}

static void check_behaviour(void)
{
    (void)try_variant("'-DENUMERATE_ACT=talk()'");
    has_text(look("COHORT_PLUGIN_PATH='%s/one' COHORT_DEVICES=toy:1 %s log list", work, self),
             "log 1 toy:1\nlog 3 two lines\n",
             "a plugin may read settings and log while it is asked");
    (void)build("one", "toy", "'-DENUMERATE_ACT=for(;;)sleep(1)'");
    time_t begin = time(NULL);
    has_text(look("COHORT_PLUGIN_PATH='%s/one' COHORT_TIMEOUT_OPEN=0.2 %s list", work, self),
             "the plugin does not answer: enumerate took more than 0.2 s (COHORT_TIMEOUT_OPEN)",
             "a plugin that hangs is left behind");
    ok(time(NULL) - begin < 30, "at the deadline");
    (void)build("one", "toy", "'-DENUMERATE_ACT=usleep(50000)'");
    has_text(look("COHORT_PLUGIN_PATH='%s/one' COHORT_TIMEOUT_OPEN=0 %s list", work, self),
             "device toy:1", "deadline 0 waits");
    has_text(look("COHORT_PLUGIN_PATH='%s/one' %s threads", work, self),
             "thread 2\nthread 2\nthread 2\nthread 2\nthread 2\nthread 2\nthread 2\nthread 2\n",
             "eight threads ask at once");
    (void)build("one", "toy", "'-DENTRY_ACT=chdir(\"/\");umask(0);setlocale(LC_ALL,\"C.UTF-8\")'");
    has_text(look("LC_ALL=C COHORT_PLUGIN_PATH='%s/one' %s log list", work, self),
             "changed the working folder", "chdir is said");
    has_text(output, "changed the umask", "umask is said");
    (void)build("one", "toy",
                "'-DENTRY_ACT=uselocale(newlocale(LC_ALL_MASK,\"C\",(locale_t)0))' -D_GNU_SOURCE");
    has_text(look("COHORT_PLUGIN_PATH='%s/one' %s list", work, self), "device toy:1",
             "a plugin that sets the thread's locale loads");
}

static void check_float_state(void)
{
    if (!build("one", "toy", "-Ofast -ffast-math '-DENTRY_ACT=usleep(1)' -D_GNU_SOURCE")) {
        skip("floating-point state", "the compiler has no -ffast-math");
        return;
    }
    has_text(look("COHORT_PLUGIN_PATH='%s/one' %s state list state", work, self), "device toy:1",
             "a -ffast-math plugin loads");
    has_text(output, "state default\ndevice", "before it the state is the default");
    has_text(output, "error ''\nstate default", "and after it too");
}

static void check_dependencies(void)
{
    has_text(try_variant("'-DENTRY_ACT=extern int nobody_has_this(void);nobody_has_this()'"),
             "undefined symbol: nobody_has_this", "an undefined symbol is refused when loading");
    (void)shell("mkdir -p '%s/dep' && echo 'int dep(void){return 1;}' > '%s/dep/dep.c' && "
                "${CC:-cc} -shared -fPIC "
                "'%s/dep/dep.c' -o "
                "'%s/dep/libcohorttestdep.so'",
                work, work, work, work);
    char flags[8192];
    (void)snprintf(
        flags, sizeof flags,
        "'-DENTRY_ACT=extern int dep(void);dep()' '-L%s/dep' -Wl,--no-as-needed -lcohorttestdep",
        work);
    (void)try_variant(flags);
    has_text(output, "libcohorttestdep.so: cannot open shared object",
             "a missing dependency is named");
    (void)shell("cp '%s/one/cohort-toy.so' '%s/one/cut' && head -c 600 '%s/one/cut' > "
                "'%s/one/cohort-toy.so'",
                work, work, work, work);
    has_text(look("COHORT_PLUGIN_PATH='%s/one' %s list", work, self), "the file is cut",
             "a cut plugin is refused");
    (void)shell("echo '#!/bin/sh' > '%s/one/cohort-toy.so'", work);
    has_text(look("COHORT_PLUGIN_PATH='%s/one' %s list", work, self),
             "a script, not a shared object", "a script is refused");
    (void)shell("rm '%s/one/cohort-toy.so' && mkfifo '%s/one/cohort-toy.so'", work, work);
    has_text(look("COHORT_PLUGIN_PATH='%s/one' %s list", work, self), "not a regular file",
             "a FIFO does not block");
}

static void check_order(void)
{
    (void)shell("rm -rf '%s/a' '%s/b'", work, work);
    (void)(build("a", "toy", "") && build("b", "toy", "-DUUID=2") &&
           build("b", "alpha", "-DNAME=alpha -DUUID=3") &&
           build("b", "zeta", "-DNAME=zeta -DUUID=3"));
    has_text(look("COHORT_PLUGIN_PATH='%s/a:%s/b' %s list", work, work, self),
             "device toy:0 default=yes\ndevice toy:1 default=no\ndevice alpha:0 default=no\ndevice "
             "alpha:1 "
             "default=no\nunused",
             "folders in order, files by name, equal uuids once");
    has_text(output, "cohort-toy.so | plugin 'toy' is already loaded from ",
             "the second of a name says who was first");
    has_text(output, "unused zeta:1 | the same device as alpha:1 (equal uuid)",
             "the second of a uuid says who was first");
    has_text(look("COHORT_PLUGIN_PATH='%s/b:%s/a' %s select", work, work, self),
             "select OK alpha:0\n", "the first CPU is the default");
    (void)shell("ln -sf ../a/cohort-toy.so '%s/a/cohort-twin.so'; ln -sf ../b '%s/a/b'", work,
                work);
    look("COHORT_PLUGIN_PATH='%s/a:%s/a:%s/a/b' COHORT_PLUGINS=toy,twin %s list", work, work, work,
         self);
    ok(strstr(output, "cohort-twin") == NULL, "a link to a file that is loaded is passed over");
    has_text(look("COHORT_PLUGIN_PATH='%s/a' %s load=%s/b/cohort-alpha.so list", work, self, work),
             "load OK \ndevice alpha:0 default=yes\ndevice alpha:1 default=no\ndevice toy:0",
             "a file that is asked for comes first");
    has_text(look("COHORT_PLUGIN_PATH='%s/a' %s select=toy load=%s/b/cohort-alpha.so "
                  "load=%s/b/cohort-toy.so list",
                  work, self, work, work),
             "select OK toy:0 toy:1\nload OK \nload OK \ndevice toy:0 default=yes\ndevice toy:1 "
             "default=no\ndevice alpha:0",
             "a file that is asked for later comes last; a name that is there is no error");
}

/* Equal PCI addresses are no proof, so that nothing becomes one device for them. */
static void check_cards(void)
{
#define AT(address, driver)                                                                        \
    "'-DINFO_LIE=strcpy(info->pci,\"" address "\");strcpy(info->driver,\"" driver "\")'"
    (void)shell("rm -rf '%s/p'", work);
    (void)(build("p", "alpha", "-DNAME=alpha -DUUID=5 " AT("0000:01:00.0", "one 1")) &&
           build("p", "beta", "-DNAME=beta -DUUID=6 " AT("0000:01:00.0", "two 1")) &&
           build("p", "gamma", "-DNAME=gamma -DUUID=7 " AT("0000:02:00.0", "two 1")) &&
           build("p", "zeta", "-DNAME=zeta -DUUID=8 " AT("", "one 1")));
    look("COHORT_PLUGIN_PATH='%s/p' %s list", work, self);
    has_text(output, "device alpha:0 default=yes\ndevice alpha:1 default=no\n",
             "devices of one driver at one PCI address are two, without a word");
    has_text(output,
             "device beta:0 default=no note=may be the same card as alpha:0, by another driver "
             "(PCI address 0000:01:00.0)\n",
             "those of two drivers are two as well, which is said");
    has_text(output, "device gamma:0 default=no\ndevice gamma:1 default=no\n",
             "other addresses are others");
    has_text(output, "device zeta:0 default=no\ndevice zeta:1 default=no\n", "and none is none");
    look("COHORT_PLUGIN_PATH='%s/p' %s select=beta list", work, self);
    has_text(output, "device alpha:0 default=yes note=may be the same card as beta:0,",
             "whoever was opened later has the note");
#undef AT
}

/* Which plugin was opened first is not seen. In folder a: toy, and its link twin; in b: alpha, toy,
 * and zeta, whose devices are alpha's. */
static void check_later(void)
{
    has_text(look("COHORT_PLUGIN_PATH='%s/a:%s/b' %s select=alpha list", work, work, self),
             "select OK alpha:0 alpha:1\ndevice toy:0 default=yes\ndevice toy:1 default=no\ndevice "
             "alpha:0",
             "devices are listed in the order of the search");
    has_text(output, "device alpha:1 default=no\nunused", "whichever was opened first");
    has_text(output, "unused zeta:1 | the same device as alpha:1 (equal uuid)",
             "an equal uuid is found later too");
    has_text(
        look("COHORT_PLUGIN_PATH='%s/b' %s select=zeta list", work, self),
        "select OK zeta:0 zeta:1\ndevice toy:0 default=yes\ndevice toy:1 default=no\ndevice zeta:0",
        "of equal uuids the one that was asked for first is used");
    has_text(output, "unused alpha:1 | the same device as zeta:1 (equal uuid)",
             "which the other says");
    has_text(
        look("COHORT_PLUGIN_PATH='%s/a' %s select=twin select=toy list", work, self),
        "select ENODEV no device 'twin'; have toy:0 toy:1\nselect OK toy:0 toy:1\ndevice toy:0",
        "a link to a file is no plugin of its own when it is asked for first");
    has_text(look("COHORT_PLUGIN_PATH='%s/a:%s/b' %s select=alpha load=%s/b/cohort-toy.so list",
                  work, work, self, work),
             "load OK \ndevice toy:0 default=yes\ndevice toy:1 default=no\ndevice alpha:0",
             "a file that is asked for after the search comes after one that was found");
    has_text(output, "/b/cohort-toy.so | plugin 'toy' is already loaded from ",
             "although nobody had needed that one");
    (void)shell("rm -rf '%s/slow' && mkdir -p '%s/slow' && mkfifo '%s/slow/gate'", work, work,
                work);
    char flags[8192];
    (void)snprintf(flags, sizeof flags,
                   "-DNAME=slow -DUUID=5 '-DENUMERATE_ACT=if(cap==0)wait_at(\"%s/slow/gate\")'",
                   work);
    (void)build("slow", "slow", flags);
    has_text(
        look("COHORT_PLUGIN_PATH='%s/slow:%s/a' %s beside='%s/slow/gate'", work, work, self, work),
        "select OK toy:0\nselect OK toy:1\nselect OK toy:0.0 toy:0.1\nselect OK slow:0 slow:1\n",
        "what is open is found while another plugin is waited for");
}

/* The folders are those of check_order. */
static void check_left_out(void)
{
    has_text(look("%s leave=toy", self), "leave out EINVAL cohort_candidate_leave_out: candidate",
             "no candidate is none to leave out");
    has_text(look("COHORT_PLUGIN_PATH='%s/a' %s list leave=toy", work, self),
             "/a/cohort-toy.so was opened or left out before", "nor is one that is open");
    has_text(
        look("COHORT_PLUGIN_PATH='%s/a' %s load=%s/a/cohort-toy.so leave=toy", work, self, work),
        "was opened or left out before", "in whatever way it was opened");
    has_text(look("COHORT_PLUGIN_PATH='%s/b' %s leave=toy leave=toy", work, self),
             "leave out OK \nleave out EINVAL", "nor one that is left out");
    look("COHORT_PLUGIN_PATH='%s/b' COHORT_PLUGINS=^zeta %s candidates", work, self);
    ok(strstr(output, "/b/cohort-toy.so\n") != NULL && strstr(output, "candidate alpha ") != NULL &&
           strstr(output, "candidate alpha ") < strstr(output, "candidate toy "),
       "candidates have names and files, in the order of the search");
    ok(strstr(output, "zeta") == NULL, "those that COHORT_PLUGINS lets in");
    has_text(look("COHORT_PLUGIN_PATH='%s/b' %s leave=alpha list", work, self),
             "leave out OK \ndevice toy:0 default=yes\ndevice toy:1 default=no\ndevice zeta:0 "
             "default=no\ndevice zeta:1 default=no\nunused",
             "what is left out has no devices, and the others have theirs");
    has_text(output, "/b/cohort-alpha.so | it ends processes | mend it\nerror ''",
             "it is listed with reason and fix, and no error is left");
    has_text(look("COHORT_PLUGIN_PATH='%s/b' %s leave=alpha select=alpha", work, self),
             "cohort-alpha.so: it ends processes", "which an error tells too");
    has_text(look("COHORT_PLUGIN_PATH='%s/a' %s leave=twin list", work, self),
             "/a/cohort-toy.so | it ends processes | mend it\nunused", "under each of its names");
    has_text(output, "/a/cohort-twin.so | it ends processes | mend it\nerror", "is it left out");
    has_text(look("COHORT_PLUGIN_PATH='%s/b' %s leave=alpha load=%s/b/cohort-alpha.so list", work,
                  self, work),
             "device alpha:0", "the program itself may still name its file");
    has_text(look("COHORT_PLUGIN_PATH='%s/b' %s children list", work, self),
             "child alpha: alpha:0 alpha:1\nchild toy: toy:0 toy:1\nchild zeta: zeta:0 "
             "zeta:1\ndevice alpha:0",
             "who has asked for candidates alone may fork, and children use devices");
}

static void check_filter(void)
{
    has_text(look("COHORT_PLUGIN_PATH='%s/b' COHORT_PLUGINS=alpha %s list", work, self),
             "left out by COHORT_PLUGINS=alpha", "a plugin that is not named is left out");
    ok(strstr(output, "device toy") == NULL && strstr(output, "device alpha:1") != NULL,
       "and the named one is used");
    look("COHORT_PLUGIN_PATH='%s/b' COHORT_PLUGINS=^alpha,^zeta %s list", work, self);
    ok(strstr(output, "device toy:1") != NULL && strstr(output, "device alpha") == NULL,
       "^NAME leaves out that one");
    look("COHORT_PLUGIN_PATH='%s/b' COHORT_PLUGINS='alpha, toy,^toy' %s list", work, self);
    ok(strstr(output, "device toy:1") == NULL && strstr(output, "device alpha") != NULL,
       "^NAME wins");
    has_text(look("COHORT_PLUGIN_PATH='%s/b' COHORT_PLUGINS=alpha %s select=toy", work, self),
             "no device 'toy'; have alpha:0 alpha:1. plugin 'toy' is not used: ",
             "and asking for it says why");
    has_text(look("COHORT_PLUGINS=^toy %s load=%s/b/cohort-toy.so", self, work), "load EINVAL",
             "a file that is asked for is filtered too");
    has_text(
        look("COHORT_PLUGIN_PATH='%s/b' COHORT_PLUGINS=alhpa %s select", work, self),
        ". COHORT_PLUGINS has 'alhpa', and there is no such plugin (did you mean 'alpha'?); have "
        "alpha, toy, zeta. not used: ",
        "a name that no plugin has is told, with those that there are");
    has_text(
        look("COHORT_PLUGIN_PATH='%s/b' COHORT_PLUGINS=' zeta, ,tyo' %s select=toy", work, self),
        "left out by COHORT_PLUGINS= zeta, ,tyo. COHORT_PLUGINS has 'tyo', and there is no such "
        "plugin (did you mean 'toy'?); have zeta, alpha, toy",
        "also where one of the names is right, and the plugin is asked for");
    look("COHORT_PLUGIN_PATH='%s/b' COHORT_PLUGINS='alpha, ' %s select=toy", work, self);
    ok(strstr(output, "no such plugin") == NULL, "of names that are right nothing is said");
}

static void check_places(void)
{
    has_text(look("COHORT_PLUGIN_PATH=':%s/a' %s list", work, self),
             "unused COHORT_PLUGIN_PATH | has an empty element",
             "an empty element is ignored with a reason");
    has_text(output, "device toy:1", "and the rest is searched");
    has_text(look("COHORT_PLUGIN_PATH='.:%s/a:../b' %s list", work, self),
             "unused . | relative folder in COHORT_PLUGIN_PATH",
             "a relative element is ignored with a reason");
    has_text(output, "unused ../b | relative", "each of them");
    has_text(look("COHORT_PLUGIN_PATH=/nowhere/at/all %s list", self),
             "unused /nowhere/at/all | No such file or directory", "a missing folder is named");
    (void)shell("chmod 777 '%s/b'", work);
    has_text(look("COHORT_PLUGIN_PATH='%s/b' %s list", work, self),
             "/b can be written by others (mode 0777) | chmod go-w '",
             "a folder that others can write to is refused with the remedy");
    ok(strstr(output, "device") == NULL, "and nothing in it is loaded");
    (void)shell("chmod 755 '%s/b'; chmod 666 '%s/b/cohort-toy.so'", work, work);
    has_text(look("COHORT_PLUGIN_PATH='%s/b' %s list", work, self),
             "the file can be written by others (mode 0666) | chmod go-w '",
             "a file that others can write to is refused with the remedy");
    (void)shell("chmod 755 '%s/b/cohort-toy.so'", work);
}

static void check_installed(void)
{
    (void)shell("rm -rf '%s/installed' '%s/etc'; mkdir -p '%s/etc/cohort/plugins.d'", work, work,
                work);
    (void)(build("installed", "own", "-DNAME=own -DUUID=7") &&
           build("etc/cohort", "far", "-DNAME=far -DUUID=8"));
    (void)shell("cd '%s/etc/cohort/plugins.d' && printf '../cohort-far.so\\n' > far.plugin && : > "
                "empty.plugin && "
                "printf 'a\\nb\\n' > two.plugin && head -c 5000 /dev/zero | tr '\\0' x > "
                "long.plugin && echo gone.so > "
                "gone.plugin && "
                "printf '%s/a/cohort-toy.so' > toy.plugin && echo x > loose.plugin && chmod 666 "
                "loose.plugin && mkfifo "
                "pipe.plugin",
                work, work);
    has_text(
        look("%s list", self),
        "device own:0 default=yes\ndevice own:1 default=no\ndevice far:0 default=no\ndevice far:1 "
        "default=no\ndevice toy:0",
        "the installed folder, then the manifests");
    has_text(output, "empty.plugin | manifest: expected the path of one plugin",
             "an empty manifest");
    has_text(output, "two.plugin | manifest: expected the path of one plugin",
             "a manifest with two lines");
    has_text(output, "long.plugin | manifest longer than 4096 bytes", "a long manifest");
    has_text(output, "gone.so | plugins are called cohort-NAME.so",
             "a manifest that names no plugin");
    has_text(output, "loose.plugin | the file can be written by others",
             "a manifest that others can write to");
    has_text(output, "pipe.plugin | not a regular file", "a manifest that is a FIFO");
    has_text(look("COHORT_PLUGIN_PATH='%s/a' %s list", work, self),
             "device toy:0 default=yes\ndevice toy:1 default=no\ndevice own:0",
             "the folders of COHORT_PLUGIN_PATH come first");
}

/* Whether nobody but root can write above the folder to work in: else it is trusted only as the
 * tree of this program. */
static bool is_above_closed(void)
{
    char path[sizeof work];
    struct stat entry;
    (void)strcpy(path, work);
    for (char *slash; (slash = strrchr(path, '/')) != NULL && slash != path;) {
        *slash = '\0';
        if (stat(path, &entry) != 0 || entry.st_uid != 0 || (entry.st_mode & 022) != 0)
            return false;
    }
    return true;
}

static void check_privileges(void)
{
    const char *claim = "under AT_SECURE only the installed folder is searched";
    if (geteuid() != 0 || shell("command -v setpriv > /dev/null 2>&1") != 0) {
        skip(claim, "not root, or no setpriv");
        return;
    }
    if (!is_above_closed()) {
        skip(claim, "others may write above the build folder");
        return;
    }
    (void)shell("cp '%s' '%s/raised' && chmod 4755 '%s/raised'", self, work, work);
    look("COHORT_PLUGIN_PATH='%s/a' setpriv --reuid=65534 --clear-groups '%s/raised' secure list",
         work, work);
    if (strstr(output, "secure 1") == NULL) {
        skip(claim, "no raised privileges here");
        return;
    }
    ok(strstr(output, "device own:1") != NULL && strstr(output, "toy") == NULL &&
           strstr(output, "far") == NULL,
       "%s", claim);
    if (shell("setpriv --reuid=65534 --clear-groups test -x '%s/a'", work) != 0) {
        skip("another user may load what root owns", "the build folder is closed to others");
        return;
    }
    look("COHORT_PLUGIN_PATH='%s/a' setpriv --reuid=65534 --clear-groups '%s' list", work, self);
    has_text(output, "device toy:1", "another user may load what root owns");
    (void)shell("chown 12345 '%s/a/cohort-toy.so'", work);
    has_text(look("COHORT_PLUGIN_PATH='%s/a' %s list", work, self),
             "the file belongs to user 12345, neither to root nor", "a foreign file");
    (void)shell("chown 0 '%s/a/cohort-toy.so'; chown 12345 '%s/a'", work, work);
    has_text(look("COHORT_PLUGIN_PATH='%s/a' %s list", work, self),
             "/a belongs to user 12345, neither to root nor", "a foreign folder");
    (void)shell("chown 0 '%s/a'; rm -f '%s/raised'", work, work);
}

/* Another user changes the plugin all the time, through a link of his own and where he may not:
 * what is opened is ours, or refused. His says so when it is loaded. */
static void check_swapped(void)
{
    const char *claim = "a file that another user swaps is never opened";
    if (geteuid() != 0 ||
        shell("command -v setpriv > /dev/null 2>&1 && setpriv --reuid=65534 --clear-groups test -x "
              "'%s/a'",
              work) != 0) {
        skip(claim, "not root, no setpriv, or the build folder is closed to others");
        return;
    }
    (void)build("theirs", "toy", "'-DENTRY_ACT=puts(\"theirs is loaded\")'");
    has_text(look("%s load='%s/theirs/cohort-toy.so'", self, work), "theirs is loaded",
             "a plugin says so when loaded");
    (void)shell("mkdir '%s/links' && chmod 1777 '%s/links' && chown -R 65534 '%s/theirs' && rm -f "
                "'%s/stop'",
                work, work, work, work);
    (void)shell("cd '%s' && setpriv --reuid=65534 --clear-groups sh -c 'for i in $(seq 20000); do "
                "[ ! -e stop ] || break; "
                "ln -sfn ../a/cohort-toy.so links/cohort-toy.so; ln -sfn ../theirs/cohort-toy.so "
                "links/cohort-toy.so; "
                "cp theirs/cohort-toy.so a/cohort-toy.so; done' > /dev/null 2>&1 &",
                work);
    int ours = 0, refused = 0, theirs = 0;
    for (int i = 0; i < 100; i++) {
        look("%s load='%s/links/cohort-toy.so'", self, work);
        theirs += strstr(output, "theirs is loaded") != NULL;
        ours += strstr(output, "load OK") != NULL;
        refused += strstr(output, "belongs to user 65534") != NULL ||
                   strstr(output, "No such file") != NULL;
    }
    (void)shell("touch '%s/stop'; sleep 0.1; rm -rf '%s/links' '%s/theirs'", work, work, work);
    if (!ok(theirs == 0 && ours + refused == 100, "%s", claim))
        diag("%d times theirs, %d ours, %d refused", theirs, ours, refused);
}

static void check_selection(void)
{
    static const struct {
        const char *list, *wanted;
    } lists[] = {
        { "toy", "select OK toy:0 toy:1\n" },
        { "toy:1", "select OK toy:1\n" },
        { " toy:1 , toy:0 ", "select OK toy:1 toy:0\n" },
        { "toy/3", "select OK toy:0.0 toy:0.1 toy:0.2\n" },
        { "toy:1/4,alpha:0", "select OK toy:1.0 toy:1.1 toy:1.2 toy:1.3 alpha:0\n" },
        { "toy/1", "select OK toy:0\n" },
        { "toy:0,toy:0", "select EINVAL device 'toy:0' is listed twice\n" },
        { "toy,toy:1", "select EINVAL device 'toy:1' is listed twice\n" },
        { "toy/2,toy/2", "select EINVAL device 'toy:0.0' is listed twice\n" },
        { "toy/2,toy/4",
          "select EINVAL device 'toy:0' is cut in two ways, into 2 and into 4 parts\n" },
        { "toy,toy/2",
          "select EINVAL device 'toy:0' is cut in two ways, into 1 and into 2 parts\n" },
        { "toy/5", "select EINVAL device 'toy/5': toy:0 can be cut into 1 to 4 parts\n" },
        { "toy/0", "select EINVAL device 'toy/0': toy:0 can be cut into 1 to 4 parts\n" },
        { "", "select EINVAL the device list has an empty item\n" },
        { "toy,", "select EINVAL the device list has an empty item\n" },
        { "toy:", "select EINVAL device 'toy:': expected NAME, NAME:INDEX, NAME/PARTS or "
                  "NAME:INDEX/PARTS (or part of "
                  "a device's own name for INDEX)\n" },
        { "toy:1x", "select EINVAL device 'toy:1x': expected NAME" },
        { "toy/2/2", "select EINVAL device 'toy/2/2': expected NAME" },
        { ":1", "select EINVAL device ':1': expected NAME" },
        { "toy:99999999999", "select EINVAL device 'toy:99999999999': expected NAME" },
        { "toy:0.1", "select EINVAL device 'toy:0.1' is a part: name the device and the number of "
                     "parts, such as toy:0/2\n" },
        { "toy:TOY 1", "select OK toy:1\n" },
        { "toy:oy", "select OK toy:0 toy:1\n" },
        { "toy:y 1/2", "select OK toy:1.0 toy:1.1\n" },
        { "toy:x1", "select ENODEV no device 'toy:x1'; have toy:0 toy:1" },
        { "toy:/2", "select EINVAL device 'toy:/2': expected NAME" },
        { "toy:2", "select ENODEV no device 'toy:2'; have toy:0 toy:1 alpha:0 alpha:1. did you "
                   "mean toy:1?\n" },
        { "tyo",
          "select ENODEV no device 'tyo'; have toy:0 toy:1 alpha:0 alpha:1. did you mean toy?\n" },
        { "opencl", "select ENODEV no device 'opencl'; have toy:0 toy:1 alpha:0 alpha:1\n" },
    };
    (void)shell("rm -f '%s/b/cohort-zeta.so' '%s/a/cohort-twin.so' '%s/a/b'; rm -rf '%s/installed' "
                "'%s/etc'",
                work, work, work, work, work);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        has_text(
            look("COHORT_PLUGIN_PATH='%s/a:%s/b' %s 'select=%s'", work, work, self, lists[i].list),
            lists[i].wanted, "list '%s'", lists[i].list);
    has_text(look("COHORT_PLUGIN_PATH='%s/a' COHORT_DEVICES=toy:1 %s select list", work, self),
             "select OK toy:1\ndevice toy:0 default=no\n"
             "device toy:1 default=yes",
             "COHORT_DEVICES names the default devices");
    has_text(look("COHORT_PLUGIN_PATH='%s/a' COHORT_DEVICES=x:1 %s select list", work, self),
             "select ENODEV COHORT_DEVICES: no device 'x:1'", "and an error in it says so");
    (void)build("one", "npu",
                "-DNAME=npu -DUUID=9 '-DINFO_LIE=info->type=COHORT_DEVICE_ACCELERATOR'");
    (void)shell("rm -f '%s/one/cohort-toy.so'", work);
    has_text(look("COHORT_PLUGIN_PATH='%s/a:%s/one' %s select", work, work, self),
             "select OK npu:0 npu:1\n", "every accelerator is a default");
    (void)build("one", "npu",
                "-DNAME=npu -DUUID=9 '-DINFO_LIE=static const char*f[]={\"acme.source\",NULL};"
                "info->type=COHORT_DEVICE_GPU;info->formats=f'");
    has_text(look("COHORT_PLUGIN_PATH='%s/a:%s/one' %s select", work, work, self),
             "select OK toy:0\n",
             "but one that takes a format of its own alone, which is used when it is named");
    has_text(look("COHORT_PLUGIN_PATH='%s/a:%s/one' %s select=npu:1", work, work, self),
             "select OK npu:1\n", "as here");
    has_text(
        look("COHORT_PLUGIN_PATH='%s/one' %s select", work, self),
        "select ENODEV no default device; have npu:0 npu:1, which are used when they are named",
        "and is none where there is no other");
    (void)build("one", "npu", "-DNAME=npu -DUUID=9 '-DINFO_LIE=info->caps=0'");
    has_text(look("COHORT_PLUGIN_PATH='%s/one' %s select", work, self),
             "select ENODEV no default device; have npu:0 npu:1",
             "a CPU device without CAP_PROMPT is used only when asked for");
}

static void check_queries(void)
{
    has_text(look("COHORT_PLUGIN_PATH='%s/a' %s properties=toy/2", work, self),
             "property plugin=toy\nproperty name=toy 0\nproperty driver=\nproperty "
             "type=cpu\nproperty compute_units=2\n"
             "property memory_bytes=1048576\nproperty numa_node=-1\nproperty max_parts=4\nproperty "
             "formats=native.fn, toy.blob\nproperty default=yes\nproperty ?=NULL\n",
             "properties, of a part too");
    has_text(look("COHORT_PLUGIN_PATH='%s/a' %s fork", work, self),
             "forked this process was forked after Cohort was used", "a forked child is refused");
    has_text(output, "forked load ENODEV\nforked candidates 0\nleave out ENODEV", "in each call");
    has_text(look("COHORT_PLUGIN_PATH='%s/a' %s blocks", work, self), "blocks 0\n",
             "nothing is held after the warm state");
}

static bool prepare(const char *program)
{
    cohort_trust trust;
    const char *builddir = getenv("builddir");
    char *path = realpath(program, NULL);
    (void)snprintf(self, sizeof self, "%s", path != NULL ? path : program);
    free(path);
    (void)snprintf(work, sizeof work, "%s/tests/plugin-work", builddir != NULL ? builddir : "/tmp");
    (void)shell("chmod -R u+w '%s' 2> /dev/null; rm -rf '%s'; mkdir -p '%s/one'", work, work, work);
    if (cohort_trust_folder(work, &trust) >= 0)
        return true;
    printf("1..0 # SKIP the build folder is not trusted: %s\n", cohort_error_text());
    return false;
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return do_steps(argc - 1, argv + 1);
    umask(022);
    if (!prepare(argv[0]))
        return 0;
    if (!build("one", "toy", ""))
        return skip_all("no C compiler builds a plugin here ($CC)");
    check_escapes();
    check_arguments();
    check_entry();
    check_tables();
    check_lies();
    check_generosity();
    check_behaviour();
    check_float_state();
    check_dependencies();
    check_order();
    check_cards();
    check_later();
    check_left_out();
    check_filter();
    check_places();
    check_installed();
    check_privileges();
    check_swapped();
    check_selection();
    check_queries();
    (void)shell("rm -rf '%s'", work);
    ok(cohort_memory_blocks() == 0, "this program itself holds nothing");
    return tap_done();
}
