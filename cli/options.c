/* SPDX-License-Identifier: BSD-3-Clause */
/* Options, alike in every subcommand. */
#include "config.h"

#include "cli/cli.h"

#include <inttypes.h>
#include <string.h>

/* A letter stands in optopt; of a long option, the word before optind is what the user wrote. */
static int complain(const cli_command *self, int what, char **argv)
{
    char letter[3] = { '-', (char)optopt, '\0' };
    const char *option = optopt > ' ' && optopt < 127 ? letter : argv[optind - 1];
    cli_fail(EXIT_USAGE, what == ':' ? "%s: option %s wants a value" : "%s: unknown option %s", self->name, option);
    cli_fix("cohort %s --help lists the options", self->name);
    return EXIT_USAGE;
}

/* ":h" and the letters of the table, in getopt's notation. */
static void list_letters(const struct option options[], char *out, size_t size)
{
    size_t used = (size_t)snprintf(out, size, ":h");
    for (const struct option *o = options; o->name != NULL && used + 3 <= size; o++)
        if (o->val > ' ' && o->val < 127)
            used += (size_t)snprintf(&out[used], size - used, "%c%s", o->val, o->has_arg ? ":" : "");
}

int cli_option(const cli_command *self, int argc, char **argv, const struct option options[], int *out_code)
{
    char letters[32];
    list_letters(options, letters, sizeof letters);
    opterr = 0;
    int found = getopt_long(argc, argv, letters, options, NULL);
    if (found != 'h' && found != CLI_HELP && found != '?' && found != ':')
        return found;
    *out_code = found == '?' || found == ':' ? complain(self, found, argv) : (printf("%s", self->help), EXIT_OK);
    return CLI_STOP;
}

bool cli_json_option(const cli_command *self, int argc, char **argv, bool *out_wants_json, int *out_code)
{
    enum { JSON = 1 };
    static const struct option options[] = { { "json", no_argument, NULL, JSON },
                                             { "help", no_argument, NULL, CLI_HELP },
                                             { 0 } };
    int option;
    *out_wants_json = false;
    while ((option = cli_option(self, argc, argv, options, out_code)) == JSON)
        *out_wants_json = true;
    return option == -1;
}

bool cli_no_words(const cli_command *self, int argc, char **argv)
{
    if (optind >= argc)
        return true;
    cli_fail(EXIT_USAGE, "%s: unexpected '%s'", self->name, argv[optind]);
    cli_fix("cohort %s --help", self->name);
    return false;
}

static bool parse_decimal(const char *text, uint64_t *out)
{
    *out = 0;
    for (const char *p = text; *p != '\0'; p++) {
        if (*p < '0' || *p > '9')
            return false;
        uint64_t digit = (uint64_t)(*p - '0');
        if (*out > (UINT64_MAX - digit) / 10)
            return false;
        *out = *out * 10 + digit;
    }
    return *text != '\0';
}

bool cli_integer(const char *option, const char *text, uint64_t least, uint64_t most, uint64_t *out)
{
    if (parse_decimal(text, out) && *out >= least && *out <= most)
        return true;
    cli_fail(EXIT_USAGE, "%s %s: expected an integer from %" PRIu64 " to %" PRIu64, option, text, least, most);
    return false;
}
