/* SPDX-License-Identifier: BSD-3-Clause */
/* The counts are kept by executors (executor/account.h), lanes and plans; here they are put
 * together when nothing is posted, so that no writer is at work. */
#include "config.h"

#include "runtime/strategy/stats.h"

#include "runtime/base/print.h"
#include "runtime/base/thread.h"
#include "runtime/operation/ledger.h"
#include "runtime/strategy/call.h"

#include <cohort/stats.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char stats_name[] = "cohort_strategy_stats";
static const char device_stats_name[] = "cohort_strategy_device_stats";
static const char json_name[] = "cohort_strategy_stats_json";

/* ------------------------------------------------------------------ putting together */

static int64_t timed_ns(const cohort_executor *e)
{
    return e->timed_from_ns > 0 ? cohort_clock_ns() - e->timed_from_ns : 0;
}

static cohort_stats gather(const cohort_strategy *s)
{
    const cohort_executor *e = s->executor;
    const cohort_step_account *t = &e->account;
    return (cohort_stats){
        .struct_size = sizeof(cohort_stats),
        .n_devices = s->n_devices,
        .calls = (int64_t)e->failure.call,
        .operations = (int64_t)e->n_posted,
        .steps_planned = (int64_t)t->planned,
        .steps_repeated = (int64_t)t->repeated,
        .replica_steps = (int64_t)t->replica_steps,
        .input_steps = (int64_t)t->input_steps,
        .bytes_moved = (int64_t)e->plan.moved,
        .timed_ns = timed_ns(e),
        .why_planned = t->why_planned != NULL ? t->why_planned : "",
        .why_call = (int64_t)t->why_call,
    };
}

static int64_t since(const _Atomic int64_t *ns, int64_t before)
{
    return atomic_load_explicit(ns, memory_order_relaxed) - before;
}

static void gather_times(const cohort_executor *e, const cohort_lane *lane,
                         cohort_device_stats *out)
{
    if (e->timed_from_ns == 0)
        return;
    out->body_ns = since(&lane->busy_ns, lane->busy_before_ns);
    out->other_ns = since(&lane->other_ns, lane->other_before_ns);
    int64_t rest = timed_ns(e) - out->body_ns - out->other_ns;
    out->idle_ns = rest > 0 ? rest : 0;
}

/* Replicas have one device for each of their logical devices. */
static int32_t hosted_by(const cohort_strategy *s, int32_t device)
{
    return device < cohort_strategy_hosting(s)
               ? s->first[device % s->n_hosts + 1] - s->first[device % s->n_hosts]
               : 0;
}

static cohort_device_stats gather_device(const cohort_strategy *s, int32_t device)
{
    const cohort_context *c = cohort_strategy_context(s, device);
    const cohort_account *t = &c->account;
    const cohort_account_memory *values = &t->memory_for[COHORT_PURPOSE_VALUES],
                                *variables = &t->memory_for[COHORT_PURPOSE_VARIABLES];
    cohort_device_stats stats = {
        .struct_size = sizeof(cohort_device_stats),
        .replicas = hosted_by(s, device),
        .device = c->device->id,
        .launches = cohort_account_read(&t->launches),
        .reductions = cohort_account_read(&t->reductions),
        .copies = cohort_account_read(&t->copies),
        .writes = cohort_account_read(&t->writes),
        .reads = cohort_account_read(&t->reads),
        .allocations = cohort_account_read(&t->allocations),
        .imports = cohort_account_read(&t->imports),
        .builds = cohort_account_read(&t->builds),
        .bytes_copied = cohort_account_read(&t->bytes_copied),
        .bytes_written = cohort_account_read(&t->bytes_written),
        .bytes_read = cohort_account_read(&t->bytes_read),
        .memory = cohort_account_read(&t->memory.now),
        .memory_peak = cohort_account_read(&t->memory.peak),
        .values_memory = cohort_account_read(&values->now),
        .values_memory_peak = cohort_account_read(&values->peak),
        .variables_memory = cohort_account_read(&variables->now),
        .variables_memory_peak = cohort_account_read(&variables->peak),
    };
    gather_times(s->executor, c->lane, &stats);
    return stats;
}

