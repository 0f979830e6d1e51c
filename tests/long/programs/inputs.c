/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of a metric and of an input, whose dataset may fail at a row. */
#include "config.h"

#include "tests/long/programs/programs.h"

/* ------------------------------------------------------------------ a metric: the sum of what it
 * was given */

static void push(int64_t next)
{
    model_metric *m = &p->metric;
    if (m->n == HISTORY) {
        memmove(m->history, m->history + 1, sizeof m->history - sizeof *m->history);
        m->first++;
        m->n--;
        m->seen -= m->seen > 0;
    }
    m->history[m->n++] = next;
}

static void update_metric(model_metric *m)
{
    const model_value *x = any_content();
    if (x == NULL || x->kind == EMPTY || x->kind == UNREADABLE)
        return;
    int64_t sum = m->history[m->n - 1];
    for (int i = 0; i < total(x); i++)
        sum += x->data[i];
    if (judge(cohort_metric_update(m->metric, x->value, NULL), COHORT_OK,
              "cohort_metric_update(m, x%d, NULL)", (int)(x - p->values)) != REFUSED)
        push(sum); /* a failed one may have come as far as the total, and not to the count */
}

static void ask_metric(model_metric *m)
{
    faults_release();
    double found = cohort_metric_result(m->metric);
    bool is_number = found == found;
    if (judge_made(is_number, COHORT_OK, "cohort_metric_result(m)") != ACCEPTED)
        return;
    if (found != (double)m->history[m->n - 1])
        mismatch("the metric is %g, not %lld", found, (long long)m->history[m->n - 1]);
}

void call_metric(void)
{
    model_metric *m = &p->metric;
    switch (draw(4)) {
    case 0:
        ask_metric(m);
        break;
    case 1:
        if (judge(cohort_metric_reset(m->metric), COHORT_OK, "cohort_metric_reset(m)") != REFUSED)
            push(0);
        break;
    default:
        if (m->n == HISTORY && m->seen == 0)
            ask_metric(m);
        else
            update_metric(m);
    }
}

/* ------------------------------------------------------------------ an input */

static cohort_status begin(void **state, void *user)
{
    (void)user;
    *state = calloc(1, sizeof(int));
    return *state != NULL ? COHORT_OK : COHORT_ENOMEM;
}

static void end(void *state, void *user)
{
    (void)user;
    free(state);
}

static cohort_status next_row(cohort_array out[], void *state, void *user)
{
    const model_input *m = user;
    int row = (*(int *)state)++;
    if (row == m->fails_at)
        return cohort_error_set(COHORT_EINVAL, "row %d is drawn to fail", row);
    if (row >= m->rows)
        return COHORT_END;
    *(int32_t *)out[0].data = row % 1000;
    return COHORT_OK;
}

static void open_input(model_input *m)
{
    static const cohort_spec spec = { .dtype = COHORT_I32 };
    cohort_input_destroy(m->input);
    *m = (model_input){ .rows = 1 + draw(60), .batch = 1 + draw(20), .fails_at = -1 };
    if (draw(2) == 1)
        m->fails_at = draw(m->rows);
    cohort_dataset *rows = cohort_dataset_generator(
        &spec, 1, &(cohort_generator){ .begin = begin, .next = next_row, .end = end, .user = m });
    m->input = cohort_distribute_dataset_with(p->s, cohort_dataset_batch(rows, m->batch, false),
                                              &(cohort_input_options){ .ahead = draw(3) - 1 });
    (void)judge_made(m->input != NULL, COHORT_OK,
                     "input = cohort_distribute_dataset(s, %d rows in batches of %d; row %d fails)",
                     m->rows, m->batch, m->fails_at);
}

static void share(model_value *x, const model_input *m, int rows)
{
    for (int i = 0; i < rows; i++)
        x->data[i] = (m->position + i) % 1000;
    for (int r = 0, left = rows; r < p->replicas; r++) {
        int room = m->batch / p->replicas + (r < m->batch % p->replicas);
        x->n[r] = left < room ? left : room;
        left -= x->n[r];
    }
    become(x, PER_REPLICA, I32, 1);
}

static void next_batch(model_input *m)
{
    model_value *x = any_value();
    if (x == NULL)
        return;
    int left = m->rows - m->position, rows = left < m->batch ? left : m->batch;
    bool fails = m->fails_at >= 0 && m->fails_at < m->position + rows;
    cohort_status status = cohort_input_next(m->input, &x->value);
    verdict was = judge(status, fails ? COHORT_EINVAL : COHORT_OK, "cohort_input_next(input, x%d)",
                        (int)(x - p->values));
    x->may_be_lost |= was == FAILED;
    if (was != ACCEPTED)
        return;
    if (status != (rows == 0 ? COHORT_END : COHORT_OK) || cohort_input_rows(m->input) != rows)
        mismatch("%lld rows, not %d", (long long)cohort_input_rows(m->input), rows);
    if (rows == 0)
        return;
    share(x, m, rows);
    m->position += rows;
}

void call_input(void)
{
    model_input *m = &p->input;
    if (m->input == NULL || draw(12) == 0)
        open_input(m);
    else if (draw(8) > 0)
        next_batch(m);
    else if (judge(cohort_input_initialize(m->input), COHORT_OK,
                   "cohort_input_initialize(input)") == ACCEPTED)
        m->position = 0;
}
