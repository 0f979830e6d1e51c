/* SPDX-License-Identifier: BSD-3-Clause */
/* Launchers say how many processes they have started in variables of their own. The variables of an
 * mpirun count before others: mpirun may run within a step of Slurm, whose variables its processes
 * inherit. */
#include "config.h"

#include "runtime/cluster/launcher.h"

#include "runtime/base/settings.h"

#include <stdlib.h>
#include <string.h>

typedef struct launcher {
    cohort_setting_id setting; /* how many it has started */
    const char *who, *fix;     /* fix: what starts the program instead */
} launcher;

static const launcher mpiruns[] = {
    { COHORT_SETTING_OMPI_COMM_WORLD_SIZE, "mpirun of Open MPI",
      "the mpirun of the MPI that it is linked with" },
    { COHORT_SETTING_PMI_SIZE, "mpirun of MPICH", "the mpirun of the MPI that it is linked with" },
};
static const launcher others[] = {
    { COHORT_SETTING_SLURM_STEP_NUM_TASKS, "srun",
      "srun --mpi=pmix, with an MPI that knows PMIx," },
    { COHORT_SETTING_WORLD_SIZE, "a launcher such as torchrun", "mpirun" },
};
enum { MPIRUNS = sizeof mpiruns / sizeof *mpiruns, OTHERS = sizeof others / sizeof *others };

/* 0: the variable is not set, or no number, which is none of ours to judge. */
static long number_of(cohort_setting_id setting)
{
    const char *text = cohort_setting_text(setting);
    char *end;
    long n = text != NULL ? strtol(text, &end, 10) : 0;
    return n > 0 && *end == '\0' ? n : 0;
}

/* ------------------------------------------------------------------ which one */

/* Slurm may be set up so that each step has PMIx: one of a single task has nobody to connect.
 * Source: src/plugins/mpi/pmix/pmixp_info.c of Slurm, which names them so. */
static bool is_alone_in_slurm(void)
{
    static const char of_slurm[] = "slurm.pmix.";
    const char *space = cohort_setting_text(COHORT_SETTING_PMIX_NAMESPACE);
    return space != NULL && strncmp(space, of_slurm, sizeof of_slurm - 1) == 0 &&
           number_of(COHORT_SETTING_SLURM_STEP_NUM_TASKS) == 1;
}

cohort_launcher cohort_launcher_find(const char **out_why)
{
    *out_why = "";
    if (cohort_setting_text(COHORT_SETTING_OMPI_COMM_WORLD_SIZE) != NULL) {
        *out_why = "Open MPI's mpirun has started it (OMPI_COMM_WORLD_SIZE)";
        return COHORT_LAUNCHER_OPEN_MPI;
    }
    if (cohort_setting_text(COHORT_SETTING_PMI_SIZE) != NULL) {
        *out_why = "MPICH's mpirun has started it (PMI_SIZE)";
        return COHORT_LAUNCHER_MPICH;
    }
    if (cohort_setting_text(COHORT_SETTING_PMIX_RANK) != NULL && !is_alone_in_slurm()) {
        *out_why = "a launcher with PMIx has started it (PMIX_RANK)";
        return COHORT_LAUNCHER_PMIX;
    }
    return COHORT_LAUNCHER_NONE;
}

/* ------------------------------------------------------------------ alone? */

/* NULL: there is none. */
static const launcher *find_several(const launcher list[], int n)
{
    for (int i = 0; i < n; i++)
        if (number_of(list[i].setting) > 1)
            return &list[i];
    return NULL;
}

static bool is_of_mpirun(void)
{
    bool is = false;
    for (int i = 0; i < MPIRUNS; i++)
        is = is || cohort_setting_text(mpiruns[i].setting) != NULL;
    return is;
}

bool cohort_launcher_has_several(void)
{
    if (is_of_mpirun())
        return find_several(mpiruns, MPIRUNS) != NULL;
    const char *why;
    return cohort_launcher_find(&why) == COHORT_LAUNCHER_PMIX &&
           (number_of(COHORT_SETTING_PMIX_RANK) > 0 ||
            number_of(COHORT_SETTING_SLURM_STEP_NUM_TASKS) > 1);
}

#define LIKE_MIRRORED                                                                              \
    "processes that are to train alone make a strategy of another kind, such as cohort_mirrored"
#define NO_TASK                                                                                    \
    "the resolver, or TF_CONFIG, names no task of this one, so that each would train alone: give " \
    "each its task, or unset TF_CONFIG, or take cohort_resolver_mpi; " LIKE_MIRRORED

static cohort_status refuse(const launcher *l, const char *engine)
{
    const long n = number_of(l->setting);
    const char *why, *variable = cohort_setting_name(cohort_setting_at(l->setting));
    if (engine != NULL)
        return cohort_error_set(COHORT_EINCOMPATIBLE,
                                "%s has started %ld processes (%s), and %s knows of 1: start the "
                                "program by %s or by cohort launch -n %ld",
                                l->who, n, variable, engine, l->fix, n);
    if (cohort_launcher_find(&why) != COHORT_LAUNCHER_NONE)
        return cohort_error_set(COHORT_EINVAL, "%s has started %ld processes (%s), and " NO_TASK,
                                l->who, n, variable);
    return cohort_error_set(COHORT_EINVAL,
                            "%s has started %ld processes (%s), and nothing tells this one of the "
                            "others, so that each would train alone: start the program by %s or by "
                            "cohort launch -n %ld; " LIKE_MIRRORED,
                            l->who, n, variable, l->fix, n);
}

/* A launcher with PMIx says who this process is, and not of how many. */
static cohort_status refuse_rank(long rank, const char *engine)
{
    static const char who[] = "a launcher with PMIx has started others, too, for this is rank";
    return engine != NULL
               ? cohort_error_set(COHORT_EINCOMPATIBLE,
                                  "%s %ld (PMIX_RANK), and %s knows of none: start the program by "
                                  "the mpirun of an MPI that Cohort was built with, or by cohort "
                                  "launch",
                                  who, rank, engine)
               : cohort_error_set(COHORT_EINVAL, "%s %ld (PMIX_RANK), and " NO_TASK, who, rank);
}

cohort_status cohort_launcher_check_alone(const char *engine)
{
    const launcher *l =
        is_of_mpirun() ? find_several(mpiruns, MPIRUNS) : find_several(others, OTHERS);
    long rank = is_of_mpirun() ? 0 : number_of(COHORT_SETTING_PMIX_RANK);
    if (l != NULL)
        return refuse(l, engine);
    return rank > 0 ? refuse_rank(rank, engine) : COHORT_OK;
}
