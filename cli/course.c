/* SPDX-License-Identifier: BSD-3-Clause */
/* A training in checkpoints. The library keeps weights, momentum, metrics and where the input of
 * recorded steps is; what the program itself has are parts beside them: random numbers, the order
 * of the rows, figures. A training that goes on has to be the one that was stopped, which a line of
 * its settings in each checkpoint tells; devices and number of epochs may be others. */
#include "config.h"

#include "cli/course.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char settings_key[] = "demo.settings";
enum { SETTINGS_BYTES = 320, HISTORY = 5, LOGGED = 3, LOGGED_AT = 2, MOST_PARTS = 7 };

/* What the program has, as arrays. Their memory is `history` and so on. */
typedef struct parts {
    cohort_checkpoint_part list[MOST_PARTS];
    int32_t n;
    int64_t epochs, logged; /* that are done */
    double *history;        /* [epochs][HISTORY] */
    double *figures;        /* [logged][LOGGED] */
    int64_t *at;            /* [logged][LOGGED_AT] */
    double seconds;
    char settings[SETTINGS_BYTES];
    cohort_checkpoint_note note;
} parts;

/* ------------------------------------------------------------------ arrays */

static void add(parts *p, const char *name, cohort_array array)
{
    p->list[p->n++] = (cohort_checkpoint_part){ .name = name, .array = array };
}

/* Times, which of several processes each has of its own, and figures that have some. */
static void add_timed(parts *p, const char *name, cohort_array array)
{
    add(p, name, array);
    p->list[p->n - 1].is_chiefs = true;
}

static uint64_t digest_of_labels(const samples *s)
{
    uint64_t digest = 0;
    for (int64_t i = 0; i < s->rows; i++)
        digest = (digest ^ (uint64_t)s->y[i]) * 0x100000001b3u;
    return digest;
}

/* All that decides about the weights at a step, or about what is in a checkpoint. */
static void describe(const course *c, char text[SETTINGS_BYTES])
{
    const samples *s = c->data;
    (void)snprintf(text, SETTINGS_BYTES,
                   "--replicas %d --seed %" PRIu64 " --batch %" PRId64 "%s%s, %" PRId64
                   " rows of %" PRId64 " numbers in %" PRId64 " classes, digest %016" PRIx64,
                   cohort_strategy_num_replicas(c->nn.strategy), c->plan->seed, c->plan->batch,
                   c->plan->steps_per_run > 0 ? " --steps-per-run" : "",
                   c->plan->log_steps > 0 ? " --log-steps" : "", s->rows, s->features, s->classes,
                   digest_floats(s->x, s->rows * s->features) ^ digest_of_labels(s));
}

static bool allocate(parts *p)
{
    p->history = calloc((size_t)p->epochs * HISTORY + 1, sizeof *p->history);
    p->figures = calloc((size_t)p->logged * LOGGED + 1, sizeof *p->figures);
    p->at = calloc((size_t)p->logged * LOGGED_AT + 1, sizeof *p->at);
    if (p->history != NULL && p->figures != NULL && p->at != NULL)
        return true;
    (void)cohort_error_set(COHORT_ENOMEM, "out of memory for a checkpoint");
    return false;
}

/* epochs, logged: how many there are of them. After a failure end_parts frees as well. */
static bool begin_parts(parts *p, course *c, int64_t epochs, int64_t logged)
{
    *p = (parts){ .epochs = epochs, .logged = logged };
    if (!allocate(p))
        return false;
    describe(c, p->settings);
    p->note = (cohort_checkpoint_note){ settings_key, p->settings };
    add(p, "random", COHORT_ARRAY(&c->random, 1));
    add(p, "order", COHORT_ARRAY(c->order, c->data->rows));
    add(p, "rows of replicas",
        COHORT_ARRAY(c->rows_of_replica, cohort_strategy_num_replicas(c->nn.strategy)));
    add_timed(p, "seconds", COHORT_ARRAY(&p->seconds, 1));
    add_timed(p, "history", COHORT_ARRAY(p->history, epochs, HISTORY));
    if (c->plan->log_steps > 0) {
        add_timed(p, "figures of steps", COHORT_ARRAY(p->figures, logged, LOGGED));
        add(p, "steps of figures", COHORT_ARRAY(p->at, logged, LOGGED_AT));
    }
    if (c->plan->steps_per_run > 0)
        p->list[p->n++] = (cohort_checkpoint_part){ .name = "batches", .input = c->replay.input };
    return true;
}

