/* SPDX-License-Identifier: BSD-3-Clause */
/* One process of those that tests/cluster_mpi.t starts by mpirun; it says nothing when all is well.
 *
 *   cluster_ranks exchange   every operation of the communicator
 *   cluster_ranks resolver   what the resolver answers
 *   cluster_ranks shorter    a message that is shorter than it should be, and one that is
 *   cluster_ranks longer     longer
 *   cluster_ranks longest    longer than it may be, at most
 *   cluster_ranks forked     a child of fork ends
 *   cluster_ranks handles    handles of no communicator
 *   cluster_ranks late       rank 1 does not come */
#include "config.h"

#include "runtime/exchange/communicator.h"

#include "tests/cluster_process.h"

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ------------------------------------------------------------------ the communicator */

static cohort_communicator c;
static cohort_error err = { .struct_size = sizeof err };

/* Until all of these are over. */
static void finish(cohort_exchange *list[], int n)
{
    for (int i = 0; i < n; i++) {
        cohort_status status;
        while ((status = c.ops->test(c.comm, list[i], &err)) == COHORT_EAGAIN)
            sched_yield();
        if (status < 0)
            printf("rank %d: exchange %d: %s\n", rank, i, err.text);
        must(status == COHORT_OK, "an exchange ends well");
    }
}

static unsigned char byte_of(int from, size_t at)
{
    return (unsigned char)((size_t)(from * 31) + at * 7 + 1);
}

static void fill(unsigned char *p, int from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        p[i] = byte_of(from, i);
}

static bool is_of(const unsigned char *p, int from, size_t bytes)
{
    bool is = true;
    for (size_t i = 0; i < bytes && is; i++)
        is = p[i] == byte_of(from, i);
    return is;
}

/* Around the ring, to oneself where there is nobody else: two at once, in order. */
static void send_around(size_t bytes)
{
    unsigned char *out = malloc(bytes + 1), *in = malloc(bytes + 1), first = (unsigned char)rank,
                  got;
    cohort_exchange *list[4];
    int next = (rank + 1) % size, before = (rank + size - 1) % size;
    must(out != NULL && in != NULL, "there is memory");
    fill(out, rank, bytes);
    in[bytes] = 77;
    must(c.ops->receive(c.comm, before, 5, &got, 1, NULL, &list[0], &err) == COHORT_OK &&
             c.ops->receive(c.comm, before, 5, in, bytes, NULL, &list[1], &err) == COHORT_OK &&
             c.ops->send(c.comm, next, 5, &first, 1, &list[2], &err) == COHORT_OK &&
             c.ops->send(c.comm, next, 5, out, bytes, &list[3], &err) == COHORT_OK,
         "exchanges are begun");
    finish(list, 4);
    must(got == before && is_of(in, before, bytes) && in[bytes] == 77,
         "what came is what was sent");
    free(out);
    free(in);
}

/* The other side has room for more, and is told how many have come. */
static void send_short(size_t bytes)
{
    static unsigned char out[COHORT_COMM_SHORT_BYTES], in[COHORT_COMM_SHORT_BYTES];
    uint64_t come = 12345;
    cohort_exchange *list[2];
    int next = (rank + 1) % size, before = (rank + size - 1) % size;
    fill(out, rank, bytes);
    in[bytes < sizeof in ? bytes : 0] = 77;
    must(c.ops->receive(c.comm, before, 6, in, sizeof in, &come, &list[0], &err) == COHORT_OK &&
             c.ops->send(c.comm, next, 6, out, bytes, &list[1], &err) == COHORT_OK,
         "exchanges of a length that one side does not know are begun");
    finish(list, 2);
    must(come == bytes && is_of(in, before, bytes), "what came is what was sent, and its length");
    must(bytes == sizeof in || in[bytes] == 77, "and nothing behind it is written");
}

static void broadcast_from(int root, size_t bytes)
{
    unsigned char *p = calloc(bytes + 1, 1);
    cohort_exchange *x;
    must(p != NULL, "there is memory");
    if (rank == root)
        fill(p, root, bytes);
    must(c.ops->broadcast(c.comm, root, p, bytes, &x, &err) == COHORT_OK, "a broadcast is begun");
    finish(&x, 1);
    must(is_of(p, root, bytes) && p[bytes] == 0, "all have what the root has");
    free(p);
}

/* Of unequal lengths, of which one may be 0; mine lies elsewhere, or in its place. */
static void gather(size_t unit, bool is_in_place)
{
    uint64_t bytes[64], at = 0, before = 0;
    must(size <= 64, "the test has room");
    for (int r = 0; r < size; r++) {
        bytes[r] = (uint64_t)r * unit;
        before += r < rank ? bytes[r] : 0;
        at += bytes[r];
    }
    unsigned char *all = calloc((size_t)at + 1, 1), *own = malloc((size_t)bytes[rank] + 1);
    cohort_exchange *x;
    must(all != NULL && own != NULL, "there is memory");
    unsigned char *mine = is_in_place ? all + before : own;
    fill(mine, rank, (size_t)bytes[rank]);
    must(c.ops->gather(c.comm, mine, all, bytes, &x, &err) == COHORT_OK, "a gather is begun");
    finish(&x, 1);
    at = 0;
    for (int r = 0; r < size; at += bytes[r], r++)
        must(is_of(all + at, r, (size_t)bytes[r]), "all have all parts");
    free(all);
    free(own);
}

static void meet(void)
{
    cohort_exchange *x;
    must(c.ops->barrier(c.comm, &x, &err) == COHORT_OK, "a barrier is begun");
    finish(&x, 1);
}

