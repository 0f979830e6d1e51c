/* SPDX-License-Identifier: BSD-3-Clause */
/* Mapping by several threads: whoever asks reads the input into a ring of jobs, the threads do them
 * in any order, and they are given out in the order of the input.
 *
 * The ring has two jobs for each thread and is filled up when half of it is given out: threads that
 * fell asleep are woken together, and have something to do until the next time. */
#include "config.h"

#include "runtime/data/dataset/map_threads.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/base/thread.h"
#include "runtime/data/dataset/answer.h"
#include "runtime/data/dataset/fault.h"
#include "runtime/data/dataset/mapping.h"

static const char call[] = "cohort_dataset_map";

typedef struct map_job {
    cohort_retained in, out;
    int64_t number;
    cohort_status status; /* COHORT_END, an error of the input or of the work */
    cohort_fault fault;
    bool is_done; /* held: lock */
} map_job;

typedef struct threads_cursor {
    cohort_cursor head;
    cohort_cursor *input;
    cohort_retained given; /* what the consumer looks at */
    int64_t number;        /* of the next element of the input */
    bool is_read;          /* nothing follows what is in the ring */
    map_job *jobs;         /* [capacity] */
    uint64_t capacity;
    uint64_t taken; /* jobs given out: the consumer's alone */

    int32_t n_wanted, n_threads;
    bool is_started;
    unsigned forks; /* of the process that has the threads */
    pthread_t *threads;

    pthread_mutex_t lock;
    pthread_cond_t work, done;
    /* held: lock */
    uint64_t put, claimed;
    uint64_t awaited; /* the job for which the consumer sleeps, and 1; 0: it is awake */
    int32_t n_asleep; /* threads */
    bool is_closing;
} threads_cursor;

static map_job *job_at(const threads_cursor *c, uint64_t index)
{
    return &c->jobs[index % c->capacity];
}

/* ------------------------------------------------------------------ working */

/* Without the lock: the job is this thread's from claiming it until is_done is set. */
static void work_on(const threads_cursor *c, map_job *job)
{
    job->status =
        cohort_mapping_apply(c->head.dataset, c->head.pool, job->number, job->in.parts, &job->out);
    if (job->status < 0)
        (void)cohort_fault_note(&job->fault, job->status, cohort_answer_is_refusal(job->status));
    cohort_element_drop(&job->in);
}

/* held: lock, but not while working */
static void do_next(threads_cursor *c)
{
    uint64_t index = c->claimed++;
    map_job *job = job_at(c, index);
    if (job->is_done)
        return; /* what the input answered instead of an element */
    (void)pthread_mutex_unlock(&c->lock);
    work_on(c, job);
    (void)pthread_mutex_lock(&c->lock);
    job->is_done = true;
    /* the consumer is woken for the job that it waits for, not for each */
    if (c->awaited == index + 1)
        (void)pthread_cond_signal(&c->done);
}

static void *work(void *argument)
{
    threads_cursor *c = argument;
    (void)pthread_mutex_lock(&c->lock);
    while (!c->is_closing) {
        if (c->claimed < c->put) {
            do_next(c);
            continue;
        }
        c->n_asleep++;
        (void)cohort_condition_wait_until(&c->work, &c->lock, INT64_MAX);
        c->n_asleep--;
    }
    (void)pthread_mutex_unlock(&c->lock);
    return NULL;
}

/* As many as can be had; without any the consumer works. */
static void start(threads_cursor *c)
{
    c->is_started = true;
    c->forks = cohort_thread_forks();
    while (c->n_threads < c->n_wanted &&
           cohort_thread_start(&c->threads[c->n_threads], work, c) == 0)
        c->n_threads++;
}

/* ------------------------------------------------------------------ the consumer */

/* The next answer of the input: a job, or what is to be told in its place. */
static void read_job(threads_cursor *c, map_job *job)
{
    cohort_element element;
    bool can_go_on = false;
    job->status = cohort_cursor_next(c->input, &element);
    if (job->status < 0)
        can_go_on = c->input->can_go_on;
    if (job->status == COHORT_OK)
        job->status = cohort_element_retain(&element, c->head.pool, &job->in);
    if (job->status < 0)
        (void)cohort_fault_note(&job->fault, job->status, can_go_on);
    job->number = c->number++;
    job->is_done = job->status != COHORT_OK;
    c->is_read = job->is_done && !can_go_on;
}

static void put_job(threads_cursor *c)
{
    (void)pthread_mutex_lock(&c->lock);
    c->put++;
    if (c->n_asleep > 0)
        (void)pthread_cond_signal(&c->work);
    (void)pthread_mutex_unlock(&c->lock);
}

/* Only the consumer changes `put`: it may look at it. */
static void fill_up(threads_cursor *c)
{
    if (c->put - c->taken > c->capacity / 2)
        return;
    while (c->put - c->taken < c->capacity && !c->is_read) {
        read_job(c, job_at(c, c->put));
        put_job(c);
    }
}

/* A child of the process has a copy of the ring, no threads, and locks that nobody will open. */
static bool is_child(const threads_cursor *c)
{
    return c->n_threads > 0 && cohort_thread_forks() != c->forks;
}

