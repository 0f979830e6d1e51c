/* SPDX-License-Identifier: BSD-3-Clause */
/* What a process says about its strategies under COHORT_TOP=1 (cohort/monitor.h). Files are read by
 * a child, since a process that closes a file of its own loses its lock. With an argument this
 * program is one that is watched. */
#include "config.h"

#include "tests/core.h"

#include "cli/crc32c.h"

#include <cohort/monitor.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROWS = 120, BATCH = 12, PATIENCE = 6000 /* times 10 ms */ };

static char base[PATH_MAX], folder[PATH_MAX + 16]; /* of this test; folder: of the files */

static void rest(void)
{
    (void)nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
}

/* ------------------------------------------------------------------ what is watched */

static atomic_bool is_held;

COHORT_FUNCTION(hold, (int64_t n, float x[n]), COHORT_HOST_ONLY)
{
    while (atomic_load(&is_held))
        rest();
    for (int64_t i = 0; i < n; i++)
        x[i] += 1;
}

COHORT_FUNCTION_RETURNING(cohort_status, give_up, (int64_t n, const float x[n]), COHORT_HOST_ONLY)
{
    return n > 0 && x[0] > 0 ? cohort_error_set(COHORT_ENODEV, "it gives up") : COHORT_OK;
}

static cohort_strategy *open_watched(void)
{
    (void)setenv("COHORT_TOP", "1", 1);
    cohort_strategy *s = cohort_mirrored("host/2");
    if (s == NULL)
        diag("%s", cohort_error_text());
    return s;
}

/* Steps until a signal ends it, or so many and then the end of main, with the strategy alive. */
static int be_watched(const char *steps)
{
    static float ones[4] = { 1, 1, 1, 1 };
    long left = atol(steps);
    cohort_strategy *s = open_watched();
    cohort_value *x = cohort_value_split(s, COHORT_ARRAY(ones, 4));
    for (bool is_endless = left == 0; is_endless || left > 0; left--) {
        (void)cohort_run(s, hold, x);
        if (cohort_wait(s) < 0)
            return 1;
        rest();
    }
    return 0;
}

/* ------------------------------------------------------------------ reading */

/* What a file is, and its first record. */
typedef struct reading {
    cohort_monitor_record record;
    struct stat file;
    bool is_there, is_locked, is_whole;
    char name[64];
} reading;

static bool is_whole(const cohort_monitor_record *r)
{
    return memcmp(r->magic, COHORT_MONITOR_MAGIC, sizeof r->magic) == 0 &&
           r->version == COHORT_MONITOR_VERSION && r->bytes == sizeof *r && r->begin == r->end &&
           r->sum == crc32c(r, offsetof(cohort_monitor_record, sum));
}

static void read_file(reading *r)
{
    char path[PATH_MAX + 128];
    struct flock all = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
    (void)snprintf(path, sizeof path, "%s/%s", folder, r->name);
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    r->is_there = fd >= 0 && fstat(fd, &r->file) == 0;
    for (int i = 0; r->is_there && !r->is_whole && i < 1000; i++)
        r->is_whole =
            pread(fd, &r->record, sizeof r->record, 0) == sizeof r->record && is_whole(&r->record);
    r->is_locked = r->is_there && fcntl(fd, F_GETLK, &all) == 0 && all.l_type == F_WRLCK;
    if (fd >= 0)
        (void)close(fd);
}

static reading read_named(const char *name)
{
    reading r = { .is_there = false };
    int ends[2];
    (void)snprintf(r.name, sizeof r.name, "%s", name);
    (void)fflush(NULL);
    if (pipe(ends) != 0)
        return r;
    pid_t child = fork();
    if (child == 0) {
        read_file(&r);
        _exit(write(ends[1], &r, sizeof r) == sizeof r ? 0 : 1);
    }
    (void)close(ends[1]);
    char *at = (char *)&r;
    ssize_t n;
    for (size_t left = sizeof r; left > 0 && (n = read(ends[0], at, left)) > 0; left -= (size_t)n)
        at += n;
    (void)close(ends[0]);
    (void)waitpid(child, NULL, 0);
    return r;
}

