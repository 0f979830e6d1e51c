/* SPDX-License-Identifier: BSD-3-Clause */
/* A plugin that answers wrongly, for tests alone: the operations of loopback or stream, but for
 * one, as $COHORT_WRONG says: "BASE OPERATION ANSWER".
 *
 * BASE: loopback; visible, which is loopback with host-visible, unified memory and all optional
 * operations that the core asks for; prompt, which is loopback as a prompt device that takes
 * batches; stream. OPERATION: its slot in cohort_ops, or entry, version, device, unused, handle.
 * ANSWER: a number, the status that is answered and nothing done; hang; slow, of enumerate and
 * device_open; abort, exit, sigill or stack, which end the process, the last by using up its stack;
 * or what is in the tables below. */
#include "config.h"

#include "plugins/kit/operations.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static cohort_ops base, ops;
static cohort_plugin plugin;
static const cohort_plugin *(*base_entry)(const cohort_request *request, cohort_error *err);
static char mode[16], operation[32], answer[32];
static atomic_bool is_inside; /* a caller, of an operation below that wants to be alone */

static bool is_answer(const char *what)
{
    return strcmp(answer, what) == 0;
}

static bool is_row(const char *op, const char *what)
{
    return strcmp(operation, op) == 0 && is_answer(what);
}

static void hang(void)
{
    for (;;)
        (void)pause();
}

/* ---- Answers that end the process. */

/* Too much for any stack: each call has memory of its own, and is made through a pointer of which
 * no compiler knows that a loop would do. */
static uint64_t use_stack(uint64_t depth)
{
    static uint64_t (*volatile again)(uint64_t) = use_stack;
    volatile char room[4096];
    room[depth % sizeof room] = 1;
    return depth == UINT64_MAX ? 0 : again(depth + 1) + (uint64_t)room[depth % sizeof room];
}

static void use_up_stack(void)
{
    exit((int)use_stack(0));
}

static void leave(void)
{
    exit(0); /* the status that looks most like success */
}

static void run_nonsense(void)
{
    (void)raise(SIGILL);
}

static void (*end_of_answer(void))(void)
{
    static const struct {
        const char *name;
        void (*end)(void);
    } ends[] = {
        { "abort", abort }, { "exit", leave }, { "sigill", run_nonsense }, { "stack", use_up_stack }
    };
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (is_answer(ends[i].name))
            return ends[i].end;
    return NULL;
}

/* With words of two lines, as drivers have. */
static void end_process(void)
{
    (void)fprintf(stderr, "wrong: begins to end\nwrong: %s of %s\n\n", answer, operation);
    end_of_answer()();
}

/* ---- Operations that do nothing, and answer so. */

