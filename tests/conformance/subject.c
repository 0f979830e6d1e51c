/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "tests/conformance/subject.h"

#include "runtime/plugin/host_table.h"

#include <dlfcn.h>
#include <sched.h>
#include <unistd.h>

typedef const cohort_plugin *(*entry_fn)(const cohort_request *rq, cohort_error *err);

static entry_fn find_entry(const char *file, const char **out_why)
{
    char path[4096];
    const char *folder = getenv("builddir");
    (void)snprintf(path, sizeof path, "%s/%s", folder != NULL ? folder : ".", file);
    *out_why = "this plugin was not built";
    if (access(path, F_OK) != 0)
        return NULL;
    cpu_set_t mine;
    (void)sched_getaffinity(0, sizeof mine, &mine);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    /* some OpenMP runtimes bind the thread that loads them */
    (void)sched_setaffinity(0, sizeof mine, &mine);
    *out_why = library == NULL ? dlerror() : NULL;
    union {
        void *symbol;
        entry_fn entry;
    } found = { library != NULL ? dlsym(library, "cohort_plugin_entry_1") : NULL };
    if (library != NULL && found.symbol == NULL)
        *out_why = "no entry of ABI 1";
    return found.entry;
}

static void check_entry(entry_fn entry, const cohort_plugin *plugin)
{
    cohort_request later = { .struct_size = sizeof later,
                             .core_minor = COHORT_ABI_MINOR + 1,
                             .core_version = "9" };
    cohort_request showing = { .struct_size = sizeof showing,
                               .core_minor = COHORT_ABI_MINOR,
                               .core_version = "0" };
    cohort_error err = { .struct_size = sizeof err };
    ok(entry(&showing, NULL) == plugin, "the entry answers the same again, without a host table");
    ok(entry(&later, &err) == NULL && err.code == COHORT_EINCOMPATIBLE,
       "another minor of ABI 1 is refused");
    has_text(err.text, "ABI 1.", "and the text says for which it was built");
}

static const char *take_devices(subject *s)
{
    cohort_error err = { .struct_size = sizeof err };
    if (s->ops.enumerate(s->plugin->self, 1, sizeof s->info, &s->info, &s->n_devices, &err) < 0)
        return "the plugin cannot enumerate";
    return s->n_devices == 0 ? "the plugin has no device" : NULL;
}

const char *subject_load(subject *s, const char *file)
{
    const char *why;
    entry_fn entry = find_entry(file, &why);
    if (entry == NULL)
        return why;
    memset(s, 0, sizeof *s);
    s->host = cohort_host_table();
    cohort_request request = { sizeof request, COHORT_ABI_MINOR, s->host, "test" };
    s->plugin = entry(&request, NULL);
    if (s->plugin == NULL || s->plugin->ops == NULL)
        return "the plugin offers no devices";
    uint32_t size = s->plugin->ops->struct_size;
    memcpy(&s->ops, s->plugin->ops, size < sizeof s->ops ? size : sizeof s->ops);
    why = take_devices(s);
    if (why == NULL)
        check_entry(entry, s->plugin);
    return why;
}

void subject_choose(const subject *s, uint32_t index, subject *out)
{
    cohort_device_info infos[16];
    uint32_t n = 0;
    *out = *s;
    if (s->ops.enumerate(s->plugin->self, 16, sizeof *infos, infos, &n, NULL) == COHORT_OK &&
        index < 16 && index < n) {
        out->index = index;
        out->info = infos[index];
    }
}

cohort_dev *subject_open(const subject *s, uint32_t part, uint32_t parts)
{
    cohort_dev *dev = NULL;
    cohort_error err = { .struct_size = sizeof err };
    if (s->ops.device_open(s->plugin->self, s->index, part, parts, &dev, &err) < 0 || dev == NULL)
        ok(false, "part %u of %u opens: %s", part, parts, err.text);
    return dev;
}

void subject_close(const subject *s, cohort_dev *dev)
{
    if (s->ops.device_close(dev, NULL) < 0)
        ok(false, "a device closes");
}

