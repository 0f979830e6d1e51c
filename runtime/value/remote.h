/* SPDX-License-Identifier: BSD-3-Clause */
/* A variable that is on parameter servers: its shards there, and a copy of the whole, which is the
 * variable's one store here, as long as that is read whole.
 *
 * What these calls ask has been checked before; what they wait for, ask says (servers.h). */
#ifndef COHORT_VALUE_REMOTE_H
#define COHORT_VALUE_REMOTE_H

#include "runtime/value/variable.h"

/* A variable, or one of those that it is cut into. */
typedef struct cohort_remote_shard {
    int32_t server, number;  /* as that server numbers it; -1: it has none */
    int64_t first_row, rows; /* rows 0: the whole variable */
    uint64_t offset, bytes;
    uint64_t version; /* of the bytes that the mirror has; 0: none */
} cohort_remote_shard;

typedef struct cohort_remote {
    cohort_servers *servers;
    int32_t n;
    cohort_remote_shard *shards;       /* [n], in the order of their rows */
    cohort_server_question *questions; /* [n] */
    uint64_t writes;                   /* of all workers, as the servers last said */
    char *mirror;                      /* the whole, once it was read; else NULL */
    uint64_t placed; /* the epoch of the store that has the mirror's; 0: none has */
} cohort_remote;

/* Of a variable whose copies are placed. COHORT_EINVAL: several whole ones; COHORT_ENOMEM. */
cohort_status cohort_remote_make(cohort_variable *variable);
void cohort_remote_free(cohort_variable *variable);

/* The servers make it, or have it: content NULL is zeros. */
cohort_status cohort_remote_create(cohort_variable *variable, const void *content);

/* The same servers have the same rows of both. */
bool cohort_remote_is_placed_like(const cohort_remote *a, const cohort_remote *b);

/* The store gets what the servers have; nothing moves that is there already. Posts a write. */
cohort_status cohort_remote_refresh(cohort_variable *variable, const char *call);

/* Look at what the servers have now, without the copy above. versions: [n], of each shard that
 * `into` has already, 0: none; those that have another one come into their places. `into` is lent
 * to messages until it returns: after a failure it goes back by cohort_messages_give.
 * *out_has_come: whether any has. */
cohort_status cohort_remote_look(cohort_variable *variable, uint64_t versions[], char *into,
                                 const char *call, bool *out_has_come);

/* Before each of the writes below, which rely on it: this task may write. COHORT_EINVAL: an
 * evaluator may not. */
cohort_status cohort_remote_check_writer(const cohort_variable *variable, const char *call);

/* assign, add, subtract: of `bytes` bytes, row-major. */
cohort_status cohort_remote_write(cohort_variable *variable, cohort_write_op op,
                                  const void *content, const char *call);

/* The servers run a function: blocks[i], of bytes[i] bytes, is the call for shard i, as servers.h
 * has it; freed here. */
cohort_status cohort_remote_update(cohort_variable *variable, char *blocks[],
                                   const uint64_t bytes[], const char *call);

/* Index slices in memory of this process. */
typedef struct cohort_remote_rows {
    const int64_t *ids; /* [n], each a row of the variable */
    int64_t n;
    char *rows; /* [n] rows: to read for a scatter, to fill by a gather */
} cohort_remote_rows;

cohort_status cohort_remote_scatter(cohort_variable *variable, cohort_write_op op,
                                    const cohort_remote_rows *slices, const char *call);

/* The rows are lent to messages until it returns; after a failure they go back by _give_rows, since
 * a message that was given up may still write there. */
cohort_status cohort_remote_gather(cohort_variable *variable, const cohort_remote_rows *slices,
                                   const char *call);
void cohort_remote_give_rows(const cohort_variable *variable, char *rows,
                             void (*give_back)(void *));

#endif
