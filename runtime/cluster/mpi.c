/* SPDX-License-Identifier: BSD-3-Clause */
/* The resolver of MPI: the processes of a communicator are the tasks of a cluster. */
#include "config.h"

#include "runtime/base/memory.h"
#include "runtime/cluster/communicator.h"
#include "runtime/cluster/resolver.h"

#include <stdio.h>
#include <string.h>

typedef struct mpi {
    cohort_communicator communicator;
    cohort_cluster_spec *spec;
    const char *task_type;
    int32_t task_id;
} mpi;

static const char mpi_call[] = "cohort_resolver_mpi", jobs_call[] = "cohort_resolver_mpi_jobs";

/* In the order of their ranks. */
enum { JOBS = 4 };
static const char *const types[JOBS] = { "chief", "worker", "ps", "evaluator" };

static void destroy(void *user)
{
    mpi *m = user;
    if (m->communicator.comm != NULL)
        cohort_communicator_close(&m->communicator);
    cohort_cluster_spec_destroy(m->spec);
    cohort_free(m);
}

/* ------------------------------------------------------------------ addresses */

enum { ADDRESS_BYTES = 300 };

/* MPI connects by itself, so an address only has to name the process. */
static cohort_status write_address(const mpi *m, int32_t rank, char out[ADDRESS_BYTES])
{
    char host[ADDRESS_BYTES - sizeof ":2147483647"] = "";
    cohort_status status = cohort_communicator_host(&m->communicator, rank, host, sizeof host);
    if (status >= 0)
        (void)snprintf(out, ADDRESS_BYTES, "%s:%d", host, (int)rank);
    return status;
}

/* counts: tasks of each type, all ranks together. */
static cohort_status make_spec(mpi *m, const int32_t counts[JOBS], char (*room)[ADDRESS_BYTES],
                               const char **addresses)
{
    const cohort_comm_info *info = &m->communicator.info;
    cohort_job jobs[JOBS];
    int32_t n = 0, first = 0;
    for (int32_t r = 0; r < info->size; r++) {
        cohort_status status = write_address(m, r, room[r]);
        if (status < 0)
            return status;
        addresses[r] = room[r];
    }
    for (int32_t i = 0; i < JOBS; first += counts[i++]) {
        if (counts[i] > 0)
            jobs[n++] = (cohort_job){ types[i], &addresses[first], counts[i], NULL };
        if (info->rank >= first && info->rank < first + counts[i]) {
            m->task_type = types[i];
            m->task_id = info->rank - first;
        }
    }
    m->spec = cohort_cluster_spec_create(jobs, n);
    return m->spec != NULL ? COHORT_OK : cohort_error_status();
}

static cohort_status find_tasks(mpi *m, const int32_t counts[JOBS])
{
    size_t n = (size_t)m->communicator.info.size;
    char(*room)[ADDRESS_BYTES] = cohort_allocate(n, sizeof *room);
    const char **addresses = cohort_allocate(n, sizeof *addresses);
    cohort_status status = room != NULL && addresses != NULL ? make_spec(m, counts, room, addresses)
                                                             : cohort_error_memory("a resolver");
    cohort_free(addresses);
    cohort_free(room);
    return status;
}

/* ------------------------------------------------------------------ jobs */

static int find_type(const char *type)
{
    int i = 0;
    while (i < JOBS && (type == NULL || strcmp(type, types[i]) != 0))
        i++;
    return i;
}

