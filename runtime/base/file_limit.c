/* SPDX-License-Identifier: BSD-3-Clause */
/* SIGXFSZ is sent to the thread that writes, so blocking the signal there is enough; the
 * program's handler, which belongs to the whole process, stays as it is. */
#include "config.h"

#include "runtime/base/file_limit.h"

#include <errno.h>
#include <time.h>

static void signal_alone(sigset_t *out)
{
    sigemptyset(out);
    sigaddset(out, SIGXFSZ);
}

void cohort_file_limit_begin(cohort_file_limit *limit)
{
    sigset_t too_large, pending;
    signal_alone(&too_large);
    limit->is_pending = sigpending(&pending) == 0 && sigismember(&pending, SIGXFSZ) == 1;
    (void)pthread_sigmask(SIG_BLOCK, &too_large, &limit->before);
}

void cohort_file_limit_end(const cohort_file_limit *limit, int error)
{
    int before = errno;
    sigset_t too_large;
    signal_alone(&too_large);
    /* The write has left its signal pending: it is taken away before the mask is restored, which
     * would deliver it. A signal that waited before is the program's; the two have become one,
     * which stays. */
    if (error == EFBIG && !limit->is_pending)
        (void)sigtimedwait(&too_large, NULL, &(struct timespec){ 0 });
    (void)pthread_sigmask(SIG_SETMASK, &limit->before, NULL);
    errno = before;
}
