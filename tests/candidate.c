/* SPDX-License-Identifier: BSD-3-Clause */
/* A plugin is opened when a device is wanted that may be its. What is open stays so for the life of
 * a process, so this program starts itself: with arguments it does what they say and prints what it
 * sees. */
#include "config.h"

#include "tests/command_output.h"
#include "tests/core.h"

#include <pthread.h>
#include <unistd.h>

enum { N = 64, CROWD = 100 };

COHORT_ITEMS(twice, i, n, (int64_t n, const float x[n], COHORT_OUT float y[n]),
             { y[i] = 2 * x[i]; });

/* ---- The program that is looked at. */

static bool run_on(const char *devices)
{
    float x[N], y[N] = { 0 };
    for (int i = 0; i < N; i++)
        x[i] = (float)i;
    cohort_strategy *s = cohort_strategy_create(&(cohort_strategy_options){ .devices = devices });
    if (s == NULL)
        return false;
    cohort_value *in = cohort_value_plain(s, COHORT_ARRAY(x, N)), *out = cohort_value_create(s),
                 *mean = cohort_value_create(s);
    bool is_good = cohort_run(s, twice, in, out) >= 0 &&
                   cohort_reduce(COHORT_MEAN, out, COHORT_NO_AXIS, mean) >= 0 &&
                   cohort_value_read(mean, COHORT_ARRAY(y, N)) >= 0;
    for (int i = 0; i < N && is_good; i++)
        is_good = y[i] == (float)(2 * i);
    cohort_strategy_destroy(s);
    return is_good;
}

static void print_run(const char *devices)
{
    bool is_good = run_on(devices);
    printf("run %s: %s\n", devices != NULL ? devices : "by default",
           is_good ? "good" : cohort_error_text());
}

static void print_devices(void)
{
    printf("devices");
    for (const cohort_device *d = cohort_device_next(NULL); d != NULL; d = cohort_device_next(d))
        if (strncmp(cohort_device_id(d), "opencl", 6) != 0)
            printf(" %s", cohort_device_id(d));
    printf("\n");
}

/* Which plugins, and whether any library of OpenCL, are in this process. */
static void print_mapped(void)
{
    static const char *const known[] = { "cohort-host.so",   "cohort-loopback.so",
                                         "cohort-opencl.so", "cohort-stream.so",
                                         "libOpenCL",        "libpocl",
                                         "libLLVM" };
    bool is_mapped[sizeof known / sizeof *known] = { false };
    char line[8192];
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL)
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            is_mapped[i] |= strstr(line, known[i]) != NULL;
    printf("mapped");
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (is_mapped[i])
            printf(" %s", known[i]);
    printf("\n");
    if (maps != NULL)
        (void)fclose(maps);
}

/* With a strategy that has run. A thread that ends may be listed a moment longer: waits until there
 * are `wanted`. */
static void print_threads(const char *devices, int wanted)
{
    cohort_strategy *s = cohort_strategy_create(&(cohort_strategy_options){ .devices = devices });
    float x[N] = { 0 };
    cohort_value *in = cohort_value_plain(s, COHORT_ARRAY(x, N)), *out = cohort_value_create(s);
    (void)(cohort_run(s, twice, in, out) >= 0 && cohort_wait(s) >= 0);
    int threads = count_entries("/proc/self/task");
    for (int i = 0; i < 1000 && threads > wanted; i++) {
        (void)nanosleep(&(struct timespec){ .tv_nsec = 5000000 }, NULL);
        threads = count_entries("/proc/self/task");
    }
    printf("threads %d\n", threads - 2); /* without . and .. */
    cohort_strategy_destroy(s);
}

/* Devices of a list, for good: their addresses are compared later. */
static const cohort_device *kept[8];
static int n_kept;

static int devices_of(const char *list, const cohort_device *out[8])
{
    cohort_strategy *s = cohort_strategy_create(&(cohort_strategy_options){ .devices = list });
    int n = cohort_strategy_devices(s, out, 8);
    cohort_strategy_destroy(s);
    return n;
}

static void print_kept(const char *list)
{
    const cohort_device *now[8];
    int n = devices_of(list, now);
    printf("kept %s\n", n == n_kept && n > 0 && memcmp(now, kept, (size_t)n * sizeof *now) == 0
                            ? "the same"
                            : "others");
}

static void *ask(void *user)
{
    static const char *const lists[] = { "host",   "host/2",          "loopback",
                                         "stream", "loopback/3,host", "nothing" };
    const char *list = lists[*(int *)user % 6];
    int found = 0;
    if (*(int *)user % 7 == 0)
        for (const cohort_device *d = cohort_device_next(NULL); d != NULL;
             d = cohort_device_next(d))
            found++;
    cohort_strategy *s = cohort_strategy_create(&(cohort_strategy_options){ .devices = list });
    bool is_good = (s != NULL) == (strcmp(list, "nothing") != 0);
    if (s == NULL)
        is_good =
            is_good && strstr(cohort_error_text(), "no device 'nothing'; have host:0 ") != NULL;
    cohort_strategy_destroy(s);
    *(int *)user = is_good && (*(int *)user % 7 != 0 || found >= 3);
    return NULL;
}

