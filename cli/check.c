/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort check: whether an installation computes what it should, in a few seconds. */
#include "config.h"

#include "cli/check.h"

#include "cli/cli.h"
#include "cli/colour.h"
#include "cli/json.h"
#include "cli/probe.h"
#include "cli/visible.h"

#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: cohort check [--devices LIST] [--json]\n"
    "\n"
    "Test the installation: on each device, and on all of them together, run functions, reductions "
    "of every dtype,\n"
    "variables of each placement, an input and a recorded step, and compare the results, to the "
    "last "
    "bit, with loops in\n"
    "this command and with one another. The output is TAP. A driver that ends the process which "
    "asks it, opens a\n"
    "device or runs a kernel, ends a child alone, and is a test that failed.\n"
    "\n"
    "  --devices LIST  such as host/2 or host,opencl:0; default: all that cohort devices lists\n"
    "  --json          one JSON object instead: schema, ok, tests\n"
    "  --help          this text\n"
    "\n"
    "Exit codes: 0 all is well, 1 a test failed, 2 wrong usage, 3 no usable device.\n";

/* The tree of 5 replicas has two levels and a branch that is shorter. */
enum { LEAST_REPLICAS = 5, MOST_DEVICES = 256 };

typedef struct check {
    const char *devices; /* of --devices; NULL: all */
    bool wants_json;
    json out;
    char *list;                       /* the memory of what follows */
    const char *places[MOST_DEVICES]; /* lists of one device, or one element of --devices */
    const char *ended[MOST_DEVICES];  /* the same of devices whose driver ends processes */
    int n_places, n_ended;
    char *joined;      /* the places as one list */
    finding *findings; /* of all plugins, asked before anything else */
    int32_t replicas;
    cohort_strategy *whole; /* of the whole list: opened first, tested last */
    int n, n_failed;
    float weights[CHECK_WEIGHTS]; /* of the first training that worked */
    bool has_weights;
} check;

/* ------------------------------------------------------------------ results */

static void tell_tap(const check *c, const char *claim, check_reason reason)
{
    bool is_good = reason.verdict != CHECK_FAILED;
    colour_print(is_good ? COLOUR_GOOD : COLOUR_BAD, is_good ? "ok" : "not ok");
    printf(" %d - ", c->n);
    visible_print(stdout, claim, strlen(claim));
    if (reason.text[0] != '\0') {
        printf(reason.verdict == CHECK_SKIPPED ? " # SKIP " : "\n# ");
        visible_print(stdout, reason.text, strlen(reason.text));
    }
    printf("\n");
    (void)fflush(stdout);
}

static void tell_json(check *c, const char *claim, check_reason reason)
{
    static const char *const results[] = { "ok", "failed", "skipped" };
    json_object(&c->out, NULL);
    json_text(&c->out, "test", claim);
    json_text(&c->out, "result", results[reason.verdict]);
    json_text(&c->out, "reason", reason.text[0] != '\0' ? reason.text : NULL);
    json_object_end(&c->out);
}

static void tell(check *c, const char *devices, const char *what, check_reason reason)
{
    char claim[512];
    (void)snprintf(claim, sizeof claim, "%.300s: %s", devices, what);
    c->n++;
    c->n_failed += reason.verdict == CHECK_FAILED;
    if (c->wants_json)
        tell_json(c, claim, reason);
    else
        tell_tap(c, claim, reason);
}

/* ------------------------------------------------------------------ drivers that end processes */

static void ask_plugins(check *c)
{
    c->findings = probe_plugins(&(probe_wish){ .depth = PROBE_RUN, .devices = c->devices });
    finding_leave_out(c->findings);
    for (const finding *f = c->findings; f != NULL; f = f->next)
        if (f->kind == FINDING_SAID)
            cli_warn("%s: %s", f->subject, f->text);
}

/* What was not tried here. */
static void tell_ended(check *c)
{
    for (int i = 0; i < c->n_ended; i++) {
        const finding *f = finding_find_ended(c->findings, c->ended[i]);
        check_reason reason = { CHECK_FAILED, "" };
        (void)snprintf(reason.text, sizeof reason.text, "%s: %s",
                       f->file != NULL ? f->file : f->subject, f->text);
        tell(c, c->ended[i], "its driver ends no process", reason);
    }
}

/* ------------------------------------------------------------------ tests */

