/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI: for each, whether its communicator plugin and its mpirun are there. Without any, Cohort runs
 * on one machine. */
#include "config.h"

#include "cli/cli.h"
#include "cli/doctor.h"
#include "cli/launch.h"

#include <string.h>
#include <unistd.h>

/* In a folder of $COHORT_PLUGIN_PATH, or where plugins are installed. */
static bool has_plugin(const char *mpi)
{
    char path[4096];
    const char *folder = cli_setting("COHORT_PLUGIN_PATH");
    while (folder[0] != '\0') {
        size_t length = strcspn(folder, ":");
        (void)snprintf(path, sizeof path, "%.*s/cohort-communicator-%s.so", (int)length, folder,
                       mpi);
        if (length > 0 && access(path, R_OK) == 0)
            return true;
        folder += length + (folder[length] == ':');
    }
    (void)snprintf(path, sizeof path, "%s/cohort-communicator-%s.so",
                   cohort_installed_folder("plugins"), mpi);
    return access(path, R_OK) == 0;
}

/* The plugin and the program are in packages of Debian's; the second is the MPI's own. */
static bool check(doctor *d, const char *mpi, const char *package)
{
    bool is_built = has_plugin(mpi);
    const char *program = launch_find_mpirun(mpi);
    char fix[128];
    if (is_built)
        (void)snprintf(fix, sizeof fix, "install %s (a package of Debian)", package);
    else
        (void)snprintf(fix, sizeof fix, "install cohort-communicator-%s (a package of Debian)",
                       mpi);
    if (is_built && program != NULL)
        doctor_say(d, DOCTOR_OK, "mpi", NULL, "%s: the communicator plugin and %s", mpi, program);
    else if (is_built)
        doctor_say(d, DOCTOR_NOTE, "mpi", fix,
                   "%s: the communicator plugin is there, and no mpirun", mpi);
    else if (program != NULL)
        doctor_say(d, DOCTOR_NOTE, "mpi", fix, "%s: %s is there, and no communicator plugin", mpi,
                   program);
    return is_built || program != NULL;
}

void doctor_mpi(doctor *d)
{
    bool has_open = check(d, "openmpi", "openmpi-bin"), has_mpich = check(d, "mpich", "mpich");
    if (!has_open && !has_mpich)
        doctor_say(d, DOCTOR_NOTE, "mpi", NULL, "no MPI: programs run on this machine alone");
}
