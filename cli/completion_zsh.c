/* SPDX-License-Identifier: BSD-3-Clause */
/* The script for zsh: specifications of _arguments. */
#include "config.h"

#include "cli/completion.h"

/* "message:action" */
static void print_action(const cli_value *value)
{
    static const char *const actions[] = { [CLI_ANY] = "value: ",
                                           [CLI_FILE] = "file:_files",
                                           [CLI_FILES] = "file:_cohort_files",
                                           [CLI_FOLDER] = "folder:_files -/",
                                           [CLI_DEVICES] = "devices:_cohort_devices" };
    if (value->kind == CLI_WORD || value->kind == CLI_STATUS || value->kind == CLI_SETTING)
        printf("word:("), completion_words(value), printf(")");
    else
        printf("%s", actions[value->kind]);
}

/* '*--data=:file:_files', and once more with its letter. */
static void print_option(const cli_command *command, const struct option *o)
{
    cli_value value = completion_value(command, o->name);
    char letter = completion_letter(o);
    bool has_value = o->has_arg == required_argument;
    printf(" \\\n            '*%s%s", o->name[1] == '\0' ? "-" : "--", o->name);
    if (has_value)
        printf("%s", o->name[1] == '\0' ? "+:" : "=:"), print_action(&value);
    printf("'");
    if (letter == '\0' || o->name[1] == '\0')
        return;
    printf(" \\\n            '*-%c", letter);
    if (has_value)
        printf("+:"), print_action(&value);
    printf("'");
}

static void print_words(const cli_command *command)
{
    cli_value word = completion_value(command, NULL);
    if (word.kind == CLI_PROGRAM) {
        printf(" \\\n            '(-):program:_command_names -e' '*::argument:_normal'");
        return;
    }
    if (word.kind == CLI_ANY)
        return;
    bool is_list = word.kind == CLI_FILE || word.kind == CLI_FILES;
    printf(" \\\n            '%s:", is_list ? "*" : "1");
    print_action(&word);
    printf("'");
}

static void print_cases(void)
{
    for (const cli_command *const *c = cli_commands; *c != NULL; c++) {
        printf("    %s)\n        _arguments :", (*c)->name);
        for (const struct option *o = (*c)->options; o->name != NULL; o++)
            print_option(*c, o);
        print_words(*c);
        printf("\n        ;;\n");
    }
}

/* 'name:summary', in which no other colon stands alone. */
static void print_commands(void)
{
    printf("    local -a commands=(\n");
    for (const cli_command *const *c = cli_commands; *c != NULL; c++) {
        printf("        %s:", (*c)->name);
        completion_quoted((*c)->summary);
        printf("\n");
    }
    printf("        help:'the help of a command'\n    )\n");
}

void completion_zsh(void)
{
    printf("#compdef cohort\n"
           "# zsh completion for cohort %s\n"
           "# Printed by: cohort completion zsh\n\n"
           "# Behind the last = , or @ of the word.\n"
           "_cohort_files() {\n"
           "    compset -P '*[=,@]'\n"
           "    _files\n"
           "}\n\n"
           "# The ids of the devices, and the plugins that bring them.\n"
           "_cohort_devices() {\n"
           "    local -a ids=(${(f)\"$(${~${(Q)_cohort_called}} %s)\"})\n"
           "    compset -P '*,'\n"
           "    compadd -S '' -- $ids\n"
           "}\n\n"
           "_cohort() {\n"
           "    local _cohort_called=$words[1] curcontext=$curcontext\n",
           cohort_version(), COMPLETION_DEVICES);
    print_commands();
    printf("    if (( CURRENT == 2 )); then\n"
           "        _describe -t commands command commands\n"
           "        compadd -- --help --version\n"
           "        return\n"
           "    fi\n"
           "    shift words\n"
           "    (( CURRENT-- ))\n"
           "    case $words[1] in\n");
    print_cases();
    printf("    help) (( CURRENT > 2 )) || _describe -t commands command commands ;;\n"
           "    esac\n"
           "}\n\n"
           "# A file of this name in $fpath is the function's first call; what is sourced is not.\n"
           "if [[ $funcstack[1] == _cohort ]]; then\n"
           "    _cohort \"$@\"\n"
           "elif (( $+functions[compdef] )); then\n"
           "    compdef _cohort cohort\n"
           "fi\n");
}
