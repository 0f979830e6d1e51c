/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "plugins/kit/thread.h"

#include <signal.h>
#include <stddef.h>

/* A thread begins with the mask of its creator, which gets its own back at once. */
int thread_start(pthread_t *out_thread, const pthread_attr_t *attributes, void *(*run)(void *),
                 void *argument)
{
    static const int faults[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT };
    sigset_t most, before;
    (void)sigfillset(&most);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        (void)sigdelset(&most, faults[i]);
    (void)pthread_sigmask(SIG_SETMASK, &most, &before);
    int error = pthread_create(out_thread, attributes, run, argument);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}
