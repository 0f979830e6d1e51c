/* SPDX-License-Identifier: BSD-3-Clause */
/* The common parts of the subcommands of `cohort`: the table's row, exit codes, messages,
 * options. */
#ifndef COHORT_CLI_CLI_H
#define COHORT_CLI_CLI_H

#include <cohort/cohort.h>

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>

enum { EXIT_OK = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_NO_DEVICE = 3 };

/* The kinds of values that shells complete. */
typedef enum cli_kind {
    CLI_ANY = 0, /* a number, a name of the user's: nothing to offer */
    CLI_FILE,
    CLI_FILES, /* in a list, or after NAME= or NAME=@ */
    CLI_FOLDER,
    CLI_DEVICES, /* a list of device ids */
    CLI_WORD,    /* one of a few words */
    CLI_STATUS,
    CLI_SETTING,
    CLI_PROGRAM /* and its own arguments */
} cli_kind;

typedef struct cli_value {
    const char *option; /* without --; NULL: what is no option */
    cli_kind kind;
    const char *words; /* of CLI_WORD, separated by spaces */
} cli_value;

typedef struct cli_command {
    const char *name, *summary, *help; /* help: from the usage line on */
    int (*run)(const struct cli_command *self, int argc, char **argv);
    const struct option *options;
    const cli_value *values; /* those of a kind, ended by CLI_ANY; NULL: none */
} cli_command;

extern const cli_command cli_bench, cli_check, cli_checkpoint, cli_cluster, cli_completion,
    cli_data, cli_demo, cli_devices, cli_doctor, cli_embed, cli_env, cli_explain, cli_launch,
    cli_new, cli_plugin, cli_report, cli_run, cli_top, cli_version;

/* All of them, ended by NULL. */
extern const cli_command *const cli_commands[];

/* "cohort: sentence" on stderr; returns the exit code for `return cli_fail(...)`. */
__attribute__((format(printf, 2, 3))) int cli_fail(int code, const char *format, ...);

/* "fix: what to do", the line after. */
__attribute__((format(printf, 1, 2))) void cli_fix(const char *format, ...);

/* "cohort: warning: sentence" on stderr, where $COHORT_LOG wants warnings. */
__attribute__((format(printf, 1, 2))) void cli_warn(const char *format, ...);

/* Send the library's log to stderr, up to $COHORT_LOG. */
void cli_log_start(void);

/* The last words of a command that wrote to stdout: EXIT_FAILED when the output did not get there,
 * else `code`. */
int cli_finish(int code);

/* The setting of that name, "" when unset. */
const char *cli_setting(const char *name);

/* getopt_long with our own messages and --help; an option whose value is a letter has that letter
 * as its short form. The option, -1 at the end, or CLI_STOP and *out_code to exit with. */
enum { CLI_STOP = -2, CLI_HELP = 256 };
int cli_option(const cli_command *self, int argc, char **argv, const struct option options[],
               int *out_code);

/* The same of those in front of the first word: what follows is another program's. */
int cli_option_of_front(const cli_command *self, int argc, char **argv,
                        const struct option options[], int *out_code);

/* For commands whose only options are --json and --help: false to stop with *out_code. */
extern const struct option cli_json_options[];
bool cli_json_option(const cli_command *self, int argc, char **argv, bool *out_wants_json,
                     int *out_code);

/* A strategy on these devices could not be made: say why, and return the exit code. replicas 0: one
 * per device. */
int cli_no_strategy(const char *devices, int32_t replicas);

/* No words may be left over: true, or false after the message. */
bool cli_no_words(const cli_command *self, int argc, char **argv);

/* A decimal integer from least to most: true, or false after a message that names the option. */
bool cli_integer(const char *option, const char *text, uint64_t least, uint64_t most,
                 uint64_t *out);

#endif
