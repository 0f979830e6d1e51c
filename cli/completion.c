/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort completion: the scripts that make shells complete the command's words, from the tables of
 * options alone. */
#include "config.h"

#include "cli/completion.h"

#include "cli/closest.h"
#include "cli/explanation.h"

#include <string.h>

#define SHELLS "bash zsh fish"

static const char help[] = "usage: cohort completion bash|zsh|fish\n"
                           "\n"
                           "Print the script that makes this shell complete commands, options and "
                           "their values. Packages and "
                           "make install put it\n"
                           "where the shell looks for it; to try it:\n"
                           "  bash   source <(cohort completion bash)\n"
                           "  zsh    source <(cohort completion zsh)     after compinit\n"
                           "  fish   cohort completion fish | source\n"
                           "\n"
                           "  --help  this text\n"
                           "\n"
                           "Exit codes: 0 fine, 1 failed, 2 wrong usage.\n";

static bool is_same(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

cli_value completion_value(const cli_command *command, const char *option)
{
    const cli_value *v = command->values;
    while (v != NULL && v->kind != CLI_ANY && !is_same(v->option, option))
        v++;
    return v != NULL ? *v : (cli_value){ .kind = CLI_ANY };
}

void completion_words(const cli_value *value)
{
    const explanation *e;
    const char *between = "";
    if (value->kind == CLI_WORD)
        printf("%s", value->words);
    for (int i = 0; value->kind == CLI_STATUS && (e = explanation_at(i)) != NULL; i++) {
        printf("%s%s", between, cohort_status_name(e->status));
        between = " ";
    }
    if (value->kind != CLI_SETTING)
        return;
    for (const cohort_setting *s = cohort_setting_next(NULL); s != NULL;
         s = cohort_setting_next(s)) {
        printf("%s%s", between, cohort_setting_name(s));
        between = " ";
    }
}

char completion_letter(const struct option *option)
{
    bool is_letter = option->val > ' ' && option->val < 127;
    return option->val == CLI_HELP ? 'h' : is_letter ? (char)option->val : '\0';
}

void completion_quoted(const char *text)
{
    putchar('\'');
    for (; *text != '\0'; text++)
        if (*text == '\'')
            printf("'\\''");
        else
            putchar(*text);
    putchar('\'');
}

static const struct option options[] = { { "help", no_argument, NULL, CLI_HELP }, { 0 } };

static int unknown(const char *shell)
{
    const char *meant = closest(shell, (const char *const[]){ "bash", "zsh", "fish", NULL });
    cli_fail(EXIT_USAGE, "completion: there is no script for '%s'", shell);
    if (meant != NULL)
        cli_fix("did you mean 'cohort completion %s'?", meant);
    else
        cli_fix("cohort completion bash, zsh or fish");
    return EXIT_USAGE;
}

static int print(const char *shell)
{
    if (strcmp(shell, "bash") == 0)
        completion_bash();
    else if (strcmp(shell, "zsh") == 0)
        completion_zsh();
    else if (strcmp(shell, "fish") == 0)
        completion_fish();
    else
        return unknown(shell);
    return EXIT_OK;
}

static int run(const cli_command *self, int argc, char **argv)
{
    int code;
    if (cli_option(self, argc, argv, options, &code) != -1)
        return code;
    if (optind == argc) {
        cli_fail(EXIT_USAGE, "completion: of which shell?");
        cli_fix("cohort completion bash, zsh or fish");
        return EXIT_USAGE;
    }
    const char *shell = argv[optind++];
    return cli_no_words(self, argc, argv) ? print(shell) : EXIT_USAGE;
}

static const cli_value values[] = { { NULL, CLI_WORD, SHELLS }, { NULL, CLI_ANY, NULL } };

const cli_command cli_completion = {
    "completion", "scripts that make bash, zsh and fish complete words", help, run, options, values
};
