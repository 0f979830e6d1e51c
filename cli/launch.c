/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort launch: a program on several workers, started by the mpirun of an MPI and looked after.
 * The line is printed, so that it can be changed and used without this command. */
#include "config.h"

#include "cli/launch_line.h"
#include "cli/launch_rank.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_VARIABLES = 1024, MOST_SECONDS = 1000000, START_S = 600, GRACE_S = 30 };

static const char help[] =
    "usage: cohort launch [OPTION...] PROGRAM [ARGUMENT...]\n"
    "\n"
    "Start PROGRAM on several workers, which find one another by MPI: strategies of\n"
    "cohort_multi_worker_mirrored() and cohort demo then train together. The mpirun line is "
    "printed on stderr and\n"
    "run; who fails first is told, and what then hangs is ended. SIGINT and SIGTERM reach the "
    "processes as SIGTERM.\n"
    "\n"
    "  -n N              processes, 1 to 65536; on one machine they share its cores\n"
    "  --jobs LIST       instead: tasks of several jobs, such as worker=2,ps=1, in the order "
    "chief, worker, ps,\n"
    "                    evaluator; cohort_resolver_mpi() learns them by COHORT_JOBS\n"
    "  --tf-config FILE  instead: a process for each task of the cluster in this file, a "
    "TF_CONFIG, on the machines\n"
    "                    of their addresses; the ports are not used\n"
    "  --hostfile FILE   machines, a line each: NAME, NAME:N or NAME slots=N; filled one after the "
    "other, and without\n"
    "                    -n all of it\n"
    "  --mpi NAME        openmpi or mpich; default: that whose mpirun is there, openmpi first\n"
    "  --env NAME[=VALUE]  this variable of all processes; may be given several times\n"
    "  --bind-to WHAT    none, hwthread, core, socket or numa; default: the cores of one machine "
    "are shared out\n"
    "  --log-dir FOLDER  what each process writes also goes to FOLDER/rank-N.log\n"
    "  --restart N       after a failure start all again, N times at most, after 1, 2, 4 ... 60 "
    "seconds; default 0\n"
    "  --start-timeout S all have started after so many seconds, or it is a failure; default 600, "
    "0: no limit\n"
    "  --grace S         seconds for the others once one has failed, and for all after a signal; "
    "default 30, 0: no\n"
    "                    limit; a second signal ends all at once\n"
    "  --top S           every S seconds a line a process on stderr: its steps, rows a second, "
    "share "
    "of its devices;\n"
    "                    see cohort top\n"
    "  --label           each line of the output says which process has written it; default: where "
    "that is a\n"
    "                    terminal\n"
    "  --no-label        the output as it is\n"
    "  --dry-run         only print the line, on stdout\n"
    "  --help            this text\n"
    "\n"
    "Exit codes: 0 fine; that of the process that failed first, 128 and the signal where one has "
    "ended it; 124 not\n"
    "started in time; 126 PROGRAM cannot be run, 127 it is not there; else that of mpirun; 1 "
    "failed, 2 wrong usage.\n";

/* ------------------------------------------------------------------ options */

enum {
    TF_CONFIG = 1,
    JOBS,
    HOSTFILE,
    MPI,
    ENV,
    BIND_TO,
    LOG_DIR,
    RESTART,
    START_TIMEOUT,
    GRACE,
    TOP,
    LABEL,
    NO_LABEL,
    DRY_RUN
};

static bool take_number(const char *option, const char *text, uint64_t least, uint64_t most,
                        int *out)
{
    uint64_t number;
    if (!cli_integer(option, text, least, most, &number))
        return false;
    *out = (int)number;
    return true;
}

/* false after a message */
static bool take_word(const char *option, const char *text, const char *const words[],
                      const char *expected, const char **out)
{
    for (int i = 0; words[i] != NULL; i++)
        if (strcmp(text, words[i]) == 0)
            return *out = words[i], true;
    cli_fail(EXIT_USAGE, "%s %s: expected %s", option, text, expected);
    return false;
}

