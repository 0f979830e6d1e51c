/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort demo: train a small network on real digits over all chosen devices, and compare with one device. */
#include "config.h"

#include "cli/chart.h"
#include "cli/cli.h"
#include "cli/json.h"
#include "cli/output.h"
#include "cli/training.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_EPOCHS = 100000, MOST_REPLICAS = 65536 };

static const char help[] =
    "usage: cohort demo [OPTION...]\n"
    "\n"
    "Train a 64-64-10 network on 1,797 images of handwritten digits over the devices, then train it again on the host\n"
    "alone and compare: for a given number of replicas the weights are equal to the last bit.\n"
    "\n"
    "  --strategy NAME    mirrored, central, one-device, round-robin or sharded: where the weights live; one-device\n"
    "                     wants one device; default: mirrored\n"
    "  --devices LIST     device ids separated by commas, such as host/2 or host,opencl:0; default: the default\n"
    "                     devices, and the host cut in two where there is nothing else\n"
    "  --replicas N       replicas, at least one per device, up to 65536; default: one per device\n"
    "  --epochs N         passes over the training images, 1 to 100000; default: 25\n"
    "  --batch N          images of a step, over all replicas; default: 32\n"
    "  --seed N           start of all random numbers, 0 to 9223372036854775807; default: 1\n"
    "  --output-dir PATH  folder for loss.svg; default: the current one\n"
    "  --json             one JSON object on stdout: schema, strategy, replicas, devices, epochs, batch, seed,\n"
    "                     test_accuracy, final_loss, digest, largest_difference, one_device, files, seconds\n"
    "  --help             this text\n"
    "\n"
    "Progress goes to stderr: a bar on a terminal, else one line per epoch (none with --json).\n"
    "Exit codes: 0 fine, 1 failed, 2 wrong usage, 3 no usable device.\n";

typedef struct demo {
    const char *strategy;
    const char *devices; /* NULL: the default devices */
    int32_t replicas;
    training_plan plan;
    const char *folder;
    bool wants_json;
    char file[4096]; /* the loss curve */
    char one_device[64];
    digits data;
    int num_replicas;
    training all, one;
} demo;

/* ------------------------------------------------------------------ options */

static bool take_number(const char *option, const char *text, uint64_t least, uint64_t most, int64_t *out)
{
    uint64_t number;
    if (!cli_integer(option, text, least, most, &number))
        return false;
    *out = (int64_t)number;
    return true;
}

enum { STRATEGY = 1, DEVICES, REPLICAS, EPOCHS, BATCH, SEED, OUTPUT_DIR, JSON };

/* The names of strategies are those of placements. */
static bool take_strategy(demo *d, const char *text)
{
    d->strategy = text;
    if (cohort_placement_find(text) != NULL)
        return true;
    cli_fail(EXIT_USAGE, "--strategy %s: expected mirrored, central, one-device, round-robin or sharded", text);
    return false;
}

static bool take_option(demo *d, int option, const char *text)
{
    int64_t number = 0;
    switch (option) {
    case STRATEGY:
        return take_strategy(d, text);
    case DEVICES:
        d->devices = text;
        return true;
    case REPLICAS:
        if (!take_number("--replicas", text, 1, MOST_REPLICAS, &number))
            return false;
        d->replicas = (int32_t)number;
        return true;
    case EPOCHS:
        return take_number("--epochs", text, 1, MOST_EPOCHS, &d->plan.epochs);
    case BATCH:
        return take_number("--batch", text, 1, INT32_MAX, &d->plan.batch);
    case SEED:
        if (!take_number("--seed", text, 0, INT64_MAX, &number))
            return false;
        d->plan.seed = (uint64_t)number;
        return true;
    case OUTPUT_DIR:
        d->folder = text;
        return true;
    default:
        d->wants_json = true;
        return true;
    }
}

/* The exit code, or -1 to go on. */
static int read_options(demo *d, const cli_command *self, int argc, char **argv)
{
    static const struct option options[] = { { "strategy", required_argument, NULL, STRATEGY },
                                             { "devices", required_argument, NULL, DEVICES },
                                             { "replicas", required_argument, NULL, REPLICAS },
                                             { "epochs", required_argument, NULL, EPOCHS },
                                             { "batch", required_argument, NULL, BATCH },
                                             { "seed", required_argument, NULL, SEED },
                                             { "output-dir", required_argument, NULL, OUTPUT_DIR },
                                             { "json", no_argument, NULL, JSON },
                                             { "help", no_argument, NULL, CLI_HELP },
                                             { 0 } };
    for (int option, code; (option = cli_option(self, argc, argv, options, &code)) != -1;) {
        if (option == CLI_STOP)
            return code;
        if (!take_option(d, option, optarg))
            return EXIT_USAGE;
    }
    return cli_no_words(self, argc, argv) ? -1 : EXIT_USAGE;
}

