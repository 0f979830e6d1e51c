/* SPDX-License-Identifier: BSD-3-Clause */
/* The last words of cohort demo: the same facts for people and as JSON. */
#include "config.h"

#include "cli/demo.h"
#include "cli/json.h"
#include "cli/scale.h"
#include "cli/visible.h"

#include <inttypes.h>
#include <string.h>

typedef struct difference {
    double largest, relative; /* to the largest weight of the training on one device */
} difference;

/* What is no number is larger than all numbers. */
static double larger(double a, double b)
{
    return isnan(a) || b <= a ? a : b;
}

/* Equal bits first: two NaN at one place are equal weights, but their difference is no number. */
static difference compare(const demo *d)
{
    difference out = { 0, 0 };
    double weight = 0;
    if (memcmp(d->all.weights, d->one.weights, (size_t)d->all.n_weights * sizeof *d->all.weights) ==
        0)
        return out;
    for (int64_t i = 0; i < d->all.n_weights; i++) {
        weight = larger(weight, fabs((double)d->one.weights[i]));
        out.largest =
            larger(out.largest, fabs((double)d->all.weights[i] - (double)d->one.weights[i]));
    }
    out.relative = out.largest / weight;
    return out;
}

static uint64_t digest_of(const training *t)
{
    return nn_digest(t->weights, t->n_weights);
}

static const char *digest_text(const training *t, char text[17])
{
    snprintf(text, 17, "%016" PRIx64, digest_of(t));
    return text;
}

/* Of all rows of all epochs, since the last batch of an epoch may be divided unevenly. */
static double share(const demo *d, int device)
{
    return (double)d->all.device[device].rows /
           ((double)samples_training_rows(&d->data) * (double)d->plan.epochs);
}

static void print_devices_json(const demo *d, json *out)
{
    json_array(out, "devices");
    for (int i = 0; i < d->all.devices; i++) {
        json_object(out, NULL);
        json_text(out, "id", d->all.device[i].id);
        json_integer(out, "replicas", d->all.device[i].replicas);
        json_integer(out, "rows", d->all.device[i].rows);
        json_real(out, "share", share(d, i));
        json_object_end(out);
    }
    json_array_end(out);
}

static const training_epoch *last_epoch(const demo *d)
{
    return &d->all.epoch[d->plan.epochs - 1];
}

static void print_history_json(const demo *d, json *out)
{
    json_array(out, "history");
    for (int64_t i = 0; i < d->plan.epochs; i++) {
        const training_epoch *e = &d->all.epoch[i];
        json_object(out, NULL);
        json_integer(out, "epoch", i + 1);
        json_real(out, "loss", e->training.loss);
        json_real(out, "accuracy", e->training.accuracy);
        json_real(out, "validation_loss", e->validation.loss);
        json_real(out, "validation_accuracy", e->validation.accuracy);
        json_object_end(out);
    }
    json_array_end(out);
}

static void print_json(const demo *d)
{
    char digest[17];
    const confusion mistakes = demo_confusion(d);
    json out = { .file = stdout };
    json_object(&out, NULL);
    json_integer(&out, "schema", 1);
    json_text(&out, "strategy", d->strategy);
    json_integer(&out, "replicas", d->num_replicas);
    print_devices_json(d, &out);
    if (d->input.files != NULL) {
        json_text(&out, "data", d->input.files);
        json_integer(&out, "features", d->data.features);
        json_integer(&out, "classes", d->data.classes);
        json_text(&out, "scale", scale_name(d->data.scale));
    }
    json_integer(&out, "epochs", d->plan.epochs);
    json_integer(&out, "batch", d->plan.batch);
    if (d->plan.steps_per_run > 0)
        json_integer(&out, "steps_per_run", d->plan.steps_per_run);
    if (d->guard != COHORT_GUARD_PROPAGATE)
        json_text(&out, "guard", demo_guard_name(d->guard));
    if (d->guard == COHORT_GUARD_SKIP)
        json_integer(&out, "skipped", d->all.skipped);
    if (d->plan.checkpoint != NULL) {
        json_text(&out, "checkpoint", d->plan.checkpoint);
        json_integer(&out, "from_step", d->all.from_step);
    }
    json_integer(&out, "seed", (int64_t)d->plan.seed);
    json_real(&out, "test_accuracy", last_epoch(d)->validation.accuracy);
    json_real(&out, "final_loss", last_epoch(d)->training.loss);
    print_history_json(d, &out);
    confusion_json(&mistakes, &out);
    json_text(&out, "digest", digest_text(&d->all, digest));
    json_real(&out, "largest_difference", compare(d).relative);
    json_object(&out, "one_device");
    json_text(&out, "id", d->one_device);
    json_text(&out, "digest", digest_text(&d->one, digest));
    json_real(&out, "max_weight_difference", compare(d).largest);
    json_object_end(&out);
    json_array(&out, "files");
    json_text(&out, NULL, d->file);
    json_text(&out, NULL, d->confusion_file);
    for (int i = 0; i < d->log.files; i++)
        json_text(&out, NULL, d->log.file[i]);
    json_array_end(&out);
    json_real(&out, "seconds", d->all.seconds);
    if (d->stats != NULL)
        json_number(&out, "stats", d->stats);
    json_object_end(&out);
}

static void print_path(const char *path)
{
    printf(" ");
    visible_print(stdout, path, strlen(path));
}

static void print_checkpoint(const demo *d)
{
    printf("  checkpoints in");
    print_path(d->plan.checkpoint);
    if (d->all.from_step > 0)
        printf(": went on from step %" PRId64 "\n", d->all.from_step);
    else
        printf(": from the beginning\n");
}

static void print_text(const demo *d)
{
    char digest[17];
    const confusion mistakes = demo_confusion(d);
    bool is_equal = digest_of(&d->all) == digest_of(&d->one);
    if (d->plan.checkpoint != NULL)
        print_checkpoint(d);
    if (d->guard == COHORT_GUARD_SKIP)
        printf("  %" PRId64 " of %" PRId64 " steps skipped for a NaN or an infinity\n",
               d->all.skipped, d->plan.epochs * d->all.steps_per_epoch - d->all.from_step);
    for (int i = 0; i < d->all.devices; i++)
        printf("  %-12s %d replica%s, %" PRId64 " rows, %.1f %%\n", d->all.device[i].id,
               d->all.device[i].replicas, d->all.device[i].replicas == 1 ? "" : "s",
               d->all.device[i].rows, 100 * share(d, i));
    confusion_print(&mistakes, stdout);
    printf("test accuracy %.3f, training loss %.4f, %.1f s, digest %s\n",
           last_epoch(d)->validation.accuracy, last_epoch(d)->training.loss, d->all.seconds,
           digest_text(&d->all, digest));
    printf("same training on %s alone: digest %s%s, largest weight difference %g", d->one_device,
           is_equal ? "equal" : "differs, ", is_equal ? "" : digest_text(&d->one, digest),
           compare(d).largest);
    printf(is_equal ? "\n" : ", %.2g of the largest weight\n", compare(d).relative);
    if (d->stats != NULL)
        fputs(d->stats, stdout);
    printf("wrote");
    print_path(d->file);
    print_path(d->confusion_file);
    for (int i = 0; i < d->log.files; i++)
        print_path(d->log.file[i]);
    printf("\n");
    printf("next: cohort devices, cohort demo --help, %s\n",
           d->input.files != NULL ? "cohort data --help"
                                  : "examples/train_digits.c, your own data with --data");
}

void demo_report(const demo *d)
{
    if (d->wants_json)
        print_json(d);
    else
        print_text(d);
}
