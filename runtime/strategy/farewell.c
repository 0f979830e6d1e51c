/* SPDX-License-Identifier: BSD-3-Clause */
/* The handler runs before that of the engine, which was registered when the communicator was
 * opened, so that messages still go. */
#include "config.h"

#include "runtime/strategy/farewell.h"

#include "runtime/strategy/across.h"

#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static cohort_strategy *owing; /* a list, by next_owing */

/* Also where a call is under way, on another thread or around this one. */
static void say(cohort_strategy *s)
{
    cohort_across_end(s);
    if (s->servers != NULL && cohort_talk_take(&s->servers->talk))
        cohort_servers_leave(s->servers);
}

static void say_to_all(void)
{
    if (cohort_error_is_forked())
        return;
    pthread_mutex_lock(&lock);
    for (cohort_strategy *s = owing; s != NULL; s = s->next_owing)
        say(s);
    owing = NULL;
    pthread_mutex_unlock(&lock);
}

/* Without memory for it the others wait, as for a process that is killed. */
static void ask_to_be_called(void)
{
    (void)atexit(say_to_all);
}

void cohort_farewell_owe(cohort_strategy *s)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (s->workers == NULL && s->servers == NULL)
        return;
    (void)pthread_once(&once, ask_to_be_called);
    pthread_mutex_lock(&lock);
    s->next_owing = owing;
    owing = s;
    pthread_mutex_unlock(&lock);
}

void cohort_farewell_settle(cohort_strategy *s)
{
    pthread_mutex_lock(&lock);
    cohort_strategy **link = &owing;
    while (*link != NULL && *link != s)
        link = &(*link)->next_owing;
    if (*link != NULL)
        *link = s->next_owing;
    pthread_mutex_unlock(&lock);
}
