/* SPDX-License-Identifier: BSD-3-Clause */
/* A plugin with one mistake, for tests alone: stream or loopback, but for what $COHORT_BROKEN says:
 * "BASE MISTAKE". BASE: loopback, stream or host, a plugin of the build folder. MISTAKE: a name of
 * the tables below. tests/plugin_check.t has the rule that each breaks. */
#include "config.h"

#include "plugins/kit/operations.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <locale.h>
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

static void describe(cohort_device_info *info)
{
    static const char *const none[] = { NULL };
    (void)snprintf((char *)info->uuid, sizeof info->uuid, "cohort broken");
    if (is("uuid"))
        memset(info->uuid, 0, sizeof info->uuid);
    if (is("name-control"))
        info->name[1] = '\n';
    if (is("driver-endless"))
        memset(info->driver, 'x', sizeof info->driver);
    if (is("no-formats"))
        info->formats = none;
    if (is("align"))
        info->mem_align = 48;
    if (is("max-alloc"))
        info->mem_max_alloc = info->mem_total + 1;
    if (is("cap-unknown"))
        info->caps |= UINT64_C(1) << 40;
    if (is("cap-visible"))
        info->caps |= COHORT_CAP_HOST_VISIBLE;
    if (is("cap-wide"))
        info->caps |= COHORT_CAP_WIDE_MEAN;
    if (is("no-dtypes"))
        info->dtypes = 0;
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

static cohort_mem *kept;
static bool has_large; /* the latest write was of many bytes, and takes its time */

static cohort_status mem_alloc(cohort_dev *dev, uint64_t bytes, uint32_t flags,
                               cohort_mem **out_mem, cohort_error *err)
{
    if (is("zero-bytes") && bytes == 0)
        return cohort_fail(err, COHORT_EINVAL, 0, "no bytes");
    if (is("limit") && bytes > (UINT64_C(1) << 40))
        bytes = 64;
    if (is("limit-status") && bytes > (UINT64_C(1) << 40))
        return cohort_fail(err, COHORT_EINVAL, 0, "too much");
    if (is("same-block") && bytes == 129 && kept != NULL) {
        *out_mem = kept;
        return COHORT_OK;
    }
    cohort_status st = base.mem_alloc(dev, bytes, flags, out_mem, err);
    if (is("same-block") && bytes == 129)
        kept = st == COHORT_OK ? *out_mem : NULL;
    return st;
}

static cohort_status mem_free(cohort_dev *dev, cohort_mem *mem, cohort_error *err)
{
    if (is("same-block") && mem == kept)
        return COHORT_OK;
    if (is("leak-memory"))
        return COHORT_OK;
    return base.mem_free(dev, mem, err);
}

static cohort_status write_(cohort_dev *dev, cohort_queue *queue, cohort_mem *mem, uint64_t offset,
                            const void *from, uint64_t bytes, cohort_event **out_event,
                            cohort_error *err)
{
    static unsigned char staging[1 << 17];
    has_large = bytes >= 8 << 20;
    if (is("write-offset"))
        offset = 0;
    if (is("write-words") && bytes > 8)
        bytes &= ~UINT64_C(3);
    if (is("zero-write") && bytes == 0)
        return cohort_fail(err, COHORT_EINVAL, 0, "no bytes");
    if (is("write-short") && bytes > 65536)
        bytes = 65536;
    if (is("staging") && bytes <= sizeof staging && bytes > 65536) {
        memcpy(staging, from, bytes);
        from = staging;
    }
    return base.write(dev, queue, mem, offset, from, bytes, out_event, err);
}

static cohort_status read_(cohort_dev *dev, cohort_queue *queue, cohort_mem *mem, uint64_t offset,
                           void *into, uint64_t bytes, cohort_event **out_event, cohort_error *err)
{
    return base.read(dev, queue, mem, is("read-offset") ? 0 : offset, into, bytes, out_event, err);
}

/* ---- Of kernels and launches. */

static cohort_status kernel_create(cohort_dev *dev, const cohort_code *code, const char *entry,
                                   const cohort_sig *sig, cohort_kernel **out_kernel,
                                   cohort_error *err)
{
    cohort_status st = base.kernel_create(dev, code, entry, sig, out_kernel, err);
    if (is("format") && st == COHORT_EINCOMPATIBLE)
        return cohort_fail(err, COHORT_EINVAL, 0, "what is that");
    return st;
}

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
    return base.launch(dev, queue, kernel, &l, out_event, err);
}

/* ---- Of events. */

static cohort_status event_wait(cohort_dev *dev, cohort_event *event, uint64_t timeout_ns,
                                cohort_error *err)
{
    if (is("wait-early") && has_large)
        return COHORT_OK;
    if (is("wait-timeout") && has_large && timeout_ns == 0)
        return COHORT_ETIMEDOUT;
    return base.event_wait(dev, event, timeout_ns, err);
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
    if (is("min-max"))
        r.op = r.op == COHORT_MIN ? COHORT_MAX : r.op;
    return base.reduce(dev, queue, &r, out_event, err);
}

/* ---- Of devices and of the process. */

static cohort_status device_open(void *self, uint32_t index, uint32_t part, uint32_t parts,
                                 cohort_dev **out_dev, cohort_error *err)
{
    if (is("open-any"))
        return base.device_open(self, 0, part, parts, out_dev, err);
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
                   is_host ? "../host/" : "", mode);
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
    plugin.name = "broken";
    plugin.ops = &ops;
    plugin.extension = NULL;
    replace();
    another = plugin;
    return is("another-table") && request->host == NULL && request->core_version[0] == '0' &&
                   kept == NULL && n_listed++ % 2 == 1
               ? &another
               : &plugin;
}
