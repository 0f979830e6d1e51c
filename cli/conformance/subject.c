/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "cli/conformance/subject.h"

#include <dlfcn.h>
#include <sched.h>
#include <unistd.h>

subject_entry_fn subject_entry(const char *file, const char **out_why)
{
    cpu_set_t mine;
    (void)sched_getaffinity(0, sizeof mine, &mine);
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    /* some OpenMP runtimes bind the thread that loads them */
    (void)sched_setaffinity(0, sizeof mine, &mine);
    *out_why = library == NULL ? dlerror() : NULL;
    union {
        void *symbol;
        subject_entry_fn entry;
    } found = { library != NULL ? dlsym(library, "cohort_plugin_entry_1") : NULL };
    if (library != NULL && found.symbol == NULL)
        *out_why = "it has no symbol cohort_plugin_entry_1, the entry of ABI 1";
    return found.entry;
}

static const char *take_devices(subject *s)
{
    static cohort_error err = { .struct_size = sizeof err };
    if (s->ops.enumerate(s->plugin->self, 0, sizeof s->info, NULL, &s->n_devices, &err) < 0)
        return err.text[0] != '\0' ? err.text : "enumerate answers an error without a text";
    subject_choose(s, 0, s);
    return NULL;
}

const char *subject_load(subject *s, const char *file)
{
    const char *why;
    subject_entry_fn entry = subject_entry(file, &why);
    if (entry == NULL)
        return why;
    *s = (subject){ .host = cohort_plugin_host(), .file = file };
    cohort_request request = { sizeof request, COHORT_ABI_MINOR, s->host, "check" };
    s->plugin = entry(&request, NULL);
    if (s->plugin == NULL)
        return "its entry refuses this core";
    if (s->plugin->ops == NULL)
        return "it offers no devices";
    uint32_t size = s->plugin->ops->struct_size;
    memcpy(&s->ops, s->plugin->ops, size < sizeof s->ops ? size : sizeof s->ops);
    return s->ops.enumerate != NULL ? take_devices(s) : "it has no operation enumerate";
}

void subject_choose(const subject *s, uint32_t index, subject *out)
{
    uint32_t n = 0;
    cohort_device_info *infos = calloc(s->n_devices + 1, sizeof *infos);
    *out = *s;
    if (infos != NULL && index < s->n_devices &&
        s->ops.enumerate(s->plugin->self, s->n_devices, sizeof *infos, infos, &n, NULL) ==
            COHORT_OK) {
        out->index = index;
        out->info = infos[index];
    }
    free(infos);
}

cohort_dev *subject_open(const subject *s, uint32_t part, uint32_t parts)
{
    cohort_dev *dev = NULL;
    cohort_error err = { .struct_size = sizeof err };
    if (s->ops.device_open(s->plugin->self, s->index, part, parts, &dev, &err) < 0 || dev == NULL)
        claim(false, "part %u of %u opens: %s", part, parts, err.text);
    return dev;
}

void subject_close(const subject *s, cohort_dev *dev)
{
    if (s->ops.device_close(dev, NULL) < 0)
        claim(false, "a device closes");
}

cohort_mem *subject_alloc(const subject *s, cohort_dev *dev, uint64_t bytes)
{
    cohort_mem *mem = NULL;
    cohort_error err = { .struct_size = sizeof err };
    if (s->ops.mem_alloc(dev, bytes, 0, &mem, &err) < 0 || mem == NULL)
        claim(false, "%llu bytes are allocated: %s", (unsigned long long)bytes, err.text);
    return mem;
}

cohort_mem *subject_alloc_from(const subject *s, cohort_dev *dev, const void *from, uint64_t bytes)
{
    cohort_mem *mem = subject_alloc(s, dev, bytes);
    if (subject_write(s, dev, mem, 0, from, bytes) < 0)
        claim(false, "%llu bytes are written", (unsigned long long)bytes);
    return mem;
}

void subject_free(const subject *s, cohort_dev *dev, cohort_mem *mem)
{
    cohort_error err = { .struct_size = sizeof err };
    if (s->ops.mem_free(dev, mem, &err) < 0)
        claim(false, "memory is freed: %s", err.text);
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
