/* SPDX-License-Identifier: BSD-3-Clause */
/* Traces of runs (cohort/trace.h): what is refused, what stands in the file, and that nothing is
 * changed by it. Slices of a track lie in one another or apart, and every arrow begins at a
 * call. */
#include "config.h"

#include "tests/core.h"

#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROWS = 300, STEPS = 12, MOST = 20000 };

static char path[] = "trace-XXXXXX";
static float x[ROWS];

COHORT_FUNCTION(scale, (int64_t n, float a, const float x[n], COHORT_OUT float y[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = a * x[i];
}

COHORT_FUNCTION(step_down, (int64_t n, float w[n], const float y[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        w[i] -= y[i];
}

static cohort_array rows(float *at)
{
    return (cohort_array){ .data = at, .dtype = COHORT_F32, .rank = 1, .shape = { ROWS } };
}

typedef struct work {
    cohort_value *x, *y, *sum;
    cohort_variable *w;
} work;

static cohort_status record(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    work *k = user;
    (void)batch;
    (void)cohort_run(s, scale, 0.01F, k->x, k->y);
    (void)cohort_reduce(COHORT_SUM, k->y, COHORT_NO_AXIS, k->sum);
    return cohort_update(k->w, step_down, k->w, k->sum);
}

/* What the weights are after a few steps on these devices. */
static void train(const char *devices, float out[ROWS])
{
    cohort_strategy *s =
        cohort_strategy_create(&(cohort_strategy_options){ .devices = devices, .replicas = 4 });
    work k = { .x = cohort_value_plain(s, rows(x)),
               .y = cohort_value_create(s),
               .sum = cohort_value_create(s),
               .w = cohort_variable_create(s, "w", rows(x), NULL) };
    const int64_t begin = cohort_trace_now();
    cohort_program *p = cohort_program_record(s, record, &k, NULL, 0);
    (void)cohort_program_run(p, NULL, STEPS);
    if (cohort_variable_read(k.w, rows(out)) < 0)
        diag("%s", cohort_error_text());
    cohort_trace_range("a \"range\"\n of mine", begin);
    cohort_strategy_destroy(s);
}

/* ------------------------------------------------------------------ reading */

typedef struct slice {
    unsigned track;
    double begin, end;
    char name[64], kind[16], more[200]; /* more: what stands behind its times */
} slice;

static slice slices[MOST];
static struct {
    unsigned long long id;
    double at;
    char phase;
} arrows[MOST];
static int n_slices, n_arrows, n_names, n_processes, n_odd;

static void read_line(const char *line)
{
    slice *e = &slices[n_slices];
    double duration;
    int pid;
    if (n_slices == MOST || n_arrows == MOST)
        return;
    e->more[0] = '\0';
    if (sscanf(
            line,
            "{\"ph\":\"X\",\"name\":\"%63[^\"]\",\"cat\":\"%15[^\"]\",\"pid\":%d,\"tid\":%u,\"ts\":"
            "%lf,\"dur\":%lf%199[^\n]",
            e->name, e->kind, &pid, &e->track, &e->begin, &duration, e->more) == 7) {
        e->end = e->begin + duration;
        n_odd += pid != (int)getpid() || e->begin < 0 || duration < 0;
        n_slices++;
    } else if (sscanf(line,
                      "{\"ph\":\"%c\",\"name\":\"call\",\"cat\":\"flow\",\"id\":%llu,\"pid\":%d,"
                      "\"tid\":%*u,\"ts\":%lf",
                      &arrows[n_arrows].phase, &arrows[n_arrows].id, &pid,
                      &arrows[n_arrows].at) == 4) {
        n_arrows++;
    } else if (strncmp(line, "{\"ph\":\"M\",\"name\":\"thread_name\",", 31) == 0) {
        n_names++;
    } else if (strncmp(line, "{\"ph\":\"M\",\"name\":\"process_name\",", 32) == 0) {
        n_processes += strstr(line, "\"name\":\"trace.t\"}}") != NULL;
    } else if (strcmp(line, "[\n") != 0) {
        diag("odd line: %s", line);
        n_odd++;
    }
}

static void read_trace(void)
{
    char line[2048];
    FILE *file = fopen(path, "r");
    n_slices = n_arrows = n_names = n_processes = n_odd = 0;
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        read_line(line);
    if (file != NULL)
        (void)fclose(file);
}

static int count(const char *name)
{
    int n = 0;
    for (int i = 0; i < n_slices; i++)
        n += strstr(slices[i].name, name) != NULL;
    return n;
}

static int count_kind(const char *kind)
{
    int n = 0;
    for (int i = 0; i < n_slices; i++)
        n += strcmp(slices[i].kind, kind) == 0;
    return n;
}

/* Of that kind and name, which say this, too. */
static int count_saying(const char *kind, const char *name, const char *more)
{
    int n = 0;
    for (int i = 0; i < n_slices; i++)
        n += strcmp(slices[i].kind, kind) == 0 && strstr(slices[i].name, name) != NULL &&
             strstr(slices[i].more, more) != NULL;
    return n;
}

/* Times are rounded to nanoseconds, of which they are not whole numbers as doubles. */
static bool are_apart_or_nested(const slice *a, const slice *b)
{
    const double least = 0.0015;
    return a->end <= b->begin + least || b->end <= a->begin + least ||
           (a->begin <= b->begin + least && b->end <= a->end + least) ||
           (b->begin <= a->begin + least && a->end <= b->end + least);
}

static bool are_nested(void)
{
    for (int i = 0; i < n_slices; i++)
        for (int j = 0; j < i; j++)
            if (slices[i].track == slices[j].track &&
                !are_apart_or_nested(&slices[i], &slices[j])) {
                diag("track %u: %s and %s", slices[i].track, slices[i].name, slices[j].name);
                return false;
            }
    return true;
}

/* To each arrow that goes on there is a call where it begins, and not later. */
static bool have_beginnings(void)
{
    for (int i = 0; i < n_arrows; i++) {
        bool has = arrows[i].phase == 's';
        for (int j = 0; j < n_arrows && !has; j++)
            has = arrows[j].phase == 's' && arrows[j].id == arrows[i].id &&
                  arrows[j].at <= arrows[i].at + 0.0015;
        if (!has) {
            diag("arrow %llu begins nowhere", arrows[i].id);
            return false;
        }
    }
    return n_arrows > 0;
}

/* ------------------------------------------------------------------ claims */

static void refusing(void)
{
    ok(cohort_trace_start(NULL) == COHORT_EINVAL && cohort_trace_start("") == COHORT_EINVAL,
       "a trace wants a file");
    ok(cohort_trace_start("no/such/folder/trace") == COHORT_EINVAL && says("No such file"),
       "in a folder that is there");
    ok(cohort_trace_start("/dev/null") == COHORT_EINVAL && says("regular file"),
       "which is a regular one");
    char link[sizeof path + 8];
    (void)snprintf(link, sizeof link, "%s.link", path);
    ok(symlink(path, link) == 0 && cohort_trace_start(link) == COHORT_EINVAL,
       "and not behind a symbolic link");
    (void)unlink(link);
    ok(cohort_trace_now() == 0 && cohort_trace_stop() == 0, "nothing is traced by then");
}

/* Numbers have a comma in some locales, which JSON does not take. */
static void naming(void)
{
    static const char *const names[][2] = {
        { "no \xff\xe2\x82 UTF-8", "no ??? UTF-8" },
        { "12345678901234567890123456789012345678901234\xe2\x82\xac",
          "12345678901234567890123456789012345678901234\xe2\x82\xac" },
        { "123456789012345678901234567890123456789012345\xe2\x82\xac",
          "123456789012345678901234567890123456789012345" },
        { "1234567890123456789012345678901234567890123456\xe2\x82\xac",
          "1234567890123456789012345678901234567890123456" },
    };
    enum { NAMES = sizeof names / sizeof *names };
    const char *found = setlocale(LC_NUMERIC, "de_DE.UTF-8");
    ok(cohort_trace_start(path) == COHORT_OK, "a trace of ranges");
    for (int i = 0; i < NAMES; i++)
        cohort_trace_range(names[i][0], cohort_trace_now());
    cohort_trace_range(NULL, cohort_trace_now());
    cohort_trace_range("from nowhere", 0);
    cohort_trace_range("begun before", 1);
    cohort_trace_range("not begun yet", INT64_MAX);
    (void)cohort_trace_stop();
    (void)setlocale(LC_NUMERIC, "C");
    read_trace();
    ok(n_slices == NAMES + 2 && n_odd == 0,
       "each has a slice, in the locale %s; no time is before the trace, or less than none",
       found != NULL ? found : "C, the only one here");
    for (int i = 0; i < NAMES; i++)
        ok(strcmp(slices[i].name, names[i][1]) == 0, "%s: names are UTF-8, cut at a character",
           slices[i].name);
}

static void tracing(const char *devices, int n_devices)
{
    float without[ROWS], with[ROWS];
    struct stat s = { 0 };
    train(devices, without);
    ok(cohort_trace_start(path) == COHORT_OK, "a trace of %s", devices);
    ok(cohort_trace_start(path) == COHORT_EINVAL && says("under way"), "one at a time");
    train(devices, with);
    ok(cohort_trace_stop() == 0, "no event is lost");
    ok(memcmp(with, without, sizeof with) == 0, "the bits are those of the run without");
    ok(stat(path, &s) == 0 && (s.st_mode & 0777) == 0600, "the file is its user's alone");
    read_trace();
    ok(n_odd == 0 && n_slices > 0, "each line is one event");
    ok(count("scale") >= STEPS && count("step_down") >= STEPS, "launches have slices");
    ok(count("reduce") >= STEPS && count("launch") == 0,
       "and sums, which are those of no device that was asked for something before");
    ok(count("step, ") == STEPS && count("cohort_program_run") == 1 && count("range") == 1,
       "so have steps, calls and ranges of the program");
    ok(count_saying("body", "scale", "") >= STEPS && count_saying("sum", "reduce", "") >= STEPS &&
           count_kind("range") == 1 && count_kind("call") > 0 && count_kind("step") == STEPS,
       "each says what it is");
    ok(count_saying("step", "step, planned", "\"why\":\"") > 0 &&
           count_saying("step", "step, repeated", "why") == 0,
       "and steps that were planned why");
    ok(are_nested(), "slices of a track lie in one another, or apart");
    ok(have_beginnings(), "and arrows begin at calls");
    ok(n_names >= 4 * n_devices, "tracks have names");
    ok(n_processes == 1, "and so has the process");
}

COHORT_FUNCTION(take_long, (int64_t n, const float x[n], COHORT_OUT float y[n]), COHORT_HOST_ONLY)
{
    (void)usleep(5000);
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i];
}

/* Nobody reads ahead, so that rows are waited for; and a device with a thread of its own takes
 * longer, again and again, than the caller needs to come to its wait. */
static void waiting(void)
{
    float out[ROWS];
    const cohort_array data = rows(x);
    ok(cohort_trace_start(path) == COHORT_OK, "a trace of a program that waits");
    cohort_strategy *s =
        cohort_strategy_create(&(cohort_strategy_options){ .devices = "stream/2" });
    cohort_dataset *d = cohort_dataset_batch(cohort_dataset_slices(1, &data), 2, true);
    const cohort_input_options none_ahead = { .ahead = -1 };
    cohort_input *input = cohort_distribute_dataset_with(s, d, &none_ahead);
    cohort_value *batch = cohort_value_create(s), *y = cohort_value_create(s);
    cohort_variable *w = cohort_variable_create(s, "w", rows(x), NULL);
    for (int i = 0; i < STEPS; i++) {
        (void)cohort_input_next(input, (cohort_value *[]){ batch });
        (void)cohort_run(s, take_long, batch, y);
        (void)cohort_wait(s);
    }
    ok(cohort_variable_read(w, rows(out)) == COHORT_OK, "and reads %s", cohort_error_text());
    cohort_strategy_destroy(s);
    (void)cohort_trace_stop();
    read_trace();
    ok(count_kind("wait") > 0, "waits for devices have slices");
    ok(count_kind("input") == STEPS, "so have waits for rows");
    ok(count_saying("copy", "", "\"bytes\":1200}") > 0, "and copies say their bytes");
    ok(n_odd == 0 && are_nested() && have_beginnings(), "all of them in their calls");
}

/* A trace has strategies that were made since it began. */
static void mixing(void)
{
    cohort_strategy *s = cohort_strategy_create(&(cohort_strategy_options){ .devices = "host" });
    ok(s != NULL && cohort_trace_start(path) == COHORT_OK, "a trace begins behind a strategy");
    cohort_strategy *t = cohort_strategy_create(&(cohort_strategy_options){ .devices = "host" });
    for (int i = 0; i < 2; i++) {
        (void)cohort_value_plain(s, rows(x));
        (void)cohort_value_plain(t, rows(x));
        (void)cohort_trace_stop();
        read_trace();
        ok(n_slices == !i && count("cohort_value_plain") == !i && n_names == 4 * !i, "%s",
           i == 0 ? "which it has not, but one that came behind" : "which has none of an earlier");
        ok(cohort_trace_start(path) == COHORT_OK, "another trace");
    }
    cohort_strategy_destroy(s);
    cohort_strategy_destroy(t);
    (void)cohort_trace_stop();
    read_trace();
    ok(n_slices == 0, "which has nothing");
}

static void forking(void)
{
    int status = -1;
    ok(cohort_trace_start(path) == COHORT_OK, "a trace of a process");
    cohort_trace_range("a range", cohort_trace_now());
    (void)fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        cohort_trace_range("of a child", 1);
        const bool was_on = cohort_trace_now() != 0;
        (void)cohort_trace_stop();
        _exit(was_on);
    }
    ok(child > 0 && waitpid(child, &status, 0) == child && status == 0,
       "which has a child that has none");
    const pid_t other = fork();
    if (other == 0)
        _exit(cohort_trace_start(path) != COHORT_EINVAL || !says("another process writes"));
    ok(other > 0 && waitpid(other, &status, 0) == other && status == 0,
       "nor can it write its own there");
    cohort_trace_range("a range", cohort_trace_now());
    ok(cohort_trace_stop() == 0, "and stops none");
    read_trace();
    ok(n_slices == 2 && n_odd == 0 && count("a range") == 2, "what it had is there, once");
}

/* As on a disk that is full for a while. A thread writes after some thousand events. */
static void filling(void)
{
    enum { MANY = 15000, LIMIT = 300 * 1000 };
    struct rlimit own, least;
    (void)signal(SIGXFSZ, SIG_IGN);
    ok(getrlimit(RLIMIT_FSIZE, &own) == 0 && cohort_trace_start(path) == COHORT_OK,
       "a trace that is to be too large");
    least = (struct rlimit){ .rlim_cur = LIMIT, .rlim_max = own.rlim_max };
    (void)setrlimit(RLIMIT_FSIZE, &least);
    for (int i = 0; i < MANY; i++) {
        if (i == MANY / 2)
            (void)setrlimit(RLIMIT_FSIZE, &own);
        cohort_trace_range("a range", cohort_trace_now());
    }
    const int64_t lost = cohort_trace_stop();
    read_trace();
    const int ranges = count_kind("range"), writes = count_kind("trace");
    diag("%d of %d events are there", ranges, MANY);
    ok(lost > 0 && ranges > MANY / 2 && ranges + lost >= MANY && ranges + writes + lost < MANY + 9,
       "what is not written is counted, and it goes on when it can");
    ok(writes > 0 && are_nested(), "the time that it takes to write is in the trace");
    ok(n_odd == 0, "no line is broken");
    least.rlim_cur = 1;
    (void)setrlimit(RLIMIT_FSIZE, &least);
    const bool is_refused = cohort_trace_start(path) == COHORT_EINVAL && cohort_trace_now() == 0;
    (void)setrlimit(RLIMIT_FSIZE, &own); /* claims are written to a file, too */
    ok(is_refused, "a file that takes nothing is refused");
}

int main(void)
{
    (void)core_warm();
    for (int i = 0; i < ROWS; i++)
        x[i] = (float)i;
    int made = mkstemp(path);
    if (!ok(made >= 0, "there is a file"))
        return tap_done();
    (void)close(made);
    core_live warm = core_live_now();
    for (int i = 0; i < 2; i++) {
        warm = core_live_now();
        refusing();
        naming();
        tracing("host", 1);
        tracing("host/2", 2);
        tracing("loopback/2,host", 3);
        tracing("stream/2", 2);
        waiting();
    }
    mixing();
    core_no_leak(warm);
    forking();
    filling();
    (void)unlink(path);
    return tap_done();
}
