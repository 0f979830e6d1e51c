/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort top: what the strategies of running processes do. */
#include "config.h"

#include "cli/top.h"

#include "cli/cli.h"
#include "cli/number.h"
#include "cli/output.h"
#include "cli/terminal.h"

#include <stdlib.h>
#include <time.h>

static const char help[] =
    "usage: cohort top [--once] [--json] [--interval S] [--pid PID]\n"
    "\n"
    "Show what your processes do that were started with COHORT_TOP=1: of each strategy the step, "
    "steps, rows of\n"
    "inputs and calls in a second, and how much of the time each device had work; over the last "
    "two seconds.\n"
    "A call that lasts says which one and since when. On a terminal the view is drawn anew until q "
    "or Ctrl-C;\n"
    "elsewhere it is printed once.\n"
    "\n"
    "  --once        print it once\n"
    "  --json        print it once, as one JSON object: schema, folder, strategies\n"
    "  --interval S  seconds from view to view, from 0.1 to 3600; default: 1\n"
    "  --pid PID     of this process alone\n"
    "  --help        this text\n"
    "\n"
    "States: running; stopped, by a signal; silent, when it has written nothing for two seconds; "
    "ended, by a signal or\n"
    "a crash: it is told once, and its file removed; unreadable, with the reason.\n"
    "\n"
    "Exit codes: 0 fine, 1 there is no folder to read or no such process, 2 wrong usage.\n";

typedef struct view {
    top_list list;
    double interval;
    bool is_once, is_json;
} view;

/* ------------------------------------------------------------------ options */

enum { ONCE = 1, JSON, INTERVAL, PID };
static const struct option options[] = { { "once", no_argument, NULL, ONCE },
                                         { "json", no_argument, NULL, JSON },
                                         { "interval", required_argument, NULL, INTERVAL },
                                         { "pid", required_argument, NULL, PID },
                                         { "help", no_argument, NULL, CLI_HELP },
                                         { 0 } };

static bool take_interval(const char *text, double *out)
{
    static const double least = 0.1, most = 3600;
    if (number_read(text, COHORT_F64, out) == NULL && *out >= least && *out <= most)
        return true;
    return cli_fail(EXIT_USAGE, "--interval %s: expected seconds from 0.1 to 3600", text), false;
}

static bool take_pid(const char *text, long long *out)
{
    uint64_t pid;
    if (!cli_integer("--pid", text, 1, INT32_MAX, &pid))
        return false;
    *out = (long long)pid;
    return true;
}

static bool take_option(view *v, int option, const char *text)
{
    switch (option) {
    case INTERVAL:
        return take_interval(text, &v->interval);
    case PID:
        return take_pid(text, &v->list.pid);
    case JSON:
        v->is_json = true; /* and once */
        return true;
    default:
        v->is_once = true;
        return true;
    }
}

/* ------------------------------------------------------------------ showing */

static int fail(const top_list *list)
{
    cli_fail(EXIT_FAILED, "top: %s", list->fault);
    if (list->fix[0] != '\0')
        cli_fix("%s", list->fix);
    return EXIT_FAILED;
}

static int show_once(view *v)
{
    if (!top_read(&v->list))
        return fail(&v->list);
    if (v->is_json)
        top_print_json(stdout, &v->list);
    else if (v->list.n > 0 || v->list.pid == 0)
        top_print(stdout, &v->list);
    if (v->list.n > 0 || v->list.pid == 0)
        return EXIT_OK;
    cli_fail(EXIT_FAILED, "top: process %lld of yours is not watched", v->list.pid);
    cli_fix("start it with COHORT_TOP=1; it is watched as long as it has a strategy");
    return EXIT_FAILED;
}

static void print_title(FILE *file, double interval)
{
    char clock[16] = "";
    time_t now = time(NULL);
    struct tm here;
    if (localtime_r(&now, &here) != NULL)
        (void)strftime(clock, sizeof clock, "%H:%M:%S", &here);
    fprintf(file, "cohort top %s, every %g s; q ends\n\n", clock, interval);
}

/* False: there is no memory, or no terminal any more. */
static bool draw(const view *v)
{
    char *text = NULL;
    size_t bytes;
    FILE *memory = open_memstream(&text, &bytes);
    if (memory == NULL)
        return false;
    print_title(memory, v->interval);
    top_print(memory, &v->list);
    bool is_drawn = output_close_memory(memory) && terminal_draw(text);
    free(text);
    return is_drawn;
}

/* By the terminal's own end there is nobody to be told. */
static bool watch(view *v, terminal_event *out_event)
{
    bool is_fine = true;
    do {
        if (!draw(v))
            return true;
        *out_event = terminal_wait(v->interval);
    } while (*out_event == TERMINAL_TIME && (is_fine = top_read(&v->list)));
    return is_fine;
}

/* What is wrong is told where it stays: before the screen is taken, or after that. */
static int show_until_end(view *v)
{
    terminal_event event = TERMINAL_QUIT;
    if (!top_read(&v->list))
        return fail(&v->list);
    terminal_begin();
    const bool is_fine = watch(v, &event);
    terminal_end();
    if (!is_fine)
        return fail(&v->list);
    if (event != TERMINAL_ENDED)
        return EXIT_OK;
    top_free(&v->list);
    terminal_die();
}

static int run(const cli_command *self, int argc, char **argv)
{
    view v = { .interval = 1 };
    int option, code;
    while ((option = cli_option(self, argc, argv, options, &code)) > 0)
        if (!take_option(&v, option, optarg))
            return EXIT_USAGE;
    if (option == CLI_STOP)
        return code;
    if (!cli_no_words(self, argc, argv))
        return EXIT_USAGE;
    code = v.is_once || v.is_json || !terminal_is_there() ? show_once(&v) : show_until_end(&v);
    top_free(&v.list);
    return code;
}

const cli_command cli_top = { "top", "what running processes do, as they do it", help, run, options,
                              NULL };
