/* SPDX-License-Identifier: BSD-3-Clause */
/* mpirun has a group of its own, so that a terminal's Ctrl-C comes here alone: each mpirun would do
 * something else with it. */
#include "config.h"

#include "cli/launch_start.h"

#include "cli/clock.h"
#include "cli/launch_line.h"
#include "cli/launch_log.h"
#include "cli/launch_rank.h"
#include "cli/visible.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

enum { LOOK_MS = 200, ENDS_S = 10, REST_S = 15, REST_LOOK_MS = 20, NUMBER_BYTES = 24 };

/* RUNNING: until all is well, somebody has failed, or somebody wants an end. LEAVING: the processes
 * end by themselves, up to the deadline. ENDED: mpirun was told to end them. KILLED: it was itself
 * ended. */
typedef enum phase { RUNNING, LEAVING, ENDED, KILLED } phase;

typedef struct job {
    const launch *l;
    const launch_mpi *mpi;
    char key[REPORT_KEY_BYTES];
    report_stream stream;
    pid_t mpirun, relay; /* relay: brings the terminal's input; 0: there is none */
    int errors, status;  /* mpirun's standard error; what waitpid says of it */
    phase phase;
    int64_t deadline_ns; /* of the phase; 0: none */
    int n_signals;       /* of those that have come, those that were looked at */
    bool was_asked, is_late;
    uint8_t *has_started; /* for each rank */
    int *progress;        /* for each rank, the last that was told */
    int n_started;
    report first; /* failure; its rank is -1 where there is none */
    bool has_failed;
} job;

/* ------------------------------------------------------------------ what processes report */

static void say_log(const job *j)
{
    char path[PATH_MAX];
    if (j->l->log_folder != NULL &&
        launch_log_name(j->l->log_folder, j->first.rank, path, sizeof path))
        cli_fix("what it has written stands in %s", path);
}

static void say_failure(const job *j)
{
    const report *r = &j->first;
    char who[REPORT_HOST_BYTES + 64];
    (void)snprintf(who, sizeof who, "launch: rank %d of %d on %s", r->rank, j->l->n, r->host);
    if (r->kind == REPORT_EXITED)
        cli_fail(EXIT_FAILED, "%s is the first that has failed: exit code %d", who, r->number);
    else if (r->kind == REPORT_KILLED)
        cli_fail(EXIT_FAILED, "%s is the first that has failed: ended by signal %d (%s)", who,
                 r->number, strsignal(r->number));
    else if (r->kind == REPORT_NO_PROGRAM)
        cli_fail(EXIT_FAILED, "%s cannot run %s: %s", who, j->l->words[0], strerror(r->number));
    else
        cli_fail(EXIT_FAILED, "%s cannot write its log in %s: %s", who, j->l->log_folder,
                 strerror(r->number));
    if (r->kind == REPORT_EXITED || r->kind == REPORT_KILLED)
        say_log(j);
}

static void go_on(job *j, phase next, uint64_t seconds)
{
    j->phase = next;
    j->deadline_ns = seconds > 0 ? clock_ns() + (int64_t)seconds * 1000000000 : 0;
}

static void take_failure(job *j, const report *r)
{
    if (j->has_failed)
        return;
    j->has_failed = true;
    j->first = *r;
    if (!j->was_asked)
        say_failure(j);
    if (j->phase == RUNNING)
        go_on(j, LEAVING, j->l->grace_s);
}

/* The start is over once all are there. */
static void take_start(job *j, int rank)
{
    if (rank < 0 || rank >= j->l->n || j->has_started[rank])
        return;
    j->has_started[rank] = 1;
    if (++j->n_started == j->l->n && j->phase == RUNNING)
        j->deadline_ns = 0;
}

/* Each comes twice. */
static void take_progress(job *j, const report *r)
{
    if (r->rank < 0 || r->rank >= j->l->n || r->number <= j->progress[r->rank])
        return;
    j->progress[r->rank] = r->number;
    fprintf(stderr, "cohort: launch: rank %d of %d on %s: ", r->rank, j->l->n, r->host);
    visible_message(stderr, r->text);
    fputc('\n', stderr);
}

static void take_report(void *user, const report *r)
{
    if (r->kind == REPORT_STARTED)
        take_start(user, r->rank);
    else if (r->kind == REPORT_PROGRESS)
        take_progress(user, r);
    else if (r->kind != REPORT_EXITED || r->number != 0)
        take_failure(user, r);
}

/* ------------------------------------------------------------------ mpirun */

static void follow_parent(int number)
{
#ifdef __linux__
    (void)prctl(PR_SET_PDEATHSIG, number);
#endif
    (void)number;
}

/* A command in the background of a terminal has no input until it is in the foreground; to ask for
 * it would stop the whole command. */
static ssize_t read_terminal(char *bytes, size_t n)
{
    ssize_t got;
    while ((got = read(STDIN_FILENO, bytes, n)) < 0 && errno == EIO &&
           tcgetpgrp(STDIN_FILENO) != getpgrp())
        (void)poll(NULL, 0, LOOK_MS);
    return got;
}

