/* SPDX-License-Identifier: BSD-3-Clause */
/* The loopback plugin does what tests ask it to. */
#include "config.h"

#include "cli/conformance/body.h"
#include "plugins/loopback.h"
#include "tests/subject_built.h"
#include "tests/tap.h"

#include <pthread.h>
#include <time.h>

static subject s;
static const cohort_loopback *loopback;

static cohort_loopback_counts counts_of(uint32_t part)
{
    cohort_loopback_counts counts;
    loopback->counts(part, &counts);
    return counts;
}

static int32_t rule(uint32_t op, uint32_t nth, cohort_loopback_action action, cohort_status status)
{
    return loopback->rule(&(cohort_loopback_rule){ .part = COHORT_LOOPBACK_ANY,
                                                   .op = op,
                                                   .nth = nth,
                                                   .action = action,
                                                   .status = status,
                                                   .delay_ns = 20000000 });
}

static void counting(void)
{
    char text[100] = "counted";
    loopback->reset();
    cohort_dev *first = subject_open(&s, 0, 3), *third = subject_open(&s, 2, 3);
    cohort_mem *mem = subject_alloc_from(&s, third, text, 100);
    (void)subject_read(&s, third, mem, 10, text, 7);
    (void)subject_fill(&s, third, mem, 0, 50, "x", 1);
    (void)subject_copy(&s, third, mem, 50, mem, 0, 25);
    cohort_loopback_counts counts = counts_of(2), all = counts_of(COHORT_LOOPBACK_ANY);
    ok(counts.ops[COHORT_LOOPBACK_WRITE] == 1 && counts.ops[COHORT_LOOPBACK_READ] == 1 &&
           counts.ops[COHORT_LOOPBACK_FILL] == 1 && counts.ops[COHORT_LOOPBACK_COPY] == 1,
       "operations are counted by kind");
    ok(counts.bytes_in == 100 && counts.bytes_out == 7 && counts.bytes_inside == 75,
       "and their bytes by direction");
    ok(counts.live_mems == 1 && counts.live_bytes == 100 && counts.live_devices == 1,
       "and what lives");
    ok(counts_of(0).ops[COHORT_LOOPBACK_WRITE] == 0 && counts_of(0).live_devices == 1,
       "each part for itself");
    ok(all.live_devices == 2 && all.bytes_in == 100 && all.ops[COHORT_LOOPBACK_OPEN] == 2,
       "and all together");
    loopback->reset();
    counts = counts_of(2);
    ok(counts.bytes_in == 0 && counts.live_mems == 1,
       "a reset starts from 0, but what lives is counted on");
    subject_free(&s, third, mem);
    subject_close(&s, first);
    subject_close(&s, third);
    all = counts_of(COHORT_LOOPBACK_ANY);
    ok(all.live_devices == 0 && all.live_mems == 0 && all.live_bytes == 0,
       "in the end nothing lives");
}

static void failing(cohort_dev *dev, cohort_mem *mem)
{
    char text[4] = "abc";
    loopback->reset();
    int32_t third = rule(COHORT_LOOPBACK_WRITE, 3, COHORT_LOOPBACK_FAIL, COHORT_ENOMEM);
    cohort_status st[5];
    for (int i = 0; i < 5; i++)
        st[i] = subject_write(&s, dev, mem, 0, i == 2 ? "xyz" : text, 4);
    ok(st[1] == COHORT_OK && st[2] == COHORT_ENOMEM && st[3] == COHORT_OK,
       "the third write fails, and no other");
    ok(loopback->reached(third, 1, 0) == 1 && loopback->reached(third, 2, 0) == 0,
       "the rule has met one operation");
    ok(subject_holds(&s, dev, mem, 0, text, 4), "an operation that fails does nothing");
    cohort_error err = { .struct_size = sizeof err };
    (void)rule(COHORT_LOOPBACK_READ, 1, COHORT_LOOPBACK_FAIL, COHORT_EINTERNAL);
    (void)s.ops.read(dev, NULL, mem, 0, text, 4, NULL, &err);
    has_text(err.text, "READ", "the text names the operation");

    loopback->reset();
    (void)loopback->rule(&(cohort_loopback_rule){ .part = 1,
                                                  .op = COHORT_LOOPBACK_ANY,
                                                  .sticky = 1,
                                                  .action = COHORT_LOOPBACK_FAIL,
                                                  .status = COHORT_EINTERNAL });
    ok(subject_write(&s, dev, mem, 0, text, 4) == COHORT_OK,
       "a rule for another part does not count");
    cohort_dev *other = NULL;
    for (int i = 0; i < 2; i++)
        ok(s.ops.device_open(s.plugin->self, 0, 1, 2, &other, NULL) == COHORT_EINTERNAL &&
               other == NULL,
           "a sticky one fails each time: %d", i);
    loopback->reset();
}

