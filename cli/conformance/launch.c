/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels: what is refused when they are made, and what a launch does with its arguments. */
#include "config.h"

#include "cli/conformance/bodies.h"
#include "cli/conformance/rules.h"

static const cohort_arg scale_args[] = { VALUE(COHORT_F32, float), VALUE(COHORT_I64, int64_t),
                                         MEM(COHORT_F32, float, COHORT_READ | COHORT_WRITE) };

static void refused(const subject *s, cohort_dev *dev, cohort_arg arg, cohort_status wanted,
                    const char *what)
{
    cohort_kernel *kernel;
    cohort_error err = { .struct_size = sizeof err };
    cohort_sig sig = body_sig(COHORT_VOID, &arg, 1);
    cohort_status st = body_create(s, dev, bodies[BODY_scale], 0, &sig, &kernel, &err);
    claim(st == wanted && kernel == NULL && err.code == wanted, "%s: %s", what, err.text);
}

static void refusals(const subject *s, cohort_dev *dev)
{
    cohort_sig sig = body_sig(COHORT_VOID, scale_args, 3);
    cohort_kernel *kernel = NULL;
    cohort_error err = { .struct_size = sizeof err };
    cohort_code code = { .struct_size = sizeof code,
                         .uid = 1,
                         .format = "abacus.beads",
                         .data = "",
                         .bytes = 1,
                         .options = "" };
    claim(s->ops.kernel_create(dev, &code, "scale", &sig, &kernel, &err) == COHORT_EINCOMPATIBLE &&
              kernel == NULL,
          "a foreign format is refused: %s", err.text);
    claim(body_create(s, dev, NATIVE(NULL), 0, &sig, &kernel, &err) == COHORT_ENOENT &&
              kernel == NULL,
          "so is no function: %s", err.text);
    refused(s, dev, (cohort_arg){ 99, COHORT_F32, 0, 4 }, COHORT_EINVAL,
            "an argument of unknown kind");
    if (body_is_native(s)) {
        refused(s, dev, (cohort_arg){ COHORT_ARG_IMAGE_2D, COHORT_F32, COHORT_READ, 4 },
                COHORT_ENOTSUP, "an image");
        refused(s, dev, (cohort_arg){ COHORT_ARG_SAMPLER, COHORT_STRUCT_BASE, 0, 12 },
                COHORT_ENOTSUP, "a sampler");
    }
    refused(s, dev, (cohort_arg){ COHORT_ARG_VALUE, 77, 0, 4 }, COHORT_EINVAL, "of unknown type");
    refused(s, dev, (cohort_arg){ COHORT_ARG_VALUE, COHORT_STRUCT_BASE, 0, 4 }, COHORT_EINVAL,
            "a struct that is not there");
    refused(s, dev, (cohort_arg){ COHORT_ARG_VALUE, COHORT_F64, 0, 4 }, COHORT_EINVAL,
            "a double of 4 bytes");
    refused(s, dev, (cohort_arg){ COHORT_ARG_VALUE, COHORT_F16, 0, 2 }, COHORT_EINVAL,
            "a float16 by value");
    refused(s, dev, (cohort_arg){ COHORT_ARG_MEM, COHORT_F32, 0, 4 }, COHORT_EINVAL,
            "an array without direction");
    refused(s, dev, (cohort_arg){ COHORT_ARG_MEM, COHORT_F32, 4, 4 }, COHORT_EINVAL,
            "an array of no direction that there is");
    refused(s, dev, (cohort_arg){ COHORT_ARG_MEM, COHORT_F64, COHORT_READ, 4 }, COHORT_EINVAL,
            "an array of doubles of 4 bytes");
}

static void too_many(const subject *s, cohort_dev *dev)
{
    cohort_arg args[COHORT_MAX_ARGS + 1];
    const char *names[COHORT_MAX_ARGS + 1];
    cohort_kernel *kernel;
    cohort_error err = { .struct_size = sizeof err };
    for (uint32_t i = 0; i < COUNT(args); i++) {
        args[i] = (cohort_arg)VALUE(COHORT_I32, int32_t);
        names[i] = "a";
    }
    cohort_sig sig = body_sig(COHORT_VOID, args, COUNT(args));
    sig.names = names;
    cohort_status st = body_create(s, dev, bodies[BODY_scale], 0, &sig, &kernel, &err);
    claim(st == COHORT_EINVAL && kernel == NULL && err.code == COHORT_EINVAL,
          "more arguments than COHORT_MAX_ARGS are refused: %s", err.text);
}

