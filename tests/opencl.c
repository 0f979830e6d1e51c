/* SPDX-License-Identifier: BSD-3-Clause */
/* The OpenCL plugin's devices: parts, memory that the host sees or lends, events, handles. */
#include "config.h"

#include "tests/entries.h"
#include "tests/opencl_subject.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static subject s;
static cohort_dev *dev;

static const char add_source[] =
    "kernel void add(float by, global float *x) { x[get_global_id(0)] += by; }";
static const cohort_arg add_args[] = { VALUE(COHORT_F32, float),
                                       MEM(COHORT_F32, float, COHORT_READ | COHORT_WRITE) };

/* x += by, n times over; returns the kernel's status. */
static cohort_status add(cohort_dev *where, float by, cohort_mem *mem, uint64_t n)
{
    cohort_sig sig = opencl_sig(add_args, NULL, 2);
    cohort_code code = opencl_code(add_source, "");
    cohort_kernel *kernel = opencl_make(&s, where, &code, "add", &sig);
    void *argv[] = { &by, &mem };
    cohort_status st = opencl_go(&s, where, kernel, argv, 2, items(n), NULL);
    (void)s.ops.kernel_destroy(where, kernel, NULL);
    return st;
}

/* ---- Memory. */

static void host_and_device_see_each_other(void)
{
    void *address = NULL;
    if ((s.info.caps & COHORT_CAP_HOST_VISIBLE) == 0) {
        skip("host and device see each other's writes", "no fine-grained shared virtual memory");
        return;
    }
    cohort_mem *mem = subject_alloc(&s, dev, 4096 * sizeof(float));
    (void)s.ops.mem_host_ptr(dev, mem, &address, NULL);
    float *x = address;
    bool is_right = x != NULL;
    for (int round = 0; is_right && round < 100; round++) {
        for (int i = 0; i < 4096; i++)
            x[i] = (float)(i + round);
        is_right = add(dev, 0.5f, mem, 4096) == COHORT_OK;
        for (int i = 0; i < 4096; i++)
            is_right = is_right && x[i] == (float)(i + round) + 0.5f;
    }
    ok(is_right, "host and device see each other's writes once the event is done");
    subject_free(&s, dev, mem);
}

static void borrowed(void)
{
    size_t bytes = 8192, align = s.info.import_align;
    if ((s.info.caps & COHORT_CAP_UNIFIED) == 0) {
        skip("borrowed memory", "the device has memory of its own");
        return;
    }
    float *x = aligned_alloc(align, bytes);
    for (size_t i = 0; i < bytes / sizeof *x; i++)
        x[i] = 1;
    cohort_mem *mem = NULL;
    ok(s.ops.mem_import(dev, x, bytes, COHORT_READ | COHORT_WRITE, &mem, NULL) == COHORT_OK,
       "memory is borrowed");
    ok(add(dev, 2, mem, bytes / sizeof *x) == COHORT_OK, "and used");
    subject_free(&s, dev, mem);
    ok(x[0] == 3 && x[bytes / sizeof *x - 1] == 3,
       "what a kernel wrote is there when it was given back");
    cohort_status st = s.ops.mem_import(dev, (char *)x + 4, 64, COHORT_READ, &mem, NULL);
    if (align > 4)
        ok(st == COHORT_ENOTSUP, "memory that is not aligned is not taken in place");
    else
        skip("memory that is not aligned is not taken in place", "the device aligns nothing");
    free(x);
}

static void parts_of_memory(void)
{
    enum { N = 1024 };
    float x[N];
    for (int i = 0; i < N; i++)
        x[i] = 0;
    cohort_mem *mem = subject_alloc_from(&s, dev, x, sizeof x), *part = NULL;
    cohort_status st = s.ops.mem_slice(dev, mem, s.info.mem_align, 256, &part, NULL);
    if (ok(st == COHORT_OK, "a part that is aligned")) {
        ok(add(dev, 7, part, 64) == COHORT_OK, "is written by a kernel");
        subject_free(&s, dev, part);
    }
    uint64_t first = s.info.mem_align / sizeof *x;
    (void)subject_read(&s, dev, mem, 0, x, sizeof x);
    ok(x[first - 1] == 0 && x[first] == 7 && x[first + 63] == 7 && x[first + 64] == 0,
       "in its place");
    ok(s.ops.mem_slice(dev, mem, 4, 4, &part, NULL) == COHORT_ENOTSUP,
       "one that is not is left to the fallback");
    subject_free(&s, dev, mem);
}