static bool refuse_variable(const char *text, const char *why)
{
    cli_fail(EXIT_USAGE, "--env %s: %s", text, why);
    cli_fix("--env NAME for a variable of this process, --env NAME=VALUE for another value");
    return false;
}

/* false: there is no memory. */
static bool add_variable(launch *l, const char *text, size_t name_bytes)
{
    if (l->variables == NULL)
        l->variables = calloc(MOST_VARIABLES, sizeof *l->variables);
    if (l->variables == NULL)
        return false;
    launch_variable *v = &l->variables[l->n_variables++];
    v->text = text;
    v->name = strndup(text, name_bytes);
    v->value = text[name_bytes] == '=' ? &text[name_bytes + 1] : NULL;
    return v->name != NULL;
}

static bool take_variable(launch *l, const char *text)
{
    size_t n = strcspn(text, "=");
    if (n == 0)
        return refuse_variable(text, "there is no name");
    if (l->n_variables == MOST_VARIABLES)
        return refuse_variable(text, "more than 1024 variables");
    if (!add_variable(l, text, n))
        return refuse_variable(text, "out of memory");
    return text[n] == '=' || getenv(text) != NULL
               ? true
               : refuse_variable(text, "this process has no such variable");
}

static bool take_option(launch *l, int option, const char *text)
{
    static const char *const mpis[] = { "openmpi", "mpich", NULL };
    static const char *const bindings[] = { "none", "hwthread", "core", "socket", "numa", NULL };
    switch (option) {
    case 'n':
        return take_number("-n", text, 1, LAUNCH_MOST, &l->n);
    case TF_CONFIG:
        return l->file = text, true;
    case JOBS:
        return l->jobs = text, true;
    case HOSTFILE:
        return l->host_file = text, true;
    case LOG_DIR:
        return l->log_folder = text, true;
    case ENV:
        return take_variable(l, text);
    case MPI:
        return take_word("--mpi", text, mpis, "openmpi or mpich", &l->mpi);
    case BIND_TO:
        return take_word("--bind-to", text, bindings, "none, hwthread, core, socket or numa",
                         &l->binding);
    case RESTART:
        return cli_integer("--restart", text, 0, MOST_SECONDS, &l->restarts);
    case START_TIMEOUT:
        return cli_integer("--start-timeout", text, 0, MOST_SECONDS, &l->start_s);
    case GRACE:
        return cli_integer("--grace", text, 0, MOST_SECONDS, &l->grace_s);
    case TOP:
        return cli_integer("--top", text, 1, MOST_SECONDS, &l->top_s);
    case DRY_RUN:
        return l->is_dry = true, true;
    default:
        return l->has_labels = option == LABEL, true;
    }
}

static const struct option options[] = { { "n", required_argument, NULL, 'n' },
                                         { "tf-config", required_argument, NULL, TF_CONFIG },
                                         { "jobs", required_argument, NULL, JOBS },
                                         { "hostfile", required_argument, NULL, HOSTFILE },
                                         { "mpi", required_argument, NULL, MPI },
                                         { "env", required_argument, NULL, ENV },
                                         { "bind-to", required_argument, NULL, BIND_TO },
                                         { "log-dir", required_argument, NULL, LOG_DIR },
                                         { "restart", required_argument, NULL, RESTART },
                                         { "start-timeout", required_argument, NULL,
                                           START_TIMEOUT },
                                         { "grace", required_argument, NULL, GRACE },
                                         { "top", required_argument, NULL, TOP },
                                         { "label", no_argument, NULL, LABEL },
                                         { "no-label", no_argument, NULL, NO_LABEL },
                                         { "dry-run", no_argument, NULL, DRY_RUN },
                                         { "help", no_argument, NULL, CLI_HELP },
                                         { 0 } };