typedef struct place {
    const char *devices;
    cohort_strategy *strategy;
} place;

/* The error of a test is not that of the next one. */
static void told(check *c, const place *at, const char *what, check_reason reason)
{
    tell(c, at->devices, what, reason);
    if (reason.verdict != CHECK_OK)
        (void)cohort_strategy_recover(at->strategy);
}

#define DTYPE(name, value, text, bytes, kind) COHORT_##name,
static void try_dtypes(check *c, const place *at)
{
    static const cohort_dtype dtypes[] = { COHORT_NUMBER_DTYPES(DTYPE) };
    char what[64];
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++) {
        const cohort_dtype dtype = dtypes[i];
        (void)snprintf(what, sizeof what, "%s of %s over %d replicas",
                       dtype == COHORT_BOOL ? "max" : "sum", cohort_dtype_name(dtype),
                       (int)c->replicas);
        told(c, at, what, check_reduce(at->strategy, dtype));
    }
}

static void try_policies(check *c, const place *at)
{
    static const char *const policies[] = { "mirrored", "central", "one-device", "round-robin",
                                            "sharded" };
    char what[64];
    for (size_t i = 0; i < sizeof policies / sizeof *policies; i++) {
        (void)snprintf(what, sizeof what, "a variable placed %s is updated", policies[i]);
        told(c, at, what, check_variable(at->strategy, policies[i]));
    }
}

/* The first weights are those that all others have to equal. */
static void try_training(check *c, const place *at, bool is_recorded)
{
    float found[CHECK_WEIGHTS];
    check_reason reason = check_training(at->strategy, is_recorded, found);
    if (reason.verdict == CHECK_OK && c->has_weights &&
        memcmp(found, c->weights, sizeof found) != 0)
        reason =
            (check_reason){ CHECK_FAILED, "the weights differ from those of the first training" };
    if (reason.verdict == CHECK_OK && !c->has_weights) {
        memcpy(c->weights, found, sizeof found);
        c->has_weights = true;
    }
    told(c, at,
         is_recorded ? "the same training, its step recorded, has the same bits"
                     : "a training on batches of an input has the bits of the first one",
         reason);
}

static cohort_strategy *open_place(const check *c, const char *devices)
{
    return cohort_strategy_create(
        &(cohort_strategy_options){ .devices = devices, .replicas = c->replicas });
}

static void try_place(check *c, const place *at)
{
    tell(c, at->devices, "a strategy opens",
         at->strategy != NULL ? (check_reason){ CHECK_OK, "" } : check_error(COHORT_ENODEV));
    if (at->strategy == NULL)
        return;
    told(c, at, "saxpy", check_saxpy(at->strategy));
    try_dtypes(c, at);
    try_policies(c, at);
    try_training(c, at, false);
    try_training(c, at, true);
}

static void try_all(check *c)
{
    tell_ended(c);
    for (int i = 0; c->n_places > 1 && i < c->n_places; i++) {
        place one = { c->places[i], open_place(c, c->places[i]) };
        try_place(c, &one);
        cohort_strategy_destroy(one.strategy);
    }
    if (c->n_places > 0)
        try_place(c, &(place){ c->joined, c->whole });
}

/* ------------------------------------------------------------------ devices */

static void add_element(FILE *file, const char *element)
{
    (void)fprintf(file, "%s%s", ftell(file) > 0 ? "," : "", element);
}

static void add_all(FILE *file, const check *c)
{
    for (const cohort_device *d = cohort_device_next(NULL); d != NULL; d = cohort_device_next(d))
        add_element(file, cohort_device_id(d));
    for (const finding *f = c->findings; f != NULL; f = f->next)
        if (f->file != NULL)
            add_element(file, f->subject);
}

static void add_places(FILE *file, const check *c)
{
    for (int i = 0; i < c->n_places; i++)
        add_element(file, c->places[i]);
}

/* "host:0,opencl:0"; NULL: out of memory. */
static char *join(const check *c, void (*add)(FILE *file, const check *c))
{
    char *list = NULL;
    size_t length;
    FILE *file = open_memstream(&list, &length);
    if (file == NULL)
        return NULL;
    add(file, c);
    if (fclose(file) != 0)
        free(list), list = NULL;
    return list;
}

/* All devices, and the names of plugins that were asked for theirs in vain. */
static char *list_all(const check *c)
{
    return join(c, add_all);
}

