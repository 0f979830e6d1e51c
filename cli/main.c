/* SPDX-License-Identifier: BSD-3-Clause */
/* The `cohort` command: one table of subcommands. */
#include "config.h"

#include "cli/cli.h"
#include "cli/closest.h"

#include <locale.h>
#include <signal.h>
#include <string.h>

const cli_command *const cli_commands[] = {
    &cli_bench,  &cli_check,   &cli_checkpoint, &cli_cluster, &cli_completion,
    &cli_data,   &cli_demo,    &cli_devices,    &cli_doctor,  &cli_embed,
    &cli_env,    &cli_explain, &cli_launch,     &cli_new,     &cli_plugin,
    &cli_report, &cli_run,     &cli_top,        &cli_version, NULL
};
enum { COMMANDS = sizeof cli_commands / sizeof *cli_commands - 1 };

static int print_overview(void)
{
    printf("usage: cohort COMMAND [OPTION...]\n"
           "\n"
           "Cohort runs functions in lockstep on every device of the machine.\n"
           "\n");
    for (int i = 0; i < COMMANDS; i++)
        printf("  %-10s %s\n", cli_commands[i]->name, cli_commands[i]->summary);
    printf("  %-10s %s\n\n", "help", "this text, or the help of a command: cohort help COMMAND");
    printf("  --help     this text; cohort COMMAND --help for the options of a command\n"
           "  --version  the version\n\n"
           "Exit codes: 0 fine, 1 failed, 2 wrong usage, 3 no usable device. Manual: cohort(1), "
           "cohort-env(7).\n");
    return EXIT_OK;
}

static const cli_command *find(const char *name)
{
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(cli_commands[i]->name, name) == 0)
            return cli_commands[i];
    return NULL;
}

static int unknown(const char *name)
{
    const char *names[COMMANDS + 1] = { NULL };
    for (int i = 0; i < COMMANDS; i++)
        names[i] = cli_commands[i]->name;
    const char *meant = closest(name, names);
    cli_fail(EXIT_USAGE, "there is no command '%s'", name);
    if (meant != NULL)
        cli_fix("did you mean 'cohort %s'?", meant);
    else
        cli_fix("cohort help lists the commands");
    return EXIT_USAGE;
}

/* cohort help COMMAND prints what cohort COMMAND --help does. */
static int help(int argc, char **argv)
{
    if (argc < 2 || strcmp(argv[1], "help") == 0 || strcmp(argv[1], "--help") == 0)
        return print_overview();
    const cli_command *command = find(argv[1]);
    if (command == NULL)
        return unknown(argv[1]);
    printf("%s", command->help);
    return EXIT_OK;
}

/* The words that every command understands come before the table. */
static int dispatch(int argc, char **argv)
{
    const char *name = argv[0];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        return print_overview();
    if (strcmp(name, "help") == 0)
        return help(argc, argv);
    if (strcmp(name, "--version") == 0)
        return printf("cohort %s\n", cohort_version()), EXIT_OK;
    const cli_command *command = find(name);
    return command != NULL ? command->run(command, argc, argv) : unknown(name);
}

int main(int argc, char **argv)
{
    /* a write past the limit on sizes of files is an error, with its file's name */
    (void)signal(SIGXFSZ, SIG_IGN);
    setlocale(LC_CTYPE, ""); /* whether the terminal takes UTF-8; numbers stay as they are in C */
    if (argc < 2) {
        print_overview();
        return cli_finish(EXIT_USAGE);
    }
    cli_log_start();
    return cli_finish(dispatch(argc - 1, argv + 1));
}