static void arity(const subject *s, cohort_dev *dev)
{
    cohort_sig sig = body_sig(COHORT_VOID, scale_args, 3);
    cohort_kernel *kernel;
    float factor = 2;
    int64_t n = 0;
    cohort_mem *mem = subject_alloc(s, dev, sizeof factor);
    void *argv[] = { &factor, &n, &mem, &n };
    (void)body_create(s, dev, bodies[BODY_scale], 0, &sig, &kernel, NULL);
    claim(body_launch(s, dev, kernel, argv, 2, 1) == COHORT_EINVAL,
          "a launch with an argument too few is refused");
    claim(body_launch(s, dev, kernel, argv, 4, 1) == COHORT_EINVAL, "so is one with one too many");
    (void)s->ops.kernel_destroy(dev, kernel, NULL);
    subject_free(s, dev, mem);
}

static void no_arguments(const subject *s, cohort_dev *dev)
{
    cohort_sig none = body_sig(COHORT_VOID, NULL, 0);
    body_calls = 0;
    body_once(s, dev, bodies[BODY_nothing], &none, NULL, 1, NULL);
    if (body_is_native(s))
        claim(body_calls == 1, "a body without arguments is called once");
    else
        claim_skip("a body without arguments is called once", "only a native one can count");
}

static void forty_arguments(const subject *s, cohort_dev *dev)
{
    const char *what = "40 values and an array";
    if (!body_is_taken(s, what, bodies[BODY_forty]) || !body_has_double(s, dev, what))
        return;
    cohort_arg args[41];
    void *argv[41];
    int64_t whole = 3;
    double half = 0.5, wanted = 0, got = 0, stored = 0;
    for (uint32_t i = 0; i < 40; i++) {
        args[i] = i % 2 == 0 ? (cohort_arg)VALUE(COHORT_I64, int64_t)
                             : (cohort_arg)VALUE(COHORT_F64, double);
        argv[i] = i % 2 == 0 ? (void *)&whole : (void *)&half;
        wanted += i % 2 == 0 ? 3.0 * (i / 2 + 10) : 0.5 * (i / 2 + 10) / 2;
    }
    args[40] = (cohort_arg)MEM(COHORT_F64, double, COHORT_WRITE);
    cohort_mem *mem = subject_alloc(s, dev, sizeof stored);
    argv[40] = &mem;
    cohort_sig forty = body_sig(COHORT_F64, args, 41);
    body_once(s, dev, bodies[BODY_forty], &forty, argv, 1, &got);
    (void)subject_read(s, dev, mem, 0, &stored, sizeof stored);
    claim(got == wanted && stored == wanted, "a body with 40 values and an array gets them all");
    subject_free(s, dev, mem);
}

static void scratch(const subject *s, cohort_dev *dev)
{
    static const int64_t sizes[] = { 0, 1, 1000, 7, 100000, 100000 };
    /* bytes that every OpenCL device has */
    const int64_t most = body_is_native(s) ? INT64_MAX : 32768 / 9;
    const cohort_arg args[] = { VALUE(COHORT_I64, int64_t), LOCAL(COHORT_I64, int64_t),
                                LOCAL(COHORT_U8, unsigned char),
                                MEM(COHORT_U64, uint64_t, COHORT_WRITE) };
    cohort_sig sig = body_sig(COHORT_VOID, args, COUNT(args));
    cohort_kernel *kernel;
    (void)body_create(s, dev, bodies[BODY_scratch], 0, &sig, &kernel, NULL);
    cohort_mem *mem = subject_alloc(s, dev, 2 * sizeof(uint64_t));
    bool is_right = true;
    for (size_t i = 0; i < COUNT(sizes); i++) {
        int64_t n = sizes[i] < most ? sizes[i] : most;
        uint64_t work = (uint64_t)n * sizeof(int64_t), bytes = (uint64_t)n;
        uint64_t wanted[2] = { 0, (uint64_t)(n * (n - 1) / 2 + n) };
        void *argv[] = { &n, &work, &bytes, &mem };
        (void)body_launch(s, dev, kernel, argv, COUNT(argv), 1);
        is_right = subject_holds(s, dev, mem, 0, wanted, sizeof wanted) && is_right;
    }
    claim(is_right, "scratch memory is aligned and as large as each launch says");
    uint64_t huge = UINT64_MAX - 4096;
    int64_t n = 0;
    void *argv[] = { &n, &huge, &huge, &mem };
    cohort_status st = body_launch(s, dev, kernel, argv, COUNT(argv), 1);
    claim(st == COHORT_ENOMEM || (st == COHORT_EINVAL && !body_is_native(s)),
          "2^64 bytes of it are refused");
    (void)s->ops.kernel_destroy(dev, kernel, NULL);
    subject_free(s, dev, mem);
}

