/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "host/seats.h"

#include <sys/syscall.h>
#include <unistd.h>

void seat_take(struct seat *seat)
{
    atomic_store(&seat->thread, (int)syscall(SYS_gettid));
}

/* The system may give the number to another thread afterwards. */
void seat_leave(struct seat *seat)
{
    atomic_store(&seat->thread, 0);
}

static bool is_one_each(const struct seats *seats)
{
    return seats->cores.count == seats->n_members + 1;
}

/* False: the thread is not there. */
static bool bind(const struct seats *seats, struct seat *seat, int core)
{
    int thread = atomic_load(&seat->thread);
    if (thread == 0)
        return false;
    seat->core = core;
    (void)cores_bind(thread, is_one_each(seats) ? (struct cores){ seats->cores.cpus + core, 1 }
                                                : seats->cores);
    return true;
}

/* The members of a new crew, or of one whose device works elsewhere from now on. */
static void assign(struct seats *seats, struct cores cores)
{
    seats->cores = cores;
    seats->caller = 0;
    seats->n_unbound = seats->n_members;
    for (int i = 0; i < seats->n_members; i++) {
        seats->members[i].core = i + 1;
        seats->members[i].is_bound = false;
    }
}

/* Those that have come since the last job. */
static void bind_rest(struct seats *seats)
{
    for (int i = 0; i < seats->n_members; i++) {
        struct seat *seat = &seats->members[i];
        if (!seat->is_bound && bind(seats, seat, seat->core)) {
            seat->is_bound = true;
            seats->n_unbound--;
        }
    }
}

/* The caller has moved to another core: whoever sits there takes the one that it has left. */
static void swap(struct seats *seats, int core)
{
    bool is_free = true;
    for (int i = 0; i < seats->n_members; i++)
        if (seats->members[i].core == core)
            is_free = bind(seats, &seats->members[i], seats->caller);
    seats->caller = is_free ? core : seats->caller;
}

void seats_settle(struct seats *seats, struct cores cores)
{
    int cpu = sched_getcpu();
    if (!cores_equal(seats->cores, cores))
        assign(seats, cores);
    if (seats->n_unbound > 0)
        bind_rest(seats);
    if (is_one_each(seats) && cpu != cores.cpus[seats->caller] && cores_find(cores, cpu) >= 0)
        swap(seats, cores_find(cores, cpu));
}