static cohort_status refuse_child(threads_cursor *c)
{
    c->head.can_go_on = false;
    return cohort_error_set(
        COHORT_ENODEV,
        "%s: this process was forked from the one that has its threads; open the dataset in here",
        call);
}

static void await(threads_cursor *c, const map_job *job)
{
    (void)pthread_mutex_lock(&c->lock);
    while (!job->is_done && c->n_threads == 0)
        do_next(c);
    while (!job->is_done) {
        c->awaited = c->taken + 1;
        (void)cohort_condition_wait_until(&c->done, &c->lock, INT64_MAX);
    }
    c->awaited = 0;
    (void)pthread_mutex_unlock(&c->lock);
}

/* An answer behind which nothing follows stays in the ring, and is given again; so does an error of
 * the machine. */
static cohort_status take(threads_cursor *c)
{
    if (is_child(c))
        return refuse_child(c);
    cohort_element_drop(&c->given);
    fill_up(c);
    map_job *job = job_at(c, c->taken);
    await(c, job);
    cohort_status status = job->status;
    c->head.can_go_on = job->fault.can_go_on;
    if (status < 0)
        (void)cohort_fault_tell(&job->fault);
    if (status != COHORT_OK && !job->fault.can_go_on)
        return status;
    cohort_fault_forget(&job->fault);
    cohort_retained empty = c->given; /* with its list of parts, for the next in this place */
    c->given = job->out;
    job->out = empty;
    c->taken++;
    return status;
}

static cohort_status next_done(cohort_cursor *cursor, cohort_element *out)
{
    threads_cursor *c = (threads_cursor *)cursor;
    if (!c->is_started)
        start(c);
    cohort_status status = take(c);
    if (status == COHORT_OK)
        *out = cohort_element_view(&c->given);
    return status;
}

/* Elements in the ring are taken out of it, and the input passes over those that are not there
 * yet. */
static cohort_status skip_done(cohort_cursor *cursor, int64_t n, int64_t *out_passed)
{
    threads_cursor *c = (threads_cursor *)cursor;
    cohort_status status = COHORT_OK;
    int64_t passed = 0;
    bool was_read = c->is_read; /* so that taking reads nothing more */
    *out_passed = 0;
    c->is_read = true;
    while (*out_passed < n && c->taken < c->put && (status = take(c)) == COHORT_OK)
        ++*out_passed;
    c->is_read = was_read;
    if (status == COHORT_OK && *out_passed < n && !c->is_read) {
        status = cohort_cursor_skip(c->input, n - *out_passed, &passed);
        cursor->can_go_on = c->input->can_go_on;
        *out_passed += passed;
        c->number += passed + (status < 0 && cursor->can_go_on);
    }
    return status == COHORT_END ? COHORT_OK : status;
}

/* ------------------------------------------------------------------ open and close */

static void stop(threads_cursor *c)
{
    (void)pthread_mutex_lock(&c->lock);
    c->is_closing = true;
    (void)pthread_cond_broadcast(&c->work);
    (void)pthread_mutex_unlock(&c->lock);
    for (int32_t i = 0; i < c->n_threads; i++)
        (void)pthread_join(c->threads[i], NULL);
}

static void close_done(cohort_cursor *cursor)
{
    threads_cursor *c = (threads_cursor *)cursor;
    if (is_child(c))
        return; /* a child cannot know what the threads were in the middle of: left as it is */
    stop(c);
    for (uint64_t i = 0; c->jobs != NULL && i < c->capacity; i++) {
        cohort_element_fini(&c->jobs[i].in);
        cohort_element_fini(&c->jobs[i].out);
        cohort_fault_forget(&c->jobs[i].fault);
    }
    cohort_element_fini(&c->given);
    cohort_cursor_close(c->input);
    cohort_free(c->jobs);
    cohort_free(c->threads);
    (void)pthread_cond_destroy(&c->work);
    (void)pthread_cond_destroy(&c->done);
    (void)pthread_mutex_destroy(&c->lock);
    cohort_cursor_free(cursor);
}

static const cohort_cursor_kind done_cursor = { .next = next_done,
                                                .close = close_done,
                                                .skip = skip_done };

cohort_status cohort_map_threads_open(const cohort_dataset *dataset, int32_t threads,
                                      cohort_cursor *input, cohort_cursor **out)
{
    threads_cursor *c = cohort_cursor_allocate(dataset, &done_cursor,
                                               &(cohort_opening){ .pool = input->pool }, sizeof *c);
    if (c == NULL) {
        cohort_cursor_close(input);
        return COHORT_ENOMEM;
    }
    (void)pthread_mutex_init(&c->lock, NULL);
    cohort_condition_init(&c->work);
    cohort_condition_init(&c->done);
    c->input = input;
    c->n_wanted = threads;
    c->capacity = 2 * (uint64_t)threads;
    c->jobs = cohort_allocate((size_t)c->capacity, sizeof *c->jobs);
    c->threads = cohort_allocate((size_t)threads, sizeof *c->threads);
    if (c->jobs == NULL || c->threads == NULL) {
        close_done(&c->head);
        return cohort_error_memory(call);
    }
    *out = &c->head;
    return COHORT_OK;
}
