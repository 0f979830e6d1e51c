/* SPDX-License-Identifier: BSD-3-Clause */
/* The ring has one producer, the thread, and one consumer. Each has a counter that only it moves.
 * While there is something to take, or room to put something, neither takes a lock; who finds none
 * sleeps, and says so first. A producer is woken when half of the ring is free, not for each
 * element. */
#include "config.h"

#include "runtime/data/dataset/prefetch.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/base/thread.h"
#include "runtime/data/dataset/dataset.h"
#include "runtime/data/dataset/fault.h"

static const char call[] = "cohort_dataset_prefetch";

enum { CACHE_LINE = 64 };

/* The answer of the input. */
typedef struct prefetch_slot {
    cohort_status status;
    cohort_retained retained;
    uint64_t bytes; /* of it */
    cohort_fault fault;
} prefetch_slot;

typedef struct prefetch_cursor {
    cohort_cursor head;
    cohort_cursor *input;  /* the thread's, while there is one */
    cohort_retained given; /* what the consumer looks at */
    prefetch_slot *slots;  /* [capacity] */
    uint64_t capacity;
    uint64_t most_bytes; /* UINT64_MAX: any */
    bool is_decided;     /* whether there is a thread */
    bool has_thread;
    unsigned forks; /* of the process that has the thread */
    pthread_t thread;
    pthread_mutex_t lock; /* for sleeping */
    pthread_cond_t filled, freed;

    /* Apart from each other, since each is written by one thread and looked at by the other. */
    char before_put[CACHE_LINE];
    _Atomic uint64_t put; /* by the producer: answers so far */
    char before_taken[CACHE_LINE];
    _Atomic uint64_t taken; /* by the consumer */
    /* of what waits: added to by the producer before it puts, and taken from by the consumer */
    _Atomic uint64_t bytes;
    char before_flags[CACHE_LINE];
    atomic_bool is_consumer_asleep, is_producer_asleep, is_closing;
} prefetch_cursor;

/* ------------------------------------------------------------------ sleeping */

/* Counters, flags and looks at them are in one order (sequentially consistent): who is about to
 * sleep says so before it looks a last time, and who changes a counter looks for sleepers
 * afterwards; so one of them sees the other. */

static void wake(prefetch_cursor *c, atomic_bool *is_asleep, pthread_cond_t *condition)
{
    if (!atomic_load(is_asleep) || !atomic_exchange(is_asleep, false))
        return;
    (void)pthread_mutex_lock(&c->lock); /* who has said that it sleeps does so by now */
    (void)pthread_mutex_unlock(&c->lock);
    (void)pthread_cond_signal(condition); /* not with the lock, which is what it wants first */
}

static uint64_t count_filled(const prefetch_cursor *c)
{
    return atomic_load(&c->put) - atomic_load(&c->taken);
}

static bool is_filled(const prefetch_cursor *c)
{
    return count_filled(c) > 0;
}

/* Nothing that waits has no bytes, so that there always is room for one element. */
static bool has_bytes_left(const prefetch_cursor *c)
{
    return c->most_bytes == UINT64_MAX || atomic_load(&c->bytes) < c->most_bytes;
}

static bool is_worth_waking(const prefetch_cursor *c)
{
    return (count_filled(c) <= c->capacity / 2 && has_bytes_left(c)) || atomic_load(&c->is_closing);
}

static void sleep_until(prefetch_cursor *c, bool (*is_time)(const prefetch_cursor *c),
                        atomic_bool *is_asleep, pthread_cond_t *condition)
{
    (void)pthread_mutex_lock(&c->lock);
    for (;;) {
        atomic_store(is_asleep, true);
        if (is_time(c))
            break;
        (void)cohort_condition_wait_until(condition, &c->lock, INT64_MAX);
    }
    atomic_store(is_asleep, false);
    (void)pthread_mutex_unlock(&c->lock);
}

/* ------------------------------------------------------------------ the thread */

/* Of a bound alone: who has none shares no counter. */
static void count_bytes(prefetch_cursor *c, prefetch_slot *slot)
{
    slot->bytes = 0;
    for (int32_t k = 0; k < slot->retained.n && c->most_bytes != UINT64_MAX; k++)
        slot->bytes += cohort_part_bytes(&slot->retained.parts[k]);
    if (slot->bytes > 0)
        (void)atomic_fetch_add(&c->bytes, slot->bytes);
}

/* true: nothing follows this answer. */
/* The slot is the producer's until `put` says that it is filled; its list of parts is used
 * again. */
