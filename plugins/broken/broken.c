/* SPDX-License-Identifier: BSD-3-Clause */
/* A plugin with one mistake, for tests alone: stream or loopback, but for what $COHORT_BROKEN says:
 * "BASE MISTAKE". BASE: loopback, stream or host, a plugin of the build folder, or own, which is
 * loopback with a format of its own, shared objects. MISTAKE: a name of the tables below.
 * tests/plugin_check.t has the rule that each breaks. */
#include "config.h"

#include "plugins/kit/operations.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static cohort_ops base, ops;
static cohort_plugin plugin;
static const cohort_plugin *(*base_entry)(const cohort_request *request, cohort_error *err);
static const cohort_host *host;
static char mode[16], mistake[32];

static bool is(const char *what)
{
    return strcmp(mistake, what) == 0;
}

/* ---- Of the file. */

static void take_row(void)
{
    const char *row = getenv("COHORT_BROKEN");
    if (row == NULL || sscanf(row, "%15s %31s", mode, mistake) != 2)
        (void)snprintf(mode, sizeof mode, "loopback");
}

__attribute__((constructor)) static void begin(void)
{
    take_row();
    if (is("constructor-crash"))
        abort();
    if (is("constructor-exit"))
        exit(0);
    while (is("constructor-hang"))
        (void)pause();
}

/* ---- Of what a device says. */

static uint32_t n_listed;

static bool has_own_format(void)
{
    return strcmp(mode, "own") == 0;
}

static void describe(cohort_device_info *info)
{
    static const char *const none[] = { NULL }, *const own[] = { "broken.so", NULL };
    if (has_own_format())
        info->formats = own;
    (void)snprintf((char *)info->uuid, sizeof info->uuid, "cohort broken");
    if (is("uuid"))
        memset(info->uuid, 0, sizeof info->uuid);
    if (is("name-control"))
        info->name[1] = '\n';
    if (is("driver-endless"))
        memset(info->driver, 'x', sizeof info->driver);
    if (is("driver-encoding"))
        (void)snprintf(info->driver, sizeof info->driver, "\xff");
    if (is("pci-endless"))
        memset(info->pci, 'x', sizeof info->pci);
    if (is("no-name"))
        info->name[0] = '\0';
    if (is("no-formats"))
        info->formats = none;
    if (is("align"))
        info->mem_align = 48;
    if (is("import-align"))
        info->import_align = 3;
    if (is("odd-type"))
        info->type = 99;
    if (is("no-units"))
        info->compute_units = 0;
    if (is("no-parts"))
        info->max_parts = 0;
    if (is("numa"))
        info->numa_node = -2;
    if (is("max-alloc"))
        info->mem_max_alloc = info->mem_total + 1;
    if (is("cap-unknown"))
        info->caps |= UINT64_C(1) << 40;
    if (is("cap-visible"))
        info->caps |= COHORT_CAP_HOST_VISIBLE;
    if (is("cap-unified"))
        info->caps |= COHORT_CAP_UNIFIED;
    if (is("cap-wide"))
        info->caps |= COHORT_CAP_WIDE_MEAN;
    if (is("no-dtypes"))
        info->dtypes = 0;
    if (is("reductions"))
        info->reductions = UINT64_C(1) << COHORT_SUM;
    if (is("changes"))
        info->compute_units += n_listed++ % 2;
}

static cohort_status enumerate(void *self, uint32_t cap, uint32_t stride, cohort_device_info *out,
                               uint32_t *out_n, cohort_error *err)
{
    if (is("no-device")) /* which is no mistake */
        return COHORT_OK;
    cohort_status st = base.enumerate(self, cap, stride, out, out_n, err);
    for (uint32_t i = 0; st == COHORT_OK && i < cap && i < *out_n; i++)
        describe((cohort_device_info *)(void *)((char *)out + (size_t)i * stride));
    if (st == COHORT_OK && cap > 0 && is("stride"))
        memset(out + 1, 0, stride - sizeof *out);
    return st;
}

/* ---- Of memory. */

enum { MOST_HANDLES = 4096 };

static cohort_mem *kept;
static cohort_mem *whole, *inner; /* the latest part */
static uint32_t n_handles;
static cohort_dev *owner; /* of the latest block */
static bool has_large;    /* the latest write was of many bytes, and takes its time */

