/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "cli/conformance/body.h"

#include "cli/regular_file.h"

static const char *const names[COHORT_MAX_ARGS] = { "a", "b", "c", "d" };

cohort_sig body_sig(uint32_t ret, const cohort_arg *args, uint32_t nargs)
{
    return (cohort_sig){ .struct_size = sizeof(cohort_sig),
                         .nargs = nargs,
                         .args = args,
                         .names = names,
                         .text = "()",
                         .ret = ret };
}

static bool has_format(const subject *s, const char *wanted)
{
    for (const char *const *format = s->info.formats; format != NULL && *format != NULL; format++)
        if (strcmp(*format, wanted) == 0)
            return true;
    return false;
}

/* A vendor's, VENDOR.KIND. */
static bool is_own_format(const char *format)
{
    return strncmp(format, "native.", 7) != 0 && strncmp(format, "opencl.", 7) != 0;
}

static bool has_own_format(const subject *s)
{
    for (const char *const *format = s->info.formats; format != NULL && *format != NULL; format++)
        if (is_own_format(*format))
            return true;
    return false;
}

bool body_is_own(const subject *s)
{
    bool has_another = has_format(s, "native.fn") || has_format(s, "opencl.c");
    return !has_another || (s->kernels != NULL && has_own_format(s));
}

bool body_is_native(const subject *s)
{
    return !body_is_own(s) && has_format(s, "native.fn");
}

/* ------------------------------------------------------------------ what was handed in */

/* A file NAME.KIND of the folder, of a format VENDOR.KIND. */
typedef struct handed {
    const char *format;
    char *bytes;
    size_t n;
    char reason[4352]; /* why there is none */
} handed;

/* The file of a body in one format; false with the reason. */
static bool read_handed(const subject *s, body b, const char *format, handed *out)
{
    char path[4096];
    const char *dot = strchr(format, '.'), *kind = dot != NULL ? dot + 1 : format;
    out->format = format;
    int n = snprintf(path, sizeof path, "%s/%s.%s", s->kernels, b.name, kind);
    if (n >= (int)sizeof path) {
        (void)snprintf(out->reason, sizeof out->reason, "%s.%s: the path to it is too long", b.name,
                       kind);
        return false;
    }
    const char *why = regular_file_read(path, &out->bytes, &out->n);
    if (why != NULL)
        (void)snprintf(out->reason, sizeof out->reason, "%s: %s", path, why);
    return why == NULL;
}

/* For the first of the device's formats of which there is a file; false with the reason. */
static bool take_handed(const subject *s, body b, handed *out)
{
    *out = (handed){ .reason = "the device takes neither native.fn nor opencl.c; "
                               "`cohort plugin kernels` writes what --kernels hands in" };
    if (s->kernels == NULL || b.name == NULL)
        return false;
    for (const char *const *format = s->info.formats; format != NULL && *format != NULL; format++)
        if (is_own_format(*format) && read_handed(s, b, *format, out))
            return true;
    return false;
}

bool body_is_taken(const subject *s, const char *what, body b)
{
    handed h;
    if (!body_is_own(s))
        return true;
    bool is_taken = take_handed(s, b, &h);
    if (is_taken)
        regular_file_free(h.bytes);
    else
        claim_unproven(what, h.reason);
    return is_taken;
}

/* ------------------------------------------------------------------ kernels */

bool body_has_dtype(const subject *s, uint32_t dtype, const char *what)
{
    bool has_it = !body_is_own(s) || (dtype < 64 && (s->info.dtypes >> dtype & 1) != 0);
    if (!has_it)
        claim_skip(what, "the device has no such dtype");
    return has_it;
}

bool body_has_double(const subject *s, cohort_dev *dev, const char *what)
{
    static const cohort_arg args[] = { VALUE(COHORT_F64, double) };
    cohort_sig sig = body_sig(COHORT_VOID, args, 1);
    cohort_kernel *kernel;
    cohort_error err = { .struct_size = sizeof err };
    if (body_is_native(s) || body_is_own(s))
        return body_has_dtype(s, COHORT_F64, what);
    const body one = { NULL, NULL, "kernel void body(double a) { }" };
    cohort_status st = body_create(s, dev, one, 0, &sig, &kernel, &err);
    if (st == COHORT_EINVAL)
        claim_skip(what, err.text);
    else if (st == COHORT_OK)
        (void)s->ops.kernel_destroy(dev, kernel, NULL);
    return st != COHORT_EINVAL;
}