static void print_crowd(void)
{
    pthread_t threads[CROWD];
    int numbers[CROWD], good = 0;
    for (int i = 0; i < CROWD; i++) {
        numbers[i] = i;
        if (pthread_create(&threads[i], NULL, ask, &numbers[i]) != 0)
            abort();
    }
    for (int i = 0; i < CROWD; i++) {
        (void)pthread_join(threads[i], NULL);
        good += numbers[i];
    }
    printf("crowd %d\n", good);
}

static void do_step(const char *step)
{
    const char *value = strchr(step, '=') != NULL ? strchr(step, '=') + 1 : NULL;
    if (strncmp(step, "run", 3) == 0)
        print_run(value);
    else if (strncmp(step, "keep=", 5) == 0)
        n_kept = devices_of(value, kept);
    else if (strncmp(step, "kept=", 5) == 0)
        print_kept(value);
    else if (strncmp(step, "threads=", 8) == 0)
        print_threads("host/2", atoi(value));
    else if (strcmp(step, "mapped") == 0)
        print_mapped();
    else if (strcmp(step, "crowd") == 0)
        print_crowd();
    else
        print_devices();
}

static int do_steps(int n, char **steps)
{
    for (int i = 0; i < n; i++)
        do_step(steps[i]);
    return 0;
}

/* ---- The one that looks. */

static char self[4096], output[1 << 16];

/* Run this program with an environment and steps; what it prints is in `output`. */
static const char *look(const char *environment, const char *steps)
{
    char command[8192];
    (void)snprintf(command, sizeof command,
                   "env -u COHORT_PLUGINS -u COHORT_DEVICES %s '%s' %s 2>&1", environment, self,
                   steps);
    return command_output(command, output, sizeof output);
}

static void check_named(void)
{
    has_text(look("", "run=host/2: run=,host mapped"), "mapped\n",
             "a list that does not parse opens nothing");
    has_text(look("", "run=host/2 mapped"), "run host/2: good\nmapped cohort-host.so\n",
             "host/2 opens the host's plugin alone");
    has_text(look("", "run=host,loopback/3 mapped"),
             "good\nmapped cohort-host.so cohort-loopback.so\n",
             "a list opens the plugins that it names");
    has_text(look("COHORT_DEVICES=host", "run mapped"), "good\nmapped cohort-host.so\n",
             "so does COHORT_DEVICES");
    has_text(look("COHORT_PLUGINS=^loopback", "run=loopback mapped"),
             "left out by COHORT_PLUGINS=^loopback\nmapped cohort-host.so",
             "one that is left out is not opened");
    has_text(look("", "run=host:7 mapped"), "run host:7: no device 'host:7'; have host:0 ",
             "what is not there is told with all that is");
    has_text(output, "cohort-loopback.so", "for which all are opened");
    has_text(output, "cohort-stream.so", "each of them");
    has_text(look("", "run mapped"), " cohort-stream.so", "the default is chosen among all");
    has_text(look("", "devices mapped"), " cohort-stream.so", "and all are listed");
}

static void check_later(void)
{
    has_text(look("", "run=stream run=host run=loopback,host/2"),
             "run stream: good\nrun host: good\nrun loopback,host/2: good\n",
             "another plugin is opened later");
    char listed[256];
    (void)snprintf(listed, sizeof listed, "%.250s", look("", "devices"));
    has_text(listed, "devices host:0 ", "the devices have an order");
    is_text(look("", "keep=stream kept=stream devices") + strlen("kept the same\n"), listed,
            "which is not that of opening");
    has_text(look("", "keep=loopback/3,host devices kept=loopback/3,host"), "kept the same\n",
             "a device is the same when others have come");
    if (strstr(look("", "run=opencl mapped"), "run opencl: good") == NULL)
        skip("OpenCL is opened later", "there is no OpenCL device");
    else {
        has_text(output, "mapped cohort-opencl.so libOpenCL",
                 "OpenCL alone is opened without the host");
        has_text(look("", "run=host/2 mapped run=opencl,host/2 mapped"),
                 "run host/2: good\nmapped cohort-host.so\nrun opencl,host/2: good\nmapped "
                 "cohort-host.so "
                 "cohort-opencl.so libOpenCL",
                 "OpenCL is opened later");
    }
}

static void check_threads(void)
{
    char steps[64];
    int wanted = 0;
    (void)sscanf(look("COHORT_PLUGINS=host", "threads=0"), "threads %d", &wanted);
    (void)snprintf(steps, sizeof steps, "threads=%d", wanted + 2);
    int found = -1;
    (void)sscanf(look("", steps), "threads %d", &found);
    if (!ok(wanted > 0 && found <= wanted, "host/2 has no thread of another plugin"))
        diag("%d threads, %d where the host's is the only plugin", found, wanted);
    has_text(look("", "crowd"), "crowd 100\n", "a hundred threads ask at once, in any order");
    has_text(look("", "crowd run=host/2 devices"), "run host/2: good\ndevices host:0 loopback:0",
             "and all is open then");
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return do_steps(argc - 1, argv + 1);
    char *path = realpath(argv[0], NULL);
    (void)snprintf(self, sizeof self, "%s", path != NULL ? path : argv[0]);
    free(path);
    if (access("/proc/self/maps", R_OK) != 0)
        return skip_all("there is no /proc/self/maps");
    check_named();
    check_later();
    check_threads();
    ok(cohort_memory_blocks() == 0, "this program itself holds nothing");
    return tap_done();
}