static void mapped(void)
{
    cohort_mem *mem = subject_alloc_from(&s, dev, "0123456789", 10);
    void *at = NULL;
    cohort_event *event = NULL;
    cohort_status st =
        s.ops.mem_map(dev, NULL, mem, 2, 4, COHORT_READ | COHORT_WRITE, &at, &event, NULL);
    ok(subject_settle(&s, dev, st, event) == COHORT_OK && at != NULL && memcmp(at, "2345", 4) == 0,
       "bytes are mapped");
    memcpy(at, "abcd", 4);
    event = NULL;
    st = s.ops.mem_unmap(dev, NULL, mem, at, &event, NULL);
    ok(subject_settle(&s, dev, st, event) == COHORT_OK &&
           subject_holds(&s, dev, mem, 0, "01abcd6789", 10),
       "and what the host wrote is there");
    subject_free(&s, dev, mem);
}

/* The device promises memory that it does not have: the plugin's account does not. */
static void account(void)
{
    cohort_mem *mems[4096];
    uint32_t n = 0;
    uint64_t each =
        s.info.mem_max_alloc < s.info.mem_total / 3 ? s.info.mem_max_alloc : s.info.mem_total / 3;
    cohort_error err = { .struct_size = sizeof err };
    cohort_status st = COHORT_OK;
    while (n < 4096 && st == COHORT_OK) {
        mems[n] = NULL;
        st = s.ops.mem_alloc(dev, each, 0, &mems[n], &err);
        n += st == COHORT_OK;
    }
    ok(st == COHORT_ENOMEM && n * each <= s.info.mem_total,
       "more than the device has is refused: %s", err.text);
    while (n > 0)
        subject_free(&s, dev, mems[--n]);
    cohort_mem *again = subject_alloc(&s, dev, each);
    ok(again != NULL, "what was freed can be had again");
    subject_free(&s, dev, again);
}

/* ---- Events. */

static uint64_t now_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static const char slow_source[] =
    "kernel void slow(long n, global float *x)\n"
    "{ float y = x[0]; for (long i = 0; i < n; i++) y = y * 0.9999f + 1; x[0] = y; }";
static const cohort_arg slow_args[] = { VALUE(COHORT_I64, int64_t),
                                        MEM(COHORT_F32, float, COHORT_READ | COHORT_WRITE) };

static cohort_event *start(cohort_kernel *kernel, cohort_mem *mem, int64_t n)
{
    void *argv[] = { &n, &mem };
    cohort_event *event = NULL;
    cohort_launch launch = {
        .struct_size = sizeof launch, .nargs = 2, .argv = argv, .range = items(1)
    };
    (void)s.ops.launch(dev, NULL, kernel, &launch, &event, NULL);
    return event;
}

static atomic_int n_notes;

static void on_done(void *user, cohort_status st)
{
    (void)user;
    n_notes += st == COHORT_OK ? 1 : 100;
}

/* A simulator runs kernels while they are enqueued, and takes its time. */
static bool is_simulated(void)
{
    return strstr(s.info.name, "Oclgrind") != NULL;
}

