/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort plugin: plugins as files, for those who install or write them. */
#include "config.h"

#include "cli/plugin.h"

#include "cli/cli.h"
#include "cli/closest.h"

#include <string.h>

static const char help[] =
    "usage: cohort plugin list [--json]\n"
    "       cohort plugin dir\n"
    "       cohort plugin new NAME [--dir PATH]\n"
    "       cohort plugin check FILE.so [--kernels DIR] [--rule CHP-NNN] [--timeout S] [--json]\n"
    "       cohort plugin kernels DIR\n"
    "\n"
    "Say which device plugins there are, and make or prove one of your own.\n"
    "\n"
    "  list   every plugin file that is found: its devices, or why it is not used, and what to do\n"
    "  dir    the folder of installed plugins\n"
    "  new    make a project: a folder NAME with a plugin that trains already, and six steps from\n"
    "         there to queues and events; make, CMake and Automake build and check it. What is "
    "there\n"
    "         already is never changed. NAME has letters, digits and _, and no digit first\n"
    "           cohort plugin new mydev && cd mydev && make check\n"
    "  check  try what every plugin must do, each rule in a process of its own; "
    "cohort-plugin-rules(7)\n"
    "         says why, and what usually breaks it. The output is TAP\n"
    "  kernels\n"
    "         write the functions with which devices are checked into a new folder, in C and "
    "OpenCL C:\n"
    "         for those that take neither, but a format VENDOR.KIND, of which DIR then gets "
    "NAME.KIND\n"
    "\n"
    "  --kernels DIR   that folder, with a file NAME.KIND for each body; without one the rules "
    "about\n"
    "                  launches are not proven\n"
    "  --dir PATH      the folder to make the project in; default: the current one\n"
    "  --rule CHP-NNN  this rule alone\n"
    "  --timeout S     seconds that a rule may take without a sign of life, 1 to 3600; default: "
    "120\n"
    "  --json          one JSON object on stdout: schema, and plugins, or file, rules and ok\n"
    "  --help          this text\n"
    "\n"
    "Exit codes: 0 fine, 1 a rule is broken or not proven, the file is not there, or no project "
    "was\n"
    "made and nothing is left behind, 2 wrong usage, 77 the plugin has no device here.\n";

enum { RULE = 1, TIMEOUT, JSON, DIR_OPTION, KERNELS_OPTION };
static const struct option options[] = { { "rule", required_argument, NULL, RULE },
                                         { "timeout", required_argument, NULL, TIMEOUT },
                                         { "json", no_argument, NULL, JSON },
                                         { "dir", required_argument, NULL, DIR_OPTION },
                                         { "kernels", required_argument, NULL, KERNELS_OPTION },
                                         { "help", no_argument, NULL, CLI_HELP },
                                         { 0 } };

/* The words: the options of each, and what it takes, if anything. */
enum { CHECK, DIR_WORD, KERNELS, LIST, NEW };
static const char *const words[] = { "check", "dir", "kernels", "list", "new", NULL };
static const struct {
    unsigned options; /* 1 << RULE ... */
    const char *missing, *example;
} rows[] = {
    [CHECK] = { 1u << RULE | 1u << TIMEOUT | 1u << JSON | 1u << KERNELS_OPTION, "which file?",
                "cohort plugin check ./cohort-NAME.so" },
    [DIR_WORD] = { 0, NULL, NULL },
    [KERNELS] = { 0, "the folder to make is missing",
                  "such as cohort plugin kernels mydev-kernels" },
    [LIST] = { 1u << JSON, NULL, NULL },
    [NEW] = { 1u << DIR_OPTION, "the name of the plugin is missing",
              "such as cohort plugin new mydev" },
};

/* The exit code, or -1 to go on; the options that were there in *out_given. */
static int read_options(plugin_wish *wish, unsigned *out_given, const cli_command *self, int argc,
                        char **argv)
{
    uint64_t seconds;
    for (int option, code; (option = cli_option(self, argc, argv, options, &code)) != -1;) {
        if (option == CLI_STOP)
            return code;
        *out_given |= 1u << option;
        if (option == RULE)
            wish->rule = optarg;
        else if (option == JSON)
            wish->wants_json = true;
        else if (option == DIR_OPTION)
            wish->parent = optarg;
        else if (option == KERNELS_OPTION)
            wish->kernels = optarg;
        else if (cli_integer("--timeout", optarg, 1, 3600, &seconds))
            wish->limit_ns = (int64_t)seconds * 1000000000;
        else
            return EXIT_USAGE;
    }
    return -1;
}

static int no_word(const char *name)
{
    const char *meant = closest(name, words);
    cli_fail(EXIT_USAGE, "plugin: there is no '%s'; list, dir, new, check or kernels", name);
    if (meant != NULL)
        cli_fix("did you mean 'cohort plugin %s'?", meant);
    return EXIT_USAGE;
}

/* The words to which an option belongs stand in the usage. */
static bool check_options(int word, unsigned given)
{
    for (int i = 0; options[i].val != CLI_HELP; i++)
        if ((given & ~rows[word].options & 1u << options[i].val) != 0) {
            cli_fail(EXIT_USAGE, "plugin %s: it has no option --%s", words[word], options[i].name);
            cli_fix("cohort plugin --help");
            return false;
        }
    return true;
}

static int run_word(int word, const char *argument, const plugin_wish *wish)
{
    if (word == CHECK)
        return plugin_check(argument, wish);
    if (word == NEW)
        return plugin_new(argument, wish);
    if (word == KERNELS)
        return plugin_kernels(argument);
    if (word == LIST)
        return plugin_list(wish);
    printf("%s\n", cohort_installed_folder("plugins"));
    return EXIT_OK;
}

static int run(const cli_command *self, int argc, char **argv)
{
    plugin_wish wish = { .limit_ns = INT64_C(120000000000), .parent = "." };
    unsigned given = 0;
    int code = read_options(&wish, &given, self, argc, argv), word = 0;
    if (code >= 0)
        return code;
    if (optind >= argc) {
        cli_fail(EXIT_USAGE, "plugin: list, dir, new, check or kernels?");
        cli_fix("cohort plugin --help");
        return EXIT_USAGE;
    }
    while (words[word] != NULL && strcmp(words[word], argv[optind]) != 0)
        word++;
    if (words[word] == NULL)
        return no_word(argv[optind]);
    optind++;
    if (!check_options(word, given))
        return EXIT_USAGE;
    if (rows[word].missing != NULL && optind == argc) {
        cli_fail(EXIT_USAGE, "plugin %s: %s", words[word], rows[word].missing);
        cli_fix("%s", rows[word].example);
        return EXIT_USAGE;
    }
    const char *argument = rows[word].missing != NULL ? argv[optind++] : NULL;
    return cli_no_words(self, argc, argv) ? run_word(word, argument, &wish) : EXIT_USAGE;
}

static const cli_value values[] = { { "dir", CLI_FOLDER, NULL },
                                    { "kernels", CLI_FOLDER, NULL },
                                    { NULL, CLI_FILE, NULL },
                                    { NULL, CLI_ANY, NULL } };

const cli_command cli_plugin = { "plugin", "plugin files: what there is, a new one, a check",
                                 help,     run,
                                 options,  values };