/* ------------------------------------------------------------------ asking */

/* Nothing is posted when it returns, and no step has to be planned anew because of it. */
static cohort_status enter(cohort_strategy *s, const char *call)
{
    cohort_status status = cohort_call_enter_broken(s, call);
    if (status < 0)
        return status;
    cohort_ledger_say_quiet(s->executor);
    cohort_executor_wait_all(s->executor);
    if (s->executor->timed_from_ns == 0)
        cohort_executor_time(s->executor);
    return COHORT_OK;
}

/* A wrong argument of a call that only asks is the caller's error, and none of the strategy. */
static cohort_status leave(cohort_strategy *s, cohort_status status)
{
    (void)cohort_call_leave(s, COHORT_OK);
    return status;
}

/* The members of the caller's header, which may be older or newer than this. */
static cohort_status give(const char *call, uint32_t size, size_t least, const void *from,
                          size_t bytes, void *out)
{
    if (size < least)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: struct_size is %u, and the struct has at least %zu bytes: set "
                                "it to its sizeof",
                                call, (unsigned)size, least);
    memcpy(out, from, size < bytes ? size : bytes);
    *(uint32_t *)out = size;
    return COHORT_OK;
}

/* Structs of the first version end here. */
#define LEAST(type, last) (offsetof(type, last) + sizeof(((type *)NULL)->last))

cohort_status cohort_strategy_stats(cohort_strategy *s, cohort_stats *out)
{
    cohort_status status = enter(s, stats_name);
    if (status < 0)
        return status;
    if (out == NULL)
        return leave(s, cohort_error_set(COHORT_EINVAL, "%s: out is NULL", stats_name));
    const cohort_stats stats = gather(s);
    return leave(s, give(stats_name, out->struct_size, LEAST(cohort_stats, why_call), &stats,
                         sizeof stats, out));
}

cohort_status cohort_strategy_device_stats(cohort_strategy *s, int device, cohort_device_stats *out)
{
    cohort_status status = enter(s, device_stats_name);
    if (status < 0)
        return status;
    if (out == NULL)
        return leave(s, cohort_error_set(COHORT_EINVAL, "%s: out is NULL", device_stats_name));
    if (device < 0 || device >= s->n_devices)
        return leave(s, cohort_error_set(COHORT_EINVAL, "%s: device %d of %d", device_stats_name,
                                         device, (int)s->n_devices));
    const cohort_device_stats stats = gather_device(s, device);
    return leave(s, give(device_stats_name, out->struct_size,
                         LEAST(cohort_device_stats, variables_memory_peak), &stats, sizeof stats,
                         out));
}

/* ------------------------------------------------------------------ JSON */

#define STATS(X)                                                                                   \
    X(calls)                                                                                       \
    X(operations)                                                                                  \
    X(steps_planned)                                                                               \
    X(steps_repeated) X(replica_steps) X(input_steps) X(bytes_moved) X(timed_ns) X(why_call)

/* clang-format off */
#define DEVICE_STATS(X)                                                                            \
    X(launches) X(reductions) X(copies) X(writes) X(reads) X(allocations) X(imports)               \
    X(builds) X(bytes_copied) X(bytes_written) X(bytes_read) X(body_ns) X(other_ns)                \
    X(idle_ns) X(memory) X(memory_peak) X(values_memory) X(values_memory_peak)                     \
    X(variables_memory) X(variables_memory_peak)
/* clang-format on */

#define PUT(name) fprintf(out, ", \"" #name "\": %" PRId64, stats.name);

/* Of ids of devices and sentences of ours: neither has a quote, a backslash or a control
 * character. */
static void put_device(const cohort_strategy *s, int32_t device, FILE *out)
{
    const cohort_device_stats stats = gather_device(s, device);
    fprintf(out, "%s{ \"device\": \"%s\", \"replicas\": %d", device > 0 ? ", " : "", stats.device,
            (int)stats.replicas);
    DEVICE_STATS(PUT)
    fputs(" }", out);
}