static void waits(cohort_kernel *kernel, cohort_mem *mem)
{
    cohort_event *event = start(kernel, mem, is_simulated() ? 10 : 100000000);
    uint64_t before = now_ns();
    if (is_simulated())
        skip("a kernel that runs is not complete", "Oclgrind runs kernels while they are enqueued");
    else {
        ok(s.ops.event_wait(dev, event, 0, NULL) == COHORT_EAGAIN,
           "a kernel that runs is not complete");
        before = now_ns();
        ok(s.ops.event_wait(dev, event, 5000000, NULL) == COHORT_EAGAIN &&
               now_ns() - before >= 5000000,
           "also when the time is over");
    }
    ok(s.ops.event_wait(dev, event, UINT64_MAX, NULL) == COHORT_OK, "then it is");
    ok(s.ops.event_wait(dev, event, 0, NULL) == COHORT_OK, "and stays so");
    (void)s.ops.event_release(dev, event, NULL);
}

static void notes(cohort_kernel *kernel, cohort_mem *mem)
{
    cohort_event *event = start(kernel, mem, is_simulated() ? 10 : 10000000);
    ok(s.ops.event_notify(dev, event, on_done, NULL, NULL) == COHORT_OK, "a call is asked for");
    (void)s.ops.event_release(dev, event, NULL);
    for (int i = 0; i < 2000 && n_notes == 0; i++)
        (void)nanosleep(&(struct timespec){ .tv_nsec = 5000000 }, NULL);
    ok(n_notes == 1, "and comes once, also after the release");
}

static void many(cohort_kernel *kernel, cohort_mem *mem)
{
    enum { N = 10000 };
    cohort_event **events = calloc(N, sizeof(cohort_event *));
    bool is_right = true;
    for (int i = 0; i < N; i++)
        events[i] = start(kernel, mem, 1);
    is_right = s.ops.event_wait(dev, events[N - 1], UINT64_MAX, NULL) == COHORT_OK;
    for (int i = 0; i < N; i++) {
        is_right = s.ops.event_wait(dev, events[i], 0, NULL) == COHORT_OK && is_right;
        (void)s.ops.event_release(dev, events[i], NULL);
    }
    ok(is_right, "%d launches in a row: when the last is complete all are", N);
    free(events);
}

static void events(void)
{
    float zero = 0;
    cohort_sig sig = opencl_sig(slow_args, NULL, 2);
    cohort_code code = opencl_code(slow_source, "");
    cohort_kernel *kernel = opencl_make(&s, dev, &code, "slow", &sig);
    cohort_mem *mem = subject_alloc_from(&s, dev, &zero, sizeof zero);
    cohort_event *warm = start(kernel, mem, 1);
    (void)subject_settle(&s, dev, COHORT_OK, warm);
    waits(kernel, mem);
    notes(kernel, mem);
    many(kernel, mem);
    cohort_event *event = start(kernel, mem, is_simulated() ? 10 : 10000000);
    ok(s.ops.event_release(dev, event, NULL) == COHORT_OK,
       "an event is given back while its kernel runs");
    /* behind the kernel, whose memory goes then */
    (void)subject_read(&s, dev, mem, 0, &zero, sizeof zero);
    subject_free(&s, dev, mem);
    (void)s.ops.kernel_destroy(dev, kernel, NULL);
}

/* ---- Parts and handles. */

static void *work(void *argument)
{
    cohort_dev *part = argument;
    float zeros[256] = { 0 };
    cohort_mem *mem = subject_alloc_from(&s, part, zeros, sizeof zeros);
    cohort_sig sig = opencl_sig(add_args, NULL, 2);
    cohort_code code = opencl_code(add_source, "");
    cohort_kernel *kernel = opencl_make(&s, part, &code, "add", &sig);
    float by = 1;
    void *argv[] = { &by, &mem };
    for (int i = 0; i < 100; i++)
        (void)opencl_go(&s, part, kernel, argv, 2, items(256), NULL);
    (void)s.ops.kernel_destroy(part, kernel, NULL);
    (void)subject_read(&s, part, mem, 0, zeros, sizeof zeros);
    subject_free(&s, part, mem);
    return zeros[0] == 100 && zeros[255] == 100 ? argument : NULL;
}