static cohort_status mem_alloc(cohort_dev *dev, uint64_t bytes, uint32_t flags,
                               cohort_mem **out_mem, cohort_error *err)
{
    if (is("zero-bytes") && bytes == 0)
        return cohort_fail(err, COHORT_EINVAL, 0, "no bytes");
    owner = dev;
    if (is("handles") && n_handles >= MOST_HANDLES)
        return cohort_fail(err, COHORT_ENOMEM, 0, "no more handles");
    if (is("limit-text") && bytes > (UINT64_C(1) << 32))
        return COHORT_ENOMEM;
    if (is("commit") && (flags & COHORT_MEM_COMMIT) != 0)
        return cohort_fail(err, COHORT_ENOTSUP, 0, "not committed");
    if (is("limit") && bytes > (UINT64_C(1) << 40))
        bytes = 64;
    if (is("limit-status") && bytes > (UINT64_C(1) << 40))
        return cohort_fail(err, COHORT_EINVAL, 0, "too much");
    if (is("same-block") && bytes == 129 && kept != NULL) {
        *out_mem = kept;
        return COHORT_OK;
    }
    cohort_status st = base.mem_alloc(dev, bytes, flags, out_mem, err);
    n_handles += st == COHORT_OK;
    if (is("same-block") && bytes == 129)
        kept = st == COHORT_OK ? *out_mem : NULL;
    return st;
}

static cohort_status mem_free(cohort_dev *dev, cohort_mem *mem, cohort_error *err)
{
    n_handles--;
    if (is("same-block") && mem == kept)
        return COHORT_OK;
    if (is("leak-memory"))
        return COHORT_OK;
    return base.mem_free(dev, mem, err);
}

/* Writes of 64 KiB in pairs, the second before the first. */
static cohort_status write_late(cohort_dev *dev, cohort_queue *queue, cohort_mem *mem,
                                const void *from, uint64_t bytes, cohort_event **out_event,
                                cohort_error *err)
{
    static const void *first;
    const void *before = first;
    first = before == NULL ? from : NULL;
    if (before == NULL)
        return COHORT_OK;
    cohort_status st = base.write(dev, queue, mem, 0, from, bytes, out_event, err);
    return st < 0 ? st : base.write(dev, queue, mem, 0, before, bytes, out_event, err);
}

static cohort_event *newest; /* of the large writes that nobody waited for */
static uint32_t n_in_flight;

static cohort_dev *staged_dev; /* of a write that nobody waited for */
static cohort_mem *staged_mem;

/* As if the device that began its write before took the bytes from the one buffer of both now, when
 * they are another's: whether it would by itself depends on how fast it is. */
static void stage(cohort_dev *dev, cohort_mem *mem, const void *from, uint64_t bytes)
{
    cohort_event *event = NULL;
    if (staged_dev != NULL && staged_dev != dev &&
        base.write(staged_dev, NULL, staged_mem, 0, from, bytes, &event, NULL) == COHORT_OK) {
        while (base.event_wait(staged_dev, event, UINT64_C(1000000000), NULL) == COHORT_EAGAIN)
            ;
        (void)base.event_release(staged_dev, event, NULL);
    }
    staged_dev = dev;
    staged_mem = mem;
}

static cohort_status write_(cohort_dev *dev, cohort_queue *queue, cohort_mem *mem, uint64_t offset,
                            const void *from, uint64_t bytes, cohort_event **out_event,
                            cohort_error *err)
{
    has_large = bytes >= 8 << 20;
    if (is("write-offset"))
        offset = 0;
    if (is("write-words") && bytes > 8)
        bytes &= ~UINT64_C(3);
    if (is("zero-write") && bytes == 0)
        return cohort_fail(err, COHORT_EINVAL, 0, "no bytes");
    if (is("write-short") && bytes > 65536)
        bytes = 65536;
    if (is("staging") && bytes == 70001)
        stage(dev, mem, from, bytes);
    if (is("order") && bytes == 65536)
        return write_late(dev, queue, mem, from, bytes, out_event, err);
    if (is("ring") && ++n_in_flight > 1024)
        bytes = 0;
    cohort_status st = base.write(dev, queue, mem, offset, from, bytes, out_event, err);
    newest = has_large && out_event != NULL ? *out_event : NULL;
    return st;
}

static cohort_status read_(cohort_dev *dev, cohort_queue *queue, cohort_mem *mem, uint64_t offset,
                           void *into, uint64_t bytes, cohort_event **out_event, cohort_error *err)
{
    if (is("read-short") && bytes >= 8 << 20)
        bytes -= 4096;
    return base.read(dev, queue, mem, is("read-offset") ? 0 : offset, into, bytes, out_event, err);
}

