/* SPDX-License-Identifier: BSD-3-Clause */
/* The words of mpirun: each MPI has options of its own for the same. */
#include "config.h"

#include "cli/launch_line.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Words that no machine, variable or program adds: the most of them. Words of a machine: --host,
 * -x, -n and a colon. Words of a variable: -genv, its name, its value. */
enum { MOST_WORDS = 24, PART_WORDS = 7, VARIABLE_WORDS = 3 };

static void add(launch_line *out, const char *word)
{
    out->words[out->n++] = word;
}

static void add_pair(launch_line *out, const char *option, const char *value)
{
    add(out, option);
    add(out, value);
}

static void add_program(const launch *l, const char *number, const char *const before[],
                        launch_line *out)
{
    add_pair(out, "-n", number);
    for (int i = 0; before[i] != NULL; i++)
        add(out, before[i]);
    for (int i = 0; l->words[i] != NULL; i++)
        add(out, l->words[i]);
}

/* Cores of each process, where this machine has enough; 0: it has not, or they are bound to
 * something else. */
static int cores_each(const launch *l)
{
    cpu_set_t set;
    int cores = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
    return l->hosts == NULL && l->binding == NULL ? cores / l->n : 0;
}

/* ------------------------------------------------------------------ Open MPI */

/* Left alone, Open MPI binds each of two processes to one core, whatever the machine has. More
 * processes than cores are an error, where it is not told that they may be. */
static void add_openmpi_cores(const launch *l, launch_line *out)
{
    int cores = cores_each(l);
    if (cores > 0) {
        (void)snprintf(out->cores, sizeof out->cores, "slot:PE=%d", cores);
        add(out, "--use-hwthread-cpus");
        add_pair(out, "--map-by", out->cores);
        return;
    }
    const char *binding = l->binding != NULL ? l->binding : "none";
    (void)snprintf(out->cores, sizeof out->cores, "%s%s", binding,
                   strcmp(binding, "none") == 0 ? "" : ":overload-allowed");
    add(out, "--oversubscribe");
    add_pair(out, "--bind-to", out->cores);
}

/* An environment is of one part alone. */
static void add_openmpi_part(const launch *l, const char *number, const char *const before[],
                             launch_line *out)
{
    if (out->jobs[0] != '\0')
        add_pair(out, "-x", out->variable);
    for (int i = 0; i < l->n_variables; i++)
        add_pair(out, "-x", l->variables[i].text);
    add_program(l, number, before, out);
}

/* Ranks are in the order of the parts of a line. In one list of machines Open MPI would put all
 * processes of a machine that comes again behind its first ones. */
static void add_openmpi(const launch *l, const char *const before[], launch_line *out)
{
    if (geteuid() == 0)
        add(out, "--allow-run-as-root");
    add_openmpi_cores(l, out);
    if (l->has_labels)
        add(out, "--tag-output");
    (void)snprintf(out->variable, sizeof out->variable, "COHORT_JOBS=%s", out->jobs);
    if (l->hosts == NULL)
        add_openmpi_part(l, out->number, before, out);
    for (char *rest = out->hosts, *host; (host = strsep(&rest, ",")) != NULL;) {
        add_pair(out, "--host", host);
        add_openmpi_part(l, strrchr(host, ':') + 1, before, out);
        if (rest != NULL)
            add(out, ":");
    }
}

/* ------------------------------------------------------------------ MPICH */

/* A variable that is only named goes with the whole environment, as all do. */
static void add_mpich_variables(const launch *l, launch_line *out)
{
    if (out->jobs[0] != '\0') {
        add(out, "-genv");
        add_pair(out, "COHORT_JOBS", out->jobs);
    }
    for (int i = 0; i < l->n_variables; i++) {
        if (l->variables[i].value == NULL)
            continue;
        add(out, "-genv");
        add_pair(out, l->variables[i].name, l->variables[i].value);
    }
}

static void add_mpich(const launch *l, launch_line *out)
{
    int cores = cores_each(l);
    (void)snprintf(out->cores, sizeof out->cores, "hwthread:%d", cores);
    if (cores > 0 || l->binding != NULL)
        add_pair(out, "-bind-to", l->binding != NULL ? l->binding : out->cores);
    if (l->hosts != NULL)
        add_pair(out, "-hosts", l->hosts);
    if (l->has_labels)
        add(out, "-prepend-rank");
    add_mpich_variables(l, out);
}

/* ------------------------------------------------------------------ both */

static size_t count_words(const char *const words[])
{
    size_t n = 0;
    while (words[n] != NULL)
        n++;
    return n;
}

static bool make_room(const launch *l, const char *const before[], launch_line *out)
{
    size_t parts = 1, variables = (size_t)l->n_variables * VARIABLE_WORDS,
           program = count_words(before) + count_words((const char *const *)l->words);
    for (const char *c = l->hosts; c != NULL && *c != '\0'; c++)
        parts += *c == ',';
    *out = (launch_line){ .hosts = l->hosts != NULL ? strdup(l->hosts) : NULL };
    out->words =
        calloc(MOST_WORDS + parts * (program + variables + PART_WORDS), sizeof *out->words);
    return out->words != NULL && (out->hosts != NULL) == (l->hosts != NULL);
}

bool launch_line_init(const launch *l, const launch_mpi *mpi, const char *mpirun,
                      const char *const before[], launch_line *out)
{
    if (!make_room(l, before, out))
        return false;
    (void)snprintf(out->number, sizeof out->number, "%d", l->n);
    launch_write_jobs(l, out->jobs);
    add(out, mpirun);
    if (strcmp(mpi->name, "openmpi") == 0) {
        add_openmpi(l, before, out);
        return true;
    }
    add_mpich(l, out);
    add_program(l, out->number, before, out);
    return true;
}

void launch_line_fini(launch_line *line)
{
    free(line->words);
    free(line->hosts);
}

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

void launch_line_print(const launch_line *line, FILE *out)
{
    for (int i = 0; i < line->n; i++) {
        print_word(out, line->words[i]);
        putc(i + 1 < line->n ? ' ' : '\n', out);
    }
    fflush(out);
}
