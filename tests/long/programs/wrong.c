/* SPDX-License-Identifier: BSD-3-Clause */
/* Wrong calls: refused at once, with no effect. */
#include "config.h"

#include "tests/long/programs/programs.h"

#define wrong(call) (void)judge((call), COHORT_EINVAL, "%s", #call)
#define wrong_made(call) (void)judge_made((call) != NULL, COHORT_EINVAL, "%s", #call)

static void wrong_value(cohort_strategy *s, const model_value *m)
{
    static double y[MOST + 1];
    cohort_value *x = m->value;
    switch (draw(11)) {
    case 0:
        wrong(cohort_run(s, twice[F32], x));
        break;
    case 1:
        wrong(cohort_run(s, twice[F64], x, (cohort_value *)NULL));
        break;
    case 2:
        wrong(cohort_run(s, twice[I32], x, x));
        break;
    case 3:
        faults_release();
        wrong(cohort_value_read(x, COHORT_ARRAY(y, MOST + 1)));
        break;
    case 4:
        wrong(cohort_reduce(COHORT_SUM, x, 0, x));
        break;
    case 5:
        wrong(cohort_reduce((cohort_reduce_op)99, x, 0, NULL));
        break;
    case 6:
        wrong(cohort_gather(x, 5, NULL));
        break;
    case 7:
        wrong(cohort_value_set(x, 1.5L));
        break;
    case 8:
        wrong(cohort_run(s, (const cohort_function *)NULL, x));
        break;
    case 9:
        wrong(cohort_broadcast(s, x, COHORT_AT("nobody:0"), x));
        break;
    default:
        wrong_made(cohort_value_split(s, (cohort_array){ .dtype = COHORT_F32, .data = y }));
    }
}

static void wrong_variable(cohort_strategy *s, const model_variable *v)
{
    static double y[MAX_WIDTH + 1];
    static int32_t ids[3];
    cohort_variable *w = v->variable;
    switch (draw(9)) {
    case 0:
        wrong(cohort_variable_assign(w, array_of(y, v->type, v->width + 1)));
        break;
    case 1:
        wrong(cohort_update(w, grow[v->type], w));
        break;
    case 2:
        wrong(cohort_update(w, grow[v->type], 0.5, w));
        break;
    case 3:
        wrong(cohort_variable_scatter_add(w, COHORT_ARRAY(ids, 3), array_of(y, v->type, 2)));
        break;
    case 4:
        faults_release();
        wrong(cohort_variable_read(w, array_of(y, v->type, v->width + 1)));
        break;
    case 5:
        wrong_made(cohort_variable_create(s, "", COHORT_ARRAY(y, 1), NULL));
        break;
    case 6:
        wrong_made(cohort_variable_create(s, cohort_variable_name(w), COHORT_ARRAY(y, 1), NULL));
        break;
    case 7:
        wrong(cohort_variable_assign(w, (cohort_value *)NULL));
        break;
    default:
        wrong(cohort_for_each_replica(s, NULL, NULL));
    }
}

static void wrong_other(cohort_strategy *s)
{
    switch (draw(4)) {
    case 0:
        wrong_made(cohort_metric_create(s, "median", "n"));
        break;
    case 1:
        wrong_made(cohort_distribute_dataset(s, NULL));
        break;
    case 2:
        wrong_made(cohort_distribute_dataset(
            s, cohort_dataset_batch(cohort_dataset_range(0, 5, 0), 2, false)));
        break;
    default:
        wrong(cohort_metric_update(p->metric.metric, NULL, NULL));
    }
}

void call_wrong(void)
{
    const model_value *m = any_value();
    const model_variable *v = any_variable();
    int which = draw(5);
    if (which < 2 && m != NULL)
        wrong_value(p->s, m);
    else if (which < 4 && v != NULL)
        wrong_variable(p->s, v);
    else
        wrong_other(p->s);
}