static cohort_status mem_host_ptr(cohort_dev *dev, cohort_mem *mem, void **out_ptr,
                                  cohort_error *err)
{
    static _Alignas(4096) char copy_of_it[4096 + 1];
    char *to = is("pointer-odd") ? copy_of_it + 1 : copy_of_it;
    cohort_event *event = NULL;
    cohort_status st = base.mem_host_ptr(dev, mem, out_ptr, err);
    if (st < 0 || base.read(dev, NULL, mem, 0, to, 16, &event, NULL) < 0)
        return st;
    *out_ptr = to;
    return COHORT_OK;
}

static cohort_status mem_import(cohort_dev *dev, void *ptr, uint64_t bytes, uint32_t dir,
                                cohort_mem **out_mem, cohort_error *err)
{
    cohort_event *event = NULL;
    if (is("import-nothing") && bytes == 0)
        return cohort_fail(err, COHORT_EINVAL, 0, "no bytes");
    if (!is("import-copy"))
        return base.mem_import(dev, ptr, bytes, dir, out_mem, err);
    cohort_status st = base.mem_alloc(dev, bytes, 0, out_mem, err);
    return st < 0 ? st : base.write(dev, NULL, *out_mem, 0, ptr, bytes, &event, err);
}

static cohort_status mem_slice(cohort_dev *dev, cohort_mem *mem, uint64_t offset, uint64_t bytes,
                               cohort_mem **out_mem, cohort_error *err)
{
    char content[64];
    cohort_event *event = NULL;
    if (is("slice-offset"))
        offset = 0;
    cohort_status st;
    if (!is("slice-copy") || bytes > sizeof content) {
        st = base.mem_slice(dev, mem, offset, bytes, out_mem, err);
        whole = mem;
        inner = st == COHORT_OK ? *out_mem : NULL;
        return st;
    }
    st = base.read(dev, NULL, mem, offset, content, bytes, &event, err);
    st = st < 0 ? st : base.mem_alloc(dev, bytes, 0, out_mem, err);
    return st < 0 ? st : base.write(dev, NULL, *out_mem, 0, content, bytes, &event, err);
}

/* ---- Of kernels and launches. */

static cohort_kernel *latest; /* and what it was made with */
static uint32_t first_kind, first_type, third_kind, result_type;
static float first_factor;
static bool has_factor;

static void remember(cohort_kernel *kernel, const cohort_sig *sig)
{
    latest = kernel;
    has_factor = false;
    first_kind = sig->nargs > 0 ? sig->args[0].kind : UINT32_MAX;
    first_type = sig->nargs > 0 ? sig->args[0].type : 0;
    third_kind = sig->nargs > 2 ? sig->args[2].kind : UINT32_MAX;
    result_type = sig->ret;
}

/* The function of a shared object, from a file in this folder that is gone again. The object stays:
 * libraries are known by their names, so each has another one. */
static cohort_native_fn load(const cohort_code *code, const char *entry)
{
    char path[] = "./cohort-broken.XXXXXX";
    void *library = NULL;
    int file = mkstemp(path);
    if (file < 0)
        return NULL;
    if (code->data != NULL && write(file, code->data, code->bytes) == (ssize_t)code->bytes)
        library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    (void)close(file);
    (void)unlink(path);
    void *symbol = library != NULL ? dlsym(library, entry) : NULL;
    cohort_native_fn fn = NULL;
    memcpy(&fn, &symbol, sizeof symbol);
    return fn;
}

/* The code as loopback takes it. */
static cohort_code translate(const cohort_code *code, const char *entry)
{
    cohort_code native = *code;
    if (has_own_format() && strcmp(code->format, "broken.so") == 0) {
        native.format = "native.fn";
        native.fn = load(code, entry);
    }
    return native;
}

static cohort_status kernel_create(cohort_dev *dev, const cohort_code *code, const char *entry,
                                   const cohort_sig *sig, cohort_kernel **out_kernel,
                                   cohort_error *err)
{
    cohort_code native = translate(code, entry);
    cohort_status st = base.kernel_create(dev, &native, entry, sig, out_kernel, err);
    if (st == COHORT_OK)
        remember(*out_kernel, sig);
    if (is("structs") && st == COHORT_OK && sig->ntypes > 0) {
        (void)base.kernel_destroy(dev, *out_kernel, NULL);
        *out_kernel = NULL;
        return cohort_fail(err, COHORT_ENOTSUP, 0, "no structs");
    }
    if (is("refusal-text") && st < 0 && err != NULL)
        err->code = COHORT_OK;
    if (is("format") && st == COHORT_EINCOMPATIBLE)
        return cohort_fail(err, COHORT_EINVAL, 0, "what is that");
    return st;
}

