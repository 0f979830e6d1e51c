/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort demo: train a small network on real digits over all chosen devices, and compare with one
 * device. */
#include "config.h"

#include "cli/demo.h"

#include "cli/chart.h"
#include "cli/digits.h"
#include "cli/output.h"
#include "cli/samples_load.h"
#include "cli/scale.h"
#include "cli/svg.h"
#include "cli/visible.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL_BATCH = 32 };

static const char help[] =
    "usage: cohort demo [OPTION...]\n"
    "\n"
    "Train a 64-64-10 network on 1,797 images of handwritten digits over the devices, then train "
    "it again on the host\n"
    "alone and compare: for a given number of replicas the weights are equal to the last bit.\n"
    "Each epoch is validated on images that are not trained with; a confusion matrix shows "
    "which are mistaken.\n"
    "\n"
    "  --data FILE[,...]  train with your own data instead, a network of its size: one or more "
    ".npz with arrays x and "
    "y\n"
    "                     (or images and labels, data and target; FILE.npz:ROWS:LABELS names "
    "them), two .npy or IDX\n"
    "                     files ROWS,LABELS, CSV files with a column label (or target, class, y; "
    "else the last), or\n"
    "                     TFRecord files of tf.Example with such a feature. Labels are integers "
    "from 0 to 999, names "
    "in\n"
    "                     CSV files, or several numbers, of which one is 1. Names of files may be "
    "patterns\n"
    "  --label NAME       the column or feature of --data that is the label; of CSV files several, "
    "such as "
    "4-6\n" TABLE_HELP "  --scale HOW        the numbers of --data: columns, each to mean 0 and "
    "deviation 1; max, all divided by the\n"
    "                     largest; none; default: max where all are integers from 0 to 255, else "
    "columns\n"
    "  --strategy NAME    mirrored, central, one-device, round-robin or sharded: where the weights "
    "live; one-device\n"
    "                     wants one device. multi-worker-mirrored: over the processes that mpirun "
    "has started;\n"
    "                     default: that where there are some, else mirrored\n"
    "  --devices LIST     device ids separated by commas, such as host/2 or host,opencl:0; "
    "default: the default\n"
    "                     devices, and the host cut in two where there is nothing else\n"
    "  --replicas N       replicas, up to 65536; default: one per device\n"
    "  --hosting N[,...]  replicas of each device, in their order; 0 where it has none; default: "
    "evenly\n"
    "  --balance          measure the devices, and move replicas so that all take equally long\n"
    "  --guard WORD       NaN and infinities: propagate (default), error or skip (recorded steps)\n"
    "  --epochs N         passes over the training rows, 1 to 100000; default: 25\n"
    "  --batch N          rows of a step, over all replicas; default: 32, or as many as there are "
    "to train with\n"
    "  --steps-per-run N  record the step as a program and run N of its steps at once, 1 to "
    "1000000; "
    "default: each call\n"
    "                     of a step is made by itself, as the training on one device does always\n"
    "  --seed N           start of all random numbers, 0 to 9223372036854775807; default: 1\n"
    "  --output-dir PATH  folder for loss.svg and confusion.svg; default: the current one\n"
    "  --log FILE         also write loss and accuracy of each epoch: FILE.csv, FILE.jsonl (JSON "
    "lines), or FOLDER/ for\n"
    "                     TensorBoard's event files\n"
    "  --log-format NAME  csv, jsonl or tensorboard; default: what the name says\n"
    "  --log-steps N      also of the steps, N at a time, 1 to 1000000; default: of none\n"
    "  --checkpoint DIR   save the training there, and go on where it was stopped, also "
    "on "
    "other --devices:\n"
    "                     the weights are those of the undisturbed training. SIGTERM ends it in "
    "order, with exit\n"
    "                     code 143\n"
    "  --every N          steps between two saves, 1 to 1000000; default: those of an epoch\n"
    "  --stats            what the training has asked of the devices: operations, bytes, "
    "times, memory\n"
    "  --json             one JSON object on stdout, whose keys are in cohort(1)\n"
    "  --help             this text\n"
    "\n"
    "Progress goes to stderr: a bar on a terminal, else one line per epoch (none with --json).\n"
    "Exit codes: 0 fine, 1 failed, 2 wrong usage, 3 no usable device.\n";

