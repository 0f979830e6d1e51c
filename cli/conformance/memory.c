/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory: allocation, transfers, borrowed memory, parts, copies, patterns. */
#include "config.h"

#include "cli/conformance/rules.h"

enum { KIB = 1024, MIB = 1024 * 1024, MANY = 10000 };

static void round_trip(const subject *s, cohort_dev *dev, uint64_t bytes)
{
    unsigned char *sent = malloc((size_t)bytes + 1);
    noise(sent, bytes, (uint32_t)bytes);
    cohort_mem *mem = subject_alloc_from(s, dev, sent, bytes);
    claim(subject_holds(s, dev, mem, 0, sent, bytes),
          "a block of %llu bytes gives back what was written", (unsigned long long)bytes);
    subject_free(s, dev, mem);
    free(sent);
}

static void offsets(const subject *s, cohort_dev *dev)
{
    unsigned char wanted[1000];
    noise(wanted, sizeof wanted, 1);
    cohort_mem *mem = subject_alloc_from(s, dev, wanted, sizeof wanted);
    memset(wanted + 13, 7, 100);
    (void)subject_write(s, dev, mem, 13, wanted + 13, 100);
    claim(subject_holds(s, dev, mem, 0, wanted, sizeof wanted),
          "a write inside a block leaves the rest alone");
    claim(subject_holds(s, dev, mem, 999, wanted + 999, 1), "the last byte is read");
    claim(subject_write(s, dev, mem, 1000, wanted, 0) == COHORT_OK,
          "0 bytes at the end are written");
    subject_free(s, dev, mem);
}

static void neighbours(const subject *s, cohort_dev *dev)
{
    cohort_mem *mems[16];
    unsigned char content[16][129];
    for (uint32_t i = 0; i < 16; i++) {
        noise(content[i], sizeof content[i], i);
        mems[i] = subject_alloc_from(s, dev, content[i], sizeof content[i]);
    }
    for (uint32_t i = 0; i < 16; i += 2) {
        memset(content[i], 0xff, sizeof content[i]);
        (void)subject_write(s, dev, mems[i], 0, content[i], sizeof content[i]);
    }
    bool is_kept = true;
    for (uint32_t i = 0; i < 16; i++) {
        is_kept = subject_holds(s, dev, mems[i], 0, content[i], sizeof content[i]) && is_kept;
        subject_free(s, dev, mems[i]);
    }
    claim(is_kept, "writing whole blocks does not touch their neighbours");
}

static void many(const subject *s, cohort_dev *dev)
{
    cohort_mem **mems = calloc(MANY, sizeof *mems);
    bool is_kept = true;
    if (mems == NULL) {
        claim(false, "there is memory for %d blocks", MANY);
        return;
    }
    for (uint32_t i = 0; i < MANY; i++)
        mems[i] = subject_alloc_from(s, dev, &i, sizeof i);
    for (uint32_t i = 0; i < MANY; i++) {
        uint32_t at = i * 7919u % MANY;
        is_kept = subject_holds(s, dev, mems[at], 0, &at, sizeof at) && is_kept;
        subject_free(s, dev, mems[at]);
    }
    claim(is_kept, "%d blocks live side by side and are freed in any order", MANY);
    free(mems);
}

static void limits(const subject *s, cohort_dev *dev)
{
    cohort_mem *mem = NULL;
    cohort_error err = { .struct_size = sizeof err };
    cohort_status st = s->ops.mem_alloc(dev, s->info.mem_max_alloc + 1, 0, &mem, &err);
    claim(st == COHORT_ENOMEM && mem == NULL, "a byte more than mem_max_alloc is refused");
    claim(err.code == COHORT_ENOMEM && err.text[0] != '\0', "with a text: %s", err.text);
    claim(s->ops.mem_alloc(dev, UINT64_MAX, 0, &mem, NULL) == COHORT_ENOMEM && mem == NULL,
          "so are 2^64 - 1 bytes");
    st = s->ops.mem_alloc(dev, MIB, COHORT_MEM_COMMIT, &mem, NULL);
    claim(st == COHORT_OK && mem != NULL, "committed memory is allocated");
    subject_free(s, dev, mem);
}

static void host_pointer(const subject *s, cohort_dev *dev)
{
    char text[] = "seen by the host";
    void *address = NULL;
    if ((s->info.caps & COHORT_CAP_HOST_VISIBLE) == 0) {
        claim_skip("memory is visible to the host",
                   "the device does not say COHORT_CAP_HOST_VISIBLE");
        return;
    }
    cohort_mem *mem = subject_alloc_from(s, dev, text, sizeof text);
    cohort_status st = s->ops.mem_host_ptr(dev, mem, &address, NULL);
    if (claim(st == COHORT_OK && address != NULL, "memory has a host address")) {
        claim(strcmp((char *)address, text) == 0, "and the content is there");
        *(char *)address = 'S';
        text[0] = 'S';
        claim(subject_holds(s, dev, mem, 0, text, sizeof text),
              "what the host writes there the device has");
        claim((uintptr_t)address % s->info.mem_align == 0, "aligned to mem_align, %u",
              s->info.mem_align);
    }
    subject_free(s, dev, mem);
}