/* What the first value of a launch becomes on its way. */
static void spoil_value(const cohort_launch *given, void **argv)
{
    static union {
        float f32;
        int64_t i64;
        double f64;
        unsigned char bytes[256];
    } value;
    if (given->nargs == 0 || first_kind != COHORT_ARG_VALUE)
        return;
    if (is("value-float") && first_type == COHORT_F64) {
        value.f64 = (double)(float)*(const double *)argv[0];
        argv[0] = &value;
    } else if (is("value-signed") && first_type == COHORT_U64) {
        value.i64 = *(const int64_t *)argv[0] & INT64_MAX;
        argv[0] = &value;
    } else if (is("args-first") && first_type == COHORT_F32 && given->nargs == 3) {
        first_factor = has_factor ? first_factor : *(const float *)argv[0];
        has_factor = true;
        argv[0] = &first_factor;
    } else if (is("struct-short") && first_type >= COHORT_STRUCT_BASE) {
        memset(&value, 0, sizeof value);
        memcpy(&value, argv[0], sizeof(int64_t));
        argv[0] = &value;
    }
}

/* The thread goes to the next of the CPUs that it was given. */
static void move_thread(void)
{
    static cpu_set_t all;
    static int at = -1;
    cpu_set_t one;
    if (at < 0)
        (void)sched_getaffinity(0, sizeof all, &all);
    do
        at = (at + 1) % CPU_SETSIZE;
    while (!CPU_ISSET(at, &all));
    CPU_ZERO(&one);
    CPU_SET(at, &one);
    (void)sched_setaffinity(0, sizeof one, &one);
}

static pthread_t opener;

static cohort_status launch(cohort_dev *dev, cohort_queue *queue, cohort_kernel *kernel,
                            const cohort_launch *given, cohort_event **out_event, cohort_error *err)
{
    cohort_launch l = *given;
    void *argv[COHORT_MAX_ARGS];
    for (uint32_t i = 0; i < given->nargs; i++)
        argv[i] = given->argv[i];
    l.argv = argv;
    if (is("offset-ignored"))
        memset(l.offset, 0, sizeof l.offset);
    if (is("arity") && given->nargs == 2)
        return COHORT_OK;
    if (is("args-swapped") && given->nargs == 41) {
        argv[0] = given->argv[2];
        argv[2] = given->argv[4];
        argv[1] = given->argv[0];
    }
    if (is("arrays-16") && given->nargs == 33)
        for (uint32_t i = 16; i < given->nargs; i++)
            argv[i] = argv[15];
    if (is("arrays-moved") && given->nargs == 33)
        argv[32] = argv[31];
    int64_t end = given->nargs > 2 ? *(const int64_t *)given->argv[1] : 0;
    if (is("last-group") && given->nargs == 3 && given->range.global[0] > 64) {
        end -= 1;
        argv[1] = &end;
    }
    if (kernel == latest)
        spoil_value(given, argv);
    if (is("slice-launch") && given->nargs == 3 && inner != NULL && third_kind == COHORT_ARG_MEM &&
        *(cohort_mem **)argv[2] == inner)
        argv[2] = &whole;
    uint64_t little = 64;
    if (is("local") && given->nargs == 4 && third_kind == COHORT_ARG_LOCAL &&
        *(const uint64_t *)argv[1] > UINT64_MAX / 2)
        argv[1] = argv[2] = &little;
    if (is("peer") && owner != NULL && dev != owner)
        return cohort_fail(err, COHORT_EINVAL, 0, "memory of another device");
    if (is("thread") && pthread_equal(opener, pthread_self()) == 0)
        return cohort_fail(err, COHORT_EINTERNAL, 0, "another thread");
    cohort_status st = base.launch(dev, queue, kernel, &l, out_event, err);
    if (is("result") && st == COHORT_OK && kernel == latest && given->ret != NULL &&
        result_type == COHORT_U16)
        ((unsigned char *)given->ret)[1] = 0;
    if (is("rounding"))
        (void)fesetround(FE_TONEAREST);
    if (is("affinity"))
        move_thread();
    return st;
}

