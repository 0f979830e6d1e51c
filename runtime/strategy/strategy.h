/* SPDX-License-Identifier: BSD-3-Clause */
/* A strategy: its devices and their lanes, the hosting map, the error that sticks, and what dies
 * with it.
 *
 * Its devices are those that host replicas, in hosting order, then those on which only variables
 * live. */
#ifndef COHORT_STRATEGY_STRATEGY_H
#define COHORT_STRATEGY_STRATEGY_H

#include "runtime/base/handle.h"
#include "runtime/cluster/configuration.h"
#include "runtime/cluster/membership.h"
#include "runtime/exchange/servers.h"
#include "runtime/exchange/workers.h"
#include "runtime/executor/executor.h"
#include "runtime/placement/placement.h"
#include "runtime/strategy/repeating.h"

#include <cohort/communication.h>
#include <cohort/strategy.h>

#include <stdio.h>

struct cohort_moves; /* moves.h */

/* Something made from a strategy. Stands first in its struct. */
typedef struct cohort_dependent {
    cohort_handle handle; /* first; begun where a program holds it */
    struct cohort_dependent *previous, *next;
    int32_t n_users; /* programs with calls that use it */
    /* posts what has to be freed in line, leaves the list, frees itself */
    void (*destroy)(struct cohort_dependent *dependent);
    /* after a failure, when nothing is posted any more; may be NULL */
    void (*settle)(struct cohort_dependent *dependent);
    /* the same after that, where there are workers: all do it for the same things in the same order
     * (across.h); may be NULL */
    cohort_status (*catch_up)(struct cohort_dependent *dependent);
    /* something that has users is destroyed; may be NULL */
    void (*forget)(struct cohort_dependent *dependent, const struct cohort_dependent *destroyed);
    /* replicas are to be hosted otherwise: what lies with them is added; may be NULL */
    cohort_status (*add_moves)(struct cohort_dependent *dependent, struct cohort_moves *moves);
    /* they are: what was found out about devices counts no more; may be NULL. It may destroy what
     * it is called with */
    void (*rehost)(struct cohort_dependent *dependent);
    /* a line that starts with "  "; may be NULL */
    void (*describe)(const struct cohort_dependent *dependent, FILE *out);
} cohort_dependent;

/* Something that another folder of the runtime keeps with a strategy, one of each kind. The address
 * of the key, which is that folder's, tells the kinds apart. */
typedef struct cohort_attachment {
    const void *key; /* NULL: free */
    void *object;
    void (*free)(void *object); /* after all dependents are destroyed; NULL: it is one of them */
} cohort_attachment;

enum { COHORT_STRATEGY_ATTACHMENTS = 6 };

struct cohort_strategy {
    cohort_handle handle; /* first */
    cohort_executor *executor;
    int32_t n_devices; /* all of them */
    /* the first ones, which are logical device 0 of replicas; behind them, in the same order, stand
     * as many for each other logical device */
    int32_t n_hosts;
    int32_t n_logical;  /* logical devices of a replica; at least 1 */
    int32_t in_use;     /* the one on which things are made (cohort_strategy_use_logical_device) */
    int32_t n_replicas; /* of this process */
    /* its first replica among the n_in_sync of all workers; without workers 0, and n_replicas */
    int32_t first_replica, n_in_sync;
    int32_t *first;      /* [n_devices + 1]: device d hosts replicas first[d] .. first[d + 1] - 1 */
    int32_t *parameters; /* [n_parameters]: devices on which variables may live */
    int32_t n_parameters;
    /* the parameters are the devices of replicas: a variable lives on those of its logical
     * device */
    bool has_own_parameters;
    struct cohort_balance *balance; /* NULL: nothing is measured */
    int32_t *host;                  /* [n_replicas]: logical device 0 of a replica */
    /* device on which plain results are made: the caller's, if it has one, else the first */
    int32_t home;
    char *name;                 /* of its kind: "mirrored" */
    cohort_placement placement; /* of variables that name none */
    cohort_guard guard;
    cohort_loss loss;
    bool has_rollback;
    /* steps are kept until they are over, so that one in which a device is lost is made again
     * (program/kept.h), or one is skipped (value/skip.h); such a step is under way, or has
     * failed */
    bool keeps_steps, is_step_open;
    struct cohort_skipped {
        int64_t count;
        char why[COHORT_ERROR_BYTES]; /* of the last one; "": there was none */
    } skipped;
    bool has_near_memory; /* all memory of all devices: operation/fold_all.h */
    uint32_t checks;      /* bits of base/checks.h */
    cohort_membership membership;
    cohort_workers *workers;     /* who runs the others; NULL: it is alone (across.h) */
    cohort_servers *servers;     /* who holds its variables; NULL: it does (served.h) */
    cohort_strategy *next_owing; /* of those whose other tasks are told of the end (farewell.h) */
    cohort_resolver *transport;  /* a share of the resolver whose communicator these use */
    cohort_config *config;       /* a share of what it was configured with last, or NULL */
    bool has_made_variables;     /* it cannot be configured any more */
    cohort_dependent dependents; /* head of a ring */
    atomic_bool is_busy;         /* some thread is inside a call */
    /* a call asks a function of the program; keeps out those of a merge function too */
    bool is_asking;
    /* of the thread that records a program of it, and holds it meanwhile (recorder.h); NULL: none
     * does */
    struct cohort_recorder *_Atomic recorder;
    /* of calls that are made one by one (transaction.h); NULL: nothing can be lost yet */
    struct cohort_transaction *transaction;
    /* calls are made to see whether they can be made: nothing is posted (recorder.h) */
    bool is_trial;
    cohort_repeating repeating; /* as COHORT_REPEAT was when it was made */
    /* as set; implementation is NULL, or a name that lasts */
    cohort_communication_options communication;
    /* in a trace: the call that is under way, and since when; NULL, 0: none is */
    const char *traced_call;
    int64_t traced_from_ns;
    struct cohort_monitored *monitored; /* by monitor.h; NULL: nobody watches */
    bool wants_program;                 /* cross-replica calls run in programs alone */
    int64_t steps_per_run;              /* of a program; at least 1 */
    char *description;                  /* what cohort_strategy_describe lent last */
    char *stats_text;                   /* what cohort_strategy_stats_json lent last */
    cohort_attachment attachments[COHORT_STRATEGY_ATTACHMENTS];
};

