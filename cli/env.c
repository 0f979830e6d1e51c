/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort env: every environment variable that Cohort reads. */
#include "config.h"

#include "cli/ascii.h"
#include "cli/cli.h"
#include "cli/json.h"
#include "cli/visible.h"

#include <string.h>

static const char help[] = "usage: cohort env [FILTER] [--json]\n"
                           "\n"
                           "Print every environment variable that Cohort reads: its value or "
                           "default, and what it is for.\n"
                           "FILTER keeps those that contain it, in name or text, in any case.\n"
                           "\n"
                           "  --json  one JSON object: schema, settings\n"
                           "  --help  this text\n"
                           "\n"
                           "Exit codes: 0 fine, 1 nothing contains FILTER, 2 wrong usage.\n";

/* An empty filter is contained in everything. */
static bool contains(const char *text, const char *part)
{
    size_t length = strlen(part);
    for (; strlen(text) >= length; text++)
        if (ascii_begins(text, part))
            return true;
    return false;
}

static const cohort_setting *next(const cohort_setting *setting, const char *filter)
{
    do
        setting = cohort_setting_next(setting);
    while (setting != NULL && !contains(cohort_setting_name(setting), filter) &&
           !contains(cohort_setting_documentation(setting), filter));
    return setting;
}

static void print_json(const char *filter)
{
    json out = { .file = stdout };
    json_object(&out, NULL);
    json_integer(&out, "schema", 1);
    json_array(&out, "settings");
    for (const cohort_setting *s = next(NULL, filter); s != NULL; s = next(s, filter)) {
        json_object(&out, NULL);
        json_text(&out, "name", cohort_setting_name(s));
        json_text(&out, "type", cohort_setting_type(s));
        json_text(&out, "value", cohort_setting_value(s));
        json_text(&out, "default", cohort_setting_default(s));
        json_text(&out, "documentation", cohort_setting_documentation(s));
        json_object_end(&out);
    }
    json_array_end(&out);
    json_object_end(&out);
}

static void print_text(const char *filter)
{
    for (const cohort_setting *s = next(NULL, filter); s != NULL; s = next(s, filter)) {
        const char *value = cohort_setting_value(s), *fallback = cohort_setting_default(s);
        printf("%s%s", cohort_setting_name(s), value != NULL ? "=" : " is not set");
        visible_print(stdout, value != NULL ? value : "", value != NULL ? strlen(value) : 0);
        printf("   (%s%s%s)\n    %s\n", cohort_setting_type(s),
               fallback[0] != '\0' ? ", default " : "", fallback, cohort_setting_documentation(s));
    }
}

static int run(const cli_command *self, int argc, char **argv)
{
    bool wants_json;
    int code;
    if (!cli_json_option(self, argc, argv, &wants_json, &code))
        return code;
    const char *filter = optind < argc ? argv[optind++] : "";
    if (!cli_no_words(self, argc, argv))
        return EXIT_USAGE;
    if (wants_json)
        print_json(filter);
    else
        print_text(filter);
    return next(NULL, filter) != NULL ? EXIT_OK
                                      : cli_fail(EXIT_FAILED, "no setting contains '%s'", filter);
}

static const cli_value values[] = { { NULL, CLI_SETTING, NULL }, { NULL, CLI_ANY, NULL } };

const cli_command cli_env = {
    "env", "environment variables that Cohort reads", help, run, cli_json_options, values
};
