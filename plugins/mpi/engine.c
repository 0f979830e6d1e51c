/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI is started once in the life of a process, and ended once: by the program, if it has started
 * it, else by us when the process ends. MPI_Finalize waits for all others, so it is not called
 * where something was given up, and by a program that ends with a failure only once the others have
 * come to their ends, too: where they do not, the launcher sees a process that has not finalised,
 * and stops them. Where all end after an error they finalise, for launchers that several processes
 * leave without it at once may hang, or crash. */
#include "config.h"

#include "plugins/mpi/engine.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static atomic_bool is_given_up;

bool mpi_engine_is_up(void)
{
    int is_initialised = 0, is_finalised = 0;
    (void)MPI_Initialized(&is_initialised);
    (void)MPI_Finalized(&is_finalised);
    return is_initialised && !is_finalised;
}

void mpi_engine_give_up(void)
{
    atomic_store(&is_given_up, true);
}

bool mpi_engine_was_given_up(void)
{
    return atomic_load(&is_given_up);
}

uint64_t mpi_engine_now_ns(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* ------------------------------------------------------------------ ending */

/* A child of fork inherits what is called at the end, and has no part in the job. */
static pid_t started_by;

static uint64_t patience_ns;

/* Sleeping: they may have much to do yet, and the cores are theirs. */
static bool have_all_come(uint64_t end_ns)
{
    const struct timespec nap = { 0, 200000 };
    MPI_Request request = MPI_REQUEST_NULL;
    int is_over = 0;
    (void)MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int code = MPI_Ibarrier(MPI_COMM_WORLD, &request);
    while (code == MPI_SUCCESS) {
        code = MPI_Test(&request, &is_over, MPI_STATUS_IGNORE);
        if (code != MPI_SUCCESS || is_over || mpi_engine_now_ns() >= end_ns)
            break;
        (void)nanosleep(&nap, NULL);
    }
    return code == MPI_SUCCESS && is_over;
}

/* A process that ends well waits for the others as long as they take. */
static void finalise(int exit_status, void *unused)
{
    (void)unused;
    if (getpid() != started_by || mpi_engine_was_given_up() || !mpi_engine_is_up())
        return;
    if (have_all_come(exit_status == 0 ? UINT64_MAX : mpi_engine_now_ns() + patience_ns))
        (void)MPI_Finalize();
}

/* ------------------------------------------------------------------ starting */

/* MPI_Init waits for all processes of the job, and nothing ends that: so it has a thread of its
 * own, which is left to itself when it is late, and may still write here then. */
typedef struct start {
    pthread_mutex_t lock;
    pthread_cond_t wake;
    bool is_over;
    int code, provided;
} start;

static void *initialise(void *user)
{
    start *s = user;
    int provided = MPI_THREAD_SINGLE;
    int code = MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided);
    pthread_mutex_lock(&s->lock);
    s->code = code;
    s->provided = provided;
    s->is_over = true;
    pthread_cond_signal(&s->wake);
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

static bool wait_for(start *s, uint64_t end_ns)
{
    const struct timespec end = { (time_t)(end_ns / 1000000000u), (long)(end_ns % 1000000000u) };
    int error = 0;
    pthread_mutex_lock(&s->lock);
    while (!s->is_over && error != ETIMEDOUT)
        error = pthread_cond_timedwait(&s->wake, &s->lock, &end);
    bool is_over = s->is_over;
    pthread_mutex_unlock(&s->lock);
    return is_over;
}

static cohort_status take_result(const start *s, cohort_error *err)
{
    cohort_status st = mpi_engine_check(s->code, "MPI_Init_thread", err);
    if (st < 0)
        return st;
    started_by = getpid();
    (void)on_exit(finalise, NULL);
    return s->provided >= MPI_THREAD_SERIALIZED
               ? COHORT_OK
               : cohort_fail(err, COHORT_EINCOMPATIBLE, s->provided,
                             "MPI_Init_thread gives no MPI_THREAD_SERIALIZED");
}

static cohort_status run_start(start *s, uint64_t end_ns, cohort_error *err)
{
    pthread_t thread;
    sigset_t all, before;
    (void)sigfillset(&all); /* handlers of the program run on its own threads */
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&thread, NULL, initialise, s);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error != 0)
        return cohort_fail(err, COHORT_ENOMEM, error, "no thread for MPI_Init_thread");
    if (wait_for(s, end_ns)) {
        (void)pthread_join(thread, NULL);
        return take_result(s, err);
    }
    (void)pthread_detach(thread);
    mpi_engine_give_up();
    return cohort_fail(err, COHORT_ETIMEDOUT, 0, "MPI_Init_thread: some process has not come");
}

static cohort_status initialise_by(uint64_t end_ns, cohort_error *err)
{
    pthread_condattr_t monotonic;
    static start once; /* MPI is not started again, but where there was no thread for it */
    start *s = &once;
    *s = (start){ .is_over = false };
    (void)pthread_condattr_init(&monotonic);
    (void)pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&s->wake, &monotonic);
    (void)pthread_condattr_destroy(&monotonic);
    (void)pthread_mutex_init(&s->lock, NULL);
    cohort_status st = run_start(s, end_ns, err);
    if (st == COHORT_ETIMEDOUT)
        return st;
    (void)pthread_mutex_destroy(&s->lock);
    (void)pthread_cond_destroy(&s->wake);
    return st;
}

cohort_status mpi_engine_start(uint64_t limit_ns, uint64_t *out_end_ns, cohort_error *err)
{
    int is_initialised = 0;
    patience_ns = limit_ns;
    uint64_t end_ns = *out_end_ns = mpi_engine_now_ns() + limit_ns;
    if (mpi_engine_was_given_up())
        return cohort_fail(err, COHORT_ELOST, 0,
                           "MPI was given up in this process already, after "
                           "an error");
    (void)MPI_Initialized(&is_initialised);
    if (!is_initialised)
        return initialise_by(end_ns, err);
    return mpi_engine_is_up() ? COHORT_OK
                              : cohort_fail(err, COHORT_EINCOMPATIBLE, 0,
                                            "MPI was finalised in this process already");
}

void mpi_engine_take_handler(MPI_Comm comm, MPI_Errhandler *before)
{
    (void)MPI_Comm_get_errhandler(comm, before);
    (void)MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
}

void mpi_engine_put_handler(MPI_Comm comm, MPI_Errhandler *before)
{
    (void)MPI_Comm_set_errhandler(comm, *before);
    (void)MPI_Errhandler_free(before);
}

cohort_status mpi_engine_check(int code, const char *what, cohort_error *err)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    if (code == MPI_SUCCESS)
        return COHORT_OK;
    mpi_engine_give_up();
    if (MPI_Error_string(code, text, &length) != MPI_SUCCESS)
        text[0] = '\0';
    text[strcspn(text, "\n")] = '\0';
    return cohort_fail(err, COHORT_ELOST, code, "%s: %s (%d)", what, text, code);
}