static void all_sizes(const subject *s, cohort_dev *dev)
{
    static const uint64_t sizes[] = { 0, 1, 3, 63, 64, 65, 4095, 4097, 100003, MIB, 3 * MIB + 1 };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        round_trip(s, dev, sizes[i]);
}

static void with_device(const subject *s, void (*check)(const subject *s, cohort_dev *dev))
{
    cohort_dev *dev = subject_open(s, 0, 1);
    if (dev == NULL)
        return;
    check(s, dev);
    subject_close(s, dev);
}

void rule_sizes(const subject *s)
{
    with_device(s, all_sizes);
}

void rule_offsets(const subject *s)
{
    with_device(s, offsets);
}

void rule_neighbours(const subject *s)
{
    with_device(s, neighbours);
}

void rule_many(const subject *s)
{
    with_device(s, many);
}

void rule_limits(const subject *s)
{
    with_device(s, limits);
}

void rule_host_pointer(const subject *s)
{
    with_device(s, host_pointer);
}

/* What is written to one opened device is not what another one has, whatever they share. */
void rule_two_opened(const subject *s)
{
    enum { BYTES = 70001, TIMES = 8 };
    static unsigned char content[2][BYTES];
    cohort_dev *devs[2] = { subject_open(s, 0, 1), subject_open(s, 0, 1) };
    cohort_mem *mems[2];
    bool is_kept = true;
    if (devs[0] == NULL || devs[1] == NULL)
        return;
    for (int d = 0; d < 2; d++)
        mems[d] = subject_alloc(s, devs[d], BYTES);
    for (uint32_t i = 0; i < TIMES; i++) {
        cohort_event *events[2] = { NULL, NULL };
        cohort_status st[2];
        for (int d = 0; d < 2; d++) {
            noise(content[d], BYTES, 2 * i + (uint32_t)d);
            st[d] = s->ops.write(devs[d], NULL, mems[d], 0, content[d], BYTES, &events[d], NULL);
        }
        for (int d = 0; d < 2; d++)
            is_kept = subject_settle(s, devs[d], st[d], events[d]) == COHORT_OK && is_kept;
        for (int d = 0; d < 2; d++)
            is_kept = subject_holds(s, devs[d], mems[d], 0, content[d], BYTES) && is_kept;
    }
    claim(is_kept, "a device that is opened twice keeps the memory of both apart");
    for (int d = 0; d < 2; d++) {
        subject_free(s, devs[d], mems[d]);
        subject_close(s, devs[d]);
    }
}

void rule_import(const subject *s)
{
    if (!SUBJECT_HAS(s, mem_import)) {
        claim_skip("borrowed memory", "no mem_import");
        return;
    }
    cohort_dev *dev = subject_open(s, 0, 1);
    cohort_mem *mem = NULL;
    uint64_t align = s->info.import_align > 0 ? s->info.import_align : 1;
    char *block = malloc((size_t)(align + 64)),
         *memory = block + (align - (uintptr_t)block % align) % align;
    memcpy(memory, "borrowed", 9);
    cohort_status st = s->ops.mem_import(dev, memory, 64, COHORT_READ | COHORT_WRITE, &mem, NULL);
    if ((s->info.caps & COHORT_CAP_UNIFIED) == 0 && st == COHORT_ENOTSUP) {
        claim_skip("host memory is imported", "the device has memory of its own");
    } else if (claim(st == COHORT_OK && mem != NULL, "host memory is imported")) {
        claim(subject_holds(s, dev, mem, 0, "borrowed", 9), "and read in place");
        (void)subject_write(s, dev, mem, 0, "changed.", 9);
        subject_free(s, dev, mem);
        claim(strcmp(memory, "changed.") == 0, "and written in place, also once it was given back");
    }
    bool has_import = st == COHORT_OK;
    st = s->ops.mem_import(dev, memory, 0, COHORT_READ, &mem, NULL);
    if (has_import && claim(st == COHORT_OK, "0 bytes are imported"))
        subject_free(s, dev, mem);
    free(block);
    subject_close(s, dev);
}

