/* SPDX-License-Identifier: BSD-3-Clause */
/* The resolver of MPI: the processes of a communicator are the tasks of a cluster. */
#include "config.h"

#include "runtime/base/memory.h"
#include "runtime/base/settings.h"
#include "runtime/cluster/jobs.h"
#include "runtime/cluster/resolver.h"
#include "runtime/exchange/communicator.h"
#include "runtime/exchange/refusal.h"

#include <stdio.h>
#include <string.h>

typedef struct mpi {
    cohort_communicator communicator;
    cohort_cluster_spec *spec;
    const char *task_type;
    int32_t task_id;
} mpi;

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
static cohort_status write_address(const cohort_communicator *c, int32_t rank,
                                   char out[ADDRESS_BYTES])
{
    char host[ADDRESS_BYTES - sizeof ":2147483647"] = "";
    cohort_status status = cohort_communicator_host(c, rank, host, sizeof host);
    if (status >= 0)
        (void)snprintf(out, ADDRESS_BYTES, "%s:%d", host, (int)rank);
    return status;
}

/* counts: tasks of each type, all ranks together. */
static cohort_status make_spec(mpi *m, const cohort_communicator *c,
                               const int32_t counts[COHORT_JOB_TYPES], char (*room)[ADDRESS_BYTES],
                               const char **addresses)
{
    const cohort_comm_info *info = &c->info;
    cohort_job jobs[COHORT_JOB_TYPES];
    int32_t n = 0, first = 0;
    for (int32_t r = 0; r < info->size; r++) {
        cohort_status status = write_address(c, r, room[r]);
        if (status < 0)
            return status;
        addresses[r] = room[r];
    }
    for (int32_t i = 0; i < COHORT_JOB_TYPES; first += counts[i++]) {
        if (counts[i] > 0)
            jobs[n++] = (cohort_job){ cohort_job_types[i], &addresses[first], counts[i], NULL };
        if (info->rank >= first && info->rank < first + counts[i]) {
            m->task_type = cohort_job_types[i];
            m->task_id = info->rank - first;
        }
    }
    m->spec = cohort_cluster_spec_create(jobs, n);
    return m->spec != NULL ? COHORT_OK : cohort_error_status();
}

static cohort_status find_tasks(mpi *m, const cohort_communicator *c,
                                const int32_t counts[COHORT_JOB_TYPES])
{
    size_t n = (size_t)c->info.size;
    char(*room)[ADDRESS_BYTES] = cohort_allocate(n, sizeof *room);
    const char **addresses = cohort_allocate(n, sizeof *addresses);
    cohort_status status = room != NULL && addresses != NULL
                               ? make_spec(m, c, counts, room, addresses)
                               : cohort_error_memory("a resolver");
    cohort_free(addresses);
    cohort_free(room);
    return status;
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
    bool is_there = cohort_handle_is(resolver, COHORT_HANDLE_RESOLVER);
    return is_there && resolver->ops.destroy == destroy ? &((mpi *)resolver->user)->communicator
                                                        : NULL;
}

/* ------------------------------------------------------------------ making one */

/* The communicator is the resolver's, where there is one. */
static cohort_resolver *make_of(const cohort_communicator *c,
                                const int32_t counts[COHORT_JOB_TYPES], const char *call)
{
    mpi *m = cohort_allocate(1, sizeof *m);
    cohort_status status = m != NULL ? find_tasks(m, c, counts) : cohort_error_memory("a resolver");
    if (status < 0) {
        if (m != NULL)
            destroy(m);
        (void)cohort_error_prefix(status, "%s", call);
        return NULL;
    }
    cohort_resolver *r = cohort_resolver_make(&ops, m, NULL, call);
    if (r != NULL)
        m->communicator = *c;
    return r;
}

/* The others are to make a strategy with theirs, and hear of it then. */
static void leave(cohort_communicator *c)
{
    cohort_refusal_send(c, cohort_error_status());
    cohort_communicator_close(c);
}

/* asked: as cohort_jobs_read leaves it. */
static cohort_resolver *make_over(cohort_communicator *c, int32_t asked[COHORT_JOB_TYPES],
                                  const char *call)
{
    cohort_status status = cohort_jobs_share_out(c->info.size, asked);
    if (status < 0)
        (void)cohort_error_prefix(status, "%s", call);
    cohort_resolver *r = status >= 0 ? make_of(c, asked, call) : NULL;
    if (r == NULL)
        leave(c);
    return r;
}

static cohort_status join(int32_t communicator, cohort_communicator *out)
{
    cohort_status status = cohort_error_if_forked();
    return status < 0 ? status : cohort_communicator_open(communicator, out);
}

/* What is asked is wrong in this process alone, perhaps. One that no mpirun has started is alone,
 * and MPI stays the program's to initialise. */
static void join_to_leave(int32_t communicator)
{
    cohort_communicator c;
    cohort_error_saved saved;
    if (!cohort_communicator_has_others())
        return;
    cohort_error_save(&saved);
    cohort_status status = join(communicator, &c);
    cohort_error_restore(&saved);
    if (status >= 0)
        leave(&c);
}

/* status: of reading what is asked. Nothing else comes before this process has joined the others:
 * they wait for it there, and nowhere else can they be told. */
static cohort_resolver *make(int32_t communicator, int32_t asked[COHORT_JOB_TYPES],
                             cohort_status status, const char *call)
{
    cohort_communicator c;
    cohort_resolver *r = NULL;
    bool is_read = status >= 0;
    if (is_read)
        status = join(communicator, &c);
    if (status < 0)
        (void)cohort_error_prefix(status, "%s", call);
    else
        r = make_over(&c, asked, call);
    if (!is_read)
        join_to_leave(communicator);
    return cohort_handle_made(COHORT_HANDLE_RESOLVER, r);
}

/* A communicator of the program's own has what processes the program likes. */
static cohort_status read_given(int32_t communicator, int32_t asked[COHORT_JOB_TYPES])
{
    static const cohort_job_tasks all = { "worker", 0 };
    const char *given =
        communicator == COHORT_MPI_WORLD ? cohort_setting_text(COHORT_SETTING_JOBS) : NULL;
    if (given == NULL)
        return cohort_jobs_read(&all, 1, asked);
    cohort_status status = cohort_jobs_parse(given, asked);
    return status < 0 ? cohort_error_prefix(status, "COHORT_JOBS") : status;
}

cohort_resolver *cohort_resolver_mpi(int32_t communicator)
{
    int32_t asked[COHORT_JOB_TYPES] = { 0 };
    return make(communicator, asked, read_given(communicator, asked), "cohort_resolver_mpi");
}

cohort_resolver *cohort_resolver_mpi_jobs(int32_t communicator, const cohort_job_tasks jobs[],
                                          int n)
{
    int32_t asked[COHORT_JOB_TYPES] = { 0 };
    return make(communicator, asked, cohort_jobs_read(jobs, n, asked), "cohort_resolver_mpi_jobs");
}