/* One after the other, to the end whatever comes. */
static cohort_status launch_batch(cohort_dev *dev, cohort_queue *queue, cohort_kernel *kernel,
                                  const cohort_launch *launches, uint32_t n,
                                  volatile uint32_t *out_done, cohort_error *err)
{
    cohort_status first = COHORT_OK;
    uint32_t done = 0;
    for (uint32_t i = 0; i < n && (first == COHORT_OK || is("batch-behind")); i++) {
        volatile uint32_t one = 0;
        const cohort_launch *l = is("batch-first") && i > 0 ? &launches[0] : &launches[i];
        cohort_status st = base.launch_batch(dev, queue, kernel, l, 1, &one, err);
        first = first < 0 ? first : st;
        done += first == COHORT_OK;
    }
    *out_done = is("batch-count") ? n : done;
    return first;
}

/* ---- Of events. */

static cohort_status event_wait(cohort_dev *dev, cohort_event *event, uint64_t timeout_ns,
                                cohort_error *err)
{
    if (is("wait-early") && has_large)
        return COHORT_OK;
    if (is("newest-first") && newest != NULL && timeout_ns == 0)
        return event == newest ? COHORT_OK : COHORT_EAGAIN;
    newest = NULL;
    staged_dev = NULL;
    if (is("wait-timeout") && has_large && timeout_ns == 0)
        return COHORT_ETIMEDOUT;
    return base.event_wait(dev, event, timeout_ns, err);
}

static cohort_status event_release(cohort_dev *dev, cohort_event *event, cohort_error *err)
{
    n_in_flight = 0;
    return base.event_release(dev, event, err);
}

/* ---- What the core can do otherwise. */

static cohort_status copy(cohort_dev *dev, cohort_queue *queue, cohort_mem *dst,
                          uint64_t dst_offset, cohort_mem *src, uint64_t src_offset, uint64_t bytes,
                          cohort_event **out_event, cohort_error *err)
{
    return is("copy-offset")
               ? base.copy(dev, queue, dst, dst_offset, src, 0, bytes, out_event, err)
               : base.copy(dev, queue, dst, dst_offset, src, src_offset,
                           is("copy-short") && bytes > 0 ? bytes - 1 : bytes, out_event, err);
}

static cohort_status fill(cohort_dev *dev, cohort_queue *queue, cohort_mem *mem, uint64_t offset,
                          uint64_t bytes, const void *pattern, uint32_t pattern_bytes,
                          cohort_event **out_event, cohort_error *err)
{
    (void)pattern_bytes;
    return base.fill(dev, queue, mem, offset, bytes, pattern, 1, out_event, err);
}

/* From left to right: all merges but the first term's are 1. */
static cohort_status reduce(cohort_dev *dev, cohort_queue *queue, const cohort_reduction *given,
                            cohort_event **out_event, cohort_error *err)
{
    cohort_term terms[COHORT_MAX_TERMS];
    cohort_reduction r = *given;
    memcpy(terms, given->terms, given->nterms * sizeof *terms);
    for (uint32_t i = 0; is("left-to-right") && i < given->nterms; i++)
        terms[i].merges = i > 0;
    r.terms = terms;
    if (is("large-short") && r.count > 65536)
        r.count--;
    if (is("divisor"))
        r.divisor = 1;
    if (is("narrow") && r.divisor > 1 && (r.type == COHORT_F16 || r.type == COHORT_BF16))
        r.divisor++;
    if (is("or-exclusive") && r.op == COHORT_BOR)
        r.op = COHORT_BXOR;
    if (is("min-max"))
        r.op = r.op == COHORT_MIN ? COHORT_MAX : r.op;
    return base.reduce(dev, queue, &r, out_event, err);
}

/* ---- Of devices and of the process. */

static cohort_status can_access_peer(cohort_dev *dev, cohort_dev *peer, uint32_t *out_yes,
                                     cohort_error *err)
{
    (void)dev;
    (void)peer;
    (void)err;
    *out_yes = is("peer-two") ? 2 : 1;
    return COHORT_OK;
}

static cohort_status worker_attach(cohort_dev *dev, int32_t caller_cpu, cohort_error *err)
{
    (void)dev;
    return cohort_fail(err, COHORT_EINVAL, 0, "no CPU %d", caller_cpu);
}

static void *sleep_on(void *unused)
{
    for (;;)
        (void)pause();
    return unused;
}