static bool fill(prefetch_cursor *c, prefetch_slot *slot)
{
    cohort_element element;
    bool can_go_on = false;
    slot->status = cohort_cursor_next(c->input, &element);
    if (slot->status < 0)
        can_go_on = c->input->can_go_on;
    if (slot->status == COHORT_OK)
        slot->status = cohort_element_retain(&element, c->head.pool, &slot->retained);
    if (slot->status == COHORT_OK)
        count_bytes(c, slot);
    if (slot->status < 0)
        (void)cohort_fault_note(&slot->fault, slot->status, can_go_on);
    return slot->status != COHORT_OK && !can_go_on;
}

static void *read_ahead(void *argument)
{
    prefetch_cursor *c = argument;
    for (bool is_last = false; !is_last;) {
        uint64_t put = atomic_load_explicit(&c->put, memory_order_relaxed);
        if (put - atomic_load_explicit(&c->taken, memory_order_acquire) == c->capacity ||
            !has_bytes_left(c))
            sleep_until(c, is_worth_waking, &c->is_producer_asleep, &c->freed);
        if (atomic_load_explicit(&c->is_closing, memory_order_relaxed))
            break;
        is_last = fill(c, &c->slots[put % c->capacity]);
        atomic_store(&c->put, put + 1);
        wake(c, &c->is_consumer_asleep, &c->filled);
    }
    return NULL;
}

/* Started with the first element and not at opening: an input that is skipped first, as to a
 * position, is skipped without a thread. Where none can be had the consumer reads, which is
 * slower and gives the same. */
static void decide_once(prefetch_cursor *c)
{
    if (c->is_decided)
        return;
    c->is_decided = true;
    c->forks = cohort_thread_forks();
    c->has_thread = cohort_thread_start(&c->thread, read_ahead, c) == 0;
}

/* ------------------------------------------------------------------ the consumer */

/* A child of the process has a copy of the ring, no thread that fills it, and locks that nobody
 * will open. */
static bool is_child(const prefetch_cursor *c)
{
    return cohort_thread_forks() != c->forks;
}

static cohort_status refuse_child(prefetch_cursor *c)
{
    c->head.can_go_on = false;
    return cohort_error_set(
        COHORT_ENODEV,
        "%s: this process was forked from the one that reads ahead; open the dataset in here",
        call);
}

/* Answers behind which nothing follows stay in the ring, and are given again. */
static cohort_status take(prefetch_cursor *c)
{
    uint64_t taken = atomic_load_explicit(&c->taken, memory_order_relaxed);
    if (is_child(c))
        return refuse_child(c);
    cohort_element_drop(&c->given);
    if (atomic_load_explicit(&c->put, memory_order_acquire) == taken)
        sleep_until(c, is_filled, &c->is_consumer_asleep, &c->filled);
    prefetch_slot *slot = &c->slots[taken % c->capacity];
    cohort_status status = slot->status;
    c->head.can_go_on = slot->fault.can_go_on;
    if (status < 0)
        (void)cohort_fault_tell(&slot->fault);
    if (status != COHORT_OK && !slot->fault.can_go_on)
        return status;
    if (status < 0)
        cohort_fault_forget(&slot->fault);
    if (status == COHORT_OK && slot->bytes > 0)
        (void)atomic_fetch_sub(&c->bytes, slot->bytes);
    cohort_retained empty = c->given; /* with its list of parts, for the next in this slot */
    c->given = slot->retained;
    slot->retained = empty;
    atomic_store(&c->taken, taken + 1);
    if (is_worth_waking(c))
        wake(c, &c->is_producer_asleep, &c->freed);
    return status;
}

static cohort_status next_ahead(cohort_cursor *cursor, cohort_element *out)
{
    prefetch_cursor *c = (prefetch_cursor *)cursor;
    decide_once(c);
    if (!c->has_thread) {
        cohort_status status = cohort_cursor_next(c->input, out);
        cursor->can_go_on = c->input->can_go_on;
        return status;
    }
    cohort_status status = take(c);
    if (status == COHORT_OK)
        *out = cohort_element_view(&c->given);
    return status;
}

static cohort_status skip_ahead(cohort_cursor *cursor, int64_t n, int64_t *out_passed)
{
    prefetch_cursor *c = (prefetch_cursor *)cursor;
    cohort_status status = COHORT_OK;
    *out_passed = 0;
    if (!c->is_decided || !c->has_thread) {
        status = cohort_cursor_skip(c->input, n, out_passed);
        cursor->can_go_on = c->input->can_go_on;
        return status;
    }
    while (*out_passed < n && (status = take(c)) == COHORT_OK)
        ++*out_passed;
    return status == COHORT_END ? COHORT_OK : status;
}

/* ------------------------------------------------------------------ open and close */

static void stop(prefetch_cursor *c)
{
    atomic_store(&c->is_closing, true);
    wake(c, &c->is_producer_asleep, &c->freed);
    (void)pthread_join(c->thread, NULL);
}