static reading read_own(int number)
{
    char name[64];
    (void)snprintf(name, sizeof name, "%lld-%d", (long long)getpid(), number);
    return read_named(name);
}

static int count_files(void)
{
    int n = count_entries(folder);
    return n > 2 ? n - 2 : 0;
}

/* ------------------------------------------------------------------ the log */

static char log_text[4096];
static atomic_int log_lines;

static void note_line(void *user, int level, const char *line)
{
    (void)user, (void)level;
    if (strstr(line, "COHORT_TOP") == NULL)
        return;
    (void)snprintf(log_text, sizeof log_text, "%s", line);
    atomic_fetch_add(&log_lines, 1);
}

static void listen_anew(void)
{
    log_text[0] = '\0';
    atomic_store(&log_lines, 0);
    cohort_log_set(note_line, NULL, COHORT_LOG_WARNING);
}

/* A strategy is made under that folder, works, and the log has one line with this part. */
static void refuse(const char *runtime_folder, const char *part, const char *claim)
{
    if (runtime_folder != NULL)
        (void)setenv("XDG_RUNTIME_DIR", runtime_folder, 1);
    else
        (void)unsetenv("XDG_RUNTIME_DIR");
    listen_anew();
    cohort_strategy *s = open_watched();
    ok(s != NULL && cohort_wait(s) == COHORT_OK && atomic_load(&log_lines) == 1 &&
           strstr(log_text, part) != NULL && cohort_error_text()[0] == '\0',
       "%s", claim);
    if (strstr(log_text, part) == NULL)
        diag("no '%s' in: %s", part, log_text);
    cohort_strategy_destroy(s);
    cohort_log_set(NULL, NULL, 0);
}

static void refusing(void)
{
    char path[PATH_MAX + 32], other[PATH_MAX + 64], *longest = malloc(6000);
    refuse(NULL, "XDG_RUNTIME_DIR is not set",
           "without a folder a strategy is made, and it is said");
    refuse("", "XDG_RUNTIME_DIR is not set", "an empty name is none");
    refuse("run", "XDG_RUNTIME_DIR is a relative path", "nor is a relative one");
    if (longest != NULL) {
        memset(longest, 'x', 5999);
        longest[0] = '/';
        longest[5999] = '\0';
        refuse(longest, "XDG_RUNTIME_DIR is too long", "nor one that no path can be as long as");
    }
    free(longest);
    (void)snprintf(path, sizeof path, "%s/none", base);
    refuse(path, "none/cohort cannot be opened", "nor one that is not there");
    (void)snprintf(path, sizeof path, "%s/wrong", base);
    (void)snprintf(other, sizeof other, "%s/cohort", path);
    (void)mkdir(path, 0700);
    ok(mkdir(other, 0700) == 0 && chmod(other, 0777) == 0, "a folder that others may write to");
    refuse(path, "can be written by others", "is not used");
    (void)rmdir(other);
    ok(symlink(base, other) == 0, "a link in the place of the folder");
    refuse(path, "is a link or no folder", "is not followed");
    (void)unlink(other);
    (void)rmdir(path);
}

static void check_word(void)
{
    (void)setenv("XDG_RUNTIME_DIR", base, 1);
    (void)setenv("COHORT_TOP", "yes", 1);
    listen_anew();
    cohort_strategy *s = cohort_mirrored("host");
    ok(strstr(log_text, "COHORT_TOP=yes is none of 0, 1; using 0") != NULL && count_files() == 0,
       "a word that is none is said, and counts as 0");
    cohort_strategy_destroy(s);
    (void)unsetenv("COHORT_TOP");
    int threads = count_entries("/proc/self/task");
    s = cohort_mirrored("host");
    ok(count_files() == 0 && count_entries("/proc/self/task") == threads,
       "without the variable there is neither file nor thread");
    cohort_strategy_destroy(s);
    cohort_log_set(NULL, NULL, 0);
}

