/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort launch: a program on several workers, started by the mpirun of an MPI. The line is
 * printed, so that it can be changed and used without this command. */
#include "config.h"

#include "cli/launch.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_WORDS = 24, MOST_VERSION = 512 };

static const char help[] =
    "usage: cohort launch [OPTION...] PROGRAM [ARGUMENT...]\n"
    "\n"
    "Start PROGRAM on several workers, which find one another by MPI: strategies of\n"
    "cohort_multi_worker_mirrored() and cohort demo then train together. The mpirun line is "
    "printed on "
    "stderr and run.\n"
    "\n"
    "  -n N              processes, 1 to 65536; on one machine they share its cores\n"
    "  --jobs LIST       instead: tasks of several jobs, such as worker=2,ps=1, in the order "
    "chief, "
    "worker, ps,\n"
    "                    evaluator; cohort_resolver_mpi() learns them by COHORT_JOBS\n"
    "  --tf-config FILE  instead: a process for each task of the cluster in this file, a "
    "TF_CONFIG, "
    "on the machines\n"
    "                    of their addresses; the ports are not used\n"
    "  --mpi NAME        openmpi or mpich; default: that whose mpirun is there, openmpi first\n"
    "  --label           each line of the output says which process has written it; default: where "
    "that is a\n"
    "                    terminal\n"
    "  --no-label        the output as it is\n"
    "  --dry-run         only print the line, on stdout\n"
    "  --help            this text\n"
    "\n"
    "Exit codes: those of mpirun, which are those of the program where all its processes have the "
    "same; 1 failed, 2\n"
    "wrong usage.\n";

/* ------------------------------------------------------------------ which mpirun */

typedef struct mpirun {
    const char *mpi, *programs[2]; /* Debian has both MPIs, under names of their own */
    const char *marks[2];          /* one of them is in what --version says */
} mpirun;

/* Under its second name Open MPI says what it runs on. */
static const mpirun all[] = {
    { "openmpi", { "mpirun.openmpi", "mpirun" }, { "Open MPI", "OpenRTE" } },
    { "mpich", { "mpirun.mpich", "mpirun" }, { "HYDRA", "HYDRA" } },
};
enum { MPIS = sizeof all / sizeof *all };

/* By asking it, for `mpirun` alone may be that of any MPI. */
static bool is_of(const char *program, const char *const marks[2])
{
    char line[256], said[MOST_VERSION] = "";
    (void)snprintf(line, sizeof line, "%s --version 2>/dev/null", program);
    FILE *pipe = popen(line, "r");
    size_t n = pipe != NULL ? fread(said, 1, sizeof said - 1, pipe) : 0;
    said[n] = '\0';
    if (pipe != NULL)
        (void)pclose(pipe);
    return strstr(said, marks[0]) != NULL || strstr(said, marks[1]) != NULL;
}

static const char *find_program(const mpirun *m)
{
    for (int i = 0; i < 2; i++)
        if (is_of(m->programs[i], m->marks))
            return m->programs[i];
    return NULL;
}

const char *launch_find_mpirun(const char *mpi)
{
    for (int i = 0; i < MPIS; i++)
        if (strcmp(mpi, all[i].mpi) == 0)
            return find_program(&all[i]);
    return NULL;
}

/* The exit code, or -1 to go on. */
static int find_mpirun(launch *l, const char **out_program)
{
    *out_program = NULL;
    for (int i = 0; i < MPIS && *out_program == NULL; i++) {
        if (l->mpi != NULL && strcmp(l->mpi, all[i].mpi) != 0)
            continue;
        *out_program = find_program(&all[i]);
        if (*out_program != NULL)
            l->mpi = all[i].mpi;
    }
    if (*out_program != NULL)
        return -1;
    cli_fail(EXIT_FAILED, "launch: there is no mpirun%s%s", l->mpi != NULL ? " of " : "",
             l->mpi != NULL ? l->mpi : "");
    cli_fix("install openmpi-bin or mpich, and build Cohort with --with-openmpi or --with-mpich");
    return EXIT_FAILED;
}

/* ------------------------------------------------------------------ its words */

typedef struct line {
    const char **words;
    int n;
    char *hosts; /* those of the launch, cut at each machine */
    char number[16], cores[40], jobs[LAUNCH_JOBS_BYTES], variable[LAUNCH_JOBS_BYTES + 16];
} line;

