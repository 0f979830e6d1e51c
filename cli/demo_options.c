/* SPDX-License-Identifier: BSD-3-Clause */
/* The words of cohort demo. Options are taken in their order, and the last one of a kind counts;
 * what depends on two of them is checked at the end. */
#include "config.h"

#include "cli/demo.h"
#include "cli/output.h"
#include "cli/scale.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_EPOCHS = 100000, MOST_REPLICAS = 65536, MOST_STEPS = 1000000 };

/* cli_integer has the message, which names the option and the range. */
static bool take_number(const char *option, const char *text, uint64_t least, uint64_t most,
                        int64_t *out)
{
    uint64_t number;
    if (!cli_integer(option, text, least, most, &number))
        return false;
    *out = (int64_t)number;
    return true;
}

enum {
    STRATEGY = 1,
    DATA,
    LABEL,
    SCALE,
    DEVICES,
    REPLICAS,
    HOSTING,
    BALANCE,
    GUARD,
    EPOCHS,
    BATCH,
    STEPS_PER_RUN,
    SEED,
    OUTPUT_DIR,
    LOG,
    LOG_FORMAT,
    LOG_STEPS,
    CHECKPOINT,
    EVERY,
    STATS,
    JSON
};

/* The names of strategies are those of placements, but that of several workers. */
static bool take_strategy(demo *d, const char *text)
{
    d->strategy = text;
    if (cohort_placement_find(text) != NULL || strcmp(text, DEMO_JOINED) == 0)
        return true;
    cli_fail(EXIT_USAGE,
             "--strategy %s: expected mirrored, central, one-device, round-robin, sharded "
             "or " DEMO_JOINED,
             text);
    return false;
}

/* How many replicas each device has, in order. */
static bool take_hosting(demo *d, const char *text)
{
    char number[24];
    int64_t n;
    for (d->n_hosted = 0; d->n_hosted < DEMO_MOST_HOSTING; text++) {
        const size_t length = strcspn(text, ",");
        (void)snprintf(number, sizeof number, "%.*s", (int)length, text);
        if (!take_number("--hosting", number, 0, MOST_REPLICAS, &n))
            return false;
        d->hosted[d->n_hosted++] = (int32_t)n;
        text += length;
        if (*text == '\0')
            return true;
    }
    cli_fail(EXIT_USAGE, "--hosting: more than %d devices", DEMO_MOST_HOSTING);
    return false;
}

static const char *const guards[] = { [COHORT_GUARD_PROPAGATE] = "propagate",
                                      [COHORT_GUARD_ERROR] = "error",
                                      [COHORT_GUARD_SKIP] = "skip" };

const char *demo_guard_name(cohort_guard guard)
{
    return guards[guard];
}

static bool take_guard(demo *d, const char *text)
{
    for (size_t i = 0; i < sizeof guards / sizeof *guards; i++)
        if (strcmp(text, guards[i]) == 0) {
            d->guard = (cohort_guard)i;
            return true;
        }
    cli_fail(EXIT_USAGE, "--guard %s: expected propagate, error or skip", text);
    return false;
}

static bool take_option(demo *d, int option, const char *text)
{
    int64_t number = 0;
    if (table_options_is_one(option))
        return table_options_read(option, text, &d->input.table);
    switch (option) {
    case STRATEGY:
        return take_strategy(d, text);
    case DEVICES:
        d->devices = text;
        return true;
    case DATA:
        d->input.files = text;
        return true;
    case LABEL:
        d->input.label = text;
        return true;
    case SCALE:
        return scale_read(text, &d->input.scale);
    case REPLICAS:
        if (!take_number("--replicas", text, 1, MOST_REPLICAS, &number))
            return false;
        d->replicas = (int32_t)number;
        return true;
    case HOSTING:
        return take_hosting(d, text);
    case BALANCE:
        return d->plan.balances = true;
    case GUARD:
        return take_guard(d, text);
    case EPOCHS:
        return take_number("--epochs", text, 1, MOST_EPOCHS, &d->plan.epochs);
    case BATCH:
        return take_number("--batch", text, 1, INT32_MAX, &d->plan.batch);
    case STEPS_PER_RUN:
        return take_number("--steps-per-run", text, 1, MOST_STEPS, &d->plan.steps_per_run);
    case SEED:
        if (!take_number("--seed", text, 0, INT64_MAX, &number))
            return false;
        d->plan.seed = (uint64_t)number;
        return true;
    case OUTPUT_DIR:
        d->folder = text;
        return true;
    case LOG:
        d->log.path = text;
        return true;
    case LOG_FORMAT:
        return training_log_read_format(text, &d->log.format);
    case LOG_STEPS:
        return take_number("--log-steps", text, 1, MOST_STEPS, &d->plan.log_steps);
    case CHECKPOINT:
        d->plan.checkpoint = text;
        return true;
    case EVERY:
        return take_number("--every", text, 1, MOST_STEPS, &d->plan.every);
    case STATS:
        return d->wants_stats = true;
    default:
        d->wants_json = true;
        return true;
    }
}