static void end_parts(parts *p)
{
    free(p->history);
    free(p->figures);
    free(p->at);
}

/* ------------------------------------------------------------------ saving */

static void keep_figures(parts *p, const course *c)
{
    for (int64_t i = 0; i < p->epochs; i++) {
        const training_epoch *e = &c->out->epoch[i];
        const double row[HISTORY] = { e->training.loss, e->training.accuracy, e->validation.loss,
                                      e->validation.accuracy, e->time };
        memcpy(&p->history[i * HISTORY], row, sizeof row);
    }
    for (int64_t i = 0; i < p->logged; i++) {
        const training_steps *s = &c->out->steps[i];
        const double row[LOGGED] = { s->training.loss, s->training.accuracy, s->time };
        const int64_t at[LOGGED_AT] = { s->epoch, s->step };
        memcpy(&p->figures[i * LOGGED], row, sizeof row);
        memcpy(&p->at[i * LOGGED_AT], at, sizeof at);
    }
}

static int64_t steps_in_all(const course *c)
{
    return c->plan->epochs * course_steps_of_epoch(c);
}

/* The beginning and the end are waited for; another step is written while training goes on. */
static cohort_status save_parts(course *c, const parts *p)
{
    const cohort_checkpoint_options options = {
        .parts = p->list, .n_parts = p->n, .notes = &p->note, .n_notes = 1
    };
    if (c->step > 0 && c->step < steps_in_all(c))
        return cohort_checkpoint_manager_step(c->manager, c->step, NAN, &options);
    cohort_status status = cohort_checkpoint_manager_save(c->manager, c->step, NAN, &options);
    return status < 0 ? status : cohort_checkpoint_manager_wait(c->manager);
}

/* Seconds are those of training: of the epochs that are over, and of the one that is not. */
static bool save(course *c)
{
    parts p;
    cohort_status status = COHORT_ENOMEM;
    double now = progress_clock();
    bool is_inside = c->step % course_steps_of_epoch(c) != 0;
    if (begin_parts(&p, c, c->step / course_steps_of_epoch(c), c->out->n_steps)) {
        keep_figures(&p, c);
        p.seconds = c->out->seconds + (is_inside ? now - c->start : 0);
        status = save_parts(c, &p);
    }
    end_parts(&p);
    c->saved = c->step;
    c->start += progress_clock() - now;
    c->out->is_stopped = status == COHORT_END;
    return status == COHORT_OK;
}

bool course_keep(course *c)
{
    bool is_due =
        c->manager != NULL && c->step > c->saved &&
        (c->step == steps_in_all(c) || cohort_checkpoint_manager_due(c->manager, c->step));
    return !is_due || save(c);
}

/* The end is saved already, so that the step saves nothing: it tells a SIGTERM that came during the
 * last save or later. */
bool course_end(course *c)
{
    cohort_status status = COHORT_OK;
    if (c->manager != NULL)
        status = cohort_checkpoint_manager_step(c->manager, c->step, NAN, NULL);
    c->out->is_stopped = status == COHORT_END;
    return status == COHORT_OK;
}

/* ------------------------------------------------------------------ going on */

static bool refuse(const cohort_checkpoint *k, const char *what)
{
    (void)cohort_error_set(COHORT_EINVAL, "%s: %s", cohort_checkpoint_file(k), what);
    return false;
}

/* The rows of an array of it; -1: it has none of this name, or more than `most`. */
static int64_t rows_of(const cohort_checkpoint *k, const char *name, int64_t most)
{
    cohort_checkpoint_tensor t;
    for (int i = 0; cohort_checkpoint_tensor_at(k, i, &t); i++)
        if (strcmp(t.name, name) == 0)
            return t.rank == 2 && t.shape[0] <= most ? t.shape[0] : -1;
    return -1;
}

