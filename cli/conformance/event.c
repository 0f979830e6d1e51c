/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations that only begin: their events, and the order of a queue. */
#include "config.h"

#include "cli/conformance/rules.h"

enum { LARGE = 8 << 20, TIMES = 6, MANY = 2000 };

/* Blocks of the host and of the device; NULL, and a claim, when there is no memory. */
typedef struct blocks {
    cohort_dev *dev;
    cohort_mem *mem;
    unsigned char *from, *into;
} blocks;

static bool blocks_open(const subject *s, blocks *b)
{
    if (!SUBJECT_HAS(s, event_wait)) {
        claim_skip("events", "no event_wait: each operation is complete when it returns");
        return false;
    }
    *b = (blocks){ subject_open(s, 0, 1), NULL, malloc(LARGE), malloc(LARGE) };
    if (b->dev != NULL)
        b->mem = subject_alloc(s, b->dev, LARGE);
    return claim(b->dev != NULL && b->mem != NULL && b->from != NULL && b->into != NULL,
                 "there is memory to try it with");
}

static void blocks_close(const subject *s, blocks *b)
{
    subject_free(s, b->dev, b->mem);
    subject_close(s, b->dev);
    free(b->from);
    free(b->into);
}

static cohort_status wait(const subject *s, cohort_dev *dev, cohort_event *event,
                          uint64_t timeout_ns)
{
    return event != NULL ? s->ops.event_wait(dev, event, timeout_ns, NULL) : COHORT_OK;
}

static cohort_status wait_long(const subject *s, cohort_dev *dev, cohort_event *event)
{
    cohort_status st;
    do
        st = wait(s, dev, event, UINT64_C(1000000000));
    while (st == COHORT_EAGAIN);
    return st;
}

static void release(const subject *s, cohort_dev *dev, cohort_event *event)
{
    if (event != NULL && s->ops.event_release(dev, event, NULL) < 0)
        claim(false, "an event is given back");
}

/* 0 asks, the answer is the operation's, and it stays the same. Behind several large ones the last
 * is not done when it is asked first. */
void rule_event_answers(const subject *s)
{
    enum { N = 8 };
    blocks b;
    if (!blocks_open(s, &b))
        return;
    cohort_event *events[N] = { NULL };
    cohort_status st = COHORT_OK;
    noise(b.from, LARGE, 1);
    for (int i = 0; i < N && st == COHORT_OK; i++)
        st = s->ops.write(b.dev, NULL, b.mem, 0, b.from, LARGE, &events[i], NULL);
    claim(st == COHORT_OK, "large writes begin");
    cohort_status asked = wait(s, b.dev, events[N - 1], 0);
    claim(asked == COHORT_OK || asked == COHORT_EAGAIN, "event_wait(0) is COHORT_OK or EAGAIN: %d",
          asked);
    for (int i = N - 1; i >= 0; i--) {
        claim(wait_long(s, b.dev, events[i]) == COHORT_OK,
              "a wait ends with the answer of the operation");
        claim(wait(s, b.dev, events[i], 0) == COHORT_OK &&
                  wait(s, b.dev, events[i], 0) == COHORT_OK,
              "which is the same when it is asked again, with 0 too");
        release(s, b.dev, events[i]);
    }
    blocks_close(s, &b);
}

