/* SPDX-License-Identifier: BSD-3-Clause */
/* One process of a launch.
 *
 * mpirun sends signals to the group of the process that it has started, here this one. The program
 * has a group of its own, so that each signal comes to it once, translated, and a third process,
 * the keeper, which ends that group when this process has ended, however that was: mpirun may kill
 * it. */
#include "config.h"

#include "cli/launch_rank.h"

#include "cli/cli.h"
#include "cli/launch_log.h"
#include "cli/launch_report.h"
#include "cli/launch_top.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LOOK_S = 1, ORPHAN_S = 5, EXIT_NOT_RUN = 126, EXIT_NOT_THERE = 127, EXIT_SIGNAL = 128 };

/* SIGUSR2 is how Open MPI is asked: it forwards no SIGTERM. */
static const int signals[] = { SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGUSR2, SIGCHLD };
enum { SIGNALS = sizeof signals / sizeof *signals };

typedef struct rank {
    const char *key, *variable, *start, *folder;
    char **words;
    report is; /* as it will be reported */
    pid_t parent, program;
    int status;        /* of waitpid */
    int log, alive[2]; /* the keeper reads the end of `alive` */
    launch_tee outputs[2];
    int64_t orphan_s;      /* since when mpirun is gone; 0: it is there */
    int64_t top_s, told_s; /* how often its progress is told, 0: never; and when it was */
    int told;              /* how often it was */
    bool has_told_why;     /* that is not known */
    sigset_t before;
} rank;

static volatile sig_atomic_t has_come[SIGNALS];

static void note(int number)
{
    for (int i = 0; i < SIGNALS; i++)
        if (signals[i] == number)
            has_come[i] = 1;
}

static void tell(rank *r, report_kind kind, int number)
{
    r->is.kind = kind;
    r->is.number = number;
    report_write(r->key, &r->is);
}

/* ------------------------------------------------------------------ the program and its keeper */

/* They come in ppoll alone. */
static void take_signals(rank *r)
{
    sigset_t taken;
    struct sigaction action = { .sa_handler = note };
    (void)sigemptyset(&taken);
    for (int i = 0; i < SIGNALS; i++) {
        (void)sigaddset(&taken, signals[i]);
        (void)sigaction(signals[i], &action, NULL);
    }
    (void)sigprocmask(SIG_BLOCK, &taken, &r->before);
}

static void leave_signals(const rank *r)
{
    for (int i = 0; i < SIGNALS; i++)
        (void)signal(signals[i], SIG_DFL);
    (void)signal(SIGPIPE, SIG_DFL);
    (void)signal(SIGXFSZ, SIG_DFL);
    (void)sigprocmask(SIG_SETMASK, &r->before, NULL);
}

/* Not before it has a keeper: this process may be killed at any time. exec tells by `failed` that
 * it has: its end is the end of the pipe elsewhere. */
static void be_program(rank *r, const int ends[2], const int go[2], int failed)
{
    char byte;
    (void)setpgid(0, 0);
    (void)close(go[1]);
    if (read(go[0], &byte, 1) != 1)
        _exit(EXIT_NOT_RUN);
    for (int i = 0; i < 2 && r->log >= 0; i++)
        (void)dup2(ends[i], i == 0 ? STDOUT_FILENO : STDERR_FILENO);
    leave_signals(r);
    if (r->top_s > 0)
        (void)setenv("COHORT_TOP", "1", 1);
    (void)execvp(r->words[0], r->words);
    int error = errno;
    _exit(write(failed, &error, sizeof error) == sizeof error ? EXIT_NOT_THERE : EXIT_NOT_RUN);
}

/* In the group of the program, deaf to what that gets. */
static void be_keeper(const rank *r)
{
    char byte;
    sigset_t all;
    (void)sigfillset(&all);
    (void)sigprocmask(SIG_SETMASK, &all, NULL);
    (void)close(r->alive[1]);
    (void)setpgid(0, r->program);
    while (read(r->alive[0], &byte, 1) < 0 && errno == EINTR)
        ;
    (void)kill(-r->program, SIGKILL);
    _exit(0);
}

/* 0, or the error that keeps the program from running. */
static int await_exec(int failed)
{
    int error = 0;
    ssize_t n;
    do
        n = read(failed, &error, sizeof error);
    while (n < 0 && errno == EINTR);
    return n == sizeof error ? error : 0;
}

static bool open_pipes(rank *r, int ends[2])
{
    for (int i = 0; i < 2 && r->log >= 0; i++) {
        int both[2];
        if (pipe2(both, O_CLOEXEC) != 0)
            return false;
        (void)fcntl(both[0], F_SETFL, O_NONBLOCK);
        r->outputs[i] = (launch_tee){ .from = both[0], .to = i + STDOUT_FILENO, .log = r->log };
        ends[i] = both[1];
    }
    return pipe2(r->alive, O_CLOEXEC) == 0;
}

/* 0, or the error. */
static int start_keeper(rank *r, const int go[2])
{
    pid_t keeper = fork();
    if (keeper == 0) {
        (void)close(go[1]);
        be_keeper(r);
    }
    return keeper < 0 ? errno : 0;
}

static int let_go(const int go[2])
{
    return write(go[1], "", 1) == 1 ? 0 : errno;
}