static void reuse(const subject *s, cohort_dev *dev)
{
    float content[3] = { 1, 2, 3 }, wanted[3] = { 6, 12, 18 }, factor = 2;
    int64_t n = 3;
    cohort_sig sig = body_sig(COHORT_VOID, scale_args, 3);
    cohort_kernel *kernel;
    (void)body_create(s, dev, bodies[BODY_scale], 0, &sig, &kernel, NULL);
    cohort_mem *mem = subject_alloc_from(s, dev, content, sizeof content), *kept = mem;
    void *argv[] = { &factor, &n, &mem };
    cohort_range range = { .dims = 1, .global = { 3 } };
    cohort_launch launch = {
        .struct_size = sizeof launch, .nargs = 3, .argv = argv, .range = range
    };
    cohort_event *first = NULL, *second = NULL;
    cohort_status st = s->ops.launch(dev, NULL, kernel, &launch, &first, NULL);
    factor = 3;
    cohort_status st_second = s->ops.launch(dev, NULL, kernel, &launch, &second, NULL);
    factor = 100;
    n = 1000000;
    mem = NULL;
    argv[0] = argv[1] = argv[2] = NULL;
    claim(subject_settle(s, dev, st, first) == COHORT_OK &&
              subject_settle(s, dev, st_second, second) == COHORT_OK,
          "two launches run");
    claim(subject_holds(s, dev, kept, 0, wanted, sizeof wanted),
          "their arguments may be used again once launch returned");
    (void)s->ops.kernel_destroy(dev, kernel, NULL);
    subject_free(s, dev, kept);
}

/* Kernels have ids, which may begin elsewhere; of a C function that is refused, and it is not
 * called. Bodies of a format that nobody knows here may have ids or not. */
static void offset(const subject *s, cohort_dev *dev)
{
    static const cohort_arg args[] = { MEM(COHORT_I64, int64_t, COHORT_READ | COHORT_WRITE) };
    int64_t before[2] = { -1, -1 }, ids[2] = { 5, 6 };
    cohort_sig sig = body_sig(COHORT_VOID, args, 1);
    cohort_kernel *kernel;
    cohort_error err = { .struct_size = sizeof err };
    (void)body_create(s, dev, bodies[BODY_ids], 0, &sig, &kernel, NULL);
    cohort_mem *mem = subject_alloc_from(s, dev, before, sizeof before);
    void *argv[] = { &mem };
    cohort_launch launch = { .struct_size = sizeof launch,
                             .nargs = 1,
                             .argv = argv,
                             .range = { .dims = 1, .global = { 2 } },
                             .offset = { 5 } };
    cohort_event *event = NULL;
    cohort_status st = s->ops.launch(dev, NULL, kernel, &launch, &event, &err);
    st = subject_settle(s, dev, st, event);
    bool is_refused = body_is_native(s) || (body_is_own(s) && st < 0);
    claim(st == (is_refused ? COHORT_ENOTSUP : COHORT_OK), "an offset is %s: %s",
          is_refused ? "refused" : "taken", err.text);
    claim(subject_holds(s, dev, mem, 0, is_refused ? before : ids, sizeof ids),
          is_refused ? "and the function is not called" : "and ids begin there");
    (void)s->ops.kernel_destroy(dev, kernel, NULL);
    subject_free(s, dev, mem);
}

