/* SPDX-License-Identifier: BSD-3-Clause */
/* Options, alike in every subcommand. */
#include "config.h"

#include "cli/cli.h"
#include "cli/closest.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_OPTIONS = 32 }; /* of one command */

/* Without what follows a '='. */
static const char *meant_option(const char *word, const struct option options[])
{
    const char *names[MOST_OPTIONS + 1] = { NULL };
    char name[64];
    for (int i = 0; i < MOST_OPTIONS && options[i].name != NULL; i++)
        names[i] = options[i].name;
    (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    return closest(name, names);
}

/* A letter stands in optopt; of a long option, the word before optind is what the user wrote. */
static int complain(const cli_command *self, int what, char **argv, const struct option options[])
{
    char letter[3] = { '-', (char)optopt, '\0' };
    bool is_letter = optopt > ' ' && optopt < 127;
    const char *option = is_letter ? letter : argv[optind - 1];
    const char *meant = what != ':' && !is_letter ? meant_option(option + 2, options) : NULL;
    cli_fail(EXIT_USAGE, what == ':' ? "%s: option %s wants a value" : "%s: unknown option %s",
             self->name, option);
    if (meant != NULL)
        cli_fix("did you mean --%s? cohort %s --help lists the options", meant, self->name);
    else
        cli_fix("cohort %s --help lists the options", self->name);
    return EXIT_USAGE;
}

/* ":h" and the letters of the table, in getopt's notation; with ':' in front, getopt tells a
 * missing value from an unknown option. stops: at the first word that is no option. */
static void list_letters(const struct option options[], bool stops, char *out, size_t size)
{
    size_t used = (size_t)snprintf(out, size, "%s:h", stops ? "+" : "");
    for (const struct option *o = options; o->name != NULL && used + 3 <= size; o++)
        if (o->val > ' ' && o->val < 127)
            used +=
                (size_t)snprintf(&out[used], size - used, "%c%s", o->val, o->has_arg ? ":" : "");
}

/* Help is answered here for every command; the caller stops with the code that it gets. */
static int next_option(const cli_command *self, int argc, char **argv,
                       const struct option options[], bool stops, int *out_code)
{
    char letters[32];
    list_letters(options, stops, letters, sizeof letters);
    opterr = 0;
    int found = getopt_long(argc, argv, letters, options, NULL);
    if (found != 'h' && found != CLI_HELP && found != '?' && found != ':')
        return found;
    *out_code = found == '?' || found == ':' ? complain(self, found, argv, options)
                                             : (printf("%s", self->help), EXIT_OK);
    return CLI_STOP;
}

int cli_option(const cli_command *self, int argc, char **argv, const struct option options[],
               int *out_code)
{
    return next_option(self, argc, argv, options, false, out_code);
}

int cli_option_of_front(const cli_command *self, int argc, char **argv,
                        const struct option options[], int *out_code)
{
    return next_option(self, argc, argv, options, true, out_code);
}

enum { JSON = 1 };
const struct option cli_json_options[] = { { "json", no_argument, NULL, JSON },
                                           { "help", no_argument, NULL, CLI_HELP },
                                           { 0 } };

bool cli_json_option(const cli_command *self, int argc, char **argv, bool *out_wants_json,
                     int *out_code)
{
    int option;
    *out_wants_json = false;
    while ((option = cli_option(self, argc, argv, cli_json_options, out_code)) == JSON)
        *out_wants_json = true;
    return option == -1;
}

/* A list that opens without the number of replicas shows that their number is what was wrong. */
int cli_no_strategy(const char *devices, int32_t replicas)
{
    char reason[1024];
    (void)snprintf(reason, sizeof reason, "%s", cohort_error_text());
    cohort_strategy *other = replicas > 0 ? cohort_mirrored(devices) : NULL;
    int code = other != NULL ? EXIT_USAGE : EXIT_NO_DEVICE;
    cohort_strategy_destroy(other);
    cli_fail(code, "%s", reason);
    if (code == EXIT_NO_DEVICE)
        cli_fix("cohort devices lists what can be used, and why the rest can not");
    return code;
}

bool cli_no_words(const cli_command *self, int argc, char **argv)
{
    if (optind >= argc)
        return true;
    cli_fail(EXIT_USAGE, "%s: unexpected '%s'", self->name, argv[optind]);
    cli_fix("cohort %s --help", self->name);
    return false;
}

/* Digits alone: strtoull would take spaces and a minus. */
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
    cli_fail(EXIT_USAGE, "%s %s: expected an integer from %" PRIu64 " to %" PRIu64, option, text,
             least, most);
    return false;
}