static double seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void delaying(cohort_dev *dev, cohort_mem *mem)
{
    double begin = seconds();
    (void)rule(COHORT_LOOPBACK_WRITE, 1, COHORT_LOOPBACK_DELAY, 0);
    ok(subject_write(&s, dev, mem, 0, "abc", 4) == COHORT_OK && seconds() - begin >= 0.02,
       "a write is late by 20 ms");
    loopback->reset();
}

static void corrupting(cohort_dev *dev, cohort_mem *mem)
{
    (void)rule(COHORT_LOOPBACK_WRITE, 1, COHORT_LOOPBACK_CORRUPT, 0);
    (void)subject_write(&s, dev, mem, 0, "abc", 4);
    char found[4] = "";
    (void)subject_read(&s, dev, mem, 0, found, 4);
    ok(found[0] == 'a' && found[1] == 'b' && found[2] == ('c' ^ 0x10),
       "one bit of a write is another");
    loopback->reset();
}

typedef struct late_write {
    cohort_dev *dev;
    cohort_mem *mem;
    cohort_status st;
} late_write;

static void *write_late(void *argument)
{
    late_write *w = argument;
    w->st = subject_write(&s, w->dev, w->mem, 0, "new", 4);
    return NULL;
}

static void holding(cohort_dev *dev, cohort_mem *mem)
{
    late_write w = { dev, mem, COHORT_EAGAIN };
    pthread_t thread;
    for (int is_reset = 0; is_reset <= 1; is_reset++) {
        (void)subject_write(&s, dev, mem, 0, "old", 4);
        int32_t held = rule(COHORT_LOOPBACK_WRITE, 1, COHORT_LOOPBACK_HOLD, 0);
        ok(loopback->reached(held, 1, 1000000) == 0, "nothing is held yet");
        (void)pthread_create(&thread, NULL, write_late, &w);
        ok(loopback->reached(held, 1, UINT64_C(60000000000)) == 1, "a write is held");
        ok(subject_holds(&s, dev, mem, 0, "old", 4), "and has not been done, while others go on");
        if (is_reset)
            loopback->reset();
        else
            loopback->release(held);
        (void)pthread_join(thread, NULL);
        ok(w.st == COHORT_OK && subject_holds(&s, dev, mem, 0, "new", 4),
           "%s lets it go, and it is done late", is_reset ? "reset" : "release");
    }
}

static void losing(cohort_dev *dev)
{
    cohort_mem *mem = subject_alloc(&s, dev, 8);
    loopback->lose(0);
    ok(subject_write(&s, dev, mem, 0, "abc", 4) == COHORT_ELOST,
       "every operation of a lost device says so");
    ok(s.ops.mem_free(dev, mem, NULL) == COHORT_ELOST && counts_of(0).live_mems == 1,
       "also free, which frees nevertheless");
    cohort_dev *other = subject_open(&s, 1, 2);
    mem = subject_alloc_from(&s, other, "abc", 4);
    ok(subject_holds(&s, other, mem, 0, "abc", 4), "another part is not lost");
    subject_free(&s, other, mem);
    subject_close(&s, other);
    loopback->reset();
}

