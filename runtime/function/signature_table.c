/* SPDX-License-Identifier: BSD-3-Clause */
/* Signatures of the descriptors that were used so far, found by address and text.
 *
 * One of the two tables of the process; the other one holds plugins and devices
 * (runtime/plugin/registry.h). Every call of every strategy looks a descriptor up, so that
 * reading takes no lock and writes nothing. Writers are rare, one for each function of a
 * program, and hold the lock. */
#include "config.h"

#include "runtime/function/signature.h"

#include "runtime/base/assert.h"
#include "runtime/base/error.h"
#include "runtime/base/memory.h"

#include <pthread.h>
#include <stdatomic.h>

/* An entry stays in its chain as long as the process, since a reader may stand on it: one whose
 * descriptor is forgotten has no function, and waits for another one of its bucket. */
typedef struct entry entry;
struct entry {
    entry *next;                               /* set before the entry is published */
    const cohort_signature *signature;         /* set before `function` */
    _Atomic(const cohort_function *) function; /* NULL: free */
};

/* A program has some hundred functions at most. */
enum { N_BUCKETS = 1024 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* held by who changes a bucket */
static _Atomic(entry *) buckets[N_BUCKETS];

static _Atomic(entry *) *bucket_of(const cohort_function *function)
{
    uint64_t hash = (uint64_t)(uintptr_t)function * UINT64_C(0x9e3779b97f4a7c15);
    return &buckets[(hash >> 32) % N_BUCKETS];
}

/* A library that was unloaded may have left another descriptor at the same address: its signature
 * stays beside the new one, and only texts tell which is whose. */
static bool is_of(const entry *e, const cohort_function *function)
{
    return atomic_load_explicit(&e->function, memory_order_acquire) == function &&
           cohort_signature_matches(e->signature, function);
}

/* Acquire twice: whoever sees an entry sees its `next`, whoever sees a function sees its
 * signature. */
static const cohort_signature *look_up(const cohort_function *function)
{
    const entry *e = atomic_load_explicit(bucket_of(function), memory_order_acquire);
    while (e != NULL && !is_of(e, function))
        e = e->next;
    return e != NULL ? e->signature : NULL;
}

/* A free entry of the function's bucket, or a new one; NULL: out of memory. Entries belong to the
 * process, and are not counted among the blocks that the library holds. held: lock */
static entry *find_free(const cohort_function *function)
{
    _Atomic(entry *) *bucket = bucket_of(function);
    entry *first = atomic_load_explicit(bucket, memory_order_relaxed), *e = first;
    while (e != NULL && atomic_load_explicit(&e->function, memory_order_relaxed) != NULL)
        e = e->next;
    if (e != NULL)
        return e;
    e = cohort_allocate(1, sizeof *e);
    if (e == NULL)
        return NULL;
    cohort_memory_uncount(e);
    e->next = first;
    atomic_store_explicit(bucket, e, memory_order_release);
    return e;
}

/* Another thread may have been quicker: then its signature stays. Takes `made`. held: lock */
static const cohort_signature *keep(const cohort_function *function, const cohort_signature *made)
{
    cohort_assert_held(&lock);
    const cohort_signature *other = look_up(function);
    entry *e = other == NULL ? find_free(function) : NULL;
    if (e != NULL) {
        e->signature = made;
        atomic_store_explicit(&e->function, function, memory_order_release);
        return made;
    }
    if (other == NULL)
        (void)cohort_error_memory("a signature");
    cohort_signature_release(made);
    return other;
}

const cohort_signature *cohort_signature_of(const cohort_function *function)
{
    const cohort_signature *signature = function != NULL ? look_up(function) : NULL;
    if (signature != NULL)
        return signature;
    /* Parsed without the lock: it may take long, fail, or run on several threads at once. */
    const cohort_signature *made = cohort_signature_create(function);
    if (made == NULL)
        return NULL;
    pthread_mutex_lock(&lock);
    signature = keep(function, made);
    pthread_mutex_unlock(&lock);
    return signature;
}

/* The descriptor is about to be freed, so nobody may look it up meanwhile, and its entry may be
 * emptied under readers: none of them compares equal to this address. */
void cohort_signature_forget(const cohort_function *function)
{
    pthread_mutex_lock(&lock);
    for (entry *e = atomic_load_explicit(bucket_of(function), memory_order_relaxed); e != NULL;
         e = e->next)
        if (atomic_load_explicit(&e->function, memory_order_relaxed) == function) {
            cohort_signature_release(e->signature);
            e->signature = NULL;
            atomic_store_explicit(&e->function, NULL, memory_order_release);
        }
    pthread_mutex_unlock(&lock);
}