/* The object of a key; NULL: none was attached. */
static inline void *cohort_strategy_attached(const cohort_strategy *strategy, const void *key)
{
    for (int32_t i = 0; i < COHORT_STRATEGY_ATTACHMENTS; i++)
        if (strategy->attachments[i].key == key)
            return strategy->attachments[i].object;
    return NULL;
}

/* Once for each key, of which the runtime has no more than there is room for. */
void cohort_strategy_attach(cohort_strategy *strategy, const void *key, void *object,
                            void (*free)(void *object));

/* Of what is destroyed before its strategy; it may be attached anew. */
void cohort_strategy_detach(cohort_strategy *strategy, const void *key);

void cohort_strategy_adopt(cohort_strategy *strategy, cohort_dependent *dependent);
/* The same of something that uses others: it is destroyed before them, with the strategy. */
void cohort_strategy_adopt_user(cohort_strategy *strategy, cohort_dependent *user);

/* It is being destroyed, and who uses it is told. */
void cohort_strategy_disown(cohort_dependent *dependent);

/* A strategy whose replicas are hosted by these devices, each once; the options name none. */
cohort_strategy *cohort_strategy_create_on(const cohort_strategy_options *options,
                                           const cohort_device *const hosts[], int32_t n);

/* COHORT_EINVAL when the strategy runs programs alone, and what plans now is no replay of one. */
cohort_status cohort_strategy_check_program(const cohort_strategy *strategy, const char *call);

/* The id that a program knows a replica of this process by, also in errors: among those of all
 * workers. -1, which is none, stays. */
static inline int32_t cohort_strategy_replica_id(const cohort_strategy *strategy, int32_t replica)
{
    return replica >= 0 ? strategy->first_replica + replica : replica;
}

/* The devices of replicas, of all logical devices: the first ones. */
static inline int32_t cohort_strategy_hosting(const cohort_strategy *strategy)
{
    return strategy->n_hosts * strategy->n_logical;
}

static inline int32_t cohort_strategy_device(const cohort_strategy *strategy, int32_t replica,
                                             int32_t logical)
{
    return strategy->host[replica] + logical * strategy->n_hosts;
}

/* The place among this process's replicas of one of all. COHORT_EINVAL with "call: ...": there is
 * no such replica, or another worker hosts it. */
cohort_status cohort_strategy_find_replica(const cohort_strategy *strategy, int32_t id,
                                           const char *call, int32_t *out_replica);

static inline cohort_context *cohort_strategy_context(const cohort_strategy *strategy,
                                                      int32_t device)
{
    return strategy->executor->contexts[device];
}

static inline bool cohort_strategy_is_lost(const cohort_strategy *strategy, int32_t device)
{
    return cohort_context_is_lost(cohort_strategy_context(strategy, device));
}

/* Memory of the device `other` may stand where that of `device` may. */
static inline bool cohort_strategy_can_access(const cohort_strategy *strategy, int32_t device,
                                              int32_t other)
{
    return cohort_strategy_context(strategy, device)->can_access[other];
}

#endif