/* The last bytes come last, so they are looked at first. */
void rule_event_done(const subject *s)
{
    blocks b;
    if (!blocks_open(s, &b))
        return;
    int n_early = 0;
    for (uint32_t i = 0; i < TIMES; i++) {
        cohort_event *written = NULL, *read = NULL;
        noise(b.from, LARGE, i + 7);
        memset(b.into, 0, LARGE);
        cohort_status st = s->ops.write(b.dev, NULL, b.mem, 0, b.from, LARGE, &written, NULL);
        st = st < 0 ? st : s->ops.read(b.dev, NULL, b.mem, 0, b.into, LARGE, &read, NULL);
        /* of the write first: an event that is the operation's before is done too early */
        if (st >= 0 && wait_long(s, b.dev, written) == COHORT_OK)
            st = wait_long(s, b.dev, read);
        n_early += st < 0 || memcmp(b.into + LARGE - 4096, b.from + LARGE - 4096, 4096) != 0 ||
                   memcmp(b.into, b.from, LARGE) != 0;
        release(s, b.dev, written);
        release(s, b.dev, read);
    }
    claim(n_early == 0, "what was read is there when its event is done: %d of %d times not",
          n_early, TIMES);
    blocks_close(s, &b);
}

/* While the first of many operations is under way the last one is not done. */
void rule_event_own(const subject *s)
{
    enum { N = 8 };
    blocks b;
    if (!blocks_open(s, &b))
        return;
    cohort_event *events[N] = { NULL };
    int n_same = 0, n_before = 0;
    for (int i = 0; i < N; i++)
        (void)s->ops.write(b.dev, NULL, b.mem, 0, b.from, LARGE, &events[i], NULL);
    for (int i = N - 1; i > 0; i--) {
        for (int j = 0; j < i; j++)
            n_same += events[i] != NULL && events[i] == events[j];
        n_before += wait(s, b.dev, events[i], 0) == COHORT_OK &&
                    wait(s, b.dev, events[i - 1], 0) == COHORT_EAGAIN;
    }
    claim(n_same == 0, "operations that are under way have events of their own");
    claim(n_before == 0, "none is done before one that was begun earlier on its queue");
    for (int i = 0; i < N; i++) {
        if (wait_long(s, b.dev, events[i]) < 0)
            claim(false, "write %d is done", i);
        release(s, b.dev, events[i]);
    }
    blocks_close(s, &b);
}

/* Nobody waits between them: the queue is in order. Not only of devices with events. */
void rule_order(const subject *s)
{
    enum { N = 64, BYTES = 65536 };
    static unsigned char content[N][BYTES], found[BYTES];
    cohort_event *events[N + 1] = { NULL };
    cohort_dev *dev = subject_open(s, 0, 1);
    if (dev == NULL)
        return;
    cohort_mem *mem = subject_alloc(s, dev, BYTES);
    cohort_status st = COHORT_OK;
    for (uint32_t i = 0; i < N && st >= 0; i++) {
        noise(content[i], BYTES, i);
        st = s->ops.write(dev, NULL, mem, 0, content[i], BYTES, &events[i], NULL);
    }
    st = st < 0 ? st : s->ops.read(dev, NULL, mem, 0, found, BYTES, &events[N], NULL);
    claim(subject_settle(s, dev, st, events[N]) == COHORT_OK &&
              memcmp(found, content[N - 1], BYTES) == 0,
          "a read sees the last of %d writes that were begun before it", N);
    for (int i = 0; i < N; i++)
        (void)subject_settle(s, dev, COHORT_OK, events[i]);
    subject_free(s, dev, mem);
    subject_close(s, dev);
}

void rule_flight(const subject *s)
{
    blocks b;
    if (!blocks_open(s, &b))
        return;
    cohort_event **events = calloc(MANY, sizeof(cohort_event *));
    int n_right = 0;
    for (uint32_t i = 0; i < MANY && events != NULL; i++) {
        b.from[i] = (unsigned char)i;
        (void)s->ops.write(b.dev, NULL, b.mem, i, b.from + i, 1, &events[i], NULL);
    }
    for (uint32_t i = 0; i < MANY && events != NULL; i++)
        n_right += subject_settle(s, b.dev, COHORT_OK, events[i]) == COHORT_OK;
    claim(n_right == MANY && subject_holds(s, b.dev, b.mem, 0, b.from, MANY),
          "%d operations are under way at a time, and all are done", MANY);
    free(events);
    blocks_close(s, &b);
}