cohort_mem *subject_alloc(const subject *s, cohort_dev *dev, uint64_t bytes)
{
    cohort_mem *mem = NULL;
    cohort_error err = { .struct_size = sizeof err };
    if (s->ops.mem_alloc(dev, bytes, 0, &mem, &err) < 0 || mem == NULL)
        ok(false, "%llu bytes are allocated: %s", (unsigned long long)bytes, err.text);
    return mem;
}

cohort_mem *subject_alloc_from(const subject *s, cohort_dev *dev, const void *from, uint64_t bytes)
{
    cohort_mem *mem = subject_alloc(s, dev, bytes);
    if (subject_write(s, dev, mem, 0, from, bytes) < 0)
        ok(false, "%llu bytes are written", (unsigned long long)bytes);
    return mem;
}

void subject_free(const subject *s, cohort_dev *dev, cohort_mem *mem)
{
    cohort_error err = { .struct_size = sizeof err };
    if (s->ops.mem_free(dev, mem, &err) < 0)
        ok(false, "memory is freed: %s", err.text);
}

cohort_status subject_settle(const subject *s, cohort_dev *dev, cohort_status st,
                             cohort_event *event)
{
    if (st < 0 || event == NULL)
        return st;
    st = s->ops.event_wait(dev, event, UINT64_C(60000000000), NULL);
    (void)s->ops.event_release(dev, event, NULL);
    return st;
}

cohort_status subject_write(const subject *s, cohort_dev *dev, cohort_mem *mem, uint64_t offset,
                            const void *from, uint64_t bytes)
{
    cohort_event *event = NULL;
    cohort_status st = s->ops.write(dev, NULL, mem, offset, from, bytes, &event, NULL);
    return subject_settle(s, dev, st, event);
}

cohort_status subject_read(const subject *s, cohort_dev *dev, cohort_mem *mem, uint64_t offset,
                           void *into, uint64_t bytes)
{
    cohort_event *event = NULL;
    cohort_status st = s->ops.read(dev, NULL, mem, offset, into, bytes, &event, NULL);
    return subject_settle(s, dev, st, event);
}

cohort_status subject_copy(const subject *s, cohort_dev *dev, cohort_mem *dst, uint64_t dst_offset,
                           cohort_mem *src, uint64_t src_offset, uint64_t bytes)
{
    cohort_event *event = NULL;
    cohort_status st =
        s->ops.copy(dev, NULL, dst, dst_offset, src, src_offset, bytes, &event, NULL);
    return subject_settle(s, dev, st, event);
}

cohort_status subject_fill(const subject *s, cohort_dev *dev, cohort_mem *mem, uint64_t offset,
                           uint64_t bytes, const void *pattern, uint32_t pattern_bytes)
{
    cohort_event *event = NULL;
    cohort_status st =
        s->ops.fill(dev, NULL, mem, offset, bytes, pattern, pattern_bytes, &event, NULL);
    return subject_settle(s, dev, st, event);
}

cohort_status subject_reduce(const subject *s, cohort_dev *dev, const cohort_reduction *reduction)
{
    cohort_event *event = NULL;
    cohort_status st = s->ops.reduce(dev, NULL, reduction, &event, NULL);
    return subject_settle(s, dev, st, event);
}

bool subject_holds(const subject *s, cohort_dev *dev, cohort_mem *mem, uint64_t offset,
                   const void *wanted, uint64_t bytes)
{
    void *found = malloc((size_t)bytes + 1);
    bool is_equal = found != NULL && subject_read(s, dev, mem, offset, found, bytes) == COHORT_OK &&
                    (bytes == 0 || memcmp(found, wanted, (size_t)bytes) == 0);
    free(found);
    return is_equal;
}

void noise(void *into, uint64_t bytes, uint32_t seed)
{
    unsigned char *p = into;
    uint32_t state = seed * 2654435761u + 1;
    for (uint64_t i = 0; i < bytes; i++) {
        state = state * 1664525u + 1013904223u;
        p[i] = (unsigned char)(state >> 24);
    }
}