/* The same. */
static int start_program(rank *r, int ends[2], const int go[2], int failed[2])
{
    r->program = fork();
    if (r->program == 0)
        be_program(r, ends, go, failed[1]);
    if (r->program < 0)
        return errno;
    (void)setpgid(r->program, r->program);
    (void)close(failed[1]);
    for (int i = 0; i < 2 && r->log >= 0; i++)
        (void)close(ends[i]);
    int error = start_keeper(r, go);
    if (error == 0)
        error = let_go(go);
    return error != 0 ? error : await_exec(failed[0]);
}

/* 0, or the error. */
static int start(rank *r)
{
    int ends[2], go[2], failed[2];
    if (!open_pipes(r, ends) || pipe2(go, O_CLOEXEC) != 0 || pipe2(failed, O_CLOEXEC) != 0)
        return errno;
    int error = start_program(r, ends, go, failed);
    (void)close(failed[0]);
    (void)close(go[0]);
    (void)close(go[1]);
    if (error != 0 && r->program > 0) {
        (void)kill(-r->program, SIGKILL);
        (void)waitpid(r->program, NULL, 0);
    }
    return error;
}

/* ------------------------------------------------------------------ until it ends */

static int64_t now_s(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

static void bring_signals(const rank *r)
{
    for (int i = 0; i < SIGNALS; i++) {
        if (!has_come[i] || signals[i] == SIGCHLD)
            continue;
        has_come[i] = 0;
        (void)kill(-r->program, signals[i] == SIGUSR2 ? SIGTERM : signals[i]);
    }
}

/* Where mpirun has ended without a word, nobody waits for this process. */
static void look_for_parent(rank *r)
{
    if (r->orphan_s != 0 && now_s() - r->orphan_s >= ORPHAN_S)
        (void)kill(-r->program, SIGKILL);
    if (r->orphan_s != 0 || getppid() == r->parent)
        return;
    r->orphan_s = now_s();
    (void)kill(-r->program, SIGTERM);
}

static void tell_progress(rank *r)
{
    const int64_t now = now_s();
    if (r->top_s == 0 || now - r->told_s < r->top_s)
        return;
    r->told_s = now;
    const bool is_known = launch_top_describe(r->program, r->is.text, sizeof r->is.text);
    if (is_known || !r->has_told_why)
        tell(r, REPORT_PROGRESS, ++r->told);
    r->has_told_why = !is_known;
    r->is.text[0] = '\0';
}

static void wait_a_moment(const rank *r)
{
    struct pollfd ends[2];
    const struct timespec look = { .tv_sec = LOOK_S };
    for (int i = 0; i < 2; i++)
        ends[i] = (struct pollfd){ .fd = r->log >= 0 ? r->outputs[i].from : -1, .events = POLLIN };
    (void)ppoll(ends, 2, &look, &r->before);
}

static void take_outputs(rank *r)
{
    for (int i = 0; i < 2 && r->log >= 0; i++)
        launch_tee_take(&r->outputs[i]);
}

/* What the program has written before its end is there then; what it has left behind may write
 * on. */
static void await_end(rank *r)
{
    while (waitpid(r->program, &r->status, WNOHANG) != r->program) {
        wait_a_moment(r);
        bring_signals(r);
        look_for_parent(r);
        take_outputs(r);
        tell_progress(r);
    }
    take_outputs(r);
}

/* ------------------------------------------------------------------ and its end */

/* As the program has, so that mpirun does what it does with such ends. */
static int end_alike(int number)
{
    (void)setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
    (void)signal(number, SIG_DFL);
    sigset_t one;
    (void)sigemptyset(&one);
    (void)sigaddset(&one, number);
    (void)raise(number);
    (void)sigprocmask(SIG_UNBLOCK, &one, NULL);
    return EXIT_SIGNAL + number;
}

static int report_end(rank *r)
{
    if (WIFSIGNALED(r->status)) {
        tell(r, REPORT_KILLED, WTERMSIG(r->status));
        return end_alike(WTERMSIG(r->status));
    }
    tell(r, REPORT_EXITED, WEXITSTATUS(r->status));
    return WEXITSTATUS(r->status);
}

static int run(rank *r)
{
    int error;
    r->log = -1;
    if (r->folder[0] != '\0') {
        r->log = launch_log_open(r->folder, r->is.rank, r->start, r->is.host, r->words);
        if (r->log < 0)
            return tell(r, REPORT_NO_LOG, errno), EXIT_FAILED;
    }
    take_signals(r);
    r->told_s = now_s();
    tell(r, REPORT_STARTED, 0);
    if ((error = start(r)) != 0) {
        tell(r, REPORT_NO_PROGRAM, error);
        return error == ENOENT ? EXIT_NOT_THERE : EXIT_NOT_RUN;
    }
    await_end(r);
    return report_end(r);
}

int launch_rank(int argc, char **argv)
{
    if (argc <= 1 + LAUNCH_RANK_WORDS)
        return cli_fail(EXIT_USAGE, "launch: %s is what cohort launch gives mpirun", LAUNCH_RANK);
    rank r = { .key = argv[2],
               .variable = argv[3],
               .start = argv[4],
               .folder = argv[5],
               .top_s = strtol(argv[6], NULL, 10) };
    const char *number = cli_setting(r.variable);
    r.words = &argv[1 + LAUNCH_RANK_WORDS];
    r.parent = getppid();
    r.is.rank = number[0] != '\0' ? (int)strtol(number, NULL, 10) : -1;
    if (gethostname(r.is.host, sizeof r.is.host - 1) != 0 || r.is.host[0] == '\0')
        (void)snprintf(r.is.host, sizeof r.is.host, "?");
    (void)signal(SIGPIPE, SIG_IGN);
    return run(&r);
}