/* In the group of the terminal, which gives its input to no other; a Ctrl-C is not for it. */
static pid_t start_relay(int to)
{
    pid_t relay = fork();
    if (relay != 0)
        return relay;
    char bytes[4096];
    ssize_t n;
    follow_parent(SIGKILL);
    (void)signal(SIGINT, SIG_IGN);
    (void)signal(SIGTTIN, SIG_IGN);
    while ((n = read_terminal(bytes, sizeof bytes)) > 0)
        if (write(to, bytes, (size_t)n) != n)
            break;
    _exit(0);
}

/* Nobody gives processes their time where this command was itself killed: mpirun ends as at the end
 * of that time. */
static void be_mpirun(const job *j, const launch_line *line, int input, int errors)
{
    follow_parent(j->mpi->ends);
    (void)setpgid(0, 0);
    (void)signal(SIGXFSZ, SIG_DFL);
    (void)signal(SIGCHLD, SIG_DFL);
    if (input >= 0)
        (void)dup2(input, STDIN_FILENO);
    (void)dup2(errors, STDERR_FILENO);
    (void)execvp(line->words[0], (char *const *)(uintptr_t)line->words);
    _exit(cli_fail(LAUNCH_NOT_THERE, "launch: %s: %s", line->words[0], strerror(errno)));
}

/* false, errno says why. */
static bool start_mpirun(job *j, const launch_line *line)
{
    int errors[2], input[2] = { -1, -1 };
    if (pipe2(errors, O_CLOEXEC) != 0 || (isatty(STDIN_FILENO) && pipe2(input, O_CLOEXEC) != 0))
        return false;
    j->errors = errors[0];
    (void)fcntl(j->errors, F_SETFL, O_NONBLOCK);
    (void)fflush(stdout);
    j->mpirun = fork();
    if (j->mpirun == 0)
        be_mpirun(j, line, input[0], errors[1]);
    int error = errno;
    (void)close(errors[1]);
    if (j->mpirun > 0)
        (void)setpgid(j->mpirun, j->mpirun);
    if (input[0] >= 0) {
        (void)close(input[0]);
        j->relay = j->mpirun > 0 ? start_relay(input[1]) : 0;
        (void)close(input[1]);
    }
    errno = error;
    return j->mpirun > 0;
}

/* This executable: other machines have it in the same place. */
static void find_self(char out[PATH_MAX])
{
    ssize_t n = readlink("/proc/self/exe", out, PATH_MAX - 1);
    if (n > 0)
        out[n] = '\0';
    else
        (void)snprintf(out, PATH_MAX, "cohort");
}

static bool start_line(job *j, const char *mpirun, uint64_t number)
{
    char self[PATH_MAX], text[NUMBER_BYTES], top[NUMBER_BYTES];
    launch_line line;
    find_self(self);
    (void)snprintf(text, sizeof text, "%" PRIu64, number);
    (void)snprintf(top, sizeof top, "%" PRIu64, j->l->top_s);
    const char *folder = j->l->log_folder != NULL ? j->l->log_folder : "";
    const char *const before[] = { self, "launch", LAUNCH_RANK, j->key, j->mpi->rank,
                                   text, folder,   top,         NULL };
    bool is_made = launch_line_init(j->l, j->mpi, mpirun, before, &line);
    bool is_started = is_made && start_mpirun(j, &line);
    if (!is_made)
        errno = ENOMEM;
    launch_line_fini(&line);
    return is_started;
}

/* ------------------------------------------------------------------ until it ends */

static void end_all(job *j)
{
    (void)kill(j->mpirun, j->mpi->ends);
    go_on(j, ENDED, ENDS_S);
}

/* A first signal asks the processes to end, which may save before; a second one does not wait.
 * Before a process is there nobody could be asked. */
static void look_for_signals(job *j)
{
    int latest, n = launch_signals_come(&latest);
    if (n == j->n_signals)
        return;
    bool is_first = !j->was_asked && n - j->n_signals == 1 && j->n_started > 0;
    j->n_signals = n;
    j->was_asked = true;
    if (!is_first) {
        end_all(j);
        return;
    }
    (void)kill(j->mpirun, j->mpi->asks);
    if (j->phase == RUNNING)
        go_on(j, LEAVING, j->l->grace_s);
}

static void say_late_start(const job *j)
{
    int rank = 0;
    while (rank < j->l->n && j->has_started[rank])
        rank++;
    cli_fail(EXIT_FAILED,
             "launch: %d of %d processes have not started within %" PRIu64
             " s (--start-timeout), the first of them rank %d",
             j->l->n - j->n_started, j->l->n, j->l->start_s, rank);
}

static void pass_deadline(job *j)
{
    if (j->phase == RUNNING) {
        j->is_late = true;
        say_late_start(j);
    } else if (j->phase == LEAVING) {
        cli_fail(EXIT_FAILED,
                 "launch: processes that have not ended within %" PRIu64 " s (--grace) are ended",
                 j->l->grace_s);
    }
    if (j->phase < ENDED) {
        end_all(j);
        return;
    }
    (void)kill(-j->mpirun, SIGKILL);
    go_on(j, KILLED, 0);
}

