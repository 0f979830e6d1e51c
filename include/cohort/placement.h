/* SPDX-License-Identifier: BSD-3-Clause */
/* Placement policies: where the variables of a strategy live.
 *
 * A policy is one function, from the description of a variable to its copies. The policies of the
 * library are rows of a table of such functions; yours goes into the options of a strategy or of a
 * variable:
 *
 *     static int by_size(const cohort_place_request *request, cohort_copy out[], int capacity,
 *                        void *user)
 *     {
 *         out[0].device = request->bytes > 4096 ? 0 : request->num_parameter_devices - 1;
 *         return 1;
 *     }
 *     static const cohort_placement mine = { .name = "by-size", .place = by_size };
 *     cohort_strategy_options options = { .devices = "host/4", .placement = &mine };
 *     s = cohort_strategy_create(&options);
 *
 * How a variable is read and written does not depend on the policy: every copy of a row is the same
 * after each update, and every replica reads the whole variable. */
#ifndef COHORT_PLACEMENT_H
#define COHORT_PLACEMENT_H

#include <cohort/array.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One copy of a variable, or of a range of its rows (axis 0). */
typedef struct cohort_copy {
    /* place in the strategy's list of parameter devices; of a variable on parameter servers which
     * of them, task `device` of job ps */
    int32_t device;
    int32_t reserved;
    int64_t first_row, rows; /* rows 0: the whole variable */
} cohort_copy;

/* The description of a variable that a policy gets. */
typedef struct cohort_place_request {
    const char *name;
    cohort_spec spec;
    int64_t bytes; /* of the whole variable */
    /* variables that the policy placed for this strategy before this one */
    int32_t ordinal;
    /* at least 1; of a variable on parameter servers how many servers there are */
    int32_t num_parameter_devices;
    int64_t number;     /* of the policy, as it stands in its struct */
    int64_t max_shards; /* the same */
    /* the policy is that of the variable's own options, not of the strategy */
    int32_t is_own;
    int32_t reserved;
} cohort_place_request;

/* A policy: fill out[0 .. n - 1] and return n, at least 1. Either whole copies on different
 * devices; or ranges of rows that follow one another without gap from row 0 to the last, several of
 * which may lie on one device. The creation of the variable fails when the policy returns anything
 * else. A negative status refuses the variable; cohort_error_text() then has the library's text for
 * it. out[] is all zero on entry; capacity is 1,024 or more. Calls of the strategy that asks are
 * refused meanwhile. */
typedef int (*cohort_place_fn)(const cohort_place_request *request, cohort_copy out[], int capacity,
                               void *user);

/* A flag of cohort_placement: a variable has a copy wherever it is read. Then ON_READ variables
 * have one component per replica; with any other policy there is one copy for all, and
 * synchronization has no effect. */
enum { COHORT_PLACEMENT_MIRRORS = 1 };

/* A placement policy: a function, and what it gets. */
typedef struct cohort_placement {
    const char *name; /* for messages and cohort_strategy_describe; lives as long as the strategy */
    cohort_place_fn place;
    void *user;
    /* numbers that the policy gives a meaning; see the partitioners */
    int64_t number, max_shards;
    uint32_t flags;       /* MIRRORS or 0 */
    uint32_t reserved[3]; /* zero */
} cohort_placement;

/* A policy of the library by its name: "mirrored" (a copy on every parameter device), "central" and
 * "one-device" (one copy, on the first), "round-robin" (one copy, on one after the other),
 * "sharded" (as cohort_placement_fixed_shards with one shard for each device). NULL, without an
 * error, when there is none. */
COHORT_API const cohort_placement *cohort_placement_find(const char *name);

/* ---- Partitioners: policies that cut a variable along axis 0 into shards, of which shard k lies
 * on parameter device k mod number of devices. Rows are shared evenly, the first shards have one
 * more; a variable has at most as many shards as rows. A scalar is whole where the partitioner is
 * that of the strategy, and COHORT_EINVAL where it stands in the scalar's own options. All numbers
 * are at least 1. Source: the partitioners of tf.distribute.experimental.partitioners. */

/* Cut into this many shards. */
COHORT_API cohort_placement cohort_placement_fixed_shards(int64_t shards);

/* Cut into shards of some size: bytes of the variable / min_bytes shards, rounded up, and at most
 * max_shards. Rounded up means that a shard may be smaller than min_bytes: (256 * 1024, 8) cuts
 * 1000 x 256 float32, 3.9 times the size, into 4 shards of 250 rows, which are 250 KiB. For at most
 * one shard on each device, max_shards is the number of parameter devices. */
COHORT_API cohort_placement cohort_placement_min_bytes(int64_t min_bytes, int64_t max_shards);

/* Cut into as few shards as keep each within max_bytes, or one a row where a row alone is larger;
 * at most max_shards, which may make them larger. INT64_MAX: no such limit. */
COHORT_API cohort_placement cohort_placement_max_bytes(int64_t max_bytes, int64_t max_shards);

#ifdef __cplusplus
}
#endif
#endif
