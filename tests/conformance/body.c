/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "tests/conformance/body.h"

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
    for (const char *const *format = s->info.formats; *format != NULL; format++)
        if (strcmp(*format, wanted) == 0)
            return true;
    return false;
}

bool body_is_native(const subject *s)
{
    return has_format(s, "native.fn");
}

bool body_is_taken(const subject *s, const char *claim)
{
    if (body_is_native(s) || has_format(s, "opencl.c"))
        return true;
    skip(claim, "the device takes neither native.fn nor opencl.c");
    return false;
}

bool body_has_double(const subject *s, cohort_dev *dev, const char *claim)
{
    static const cohort_arg args[] = { VALUE(COHORT_F64, double) };
    cohort_sig sig = body_sig(COHORT_VOID, args, 1);
    cohort_kernel *kernel;
    cohort_error err = { .struct_size = sizeof err };
    if (body_is_native(s))
        return true;
    cohort_status st =
        body_create(s, dev, BODY(NULL, "kernel void body(double a) { }"), 0, &sig, &kernel, &err);
    if (st == COHORT_EINVAL)
        skip(claim, err.text);
    else if (st == COHORT_OK)
        (void)s->ops.kernel_destroy(dev, kernel, NULL);
    return st != COHORT_EINVAL;
}

cohort_status body_create(const subject *s, cohort_dev *dev, body b, uint32_t flags,
                          const cohort_sig *sig, cohort_kernel **out_kernel, cohort_error *err)
{
    static uint64_t uid;
    bool is_native = body_is_native(s);
    cohort_code code = { .struct_size = sizeof code,
                         .flags = flags,
                         .uid = __atomic_add_fetch(&uid, 1, __ATOMIC_RELAXED),
                         .format = is_native ? "native.fn" : "opencl.c",
                         .data = is_native ? NULL : b.source,
                         .bytes = is_native || b.source == NULL ? 0 : strlen(b.source),
                         .options = "",
                         .fn = is_native ? b.fn : NULL };
    *out_kernel = NULL;
    return s->ops.kernel_create(dev, &code, "body", sig, out_kernel, err);
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
        ok(false, "a kernel is made: %s", err.text);
        return;
    }
    if (launch(s, dev, kernel, argv, sig->nargs, items, ret) < 0)
        ok(false, "a kernel runs");
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
        ok(false, "a result is read");
    subject_free(s, dev, result);
}

void body_once(const subject *s, cohort_dev *dev, body b, const cohort_sig *sig, void *const *argv,
               uint64_t items, void *ret)
{
    if (sig->ret == COHORT_VOID || body_is_native(s))
        make_and_launch(s, dev, b, sig, argv, items, ret);
    else
        with_result(s, dev, b, sig, argv, items, ret);
}