static void device_parts(void)
{
    if (s.info.max_parts < 2) {
        skip("parts of a device", "it cannot be divided");
        return;
    }
    cohort_dev *parts[2] = { subject_open(&s, 0, 2), subject_open(&s, 1, 2) };
    pthread_t threads[2];
    void *results[2];
    for (int i = 0; i < 2; i++)
        (void)pthread_create(&threads[i], NULL, work, parts[i]);
    for (int i = 0; i < 2; i++)
        (void)pthread_join(threads[i], &results[i]);
    ok(results[0] != NULL && results[1] != NULL, "two parts work side by side, in two threads");
    subject_close(&s, parts[0]);
    subject_close(&s, parts[1]);
    cohort_dev *none = NULL;
    cohort_error err = { .struct_size = sizeof err };
    ok(s.ops.device_open(s.plugin->self, 0, 0, s.info.max_parts + 1, &none, &err) == COHORT_EINVAL,
       "too many parts: %s", err.text);
}

static void reopened(void)
{
    int files = 0, threads = 0, n_right = 0;
    float zeros[64] = { 0 };
    for (int i = 0; i < 50; i++) {
        uint32_t parts = i % 2 == 1 && s.info.max_parts > 1 ? 2 : 1;
        cohort_dev *part = subject_open(&s, parts - 1, parts);
        cohort_mem *mem = subject_alloc_from(&s, part, zeros, sizeof zeros);
        n_right += add(part, 1, mem, 64) == COHORT_OK;
        subject_free(&s, part, mem);
        subject_close(&s, part);
        if (i == 1) {
            files = count_entries("/proc/self/fd");
            threads = count_entries("/proc/self/task");
        }
    }
    ok(n_right == 50, "a device and its parts are opened again and again");
    ok(files == count_entries("/proc/self/fd") && threads >= count_entries("/proc/self/task"),
       "and leave no file and no thread");
}

static void handles(void)
{
    static const char *const names[] = { "cl_platform_id", "cl_device_id", "cl_context",
                                         "cl_command_queue" };
    const cohort_handle_ops *ops = s.plugin->extension(s.plugin->self, "cohort.handle/0");
    if (!ok(ops != NULL, "the plugin shows its handles"))
        return;
    for (size_t i = 0; i < COUNT(names); i++) {
        void *handle = NULL;
        ok(ops->of_device(dev, names[i], &handle, NULL) == COHORT_OK && handle != NULL, "%s",
           names[i]);
    }
    void *handle = NULL;
    cohort_error err = { .struct_size = sizeof err };
    ok(ops->of_device(dev, "cuda_stream", &handle, &err) == COHORT_ENOENT, "no others: %s",
       err.text);
    cohort_mem *mem = subject_alloc(&s, dev, 4);
    ok(ops->of_mem(dev, mem, "cl_mem", &handle, NULL) == COHORT_OK && handle != NULL, "cl_mem");
    ok(ops->of_mem(dev, mem, "float", &handle, &err) == COHORT_ENOENT, "no others: %s", err.text);
    subject_free(&s, dev, mem);
    ok(s.plugin->extension(s.plugin->self, "nobody.nothing/1") == NULL,
       "an extension that is none");
}

static void texts(void)
{
    char text[4096] = "";
    ok(s.ops.query(dev, "version", text, sizeof text, NULL) == COHORT_OK &&
           strncmp(text, "OpenCL ", 7) == 0,
       "%s", text);
    ok(s.ops.query(dev, "extensions", text, 8, NULL) == COHORT_OK && strlen(text) < 8,
       "a text is cut: %s", text);
    ok(s.ops.query(dev, "colour", text, sizeof text, NULL) == COHORT_ENOENT, "a key that is none");
    ok(s.ops.device_abandon(dev, NULL) == COHORT_OK, "a lost device is left alone");
}

int main(void)
{
    const char *why = subject_load_built(&s, OPENCL_PLUGIN);
    if (why != NULL)
        return skip_all(why);
    dev = subject_open(&s, 0, 1);
    host_and_device_see_each_other();
    borrowed();
    parts_of_memory();
    mapped();
    account();
    events();
    handles();
    texts();
    subject_close(&s, dev);
    device_parts();
    reopened();
    return tap_done();
}