/* By an mpirun, or with others by a launcher that connects nobody, which the strategy says then. */
static bool is_started_with_others(void)
{
    static const char *const connected[] = { "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK" };
    for (size_t i = 0; i < sizeof connected / sizeof *connected; i++)
        if (cli_setting(connected[i])[0] != '\0')
            return true;
    return atol(cli_setting("SLURM_STEP_NUM_TASKS")) > 1 || atol(cli_setting("WORLD_SIZE")) > 1;
}

/* Whether the log is a file to train with; patterns are not looked at. */
static bool is_of_data(const demo *d)
{
    char name[4096];
    for (const char *p = d->input.files; p != NULL && *p != '\0'; p += strcspn(p, ",")) {
        p += *p == ',';
        (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(p, ","), p);
        if (output_is_same_file(name, d->log.path))
            return true;
    }
    return false;
}

/* The steps of a program end before its caller could ask for their figures. */
static bool check_log(const demo *d)
{
    if (d->log.path == NULL && (d->log.format != TRAINING_LOG_BY_NAME || d->plan.log_steps > 0))
        return cli_fail(EXIT_USAGE,
                        "demo: --log-format and --log-steps are for --log, which is missing"),
               false;
    if (d->plan.log_steps > 0 && d->plan.steps_per_run > 0)
        return cli_fail(EXIT_USAGE, "demo: --log-steps is not for the recorded steps of "
                                    "--steps-per-run"),
               false;
    if (d->log.path != NULL && is_of_data(d))
        return cli_fail(EXIT_USAGE, "demo: --log %s would replace the file of --data", d->log.path),
               false;
    return true;
}

const struct option demo_options[] = { { "strategy", required_argument, NULL, STRATEGY },
                                       { "data", required_argument, NULL, DATA },
                                       { "label", required_argument, NULL, LABEL },
                                       TABLE_OPTIONS,
                                       { "scale", required_argument, NULL, SCALE },
                                       { "devices", required_argument, NULL, DEVICES },
                                       { "replicas", required_argument, NULL, REPLICAS },
                                       { "hosting", required_argument, NULL, HOSTING },
                                       { "balance", no_argument, NULL, BALANCE },
                                       { "guard", required_argument, NULL, GUARD },
                                       { "epochs", required_argument, NULL, EPOCHS },
                                       { "batch", required_argument, NULL, BATCH },
                                       { "steps-per-run", required_argument, NULL, STEPS_PER_RUN },
                                       { "seed", required_argument, NULL, SEED },
                                       { "output-dir", required_argument, NULL, OUTPUT_DIR },
                                       { "log", required_argument, NULL, LOG },
                                       { "log-format", required_argument, NULL, LOG_FORMAT },
                                       { "log-steps", required_argument, NULL, LOG_STEPS },
                                       { "checkpoint", required_argument, NULL, CHECKPOINT },
                                       { "every", required_argument, NULL, EVERY },
                                       { "stats", no_argument, NULL, STATS },
                                       { "json", no_argument, NULL, JSON },
                                       { "help", no_argument, NULL, CLI_HELP },
                                       { 0 } };

int demo_read_options(demo *d, const cli_command *self, int argc, char **argv)
{
    for (int option, code; (option = cli_option(self, argc, argv, demo_options, &code)) != -1;) {
        if (option == CLI_STOP)
            return code;
        if (!take_option(d, option, optarg))
            return EXIT_USAGE;
    }
    if (d->strategy == NULL)
        d->strategy = is_started_with_others() ? DEMO_JOINED : "mirrored";
    if (d->input.files == NULL && d->input.label != NULL)
        return cli_fail(EXIT_USAGE, "demo: --label names a part of --data, which is missing");
    if (d->input.files == NULL && (d->input.scale != SCALE_AUTO || d->input.table.is_given))
        return cli_fail(
            EXIT_USAGE,
            "demo: --columns, --header, --separator, --missing and --scale are for --data, "
            "which is missing");
    if (d->plan.checkpoint == NULL && d->plan.every > 0)
        return cli_fail(EXIT_USAGE, "demo: --every is for --checkpoint, which is missing");
    if (d->guard == COHORT_GUARD_SKIP && d->plan.steps_per_run == 0)
        return cli_fail(EXIT_USAGE, "demo: --guard skip skips recorded steps, and there are none "
                                    "without --steps-per-run, such as --steps-per-run 1");
    return !check_log(d) ? EXIT_USAGE : cli_no_words(self, argc, argv) ? -1 : EXIT_USAGE;
}
