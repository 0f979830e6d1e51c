/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort bench: what Cohort costs on the devices of this machine, beside what the machine can do
 * without it. */
#include "config.h"

#include "cli/bench.h"

#include "cli/closest.h"
#include "cli/number.h"
#include "cli/output.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: cohort bench [launch|copy|reduce|gemm] [OPTION...]\n"
    "\n"
    "Measure Cohort on the devices beside the machine's own limit, in turns, and say how much of "
    "the limit is reached.\n"
    "Without a kind all four are measured, which takes about ten seconds.\n"
    "\n"
    "  launch  a function on every replica: empty ones, then tasks of more and more items; from "
    "which size on a task\n"
    "          has half of the efficiency (METG). Limit: threads by hand\n"
    "  copy    bytes of the program to a variable, and back. Limit: memcpy\n"
    "  reduce  the sum of float32 over the replicas. Limit: a loop over the same arrays\n"
    "  gemm    a product of float32 matrices, rows shared out. Limit: the peak of the cores\n"
    "\n"
    "  --devices LIST  such as host/2 or host,opencl:0; default: the default devices\n"
    "  --from N        the smallest size of a kind: items of a task, bytes, or rows of a matrix; "
    "64K is 65536\n"
    "  --to N          the largest size\n"
    "  --seconds S     about how long to measure, from 0.001 to 3600; default: 10\n"
    "  --json          one JSON object: schema, version, devices, seconds, metg, results\n"
    "  --svg FILE      a picture: the curve of METG, and rates by size\n"
    "  --help          this text\n"
    "\n"
    "The limit is known where all devices are the host's. What a device does not offer is said, "
    "and no failure.\n"
    "\n"
    "Exit codes: 0 fine, 1 failed, 2 wrong usage, 3 no usable device.\n";

const char *const bench_names[] = { "launch", "copy", "reduce", "gemm", NULL };

static const double usual_seconds = 10, least_seconds = 1e-3, most_seconds = 3600;
static const int64_t most_size = INT64_C(1) << 40;

/* ------------------------------------------------------------------ words */

static bool take_seconds(const char *text, double *out)
{
    if (number_read(text, COHORT_F64, out) == NULL && *out >= least_seconds && *out <= most_seconds)
        return true;
    return cli_fail(EXIT_USAGE, "--seconds %s: expected seconds from 0.001 to 3600", text), false;
}

/* 64K is 65536: the letter takes the place of the text's end. */
static bool take_size(const char *option, const char *text, int64_t *out)
{
    static const char letters[] = "KMG";
    char digits[32];
    size_t length = strlen(text);
    const char *letter = length > 0 ? strchr(letters, text[length - 1]) : NULL;
    int shift = letter != NULL ? 10 * (int)(letter - letters + 1) : 0;
    uint64_t number = 0;
    (void)snprintf(digits, sizeof digits, "%.*s", (int)(length - (letter != NULL)), text);
    char *end = digits;
    if (length < sizeof digits && digits[0] >= '0' && digits[0] <= '9')
        number = strtoull(digits, &end, 10);
    if (end == digits || *end != '\0' || number < 1 || number > (uint64_t)most_size >> shift)
        return cli_fail(EXIT_USAGE, "%s %s: expected a size from 1 to 1024G, such as 4096 or 64K",
                        option, text),
               false;
    *out = (int64_t)(number << shift);
    return true;
}

static int unknown(const char *word)
{
    const char *meant = closest(word, bench_names);
    cli_fail(EXIT_USAGE, "bench: there is no '%s'", word);
    if (meant != NULL)
        cli_fix("did you mean 'cohort bench %s'?", meant);
    else
        cli_fix("cohort bench launch, copy, reduce or gemm; without a word all of them");
    return EXIT_USAGE;
}

static bool take_kind(bench *b, const char *word)
{
    for (int kind = 0; kind < BENCH_KINDS; kind++)
        if (strcmp(bench_names[kind], word) == 0) {
            b->has_kind[kind] = true;
            b->n_kinds = 1;
            return true;
        }
    return unknown(word), false;
}