/* The exit code, or -1 to go on. */
static int check_number(const launch *l)
{
    int ways = (l->n > 0) + (l->jobs != NULL) + (l->file != NULL);
    if (ways == 1 && (l->file == NULL || l->host_file == NULL))
        return -1;
    if (ways == 0 && l->host_file != NULL)
        return -1;
    cli_fail(EXIT_USAGE, ways == 0  ? "launch: how many processes?"
                         : ways > 1 ? "launch: one of -n, --jobs and --tf-config says how many "
                                      "processes"
                                    : "launch: --tf-config says which machines there are, and so "
                                      "does --hostfile");
    return EXIT_USAGE;
}

/* The same. */
static int read_options(launch *l, const cli_command *self, int argc, char **argv)
{
    for (int option, code;
         (option = cli_option_of_front(self, argc, argv, options, &code)) != -1;) {
        if (option == CLI_STOP)
            return code;
        if (!take_option(l, option, optarg))
            return EXIT_USAGE;
    }
    l->words = &argv[optind];
    int code = optind < argc ? check_number(l)
                             : cli_fail(EXIT_USAGE, "launch: there is no program to start");
    if (code == EXIT_USAGE)
        cli_fix("such as cohort launch -n 2 cohort demo; cohort launch --help");
    return code;
}

/* The line that does the same without this command: in the one that is run the processes are
 * started by it. */
static int print_line(const launch *l, const launch_mpi *mpi, const char *program)
{
    static const char *const nothing[] = { NULL };
    launch_line line;
    bool is_made = launch_line_init(l, mpi, program, nothing, &line);
    if (is_made)
        launch_line_print(&line, l->is_dry ? stdout : stderr);
    launch_line_fini(&line);
    return is_made ? -1 : cli_fail(EXIT_FAILED, "launch: out of memory");
}

static int read_cluster(launch *l)
{
    int code = l->jobs != NULL ? launch_read_jobs(l) : -1;
    if (code < 0 && l->file != NULL)
        code = launch_read_cluster(l);
    if (code < 0 && l->host_file != NULL)
        code = launch_read_hosts(l);
    return code;
}

/* In the environment of mpirun, too, so that it has the same on this machine. */
static int set_variables(const launch *l)
{
    for (int i = 0; i < l->n_variables; i++)
        if (l->variables[i].value != NULL &&
            setenv(l->variables[i].name, l->variables[i].value, 1) != 0)
            return cli_fail(EXIT_FAILED, "launch: out of memory");
    return -1;
}

static void forget(launch *l)
{
    for (int i = 0; i < l->n_variables; i++)
        free(l->variables[i].name);
    free(l->variables);
    free(l->hosts);
}

static int run(const cli_command *self, int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], LAUNCH_RANK) == 0)
        return launch_rank(argc, argv);
    launch l = { .has_labels = isatty(STDOUT_FILENO), .start_s = START_S, .grace_s = GRACE_S };
    const launch_mpi *mpi = NULL;
    const char *program = NULL;
    int code = read_options(&l, self, argc, argv);
    if (code < 0)
        code = read_cluster(&l);
    if (code < 0)
        code = launch_choose_mpi(&l, &mpi, &program);
    if (code < 0)
        code = print_line(&l, mpi, program);
    if (code < 0 && !l.is_dry)
        code = set_variables(&l);
    if (code < 0)
        code = l.is_dry ? cli_finish(EXIT_OK) : launch_supervise(&l, mpi, program);
    forget(&l);
    return code;
}

static const cli_value values[] = { { "tf-config", CLI_FILE, NULL },
                                    { "hostfile", CLI_FILE, NULL },
                                    { "mpi", CLI_WORD, "openmpi mpich" },
                                    { "bind-to", CLI_WORD, "none hwthread core socket numa" },
                                    { "log-dir", CLI_FOLDER, NULL },
                                    { NULL, CLI_PROGRAM, NULL },
                                    { NULL, CLI_ANY, NULL } };

const cli_command cli_launch = { "launch", "start a program on several workers, by mpirun",
                                 help,     run,
                                 options,  values };
