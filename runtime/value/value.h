/* SPDX-License-Identifier: BSD-3-Clause */
/* Values: what cohort/value.h declares, for the rest of the runtime. */
#ifndef COHORT_VALUE_VALUE_H
#define COHORT_VALUE_VALUE_H

#include "runtime/base/alterations.h"
#include "runtime/base/array.h"
#include "runtime/strategy/strategy.h"
#include "runtime/value/content.h"

#include <cohort/value.h>

struct cohort_value {
    cohort_dependent dependent; /* first */
    /* what calls that repeat look at, in one cache line */
    cohort_strategy *strategy;
    cohort_value_kind kind;     /* by _take_kind */
    cohort_content *components; /* [replicas]; NULL until the value first is per replica */
    uint64_t list; /* the last list of values to fill that it was in, by the reducer's count */
    enum {
        COHORT_VALUE_OUTPUT,
        COHORT_VALUE_PLAIN,
        COHORT_VALUE_NUMBER,
        COHORT_VALUE_SPLIT,
        COHORT_VALUE_PARTS
    } origin;
    int32_t logical;  /* the logical device on which its components lie */
    bool is_staged;   /* made by cohort_value_take */
    bool is_agreed;   /* a recorded call makes of it what all workers have (agreement.h) */
    bool is_declared; /* made by cohort_value_shaped: components keep this dtype and shape */
    cohort_dtype declared_dtype;
    cohort_extents declared;
    double number;                 /* of COHORT_VALUE_NUMBER */
    _Alignas(16) char element[16]; /* of a number that was borrowed */
    cohort_content plain;          /* places: all devices; none until the value first is plain */
    void *results;                 /* memory that cohort_local_results lends */
    struct cohort_group *group;    /* what it stands for when cohort_group made it; else NULL */
};

/* A value of no content. NULL with an error text. */
cohort_value *cohort_value_allocate(cohort_strategy *strategy);

/* The same for a value that lasts as long as a call, which cohort_value_drop ends: its memory is of
 * the staging. */
cohort_value *cohort_value_take(cohort_strategy *strategy);

/* The end of a value that the program never held. NULL is allowed. */
void cohort_value_drop(cohort_value *value);

/* What cohort_group has noted; NULL is allowed. */
void cohort_group_free(struct cohort_group *group);

/* The content that a replica sees; NULL of an empty value. */
cohort_content *cohort_value_content(const cohort_value *value, int32_t replica);

/* What cohort_value_read does, by who holds the strategy: all contents, one behind the other.
 * Waits. Nothing is changed, but for a download where there must be one. */
cohort_status cohort_value_read_whole(cohort_value *value, const cohort_array *into,
                                      const char *call);

/* The device of the component of a replica, whether or not there is one yet. */
static inline int32_t cohort_value_device(const cohort_value *value, int32_t replica)
{
    return cohort_strategy_device(value->strategy, replica, value->logical);
}

/* Where its content lies: -1: on all logical devices. */
static inline int32_t cohort_value_logical(const cohort_value *value)
{
    return value->kind == COHORT_PER_REPLICA_VALUE ? value->logical : -1;
}

/* The kind from now on. */
static inline void cohort_value_take_kind(cohort_value *value, cohort_value_kind kind)
{
    if (value->kind != kind && value->kind != COHORT_EMPTY_VALUE)
        cohort_alterations_add();
    value->kind = kind;
}

/* Bookkeeping for becoming plain, or per replica. COHORT_ENOMEM; nothing changes for who reads the
 * value. */
cohort_status cohort_value_prepare_plain(cohort_value *value);
cohort_status cohort_value_prepare_components(cohort_value *value);

/* The buffer on a device where a content, which has its shape by then, is to be written anew; NULL
 * in a trial, in which it counts as written there. Prepared. */
cohort_buffer *cohort_value_start_content(const cohort_strategy *strategy, cohort_content *content,
                                          int32_t device);

/* A result that lies at home: bookkeeping, and then the buffer to write, for bytes of the shape
 * that the content has by then; NULL in a trial. */
cohort_status cohort_value_prepare_home(cohort_value *value);
cohort_buffer *cohort_value_start_home(cohort_value *value);

/* From now on every replica has a component of its own, prepared; what one held in an earlier life
 * of the value is not read again. Changes nothing in a value that is per replica already: other
 * replicas may look at it. */
void cohort_value_become_per_replica(cohort_value *value);

/* The component of a replica becomes a copy of an array that was checked; the components are
 * prepared. COHORT_ENOMEM.
 */
cohort_status cohort_value_copy_component(cohort_value *value, int32_t replica,
                                          const cohort_array *array);

/* The component of a replica becomes a row-major array that is lent until give_back(lease), see
 * cohort_content_lend; NULL: it lasts as long as the value. Without rows it is absent. The
 * components are prepared, the value is per replica. */
void cohort_value_lend_component(cohort_value *value, int32_t replica, const cohort_array *array,
                                 void *lease, void (*give_back)(void *lease));

/* The same under a lease that the component has already, and keeps; false, and nothing has changed:
 * it has another one, or none. */
bool cohort_value_lend_more(cohort_value *value, int32_t replica, const cohort_array *array,
                            const void *lease);

/* All components of the strategy's values whose lease give_back gives back, and is such a one, are
 * brought home (cohort_content_bring_home), when nothing is posted any more. COHORT_ENOMEM: those
 * that had no memory are lost. */
cohort_status cohort_values_bring_home(cohort_strategy *strategy, void (*give_back)(void *lease),
                                       bool (*is_such)(const void *lease));

/* Each has the components that the other had, which are prepared in both; both are per replica
 * then. */
void cohort_value_swap_components(cohort_value *a, cohort_value *b);

/* Is its content the number that cohort_value_number or _set gave it, and not one that a call has
 * written since? */
bool cohort_value_is_number(const cohort_value *value);

/* A plain value for the time of one call, of an array that was checked: its memory is borrowed
 * until everything posted is done. */
cohort_value *cohort_value_borrow(cohort_strategy *strategy, const cohort_array *array);

/* The same of one element of at most 16 bytes, which is copied. */
cohort_value *cohort_value_borrow_number(cohort_strategy *strategy, cohort_dtype dtype,
                                         const void *element);

#endif