static void add(line *out, const char *word)
{
    out->words[out->n++] = word;
}

static void add_pair(line *out, const char *option, const char *value)
{
    add(out, option);
    add(out, value);
}

static void add_program(const launch *l, const char *number, line *out)
{
    add_pair(out, "-n", number);
    for (int i = 0; l->words[i] != NULL; i++)
        add(out, l->words[i]);
}

/* Cores of each process, where this machine has enough; 0: it has not. */
static int cores_each(const launch *l)
{
    cpu_set_t set;
    int cores = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
    return l->hosts == NULL ? cores / l->n : 0;
}

/* An environment is of one part alone. */
static void add_openmpi_part(const launch *l, const char *number, line *out)
{
    if (out->jobs[0] != '\0')
        add_pair(out, "-x", out->variable);
    add_program(l, number, out);
}

/* Ranks are in the order of the parts of a line. In one list of machines Open MPI would put all
 * processes of a machine that comes again behind its first ones.
 *
 * Left alone, Open MPI binds each of two processes to one core, whatever the machine has. */
static void add_openmpi(const launch *l, line *out)
{
    int cores = cores_each(l);
    if (geteuid() == 0)
        add(out, "--allow-run-as-root");
    (void)snprintf(out->cores, sizeof out->cores, "slot:PE=%d", cores);
    if (cores > 0) {
        add(out, "--use-hwthread-cpus");
        add_pair(out, "--map-by", out->cores);
    } else {
        add(out, "--oversubscribe");
        add_pair(out, "--bind-to", "none");
    }
    if (l->has_labels)
        add(out, "--tag-output");
    (void)snprintf(out->variable, sizeof out->variable, "COHORT_JOBS=%s", out->jobs);
    if (l->hosts == NULL)
        add_openmpi_part(l, out->number, out);
    for (char *rest = out->hosts, *host; (host = strsep(&rest, ",")) != NULL;) {
        add_pair(out, "--host", host);
        add_openmpi_part(l, strrchr(host, ':') + 1, out);
        if (rest != NULL)
            add(out, ":");
    }
}

static void add_mpich(const launch *l, line *out)
{
    int cores = cores_each(l);
    (void)snprintf(out->cores, sizeof out->cores, "hwthread:%d", cores);
    if (cores > 0)
        add_pair(out, "-bind-to", out->cores);
    if (l->hosts != NULL)
        add_pair(out, "-hosts", l->hosts);
    if (l->has_labels)
        add(out, "-prepend-rank");
    if (out->jobs[0] != '\0') {
        add(out, "-genv");
        add_pair(out, "COHORT_JOBS", out->jobs);
    }
}

/* Words that a machine adds to those of the program: --host, -x, -n and a colon. */
enum { PART_WORDS = 7 };

static bool make_room(const launch *l, line *out)
{
    size_t parts = 1, program = 0;
    for (const char *c = l->hosts; c != NULL && *c != '\0'; c++)
        parts += *c == ',';
    while (l->words[program] != NULL)
        program++;
    *out = (line){ .words = calloc(MOST_WORDS + parts * (program + PART_WORDS), sizeof *out->words),
                   .hosts = l->hosts != NULL ? strdup(l->hosts) : NULL };
    return out->words != NULL && (out->hosts != NULL) == (l->hosts != NULL);
}

static void write_line(const launch *l, const char *program, line *out)
{
    (void)snprintf(out->number, sizeof out->number, "%d", l->n);
    launch_write_jobs(l, out->jobs);
    add(out, program);
    if (strcmp(l->mpi, "openmpi") == 0) {
        add_openmpi(l, out);
        return;
    }
    add_mpich(l, out);
    add_program(l, out->number, out);
}

/* ------------------------------------------------------------------ running it */

/* As a shell takes it. */
static void print_word(FILE *out, const char *word)
{
    bool is_plain = *word != '\0' &&
                    strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                 "_@%+=:,./-") == strlen(word);
    if (is_plain) {
        fputs(word, out);
        return;
    }
    putc('\'', out);
    for (; *word != '\0'; word++)
        if (*word == '\'')
            fputs("'\\''", out);
        else
            putc(*word, out);
    putc('\'', out);
}