static void past_the_end(char *x)
{
    x[8] = 1;
}

static void canaries(cohort_dev *dev)
{
    const cohort_arg args[] = { MEM(COHORT_I8, char, COHORT_WRITE) };
    cohort_sig sig = body_sig(COHORT_VOID, args, 1);
    cohort_mem *mem = subject_alloc(&s, dev, 8);
    void *argv[] = { &mem };
    body_once(&s, dev, NATIVE(past_the_end), &sig, argv, 1, NULL);
    cohort_error err = { .struct_size = sizeof err };
    ok(s.ops.mem_free(dev, mem, &err) == COHORT_EINTERNAL,
       "a body that writes past its array is found: %s", err.text);
}

static void lying(void)
{
    cohort_device_info info;
    uint32_t n = 7;
    loopback->lie(COHORT_LOOPBACK_NO_DEVICES);
    ok(s.ops.enumerate(s.plugin->self, 1, sizeof info, &info, &n, NULL) == COHORT_OK && n == 0,
       "there may be no device");
    loopback->lie(COHORT_LOOPBACK_MANY_DEVICES);
    (void)s.ops.enumerate(s.plugin->self, 1, sizeof info, &info, &n, NULL);
    ok(n == 1000000000, "or 10^9");
    loopback->lie(COHORT_LOOPBACK_OPEN_TEXT);
    (void)s.ops.enumerate(s.plugin->self, 1, sizeof info, &info, &n, NULL);
    ok(memchr(info.name, '\0', sizeof info.name) == NULL, "or a name without an end");
    loopback->lie(COHORT_LOOPBACK_REFUSES);
    ok(s.ops.enumerate(s.plugin->self, 1, sizeof info, &info, &n, NULL) == COHORT_EINTERNAL,
       "or a refusal");
    loopback->reset();
    (void)s.ops.enumerate(s.plugin->self, 1, sizeof info, &info, &n, NULL);
    ok(n == 1 && memcmp(&info, &s.info, sizeof info) == 0,
       "after a reset there is the truth again");
}

static void running_out_of_rules(void)
{
    int32_t last = 0;
    for (int i = 0; i < COHORT_LOOPBACK_RULES; i++)
        last = rule(COHORT_LOOPBACK_COPY, 1, COHORT_LOOPBACK_DELAY, 0);
    ok(last == COHORT_LOOPBACK_RULES - 1, "there is room for %d rules", COHORT_LOOPBACK_RULES);
    ok(rule(COHORT_LOOPBACK_COPY, 1, COHORT_LOOPBACK_DELAY, 0) == -1, "and for no more");
    loopback->release(-1);
    loopback->release(last + 1);
    ok(loopback->reached(last + 1, 1, 0) == 0, "a rule that is not there is never reached");
    loopback->reset();
}

int main(void)
{
    const char *why = subject_load_built(&s, "plugins/.libs/cohort-loopback.so");
    if (why != NULL)
        return skip_all(why);
    ok(s.plugin->extension(s.plugin->self, "cohort.other/0") == NULL, "it has no other extension");
    loopback = s.plugin->extension(s.plugin->self, COHORT_LOOPBACK);
    if (!ok(loopback != NULL && loopback->struct_size == sizeof *loopback, "it has that for tests"))
        return tap_done();
    counting();
    cohort_dev *dev = subject_open(&s, 0, 2);
    cohort_mem *mem = subject_alloc(&s, dev, 4);
    failing(dev, mem);
    delaying(dev, mem);
    corrupting(dev, mem);
    holding(dev, mem);
    losing(dev);
    canaries(dev);
    subject_free(&s, dev, mem);
    subject_close(&s, dev);
    lying();
    running_out_of_rules();
    return tap_done();
}
