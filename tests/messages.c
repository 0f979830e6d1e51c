/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages between tasks over an engine that breaks: what failed first is what is told. */
#include "config.h"

#include "runtime/exchange/refusal.h"
#include "runtime/exchange/workers.h"

#include "tests/tap.h"

#include <string.h>

/* ------------------------------------------------------------------ an engine */

struct cohort_exchange {
    int nothing;
};

enum { MOST_SENT = 16 };

static struct sent {
    int32_t to, tag;
    cohort_meeting record;
    uint64_t bytes;
} sent[MOST_SENT];
static int n_sent;
static bool is_broken; /* nothing that is begun is ever over */
static bool begins_nothing;

static cohort_status fail(cohort_error *err)
{
    (void)snprintf(err->text, sizeof err->text, "the engine is broken");
    return COHORT_ELOST;
}

static cohort_status begin(cohort_exchange **out, cohort_error *err)
{
    static cohort_exchange one;
    *out = &one;
    return begins_nothing ? fail(err) : COHORT_OK;
}

static cohort_status send(cohort_comm *comm, int32_t to, int32_t tag, const void *from,
                          uint64_t bytes, cohort_exchange **out, cohort_error *err)
{
    (void)comm;
    struct sent *s = &sent[n_sent++];
    *s = (struct sent){ .to = to, .tag = tag, .bytes = bytes };
    memcpy(&s->record, from, bytes);
    return begin(out, err);
}

static cohort_status receive(cohort_comm *comm, int32_t from, int32_t tag, void *into,
                             uint64_t bytes, uint64_t *out_bytes, cohort_exchange **out,
                             cohort_error *err)
{
    (void)comm, (void)from, (void)tag, (void)into, (void)bytes, (void)out_bytes;
    return begin(out, err);
}

static cohort_status test(cohort_comm *comm, cohort_exchange *exchange, cohort_error *err)
{
    (void)comm, (void)exchange;
    return is_broken ? fail(err) : COHORT_OK;
}

static void abandon(cohort_comm *comm, cohort_exchange *exchange)
{
    (void)comm, (void)exchange;
}

static cohort_status reserve(cohort_comm *comm, uint64_t n, cohort_error *err)
{
    (void)comm, (void)n, (void)err;
    return COHORT_OK;
}

static cohort_status host(cohort_comm *comm, int32_t rank, char *out, uint64_t size,
                          cohort_error *err)
{
    (void)comm, (void)err;
    (void)snprintf(out, size, "machine-%d", (int)rank);
    return COHORT_OK;
}

static const cohort_communicator_ops ops = { .struct_size = sizeof ops,
                                             .host = host,
                                             .send = send,
                                             .receive = receive,
                                             .test = test,
                                             .abandon = abandon,
                                             .reserve = reserve };

static cohort_communicator make(int32_t size)
{
    n_sent = 0;
    is_broken = begins_nothing = false;
    return (cohort_communicator){ .ops = &ops,
                                  .info = { .size = size, .rank = 1, .is_serialized = 1 } };
}

/* ------------------------------------------------------------------ */

static cohort_status first_error(void)
{
    return cohort_error_set(COHORT_ENOTSUP, "what failed first");
}

static bool is_first_error(void)
{
    return cohort_error_status() == COHORT_ENOTSUP &&
           strcmp(cohort_error_text(), "what failed first") == 0;
}

static void waits_after(void)
{
    cohort_communicator c = make(2);
    cohort_messages m = { .communicator = &c };
    char byte = 0;
    is_broken = true;
    cohort_messages_receive(&m, 0, &byte, 1);
    ok(cohort_messages_wait_after(&m, "call", first_error()) == COHORT_ENOTSUP && is_first_error(),
       "an error stays where waiting fails, too");
    ok(m.has_given_up && m.n == 0, "which has been given up");
    m.has_given_up = false;
    cohort_messages_receive(&m, 0, &byte, 1);
    ok(cohort_messages_wait_after(&m, "call", COHORT_OK) == COHORT_ELOST &&
           strcmp(cohort_error_text(), "call: worker 0 of 2: the engine is broken") == 0,
       "without one what waiting has come to is told: %s", cohort_error_text());
    cohort_messages_fini(&m);
}

static void tells(void)
{
    for (int i = 0; i < 2; i++) {
        cohort_communicator c = make(3);
        cohort_workers *w = cohort_workers_create(&c, NULL);
        *(i == 0 ? &is_broken : &begins_nothing) = true;
        cohort_workers_tell(w, first_error());
        ok(is_first_error(), "an error that cannot be told stays what it is: %s",
           cohort_error_text());
        w->messages.has_given_up = true; /* nobody is there to leave */
        cohort_workers_destroy(w);
        ok(is_first_error(), "also when the workers part");
    }
}

static void refuses(void)
{
    cohort_communicator c = make(3);
    int32_t tag = -1;
    cohort_refusal_send(&c, first_error());
    ok(is_first_error(), "a refusal leaves the error as it is");
    ok(n_sent == 4 && sent[0].to == 0 && sent[1].to == 0 && sent[2].to == 2 && sent[3].to == 2,
       "it goes to all others");
    ok(sent[0].record.status == COHORT_ENOTSUP &&
           strcmp(sent[0].record.note, "what failed first") == 0 &&
           sent[1].record.end == COHORT_MEETING_LEAVES && sent[1].bytes == COHORT_MEETING_HEAD,
       "and says what has failed, and that nobody comes");
    ok(c.has_unread && sent[3].tag == 0 && cohort_communicator_take_tag(&c, &tag) >= 0 && tag == 1,
       "under a tag that nobody has again");
    is_broken = true;
    cohort_refusal_send(&c, first_error());
    ok(is_first_error(), "one that nobody gets, too");
    c = make(1);
    cohort_refusal_send(&c, first_error());
    ok(n_sent == 0 && !c.has_unread, "who is alone tells nobody");
}

int main(void)
{
    waits_after();
    tells();
    refuses();
    return tap_done();
}
