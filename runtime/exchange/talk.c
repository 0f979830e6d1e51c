/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/exchange/talk.h"

void cohort_talk_init(cohort_talk *t)
{
    pthread_mutexattr_t nests;
    (void)pthread_mutexattr_init(&nests);
    (void)pthread_mutexattr_settype(&nests, PTHREAD_MUTEX_RECURSIVE);
    (void)pthread_mutex_init(&t->lock, &nests);
    (void)pthread_mutexattr_destroy(&nests);
    (void)pthread_cond_init(&t->given_up, NULL);
}

/* What was taken stays so: a thread that stands in begin must not go on. */
void cohort_talk_fini(cohort_talk *t)
{
    if (t->is_taken)
        return;
    (void)pthread_cond_destroy(&t->given_up);
    (void)pthread_mutex_destroy(&t->lock);
}

void cohort_talk_begin(cohort_talk *t)
{
    (void)pthread_mutex_lock(&t->lock);
    while (t->depth == 0 && !t->is_taken && atomic_load(&t->is_wanted))
        (void)pthread_cond_wait(&t->given_up, &t->lock);
    t->depth++;
}

void cohort_talk_end(cohort_talk *t)
{
    t->depth--;
    (void)pthread_mutex_unlock(&t->lock);
}

bool cohort_talk_take(cohort_talk *t)
{
    atomic_store(&t->is_wanted, true);
    (void)pthread_mutex_lock(&t->lock);
    bool is_free = t->depth == 0;
    if (is_free && !t->is_taken) {
        t->is_taken = true;
        return true;
    }
    atomic_store(&t->is_wanted, t->is_taken);
    (void)pthread_cond_broadcast(&t->given_up);
    (void)pthread_mutex_unlock(&t->lock);
    return is_free;
}