static void print_line(const line *words, FILE *out)
{
    for (int i = 0; i < words->n; i++) {
        print_word(out, words->words[i]);
        putc(i + 1 < words->n ? ' ' : '\n', out);
    }
    fflush(out);
}

/* In the place of this process, so that signals and the exit code are mpirun's own. */
static int run_line(const line *words)
{
    char **argv = calloc((size_t)words->n + 1, sizeof *argv);
    if (argv == NULL)
        return cli_fail(EXIT_FAILED, "launch: out of memory");
    for (int i = 0; i < words->n; i++)
        argv[i] = strdup(words->words[i]);
    (void)execvp(argv[0], argv);
    int code = cli_fail(EXIT_FAILED, "launch: %s: %s", argv[0], strerror(errno));
    for (int i = 0; i < words->n; i++)
        free(argv[i]);
    free(argv);
    return code;
}

/* ------------------------------------------------------------------ options */

enum { TF_CONFIG = 1, JOBS, MPI, LABEL, NO_LABEL, DRY_RUN };

static bool take_option(launch *l, int option, const char *text)
{
    uint64_t number;
    switch (option) {
    case 'n':
        if (!cli_integer("-n", text, 1, LAUNCH_MOST, &number))
            return false;
        l->n = (int)number;
        return true;
    case TF_CONFIG:
        l->file = text;
        return true;
    case JOBS:
        l->jobs = text;
        return true;
    case MPI:
        l->mpi = text;
        if (strcmp(text, "openmpi") == 0 || strcmp(text, "mpich") == 0)
            return true;
        cli_fail(EXIT_USAGE, "--mpi %s: expected openmpi or mpich", text);
        return false;
    case DRY_RUN:
        l->is_dry = true;
        return true;
    default:
        l->has_labels = option == LABEL;
        return true;
    }
}

static const struct option options[] = { { "n", required_argument, NULL, 'n' },
                                         { "tf-config", required_argument, NULL, TF_CONFIG },
                                         { "jobs", required_argument, NULL, JOBS },
                                         { "mpi", required_argument, NULL, MPI },
                                         { "label", no_argument, NULL, LABEL },
                                         { "no-label", no_argument, NULL, NO_LABEL },
                                         { "dry-run", no_argument, NULL, DRY_RUN },
                                         { "help", no_argument, NULL, CLI_HELP },
                                         { 0 } };

/* The exit code, or -1 to go on. */
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
    if (optind == argc)
        cli_fail(EXIT_USAGE, "launch: there is no program to start");
    else if ((l->n > 0) + (l->jobs != NULL) + (l->file != NULL) != 1)
        cli_fail(EXIT_USAGE, l->n == 0 && l->jobs == NULL && l->file == NULL
                                 ? "launch: how many processes?"
                                 : "launch: one of -n, --jobs and --tf-config says how many "
                                   "processes");
    else
        return -1;
    cli_fix("such as cohort launch -n 2 cohort demo; cohort launch --help");
    return EXIT_USAGE;
}

static int print_and_run(const launch *l, const char *program, line *words)
{
    write_line(l, program, words);
    print_line(words, l->is_dry ? stdout : stderr);
    return l->is_dry ? cli_finish(EXIT_OK) : run_line(words);
}

static int run(const cli_command *self, int argc, char **argv)
{
    launch l = { .has_labels = isatty(STDOUT_FILENO) };
    const char *program = NULL;
    line words;
    int code = read_options(&l, self, argc, argv);
    if (code < 0 && l.jobs != NULL)
        code = launch_read_jobs(&l);
    if (code < 0 && l.file != NULL)
        code = launch_read_cluster(&l);
    if (code < 0)
        code = find_mpirun(&l, &program);
    if (code < 0) {
        code = make_room(&l, &words) ? print_and_run(&l, program, &words)
                                     : cli_fail(EXIT_FAILED, "launch: out of memory");
        free(words.words);
        free(words.hosts);
    }
    free(l.hosts);
    return code;
}

static const cli_value values[] = { { "tf-config", CLI_FILE, NULL },
                                    { "mpi", CLI_WORD, "openmpi mpich" },
                                    { NULL, CLI_PROGRAM, NULL },
                                    { NULL, CLI_ANY, NULL } };

const cli_command cli_launch = { "launch", "start a program on several workers, by mpirun",
                                 help,     run,
                                 options,  values };
