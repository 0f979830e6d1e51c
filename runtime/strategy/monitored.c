/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/strategy/monitored.h"

#include "runtime/base/log.h"
#include "runtime/base/thread.h"
#include "runtime/data/format/crc.h"

#include <errno.h> /* program_invocation_short_name */
#include <stddef.h>
#include <string.h>
#include <unistd.h>

/* ------------------------------------------------------------------ what the planner tells */

static void tell(_Atomic int64_t *into, uint64_t count)
{
    atomic_store_explicit(into, (int64_t)count, memory_order_relaxed);
}

static int64_t told(const _Atomic int64_t *count)
{
    return atomic_load_explicit(count, memory_order_relaxed);
}

void cohort_monitored_tell(cohort_monitored *m)
{
    const cohort_executor *e = m->strategy->executor;
    tell(&m->calls, e->failure.call);
    tell(&m->operations, e->n_posted);
    tell(&m->program_steps, e->account.planned + e->account.repeated);
    tell(&m->replica_steps, e->account.replica_steps);
    tell(&m->input_steps, e->account.input_steps);
    tell(&m->rows, e->account.input_rows);
    tell(&m->bytes_moved, e->plan.moved);
}

/* ------------------------------------------------------------------ moments */

static int32_t shown_devices(const cohort_strategy *s)
{
    return s->n_devices < COHORT_MONITOR_DEVICES ? s->n_devices : COHORT_MONITOR_DEVICES;
}

static const cohort_lane *lane_of(const cohort_strategy *s, int32_t device)
{
    return cohort_strategy_context(s, device)->lane;
}

/* Of the kind that there is: a step of a program may contain one of a step function and of an
 * input. */
static int64_t count_steps(const cohort_monitored *m)
{
    const int64_t of_programs = told(&m->program_steps), of_functions = told(&m->replica_steps);
    return of_programs > 0 ? of_programs : of_functions > 0 ? of_functions : told(&m->input_steps);
}

/* The oldest that is left; the newest one is *out_now. */
static const cohort_monitor_moment *take_moment(cohort_monitored *m,
                                                const cohort_monitor_moment **out_now)
{
    enum { ROOM = COHORT_MONITOR_WINDOW + 1 };
    cohort_monitor_moment *now = &m->moments[m->n_moments++ % ROOM];
    now->at_ns = cohort_clock_ns();
    now->steps = count_steps(m);
    now->rows = told(&m->rows);
    now->calls = told(&m->calls);
    for (int32_t d = 0; d < shown_devices(m->strategy); d++)
        now->worked_ns[d] = cohort_lane_worked_ns(lane_of(m->strategy, d));
    *out_now = now;
    return &m->moments[m->n_moments > ROOM ? m->n_moments % ROOM : 0];
}

static double rate(int64_t before, int64_t now, int64_t ns)
{
    return ns > 0 && now > before ? (double)(now - before) * 1e9 / (double)ns : 0;
}

/* ------------------------------------------------------------------ a record */

/* Cut where it is longer; nothing of a longer one before it is left. */
static void set_text(char *into, size_t room, const char *text)
{
    const size_t length = strnlen(text, room - 1);
    memcpy(into, text, length);
    memset(into + length, 0, room - length);
}

static int64_t count_queued(const cohort_lane *lane)
{
    const uint64_t done = atomic_load_explicit(&lane->done, memory_order_relaxed),
                   posted = atomic_load_explicit(&lane->posted, memory_order_relaxed);
    return posted > done ? (int64_t)(posted - done) : 0;
}

static int64_t permille(int64_t part, int64_t whole)
{
    const int64_t share = whole > 0 ? part * 1000 / whole : 0;
    return share < 0 ? 0 : share < 1000 ? share : 1000;
}

