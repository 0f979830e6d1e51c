/* SPDX-License-Identifier: BSD-3-Clause */
/* Parameter servers: a table of word vectors that no worker holds. The servers hold it in parts;
 * workers, each at its own pace, fetch the rows of a batch, and send back steps for these rows.
 *
 *     cohort launch --jobs worker=2,ps=2 parameter_server [WORDS]
 *
 * Now and then worker 0 lets the servers shrink the whole table where it is. The words that are
 * seen are spread over the table, and belong to groups: a pair has label 1 when both are of one
 * group, else 0, and the vectors learn to tell the two by their product (examples/embedding.c says
 * more). */
#include "random.h"

#include <cohort/cohort.h>
#include <cohort/math.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { SEEN = 120, GROUPS = 6, AXES = 32, BATCH = 256, BATCHES = 150, SHRINK = 50 };

COHORT_ITEMS(learn, i, n,
             (int64_t n, int64_t d, float rate, const float *a COHORT_SHAPE(n, d),
              const float *b COHORT_SHAPE(n, d), const float label[n],
              COHORT_OUT float *da COHORT_SHAPE(n, d), COHORT_OUT float *db COHORT_SHAPE(n, d)),
             {
                 float product = 0;
                 for (int64_t j = i * d; j < (i + 1) * d; j++)
                     product += a[j] * b[j];
                 float step = rate * (1 / (1 + cohort_expf(-product)) - label[i]);
                 for (int64_t j = i * d; j < (i + 1) * d; j++) {
                     da[j] = step * b[j];
                     db[j] = step * a[j];
                 }
             });

/* A row at a time. */
COHORT_ITEMS(shrink, i, n, (int64_t n, int64_t d, float by, float *w COHORT_SHAPE(n, d)), {
    for (int64_t j = i * d; j < (i + 1) * d; j++)
        w[j] -= by * w[j];
});

struct training {
    cohort_variable *table;
    cohort_value *left, *right, *label, *a, *b, *da, *db;
    int64_t stride; /* between two words that are seen */
};

/* Every other pair is of one group. */
static void draw(int64_t left[BATCH], int64_t right[BATCH], float label[BATCH], uint64_t *random)
{
    for (int i = 0; i < BATCH; i++) {
        label[i] = i % 2 == 0 ? 1 : 0;
        left[i] = random_below(random, SEEN);
        do
            right[i] = random_below(random, SEEN);
        while (left[i] == right[i] || (left[i] % GROUPS == right[i] % GROUPS) != (i % 2 == 0));
    }
}

static bool train_batch(struct training *t, cohort_strategy *s, uint64_t *random)
{
    int64_t left[BATCH], right[BATCH];
    float label[BATCH];
    draw(left, right, label, random);
    for (int i = 0; i < BATCH; i++) {
        left[i] *= t->stride;
        right[i] *= t->stride;
    }
    return !(cohort_value_set(t->left, COHORT_ARRAY(left, BATCH)) ||
             cohort_value_set(t->right, COHORT_ARRAY(right, BATCH)) ||
             cohort_value_set(t->label, COHORT_ARRAY(label, BATCH)) ||
             cohort_variable_gather(t->table, t->left, t->a) ||
             cohort_variable_gather(t->table, t->right, t->b) ||
             cohort_run(s, learn, 0.1f, t->a, t->b, t->label, t->da, t->db) ||
             cohort_variable_scatter_sub(t->table, t->left, t->da) ||
             cohort_variable_scatter_sub(t->table, t->right, t->db));
}

/* Mean cosine of two words of one group, less that of two groups: 0 of vectors by chance. */
static double check(float seen[SEEN][AXES])
{
    double sum[2] = { 0 }, count[2] = { 0 };
    for (int i = 0; i < SEEN; i++)
        for (int j = 0; j < i; j++) {
            double ab = 0, aa = 0, bb = 0;
            for (int k = 0; k < AXES; k++) {
                ab += (double)seen[i][k] * (double)seen[j][k];
                aa += (double)seen[i][k] * (double)seen[i][k];
                bb += (double)seen[j][k] * (double)seen[j][k];
            }
            sum[i % GROUPS == j % GROUPS] += ab / sqrt(aa * bb);
            count[i % GROUPS == j % GROUPS]++;
        }
    return sum[1] / count[1] - sum[0] / count[0];
}

/* The table is zeros when it is made, so that nobody has to hold it; worker 0 gives the words that
 * are seen vectors by chance. */
