/* SPDX-License-Identifier: BSD-3-Clause */
/* Which mpirun there is. */
#include "config.h"

#include "cli/launch.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VERSION = 512 };

/* Under its second name Open MPI says what it runs on. */
static const launch_mpi all[] = {
    { .name = "openmpi",
      .programs = { "mpirun.openmpi", "mpirun" },
      .marks = { "Open MPI", "OpenRTE" },
      .rank = "PMIX_RANK",
      .asks = SIGUSR2,
      .ends = SIGTERM },
    { .name = "mpich",
      .programs = { "mpirun.mpich", "mpirun" },
      .marks = { "HYDRA", "HYDRA" },
      .rank = "PMI_RANK",
      .asks = SIGTERM,
      .ends = SIGKILL },
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

static const char *find_program(const launch_mpi *m)
{
    for (int i = 0; i < 2; i++)
        if (is_of(m->programs[i], m->marks))
            return m->programs[i];
    return NULL;
}

const char *launch_find_mpirun(const char *mpi)
{
    for (int i = 0; i < MPIS; i++)
        if (strcmp(mpi, all[i].name) == 0)
            return find_program(&all[i]);
    return NULL;
}

int launch_choose_mpi(const launch *l, const launch_mpi **out_mpi, const char **out_program)
{
    *out_program = NULL;
    for (int i = 0; i < MPIS && *out_program == NULL; i++) {
        *out_mpi = &all[i];
        if (l->mpi == NULL || strcmp(l->mpi, all[i].name) == 0)
            *out_program = find_program(&all[i]);
    }
    if (*out_program != NULL)
        return -1;
    cli_fail(EXIT_FAILED, "launch: there is no mpirun%s%s", l->mpi != NULL ? " of " : "",
             l->mpi != NULL ? l->mpi : "");
    cli_fix("install openmpi-bin or mpich, and build Cohort with --with-openmpi or --with-mpich");
    return EXIT_FAILED;
}