static void begin(void)
{
    must(cohort_communicator_open(COHORT_MPI_WORLD, &c) == COHORT_OK, "the communicator opens");
    rank = c.info.rank;
    size = c.info.size;
}

static void length(uint64_t expected, uint64_t *out_bytes)
{
    cohort_exchange *x;
    char got[8];
    begin();
    if (rank == 0) {
        must(c.ops->send(c.comm, 1, 9, "abc", 3, &x, &err) == COHORT_OK, "a send is begun");
        finish(&x, 1);
        cohort_communicator_close(&c);
        return;
    }
    must(c.ops->receive(c.comm, 0, 9, got, expected, out_bytes, &x, &err) == COHORT_OK,
         "a receive is begun");
    cohort_status status;
    while ((status = c.ops->test(c.comm, x, &err)) == COHORT_EAGAIN)
        sched_yield();
    must(status == COHORT_EINVAL, "a message of another length is refused");
    printf("told: %s\n", err.text);
    cohort_communicator_close(&c);
    exit(3);
}

static void exchange(void)
{
    const size_t sizes[] = { 0, 1, 1000, 65537, 5000000 };
    begin();
    for (int round = 0; round < 3; round++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            send_around(sizes[i]);
            broadcast_from((int)i % size, sizes[i]);
            gather(sizes[i], i % 2 == 0);
            meet();
        }
    for (size_t bytes = 0; bytes <= COHORT_COMM_SHORT_BYTES; bytes = bytes * 4 + (bytes == 0))
        send_short(bytes);
    cohort_communicator second;
    must(cohort_communicator_open(COHORT_MPI_WORLD, &second) == COHORT_OK, "so does a second one");
    cohort_communicator_close(&second);
    send_around(10);
    meet();
    cohort_communicator_close(&c);
}

/* ------------------------------------------------------------------ the resolver */

static void resolver(void)
{
    cohort_resolver *r = cohort_resolver_mpi(COHORT_MPI_WORLD);
    must(r != NULL, "there is a resolver");
    rank = cohort_resolver_task_id(r);
    size = cohort_resolver_num_tasks(r, "worker");
    const cohort_cluster_spec *spec = cohort_resolver_cluster_spec(r);
    char host[256], wanted[300];
    must(gethostname(host, sizeof host) == 0, "there is a host");
    (void)snprintf(wanted, sizeof wanted, "%s:%d", host, rank);
    const char *address = cohort_resolver_address(r, "worker", rank);
    must(address != NULL && strcmp(address, wanted) == 0, "the address is host and rank");
    must(strcmp(cohort_resolver_task_type(r), "worker") == 0 &&
             cohort_cluster_spec_worker_count(spec, "worker") == size &&
             cohort_cluster_spec_is_chief(spec, "worker", rank) == (rank == 0) &&
             strcmp(cohort_resolver_name(r), "mpi") == 0,
         "the task is a worker, and the first one the chief");
    cohort_resolver *again = cohort_resolver_mpi(COHORT_MPI_WORLD);
    must(again != NULL && cohort_resolver_task_id(again) == rank, "there may be two");
    cohort_resolver_destroy(r);
    must(cohort_resolver_num_tasks(again, "worker") == size, "one lives on without the other");
    cohort_resolver_destroy(again);
    const char *number = getenv("RANKS");
    must(number != NULL && atoi(number) == size, "there are as many as were started");
}

/* It has no part in MPI, which it neither frees nor ends. */
static void forked(void)
{
    int status = -1;
    cohort_resolver *r = cohort_resolver_mpi(COHORT_MPI_WORLD);
    must(r != NULL, "there is a resolver");
    pid_t child = fork();
    if (child == 0) {
        cohort_resolver_destroy(r);
        exit(0);
    }
    must(child > 0 && waitpid(child, &status, 0) == child && status == 0, "a child ends well");
    must(cohort_resolver_task_id(r) >= 0, "and its parent goes on");
    cohort_resolver_destroy(r);
}

static void handles(void)
{
    const int32_t wrong[] = { 123456, INT32_MAX, INT32_MIN, -2 };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        must(cohort_resolver_mpi(wrong[i]) == NULL && cohort_error_status() == COHORT_EINVAL,
             "what is no communicator is refused");
        must(strstr(cohort_error_text(), "cohort_resolver_mpi: ") != NULL, "and the call named");
    }
    resolver();
}

static void late(void)
{
    const char *number = getenv("OMPI_COMM_WORLD_RANK");
    number = number != NULL ? number : getenv("PMI_RANK");
    number = number != NULL ? number : getenv("PMIX_RANK");
    must(number != NULL, "the launcher tells the rank");
    if (atoi(number) == 1) {
        sleep(60);
        return;
    }
    cohort_resolver *r = cohort_resolver_mpi(COHORT_MPI_WORLD);
    must(r == NULL && cohort_error_status() == COHORT_ETIMEDOUT, "somebody who is late is noticed");
    printf("told: %s\n", cohort_error_text());
    exit(3);
}

int main(int argc, char **argv)
{
    const char *part = argc == 2 ? argv[1] : "";
    if (strcmp(part, "exchange") == 0)
        exchange();
    else if (strcmp(part, "resolver") == 0)
        resolver();
    else if (strcmp(part, "shorter") == 0)
        length(8, NULL);
    else if (strcmp(part, "longer") == 0)
        length(2, NULL);
    else if (strcmp(part, "longest") == 0)
        length(2, &(uint64_t){ 0 });
    else if (strcmp(part, "forked") == 0)
        forked();
    else if (strcmp(part, "handles") == 0)
        handles();
    else if (strcmp(part, "late") == 0)
        late();
    else
        return 2;
    return 0;
}
