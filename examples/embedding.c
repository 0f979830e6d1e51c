/* SPDX-License-Identifier: BSD-3-Clause */
/* Central storage: a table of word vectors that stays on one device while all others compute. Only
 * the rows that a batch names travel: out of the table with a gather, into it with a scatter.
 *
 * The words belong to groups. A pair of words is seen together (label 1) when both are of one
 * group, else not (label 0); the vectors learn to tell the two by their product. Source: Mikolov et
 * al., "Distributed representations of words and phrases and their compositionality", 2013
 * (negative sampling, one table). */
#include "digest.h"
#include "options.h"
#include "random.h"

#include <cohort/math.h>

#include <math.h>

enum { WORDS = 240, GROUPS = 6, AXES = 8, PAIRS = 8192, BATCH = 256, EPOCHS = 12 };

/* Both gradients, times the learning rate, and the loss of each pair. */
COHORT_ITEMS(learn, i, n,
             (int64_t n, int64_t d, float rate, const float *a COHORT_SHAPE(n, d),
              const float *b COHORT_SHAPE(n, d), const float label[n],
              COHORT_OUT float *da COHORT_SHAPE(n, d), COHORT_OUT float *db COHORT_SHAPE(n, d),
              COHORT_OUT float loss[n]),
             {
                 float product = 0;
                 for (int64_t j = i * d; j < (i + 1) * d; j++)
                     product += a[j] * b[j];
                 float p = 1 / (1 + cohort_expf(-product));
                 float step = rate * (p - label[i]);
                 for (int64_t j = i * d; j < (i + 1) * d; j++) {
                     da[j] = step * b[j];
                     db[j] = step * a[j];
                 }
                 loss[i] = -cohort_logf(label[i] > 0 ? p : 1 - p);
             });

/* ------------------------------------------------------------------ pairs */

struct pairs {
    int32_t left[PAIRS], right[PAIRS];
    float label[PAIRS];
};

static int group_of(int64_t word)
{
    return (int)(word % GROUPS);
}

/* Every other pair is of one group. */
static void draw(struct pairs *pairs, uint64_t *random)
{
    for (int i = 0; i < PAIRS; i++) {
        int64_t left = random_below(random, WORDS), right;
        do
            right = random_below(random, WORDS);
        while (left == right || (group_of(left) == group_of(right)) != (i % 2 == 0));
        pairs->left[i] = (int32_t)left;
        pairs->right[i] = (int32_t)right;
        pairs->label[i] = i % 2 == 0 ? 1 : 0;
    }
}

/* ------------------------------------------------------------------ training */

struct training {
    cohort_variable *table;
    cohort_value *left, *right, *label, *a, *b, *da, *db, *loss;
    cohort_metric *mean_loss;
};

static bool create(struct training *t, cohort_strategy *s, const struct pairs *pairs,
                   uint64_t *random)
{
    float initial[WORDS * AXES];
    for (int i = 0; i < WORDS * AXES; i++)
        initial[i] = random_uniform(random, 0.5f);
    *t = (struct training){ cohort_variable_create(s, "table", COHORT_ARRAY(initial, WORDS, AXES),
                                                   NULL),
                            cohort_value_split(s, COHORT_ARRAY(pairs->left, BATCH)),
                            cohort_value_split(s, COHORT_ARRAY(pairs->right, BATCH)),
                            cohort_value_split(s, COHORT_ARRAY(pairs->label, BATCH)),
                            cohort_value_create(s),
                            cohort_value_create(s),
                            cohort_value_create(s),
                            cohort_value_create(s),
                            cohort_value_create(s),
                            cohort_metric_create(s, "mean", "loss") };
    return t->table && t->left && t->right && t->label && t->a && t->b && t->da && t->db &&
           t->loss && t->mean_loss;
}

/* Calls return 0 when all is well, so a list of them joined by || ends at the first that fails. */
static bool train_batch(struct training *t, cohort_strategy *s, const struct pairs *pairs,
                        int first)
{
    return !(cohort_value_set(t->left, COHORT_ARRAY(&pairs->left[first], BATCH)) ||
             cohort_value_set(t->right, COHORT_ARRAY(&pairs->right[first], BATCH)) ||
             cohort_value_set(t->label, COHORT_ARRAY(&pairs->label[first], BATCH)) ||
             cohort_variable_gather(t->table, t->left, t->a) ||
             cohort_variable_gather(t->table, t->right, t->b) ||
             cohort_run(s, learn, 0.1f, t->a, t->b, t->label, t->da, t->db, t->loss) ||
             cohort_variable_scatter_sub(t->table, t->left, t->da) ||
             cohort_variable_scatter_sub(t->table, t->right, t->db) ||
             cohort_metric_update(t->mean_loss, t->loss, NULL));
}

static bool train(cohort_strategy *s, const struct pairs *pairs, uint64_t *random, float *out_table,
                  double *out_loss)
{
    struct training t;
    if (!create(&t, s, pairs, random))
        return false;
    for (int epoch = 1; epoch <= EPOCHS; epoch++) {
        if (cohort_metric_reset(t.mean_loss))
            return false;
        for (int first = 0; first < PAIRS; first += BATCH)
            if (!train_batch(&t, s, pairs, first))
                return false;
        *out_loss = cohort_metric_result(t.mean_loss); /* the only wait */
        printf("epoch %d loss %.6f\n", epoch, *out_loss);
    }
    return cohort_variable_read(t.table, COHORT_ARRAY(out_table, WORDS, AXES)) == COHORT_OK;
}

/* ------------------------------------------------------------------ what came out */

static double similarity(const float a[AXES], const float b[AXES])
{
    double ab = 0, aa = 0, bb = 0;
    for (int j = 0; j < AXES; j++) {
        ab += (double)a[j] * (double)b[j];
        aa += (double)a[j] * (double)a[j];
        bb += (double)b[j] * (double)b[j];
    }
    return ab / sqrt(aa * bb);
}

/* Mean cosine of two words of one group, and of two groups. */
static bool check(const float *table, double loss)
{
    double sum[2] = { 0 }, count[2] = { 0 };
    for (int i = 0; i < WORDS; i++)
        for (int j = 0; j < i; j++) {
            int is_same = group_of(i) == group_of(j);
            sum[is_same] += similarity(&table[i * AXES], &table[j * AXES]);
            count[is_same]++;
        }
    double same = sum[1] / count[1], other = sum[0] / count[0];
    printf("similarity within groups %.3f, between them %.3f\n", same, other);
    printf("digest %016llx\n", (unsigned long long)digest_floats(table, (int64_t)WORDS * AXES));
    return loss < 0.4 && same > 0.8 && other < 0.2;
}

int main(int argc, char **argv)
{
    static struct pairs pairs;
    static float table[WORDS * AXES];
    cohort_strategy_options options = { .name = "central" };
    uint64_t random = 1;
    double loss = NAN;
    int code = options_read(argc, argv,
                            "Learn vectors of 240 words; here the default is --strategy central.",
                            &options);
    if (code != OPTIONS_RUN)
        return code;
    draw(&pairs, &random);
    cohort_strategy *s = cohort_strategy_create(&options);
    if (s != NULL)
        options_print_strategy(&options, s);
    bool is_done = s != NULL && train(s, &pairs, &random, table, &loss);
    if (!is_done)
        fprintf(stderr, "embedding: %s\n", cohort_error_text());
    cohort_strategy_destroy(s);
    return is_done && check(table, loss) ? EXIT_SUCCESS : OPTIONS_FAILED;
}
