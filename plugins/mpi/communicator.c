/* SPDX-License-Identifier: BSD-3-Clause */
/* Opening and closing communicators, and the table of the plugin.
 *
 * A communicator that the program hands over may be anything. It is looked at while errors of MPI
 * return instead of ending the process; what handlers the program has set is put back. All that
 * waits for others is begun, and asked after until the deadline. */
#include "config.h"

#include "plugins/mpi/communicator.h"

#include "plugins/mpi/engine.h"
#include "plugins/mpi/roll.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const cohort_host *mpi_host; /* nothing of it is needed yet */

/* ------------------------------------------------------------------ waiting for all */

typedef struct opening {
    uint64_t end_ns;
    mpi_roll roll;
} opening;

static cohort_status say_late(opening *o, const char *what, cohort_error *err)
{
    char absent[256];
    mpi_roll_call(&o->roll, absent, sizeof absent);
    mpi_engine_give_up();
    return cohort_fail(err, COHORT_ETIMEDOUT, 0, "%s: %s has not come", what,
                       absent[0] != '\0' ? absent : "some process");
}

static cohort_status wait_until(MPI_Request *request, opening *o, const char *what,
                                cohort_error *err)
{
    int is_over = 0;
    for (;;) {
        cohort_status st =
            mpi_engine_check(MPI_Test(request, &is_over, MPI_STATUS_IGNORE), what, err);
        if (st < 0 || is_over)
            return st;
        if (mpi_engine_now_ns() >= o->end_ns)
            return say_late(o, what, err);
        mpi_roll_answer(&o->roll);
        (void)sched_yield();
    }
}

/* ------------------------------------------------------------------ opening */

static cohort_status check_group(MPI_Comm comm, cohort_error *err)
{
    int is_inter = 0;
    if (comm == MPI_COMM_NULL || comm == (MPI_Comm)0 ||
        MPI_Comm_test_inter(comm, &is_inter) != MPI_SUCCESS)
        return cohort_fail(err, COHORT_EINVAL, 0,
                           "the handle is that of no communicator of this MPI (MPI_Comm_c2f)");
    return is_inter ? cohort_fail(err, COHORT_EINVAL, 0,
                                  "an inter-communicator has no ranks of "
                                  "one group: merge it, or pass its own")
                    : COHORT_OK;
}

static cohort_status duplicate(opening *o, cohort_comm *comm, cohort_error *err)
{
    MPI_Request request = MPI_REQUEST_NULL;
    cohort_status st =
        mpi_engine_check(MPI_Comm_idup(o->roll.group, &comm->mpi, &request), "MPI_Comm_idup", err);
    return st < 0 ? st : wait_until(&request, o, "MPI_Comm_idup", err);
}

static cohort_status look_at(cohort_comm *comm, cohort_error *err)
{
    (void)MPI_Comm_set_errhandler(comm->mpi, MPI_ERRORS_RETURN);
    cohort_status st =
        mpi_engine_check(MPI_Comm_rank(comm->mpi, &comm->rank), "MPI_Comm_rank", err);
    if (st >= 0)
        st = mpi_engine_check(MPI_Comm_size(comm->mpi, &comm->size), "MPI_Comm_size", err);
    if (st >= 0)
        st = mpi_engine_check(MPI_Query_thread(&comm->provided), "MPI_Query_thread", err);
    return st;
}

/* Of a process that has no memory for one: it comes all the same, so that the others hear of it. */
static cohort_comm without_memory;

static cohort_status take_memory(cohort_comm *comm, cohort_error *err)
{
    if (comm == &without_memory)
        return cohort_fail(err, COHORT_ENOMEM, 0, "no memory for a communicator");
    comm->hosts = calloc((size_t)comm->size, sizeof *comm->hosts);
    if (comm->hosts == NULL)
        return cohort_fail(err, COHORT_ENOMEM, 0, "no memory for the names of %d hosts",
                           comm->size);
    return mpi_reserve(comm, COHORT_COMM_RESERVED, err);
}

/* All have found the same, or the first that has not is told of. MPI may keep what it was lent: one
 * communicator is opened at a time, and none once MPI was given up. */
static cohort_status agree(const cohort_comm *comm, cohort_status mine, opening *o,
                           cohort_error *err)
{
    static struct {
        int status, rank;
    } own, worst;
    MPI_Request request = MPI_REQUEST_NULL;
    own.status = mine;
    own.rank = comm->rank;
    cohort_status st =
        mpi_engine_check(MPI_Iallreduce(&own, &worst, 1, MPI_2INT, MPI_MINLOC, comm->mpi, &request),
                         "MPI_Iallreduce", err);
    if (st >= 0)
        st = wait_until(&request, o, "MPI_Iallreduce", err);
    if (st < 0 || mine < 0)
        return st < 0 ? st : mine;
    return worst.status < 0 ? cohort_fail(err, worst.status, 0,
                                          "rank %d has no memory for a communicator", worst.rank)
                            : COHORT_OK;
}

static cohort_status gather_hosts(cohort_comm *comm, opening *o, cohort_error *err)
{
    int length = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    cohort_status st = mpi_engine_check(MPI_Get_processor_name(comm->hosts[comm->rank], &length),
                                        "MPI_Get_processor_name", err);
    if (st >= 0)
        st = mpi_engine_check(MPI_Iallgather(MPI_IN_PLACE, 0, MPI_CHAR, comm->hosts,
                                             sizeof *comm->hosts, MPI_CHAR, comm->mpi, &request),
                              "MPI_Iallgather", err);
    return st < 0 ? st : wait_until(&request, o, "MPI_Iallgather", err);
}