/* The exit code, or -1 to go on. */
static int load_data(demo *d)
{
    int code = EXIT_FAILED;
    d->input.seed = d->plan.seed;
    bool is_good =
        d->input.files != NULL ? samples_load(&d->input, &d->data, &code) : digits_load(&d->data);
    return is_good ? -1 : code;
}

/* Small files have less rows than that. */
static void choose_batch(demo *d)
{
    int64_t rows = samples_training_rows(&d->data);
    d->plan.batch = rows < USUAL_BATCH ? rows : USUAL_BATCH;
}

/* NAME in the folder of --output-dir. */
static bool place(const demo *d, const char *name, char *out, size_t size)
{
    bool is_here = strcmp(d->folder, ".") == 0;
    int length = snprintf(out, size, "%s%s%s", is_here ? "" : d->folder, is_here ? "" : "/", name);
    return length > 0 && (size_t)length < size;
}

/* Before the training, which takes a while: a folder that cannot be written to is told at once. */
static int check_files(demo *d)
{
    if (!place(d, "loss.svg", d->file, sizeof d->file) ||
        !place(d, "confusion.svg", d->confusion_file, sizeof d->confusion_file))
        return cli_fail(EXIT_USAGE, "--output-dir: the path is too long");
    if (!output_folder_is_good(d->folder))
        return EXIT_FAILED;
    int code = d->log.path != NULL ? training_log_check(&d->log) : -1;
    if (code < 0)
        code = load_data(d);
    if (code < 0 && d->plan.batch == 0)
        choose_batch(d);
    if (code < 0 && d->plan.batch > samples_training_rows(&d->data))
        return cli_fail(EXIT_USAGE, "--batch %" PRId64 ": there are %" PRId64 " %s to train with",
                        d->plan.batch, samples_training_rows(&d->data),
                        d->input.files != NULL ? "rows" : "images");
    return code;
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

/* mpirun has started other processes, which are the other devices. */
static bool is_joined(const demo *d)
{
    return strcmp(d->strategy, DEMO_JOINED) == 0;
}

/* The host alone is one device, with which there is little to see. Nothing is chosen where the user
 * said something, on the command line or in the environment. */
static void choose_devices(demo *d)
{
    bool has_other = false, has_host = false;
    if (d->devices != NULL || cli_setting("COHORT_DEVICES")[0] != '\0' || wants_one_device(d) ||
        is_joined(d))
        return;
    for (const cohort_device *device = cohort_device_next(NULL); device != NULL;
         device = cohort_device_next(device)) {
        const char *is_default = cohort_device_property(device, "default");
        has_host = has_host || is_host(device);
        has_other =
            has_other || (!is_host(device) && is_default != NULL && strcmp(is_default, "yes") == 0);
    }
    if (has_host && !has_other)
        d->devices = "host/2";
}

/* host:0.1 is a part of host:0. */
static void take_whole(demo *d, const cohort_device *device)
{
    snprintf(d->one_device, sizeof d->one_device, "%s", cohort_device_id(device));
    char *number = strchr(d->one_device, ':'), *part = number != NULL ? strchr(number, '.') : NULL;
    if (part != NULL)
        *part = '\0';
}

/* The whole host where there is one, else the first device. Going through all devices opens all
 * plugins, which a demo on the host does without. */
static void choose_one_device(demo *d, const cohort_strategy *strategy)
{
    const cohort_device *device;
    cohort_strategy_devices(strategy, &device, 1);
    take_whole(d, device);
    if (strcmp(d->one_device, "host:0") == 0)
        return;
    for (device = cohort_device_next(NULL); device != NULL; device = cohort_device_next(device))
        if (is_host(device))
            take_whole(d, device);
}

static void print_data(const demo *d)
{
    const samples *s = &d->data;
    if (d->input.files == NULL)
        printf("digits: %" PRId64 " images of 8 x 8 (UCI)", s->rows);
    else
        printf("data: %" PRId64 " rows of %" PRId64 " number%s, %" PRId64 " classes", s->rows,
               s->features, s->features == 1 ? "" : "s", s->classes);
    printf(", %" PRId64 " to train, %" PRId64 " to test; network %" PRId64 "-%d-%" PRId64,
           samples_training_rows(s), s->rows - samples_training_rows(s), s->features, NN_HIDDEN,
           s->classes);
}

/* Names come from the user's file. */
static void print_classes(const samples *s)
{
    enum { MOST = 8 };
    char name[64];
    printf("  classes: ");
    for (int64_t i = 0; i < s->classes && i < MOST; i++)
        printf("%s%s", i > 0 ? ", " : "", visible(s->names[i], name, sizeof name));
    printf(s->classes > MOST ? ", ...\n" : "\n");
}

/* The data made of the user's files. */
static void print_input(const demo *d)
{
    char text[128];
    if (d->input.files == NULL)
        return;
    if (d->data.names != NULL)
        print_classes(&d->data);
    if (d->data.is_one_hot)
        printf("  labels: one-hot\n");
    printf("  scale: %s\n", scale_text(&d->data, text, sizeof text));
}

/* Flushed, so that the line stands before the bar, which goes to another stream. */
static void print_head(const demo *d, const cohort_strategy *strategy)
{
    const cohort_device *devices[8];
    int n = cohort_strategy_devices(strategy, devices, 8);
    if (d->wants_json || d->is_silent)
        return;
    print_data(d);
    printf(", batch %" PRId64, d->plan.batch);
    if (d->plan.steps_per_run > 0)
        printf(" recorded, %" PRId64 " step%s per run", d->plan.steps_per_run,
               d->plan.steps_per_run == 1 ? "" : "s");
    printf(", %s, %d replica%s on", d->strategy, d->num_replicas, d->num_replicas == 1 ? "" : "s");
    for (int i = 0; i < n && i < 8; i++)
        printf(" %s", cohort_device_id(devices[i]));
    printf(n > 8 ? " ... (%d devices)\n" : "\n", n);
    print_input(d);
    fflush(stdout);
}

/* ------------------------------------------------------------------ training */

/* Rounded up: the last batch of an epoch may be short. */
static int64_t steps(const demo *d)
{
    return d->plan.epochs * ((samples_training_rows(&d->data) + d->plan.batch - 1) / d->plan.batch);
}

/* The bar, and lines only for the first of the two trainings, which has no label. */
static bool train(const demo *d, const training_plan *plan, training *out, cohort_strategy *s,
                  const char *label)
{
    progress shown;
    progress_start(&shown, label, d->plan.epochs, steps(d),
                   label[0] == '\0' && !d->wants_json && !d->is_silent);
    shown.has_bar = shown.has_bar && !d->is_silent;
    bool is_good = training_run(out, s, &d->data, plan, &shown);
    progress_end(&shown);
    return is_good;
}

/* Of a part it names the whole: parts have no name to ask for. */
static int check_one_device(demo *d, const cohort_strategy *s)
{
    const cohort_device *first;
    int n = cohort_strategy_devices(s, &first, 1);
    if (n == 1 || !wants_one_device(d))
        return -1;
    cli_fail(EXIT_USAGE, "--strategy one-device: it has one device, not %d", n);
    take_whole(d, first);
    cli_fix("name one with --devices, such as --devices %s; more replicas than one: --replicas",
            d->one_device);
    return EXIT_USAGE;
}

/* As a shell says of a process that the signal ended. */
static int stopped(const demo *d)
{
    enum { OF_SIGNALS = 128 };
    char name[4096];
    if (d->is_silent)
        return OF_SIGNALS + SIGTERM;
    return cli_fail(OF_SIGNALS + SIGTERM, "stopped by SIGTERM; the same command goes on from %s",
                    visible(d->plan.checkpoint, name, sizeof name));
}

static int train_on(demo *d, cohort_strategy *s)
{
    d->num_replicas = cohort_strategy_num_replicas(s);
    d->is_silent = (cohort_strategy_role(s) & COHORT_SHOULD_SAVE_SUMMARY) == 0;
    choose_one_device(d, s);
    print_head(d, s);
    if (train(d, &d->plan, &d->all, s, ""))
        return -1;
    return d->all.is_stopped ? stopped(d) : cli_fail(EXIT_FAILED, "%s", cohort_error_text());
}

static int train_counted(demo *d, cohort_strategy *s)
{
    demo_stats_begin(d, s);
    int code = train_on(d, s);
    return code < 0 && !demo_stats_take(d, s) ? EXIT_FAILED : code;
}

/* The strategy is destroyed before the training on one device begins, which then has the machine
 * for itself. */
static int train_all(demo *d)
{
    cohort_strategy *s = cohort_strategy_create(
        &(cohort_strategy_options){ .name = d->strategy,
                                    .devices = d->devices,
                                    .replicas = d->replicas,
                                    .n_hosted = d->n_hosted,
                                    .hosted = d->n_hosted > 0 ? d->hosted : NULL,
                                    .guard = d->guard,
                                    .steps_per_run = d->plan.steps_per_run });
    if (s == NULL)
        return cli_no_strategy(d->devices, d->replicas);
    int code = check_one_device(d, s);
    if (code < 0)
        code = train_counted(d, s);
    cohort_strategy_destroy(s);
    return code;
}

/* With as many replicas as all devices had, on which the promise of equal bits depends. Nothing of
 * it is recorded, so that a recorded training is compared with one that is not; but for steps that
 * are skipped, which are recorded ones. */
static int train_one(demo *d)
{
    training_plan plan = d->plan;
    cohort_strategy_options options = { .devices = d->one_device,
                                        .replicas = d->num_replicas,
                                        .guard = d->guard };
    char label[sizeof d->one_device + 16];
    (void)snprintf(label, sizeof label, "%s alone: ", d->one_device);
    plan.steps_per_run = d->guard == COHORT_GUARD_SKIP;
    plan.log_steps = 0;
    plan.checkpoint = NULL;
    plan.balances = false;
    plan.validates = false;
    cohort_strategy *s = cohort_strategy_create(&options);
    bool is_good = s != NULL && train(d, &plan, &d->one, s, label);
    int code =
        is_good ? -1 : cli_fail(EXIT_FAILED, "on %s alone: %s", d->one_device, cohort_error_text());
    cohort_strategy_destroy(s);
    return code;
}

confusion demo_confusion(const demo *d)
{
    return (confusion){ d->data.classes, d->all.confusion, d->data.names };
}

static int write_pictures(const demo *d)
{
    const chart_epochs epochs = { d->all.epoch, d->plan.epochs };
    const confusion mistakes = demo_confusion(d);
    return output_draw(d->file, chart_draw, &epochs) &&
                   output_draw(d->confusion_file, confusion_draw, &mistakes)
               ? -1
               : EXIT_FAILED;
}

/* Each step is -1 to go on, or the exit code. */
static int follow(demo *d, const cli_command *self, int argc, char **argv)
{
    int code = demo_read_options(d, self, argc, argv);
    if (code < 0)
        code = check_files(d);
    if (code >= 0)
        return code;
    choose_devices(d);
    code = train_all(d);
    if (d->is_silent)
        return code < 0 ? EXIT_OK : code;
    if (code < 0)
        code = train_one(d);
    if (code < 0)
        code = write_pictures(d);
    if (code < 0 && d->log.path != NULL && !training_log_write(&d->log, &d->all, d->plan.epochs))
        code = EXIT_FAILED;
    if (code >= 0)
        return code;
    demo_report(d);
    return EXIT_OK;
}

/* Static, since a demo is large, and there is one in a process. */
static int run(const cli_command *self, int argc, char **argv)
{
    static demo d = {
        .plan = { .epochs = 25, .seed = 1, .rate = 0.15, .decay = 0.9, .validates = true },
        .folder = "."
    };
    int code = follow(&d, self, argc, argv);
    samples_free(&d.data);
    training_free(&d.all);
    training_free(&d.one);
    free(d.stats);
    return code;
}

static const cli_value values[] = {
    { "strategy", CLI_WORD, "mirrored central one-device round-robin sharded " DEMO_JOINED },
    { "data", CLI_FILES, NULL },
    { "guard", CLI_WORD, DEMO_GUARDS },
    TABLE_VALUES,
    { "scale", CLI_WORD, "none columns max" },
    { "devices", CLI_DEVICES, NULL },
    { "output-dir", CLI_FOLDER, NULL },
    { "checkpoint", CLI_FOLDER, NULL },
    { "log", CLI_FILE, NULL },
    { "log-format", CLI_WORD, "csv jsonl tensorboard" },
    { NULL, CLI_ANY, NULL }
};

const cli_command cli_demo = {
    "demo",       "train on digits or your own data over the devices, compare with one",
    help,         run,
    demo_options, values
};
