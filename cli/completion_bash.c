/* SPDX-License-Identifier: BSD-3-Clause */
/* The script for bash 4 and later. It needs nothing of the package bash-completion. */
#include "config.h"

#include "cli/completion.h"

/* `kind`, as _cohort_complete below takes it. */
static void print_kind(const cli_value *value)
{
    static const char *const kinds[] = {
        [CLI_ANY] = "any",       [CLI_FILE] = "file",       [CLI_FILES] = "files",
        [CLI_FOLDER] = "folder", [CLI_DEVICES] = "devices", [CLI_PROGRAM] = "program"
    };
    printf("kind='");
    if (value->kind == CLI_WORD || value->kind == CLI_STATUS || value->kind == CLI_SETTING)
        printf("word "), completion_words(value);
    else
        printf("%s", kinds[value->kind]);
    printf("' ;;\n");
}

static void print_commands(void)
{
    printf("_cohort_commands='");
    for (const cli_command *const *c = cli_commands; *c != NULL; c++)
        printf("%s ", (*c)->name);
    printf("help'\n\n");
}

static void print_options(void)
{
    printf("# _cohort_options COMMAND: $options of it.\n"
           "_cohort_options() {\n"
           "    case $1 in\n"
           "    '') options='--help --version' ;;\n");
    for (const cli_command *const *c = cli_commands; *c != NULL; c++) {
        printf("    %s) options='", (*c)->name);
        for (const struct option *o = (*c)->options; o->name != NULL; o++)
            printf("%s%s%s", o == (*c)->options ? "" : " ", o->name[1] == '\0' ? "-" : "--",
                   o->name);
        printf("' ;;\n");
    }
    printf("    *) options='' ;;\n    esac\n}\n\n");
}

static void print_value(const cli_command *command, const struct option *o)
{
    cli_value value = completion_value(command, o->name);
    char letter = completion_letter(o);
    printf("    '%s --%s'", command->name, o->name);
    if (letter != '\0')
        printf(" | '%s -%c'", command->name, letter);
    printf(") "), print_kind(&value);
}

static void print_values(void)
{
    printf("# _cohort_value COMMAND OPTION: $kind of what stands behind the option, '' when "
           "nothing does; of a\n"
           "# COMMAND alone, that of its words.\n"
           "_cohort_value() {\n"
           "    case \"$1 $2\" in\n"
           "    'help ') kind=\"word $_cohort_commands\" ;;\n");
    for (const cli_command *const *c = cli_commands; *c != NULL; c++) {
        cli_value word = completion_value(*c, NULL);
        if (word.kind != CLI_ANY)
            printf("    '%s ') ", (*c)->name), print_kind(&word);
        for (const struct option *o = (*c)->options; o->name != NULL; o++)
            if (o->has_arg == required_argument)
                print_value(*c, o);
    }
    printf("    *) kind='' ;;\n    esac\n}\n\n");
}