static bool check_settings(const course *c, const cohort_checkpoint *k)
{
    char here[SETTINGS_BYTES];
    const char *there = cohort_checkpoint_text(k, settings_key);
    describe(c, here);
    if (there == NULL)
        return refuse(k, "cohort demo has not saved it");
    if (strcmp(here, there) == 0)
        return true;
    (void)cohort_error_set(COHORT_EINVAL,
                           "%s is of another training, which does not go on here: it had %s; this "
                           "one has %s. Give the same options, or another folder",
                           cohort_checkpoint_file(k), there, here);
    return false;
}

static bool check_step(const course *c, const cohort_checkpoint *k)
{
    int64_t step = cohort_checkpoint_step(k), all = steps_in_all(c);
    if (step < 0)
        return refuse(k, "it has no step");
    if (step <= all)
        return true;
    (void)cohort_error_set(COHORT_EINVAL,
                           "%s: step %" PRId64 ", and %" PRId64 " epochs are %" PRId64
                           " steps; --epochs may be more than before, but not less than were done",
                           cohort_checkpoint_file(k), step, c->plan->epochs, all);
    return false;
}

/* Read first, since the input of recorded steps reads the rows in this order. */
static bool read_order(course *c, const cohort_checkpoint *k)
{
    if (cohort_checkpoint_read(k, "order", COHORT_ARRAY(c->order, c->data->rows)) != COHORT_OK)
        return false;
    for (int64_t i = 0; i < c->data->rows; i++)
        if (c->order[i] < 0 || c->order[i] >= c->data->rows)
            return refuse(k, "its order has a row that is none");
    course_gather(c);
    return true;
}

static void take_figures(const parts *p, course *c)
{
    for (int64_t i = 0; i < p->epochs; i++) {
        const double *row = &p->history[i * HISTORY];
        c->out->epoch[i] =
            (training_epoch){ { row[0], row[1] }, { row[2], row[3] }, .time = row[4] };
    }
    for (int64_t i = 0; i < p->logged; i++) {
        const double *row = &p->figures[i * LOGGED];
        const int64_t *at = &p->at[i * LOGGED_AT];
        c->out->steps[i] = (training_steps){ at[0], at[1], { row[0], row[1] }, row[2] };
    }
    c->out->n_steps = p->logged;
    c->out->seconds = p->seconds;
}

static bool restore(course *c, const cohort_checkpoint *k, int64_t epochs, int64_t logged)
{
    parts p;
    bool is_good = begin_parts(&p, c, epochs, logged);
    if (is_good) {
        const cohort_checkpoint_options options = { .parts = p.list, .n_parts = p.n };
        is_good = cohort_checkpoint_manager_restore(c->manager, &c->step, &options) == COHORT_OK;
    }
    if (is_good && c->step != cohort_checkpoint_step(k))
        is_good = refuse(k, "it is not the newest any more: another training saves there now");
    if (is_good)
        take_figures(&p, c);
    end_parts(&p);
    return is_good;
}

static bool go_on(course *c, const cohort_checkpoint *k)
{
    bool has_figures = c->plan->log_steps > 0;
    if (!check_settings(c, k) || !check_step(c, k) || !read_order(c, k))
        return false;
    int64_t epochs = rows_of(k, "history", c->plan->epochs);
    int64_t logged = has_figures ? rows_of(k, "figures of steps", c->out->most_steps) : 0;
    if (epochs != cohort_checkpoint_step(k) / course_steps_of_epoch(c) || logged < 0)
        return refuse(k, "its figures are not those of so many steps");
    if (!restore(c, k, epochs, logged))
        return false;
    c->saved = c->out->from_step = c->step;
    return true;
}

bool course_begin(course *c)
{
    if (c->plan->checkpoint == NULL)
        return true;
    c->manager = cohort_checkpoint_manager_create(
        c->nn.strategy, c->plan->checkpoint,
        &(cohort_checkpoint_manager_options){
            .every_steps = c->plan->every > 0 ? c->plan->every : course_steps_of_epoch(c),
            .stop_signal = SIGTERM });
    if (c->manager == NULL)
        return false;
    cohort_checkpoint *k;
    cohort_status status = cohort_checkpoint_open_for(c->nn.strategy, c->plan->checkpoint, &k);
    if (status == COHORT_END)
        return save(c);
    bool is_good = status == COHORT_OK && go_on(c, k);
    cohort_checkpoint_close(k);
    return is_good;
}
