/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts, and starts again. */
#include "config.h"

#include "cli/launch_log.h"
#include "cli/launch_start.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <time.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

enum { MOST_PAUSE_S = 60, DOUBLINGS = 6 };

/* Before the first start, where it is seen at once; on other machines each process says so. */
static int make_logs(const launch *l)
{
    int error = l->log_folder != NULL ? launch_log_make_folder(l->log_folder) : 0;
    return error == 0
               ? -1
               : cli_fail(EXIT_FAILED, "launch: --log-dir %s: %s", l->log_folder, strerror(error));
}

static int64_t pause_of(uint64_t restart)
{
    int64_t seconds = (int64_t)1 << (restart < DOUBLINGS ? restart - 1 : DOUBLINGS);
    return seconds < MOST_PAUSE_S ? seconds : MOST_PAUSE_S;
}

/* 0, or the signal that has ended it. */
static int rest(int64_t seconds)
{
    int latest, before = launch_signals_come(&latest);
    struct timespec left = { .tv_sec = seconds };
    while (nanosleep(&left, &left) != 0 && errno == EINTR && launch_signals_come(&latest) == before)
        ;
    return launch_signals_come(&latest) != before ? latest : 0;
}

/* Where nothing has ever started, it is not lost but wrong. */
static bool is_worth(const launch *l, const launch_outcome *o, bool has_ever_started, uint64_t done)
{
    if (!o->may_again || !has_ever_started || l->restarts == 0)
        return false;
    if (done <= l->restarts)
        return true;
    cli_fail(EXIT_FAILED, "launch: started %" PRIu64 " times, and failed each time", done);
    return false;
}

static int start_and_again(const launch *l, const launch_mpi *mpi, const char *program)
{
    bool has_ever_started = false;
    for (uint64_t done = 1;; done++) {
        launch_outcome o = launch_start(l, mpi, program, done);
        has_ever_started = has_ever_started || o.has_started;
        if (!is_worth(l, &o, has_ever_started, done))
            return o.code;
        int64_t seconds = pause_of(done);
        cli_fail(EXIT_FAILED,
                 "launch: all processes are started again, restart %" PRIu64 " of %" PRIu64
                 ", in %" PRId64 " s",
                 done, l->restarts, seconds);
        int number = rest(seconds);
        if (number != 0)
            return LAUNCH_SIGNAL + number;
    }
}

int launch_supervise(const launch *l, const launch_mpi *mpi, const char *program)
{
    int code = make_logs(l);
    if (code >= 0)
        return code;
    launch_signals_take();
#ifdef __linux__
    (void)prctl(PR_SET_CHILD_SUBREAPER, 1);
#endif
    return start_and_again(l, mpi, program);
}
