/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a call has its memo: behind that of the call before, else in a table, by what it passes; and how
 * one ends. */
#include "config.h"

#include "runtime/run/memo_parts.h"

#include "runtime/base/memory.h"
#include "runtime/function/parsed.h"
#include "runtime/operation/give_back.h"
#include "runtime/operation/series.h"
#include "runtime/run/binder.h"

/* A step of a multiplicative hash (Knuth, The Art of Computer Programming, volume 3, section
 * 6.4). */
static uint64_t mix(uint64_t hash, uint64_t x)
{
    hash = (hash ^ x) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

/* Objects tell calls apart; numbers do not, for they may differ each time. */
static uint64_t hash_of(const cohort_memo_call *call)
{
    uint64_t hash = mix(call->signature->uid, (uint64_t)call->first << 8 | call->kind);
    hash = mix(hash, (uintptr_t)call->updated);
    const cohort_argument *end = call->flat + COHORT_MAX_ARGUMENTS + 1; /* else it is refused */
    for (const cohort_argument *a = call->flat; a < end && a->kind != COHORT_ARGUMENT_END; a++) {
        const void *object = cohort_memo_object(a);
        hash = mix(hash, object != NULL ? (uintptr_t)object : a->kind);
    }
    return hash | 1; /* 0 is a free way */
}

/* To give it back in line keeps what is posted behind that waiting for all its runs. */
void cohort_memo_drop(cohort_binder *binder, cohort_memo_way *way)
{
    cohort_memo *memo = way->memo;
    cohort_executor *executor = binder->strategy->executor;
    way->memo = NULL;
    if (memo == NULL)
        return;
    cohort_series_spoil(executor);
    *cohort_memo_bytes(binder, &memo->call) -= memo->bytes;
    if (cohort_executor_has_reached(executor, memo->posted))
        cohort_free(memo);
    else
        cohort_give_back_post(executor, executor->contexts[memo->launches[0].device], memo->posted,
                              memo, cohort_free);
}

/* A trial leaves memos alone: what values hold in it is not there. */
static bool can_have(const cohort_binder *binder, const cohort_invocation *i)
{
    return !binder->strategy->is_trial && i->arguments != NULL && i->function != NULL &&
           !cohort_parsed_is_destroyed(i->function);
}

/* Whether there is something to look for. */
static bool can_look(cohort_binder *binder, cohort_memo_call *call)
{
    call->signature = binder->binding.signature = cohort_signature_of(call->invocation.function);
    call->flat = call->signature != NULL
                     ? cohort_binding_spread(&binder->binding, call->invocation.arguments)
                     : NULL;
    return call->flat != NULL;
}

static cohort_memo_way *look_up(cohort_memos *memos, cohort_binder *binder, uint64_t hash)
{
    size_t set = (hash >> 32) % COHORT_MEMO_SETS;
    cohort_memo_way *ways = memos->ways[set];
    for (int i = 0; i < COHORT_MEMO_WAYS; i++)
        if (ways[i].hash == hash)
            return &ways[i];
    cohort_memo_way *way = &ways[memos->next[set]++ % COHORT_MEMO_WAYS];
    cohort_memo_drop(binder, way);
    *way = (cohort_memo_way){ 0 };
    return way;
}

/* Of the same objects, and of numbers as hash_of takes them. */
static bool is_alike(const cohort_memo *memo, const cohort_memo_call *call)
{
    const cohort_argument *a = call->invocation.arguments;
    bool is_alike = cohort_memo_is_same_start(&memo->call, call);
    for (int32_t i = 0; i < memo->n_arguments && is_alike; i++, a++) {
        const cohort_memo_argument *m = &memo->arguments[i];
        is_alike = a->kind == m->kind_passed && (m->object == NULL || a->as.p == m->object) &&
                   cohort_memo_is_same_name(m, a);
    }
    return is_alike && a->kind == COHORT_ARGUMENT_END;
}

/* The way that followed the last one before, if it is that of this call: so a loop looks up nothing but
 * whether the function is still the one of the signature. */
static cohort_memo_way *expect(const cohort_memos *memos, cohort_memo_call *call)
{
    cohort_memo_way *way = memos->last != NULL ? memos->last->next : NULL;
    const cohort_memo *memo = way != NULL ? way->memo : NULL;
    if (memo == NULL || way->n_destroyed != cohort_parsed_count_destroyed() ||
        !is_alike(memo, call) ||
        !cohort_signature_matches(memo->call.signature, call->invocation.function))
        return NULL;
    call->signature = memo->call.signature;
    call->flat = call->invocation.arguments;
    call->hash = way->hash;
    call->is_expected = true;
    return way;
}

/* By its function and all that it passes. */
static cohort_memo_way *search(cohort_binder *binder, cohort_memo_call *call)
{
    uint64_t n_destroyed = cohort_parsed_count_destroyed();
    if (!can_look(binder, call))
        return NULL;
    call->hash = hash_of(call);
    cohort_memo_way *way = look_up(&binder->memos, binder, call->hash);
    if (way->memo == NULL || way->memo->call.signature == call->signature)
        way->n_destroyed = n_destroyed;
    if (binder->memos.last != NULL)
        binder->memos.last->next = way;
    return way;
}

static cohort_memo_way *find(cohort_binder *binder, cohort_memo_call *call)
{
    cohort_memo_way *way = expect(&binder->memos, call);
    if (way == NULL)
        way = search(binder, call);
    binder->memos.last = way;
    return way;
}

/* Is the function that was recorded still there? */
static bool is_its_function(cohort_memo_own *own, const cohort_function *function)
{
    uint64_t n = cohort_parsed_count_destroyed();
    bool is_its = own->n_destroyed == n || cohort_signature_of(function) == own->signature;
    if (is_its)
        own->n_destroyed = n;
    return is_its;
}

cohort_memo_way *cohort_memo_find(cohort_binder *binder, cohort_memo_call *call)
{
    cohort_memo_own *own = call->invocation.own;
    if (!can_have(binder, &call->invocation))
        return NULL;
    if (own != NULL) {
        if (!is_its_function(own, call->invocation.function))
            return NULL;
        call->signature = own->signature;
        call->flat = call->invocation.arguments;
        call->hash = call->signature->uid; /* it is compared with none */
        return &own->way;
    }
    return find(binder, call);
}

void cohort_memo_own_end(cohort_binder *binder, cohort_memo_own *own)
{
    cohort_memo_drop(binder, &own->way);
}

void cohort_memos_fini(cohort_binder *binder)
{
    for (size_t i = 0; i < COHORT_MEMO_SETS * (size_t)COHORT_MEMO_WAYS; i++)
        cohort_memo_drop(binder, &binder->memos.ways[i / COHORT_MEMO_WAYS][i % COHORT_MEMO_WAYS]);
}
