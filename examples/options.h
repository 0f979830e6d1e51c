/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of the examples that run on any strategy: which one, on what, with how many
 * replicas. */
#ifndef COHORT_EXAMPLES_OPTIONS_H
#define COHORT_EXAMPLES_OPTIONS_H

#include <cohort/cohort.h>

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { OPTIONS_RUN = -1, OPTIONS_FAILED = 1, OPTIONS_USAGE = 2 };

static inline void options_print_help(const char *program, const char *what)
{
    printf("usage: %s [--strategy NAME] [--devices LIST] [--replicas N]\n"
           "\n"
           "%s\n"
           "\n"
           "  --strategy NAME  mirrored, central, one-device, round-robin or sharded: where "
           "variables live;\n"
           "                   multi-worker-mirrored: over the processes of mpirun; default: "
           "mirrored\n"
           "  --devices LIST   device ids separated by commas, such as host/2 or host,opencl:0\n"
           "  --replicas N     replicas, at least one per device; default: one per device\n"
           "  --help           this text\n"
           "\n"
           "Exit codes: 0 the result is as it should be, 1 it is not, or failed, 2 wrong usage.\n",
           program, what);
}

static inline bool options_take_replicas(const char *text, int32_t *out)
{
    char *end;
    long number = strtol(text, &end, 10);
    *out = number >= 1 && number <= 65536 && *end == '\0' ? (int32_t)number : 0;
    return *out > 0;
}

/* OPTIONS_RUN to go on, or the exit code. The texts of `out` are those of argv. */
static inline int options_read(int argc, char **argv, const char *what,
                               cohort_strategy_options *out)
{
    static const struct option options[] = { { "strategy", required_argument, NULL, 's' },
                                             { "devices", required_argument, NULL, 'd' },
                                             { "replicas", required_argument, NULL, 'r' },
                                             { "help", no_argument, NULL, 'h' },
                                             { NULL, 0, NULL, 0 } };
    for (int option; (option = getopt_long(argc, argv, "h", options, NULL)) != -1;) {
        if (option == 's') {
            out->name = optarg;
        } else if (option == 'd') {
            out->devices = optarg;
        } else if (option == 'h') {
            options_print_help(argv[0], what);
            return EXIT_SUCCESS;
        } else if (option != 'r') {
            return OPTIONS_USAGE; /* getopt_long has said why */
        } else if (!options_take_replicas(optarg, &out->replicas)) {
            fprintf(stderr, "%s: --replicas %s: expected an integer from 1 to 65536\n", argv[0],
                    optarg);
            return OPTIONS_USAGE;
        }
    }
    if (optind == argc)
        return OPTIONS_RUN;
    fprintf(stderr, "%s: unexpected '%s'\n", argv[0], argv[optind]);
    return OPTIONS_USAGE;
}

/* What the replicas of a strategy run on, for the first line of output. */
static inline void options_print_strategy(const char *name, const cohort_strategy *strategy)
{
    const cohort_device *devices[8];
    int n = cohort_strategy_devices(strategy, devices, 8),
        replicas = cohort_strategy_num_replicas(strategy);
    printf("%s, %d replica%s on", name != NULL ? name : "mirrored", replicas,
           replicas == 1 ? "" : "s");
    for (int i = 0; i < n && i < 8; i++)
        printf(" %s", cohort_device_id(devices[i]));
    printf(n > 8 ? " ... (%d devices)\n" : "\n", n);
}

/* The error that a program ends with: OPTIONS_FAILED, for main to return. */
static inline int options_fail(const char *program, cohort_strategy *strategy)
{
    fprintf(stderr, "%s: %s\n", program, cohort_error_text());
    cohort_strategy_destroy(strategy);
    return OPTIONS_FAILED;
}

/* The strategy that argv asks for, `name` where it says none. Ends the program when there is none
 * to be made. */
static inline cohort_strategy *options_strategy(int argc, char **argv, const char *what,
                                                const char *name)
{
    cohort_strategy_options options = { .name = name };
    int code = options_read(argc, argv, what, &options);
    if (code != OPTIONS_RUN)
        exit(code);
    cohort_strategy *strategy = cohort_strategy_create(&options);
    if (strategy == NULL)
        exit(options_fail(argv[0], NULL));
    options_print_strategy(options.name, strategy);
    return strategy;
}

#endif