static cohort_status lie(cohort_error *err)
{
    static const char *const texts[][2] = { { "control", "a\nb\x1b[31mc" },
                                            { "utf8", "a\xff\xc3" } };
    if (is_answer("hang"))
        hang();
    if (end_of_answer() != NULL)
        end_process();
    if (is_answer("endless") && err != NULL)
        memset(err->text, 'x', sizeof err->text);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (is_answer(texts[i][0]))
            return cohort_fail(err, COHORT_EINTERNAL, 0, "%s", texts[i][1]);
    return is_answer("endless") ? COHORT_EINTERNAL : (cohort_status)strtol(answer, NULL, 10);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define LIE(name, ...)                                                                             \
    static cohort_status lie_##name(__VA_ARGS__, cohort_error *err)                                \
    {                                                                                              \
        return lie(err);                                                                           \
    }
KIT_OPERATIONS(LIE, LIE)
#pragma GCC diagnostic pop

/* An error of the operation: it has ended. */
static cohort_status fail_at_end(cohort_dev *dev, cohort_event *event, uint64_t timeout_ns,
                                 cohort_error *err)
{
    (void)timeout_ns;
    (void)base.event_wait(dev, event, UINT64_MAX, NULL);
    return lie(err);
}

static void replace_by_lie(void)
{
#define REPLACE(name, ...)                                                                         \
    if (strcmp(operation, #name) == 0)                                                             \
        ops.name = lie_##name;
    KIT_OPERATIONS(REPLACE, REPLACE)
    if (strcmp(operation, "event_wait") == 0 && (is_answer("control") || is_answer("utf8")))
        ops.event_wait = fail_at_end;
}

/* ---- Operations of a device whose memory is shown. */

/* The first member of loopback's memory is its address: plugins/kit/native.h. */
static cohort_status show(cohort_dev *dev, cohort_mem *mem, void **out_ptr, cohort_error *err)
{
    (void)dev;
    (void)err;
    memcpy(out_ptr, mem, sizeof *out_ptr);
    if (is_row("mem_host_ptr", "odd"))
        *out_ptr = (char *)*out_ptr + 1;
    return COHORT_OK;
}

static cohort_status leave_import(cohort_dev *dev, void *ptr, uint64_t bytes, uint32_t dir,
                                  cohort_mem **out_mem, cohort_error *err)
{
    (void)dev, (void)ptr, (void)bytes, (void)dir, (void)out_mem;
    return cohort_fail(err, COHORT_ENOTSUP, 0, "not this memory");
}

static cohort_status is_peer(cohort_dev *dev, cohort_dev *peer, uint32_t *out_yes,
                             cohort_error *err)
{
    (void)dev, (void)peer, (void)err;
    *out_yes = is_row("can_access_peer", "many") ? 7 : 0;
    return COHORT_OK;
}

static cohort_status attach(cohort_dev *dev, int32_t caller_cpu, cohort_error *err)
{
    (void)dev, (void)caller_cpu, (void)err;
    return COHORT_OK;
}

static cohort_status leave_reduce(cohort_dev *dev, cohort_queue *queue,
                                  const cohort_reduction *reduction, cohort_event **out_event,
                                  cohort_error *err)
{
    (void)dev, (void)queue, (void)reduction, (void)out_event;
    if (is_row("unknown", "reduction")) /* and is asked for one */
        return 7;
    return cohort_fail(err, COHORT_ENOTSUP, 0, "not this reduction");
}

static cohort_status binary(cohort_dev *dev, cohort_kernel *kernel, const char **out_format,
                            void *out, uint64_t cap, uint64_t *out_bytes, cohort_error *err)
{
    (void)dev, (void)kernel, (void)err;
    *out_format = is_row("kernel_binary", "nameless")  ? NULL
                  : is_row("kernel_binary", "control") ? "a\nb"
                                                       : "wrong.bin";
    *out_bytes = is_row("kernel_binary", "huge") ? UINT64_MAX / 2 : 8;
    if (cap >= 8)
        memset(out, 7, 8);
    if (cap > 0 && is_row("kernel_binary", "more"))
        *out_bytes = cap + 1;
    return COHORT_OK;
}

static void twice(int64_t n, const float *x, float *y)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = 2 * x[i];
}

/* Whatever a body "wrong.blob" holds, it is twice. */
static cohort_status build(cohort_dev *dev, const cohort_code *code, const char *entry,
                           const cohort_sig *sig, cohort_kernel **out_kernel, cohort_error *err)
{
    cohort_code native = *code;
    native.format = strcmp(code->format, "wrong.blob") == 0 ? "native.fn" : code->format;
    native.fn = code->fn != NULL ? code->fn : (cohort_native_fn)twice;
    if (strcmp(code->format, "wrong.bin") == 0)
        return cohort_fail(err, COHORT_EINCOMPATIBLE, 0, "an old binary");
    return base.kernel_create(dev, &native, entry, sig, out_kernel, err);
}

static void become_visible(void)
{
    ops.mem_host_ptr = show;
    ops.mem_import = leave_import;
    ops.can_access_peer = is_peer;
    ops.worker_attach = attach;
    ops.reduce = leave_reduce;
    ops.kernel_binary = binary;
    ops.kernel_create = build;
    ops.copy = NULL;
}

/* ---- Batches of a prompt device, which are launches, wrongly counted. */

static cohort_status launch_each(cohort_dev *dev, cohort_queue *queue, cohort_kernel *kernel,
                                 const cohort_launch *launches, uint32_t n,
                                 volatile uint32_t *out_done, cohort_error *err)
{
    cohort_status st = COHORT_OK;
    for (uint32_t i = 0; i < n && st == COHORT_OK; i++) {
        if (i == 1 && is_answer("second"))
            return cohort_fail(err, COHORT_EINTERNAL, 0, "no replica %u", launches[i].tag.replica);
        st = base.launch(dev, queue, kernel, &launches[i], NULL, err);
        *out_done = i + 1;
    }
    *out_done = is_answer("few") ? n - 1 : is_answer("many") ? UINT32_MAX : n;
    return is_answer("full") ? cohort_fail(err, COHORT_EINTERNAL, 0, "full") : st;
}

/* ---- Events out of nothing, from operations that answer COHORT_OK or, "both", an error as
 * well. */

static cohort_status begin_nothing(cohort_event **out_event, cohort_error *err)
{
    static uint64_t event;
    *out_event = (cohort_event *)(void *)&event;
    return is_answer("both") ? cohort_fail(err, COHORT_EINTERNAL, 0, "both") : COHORT_OK;
}

static cohort_status begin_write(cohort_dev *dev, cohort_queue *queue, cohort_mem *mem,
                                 uint64_t offset, const void *from, uint64_t bytes,
                                 cohort_event **out_event, cohort_error *err)
{
    (void)dev, (void)queue, (void)mem, (void)offset, (void)from, (void)bytes;
    return begin_nothing(out_event, err);
}

static cohort_status begin_read(cohort_dev *dev, cohort_queue *queue, cohort_mem *mem,
                                uint64_t offset, void *into, uint64_t bytes,
                                cohort_event **out_event, cohort_error *err)
{
    (void)dev, (void)queue, (void)mem, (void)offset, (void)into, (void)bytes;
    return begin_nothing(out_event, err);
}

static cohort_status begin_launch(cohort_dev *dev, cohort_queue *queue, cohort_kernel *kernel,
                                  const cohort_launch *launch, cohort_event **out_event,
                                  cohort_error *err)
{
    (void)dev, (void)queue, (void)kernel, (void)launch;
    return begin_nothing(out_event, err);
}

static cohort_status begin_reduce(cohort_dev *dev, cohort_queue *queue,
                                  const cohort_reduction *reduction, cohort_event **out_event,
                                  cohort_error *err)
{
    (void)dev, (void)queue, (void)reduction;
    return begin_nothing(out_event, err);
}

static void replace_by_event(void)
{
#define BEGIN(name)                                                                                \
    if (strcmp(operation, #name) == 0)                                                             \
        ops.name = begin_##name;
    BEGIN(write)
    BEGIN(read)
    BEGIN(launch)
    BEGIN(reduce)
}

/* ---- Operations that end the process where two are called at a time, or where one may sleep. */

static void enter(uint64_t timeout_ns)
{
    if (atomic_exchange(&is_inside, true) || timeout_ns > 0)
        abort();
    (void)usleep(200); /* so that a second one has the time to come */
}

#define ALONE(name, timeout_ns, parameters, ...)                                                   \
    static cohort_status alone_##name parameters                                                   \
    {                                                                                              \
        enter(timeout_ns);                                                                         \
        cohort_status st = base.name(__VA_ARGS__);                                                 \
        atomic_store(&is_inside, false);                                                           \
        return st;                                                                                 \
    }
ALONE(launch, 0,
      (cohort_dev * dev, cohort_queue *queue, cohort_kernel *kernel, const cohort_launch *launch,
       cohort_event **out_event, cohort_error *err),
      dev, queue, kernel, launch, out_event, err)
ALONE(event_wait, timeout_ns,
      (cohort_dev * dev, cohort_event *event, uint64_t timeout_ns, cohort_error *err), dev, event,
      timeout_ns, err)
ALONE(event_release, 0, (cohort_dev * dev, cohort_event *event, cohort_error *err), dev, event, err)

/* ---- Devices. */

static void describe(cohort_device_info *info)
{
    static const char *const formats[] = { "wrong.blob", "native.fn", NULL };
    static const char *const own_formats[] = { "wrong.blob", NULL };
    static const struct {
        const char *name;
        uint64_t cap;
    } caps[] = { { "prompt", COHORT_CAP_PROMPT },        { "serial", COHORT_CAP_SERIALIZE },
                 { "visible", COHORT_CAP_HOST_VISIBLE }, { "unified", COHORT_CAP_UNIFIED },
                 { "wide", COHORT_CAP_WIDE_MEAN },       { "grid", COHORT_CAP_GRID } };
    (void)snprintf((char *)info->uuid, sizeof info->uuid, "cohort wrong");
    (void)snprintf(info->name, sizeof info->name, is_row("device", "control") ? "a\tb" : "wrong");
    if (strcmp(mode, "visible") == 0) {
        info->caps |= COHORT_CAP_HOST_VISIBLE | COHORT_CAP_UNIFIED;
        info->formats = formats;
        info->reductions = is_row("unknown", "reduction") ? 0 : COHORT_ALL_REDUCTIONS;
    }
    if (is_row("device", "own") || is_row("device", "grid")) {
        info->type = COHORT_DEVICE_ACCELERATOR;
        info->formats = own_formats;
    }
    if (is_row("unknown", "float32"))
        info->dtypes &= ~(UINT64_C(1) << COHORT_F32);
    if (strcmp(mode, "prompt") == 0)
        info->caps |= COHORT_CAP_PROMPT;
    for (size_t i = 0; i < sizeof caps / sizeof *caps; i++)
        info->caps |= is_row("device", caps[i].name) ? caps[i].cap : 0;
    if (is_row("device", "utf8"))
        memcpy(info->driver, "\xc3(", sizeof "\xc3(");
}

/* As a driver whose static objects go when the program ends, and which is asked meanwhile: it ends
 * the process. Some objects are there from the beginning, others are made while it is asked. */
static atomic_bool is_asked;

static void destroy_objects(void)
{
    if (atomic_load(&is_asked))
        abort();
}

static void take_long(bool makes_others)
{
    atomic_store(&is_asked, true);
    for (int i = 0; i < 3; i++) {
        if (i == 0 || makes_others)
            (void)atexit(destroy_objects);
        (void)usleep(150000);
    }
    atomic_store(&is_asked, false);
}

static cohort_status open_slowly(void *self, uint32_t index, uint32_t part, uint32_t parts,
                                 cohort_dev **out_dev, cohort_error *err)
{
    take_long(true);
    return base.device_open(self, index, part, parts, out_dev, err);
}

static cohort_status enumerate(void *self, uint32_t cap, uint32_t stride, cohort_device_info *out,
                               uint32_t *out_n, cohort_error *err)
{
    const bool makes_others = is_row("enumerate", "slow");
    if (cap == 0 && (makes_others || is_row("enumerate", "once")))
        take_long(makes_others);
    cohort_status st = base.enumerate(self, cap, stride, out, out_n, err);
    if (st == COHORT_OK && cap > 0 && stride >= sizeof *out)
        describe(out);
    return st;
}

/* ---- Extensions. */

static cohort_status say_unused(void *self, uint32_t index, cohort_unused_info *out)
{
    (void)self;
    if (is_answer("endless"))
        memset(out->reason, 'x', sizeof out->reason);
    if (is_answer("control"))
        (void)snprintf(out->reason, sizeof out->reason, "a\nb");
    return is_answer("endless") || is_answer("control") ? (index == 0 ? COHORT_OK : COHORT_END)
                                                        : lie(NULL);
}

static uint64_t nowhere[64];

static cohort_status handle_of_device(cohort_dev *dev, const char *what, void **out,
                                      cohort_error *err)
{
    (void)dev, (void)what;
    *out = is_answer("null") ? NULL : nowhere;
    return is_answer("null") ? COHORT_OK : lie(err);
}

static cohort_status handle_of_mem(cohort_dev *dev, cohort_mem *mem, const char *what, void **out,
                                   cohort_error *err)
{
    (void)mem;
    return handle_of_device(dev, what, out, err);
}

static const void *extension(void *self, const char *name)
{
    static const cohort_unused_ops unused = { sizeof unused, 0, say_unused };
    static const cohort_handle_ops handle = { sizeof handle, 0, handle_of_device, handle_of_mem };
    (void)self;
    if (is_row("extension", "hang"))
        hang();
    if (strcmp(operation, "unused") == 0 && strcmp(name, "cohort.unused/0") == 0)
        return &unused;
    return strcmp(operation, "handle") == 0 && strcmp(name, "cohort.handle/0") == 0 ? &handle
                                                                                    : NULL;
}

/* ---- The entry. */

/* Load the plugin whose operations are changed, from the folder of libtool above that of this one.
 * It is kept for ever, as the core keeps plugins. */
static bool find_base(void)
{
    Dl_info here;
    char file[4096];
    if (base_entry != NULL || dladdr(&plugin, &here) == 0)
        return base_entry != NULL;
    const char *slash = strrchr(here.dli_fname, '/');
    (void)snprintf(file, sizeof file, "%.*s../../.libs/cohort-%s.so",
                   slash != NULL ? (int)(slash + 1 - here.dli_fname) : 0, here.dli_fname,
                   strcmp(mode, "stream") == 0 ? "stream" : "loopback");
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    void *symbol = library != NULL ? dlsym(library, "cohort_plugin_entry_1") : NULL;
    memcpy(&base_entry, &symbol, sizeof symbol);
    return base_entry != NULL;
}

static void take_row(void)
{
    const char *row = getenv("COHORT_WRONG");
    if (row == NULL || sscanf(row, "%15s %31s %31s", mode, operation, answer) != 3)
        (void)snprintf(mode, sizeof mode, "loopback");
}

static void name_version(void)
{
    if (strcmp(operation, "version") == 0)
        plugin.version = is_answer("control") ? "1\n0" : is_answer("utf8") ? "1\xe2\x82" : answer;
}

static void fill(void)
{
    ops = base;
    ops.enumerate = enumerate;
    if (is_row("device_open", "slow"))
        ops.device_open = open_slowly;
    if (strcmp(mode, "visible") == 0)
        become_visible();
    if (strcmp(mode, "prompt") == 0)
        ops.launch_batch = launch_each;
    if (strcmp(mode, "stream") == 0 && is_row("device", "serial"))
        ops.launch = alone_launch, ops.event_wait = alone_event_wait,
        ops.event_release = alone_event_release;
    if (is_answer("event") || is_answer("both"))
        replace_by_event();
    else if (strchr("-0123456789", answer[0]) != NULL || is_answer("hang") ||
             is_answer("endless") || end_of_answer() != NULL ||
             (is_answer("control") && strcmp(operation, "kernel_binary") != 0) || is_answer("utf8"))
        replace_by_lie();
    name_version();
}

__attribute__((visibility("default"))) const cohort_plugin *cohort_plugin_entry_1(
    const cohort_request *request, cohort_error *err)
{
    take_row();
    if (strcmp(operation, "entry") == 0) {
        (void)lie(err);
        return NULL;
    }
    const cohort_plugin *theirs = find_base() ? base_entry(request, err) : NULL;
    if (theirs == NULL)
        return NULL;
    base = *theirs->ops;
    plugin = *theirs;
    plugin.name = "wrong";
    plugin.ops = &ops;
    plugin.extension = extension;
    fill();
    return &plugin;
}
