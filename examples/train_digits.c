/* SPDX-License-Identifier: BSD-3-Clause */
/* Train a network on handwritten digits over several devices, of several processes where mpirun has
 * started them: what `cohort demo` does, without its
 * surroundings.
 *
 * usage: train_digits digits.csv [DEVICES [REPLICAS [SEED]]] such as: train_digits digits.csv
 * host/2 4 7
 * on two processes: cohort launch -n 2 train_digits digits.csv
 *
 * nn.h has the network and its step. */
#include "nn.h"

#include <stdio.h>
#include <stdlib.h>

enum { IMAGES = 1797, TRAIN = 1437, TEST = IMAGES - TRAIN, BATCH = 32, EPOCHS = 25 };
static const double rate = 0.15, decay = 0.9;

struct images {
    float x[IMAGES][NN_PIXELS];
    int32_t y[IMAGES];
};

/* A line is 64 pixels of 0 to 16 and the label. */
static bool read_image(FILE *file, float *pixels, int32_t *label)
{
    int number;
    for (int j = 0; j < NN_PIXELS; j++) {
        if (fscanf(file, "%d,", &number) != 1)
            return false;
        pixels[j] = (float)number / 16;
    }
    if (fscanf(file, "%d", &number) != 1)
        return false;
    *label = number;
    return number >= 0 && number < NN_CLASSES;
}

static bool read_images(const char *path, struct images *out)
{
    FILE *file = fopen(path, "r");
    bool is_good = file != NULL;
    for (int i = 0; is_good && i < IMAGES; i++)
        is_good = read_image(file, out->x[i], &out->y[i]);
    if (file != NULL)
        fclose(file);
    return is_good;
}

/* Of several processes one speaks. */
static bool is_chief(const cohort_strategy *strategy)
{
    return (cohort_strategy_role(strategy) & COHORT_SHOULD_SAVE_SUMMARY) != 0;
}

/* The batches are borrowed pieces of `epoch`, which may change again after cohort_wait. */
static bool train_epoch(struct nn *nn, struct images *epoch, int number)
{
    double loss, accuracy;
    for (int first = 0; first < TRAIN; first += BATCH) {
        int rows = TRAIN - first < BATCH ? TRAIN - first : BATCH; /* the last batch has 29 */
        if (!nn_step(nn, epoch->x[first], &epoch->y[first], rows, rate, decay))
            return false;
    }
    if (!nn_take(nn->mean_loss, &loss) || !nn_take(nn->accuracy, &accuracy) ||
        cohort_wait(nn->strategy) != COHORT_OK)
        return false;
    if (is_chief(nn->strategy))
        printf("epoch %d loss %.4f accuracy %.3f\n", number, loss, accuracy);
    return true;
}

static bool test(struct nn *nn, const struct images *images)
{
    double accuracy;
    static float weights[NN_WEIGHTS];
    if (!nn_evaluate(nn, images->x[0], images->y, TEST, &accuracy) || !nn_read(nn, weights))
        return false;
    if (is_chief(nn->strategy))
        printf("test accuracy %.3f, digest %016llx\n", accuracy,
               (unsigned long long)nn_digest(weights, NN_WEIGHTS));
    return true;
}

/* Shuffled before they are split: in the order of the file the last writers are new to the
 * network. */
static bool train(cohort_strategy *strategy, const struct images *all, uint64_t random)
{
    static struct images epoch;
    static int32_t order[IMAGES];
    struct nn nn;
    for (int i = 0; i < IMAGES; i++)
        order[i] = i;
    random_shuffle(order, IMAGES, &random);
    if (!nn_create(&nn, strategy, NN_PIXELS, NN_CLASSES, &random))
        return false;
    for (int number = 1; number <= EPOCHS; number++) {
        random_shuffle(order, TRAIN, &random);
        nn_gather(all->x[0], NN_PIXELS, all->y, order, TRAIN, epoch.x[0], epoch.y);
        if (!train_epoch(&nn, &epoch, number))
            return false;
    }
    nn_gather(all->x[0], NN_PIXELS, all->y, &order[TRAIN], TEST, epoch.x[0], epoch.y);
    return test(&nn, &epoch);
}

int main(int argc, char **argv)
{
    static struct images all;
    const char *path = argc > 1 ? argv[1] : "digits.csv";
    cohort_strategy_options options = { .name = "multi-worker-mirrored",
                                        .devices = argc > 2 ? argv[2] : NULL,
                                        .replicas = argc > 3 ? atoi(argv[3]) : 0 };
    if (!read_images(path, &all)) {
        fprintf(stderr, "train_digits: %s: cannot be read, or has not %d images\n", path, IMAGES);
        return EXIT_FAILURE;
    }
    cohort_strategy *strategy = cohort_strategy_create(&options);
    bool is_good =
        strategy != NULL && train(strategy, &all, argc > 4 ? strtoull(argv[4], NULL, 10) : 1);
    if (!is_good)
        fprintf(stderr, "train_digits: %s\n", cohort_error_text());
    cohort_strategy_destroy(strategy);
    return is_good ? EXIT_SUCCESS : EXIT_FAILURE;
}