static int check_files(demo *d)
{
    bool is_here = strcmp(d->folder, ".") == 0;
    int length = snprintf(d->file, sizeof d->file, "%s%sloss.svg", is_here ? "" : d->folder, is_here ? "" : "/");
    if (length < 0 || (size_t)length >= sizeof d->file)
        return cli_fail(EXIT_USAGE, "--output-dir: the path is too long");
    if (!output_folder_is_good(d->folder) || !digits_load(&d->data))
        return EXIT_FAILED;
    if (d->plan.batch > training_rows(&d->data))
        return cli_fail(EXIT_USAGE, "--batch %" PRId64 ": there are %" PRId64 " images to train with", d->plan.batch,
                        training_rows(&d->data));
    return -1;
}

/* ------------------------------------------------------------------ devices */

static bool is_host(const cohort_device *device)
{
    return strcmp(cohort_device_id(device), "host:0") == 0;
}

static bool wants_one_device(const demo *d)
{
    return strcmp(d->strategy, "one-device") == 0;
}

/* The host alone is one device, with which there is little to see. */
static void choose_devices(demo *d)
{
    bool has_other = false, has_host = false;
    if (d->devices != NULL || cli_setting("COHORT_DEVICES")[0] != '\0' || wants_one_device(d))
        return;
    for (const cohort_device *device = cohort_device_next(NULL); device != NULL; device = cohort_device_next(device)) {
        const char *is_default = cohort_device_property(device, "default");
        has_host = has_host || is_host(device);
        has_other = has_other || (!is_host(device) && is_default != NULL && strcmp(is_default, "yes") == 0);
    }
    if (has_host && !has_other)
        d->devices = "host/2";
}

/* The whole host where there is one, else the first device; host:0.1 is a part of host:0. */
static void choose_one_device(demo *d, const cohort_strategy *strategy)
{
    const cohort_device *one = cohort_device_next(NULL);
    while (one != NULL && !is_host(one))
        one = cohort_device_next(one);
    if (one == NULL)
        cohort_strategy_devices(strategy, &one, 1);
    snprintf(d->one_device, sizeof d->one_device, "%s", cohort_device_id(one));
    char *number = strchr(d->one_device, ':'), *part = number != NULL ? strchr(number, '.') : NULL;
    if (part != NULL)
        *part = '\0';
}

static void print_head(const demo *d, const cohort_strategy *strategy)
{
    const cohort_device *devices[8];
    int n = cohort_strategy_devices(strategy, devices, 8);
    if (d->wants_json)
        return;
    printf("digits: %" PRId64 " images of 8 x 8 (UCI), %" PRId64 " to train, %" PRId64 " to test; network 64-64-10, "
           "batch %" PRId64 ", %s, %d replica%s on",
           d->data.rows, training_rows(&d->data), d->data.rows - training_rows(&d->data), d->plan.batch, d->strategy,
           d->num_replicas, d->num_replicas == 1 ? "" : "s");
    for (int i = 0; i < n && i < 8; i++)
        printf(" %s", cohort_device_id(devices[i]));
    printf(n > 8 ? " ... (%d devices)\n" : "\n", n);
    fflush(stdout);
}

/* ------------------------------------------------------------------ training */

static int64_t steps(const demo *d)
{
    return d->plan.epochs * ((training_rows(&d->data) + d->plan.batch - 1) / d->plan.batch);
}

/* The bar, and lines only for the first of the two trainings. */
static bool train(const demo *d, training *out, cohort_strategy *s, bool wants_lines)
{
    progress shown;
    progress_start(&shown, d->plan.epochs, steps(d), wants_lines);
    bool is_good = training_run(out, s, &d->data, &d->plan, &shown);
    progress_end(&shown);
    return is_good;
}

static int check_one_device(const demo *d, const cohort_strategy *s)
{
    const cohort_device *first;
    int n = cohort_strategy_devices(s, &first, 1);
    if (n == 1 || !wants_one_device(d))
        return -1;
    cli_fail(EXIT_USAGE, "--strategy one-device: it has one device, not %d", n);
    cli_fix("name one with --devices, such as --devices %s; more replicas than one: --replicas",
            cohort_device_id(first));
    return EXIT_USAGE;
}

static int train_on(demo *d, cohort_strategy *s)
{
    d->num_replicas = cohort_strategy_num_replicas(s);
    choose_one_device(d, s);
    print_head(d, s);
    return train(d, &d->all, s, !d->wants_json) ? -1 : cli_fail(EXIT_FAILED, "%s", cohort_error_text());
}

static int train_all(demo *d)
{
    cohort_strategy *s = cohort_strategy_create(
        &(cohort_strategy_options){ .name = d->strategy, .devices = d->devices, .replicas = d->replicas });
    if (s == NULL)
        return cli_no_strategy(d->devices, d->replicas);
    int code = check_one_device(d, s);
    if (code < 0)
        code = train_on(d, s);
    cohort_strategy_destroy(s);
    return code;
}