static const char functions[] =
    "# _cohort_complete KIND TEXT: COMPREPLY, with what stands before the part that is completed.\n"
    "_cohort_complete() {\n"
    "    local text=$2 before=''\n"
    "    case $1 in\n"
    "    files | devices)\n"
    "        before=${text%\"${text##*[=,@]}\"}\n"
    "        text=${text##*[=,@]}\n"
    "        ;;\n"
    "    esac\n"
    "    case $1 in\n"
    "    file | files)\n"
    "        mapfile -t COMPREPLY < <(compgen -f -- \"$text\")\n"
    "        compopt -o filenames\n"
    "        ;;\n"
    "    folder)\n"
    "        mapfile -t COMPREPLY < <(compgen -d -- \"$text\")\n"
    "        compopt -o filenames\n"
    "        ;;\n"
    "    devices) mapfile -t COMPREPLY < <(compgen -W \"$(_cohort_devices)\" -- \"$text\") ;;\n"
    "    program)\n"
    "        mapfile -t COMPREPLY < <(compgen -c -- \"$text\")\n"
    "        [[ $text != */* ]] || mapfile -t COMPREPLY < <(compgen -f -- \"$text\")\n"
    "        ;;\n"
    "    word*) mapfile -t COMPREPLY < <(compgen -W \"${1#word }\" -- \"$text\") ;;\n"
    "    esac\n"
    "    COMPREPLY=(\"${COMPREPLY[@]/#/$before}\")\n"
    "}\n"
    "\n"
    "# _cohort_read_words: the words up to the cursor in $words, as the shell will take them "
    "apart. Those of\n"
    "# COMP_WORDS end at each : and =, too.\n"
    "_cohort_read_words() {\n"
    "    local rest=${COMP_LINE:0:COMP_POINT} i word\n"
    "    words=()\n"
    "    for ((i = 0; i <= COMP_CWORD; i++)); do\n"
    "        if ((i == 0)) || [[ $rest == [[:space:]]* ]]; then\n"
    "            words+=('')\n"
    "        fi\n"
    "        rest=${rest#\"${rest%%[![:space:]]*}\"}\n"
    "        word=${COMP_WORDS[i]}\n"
    "        ((i < COMP_CWORD)) || word=$rest\n"
    "        words[${#words[@]}-1]+=$word\n"
    "        rest=${rest#\"$word\"}\n"
    "    done\n"
    "}\n"
    "\n"
    "# _cohort_count: how many of $words behind the command are no options, without the last word "
    "of all.\n"
    "_cohort_count() {\n"
    "    local i kind\n"
    "    count=0\n"
    "    for ((i = 2; i < ${#words[@]} - 1; i++)); do\n"
    "        case ${words[i]} in\n"
    "        -*)\n"
    "            _cohort_value \"$command\" \"${words[i]}\"\n"
    "            [[ -z $kind ]] || ((i++))\n"
    "            ;;\n"
    "        *) ((count++)) ;;\n"
    "        esac\n"
    "    done\n"
    "}\n"
    "\n"
    "# _cohort_word: what is no option's value.\n"
    "_cohort_word() {\n"
    "    local count options\n"
    "    _cohort_count\n"
    "    _cohort_value \"$command\" ''\n"
    "    if [[ $kind == program && $count -gt 0 ]]; then # the program's own words\n"
    "        _cohort_complete file \"$current\"\n"
    "    elif [[ $current == -* ]]; then\n"
    "        _cohort_options \"$command\"\n"
    "        _cohort_complete \"word $options\" \"$current\"\n"
    "    elif [[ $kind != word* || $count -eq 0 ]]; then\n"
    "        _cohort_complete \"$kind\" \"$current\"\n"
    "    fi\n"
    "}\n"
    "\n"
    "_cohort() {\n"
    "    local words command current kind='' text\n"
    "    _cohort_read_words\n"
    "    current=${words[${#words[@]}-1]} text=$current\n"
    "    COMPREPLY=()\n"
    "    if ((${#words[@]} <= 2)); then\n"
    "        local options\n"
    "        _cohort_options ''\n"
    "        _cohort_complete \"word $_cohort_commands $options\" \"$current\"\n"
    "    else\n"
    "        command=${words[1]}\n"
    "        if [[ $current == --*=* ]]; then\n"
    "            text=${current#*=}\n"
    "            _cohort_value \"$command\" \"${current%%=*}\"\n"
    "        elif [[ ${words[${#words[@]}-2]} == -* ]]; then\n"
    "            _cohort_value \"$command\" \"${words[${#words[@]}-2]}\"\n"
    "        fi\n"
    "        if [[ -n $kind ]]; then\n"
    "            _cohort_complete \"$kind\" \"$text\"\n"
    "        else\n"
    "            _cohort_word\n"
    "        fi\n"
    "    fi\n"
    "    # what the shell replaces is $2, the end of the word\n"
    "    COMPREPLY=(\"${COMPREPLY[@]/#/${current%\"$text\"}}\")\n"
    "    COMPREPLY=(\"${COMPREPLY[@]#\"${current%\"$2\"}\"}\")\n"
    "}\n"
    "\n"
    "complete -F _cohort cohort\n";

void completion_bash(void)
{
    printf("# bash completion for cohort %s\n"
           "# shellcheck shell=bash\n"
           "# Printed by: cohort completion bash\n\n",
           cohort_version());
    print_commands();
    print_options();
    print_values();
    printf("# The ids of the devices, and the plugins that bring them.\n"
           "_cohort_devices() {\n"
           "    \"${words[0]/#\\~\\//$HOME/}\" %s\n"
           "}\n\n",
           COMPLETION_DEVICES);
    printf("%s", functions);
}