static void leave_thread(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, sleep_on, NULL) == 0)
        (void)pthread_detach(thread);
}

static cohort_status device_open(void *self, uint32_t index, uint32_t part, uint32_t parts,
                                 cohort_dev **out_dev, cohort_error *err)
{
    if (is("open-any"))
        return base.device_open(self, 0, part, parts, out_dev, err);
    opener = pthread_self();
    if (is("open-part") && parts > 0)
        part %= parts;
    if (is("parts") && parts > 2)
        return cohort_fail(err, COHORT_EINVAL, 0, "two parts at most");
    if (is("leak-thread"))
        leave_thread();
    if (is("leak-file"))
        (void)open("/dev/null", O_RDONLY);
    if (is("signal"))
        (void)signal(SIGSEGV, SIG_IGN);
    if (is("locale"))
        (void)setlocale(LC_ALL, "C.UTF-8");
    if (is("folder"))
        (void)!chdir("/");
    if (is("mask"))
        (void)umask(077);
    return base.device_open(self, index, part, parts, out_dev, err);
}

/* ---- The entry. */

static bool find_base(void)
{
    Dl_info here;
    char file[4096];
    if (base_entry != NULL || dladdr(&plugin, &here) == 0)
        return base_entry != NULL;
    const char *slash = strrchr(here.dli_fname, '/');
    bool is_host = strcmp(mode, "host") == 0;
    (void)snprintf(file, sizeof file, "%.*s../../%s.libs/cohort-%s.so",
                   slash != NULL ? (int)(slash + 1 - here.dli_fname) : 0, here.dli_fname,
                   is_host ? "../host/" : "", has_own_format() ? "loopback" : mode);
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    void *symbol = library != NULL ? dlsym(library, "cohort_plugin_entry_1") : NULL;
    memcpy(&base_entry, &symbol, sizeof symbol);
    return base_entry != NULL;
}

static void replace(void)
{
    ops = base;
    ops.enumerate = enumerate;
    ops.device_open = device_open;
    ops.mem_alloc = mem_alloc;
    ops.mem_free = mem_free;
    ops.write = write_;
    ops.read = read_;
    ops.kernel_create = kernel_create;
    ops.launch = launch;
    if (base.event_wait != NULL)
        ops.event_wait = event_wait;
    if (base.event_release != NULL)
        ops.event_release = event_release;
    if (base.mem_host_ptr != NULL && (is("pointer-copy") || is("pointer-odd")))
        ops.mem_host_ptr = mem_host_ptr;
    if (base.mem_import != NULL)
        ops.mem_import = mem_import;
    if (base.mem_slice != NULL)
        ops.mem_slice = mem_slice;
    if (base.launch_batch != NULL && (is("batch-behind") || is("batch-first") || is("batch-count")))
        ops.launch_batch = launch_batch;
    if (is("peer") || is("peer-two"))
        ops.can_access_peer = can_access_peer;
    if (is("attach"))
        ops.worker_attach = worker_attach;
    if (base.copy != NULL && (is("copy-offset") || is("copy-short")))
        ops.copy = copy;
    if (base.fill != NULL && is("fill-byte"))
        ops.fill = fill;
    if (base.reduce != NULL)
        ops.reduce = reduce;
    if (is("no-launch"))
        ops.launch = NULL;
    if (is("no-release"))
        ops.event_release = NULL;
}

__attribute__((visibility("default"))) const cohort_plugin *cohort_plugin_entry_1(
    const cohort_request *request, cohort_error *err)
{
    static cohort_plugin another;
    cohort_request forced = *request;
    if (is("any-minor"))
        forced.core_minor = COHORT_ABI_MINOR;
    const cohort_plugin *theirs = find_base() ? base_entry(&forced, err) : NULL;
    if (theirs == NULL)
        return NULL;
    host = request->host;
    base = *theirs->ops;
    plugin = *theirs;
    plugin.name = is("name-other")      ? "other"
                  : is("name-encoding") ? "broken\xff"
                  : is("name-empty")    ? ""
                                        : "broken";
    if (is("vendor-control"))
        plugin.vendor = "bro\nken";
    plugin.ops = &ops;
    plugin.extension = NULL;
    replace();
    another = plugin;
    return is("another-table") && request->host == NULL && request->core_version[0] == '0' &&
                   kept == NULL && n_listed++ % 2 == 1
               ? &another
               : &plugin;
}