static int train_one(demo *d)
{
    cohort_strategy_options options = { .devices = d->one_device, .replicas = d->num_replicas };
    cohort_strategy *s = cohort_strategy_create(&options);
    bool is_good = s != NULL && train(d, &d->one, s, false);
    int code = is_good ? -1 : cli_fail(EXIT_FAILED, "on %s alone: %s", d->one_device, cohort_error_text());
    cohort_strategy_destroy(s);
    return code;
}

static int write_chart(const demo *d)
{
    FILE *file = output_open(d->file);
    if (file == NULL)
        return EXIT_FAILED;
    chart_write(file, d->all.loss, d->plan.epochs);
    return output_close(file, d->file) ? -1 : EXIT_FAILED;
}

/* ------------------------------------------------------------------ the report */

typedef struct difference {
    double largest, relative; /* to the largest weight of the training on one device */
} difference;

/* What is no number is larger than all numbers. */
static double larger(double a, double b)
{
    return isnan(a) || b <= a ? a : b;
}

static difference compare(const demo *d)
{
    difference out = { 0, 0 };
    double weight = 0;
    if (memcmp(d->all.weights, d->one.weights, sizeof d->all.weights) == 0)
        return out;
    for (int i = 0; i < NN_WEIGHTS; i++) {
        weight = larger(weight, fabs((double)d->one.weights[i]));
        out.largest = larger(out.largest, fabs((double)d->all.weights[i] - (double)d->one.weights[i]));
    }
    out.relative = out.largest / weight;
    return out;
}

static const char *digest_text(const training *t, char text[17])
{
    snprintf(text, 17, "%016" PRIx64, nn_digest(t->weights));
    return text;
}

static double share(const demo *d, int device)
{
    return (double)d->all.device[device].rows / ((double)training_rows(&d->data) * (double)d->plan.epochs);
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

static void print_json(const demo *d)
{
    char digest[17];
    json out = { .file = stdout };
    json_object(&out, NULL);
    json_integer(&out, "schema", 1);
    json_text(&out, "strategy", d->strategy);
    json_integer(&out, "replicas", d->num_replicas);
    print_devices_json(d, &out);
    json_integer(&out, "epochs", d->plan.epochs);
    json_integer(&out, "batch", d->plan.batch);
    json_integer(&out, "seed", (int64_t)d->plan.seed);
    json_real(&out, "test_accuracy", d->all.test_accuracy);
    json_real(&out, "final_loss", d->all.final_loss);
    json_text(&out, "digest", digest_text(&d->all, digest));
    json_real(&out, "largest_difference", compare(d).relative);
    json_object(&out, "one_device");
    json_text(&out, "id", d->one_device);
    json_text(&out, "digest", digest_text(&d->one, digest));
    json_real(&out, "max_weight_difference", compare(d).largest);
    json_object_end(&out);
    json_array(&out, "files");
    json_text(&out, NULL, d->file);
    json_array_end(&out);
    json_real(&out, "seconds", d->all.seconds);
    json_object_end(&out);
}

static void print_text(const demo *d)
{
    char digest[17];
    bool is_equal = nn_digest(d->all.weights) == nn_digest(d->one.weights);
    for (int i = 0; i < d->all.devices; i++)
        printf("  %-12s %d replica%s, %" PRId64 " rows, %.1f %%\n", d->all.device[i].id, d->all.device[i].replicas,
               d->all.device[i].replicas == 1 ? "" : "s", d->all.device[i].rows, 100 * share(d, i));
    printf("test accuracy %.3f, loss %.4f, %.1f s, digest %s\n", d->all.test_accuracy, d->all.final_loss,
           d->all.seconds, digest_text(&d->all, digest));
    printf("same training on %s alone: digest %s%s, largest weight difference %g", d->one_device,
           is_equal ? "equal" : "differs, ", is_equal ? "" : digest_text(&d->one, digest), compare(d).largest);
    printf(is_equal ? "\n" : ", %.2g of the largest weight\n", compare(d).relative);
    printf("wrote %s\n", d->file);
    printf("next: cohort devices, cohort demo --help, examples/train_digits.c\n");
}

static int report(const demo *d)
{
    if (d->wants_json)
        print_json(d);
    else
        print_text(d);
    return EXIT_OK;
}

/* Each step is -1 to go on, or the exit code. */
static int follow(demo *d, const cli_command *self, int argc, char **argv)
{
    int code = read_options(d, self, argc, argv);
    if (code < 0)
        code = check_files(d);
    if (code >= 0)
        return code;
    choose_devices(d);
    code = train_all(d);
    if (code < 0)
        code = train_one(d);
    if (code < 0)
        code = write_chart(d);
    return code < 0 ? report(d) : code;
}

static int run(const cli_command *self, int argc, char **argv)
{
    static demo d = { .strategy = "mirrored",
                      .plan = { .epochs = 25, .batch = 32, .seed = 1, .rate = 0.15, .decay = 0.9 },
                      .folder = "." };
    int code = follow(&d, self, argc, argv);
    digits_free(&d.data);
    training_free(&d.all);
    training_free(&d.one);
    return code;
}

const cli_command cli_demo = { "demo", "train on real digits over the devices, compare with one", help, run };