static void set_device(const cohort_monitored *m, int32_t device, int64_t worked_ns, int64_t of_ns,
                       cohort_monitor_device *out)
{
    const cohort_context *c = cohort_strategy_context(m->strategy, device);
    set_text(out->name, sizeof out->name, c->device->id);
    out->busy_permille = permille(worked_ns, of_ns);
    out->queued = count_queued(c->lane);
    out->memory = cohort_account_read(&c->account.memory.now);
    out->memory_peak = cohort_account_read(&c->account.memory.peak);
}

static void set_devices(cohort_monitored *m, const cohort_monitor_moment *before,
                        const cohort_monitor_moment *now)
{
    for (int32_t d = 0; d < shown_devices(m->strategy); d++)
        set_device(m, d, now->worked_ns[d] - before->worked_ns[d], now->at_ns - before->at_ns,
                   &m->record.devices[d]);
}

static void set_call(const cohort_monitored *m, cohort_monitor_record *r)
{
    const char *call = atomic_load_explicit(&m->call, memory_order_acquire);
    set_text(r->call, sizeof r->call, call != NULL ? call : "");
    r->call_ns = call != NULL ? told(&m->call_from_ns) : 0;
}

static void set_counts(const cohort_monitored *m, cohort_monitor_record *r)
{
    r->status = atomic_load_explicit(&m->strategy->executor->failure.status, memory_order_relaxed);
    r->calls = told(&m->calls);
    r->operations = told(&m->operations);
    r->program_steps = told(&m->program_steps);
    r->replica_steps = told(&m->replica_steps);
    r->input_steps = told(&m->input_steps);
    r->rows = told(&m->rows);
    r->bytes_moved = told(&m->bytes_moved);
}

static void make_record(cohort_monitored *m)
{
    cohort_monitor_record *r = &m->record;
    const cohort_monitor_moment *now, *before = take_moment(m, &now);
    set_call(m, r);
    set_counts(m, r);
    set_devices(m, before, now);
    r->steps_per_s = rate(before->steps, now->steps, now->at_ns - before->at_ns);
    r->rows_per_s = rate(before->rows, now->rows, now->at_ns - before->at_ns);
    r->calls_per_s = rate(before->calls, now->calls, now->at_ns - before->at_ns);
    r->written_ns = now->at_ns;
    r->begin++;
    r->end = r->begin;
    r->sum = cohort_crc32c(0, r, offsetof(cohort_monitor_record, sum));
}

void cohort_monitored_begin(cohort_monitored *m)
{
    const cohort_strategy *s = m->strategy;
    cohort_monitor_record *r = &m->record;
    memcpy(r->magic, COHORT_MONITOR_MAGIC, sizeof r->magic);
    r->version = COHORT_MONITOR_VERSION;
    r->bytes = sizeof *r;
    r->made_ns = cohort_clock_ns();
    r->pid = getpid();
    set_text(r->program, sizeof r->program, program_invocation_short_name);
    set_text(r->strategy, sizeof r->strategy, s->name);
    r->worker = s->workers != NULL ? s->workers->rank : -1;
    r->workers = s->workers != NULL ? s->workers->n : 0;
    r->replicas = s->n_replicas;
    r->n_devices = s->n_devices;
    cohort_monitored_tell(m);
}

/* ------------------------------------------------------------------ into the file */

/* Once, for as long as it lasts: a disk that is full is full four times a second. */
static void say_first(cohort_monitored *m, int error)
{
    if (error != 0 && error != m->error)
        cohort_log(COHORT_SUBSYSTEM_STRATEGY, COHORT_LOG_WARNING,
                   "COHORT_TOP: $XDG_RUNTIME_DIR/cohort/%s cannot be written: %s; the program goes "
                   "on, and cohort top shows what was there before",
                   m->file.name, error == EBADF ? "the program has closed it" : strerror(error));
    m->error = error;
}

void cohort_monitored_write(cohort_monitored *m)
{
    make_record(m);
    say_first(m, cohort_monitor_file_write(&m->file, &m->record));
}