/* asked[i]: tasks of a type, -1 for all that are left; 0 of what is not there. */
static cohort_status read_jobs(const cohort_job_tasks jobs[], int n, int32_t asked[JOBS])
{
    int n_open = 0;
    if (jobs == NULL || n < 1 || n > JOBS)
        return cohort_error_set(COHORT_EINVAL, "%d jobs; 1 to %d", n, JOBS);
    for (int i = 0; i < n; i++) {
        int t = find_type(jobs[i].type);
        if (t == JOBS)
            return cohort_error_set(COHORT_EINVAL,
                                    "job %d is '%.32s'; jobs are chief, worker, ps and evaluator",
                                    i, jobs[i].type != NULL ? jobs[i].type : "(null)");
        if (asked[t] != 0 || jobs[i].tasks < 0)
            return cohort_error_set(
                COHORT_EINVAL, asked[t] != 0 ? "job '%s' is there twice" : "job '%s' has %d tasks",
                types[t], (int)jobs[i].tasks);
        asked[t] = jobs[i].tasks > 0 ? jobs[i].tasks : -1;
        n_open += jobs[i].tasks == 0;
    }
    return n_open <= 1 ? COHORT_OK
                       : cohort_error_set(COHORT_EINVAL,
                                          "%d jobs take all tasks that are left; one can", n_open);
}

/* Whoever takes all that are left gets them. */
static cohort_status share_out(int32_t size, int32_t asked[JOBS])
{
    int64_t sum = 0;
    bool is_open = false;
    for (int i = 0; i < JOBS; i++) {
        sum += asked[i] > 0 ? asked[i] : 0;
        is_open = is_open || asked[i] < 0;
    }
    if (is_open ? sum >= size : sum != size)
        return cohort_error_set(COHORT_EINVAL,
                                "the jobs want %lld processes%s, and there are %d; start as many",
                                (long long)(sum + is_open), is_open ? " or more" : "", (int)size);
    for (int i = 0; i < JOBS; i++)
        asked[i] = asked[i] < 0 ? (int32_t)(size - sum) : asked[i];
    return COHORT_OK;
}

/* ------------------------------------------------------------------ answers */

static cohort_cluster_spec *find_spec(void *user)
{
    return cohort_cluster_spec_share(((const mpi *)user)->spec);
}

static const char *find_task_type(void *user)
{
    return ((const mpi *)user)->task_type;
}

static int32_t find_task_id(void *user)
{
    return ((const mpi *)user)->task_id;
}

static const cohort_resolver_ops ops = { .struct_size = sizeof ops,
                                         .name = "mpi",
                                         .cluster_spec = find_spec,
                                         .task_type = find_task_type,
                                         .task_id = find_task_id,
                                         .destroy = destroy };

cohort_communicator *cohort_communicator_of(const cohort_resolver *resolver)
{
    return resolver->ops.destroy == destroy ? &((mpi *)resolver->user)->communicator : NULL;
}

/* asked: as read_jobs leaves it. */
static cohort_status fill(mpi *m, int32_t communicator, int32_t asked[JOBS])
{
    cohort_status status = cohort_error_if_forked();
    if (status >= 0)
        status = cohort_communicator_open(communicator, &m->communicator);
    if (status >= 0)
        status = share_out(m->communicator.info.size, asked);
    return status < 0 ? status : find_tasks(m, asked);
}

static cohort_resolver *make(int32_t communicator, const cohort_job_tasks jobs[], int n,
                             const char *call)
{
    int32_t asked[JOBS] = { 0 };
    cohort_status status = read_jobs(jobs, n, asked);
    mpi *m = status >= 0 ? cohort_allocate(1, sizeof *m) : NULL;
    if (status >= 0)
        status = m != NULL ? fill(m, communicator, asked) : cohort_error_memory("a resolver");
    if (status >= 0)
        return cohort_resolver_make(&ops, m, NULL, call);
    if (m != NULL)
        destroy(m);
    (void)cohort_error_prefix(status, "%s", call);
    return cohort_handle_made(COHORT_HANDLE_RESOLVER, NULL);
}

cohort_resolver *cohort_resolver_mpi(int32_t communicator)
{
    static const cohort_job_tasks all = { "worker", 0 };
    return make(communicator, &all, 1, mpi_call);
}

cohort_resolver *cohort_resolver_mpi_jobs(int32_t communicator, const cohort_job_tasks jobs[],
                                          int n)
{
    return make(communicator, jobs, n, jobs_call);
}
