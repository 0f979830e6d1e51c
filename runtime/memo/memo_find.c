/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a call has its memo: behind that of the call before, else in a table, by what it passes;
 * and how one ends. */
#include "config.h"

#include "runtime/memo/memo_parts.h"

#include "runtime/base/alterations.h"
#include "runtime/base/memory.h"
#include "runtime/function/parsed.h"
#include "runtime/operation/give_back.h"
#include "runtime/operation/ledger.h"

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
    uint64_t hash = mix(call->signature->uid, (uint64_t)call->call.first << 8 | call->call.kind);
    hash = mix(hash, (uintptr_t)call->call.updated);
    const cohort_argument *end = call->flat + COHORT_MAX_ARGUMENTS + 1; /* else it is refused */
    for (const cohort_argument *a = call->flat; a < end && a->kind != COHORT_ARGUMENT_END; a++) {
        const void *object = cohort_memo_object(a);
        hash = mix(hash, object != NULL ? (uintptr_t)object : a->kind);
    }
    return hash | 1; /* 0 is a free way */
}

/* To give it back in line keeps what is posted behind that waiting for all its runs. */
void cohort_memo_drop(cohort_memos *memos, cohort_memo_way *way)
{
    cohort_memo *memo = way->memo;
    cohort_executor *executor = memos->executor;
    way->memo = NULL;
    cohort_admission_note_dropped(&way->admission);
    if (memo == NULL)
        return;
    cohort_ledger_end(executor);
    *cohort_memo_bytes(memos, &memo->call) -= memo->bytes;
    if (cohort_executor_has_reached(executor, cohort_noted_row(memo->posted)))
        cohort_free(memo);
    else
        cohort_give_back_post(executor, executor->contexts[memo->launches[0].device],
                              cohort_noted_row(memo->posted), memo, cohort_free);
}

/* A trial leaves memos alone: what values hold in it is not there. */
static bool can_have(const cohort_binder *binder, const cohort_plain_call *c)
{
    const cohort_strategy *s = binder->strategy;
    return !s->is_trial && s->repeating.kind >= COHORT_REPEAT_MEMO && c->arguments != NULL &&
           c->function != NULL && !cohort_parsed_is_destroyed(c->function);
}

/* Whether there is something to look for. */
static bool can_look(cohort_binder *binder, cohort_memo_call *call)
{
    call->signature = binder->binding.signature = cohort_signature_of(call->call.function);
    call->flat = call->signature != NULL
                     ? cohort_binding_spread(&binder->binding, call->call.arguments)
                     : NULL;
    return call->flat != NULL;
}

static cohort_memo_way *look_up(cohort_memos *memos, uint64_t hash)
{
    size_t set = (hash >> 32) % COHORT_MEMO_SETS;
    cohort_memo_way *ways = memos->ways[set];
    for (int i = 0; i < COHORT_MEMO_WAYS; i++)
        if (ways[i].hash == hash)
            return &ways[i];
    cohort_memo_way *way = &ways[memos->next[set]++ % COHORT_MEMO_WAYS];
    cohort_memo_drop(memos, way);
    *way = (cohort_memo_way){ 0 };
    return way;
}

/* Of the same objects, and of numbers as hash_of takes them. */
static bool is_alike(const cohort_memo *memo, const cohort_memo_call *call)
{
    const cohort_argument *a = call->call.arguments;
    bool is_alike = cohort_memo_is_same_start(&memo->call, call);
    for (int32_t i = 0; i < memo->n_arguments && is_alike; i++, a++) {
        const cohort_memo_argument *m = &memo->arguments[i];
        is_alike = a->kind == m->kind_passed && (m->object == NULL || a->as.p == m->object) &&
                   cohort_memo_is_same_name(m, a);
    }
    return is_alike && a->kind == COHORT_ARGUMENT_END;
}

/* Is the function still the one of the signature? Another one may have come to lie at its address:
 * a program does not hold its functions. */
