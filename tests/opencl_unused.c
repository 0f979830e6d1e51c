/* SPDX-License-Identifier: BSD-3-Clause */
/* What the OpenCL plugin says when there is no device. Each case is a process of its own, since the
 * loader of OpenCL looks at its settings once. */
#include "config.h"

#include "tests/opencl_subject.h"

#include <dlfcn.h>
#include <limits.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char work[PATH_MAX - 64];

/* The child: one line for each unused device, and how many devices there are. */
static int child(void)
{
    char path[PATH_MAX];
    const char *folder = getenv("builddir");
    (void)snprintf(path, sizeof path, "%s/" OPENCL_PLUGIN, folder != NULL ? folder : ".");
    union {
        void *symbol;
        const cohort_plugin *(*entry)(const cohort_request *rq, cohort_error *err);
    } found = { dlsym(dlopen(path, RTLD_NOW | RTLD_LOCAL), "cohort_plugin_entry_1") };
    cohort_request request = { .struct_size = sizeof request,
                               .core_minor = COHORT_ABI_MINOR,
                               .core_version = "test" };
    const cohort_plugin *plugin = found.entry(&request, NULL);
    const cohort_unused_ops *unused = plugin->extension(plugin->self, "cohort.unused/0");
    uint32_t n = 0;
    cohort_unused_info info = { .struct_size = sizeof info };
    cohort_status st =
        plugin->ops->enumerate(plugin->self, 0, sizeof(cohort_device_info), NULL, &n, NULL);
    for (uint32_t i = 0; unused->get(plugin->self, i, &info) == COHORT_OK; i++)
        printf("[%s] %s [fix] %s\n", info.name, info.reason, info.fix);
    printf("status %d, devices %u\n", (int)st, n);
    return 0;
}

/* What a child says under these settings; "" for one that is not set. */
static const char *say(const char *vendors, const char *cache)
{
    static char output[16384];
    int ends[2];
    if (pipe(ends) != 0)
        return "no pipe";
    pid_t pid = fork();
    if (pid == 0) {
        (void)dup2(ends[1], STDOUT_FILENO);
        (void)(vendors[0] != '\0' ? setenv("OCL_ICD_VENDORS", vendors, 1)
                                  : unsetenv("OCL_ICD_VENDORS"));
        (void)(cache[0] != '\0' ? setenv("POCL_CACHE_DIR", cache, 1) : unsetenv("POCL_CACHE_DIR"));
        (void)execl("/proc/self/exe", "opencl_unused", "child", (char *)NULL);
        _exit(127);
    }
    (void)close(ends[1]);
    size_t n = 0;
    for (ssize_t got;
         n < sizeof output - 1 && (got = read(ends[0], output + n, sizeof output - 1 - n)) > 0;)
        n += (size_t)got;
    output[n] = '\0';
    (void)close(ends[0]);
    (void)waitpid(pid, NULL, 0);
    return output;
}

static void write_file(const char *name, const char *text)
{
    char path[PATH_MAX];
    (void)snprintf(path, sizeof path, "%s/%s", work, name);
    FILE *stream = fopen(path, "w");
    if (stream == NULL || fputs(text, stream) < 0 || fclose(stream) != 0)
        ok(false, "%s is written", path);
}

static bool make_folder(const char *name, char *out)
{
    (void)snprintf(out, PATH_MAX, "%s/%s", work, name);
    return mkdir(out, 0700) == 0;
}

static void no_driver(void)
{
    char empty[PATH_MAX], broken[PATH_MAX];
    const char *text = say("/nonexistent", "");
    has_text(text, "OCL_ICD_VENDORS=/nonexistent does not exist", "a folder that is not there");
    has_text(text, "[fix] unset OCL_ICD_VENDORS", "what to do about it");
    has_text(text, "status 0, devices 0", "and no error");
    ok(make_folder("empty", empty), "a folder");
    has_text(say(empty, ""), "has no driver's file (*.icd)", "an empty folder");
    ok(make_folder("broken", broken), "a folder");
    write_file("broken/nvidia.icd", "libcohort-no-such-driver.so.1\n");
    text = say(broken, "");
    has_text(text, "[nvidia.icd] libcohort-no-such-driver.so.1: cannot open shared object file",
             "a missing library");
    has_text(text, "[fix] install that driver", "what to do about it");
    write_file("broken/nvidia.icd", "");
    has_text(say(broken, ""), "broken/nvidia.icd: names no library", "a file that names none");
}

static bool has_pocl(void)
{
    return strstr(say("", ""), "devices 0") == NULL &&
           access("/etc/OpenCL/vendors/pocl.icd", R_OK) == 0;
}

static void one_of_two(void)
{
    char both[PATH_MAX], line[PATH_MAX] = "";
    FILE *stream = fopen("/etc/OpenCL/vendors/pocl.icd", "r");
    ok(stream != NULL && fgets(line, sizeof line, stream) != NULL && make_folder("both", both),
       "a folder of two");
    if (stream != NULL)
        (void)fclose(stream);
    write_file("both/pocl.icd", line);
    write_file("both/nvidia.icd", "libcohort-no-such-driver.so.1\n");
    const char *text = say(both, "");
    has_text(text, "[nvidia.icd] libcohort-no-such-driver.so.1",
             "a broken driver beside a good one is reported");
    ok(strstr(text, "devices 0") == NULL, "and the good one is used");
}

/* -1: it does not say. */
static int n_devices(const char *text)
{
    const char *count = strstr(text, "devices ");
    return count != NULL ? atoi(count + strlen("devices ")) : -1;
}

static void no_cache(void)
{
    char open_to_all[PATH_MAX];
    int n_all = n_devices(say("", ""));
    const char *text = say("", "/proc/no/such/folder");
    has_text(text, "PoCL", "a cache that cannot be made");
    has_text(text, "[fix] export POCL_CACHE_DIR=", "what to do about it");
    ok(n_devices(text) < n_all, "the device is not offered; those of other drivers are");
    ok(make_folder("open", open_to_all) && chmod(open_to_all, 0777) == 0,
       "a folder where anybody may write");
    has_text(say("", open_to_all), "others may write to it", "is no place for code");
    char file[PATH_MAX];
    write_file("file", "");
    (void)snprintf(file, sizeof file, "%s/file", work);
    has_text(say("", file), "not a folder", "a file is none");
}

int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 1)
        return child();
    char plugin[PATH_MAX];
    const char *folder = getenv("builddir"), *home = getenv("HOME");
    (void)snprintf(plugin, sizeof plugin, "%s/" OPENCL_PLUGIN, folder != NULL ? folder : ".");
    if (access(plugin, F_OK) != 0)
        return skip_all("this plugin was not built");
    (void)snprintf(work, sizeof work, "%s/opencl-unused-%ld", home != NULL ? home : ".",
                   (long)getpid());
    if (!ok(mkdir(work, 0700) == 0, "a folder to work in"))
        return tap_done();
    no_driver();
    if (has_pocl()) {
        one_of_two();
        no_cache();
    } else {
        skip("PoCL", "it is not there");
    }
    return tap_done();
}
