/* SPDX-License-Identifier: BSD-3-Clause */
/* The script for fish 3 and later. */
#include "config.h"

#include "cli/completion.h"

/* fish reads the command line once more from the program's name on, and has to be told which
 * options have a value in front of it. */
static void print_program(const cli_command *command)
{
    printf(" -f -a '(__fish_complete_subcommand --fcs-skip=2");
    for (const struct option *o = command->options; o->name != NULL; o++)
        if (o->has_arg == required_argument)
            printf(" %s%s", o->name[1] == '\0' ? "-" : "--", o->name);
    printf(")'");
}

/* What follows an option or stands for words: " -F", " -f -a '...'". */
static void print_value(const cli_command *command, const cli_value *value)
{
    if (value->kind == CLI_FILE)
        printf(" -F");
    else if (value->kind == CLI_FILES)
        printf(" -f -a '(__cohort_files)'");
    else if (value->kind == CLI_FOLDER)
        printf(" -f -a '(__fish_complete_directories (commandline -ct))'");
    else if (value->kind == CLI_DEVICES)
        printf(" -f -a '(__cohort_devices)'");
    else if (value->kind == CLI_PROGRAM)
        print_program(command);
    else if (value->kind != CLI_ANY)
        printf(" -f -a '"), completion_words(value), printf("'");
    else
        printf(" -f");
}

static void print_option(const cli_command *command, const struct option *o)
{
    cli_value value = completion_value(command, o->name);
    char letter = completion_letter(o);
    printf("complete -c cohort -n '__cohort_is %s'", command->name);
    if (letter != '\0')
        printf(" -s %c", letter);
    if (o->name[1] != '\0')
        printf(" -l %s", o->name);
    if (o->has_arg == required_argument)
        printf(" -r"), print_value(command, &value);
    printf("\n");
}

static void print_command(const cli_command *command)
{
    cli_value word = completion_value(command, NULL);
    printf("complete -c cohort -n __cohort_is_first -a %s -d ", command->name);
    completion_quoted(command->summary);
    printf("\ncomplete -c cohort -n '__cohort_wants_word help' -a %s\n", command->name);
    for (const struct option *o = command->options; o->name != NULL; o++)
        print_option(command, o);
    if (word.kind == CLI_ANY)
        return;
    bool is_list = word.kind == CLI_FILE || word.kind == CLI_FILES || word.kind == CLI_PROGRAM;
    printf("complete -c cohort -n '__cohort_%s %s'", is_list ? "is" : "wants_word", command->name);
    print_value(command, &word);
    printf("\n");
}

void completion_fish(void)
{
    printf("# fish completion for cohort %s\n"
           "# Printed by: cohort completion fish\n\n"
           "function __cohort_is_first\n"
           "    test (count (commandline -opc)) -eq 1\n"
           "end\n\n"
           "# Whether the command is this one.\n"
           "function __cohort_is\n"
           "    set -l words (commandline -opc)\n"
           "    test (count $words) -ge 2; and test $words[2] = $argv[1]\n"
           "end\n\n"
           "# Whether it is, and has no word of its own yet.\n"
           "function __cohort_wants_word\n"
           "    __cohort_is $argv[1]; and test (count (string match -v -- '-*' (commandline "
           "-opc))) -eq 2\n"
           "end\n\n"
           "# Of the word at the cursor, without an option's name: what stands before the last of "
           "these\n"
           "# characters, and that.\n"
           "function __cohort_before\n"
           "    commandline -ct | string replace -r -- '^--[^=]*=' '' |\n"
           "        string replace -r -- '[^'$argv[1]']*$' ''\n"
           "end\n\n"
           "# The ids of the devices, and the plugins that bring them.\n"
           "function __cohort_devices\n"
           "    set -l before (__cohort_before ,)\n"
           "    set -l cohort (commandline -opc)[1]\n"
           "    set cohort (string replace -r -- '^~' $HOME $cohort)\n"
           "    for id in ($cohort %s)\n"
           "        echo $before$id\n"
           "    end\n"
           "end\n\n"
           "# Behind the last = , or @ of the word.\n"
           "function __cohort_files\n"
           "    set -l before (__cohort_before '=,@')\n"
           "    set -l word (commandline -ct | string replace -r -- '^--[^=]*=' '')\n"
           "    for file in (complete -C\": $(string sub -s (math (string length -- \"$before\") + "
           "1) -- \"$word\")\")\n"
           "        echo $before$file\n"
           "    end\n"
           "end\n\n"
           "complete -c cohort -f\n"
           "complete -c cohort -n __cohort_is_first -l help -s h\n"
           "complete -c cohort -n __cohort_is_first -l version\n"
           "complete -c cohort -n __cohort_is_first -a help -d 'the help of a command'\n",
           cohort_version(), COMPLETION_DEVICES);
    for (const cli_command *const *c = cli_commands; *c != NULL; c++)
        print_command(*c);
}