static bool is_its_function(cohort_memo_way *way, const cohort_signature *signature,
                            const cohort_function *function)
{
    uint64_t now = cohort_alterations_now();
    bool is_its = way->alterations == now || cohort_signature_of(function) == signature;
    if (is_its)
        way->alterations = now;
    return is_its;
}

/* The way that followed the last one before, if it is that of this call: so a loop looks up
 * nothing, and compares the texts of the function, which a library may have been loaded over. */
static cohort_memo_way *expect(const cohort_memos *memos, cohort_memo_call *call)
{
    cohort_memo_way *way = memos->last != NULL ? memos->last->next : NULL;
    const cohort_memo *memo = way != NULL ? way->memo : NULL;
    if (memo == NULL || !is_alike(memo, call) ||
        !cohort_signature_matches(memo->call.signature, call->call.function) ||
        !is_its_function(way, memo->call.signature, call->call.function))
        return NULL;
    call->signature = memo->call.signature;
    call->flat = call->call.arguments;
    call->hash = way->hash;
    call->is_expected = true;
    return way;
}

/* By its function and all that it passes. */
static cohort_memo_way *search(cohort_memos *memos, cohort_memo_call *call)
{
    uint64_t alterations = cohort_alterations_now();
    if (!can_look(memos->binder, call))
        return NULL;
    call->hash = hash_of(call);
    cohort_memo_way *way = look_up(memos, call->hash);
    if (way->memo == NULL || way->memo->call.signature == call->signature)
        way->alterations = alterations;
    if (memos->last != NULL)
        memos->last->next = way;
    return way;
}

static cohort_memo_way *find(cohort_memos *memos, cohort_memo_call *call)
{
    cohort_memo_way *way = expect(memos, call);
    if (way == NULL)
        way = search(memos, call);
    memos->last = way;
    return way;
}

cohort_memo_way *cohort_memo_find(cohort_memos *memos, cohort_memo_call *call)
{
    cohort_memo_own *own = call->own;
    if (!can_have(memos->binder, &call->call))
        return NULL;
    if (own != NULL) {
        if (!is_its_function(&own->way, own->signature, call->call.function))
            return NULL;
        call->signature = own->signature;
        call->flat = call->call.arguments;
        call->hash = call->signature->uid; /* it is compared with none */
        return &own->way;
    }
    return find(memos, call);
}

void cohort_memo_own_end(cohort_memos *memos, cohort_memo_own *own)
{
    cohort_memo_drop(memos, &own->way);
}

/* ------------------------------------------------------------------ those of a strategy */

/* In line with everything posted. */
static void drop_all(cohort_dependent *dependent)
{
    cohort_memos *memos = (cohort_memos *)dependent;
    for (size_t i = 0; i < COHORT_MEMO_SETS * (size_t)COHORT_MEMO_WAYS; i++)
        cohort_memo_drop(memos, &memos->ways[i / COHORT_MEMO_WAYS][i % COHORT_MEMO_WAYS]);
}

/* The binder may be gone. */
static void destroy_memos(cohort_dependent *dependent)
{
    cohort_strategy_disown(dependent);
    drop_all(dependent);
    cohort_free(dependent);
}

static cohort_memos *make_memos(cohort_strategy *strategy, cohort_binder *binder, const void *key)
{
    cohort_memos *memos = cohort_allocate(1, sizeof *memos);
    if (memos == NULL) {
        (void)cohort_error_memory("what a strategy knows of its calls");
        return NULL;
    }
    memos->binder = binder;
    memos->executor = strategy->executor;
    memos->dependent = (cohort_dependent){ .destroy = destroy_memos, .rehost = drop_all };
    cohort_strategy_adopt(strategy, &memos->dependent);
    cohort_strategy_attach(strategy, key, memos, NULL);
    return memos;
}

cohort_memos *cohort_memos_of(cohort_strategy *strategy)
{
    static const char key;
    cohort_memos *memos = cohort_strategy_attached(strategy, &key);
    if (memos != NULL)
        return memos;
    cohort_binder *binder = cohort_binder_of(strategy);
    return binder != NULL ? make_memos(strategy, binder, &key) : NULL;
}
