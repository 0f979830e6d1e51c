/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort explain: what a status means, and what to do. */
#include "config.h"

#include "cli/cli.h"
#include "cli/explanation.h"
#include "cli/json.h"

#include <string.h>

static const char help[] =
    "usage: cohort explain [STATUS] [--json]\n"
    "\n"
    "Say what a status means that a call has answered, when it comes, what to do next, and which "
    "calls answer it\n"
    "commonly. STATUS is a name, such as COHORT_EINVAL or enodev, or a number, such as -1; without "
    "it all are listed.\n"
    "\n"
    "  --json  one JSON object: schema, statuses\n"
    "  --help  this text\n"
    "\n"
    "Exit codes: 0 fine, 2 there is no such status, or wrong usage.\n";

static void print_list(const char *heading, const char *const *lines)
{
    printf("\n%s\n", heading);
    for (; *lines != NULL; lines++)
        printf("  %s\n", *lines);
}

static void print_one(const explanation *e)
{
    printf("COHORT_%s (%d): %s\n\n%s\n", cohort_status_name(e->status), (int)e->status,
           cohort_status_text(e->status), e->meaning);
    print_list("when", e->when);
    print_list("next", e->next);
    print_list("calls, among others", e->calls);
}

static void print_all(void)
{
    const explanation *e;
    for (int i = 0; (e = explanation_at(i)) != NULL; i++)
        printf("%3d  COHORT_%-14s %s\n", (int)e->status, cohort_status_name(e->status),
               cohort_status_text(e->status));
    printf("\nTry: cohort explain EINVAL\n");
}

static void list_to_json(json *out, const char *key, const char *const *lines)
{
    json_array(out, key);
    for (; *lines != NULL; lines++)
        json_text(out, NULL, *lines);
    json_array_end(out);
}

static void one_to_json(json *out, const explanation *e)
{
    char name[64];
    (void)snprintf(name, sizeof name, "COHORT_%s", cohort_status_name(e->status));
    json_object(out, NULL);
    json_text(out, "name", name);
    json_integer(out, "number", e->status);
    json_text(out, "text", cohort_status_text(e->status));
    json_text(out, "meaning", e->meaning);
    list_to_json(out, "when", e->when);
    list_to_json(out, "next", e->next);
    list_to_json(out, "calls", e->calls);
    json_object_end(out);
}

/* only NULL: all */
static void print_json(const explanation *only)
{
    json out = { .file = stdout };
    const explanation *e;
    json_object(&out, NULL);
    json_integer(&out, "schema", 1);
    json_array(&out, "statuses");
    for (int i = 0; (e = explanation_at(i)) != NULL; i++)
        if (only == NULL || e == only)
            one_to_json(&out, e);
    json_array_end(&out);
    json_object_end(&out);
}

static bool is_negative_number(const char *word)
{
    return word[0] == '-' && word[1] != '\0' && word[1 + strspn(&word[1], "0123456789")] == '\0';
}

/* The first number below zero, which getopt would take for options, leaves the words. */
static const char *take_negative(int *argc, char **argv)
{
    for (int i = 1; i < *argc; i++)
        if (is_negative_number(argv[i])) {
            const char *word = argv[i];
            memmove(&argv[i], &argv[i + 1], (size_t)(*argc - i) * sizeof *argv);
            *argc -= 1;
            return word;
        }
    return NULL;
}

static int unknown(const char *word)
{
    const char *meant = explanation_meant(word);
    cli_fail(EXIT_USAGE, "explain: there is no status '%s'", word);
    if (meant != NULL)
        cli_fix("did you mean 'cohort explain %s'?", meant);
    else
        cli_fix("cohort explain lists all; numbers of errno are others");
    return EXIT_USAGE;
}

static int run(const cli_command *self, int argc, char **argv)
{
    bool wants_json;
    int code;
    const char *word = take_negative(&argc, argv);
    if (!cli_json_option(self, argc, argv, &wants_json, &code))
        return code;
    if (word == NULL && optind < argc)
        word = argv[optind++];
    if (!cli_no_words(self, argc, argv))
        return EXIT_USAGE;
    const explanation *found = word != NULL ? explanation_find(word) : NULL;
    if (word != NULL && found == NULL)
        return unknown(word);
    if (wants_json)
        print_json(found);
    else if (found != NULL)
        print_one(found);
    else
        print_all();
    return EXIT_OK;
}

static const cli_value values[] = { { NULL, CLI_STATUS, NULL }, { NULL, CLI_ANY, NULL } };

const cli_command cli_explain = {
    "explain", "what a status means, and what to do", help, run, cli_json_options, values
};