cohort_status body_create(const subject *s, cohort_dev *dev, body b, uint32_t flags,
                          const cohort_sig *sig, cohort_kernel **out_kernel, cohort_error *err)
{
    static uint64_t uid;
    handed h = { .bytes = NULL };
    cohort_code code = { .struct_size = sizeof code,
                         .flags = flags,
                         .uid = __atomic_add_fetch(&uid, 1, __ATOMIC_RELAXED),
                         .options = "" };
    if (body_is_native(s)) {
        code.format = "native.fn";
        code.fn = b.fn;
    } else if (!body_is_own(s)) {
        code.format = "opencl.c";
        code.data = b.source;
        code.bytes = b.source != NULL ? strlen(b.source) : 0;
    } else {
        (void)take_handed(s, b, &h); /* body_is_taken was asked; a body without a name has none */
        code.format = h.format != NULL ? h.format : s->info.formats[0];
        code.data = h.bytes;
        code.bytes = h.n;
    }
    *out_kernel = NULL;
    cohort_status st = s->ops.kernel_create(dev, &code, "body", sig, out_kernel, err);
    regular_file_free(h.bytes);
    return st;
}

static cohort_status launch(const subject *s, cohort_dev *dev, cohort_kernel *kernel,
                            void *const *argv, uint32_t nargs, uint64_t items, void *ret)
{
    cohort_range range = { .dims = 1, .global = { items, 1, 1 } };
    cohort_launch launch = {
        .struct_size = sizeof launch, .nargs = nargs, .argv = argv, .ret = ret, .range = range
    };
    cohort_event *event = NULL;
    cohort_status st = s->ops.launch(dev, NULL, kernel, &launch, &event, NULL);
    return subject_settle(s, dev, st, event);
}

cohort_status body_launch(const subject *s, cohort_dev *dev, cohort_kernel *kernel,
                          void *const *argv, uint32_t nargs, uint64_t items)
{
    return launch(s, dev, kernel, argv, nargs, items, NULL);
}

#define DTYPE_BYTES(name, value, text, bytes, kind) [value] = (uint32_t)(bytes),
static const uint32_t dtype_bytes[] = { COHORT_DTYPES(DTYPE_BYTES) };

static uint32_t bytes_of(const cohort_sig *sig)
{
    return sig->ret >= COHORT_STRUCT_BASE ? sig->types[sig->ret - COHORT_STRUCT_BASE].size
                                          : dtype_bytes[sig->ret];
}

static void make_and_launch(const subject *s, cohort_dev *dev, body b, const cohort_sig *sig,
                            void *const *argv, uint64_t items, void *ret)
{
    cohort_kernel *kernel;
    cohort_error err = { .struct_size = sizeof err };
    if (body_create(s, dev, b, 0, sig, &kernel, &err) < 0) {
        claim(false, "a kernel is made: %s", err.text);
        return;
    }
    if (launch(s, dev, kernel, argv, sig->nargs, items, ret) < 0)
        claim(false, "a kernel runs");
    (void)s->ops.kernel_destroy(dev, kernel, NULL);
}

/* A kernel returns nothing: the result is one more array. */
static void with_result(const subject *s, cohort_dev *dev, body b, const cohort_sig *sig,
                        void *const *argv, uint64_t items, void *ret)
{
    cohort_arg args[COHORT_MAX_ARGS];
    void *all[COHORT_MAX_ARGS];
    cohort_sig longer = *sig;
    cohort_mem *result = subject_alloc(s, dev, bytes_of(sig));
    memcpy(args, sig->args, sig->nargs * sizeof *args);
    memcpy(all, argv, sig->nargs * sizeof *all);
    args[sig->nargs] = (cohort_arg){ COHORT_ARG_MEM, sig->ret, COHORT_WRITE, bytes_of(sig) };
    all[sig->nargs] = &result;
    longer.args = args;
    longer.nargs++;
    longer.ret = COHORT_VOID;
    make_and_launch(s, dev, b, &longer, all, items, NULL);
    if (subject_read(s, dev, result, 0, ret, bytes_of(sig)) < 0)
        claim(false, "a result is read");
    subject_free(s, dev, result);
}

void body_once(const subject *s, cohort_dev *dev, body b, const cohort_sig *sig, void *const *argv,
               uint64_t items, void *ret)
{
    if (sig->ret == COHORT_VOID || body_is_native(s) || body_is_own(s))
        make_and_launch(s, dev, b, sig, argv, items, ret);
    else
        with_result(s, dev, b, sig, argv, items, ret);
}
