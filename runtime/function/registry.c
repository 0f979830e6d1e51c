/* SPDX-License-Identifier: BSD-3-Clause */
/* Signatures of the descriptors that were used so far, found by address. */
#include "config.h"

#include "runtime/function/signature.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"

#include <pthread.h>

typedef struct entry entry;
struct entry {
    entry *next;
    const cohort_function *function;
    const cohort_signature *signature;
};

/* Readers are in every call of every strategy; a program has some hundred functions at most. */
enum { N_BUCKETS = 1024 };

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static entry *buckets[N_BUCKETS]; /* held: lock */

static entry **bucket_of(const cohort_function *function)
{
    uint64_t hash = (uint64_t)(uintptr_t)function * UINT64_C(0x9e3779b97f4a7c15);
    return &buckets[(hash >> 32) % N_BUCKETS];
}

/* The link that points to the entry of the function, or the one at the end of its bucket. held:
 * lock */
static entry **find_link(const cohort_function *function)
{
    entry **link = bucket_of(function);
    while (*link != NULL && (*link)->function != function)
        link = &(*link)->next;
    return link;
}

static const cohort_signature *look_up(const cohort_function *function)
{
    pthread_rwlock_rdlock(&lock);
    const entry *found = *find_link(function);
    const cohort_signature *signature = found != NULL ? found->signature : NULL;
    if (signature != NULL && !cohort_signature_matches(signature, function))
        signature = NULL;
    pthread_rwlock_unlock(&lock);
    return signature;
}

/* Another thread may have been quicker: then its signature stays. Takes `made`. held: lock */
static const cohort_signature *keep(const cohort_function *function, const cohort_signature *made)
{
    entry **link = find_link(function);
    if (*link == NULL)
        *link = cohort_allocate(1, sizeof **link);
    if (*link == NULL) {
        (void)cohort_error_memory("a signature");
        cohort_signature_release(made);
        return NULL;
    }
    entry *e = *link;
    e->function = function;
    const cohort_signature *other = e->signature;
    bool is_kept = other != NULL && cohort_signature_matches(other, function);
    e->signature = is_kept ? other : made;
    cohort_signature_release(is_kept ? made : other);
    return e->signature;
}

const cohort_signature *cohort_signature_of(const cohort_function *function)
{
    const cohort_signature *signature = function != NULL ? look_up(function) : NULL;
    if (signature != NULL)
        return signature;
    const cohort_signature *made = cohort_signature_create(function);
    if (made == NULL)
        return NULL;
    pthread_rwlock_wrlock(&lock);
    signature = keep(function, made);
    pthread_rwlock_unlock(&lock);
    return signature;
}

void cohort_signature_forget(const cohort_function *function)
{
    pthread_rwlock_wrlock(&lock);
    entry **link = find_link(function);
    entry *e = *link;
    if (e != NULL)
        *link = e->next;
    pthread_rwlock_unlock(&lock);
    if (e != NULL)
        cohort_signature_release(e->signature);
    cohort_free(e);
}