/* ------------------------------------------------------------------ what a record says */

static void check_record(void)
{
    cohort_strategy *s = open_watched();
    reading r = read_own(1);
    const cohort_monitor_record *m = &r.record;
    struct stat where;
    ok(r.is_there && r.is_whole && r.is_locked, "a file is there when the strategy is, and locked");
    ok(S_ISREG(r.file.st_mode) && (r.file.st_mode & 07777) == 0600 && stat(folder, &where) == 0 &&
           (where.st_mode & 07777) == 0700,
       "nobody else may read it, nor look into the folder");
    ok(m->pid == getpid() && strstr(m->program, "monitor") != NULL, "it tells the process");
    is_text(m->strategy, "mirrored", "the strategy");
    ok(m->n_devices == 2 && m->replicas == 2 && m->workers == 0 && m->worker == -1,
       "what it is of");
    is_text(m->devices[1].name, "host:0.1", "its devices");
    ok(m->status == COHORT_OK && m->call[0] == '\0', "and that it does nothing");
    uint64_t before = m->begin;
    for (int i = 0; i < PATIENCE && read_own(1).record.begin <= before; i++)
        rest();
    ok(read_own(1).record.begin > before, "it is written again and again");
    cohort_strategy_destroy(s);
    ok(count_files() == 0, "and is gone with the strategy");
}

static void *let_go(void *out)
{
    reading *r = out;
    for (int i = 0; i < PATIENCE; i++, rest()) {
        *r = read_own(1);
        if (strcmp(r->record.call, "cohort_run") == 0 && r->record.devices[0].busy_permille > 0)
            break;
    }
    atomic_store(&is_held, false);
    return NULL;
}

/* Another thread reads while this one is the runner of a body that does not end. */
static void check_wait(void)
{
    static float ones[4];
    reading r = { .is_there = false };
    pthread_t reader;
    cohort_strategy *s = open_watched();
    cohort_value *x = cohort_value_split(s, COHORT_ARRAY(ones, 4));
    atomic_store(&is_held, true);
    ok(pthread_create(&reader, NULL, let_go, &r) == 0, "a call that waits");
    (void)cohort_run(s, hold, x);
    (void)cohort_wait(s);
    (void)pthread_join(reader, NULL);
    is_text(r.record.call, "cohort_run", "is told");
    ok(r.record.call_ns > r.record.made_ns && r.record.call_ns <= r.record.written_ns,
       "and since when");
    ok(r.record.devices[0].busy_permille > 0 && r.record.devices[0].queued > 0,
       "a body that is not over counts as work of its device");
    cohort_strategy_destroy(s);
}

static void wait_for_rows(int64_t rows, reading *out)
{
    for (int i = 0; i < PATIENCE; i++, rest()) {
        *out = read_own(1);
        if (out->record.rows >= rows)
            return;
    }
}

static void check_rows(void)
{
    static float x[ROWS];
    reading r;
    cohort_strategy *s = open_watched();
    cohort_dataset *d =
        cohort_dataset_batch(cohort_dataset_slices(1, &COHORT_ARRAY(x, ROWS)), BATCH, false);
    cohort_input *input = cohort_distribute_dataset(s, d);
    cohort_value *batch = cohort_value_create(s);
    (void)cohort_variable_create(s, "w", COHORT_ARRAY(x, ROWS), NULL);
    cohort_status status = cohort_input_initialize(input);
    while (status == COHORT_OK)
        status = cohort_input_next(input, &batch);
    wait_for_rows(ROWS, &r);
    ok(status == COHORT_END && r.record.rows == ROWS && r.record.input_steps == ROWS / BATCH,
       "rows and steps of inputs are counted");
    ok(r.record.calls > ROWS / BATCH && r.record.devices[0].memory >= (int64_t)sizeof x,
       "and calls, and memory");
    cohort_input_destroy(input);
    cohort_dataset_destroy(d);
    cohort_strategy_destroy(s);
}

