/* SPDX-License-Identifier: BSD-3-Clause */
/* A position of an input, and the text file that keeps one:
 *
 *     cohort-position 2
 *     graph HEX HEX                       CRC-32C of the dataset's text, without and with batch
 *                                         sizes
 *     manner N per_replica N policy N     as in input.h, cohort/dataset.h
 *     pipelines N pipeline N replicas N
 *     uneven N ...                        replicas of each pipeline, where they are not equal
 *     iteration N turns N resharded N
 *     files N HEX                         of all sources; CRC-32C of those not listed
 *     file BYTES ROWS TIME                as many lines, or the first (marks.h)
 *     sources N next N
 *     source PIPELINES PIPELINE ELEMENTS ROWS TAKEN    as many lines
 *     end HEX                             CRC-32C of all bytes before this line
 */
#ifndef COHORT_INPUT_POSITION_H
#define COHORT_INPUT_POSITION_H

#include "runtime/input/input.h"
#include "runtime/input/marks.h"

typedef struct cohort_position {
    uint32_t graph, batches;
    cohort_manner manner;
    bool is_per_replica, is_resharded;
    cohort_auto_shard policy;
    int32_t pipelines, pipeline, replicas; /* of all pipelines */
    int32_t *uneven; /* [pipelines]: replicas of each, where they are not equal; else NULL */
    uint64_t iteration;
    int64_t turns;
    cohort_marks files;
    int32_t n_sources, next; /* next: whose turn it is */
    /* [n_sources]: pipelines, pipeline, passed, passed_rows and taken alone */
    cohort_source *sources;
} cohort_position;

/* Where the input is. COHORT_ENOMEM. The lists are freed by cohort_position_fini. */
cohort_status cohort_position_of(const cohort_input *input, cohort_position *out);
void cohort_position_fini(cohort_position *position);

/* How many replicas a pipeline has, and the number of the first among those of all. */
int32_t cohort_position_hosts(const cohort_position *position, int32_t pipeline,
                              int32_t *out_first);

/* The text, freed by free(), and how long it is, which may be NULL. NULL: out of memory. */
char *cohort_position_to_text(const cohort_position *position, size_t *out_bytes);

/* COHORT_EINVAL, with line and cause, for whatever cohort_position_to_text does not make. path:
 * where it stands, for messages. */
cohort_status cohort_position_from_text(const char *text, const char *path, cohort_position *out);

/* As a file; it is replaced as a whole, or stays as it was. */
cohort_status cohort_position_write(const cohort_position *position, const char *path);

/* Errors of cohort_position_from_text, and those of reading. */
cohort_status cohort_position_read(const char *path, cohort_position *out);

#endif