static void close_ahead(cohort_cursor *cursor)
{
    prefetch_cursor *c = (prefetch_cursor *)cursor;
    if (c->has_thread && is_child(c))
        return; /* a child cannot know what the thread was in the middle of: left as it is */
    if (c->has_thread)
        stop(c);
    uint64_t put = atomic_load(&c->put);
    for (uint64_t i = 0; i < c->capacity && i <= put && c->slots != NULL; i++) {
        cohort_element_fini(&c->slots[i].retained);
        cohort_fault_forget(&c->slots[i].fault);
    }
    cohort_element_fini(&c->given);
    cohort_free(c->slots);
    (void)pthread_cond_destroy(&c->filled);
    (void)pthread_cond_destroy(&c->freed);
    (void)pthread_mutex_destroy(&c->lock);
    cohort_cursor_close(c->input);
    cohort_cursor_free(cursor);
}

static const cohort_cursor_kind ahead_cursor = { .next = next_ahead,
                                                 .close = close_ahead,
                                                 .skip = skip_ahead };

cohort_ahead cohort_prefetch_look(cohort_cursor *cursor)
{
    prefetch_cursor *c = (prefetch_cursor *)cursor;
    if (cursor->kind != &ahead_cursor)
        return COHORT_AHEAD_NONE;
    decide_once(c);
    if (!c->has_thread || is_child(c))
        return COHORT_AHEAD_NONE;
    return is_filled(c) ? COHORT_AHEAD_READY : COHORT_AHEAD_COMING;
}

/* Room for no more answers than there can be: one for each element, and one for the end. */
static int64_t room_for(const cohort_dataset *dataset, int64_t elements)
{
    int64_t has = dataset->cardinality;
    return has >= 0 && has < elements ? has + 1 : elements;
}

cohort_status cohort_prefetch_open(cohort_cursor *input, const cohort_prefetch_room *room,
                                   cohort_cursor **out)
{
    *out = input;
    if (room->elements == 0 || input->dataset->is_lasting)
        return COHORT_OK;
    prefetch_cursor *c = cohort_cursor_allocate(
        input->dataset, &ahead_cursor, &(cohort_opening){ .pool = input->pool }, sizeof *c);
    *out = NULL;
    if (c == NULL) {
        cohort_cursor_close(input);
        return COHORT_ENOMEM;
    }
    (void)pthread_mutex_init(&c->lock, NULL);
    cohort_condition_init(&c->filled);
    cohort_condition_init(&c->freed);
    c->input = input;
    c->capacity = (uint64_t)room_for(input->dataset, room->elements);
    c->most_bytes = room->bytes > 0 ? (uint64_t)room->bytes : UINT64_MAX;
    int64_t bytes;
    if (cohort_multiply((int64_t)c->capacity, sizeof *c->slots, &bytes))
        c->slots = cohort_allocate((size_t)c->capacity, sizeof *c->slots);
    if (c->slots == NULL) {
        close_ahead(&c->head);
        return cohort_error_memory(call);
    }
    *out = &c->head;
    return COHORT_OK;
}

/* ------------------------------------------------------------------ the dataset */

static cohort_status open_prefetch(const cohort_dataset *dataset, const cohort_opening *how,
                                   cohort_cursor **out)
{
    cohort_cursor *input;
    const cohort_prefetch_room room = { .elements = *(const int64_t *)dataset->parameters };
    cohort_status status = cohort_cursor_open(dataset->inputs[0], how, &input);
    return status < 0 ? status : cohort_prefetch_open(input, &room, out);
}

static void derive_prefetch(cohort_dataset *dataset)
{
    bool is_input = dataset->inputs[0]->is_lasting || *(const int64_t *)dataset->parameters == 0;
    dataset->is_lasting = dataset->inputs[0]->is_lasting;
    dataset->is_indexed = is_input && dataset->inputs[0]->is_indexed;
}

static void describe_prefetch(const cohort_dataset *dataset, FILE *out)
{
    (void)fprintf(out, "%lld", (long long)*(const int64_t *)dataset->parameters);
}

static const cohort_dataset_kind prefetch_kind = { .name = "prefetch",
                                                   .derive = derive_prefetch,
                                                   .describe = describe_prefetch,
                                                   .open = open_prefetch,
                                                   .is_quiet = true,
                                                   .keeps_elements = true };

cohort_dataset *cohort_dataset_prefetch(cohort_dataset *dataset, int64_t elements)
{
    cohort_dataset_builder node = { .kind = &prefetch_kind,
                                    .inputs = &dataset,
                                    .n_inputs = 1,
                                    .parameters = &elements,
                                    .bytes = sizeof elements };
    if (!cohort_dataset_builder_begin(&node, call))
        return NULL;
    if (elements < 0)
        return cohort_dataset_builder_refuse_number(
            &node, elements, "%s: %lld elements ahead; 0 or more are possible", call,
            (long long)elements);
    return cohort_dataset_builder_make(&node);
}
