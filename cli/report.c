/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort report: why a run is slow, from its trace. */
#include "config.h"

#include "cli/report.h"

#include "cli/cli.h"
#include "cli/gunzip.h"
#include "cli/output.h"
#include "cli/regular_file.h"
#include "cli/visible.h"

#include <stdlib.h>
#include <string.h>

enum { JSON = 1, HTML };

static const struct option options[] = { { "html", required_argument, NULL, HTML },
                                         { "json", no_argument, NULL, JSON },
                                         { "help", no_argument, NULL, CLI_HELP },
                                         { 0 } };

static const cli_value values[] = { { "html", CLI_FILE, NULL },
                                    { NULL, CLI_FILE, NULL },
                                    { NULL, CLI_ANY, NULL } };

static const char help[] =
    "usage: cohort report TRACE... [--html FILE] [--json]\n"
    "\n"
    "Say why a run is slow. TRACE is what COHORT_TRACE=TRACE has written while the program ran: "
    "where the time of a step goes\n"
    "on each device, the critical path, the slowest replica, what was not recorded; then, for each "
    "cause that takes a tenth of\n"
    "a step, the evidence, what to change, and the time of a step that is expected then. Of "
    "several workers name all traces\n"
    "(COHORT_TRACE=trace-%p.json writes one for each process). They may be gzipped.\n"
    "\n"
    "  --html FILE  write the report as one page, with the timeline, too\n"
    "  --json       one JSON object: schema, traces, slowest_trace\n"
    "  --help       this text\n"
    "\n"
    "Exit codes: 0 fine, 1 a trace cannot be read, 2 wrong usage.\n";

/* ------------------------------------------------------------------ a trace */

/* False after a message. */
static bool make_one(const char *path, report *out)
{
    char wrong[REPORT_TEXT_BYTES];
    const char *closed;
    FILE *file = regular_file_open(path, &closed);
    if (file != NULL)
        file = gunzip(file, &closed);
    if (file == NULL) {
        cli_fail(EXIT_FAILED, "%s: %s; expected a trace, as COHORT_TRACE writes it", path, closed);
        return false;
    }
    const char *failed = report_make(file, path, out, wrong, sizeof wrong);
    if (ferror(file))
        failed = "it cannot be read to its end; if it is gzipped, it is damaged";
    (void)fclose(file);
    if (failed != NULL)
        cli_fail(EXIT_FAILED, "%s: %s", path, failed);
    return failed == NULL;
}

/* ------------------------------------------------------------------ all of them */

/* Workers wait for one another in each step; the slowest is who computes the longest. */
static const report *find_slowest(const report_pages *all)
{
    const report *slowest = &all->reports[0];
    for (int i = 1; i < all->n; i++)
        if (report_bodies_ns(&all->reports[i]) > report_bodies_ns(slowest))
            slowest = &all->reports[i];
    return slowest;
}

static void print_all(const report_pages *all)
{
    for (int i = 0; i < all->n; i++) {
        printf("%s", i > 0 ? "\n" : "");
        report_print(&all->reports[i]);
    }
    if (all->n == 1)
        return;
    const char *path = find_slowest(all)->path;
    printf("\nslowest worker: ");
    visible_print(stdout, path, strlen(path));
    printf(", whose bodies take the longest of a step\n");
}

static void print_json(const report_pages *all)
{
    json out = { .file = stdout };
    json_object(&out, NULL);
    json_integer(&out, "schema", 1);
    json_array(&out, "traces");
    for (int i = 0; i < all->n; i++)
        report_json(&all->reports[i], &out);
    json_array_end(&out);
    json_text(&out, "slowest_trace", find_slowest(all)->path);
    json_object_end(&out);
}

static int make_all(char **paths, report *reports, int n)
{
    bool is_made = true;
    for (int i = 0; i < n && is_made; i++)
        is_made = make_one(paths[i], &reports[i]);
    return is_made ? EXIT_OK : EXIT_FAILED;
}

static int show(const report_pages *all, const char *html, bool wants_json)
{
    if (html != NULL && !output_draw(html, report_draw, all))
        return EXIT_FAILED;
    if (wants_json)
        print_json(all);
    else
        print_all(all);
    return EXIT_OK;
}

/* html: NULL: none is wanted. */
static int report_all(char **paths, int n, const char *html, bool wants_json)
{
    report *reports = calloc((size_t)n, sizeof *reports);
    if (reports == NULL)
        return cli_fail(EXIT_FAILED, "report: out of memory");
    int code = make_all(paths, reports, n);
    if (code == EXIT_OK)
        code = show(&(report_pages){ reports, n }, html, wants_json);
    for (int i = 0; i < n; i++)
        report_free(&reports[i]);
    free(reports);
    return code;
}

static bool may_write(const char *html, char **paths, int n)
{
    for (int i = 0; i < n; i++)
        if (output_is_same_file(html, paths[i])) {
            cli_fail(EXIT_USAGE, "report: --html %s is the trace itself; name another file", html);
            return false;
        }
    return true;
}

static int run(const cli_command *self, int argc, char **argv)
{
    const char *html = NULL;
    bool wants_json = false;
    int code, option;
    while ((option = cli_option(self, argc, argv, options, &code)) != -1) {
        if (option == CLI_STOP)
            return code;
        if (option == HTML)
            html = optarg;
        wants_json = wants_json || option == JSON;
    }
    const int n = argc - optind;
    if (n == 0) {
        cli_fail(EXIT_USAGE, "report: which trace? cohort report TRACE");
        cli_fix("COHORT_TRACE=trace.json PROGRAM writes one");
        return EXIT_USAGE;
    }
    if (html != NULL && !may_write(html, argv + optind, n))
        return EXIT_USAGE;
    if (html != NULL && !output_can_replace(html))
        return EXIT_FAILED;
    return report_all(argv + optind, n, html, wants_json);
}

const cli_command cli_report = { "report", "why a run is slow, from its trace", help, run, options,
                                 values };
