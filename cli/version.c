/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort version: what was built, and how. */
#include "config.h"

#include "cli/cli.h"
#include "cli/json.h"

#include <cohort/plugin.h>

#include <float.h>

enum { ABI_MAJOR = 1 }; /* stands in the name of the entry symbol */

/* Where the compiler keeps more of a float than its bits between two operations, as x87 does,
 * results differ. */
static const bool has_equal_bits = FLT_EVAL_METHOD == 0;

static const char help[] = "usage: cohort version [--json]\n"
                           "\n"
                           "Print the version, the plugin ABI, where plugins, data and examples "
                           "are, the options of configure, and whether\n"
                           "floats have the same bits here as elsewhere.\n"
                           "\n"
                           "  --json  one JSON object: schema, version, abi, plugin_folder, "
                           "data_folder, example_folder, configure, "
                           "equal_bits\n"
                           "  --help  this text\n";

/* The numbers as text: "0.10" is another ABI than 0.1. */
static void print_json(void)
{
    char abi[32];
    snprintf(abi, sizeof abi, "%d.%u", ABI_MAJOR, COHORT_ABI_MINOR);
    json out = { .file = stdout };
    json_object(&out, NULL);
    json_integer(&out, "schema", 1);
    json_text(&out, "version", cohort_version());
    json_text(&out, "abi", abi);
    json_text(&out, "plugin_folder", cohort_installed_folder("plugins"));
    json_text(&out, "data_folder", cohort_installed_folder("data"));
    json_text(&out, "example_folder", cohort_installed_folder("examples"));
    json_text(&out, "configure", CONFIGURE_OPTIONS);
    json_bool(&out, "equal_bits", has_equal_bits);
    json_object_end(&out);
}

static void print_text(void)
{
    printf("cohort %s\n", cohort_version());
    printf("plugin ABI     %d.%u\n", ABI_MAJOR, COHORT_ABI_MINOR);
    printf("plugin folder  %s\n", cohort_installed_folder("plugins"));
    printf("data folder    %s\n", cohort_installed_folder("data"));
    printf("examples       %s\n", cohort_installed_folder("examples"));
    printf("configure      %s\n", CONFIGURE_OPTIONS);
    if (has_equal_bits)
        printf("equal bits     promised\n");
    else
        printf("equal bits     not promised: FLT_EVAL_METHOD is %d (i386: -msse2 -mfpmath=sse)\n",
               (int)FLT_EVAL_METHOD);
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

const cli_command cli_version = {
    "version", "version, plugin ABI, how it was configured", help, run, cli_json_options, NULL
};