static void check_error(void)
{
    static float ones[4] = { 1, 1, 1, 1 };
    cohort_strategy *s = open_watched();
    (void)cohort_run(s, give_up, cohort_value_split(s, COHORT_ARRAY(ones, 4)));
    ok(cohort_wait(s) == COHORT_ENODEV, "a strategy that has failed");
    reading r = read_own(1);
    for (int i = 0; i < PATIENCE && r.record.status == COHORT_OK; i++, rest())
        r = read_own(1);
    ok(r.record.status == COHORT_ENODEV, "says so");
    cohort_strategy_destroy(s);
}

static void check_several(void)
{
    cohort_strategy *one = open_watched(), *two = open_watched();
    ok(read_own(1).is_locked && read_own(2).is_locked, "each strategy has a file");
    cohort_strategy_destroy(one);
    ok(!read_own(1).is_there && read_own(2).is_locked, "which goes with it alone");
    cohort_strategy_destroy(two);
}

/* A file of that name that somebody has left is neither used nor changed. */
static void check_taken(void)
{
    char path[PATH_MAX + 64], text[8] = "";
    (void)snprintf(path, sizeof path, "%s/%lld-1", folder, (long long)getpid());
    int fd = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
    ok(fd >= 0 && write(fd, "before", 6) == 6, "a name that is taken");
    cohort_strategy *s = open_watched();
    ok(read_own(2).is_locked, "is passed over");
    cohort_strategy_destroy(s);
    ok(pread(fd, text, sizeof text - 1, 0) == 6 && strcmp(text, "before") == 0, "and left alone");
    (void)close(fd);
    (void)unlink(path);
}

/* ------------------------------------------------------------------ faults */

/* The descriptor of the file in this process. */
static int find_descriptor(void)
{
    char path[64], target[PATH_MAX];
    for (int fd = 3; fd < 1024; fd++) {
        (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        ssize_t n = readlink(path, target, sizeof target - 1);
        target[n > 0 ? n : 0] = '\0';
        if (n > 0 && strstr(target, "/cohort/") != NULL && strstr(target, base) != NULL)
            return fd;
    }
    return -1;
}

static bool wait_for_line(const char *part)
{
    for (int i = 0; i < PATIENCE && atomic_load(&log_lines) == 0; i++)
        rest();
    const bool is_there = atomic_load(&log_lines) == 1 && strstr(log_text, part) != NULL;
    if (!is_there)
        diag("%d lines: %s", atomic_load(&log_lines), log_text);
    return is_there;
}

/* As daemons close all that they have inherited; the next file gets the number. */
static void check_closed(void)
{
    char path[PATH_MAX + 16];
    struct stat file;
    listen_anew();
    cohort_strategy *s = open_watched();
    int fd = find_descriptor();
    (void)snprintf(path, sizeof path, "%s/own", base);
    ok(fd >= 0 && close(fd) == 0, "a program that closes the file's descriptor");
    int own = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
    ok(wait_for_line("the program has closed it"), "is told that it is watched no more");
    cohort_strategy_destroy(s);
    ok(own == fd && fstat(own, &file) == 0 && file.st_size == 0,
       "a file of its own that has the number is neither written to nor closed");
    (void)close(own);
    (void)unlink(path);
    cohort_log_set(NULL, NULL, 0);
    ok(count_files() == 0, "and that of the strategy is gone");
}

/* A disk that takes no byte more, by the limit on sizes of files. */
static void check_full(void)
{
    struct rlimit before, none;
    if (getrlimit(RLIMIT_FSIZE, &before) != 0)
        return;
    none = before;
    none.rlim_cur = 0;
    listen_anew();
    cohort_strategy *s = open_watched();
    (void)fflush(NULL);
    (void)setrlimit(RLIMIT_FSIZE, &none); /* nothing is printed before it is taken back */
    for (int i = 0; i < PATIENCE && atomic_load(&log_lines) == 0; i++)
        rest();
    for (int i = 0; i < 100; i++)
        rest(); /* for more lines, if there were any */
    const cohort_status status = cohort_wait(s);
    (void)setrlimit(RLIMIT_FSIZE, &before);
    ok(wait_for_line("cannot be written") && status == COHORT_OK,
       "a disk without room is said once, and the strategy goes on");
    const uint64_t begin = read_own(1).record.begin;
    for (int i = 0; i < PATIENCE && read_own(1).record.begin <= begin; i++)
        rest();
    ok(read_own(1).record.begin > begin, "with room there are records again");
    cohort_strategy_destroy(s);
    cohort_log_set(NULL, NULL, 0);
}

/* How a child ends leaves the parent's file. */
static void check_fork(void)
{
    int status = -1;
    cohort_strategy *s = open_watched();
    (void)fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        exit(0); /* with handlers of exit */
    (void)waitpid(child, &status, 0);
    /* a leak checker looks at the child, whose threads are gone with all that they held */
    ok((status == 0 || IS_SANITIZED) && read_own(1).is_locked,
       "a child that exits leaves the file of its parent");
    const uint64_t begin = read_own(1).record.begin;
    for (int i = 0; i < PATIENCE && read_own(1).record.begin <= begin; i++)
        rest();
    ok(read_own(1).record.begin > begin, "which is written on");
    cohort_strategy_destroy(s);
}

/* ------------------------------------------------------------------ ends of a process */

static pid_t start(const char *steps)
{
    (void)fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        (void)execl("/proc/self/exe", "monitor", steps, (char *)NULL);
        _exit(127);
    }
    return child;
}