static void put_json(const void *what, FILE *out)
{
    const cohort_strategy *s = what;
    const cohort_stats stats = gather(s);
    fprintf(out, "{ \"why_planned\": \"%s\"", stats.why_planned);
    STATS(PUT)
    fputs(", \"devices\": [", out);
    for (int32_t d = 0; d < s->n_devices; d++)
        put_device(s, d, out);
    fputs("] }", out);
}

const char *cohort_strategy_stats_json(cohort_strategy *s)
{
    if (enter(s, json_name) < 0)
        return "";
    const char *text = cohort_print_kept(&s->stats_text, put_json, s);
    (void)leave(s, text[0] != '\0' ? COHORT_OK : cohort_error_memory("statistics"));
    return text;
}

/* ------------------------------------------------------------------ for people */

static double seconds(int64_t ns)
{
    return (double)ns / 1e9;
}

static void put_text_device(const cohort_strategy *s, int32_t device, FILE *out)
{
    const cohort_device_stats d = gather_device(s, device);
    fprintf(out,
            "  %s: %" PRId64 " launches, %" PRId64 " reductions, %" PRId64 " builds, %" PRId64
            " allocations, %" PRId64 " imports\n",
            d.device, d.launches, d.reductions, d.builds, d.allocations, d.imports);
    fprintf(out,
            "    bytes: %" PRId64 " in %" PRId64 " writes, %" PRId64 " in %" PRId64
            " reads, %" PRId64 " in %" PRId64 " copies\n",
            d.bytes_written, d.writes, d.bytes_read, d.reads, d.bytes_copied, d.copies);
    fprintf(out, "    seconds: %.6f bodies, %.6f other operations, %.6f idle\n", seconds(d.body_ns),
            seconds(d.other_ns), seconds(d.idle_ns));
    fprintf(out,
            "    memory: %" PRId64 " bytes at most; variables %" PRId64 ", values %" PRId64 "\n",
            d.memory_peak, d.variables_memory_peak, d.values_memory_peak);
}

static void put_text(const void *what, FILE *out)
{
    const cohort_strategy *s = what;
    const cohort_stats t = gather(s);
    fprintf(out,
            "cohort: statistics of a strategy: %s\n"
            "  %" PRId64 " calls, %" PRId64 " operations, %" PRId64 " bytes moved, in %.6f s\n"
            "  steps: %" PRId64 " repeated, %" PRId64 " planned, %" PRId64
            " of step functions, %" PRId64 " of inputs\n",
            s->name, t.calls, t.operations, t.bytes_moved, seconds(t.timed_ns), t.steps_repeated,
            t.steps_planned, t.replica_steps, t.input_steps);
    if (t.why_planned[0] != '\0')
        fprintf(out, "  the last one was planned: %s\n", t.why_planned);
    for (int32_t d = 0; d < s->n_devices; d++)
        put_text_device(s, d, out);
}

static void put_line(const void *what, FILE *out)
{
    put_json(what, out);
    fputc('\n', out);
}

enum { SAY_NOTHING, SAY_TEXT, SAY_JSON };

static int what_to_say(void)
{
    static const char *const words[] = { "0", "1", "json" };
    return cohort_setting_word(COHORT_SETTING_STATS, words, 3);
}

void cohort_stats_begin(cohort_strategy *s)
{
    if (what_to_say() != SAY_NOTHING)
        cohort_executor_time(s->executor);
}

/* In one call, so that texts of several processes stay whole. */
void cohort_stats_say(const cohort_strategy *s)
{
    int how = what_to_say();
    if (how == SAY_NOTHING)
        return;
    cohort_executor_wait_all(s->executor);
    char *text = cohort_print_to_text(how == SAY_JSON ? put_line : put_text, s, NULL);
    if (text != NULL)
        (void)fputs(text, stderr);
    free(text); /* by open_memstream */
}