/* An exchange that was begun and given up stays: MPI may still use it. A child of fork has no part
 * in MPI. */
static void mpi_close(cohort_comm *comm)
{
    if (getpid() != comm->opened_by)
        return;
    if (comm->mpi != MPI_COMM_NULL && mpi_engine_is_up() && !mpi_engine_was_given_up())
        (void)MPI_Comm_free(&comm->mpi);
    if (!mpi_engine_was_given_up()) {
        mpi_free_spare(comm);
        free(comm->hosts);
        if (comm != &without_memory)
            free(comm);
    }
}

static cohort_status open_group(opening *o, cohort_comm *comm, cohort_error *err)
{
    cohort_status st = duplicate(o, comm, err);
    if (st >= 0)
        st = look_at(comm, err);
    if (st >= 0)
        st = agree(comm, take_memory(comm, err), o, err);
    return st < 0 ? st : gather_hosts(comm, o, err);
}

/* What is no communicator has the errors of the world. */
static cohort_status open_guarded(MPI_Comm from, uint64_t end_ns, cohort_comm *comm,
                                  cohort_error *err)
{
    MPI_Errhandler of_world, of_group;
    opening o = { .end_ns = end_ns };
    mpi_engine_take_handler(MPI_COMM_WORLD, &of_world);
    cohort_status st = check_group(from, err);
    if (st >= 0) {
        mpi_engine_take_handler(from, &of_group);
        mpi_roll_begin(&o.roll, from);
        st = open_group(&o, comm, err);
        mpi_engine_put_handler(from, &of_group);
    }
    mpi_engine_put_handler(MPI_COMM_WORLD, &of_world);
    return st;
}

/* A program that initialises MPI itself may have asked for one thread. */
static cohort_status check_thread(cohort_error *err)
{
    int provided = MPI_THREAD_SINGLE, is_main = 0;
    (void)MPI_Query_thread(&provided);
    (void)MPI_Is_thread_main(&is_main);
    return provided >= MPI_THREAD_SERIALIZED || is_main
               ? COHORT_OK
               : cohort_fail(
                     err, COHORT_EINVAL, provided,
                     "the program has asked MPI for no more than its main thread, and this is "
                     "another one: MPI_Init_thread with MPI_THREAD_SERIALIZED");
}

static cohort_status mpi_open(void *self, int32_t handle, uint64_t timeout_ns, cohort_comm **out,
                              cohort_error *err)
{
    (void)self;
    /* for ever is thirty years, which any time_t has room for */
    const uint64_t most_ns = UINT64_C(946080000000000000);
    uint64_t end_ns;
    cohort_status st = mpi_engine_start(timeout_ns < most_ns ? timeout_ns : most_ns, &end_ns, err);
    if (st >= 0)
        st = check_thread(err);
    if (st < 0)
        return st;
    cohort_comm *comm = calloc(1, sizeof *comm);
    if (comm == NULL)
        comm = &without_memory;
    *comm = (cohort_comm){ .mpi = MPI_COMM_NULL, .opened_by = getpid() };
    MPI_Comm from = handle == -1 ? MPI_COMM_WORLD : MPI_Comm_f2c((MPI_Fint)handle);
    st = open_guarded(from, end_ns, comm, err);
    if (st < 0)
        mpi_close(comm);
    else
        *out = comm;
    return st;
}

/* ------------------------------------------------------------------ questions */

/* "Open MPI v4.1.4, package: ..." is a name up to the comma, and MPICH's lines end. */
static void mpi_info(cohort_comm *comm, cohort_comm_info *out)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    (void)MPI_Get_library_version(text, &length);
    text[strcspn(text, ",\n")] = '\0';
    for (char *c = text; *c != '\0'; c++)
        *c = *c < ' ' || *c > '~' ? ' ' : *c;
    out->is_serialized = comm->provided >= MPI_THREAD_SERIALIZED;
#ifdef OPEN_MPI /* mpirun --enable-recovery; MPICH promises nothing */
    out->outlives_ranks = 1;
#endif
    out->rank = comm->rank;
    out->size = comm->size;
    (void)snprintf(out->engine, sizeof out->engine, "%.*s", (int)sizeof out->engine - 1, text);
}

static cohort_status mpi_host_of(cohort_comm *comm, int32_t rank, char *out, uint64_t size,
                                 cohort_error *err)
{
    int needed = snprintf(out, (size_t)size, "%s", comm->hosts[rank]);
    return needed >= 0 && (uint64_t)needed < size
               ? COHORT_OK
               : cohort_fail(err, COHORT_EINVAL, 0, "the name of rank %d's host has %d bytes",
                             (int)rank, needed);
}

/* ------------------------------------------------------------------ the table */

static const cohort_communicator_ops ops = {
    .struct_size = sizeof(cohort_communicator_ops),
    .open = mpi_open,
    .close = mpi_close,
    .info = mpi_info,
    .host = mpi_host_of,
    .send = mpi_send,
    .receive = mpi_receive,
    .broadcast = mpi_broadcast,
    .gather = mpi_gather,
    .barrier = mpi_barrier,
    .test = mpi_test,
    .abandon = mpi_abandon,
    .reserve = mpi_reserve,
};

static const void *extension(void *self, const char *name)
{
    (void)self;
    return strcmp(name, COHORT_COMMUNICATOR_EXTENSION) == 0 ? &ops : NULL;
}

COHORT_PLUGIN(COHORT_MPI_PLUGIN, PACKAGE_VERSION, "Cohort", NULL, NULL, extension, mpi_host)