/* Launches in one call: each with its own arguments, and none behind one that fails. */
static void batches(const subject *s, cohort_dev *dev)
{
    if (!SUBJECT_HAS(s, launch_batch)) {
        claim_skip("launches in one call", "no launch_batch");
        return;
    }
    float content[3] = { 1, 2, 3 }, all[3] = { 30, 60, 90 }, first[3] = { 60, 120, 180 };
    float factors[] = { 2, 3, 5 };
    int64_t n = 3;
    cohort_sig sig = body_sig(COHORT_VOID, scale_args, 3);
    cohort_kernel *kernel;
    (void)body_create(s, dev, bodies[BODY_scale], 0, &sig, &kernel, NULL);
    cohort_mem *mem = subject_alloc_from(s, dev, content, sizeof content);
    void *argvs[][3] = { { &factors[0], &n, &mem },
                         { &factors[1], &n, &mem },
                         { &factors[2], &n, &mem } };
    cohort_launch launches[3];
    for (uint32_t i = 0; i < COUNT(launches); i++)
        launches[i] = (cohort_launch){ .struct_size = sizeof(cohort_launch),
                                       .nargs = 3,
                                       .argv = argvs[i],
                                       .range = { .dims = 1, .global = { 3, 1, 1 } } };
    volatile uint32_t done = 0;
    cohort_status st = s->ops.launch_batch(dev, NULL, kernel, launches, 3, &done, NULL);
    claim(st == COHORT_OK && done == 3 && subject_holds(s, dev, mem, 0, all, sizeof all),
          "three launches in one call run, each with its arguments");
    launches[1].nargs = 2;
    done = 0;
    st = s->ops.launch_batch(dev, NULL, kernel, launches, 3, &done, NULL);
    claim(st == COHORT_EINVAL && done == 1 && subject_holds(s, dev, mem, 0, first, sizeof first),
          "one with an argument too few is refused when the one before is complete, and ends them");
    done = 0;
    st = s->ops.launch_batch(dev, NULL, kernel, launches, 1, &done, NULL);
    claim(st == COHORT_OK && done == 1, "there may be one alone");
    (void)s->ops.kernel_destroy(dev, kernel, NULL);
    subject_free(s, dev, mem);
}

/* The numbers grow with what they are multiplied by: in any other order the sum is less. */
static void arrays(const subject *s, cohort_dev *dev)
{
    enum { N = 33, FIRST = 10, LAST = N - 1 };
    cohort_arg args[N];
    cohort_mem *mems[N];
    void *argv[N], *same[N];
    int64_t sum = 0, factors = 3;
    for (int i = 0; i < N; i++) {
        int64_t x = 1 + i * i;
        args[i] = (cohort_arg)MEM(COHORT_I64, int64_t, COHORT_READ);
        mems[i] = subject_alloc_from(s, dev, &x, sizeof x);
        argv[i] = &mems[i];
        same[i] = &mems[LAST];
        sum += (i < LAST ? FIRST + i : 3) * x;
        factors += i < LAST ? FIRST + i : 0;
    }
    args[LAST].dir = COHORT_READ | COHORT_WRITE;
    cohort_sig sig = body_sig(COHORT_VOID, args, N);
    body_once(s, dev, bodies[BODY_arrays], &sig, argv, 1, NULL);
    claim(subject_holds(s, dev, mems[LAST], 0, &sum, sizeof sum),
          "each of %d arrays is in its place", N);
    body_once(s, dev, bodies[BODY_arrays], &sig, same, 1, NULL);
    sum *= factors;
    claim(subject_holds(s, dev, mems[LAST], 0, &sum, sizeof sum), "one array may be all of them");
    for (int i = 0; i < N; i++)
        subject_free(s, dev, mems[i]);
}

static void split(const subject *s, cohort_dev *dev)
{
    enum { N = 1000003 };
    static const int64_t ranges[][2] = { { 0, N },   { 0, 0 },      { 5, 6 },
                                         { 0, 300 }, { 17, N - 1 }, { 100, 99 } };
    const cohort_arg args[] = { VALUE(COHORT_I64, int64_t), VALUE(COHORT_I64, int64_t),
                                MEM(COHORT_I32, int32_t, COHORT_READ | COHORT_WRITE) };
    cohort_sig sig = body_sig(COHORT_VOID, args, 3);
    int32_t *wanted = calloc(N, sizeof *wanted);
    cohort_mem *mem = subject_alloc_from(s, dev, wanted, N * sizeof *wanted);
    cohort_kernel *kernel;
    (void)body_create(s, dev, bodies[BODY_count], COHORT_CODE_SPLIT | COHORT_CODE_GUARDED, &sig,
                      &kernel, NULL);
    for (size_t i = 0; i < COUNT(ranges); i++) {
        int64_t begin = ranges[i][0], end = ranges[i][1];
        void *argv[] = { &begin, &end, &mem };
        (void)body_launch(s, dev, kernel, argv, 3, end > begin ? (uint64_t)(end - begin) : 0);
        for (int64_t item = begin; item < end; item++)
            wanted[item]++;
    }
    claim(subject_holds(s, dev, mem, 0, wanted, N * sizeof *wanted),
          "a body that may be split does each item once");
    (void)s->ops.kernel_destroy(dev, kernel, NULL);
    subject_free(s, dev, mem);
    free(wanted);
}