static bool create(struct training *t, cohort_strategy *s, int worker, int64_t words, int shards)
{
    static float initial[SEEN][AXES];
    int64_t ids[SEEN];
    float zeros[BATCH] = { 0 };
    uint64_t random = 7;
    cohort_placement cut = cohort_placement_fixed_shards(shards);
    cohort_array shape = { .dtype = COHORT_F32, .rank = 2, .shape = { words, AXES } };
    t->stride = words / SEEN;
    t->table =
        cohort_variable_create(s, "table", shape, &(cohort_variable_options){ .placement = &cut });
    t->left = cohort_value_split(s, COHORT_ARRAY((int64_t[BATCH]){ 0 }, BATCH));
    t->right = cohort_value_split(s, COHORT_ARRAY((int64_t[BATCH]){ 0 }, BATCH));
    t->label = cohort_value_split(s, COHORT_ARRAY(zeros, BATCH));
    t->a = cohort_value_create(s);
    t->b = cohort_value_create(s);
    t->da = cohort_value_create(s);
    t->db = cohort_value_create(s);
    for (int i = 0; i < SEEN; i++) {
        ids[i] = i * t->stride;
        for (int k = 0; k < AXES; k++)
            initial[i][k] = random_uniform(&random, 0.5f);
    }
    return worker != 0 ||
           cohort_variable_scatter_add(t->table, COHORT_ARRAY(ids, SEEN),
                                       COHORT_ARRAY(&initial[0][0], SEEN, AXES)) == COHORT_OK;
}

/* How far the groups are apart in the end; negative: something has failed. */
static double train(cohort_strategy *s, int worker, int64_t words, int shards)
{
    static float seen[SEEN][AXES];
    int64_t ids[SEEN];
    struct training t;
    uint64_t random = (uint64_t)worker + 1;
    bool is_good = create(&t, s, worker, words, shards);
    for (int i = 1; i <= BATCHES && is_good; i++)
        is_good = train_batch(&t, s, &random) &&
                  (worker > 0 || i % SHRINK > 0 || !cohort_update(t.table, shrink, 0.01, t.table));
    for (int i = 0; i < SEEN; i++)
        ids[i] = i * t.stride;
    cohort_value *rows = cohort_value_create(s);
    is_good = is_good && !cohort_variable_gather(t.table, COHORT_ARRAY(ids, SEEN), rows) &&
              !cohort_value_read(rows, COHORT_ARRAY(&seen[0][0], SEEN, AXES));
    return is_good ? check(seen) : -1;
}

static int work(cohort_resolver *cluster, int64_t words)
{
    struct rusage used;
    int worker = cohort_resolver_task_id(cluster),
        servers = cohort_resolver_num_tasks(cluster, "ps");
    cohort_strategy *s = cohort_parameter_server(cluster, NULL);
    double apart = s != NULL ? train(s, worker, words, 2 * servers) : -1;
    if (apart < 0)
        return fprintf(stderr, "parameter_server: %s\n", cohort_error_text()), 1;
    (void)getrusage(RUSAGE_SELF, &used);
    printf("worker %d: table of %.0f MB on %d servers, %.0f MB used here; groups %.3f apart\n",
           worker, (double)words * AXES * 4 / 1e6, servers, (double)used.ru_maxrss / 1e3, apart);
    cohort_strategy_destroy(s);
    return apart > 0.1 ? 0 : 1;
}

int main(int argc, char **argv)
{
    static const cohort_function *const functions[] = { shrink, NULL };
    int64_t words = argc > 1 ? strtoll(argv[1], NULL, 10) : 4000000;
    if (argc > 2 || words < SEEN)
        return fprintf(stderr, "usage: parameter_server [WORDS, at least %d]\n", SEEN), 2;
    cohort_resolver *cluster = cohort_resolver_mpi(COHORT_MPI_WORLD);
    if (cluster == NULL)
        return fprintf(stderr, "parameter_server: %s\n", cohort_error_text()), 1;
    int code = 0;
    if (strcmp(cohort_resolver_task_type(cluster), "worker") == 0)
        code = work(cluster, words);
    else if (cohort_server_run(cluster, &(cohort_server_options){ .functions = functions }) < 0)
        code = fprintf(stderr, "parameter_server: %s\n", cohort_error_text()) < 0 ? 2 : 1;
    cohort_resolver_destroy(cluster);
    return code;
}