/* The elements of the list. */
static int split(check *c)
{
    char *rest;
    c->list = strdup(c->devices);
    if (c->list == NULL)
        return cli_fail(EXIT_FAILED, "check: out of memory");
    for (char *one = strtok_r(c->list, ",", &rest); one != NULL; one = strtok_r(NULL, ",", &rest)) {
        if (c->n_places + c->n_ended == MOST_DEVICES)
            return cli_fail(EXIT_USAGE, "check: more than %d devices", MOST_DEVICES);
        if (finding_find_ended(c->findings, one) != NULL)
            c->ended[c->n_ended++] = one;
        else
            c->places[c->n_places++] = one;
    }
    c->joined = join(c, add_places);
    return c->joined != NULL ? EXIT_OK : cli_fail(EXIT_FAILED, "check: out of memory");
}

/* How many devices an element of the list is; 0: none that can be used. */
static int count_devices(const char *element)
{
    cohort_strategy *s = cohort_mirrored(element);
    int n = cohort_strategy_num_replicas(s);
    cohort_strategy_destroy(s);
    return n;
}

/* All have the same number of replicas, so that they have the same bits: one that is enough for the
 * list. The list is opened once, as what is said of it then, such as of CPUs that share their
 * cores, is to be said once. */
static int open_devices(check *c)
{
    int code = split(c);
    c->replicas = LEAST_REPLICAS;
    for (int i = 0, n = 0; code == EXIT_OK && i < c->n_places; i++) {
        int more = count_devices(c->places[i]);
        if (more == 0)
            return cli_no_strategy(c->places[i], 0);
        n += more;
        c->replicas = n > c->replicas ? n : c->replicas;
    }
    if (code != EXIT_OK || c->n_places == 0)
        return code;
    c->whole = open_place(c, c->joined);
    return c->whole != NULL ? EXIT_OK : cli_no_strategy(c->joined, 0);
}

static int no_device(void)
{
    cli_fail(EXIT_NO_DEVICE, "check: there is no usable device");
    cli_fix("cohort doctor says why");
    return EXIT_NO_DEVICE;
}

/* ------------------------------------------------------------------ */

enum { DEVICES = 1, JSON };
static const struct option options[] = { { "devices", required_argument, NULL, DEVICES },
                                         { "json", no_argument, NULL, JSON },
                                         { "help", no_argument, NULL, CLI_HELP },
                                         { 0 } };

/* The exit code, or -1 to go on. */
static int read_options(check *c, const cli_command *self, int argc, char **argv)
{
    for (int option, code; (option = cli_option(self, argc, argv, options, &code)) != -1;) {
        if (option == CLI_STOP)
            return code;
        if (option == DEVICES)
            c->devices = optarg;
        else
            c->wants_json = true;
    }
    return cli_no_words(self, argc, argv) ? -1 : EXIT_USAGE;
}

static void report(check *c)
{
    if (!c->wants_json) {
        try_all(c);
        printf("1..%d\n", c->n);
        return;
    }
    json_object(&c->out, NULL);
    json_integer(&c->out, "schema", 1);
    json_array(&c->out, "tests");
    try_all(c);
    json_array_end(&c->out);
    json_bool(&c->out, "ok", c->n_failed == 0);
    json_object_end(&c->out);
}

static int run(const cli_command *self, int argc, char **argv)
{
    check c = { .out = { .file = stdout } };
    int code = read_options(&c, self, argc, argv);
    if (code >= 0)
        return code;
    ask_plugins(&c);
    char *all = c.devices == NULL ? list_all(&c) : NULL;
    if (c.devices == NULL)
        c.devices = all;
    code = c.devices == NULL || c.devices[0] == '\0' ? no_device() : open_devices(&c);
    if (code == EXIT_OK)
        report(&c);
    cohort_strategy_destroy(c.whole);
    finding_free_all(c.findings);
    free(c.joined);
    free(c.list);
    free(all);
    return code != EXIT_OK ? code : c.n_failed == 0 ? EXIT_OK : EXIT_FAILED;
}

static const cli_value values[] = { { "devices", CLI_DEVICES, NULL }, { NULL, CLI_ANY, NULL } };

const cli_command cli_check = { "check", "test the installation on every device",
                                help,    run,
                                options, values };