/* A launch on the part of a block that begins at this float; the rest of the block stays. */
static void part(const subject *s, cohort_dev *dev, uint32_t first)
{
    enum { N = 100, ITEMS = 7 };
    float content[N], factor = 2;
    for (int i = 0; i < N; i++)
        content[i] = (float)i;
    cohort_mem *whole = subject_alloc_from(s, dev, content, sizeof content), *inner = NULL;
    cohort_status st = s->ops.mem_slice(dev, whole, first * sizeof *content,
                                        ITEMS * sizeof *content, &inner, NULL);
    if (st == COHORT_ENOTSUP) {
        claim_skip("an array begins inside a block", "this device has no part there");
    } else if (claim(st == COHORT_OK && inner != NULL, "float %u of a block begins a part",
                     first)) {
        int64_t n = ITEMS;
        void *argv[] = { &factor, &n, &inner };
        cohort_sig sig = body_sig(COHORT_VOID, scale_args, 3);
        body_once(s, dev, bodies[BODY_scale], &sig, argv, ITEMS, NULL);
        for (uint32_t i = first; i < first + ITEMS; i++)
            content[i] *= factor;
        claim(subject_holds(s, dev, whole, 0, content, sizeof content),
              "an array that begins at float %u is that part of the block, and no more", first);
        subject_free(s, dev, inner);
    }
    subject_free(s, dev, whole);
}

static void parts(const subject *s, cohort_dev *dev)
{
    static const uint32_t firsts[] = { 0, 1, 32, 93 };
    for (size_t i = 0; i < COUNT(firsts); i++)
        part(s, dev, firsts[i]);
}

/* A rule about launches: on the device, opened. */
static void with_device(const subject *s, const char *what, body b,
                        void (*check)(const subject *s, cohort_dev *dev))
{
    if (!body_is_taken(s, what, b))
        return;
    cohort_dev *dev = subject_open(s, 0, 1);
    check(s, dev);
    subject_close(s, dev);
}

static void all_refusals(const subject *s, cohort_dev *dev)
{
    refusals(s, dev);
    too_many(s, dev);
}

static void all_arguments(const subject *s, cohort_dev *dev)
{
    no_arguments(s, dev);
    forty_arguments(s, dev);
}

void rule_refusals(const subject *s)
{
    with_device(s, "what kernels are refused", bodies[BODY_scale], all_refusals);
}

void rule_arity(const subject *s)
{
    with_device(s, "launches with other numbers of arguments", bodies[BODY_scale], arity);
}

void rule_arguments(const subject *s)
{
    with_device(s, "no arguments, and 41", bodies[BODY_nothing], all_arguments);
}

void rule_local(const subject *s)
{
    with_device(s, "local memory", bodies[BODY_scratch], scratch);
}

void rule_reuse(const subject *s)
{
    with_device(s, "arguments that change behind a launch", bodies[BODY_scale], reuse);
}

void rule_offset(const subject *s)
{
    with_device(s, "offsets of ids", bodies[BODY_ids], offset);
}

void rule_batch(const subject *s)
{
    with_device(s, "launches in one call", bodies[BODY_scale], batches);
}

void rule_arrays(const subject *s)
{
    if (s->info.max_args != 0 && s->info.max_args < 33)
        claim_skip("33 arrays", "the device says that its kernels have fewer arguments");
    else
        with_device(s, "33 arrays", bodies[BODY_arrays], arrays);
}

void rule_array_parts(const subject *s)
{
    if (!SUBJECT_HAS(s, mem_slice))
        claim_skip("arrays that begin inside a block", "no mem_slice");
    else
        with_device(s, "arrays that begin inside a block", bodies[BODY_scale], parts);
}

void rule_split(const subject *s)
{
    with_device(s, "bodies that may be split", bodies[BODY_count], split);
}
