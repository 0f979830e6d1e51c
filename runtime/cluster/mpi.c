/* SPDX-License-Identifier: BSD-3-Clause */
/* The resolver of MPI: the processes of a communicator are the workers of a cluster. */
#include "config.h"

#include "runtime/base/memory.h"
#include "runtime/cluster/communicator.h"
#include "runtime/cluster/resolver.h"

#include <stdio.h>

typedef struct mpi {
    cohort_communicator communicator;
    cohort_cluster_spec *spec;
} mpi;

static const char call[] = "cohort_resolver_mpi";

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

static cohort_status make_spec(mpi *m, char (*room)[ADDRESS_BYTES], const char **addresses)
{
    const cohort_comm_info *info = &m->communicator.info;
    cohort_status status = COHORT_OK;
    for (int32_t r = 0; r < info->size && status >= 0; r++) {
        status = write_address(m, r, room[r]);
        addresses[r] = room[r];
    }
    if (status < 0)
        return status;
    const cohort_job workers = { "worker", addresses, info->size, NULL };
    m->spec = cohort_cluster_spec_create(&workers, 1);
    return m->spec != NULL ? COHORT_OK : cohort_error_status();
}

static cohort_status find_workers(mpi *m)
{
    size_t n = (size_t)m->communicator.info.size;
    char(*room)[ADDRESS_BYTES] = cohort_allocate(n, sizeof *room);
    const char **addresses = cohort_allocate(n, sizeof *addresses);
    cohort_status status = room != NULL && addresses != NULL ? make_spec(m, room, addresses)
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
    (void)user;
    return "worker";
}

static int32_t find_task_id(void *user)
{
    return ((const mpi *)user)->communicator.info.rank;
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

static cohort_status fill(mpi *m, int32_t communicator)
{
    cohort_status status = cohort_error_if_forked();
    if (status >= 0)
        status = cohort_communicator_open(communicator, &m->communicator);
    return status < 0 ? status : find_workers(m);
}

cohort_resolver *cohort_resolver_mpi(int32_t communicator)
{
    mpi *m = cohort_allocate(1, sizeof *m);
    cohort_status status = m != NULL ? fill(m, communicator) : cohort_error_memory("a resolver");
    if (status >= 0)
        return cohort_resolver_make(&ops, m, NULL, call);
    if (m != NULL)
        destroy(m);
    (void)cohort_error_prefix(status, "%s", call);
    return cohort_handle_made(COHORT_HANDLE_RESOLVER, NULL);
}
