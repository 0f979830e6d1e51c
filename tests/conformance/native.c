/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "tests/conformance/native.h"

static const char *const names[COHORT_MAX_ARGS] = { "a", "b", "c", "d" };

cohort_sig native_sig(uint32_t ret, const cohort_arg *args, uint32_t nargs)
{
    return (cohort_sig){
        .struct_size = sizeof(cohort_sig), .nargs = nargs, .args = args, .names = names, .text = "()", .ret = ret
    };
}

bool native_is_taken(const subject *s, const char *claim)
{
    for (const char *const *format = s->info.formats; *format != NULL; format++)
        if (strcmp(*format, "native.fn") == 0)
            return true;
    skip(claim, "the device takes no native.fn");
    return false;
}

cohort_status native_create(const subject *s, cohort_dev *dev, cohort_native_fn fn, uint32_t flags,
                            const cohort_sig *sig, cohort_kernel **out_kernel, cohort_error *err)
{
    static uint64_t uid;
    cohort_code code = { .struct_size = sizeof code,
                         .flags = flags,
                         .uid = __atomic_add_fetch(&uid, 1, __ATOMIC_RELAXED),
                         .format = "native.fn",
                         .options = "",
                         .fn = fn };
    *out_kernel = NULL;
    return s->ops.kernel_create(dev, &code, "body", sig, out_kernel, err);
}

cohort_status native_launch(const subject *s, cohort_dev *dev, cohort_kernel *kernel, void *const *argv, uint32_t nargs,
                            void *ret)
{
    cohort_launch launch = { .struct_size = sizeof launch, .nargs = nargs, .argv = argv, .ret = ret };
    cohort_event *event = NULL;
    cohort_status st = s->ops.launch(dev, NULL, kernel, &launch, &event, NULL);
    return subject_settle(s, dev, st, event);
}

void native_once(const subject *s, cohort_dev *dev, cohort_native_fn fn, const cohort_sig *sig, void *const *argv,
                 void *ret)
{
    cohort_kernel *kernel;
    cohort_error err = { .struct_size = sizeof err };
    if (native_create(s, dev, fn, 0, sig, &kernel, &err) < 0) {
        ok(false, "a kernel is made: %s", err.text);
        return;
    }
    if (native_launch(s, dev, kernel, argv, sig->nargs, ret) < 0)
        ok(false, "a kernel runs");
    (void)s->ops.kernel_destroy(dev, kernel, NULL);
}
