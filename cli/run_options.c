/* SPDX-License-Identifier: BSD-3-Clause */
/* The words of cohort run. */
#include "config.h"

#include "cli/run.h"

#include <string.h>

enum {
    OPENCL = 1,
    GLOBAL,
    LOCAL,
    OFFSET,
    BUILD_OPTIONS,
    LIBRARY,
    SYMBOL,
    SOURCE,
    CFLAGS,
    TYPE,
    DEVICES,
    REPLICAS,
    SPLIT,
    REDUCE,
    OUTPUT,
    REPEAT,
    TIME,
    TIMEOUT,
    ALL,
    CONVERT,
    JSON
};

const struct option run_options_known[] = { { "opencl", required_argument, NULL, OPENCL },
                                            { "global", required_argument, NULL, GLOBAL },
                                            { "local", required_argument, NULL, LOCAL },
                                            { "offset", required_argument, NULL, OFFSET },
                                            { "build-options", required_argument, NULL,
                                              BUILD_OPTIONS },
                                            { "library", required_argument, NULL, LIBRARY },
                                            { "symbol", required_argument, NULL, SYMBOL },
                                            { "source", required_argument, NULL, SOURCE },
                                            { "cflags", required_argument, NULL, CFLAGS },
                                            { "type", required_argument, NULL, TYPE },
                                            { "devices", required_argument, NULL, DEVICES },
                                            { "replicas", required_argument, NULL, REPLICAS },
                                            { "split", required_argument, NULL, SPLIT },
                                            { "reduce", required_argument, NULL, REDUCE },
                                            { "output", required_argument, NULL, OUTPUT },
                                            { "repeat", required_argument, NULL, REPEAT },
                                            { "time", no_argument, NULL, TIME },
                                            { "timeout", required_argument, NULL, TIMEOUT },
                                            { "all", no_argument, NULL, ALL },
                                            { "convert", no_argument, NULL, CONVERT },
                                            { "json", no_argument, NULL, JSON },
                                            { "help", no_argument, NULL, CLI_HELP },
                                            { 0 } };

/* A fixed number, far above what people type, so that the words need no memory of their own. */
static bool add_word(run_words *list, const char *what, const char *word)
{
    if (list->n == RUN_MOST_WORDS)
        return cli_fail(EXIT_USAGE, "run: more than %d %s", RUN_MOST_WORDS, what), false;
    list->words[list->n++] = word;
    return true;
}

/* Where the text of a plain option goes, and the list of one that may be repeated. */
static const char **text_of(run_options *o, int option)
{
    const char **texts[] = { [OPENCL] = &o->opencl,
                             [GLOBAL] = &o->global,
                             [LOCAL] = &o->local,
                             [OFFSET] = &o->offset,
                             [BUILD_OPTIONS] = &o->build_options,
                             [LIBRARY] = &o->library,
                             [SYMBOL] = &o->symbol,
                             [SOURCE] = &o->source,
                             [CFLAGS] = &o->cflags,
                             [DEVICES] = &o->devices,
                             [JSON] = NULL };
    return texts[option];
}

static run_words *list_of(run_options *o, int option)
{
    return option == TYPE     ? &o->types
           : option == SPLIT  ? &o->splits
           : option == REDUCE ? &o->reductions
           : option == OUTPUT ? &o->outputs
                              : NULL;
}

enum { MOST_SECONDS = 1000000 };

static bool read_seconds(const char *text, double *out)
{
    if (number_read(text, COHORT_F64, out) == NULL && *out > 0 && *out <= MOST_SECONDS)
        return true;
    return cli_fail(EXIT_USAGE, "--timeout %s: expected seconds, such as 0.5 or 60, at most %d",
                    text, MOST_SECONDS),
           false;
}

/* Options with a text are a table (text_of), those that may be repeated are lists (list_of), the
 * rest is here. */
static bool take_option(run_options *o, int option, const char *text)
{
    uint64_t number = 0;
    if (text_of(o, option) != NULL) {
        *text_of(o, option) = text;
        return true;
    }
    if (list_of(o, option) != NULL)
        return add_word(list_of(o, option), "options of a kind", text);
    if (option == REPLICAS && !cli_integer("--replicas", text, 1, 65536, &number))
        return false;
    if (option == REPEAT && !cli_integer("--repeat", text, 1, 1000000, &o->repeat))
        return false;
    if (option == TIMEOUT && !read_seconds(text, &o->timeout))
        return false;
    o->replicas = option == REPLICAS ? (int32_t)number : o->replicas;
    o->wants_time = o->wants_time || option == TIME;
    o->may_convert = o->may_convert || option == CONVERT;
    o->wants_all = o->wants_all || option == ALL;
    o->wants_json = o->wants_json || option == JSON;
    return true;
}

/* The first word is the prototype, the others are NAME=VALUE. */
static int take_words(run_options *o, int argc, char **argv)
{
    o->prototype = "";
    if (optind == argc && o->opencl != NULL)
        return RUN_GOES_ON; /* which kernels there are is told */
    if (optind == argc) {
        cli_fail(EXIT_USAGE, "run: a prototype is missing");
        cli_fix("cohort run 'double cos(double x)' --library libm.so.6 x=0.5");
        return EXIT_USAGE;
    }
    o->prototype = argv[optind++];
    for (; optind < argc; optind++) {
        if (strchr(argv[optind], '=') == NULL) {
            cli_fail(EXIT_USAGE, "run: unexpected '%s'", argv[optind]);
            cli_fix("arguments are NAME=VALUE, after the prototype, which is one word: put it in "
                    "quotes");
            return EXIT_USAGE;
        }
        if (!add_word(&o->values, "arguments", argv[optind]))
            return EXIT_USAGE;
    }
    return RUN_GOES_ON;
}

int run_options_read(run_options *o, const cli_command *self, int argc, char **argv)
{
    for (int option, code;
         (option = cli_option(self, argc, argv, run_options_known, &code)) != -1;) {
        if (option == CLI_STOP)
            return code;
        if (!take_option(o, option, optarg))
            return EXIT_USAGE;
    }
    return take_words(o, argc, argv);
}