static void slice(const subject *s, cohort_dev *dev, cohort_mem *mem, uint64_t offset,
                  uint64_t bytes, const char *wanted)
{
    cohort_mem *part = NULL;
    cohort_status st = s->ops.mem_slice(dev, mem, offset, bytes, &part, NULL);
    if (st == COHORT_ENOTSUP) {
        claim_skip("a slice", "this device has none there");
        return;
    }
    claim(st == COHORT_OK && subject_holds(s, dev, part, 0, wanted, bytes),
          "bytes %llu to %llu are a slice", (unsigned long long)offset,
          (unsigned long long)(offset + bytes));
    (void)subject_write(s, dev, part, 0, wanted, bytes);
    subject_free(s, dev, part);
}

void rule_slice(const subject *s)
{
    static const char text[] = "0123456789abcdef";
    if (!SUBJECT_HAS(s, mem_slice)) {
        claim_skip("parts of a block", "no mem_slice");
        return;
    }
    cohort_dev *dev = subject_open(s, 0, 1);
    cohort_mem *mem = subject_alloc_from(s, dev, text, 16);
    cohort_mem *part = NULL;
    slice(s, dev, mem, 0, 16, text);
    slice(s, dev, mem, 3, 5, text + 3);
    slice(s, dev, mem, 15, 1, text + 15);
    slice(s, dev, mem, 16, 0, text + 16);
    if (s->ops.mem_slice(dev, mem, 4, 4, &part, NULL) == COHORT_OK) {
        (void)subject_write(s, dev, part, 1, "XY", 2);
        claim(subject_holds(s, dev, mem, 0, "01234XY789abcdef", 16),
              "what a slice is written the whole has");
        subject_free(s, dev, part);
    }
    subject_free(s, dev, mem);
    subject_close(s, dev);
}

void rule_copy(const subject *s)
{
    static const uint64_t sizes[] = { 0, 1, 63, 4097, 256 * KIB, 3 * MIB + 5 };
    if (!SUBJECT_HAS(s, copy)) {
        claim_skip("copies inside the device", "no copy");
        return;
    }
    cohort_dev *dev = subject_open(s, 0, 1);
    unsigned char *content = malloc(3 * MIB + 64);
    noise(content, 3 * MIB + 64, 5);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        cohort_mem *from = subject_alloc_from(s, dev, content, sizes[i] + 7);
        cohort_mem *into = subject_alloc_from(s, dev, content, sizes[i] + 20);
        cohort_status st = subject_copy(s, dev, into, 11, from, 7, sizes[i]);
        claim(st == COHORT_OK && subject_holds(s, dev, into, 11, content + 7, sizes[i]) &&
                  subject_holds(s, dev, into, 0, content, 11) &&
                  subject_holds(s, dev, into, 11 + sizes[i], content + 11 + sizes[i], 9),
              "%llu bytes are copied, and no others", (unsigned long long)sizes[i]);
        subject_free(s, dev, from);
        subject_free(s, dev, into);
    }
    free(content);
    subject_close(s, dev);
}

static bool fill_is_right(const subject *s, cohort_dev *dev, uint32_t pattern_bytes, uint64_t times)
{
    unsigned char pattern[128];
    uint64_t bytes = pattern_bytes * times, all = bytes + 3 * pattern_bytes;
    unsigned char *wanted = malloc((size_t)all);
    noise(pattern, sizeof pattern, pattern_bytes);
    noise(wanted, all, 99);
    cohort_mem *mem = subject_alloc_from(s, dev, wanted, all);
    for (uint64_t i = 0; i < bytes; i++)
        wanted[2 * pattern_bytes + i] = pattern[i % pattern_bytes];
    cohort_status st = subject_fill(s, dev, mem, 2 * pattern_bytes, bytes, pattern, pattern_bytes);
    bool is_right =
        /* or the fallback */
        st == COHORT_ENOTSUP || (st == COHORT_OK && subject_holds(s, dev, mem, 0, wanted, all));
    subject_free(s, dev, mem);
    free(wanted);
    return is_right;
}

void rule_fill(const subject *s)
{
    static const uint32_t larger[] = { 1, 2, 4, 12, 16, 100, 128 };
    if (!SUBJECT_HAS(s, fill)) {
        claim_skip("patterns", "no fill");
        return;
    }
    cohort_dev *dev = subject_open(s, 0, 1);
    uint32_t n_right = 0;
    for (uint32_t bytes = 1; bytes <= 128; bytes++)
        n_right += fill_is_right(s, dev, bytes, 0) && fill_is_right(s, dev, bytes, 1) &&
                   fill_is_right(s, dev, bytes, 77);
    claim(n_right == 128, "patterns of 1 to 128 bytes fill their range alone");
    for (size_t i = 0; i < sizeof larger / sizeof *larger; i++)
        claim(fill_is_right(s, dev, larger[i], MIB / larger[i] + 1),
              "a pattern of %u bytes fills a large range", larger[i]);
    subject_close(s, dev);
}