enum { DEVICES = 1, FROM, TO, SECONDS, JSON, SVG };
static const struct option options[] = { { "devices", required_argument, NULL, DEVICES },
                                         { "from", required_argument, NULL, FROM },
                                         { "to", required_argument, NULL, TO },
                                         { "seconds", required_argument, NULL, SECONDS },
                                         { "json", no_argument, NULL, JSON },
                                         { "svg", required_argument, NULL, SVG },
                                         { "help", no_argument, NULL, CLI_HELP },
                                         { 0 } };

static bool take_option(bench *b, int option, const char *text)
{
    switch (option) {
    case DEVICES:
        b->devices = text;
        return true;
    case FROM:
        return take_size("--from", text, &b->from);
    case TO:
        return take_size("--to", text, &b->to);
    case SECONDS:
        return take_seconds(text, &b->seconds);
    case SVG:
        b->svg = text;
        return true;
    default:
        b->wants_json = true;
        return true;
    }
}

/* Sizes mean another thing for each kind. */
static bool check_sizes(const bench *b)
{
    if (b->n_kinds != 1 && (b->from > 0 || b->to > 0)) {
        cli_fail(EXIT_USAGE, "bench: --from and --to are for one kind");
        cli_fix("name it, such as cohort bench copy --from 64K");
        return false;
    }
    if (b->from > 0 && b->to > 0 && b->from > b->to)
        return cli_fail(EXIT_USAGE, "bench: --from %" PRId64 " is more than --to %" PRId64, b->from,
                        b->to),
               false;
    return true;
}

/* The exit code, or -1 to go on. */
static int read_options(bench *b, const cli_command *self, int argc, char **argv)
{
    for (int option, code; (option = cli_option(self, argc, argv, options, &code)) != -1;) {
        if (option == CLI_STOP)
            return code;
        if (!take_option(b, option, optarg))
            return EXIT_USAGE;
    }
    if (optind < argc && !take_kind(b, argv[optind++]))
        return EXIT_USAGE;
    if (!cli_no_words(self, argc, argv) || !check_sizes(b))
        return EXIT_USAGE;
    for (int kind = 0; kind < BENCH_KINDS && b->n_kinds != 1; kind++)
        b->has_kind[kind] = true;
    b->n_kinds = b->n_kinds == 1 ? 1 : BENCH_KINDS;
    return -1;
}

/* ------------------------------------------------------------------ */

/* Each kind is told as soon as it is measured. */
static int measure(bench *b)
{
    static int (*const kinds[])(bench *, double) = { bench_launch, bench_copy, bench_reduce,
                                                     bench_gemm };
    bool is_first = true;
    for (int kind = 0; kind < BENCH_KINDS; kind++) {
        if (!b->has_kind[kind])
            continue;
        int code = kinds[kind](b, b->seconds / b->n_kinds);
        if (code != EXIT_OK)
            return code;
        if (!b->wants_json && is_first)
            bench_print_devices(b);
        if (!b->wants_json)
            bench_print_kind(b, (bench_kind)kind);
        is_first = false;
    }
    return EXIT_OK;
}

static int run(const cli_command *self, int argc, char **argv)
{
    static bench b; /* too large for a stack */
    b = (bench){ .seconds = usual_seconds };
    int code = read_options(&b, self, argc, argv);
    if (code >= 0)
        return code;
    if (b.svg != NULL && !output_can_replace(b.svg))
        return EXIT_FAILED;
    code = measure(&b);
    if (code != EXIT_OK)
        return code;
    if (b.wants_json)
        bench_print_json(&b);
    else
        bench_print_busy(&b);
    return b.svg == NULL || output_draw(b.svg, bench_draw, &b) ? EXIT_OK : EXIT_FAILED;
}

static const cli_value values[] = { { NULL, CLI_WORD, "launch copy reduce gemm" },
                                    { "devices", CLI_DEVICES, NULL },
                                    { "svg", CLI_FILE, NULL },
                                    { NULL, CLI_ANY, NULL } };

const cli_command cli_bench = { "bench", "what Cohort costs here, beside the machine's own limit",
                                help,    run,
                                options, values };
