/* SPDX-License-Identifier: BSD-3-Clause */
/* What ends a launch: it is brought to the processes, not done here. */
#include "config.h"

#include "cli/launch_start.h"

static const int signals[] = { SIGHUP, SIGINT, SIGTERM };
enum { SIGNALS = sizeof signals / sizeof *signals };

static volatile sig_atomic_t n_come, latest;

static void note(int number)
{
    if (number == SIGCHLD) /* it only ends a wait */
        return;
    n_come++;
    latest = number;
}

/* What was ignored before, as nohup does with SIGHUP, stays so. */
void launch_signals_take(void)
{
    struct sigaction action = { .sa_handler = note }, was;
    (void)sigaction(SIGCHLD, &action, NULL);
    for (int i = 0; i < SIGNALS; i++)
        if (sigaction(signals[i], NULL, &was) == 0 && was.sa_handler != SIG_IGN)
            (void)sigaction(signals[i], &action, NULL);
}

int launch_signals_come(int *out_latest)
{
    *out_latest = latest;
    return n_come;
}
