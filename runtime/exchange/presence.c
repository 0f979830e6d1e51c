/* SPDX-License-Identifier: BSD-3-Clause */
/* A process is there while it holds an address of an abstract Unix socket, which no file stands for
 * and which ends with it. */
#include "config.h"

#include "runtime/exchange/presence.h"

#include "runtime/base/error.h"
#include "runtime/base/settings.h"
#include "runtime/base/text.h"
#include "runtime/cluster/slurm_list.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { MOST_PROCESSES = 1024 };

typedef struct job {
    char key[64];
    long rank, size;
    long here; /* of them on this machine */
} job;

/* -1: it is not set. */
static long number_of(cohort_setting_id setting)
{
    const char *text = cohort_setting_text(setting);
    return text != NULL ? strtol(text, NULL, 10) : -1;
}

/* MPICH's proxy, which has no name for its job, starts each process in a session of its own: so it
 * is the parent of who leads that, whatever shells stand between. 0: it is not known. Source:
 * proc(5). */
static int find_proxy(void)
{
    char name[40], line[512] = "";
    int parent = 0;
    (void)snprintf(name, sizeof name, "/proc/%d/stat", (int)getsid(0));
    FILE *file = fopen(name, "re");
    const char *end =
        file != NULL && fgets(line, sizeof line, file) != NULL ? strrchr(line, ')') : NULL;
    if (end == NULL || sscanf(end, ") %*c %d", &parent) != 1)
        parent = 0;
    if (file != NULL)
        (void)fclose(file);
    return parent;
}

static long find_here_of_slurm(void)
{
    int32_t tasks[MOST_PROCESSES];
    const cohort_setting_id id = COHORT_SETTING_SLURM_STEP_TASKS_PER_NODE;
    const char *list = cohort_setting_text(id);
    cohort_error_saved saved;
    cohort_error_save(&saved);
    int n = list != NULL ? cohort_slurm_read_tasks("", list, tasks, MOST_PROCESSES) : 0;
    cohort_error_restore(&saved);
    long node = number_of(COHORT_SETTING_SLURM_NODEID);
    return node >= 0 && node < n && node < MOST_PROCESSES ? tasks[node] : -1;
}

/* By mpirun of Open MPI, by srun with PMIx, or by MPICH's. */
static bool find_job(job *out)
{
    const char *space = cohort_setting_text(COHORT_SETTING_PMIX_NAMESPACE);
    int proxy = space == NULL ? find_proxy() : 0;
    if (space == NULL && proxy == 0)
        return false;
    if (space == NULL)
        (void)snprintf(out->key, sizeof out->key, "%d", proxy);
    else
        (void)snprintf(out->key, sizeof out->key, "%s", space);
    out->rank = number_of(space != NULL ? COHORT_SETTING_PMIX_RANK : COHORT_SETTING_PMI_RANK);
    if (space == NULL) {
        out->size = number_of(COHORT_SETTING_PMI_SIZE);
        out->here = number_of(COHORT_SETTING_MPI_LOCALNRANKS);
    } else if (cohort_setting_text(COHORT_SETTING_OMPI_COMM_WORLD_SIZE) != NULL) {
        out->size = number_of(COHORT_SETTING_OMPI_COMM_WORLD_SIZE);
        out->here = number_of(COHORT_SETTING_OMPI_COMM_WORLD_LOCAL_SIZE);
    } else {
        out->size = number_of(COHORT_SETTING_SLURM_STEP_NUM_TASKS);
        out->here = find_here_of_slurm();
    }
    return out->size <= MOST_PROCESSES && out->rank >= 0 && out->rank < out->size &&
           out->here > 0 && out->here <= out->size;
}

/* The length of the address. The first byte of an abstract one is 0. Source: unix(7). */
static socklen_t address_of(const job *j, long rank, struct sockaddr_un *out)
{
    *out = (struct sockaddr_un){ .sun_family = AF_UNIX };
    int n = snprintf(out->sun_path + 1, sizeof out->sun_path - 1, "cohort-%d-%s-%ld-%ld",
                     (int)geteuid(), j->key, j->size, rank);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);
}

static void take_address(void)
{
    job j;
    struct sockaddr_un address;
    if (!find_job(&j))
        return;
    socklen_t length = address_of(&j, j.rank, &address);
    int held = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (held >= 0 && bind(held, (const struct sockaddr *)&address, length) != 0)
        (void)close(held);
}

void cohort_presence_say(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, take_address);
}

static bool is_there(const job *j, long rank)
{
    struct sockaddr_un address;
    socklen_t length = address_of(j, rank, &address);
    int asks = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    bool is = asks < 0 || connect(asks, (const struct sockaddr *)&address, length) == 0;
    if (asks >= 0)
        (void)close(asks);
    return is;
}

/* All are here: they are known by their ranks. */
static void name_absent(const job *j, char *out, size_t bytes)
{
    cohort_text text = cohort_text_begin(out, bytes);
    for (long r = 0; r < j->size; r++)
        if (!is_there(j, r))
            cohort_text_add_item(&text, ", ", "rank %ld of %ld", r, j->size);
}

/* Of several machines nobody knows here which ranks are on which, but how many are on this one. */
static void count_absent(const job *j, char *out, size_t bytes)
{
    char host[65] = "";
    long come = 0;
    (void)gethostname(host, sizeof host - 1);
    for (long r = 0; r < j->size; r++)
        come += is_there(j, r);
    if (come < j->here)
        (void)snprintf(out, bytes, "%ld of the %ld processes on %s", j->here - come, j->here, host);
    else
        (void)snprintf(out, bytes, "one on another machine than %s, where all %ld have come", host,
                       j->here);
}

bool cohort_presence_find_absent(char *out, size_t bytes)
{
    job j;
    out[0] = '\0';
    if (!find_job(&j) || !is_there(&j, j.rank))
        return false;
    (j.here == j.size ? name_absent : count_absent)(&j, out, bytes);
    return out[0] != '\0';
}

static bool find_job_here(long own, long size, job *out)
{
    return find_job(out) && out->rank == own && out->size == size && out->here == size;
}

bool cohort_presence_is_there(long rank, long own, long size)
{
    job j;
    return find_job_here(own, size, &j) && is_there(&j, rank);
}

bool cohort_presence_are_all_there(long own, long size)
{
    job j;
    bool are = find_job_here(own, size, &j);
    for (long r = 0; r < size && are; r++)
        are = is_there(&j, r);
    return are;
}