/* What mpirun has brought, as much as a pipe holds: processes may write without a pause. At its
 * end all have closed it. */
static void take_errors(job *j)
{
    char bytes[8192];
    ssize_t n = 1;
    for (int i = 0; j->errors >= 0 && n > 0 && i < LAUNCH_PIPE_READS; i++) {
        n = read(j->errors, bytes, sizeof bytes);
        if (n > 0)
            report_stream_put(&j->stream, bytes, (size_t)n);
    }
    if (n != 0 || j->errors < 0)
        return;
    (void)close(j->errors);
    j->errors = -1;
}

static void await_mpirun(job *j)
{
    while (waitpid(j->mpirun, &j->status, WNOHANG) != j->mpirun) {
        struct pollfd end = { .fd = j->errors, .events = POLLIN };
        (void)poll(&end, 1, j->errors >= 0 ? LOOK_MS : REST_LOOK_MS);
        take_errors(j);
        look_for_signals(j);
        if (j->deadline_ns != 0 && clock_ns() >= j->deadline_ns)
            pass_deadline(j);
    }
    take_errors(j);
}

/* Processes of this machine that mpirun has left behind are this one's children by now. They end
 * by themselves, for they look for mpirun. */
static void await_rest(job *j)
{
    const int64_t end_ns = clock_ns() + (int64_t)REST_S * 1000000000;
    if (j->relay > 0)
        (void)kill(j->relay, SIGKILL);
    while (waitpid(-1, NULL, WNOHANG) >= 0 && clock_ns() < end_ns) {
        take_errors(j);
        (void)poll(NULL, 0, REST_LOOK_MS);
    }
    take_errors(j);
    report_stream_end(&j->stream);
    if (j->errors >= 0)
        (void)close(j->errors);
}

/* ------------------------------------------------------------------ what came of it */

static int code_of_first(const report *r)
{
    switch (r->kind) {
    case REPORT_EXITED:
        return r->number;
    case REPORT_KILLED:
        return LAUNCH_SIGNAL + r->number;
    case REPORT_NO_PROGRAM:
        return r->number == ENOENT ? LAUNCH_NOT_THERE : LAUNCH_NOT_RUN;
    default:
        return EXIT_FAILED;
    }
}

/* A machine that is lost reports nothing. */
static int code_of_mpirun(const job *j)
{
    int latest;
    (void)launch_signals_come(&latest);
    if (j->was_asked && j->phase >= ENDED)
        return LAUNCH_SIGNAL + latest;
    int code = WIFEXITED(j->status) ? WEXITSTATUS(j->status) : LAUNCH_SIGNAL + WTERMSIG(j->status);
    if (code != 0 && !j->was_asked)
        cli_fail(EXIT_FAILED,
                 j->n_started > 0 ? "launch: mpirun has ended with %d, and none of its processes "
                                    "has said that it failed: a machine may be lost"
                                  : "launch: mpirun has ended with %d before a process was started",
                 code);
    return code;
}

static launch_outcome judge(const job *j)
{
    launch_outcome o = { .has_started = j->n_started > 0 };
    o.code = j->has_failed ? code_of_first(&j->first)
             : j->is_late  ? LAUNCH_NOT_IN_TIME
                           : code_of_mpirun(j);
    o.may_again =
        o.code != 0 && !j->was_asked &&
        !(j->has_failed && (j->first.kind == REPORT_NO_PROGRAM || j->first.kind == REPORT_NO_LOG));
    return o;
}

/* Signals of earlier starts were looked at then. */
static void init(job *j, const launch *l, const launch_mpi *mpi)
{
    int latest;
    *j = (job){ .l = l, .mpi = mpi, .errors = -1, .first = { .rank = -1 } };
    j->n_signals = launch_signals_come(&latest);
    j->has_started = calloc((size_t)l->n, 1);
    j->progress = calloc((size_t)l->n, sizeof *j->progress);
    report_make_key(j->key);
    j->stream =
        (report_stream){ .key = j->key, .take = take_report, .user = j, .out = STDERR_FILENO };
    go_on(j, RUNNING, l->start_s);
}

launch_outcome launch_start(const launch *l, const launch_mpi *mpi, const char *mpirun,
                            uint64_t number)
{
    job j;
    launch_outcome o = { .code = EXIT_FAILED };
    init(&j, l, mpi);
    const bool has_memory = j.has_started != NULL && j.progress != NULL;
    if (!has_memory)
        errno = ENOMEM;
    if (has_memory && start_line(&j, mpirun, number)) {
        await_mpirun(&j);
        await_rest(&j);
        o = judge(&j);
    } else {
        cli_fail(EXIT_FAILED, "launch: mpirun is not started: %s", strerror(errno));
        if (j.errors >= 0)
            (void)close(j.errors);
    }
    free(j.has_started);
    free(j.progress);
    return o;
}