static void check_ends(void)
{
    char name[64], path[PATH_MAX + 128];
    int status = -1;
    pid_t child = start("3");
    (void)waitpid(child, &status, 0);
    ok(status == 0 && count_files() == 0, "a process that returns from main leaves no file");
    child = start("0");
    (void)snprintf(name, sizeof name, "%lld-1", (long long)child);
    for (int i = 0; i < PATIENCE && read_named(name).record.calls < 3; i++)
        rest();
    ok(read_named(name).is_locked, "one that works has a file");
    (void)kill(child, SIGKILL);
    (void)waitpid(child, &status, 0);
    reading r = read_named(name);
    ok(r.is_there && !r.is_locked, "one that is killed leaves it, without a lock");
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    (void)unlink(path);
}

/* ------------------------------------------------------------------ all of it */

static bool begin(void)
{
    static char made[] = "monitor-XXXXXX";
    if (mkdtemp(made) == NULL || realpath(made, base) == NULL)
        return false;
    (void)snprintf(folder, sizeof folder, "%s/cohort", base);
    return true;
}

/* Plugins and prototypes that are known stay until the end. */
static void warm_up(void)
{
    static float zeros[4];
    cohort_strategy *s = cohort_mirrored("host/2");
    cohort_value *x = cohort_value_split(s, COHORT_ARRAY(zeros, 4));
    (void)cohort_run(s, give_up, x);
    (void)cohort_run(s, hold, x);
    cohort_strategy_destroy(s);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return be_watched(argv[1]);
    if (!begin())
        return skip_all("no folder can be made here");
    warm_up();
    const int64_t blocks = cohort_memory_blocks();
    int descriptors = count_entries("/proc/self/fd"), threads = count_entries("/proc/self/task");
    refusing();
    check_word();
    check_record();
    check_wait();
    check_rows();
    check_error();
    check_several();
    check_taken();
    if (IS_THREAD_SANITIZED)
        skip("a program that closes the file's descriptor",
             "the thread sanitizer takes that for the race that it is");
    else
        check_closed();
    check_full();
    check_fork();
    check_ends();
    ok(count_files() == 0 && rmdir(folder) == 0 && rmdir(base) == 0, "no file is left");
    ok(count_entries("/proc/self/fd") <= descriptors, "no descriptor");
    ok(count_entries("/proc/self/task") <= threads + POOLED_THREADS, "no thread");
    ok(cohort_memory_blocks() == blocks, "and no memory");
    return tap_done();
}
