/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort version: what was built, and how. */
#include "config.h"

#include "cli/cli.h"
#include "cli/json.h"

#include <cohort/plugin.h>

enum { ABI_MAJOR = 0 }; /* stands in the name of the entry symbol */

static const char help[] =
    "usage: cohort version [--json]\n"
    "\n"
    "Print the version, the plugin ABI, where plugins and data are installed, and the options of configure.\n"
    "\n"
    "  --json  one JSON object: schema, version, abi, plugin_folder, data_folder, configure\n"
    "  --help  this text\n";

static void print_json(void)
{
    char abi[32];
    snprintf(abi, sizeof abi, "%d.%u", ABI_MAJOR, COHORT_ABI_MINOR);
    json out = { .file = stdout };
    json_object(&out, NULL);
    json_integer(&out, "schema", 1);
    json_text(&out, "version", cohort_version());
    json_text(&out, "abi", abi);
    json_text(&out, "plugin_folder", PLUGINDIR);
    json_text(&out, "data_folder", PKGDATADIR);
    json_text(&out, "configure", CONFIGURE_OPTIONS);
    json_object_end(&out);
}

static void print_text(void)
{
    printf("cohort %s\n", cohort_version());
    printf("plugin ABI     %d.%u\n", ABI_MAJOR, COHORT_ABI_MINOR);
    printf("plugin folder  %s\n", PLUGINDIR);
    printf("data folder    %s\n", PKGDATADIR);
    printf("configure      %s\n", CONFIGURE_OPTIONS);
}

static int run(const cli_command *self, int argc, char **argv)
{
    bool wants_json;
    int code;
    if (!cli_json_option(self, argc, argv, &wants_json, &code))
        return code;
    if (!cli_no_words(self, argc, argv))
        return EXIT_USAGE;
    if (wants_json)
        print_json();
    else
        print_text();
    return EXIT_OK;
}

const cli_command cli_version = { "version", "version, plugin ABI, how it was configured", help, run };
