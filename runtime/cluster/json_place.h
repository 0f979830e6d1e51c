/* SPDX-License-Identifier: BSD-3-Clause */
/* Where in a JSON text something stands: jansson, which reads it, does not say that of values. */
#ifndef COHORT_CLUSTER_JSON_PLACE_H
#define COHORT_CLUSTER_JSON_PLACE_H

#include <stdbool.h>
#include <stddef.h>

/* A value: member or element `ordinal` of the object or array around it. */
typedef struct cohort_json_place {
    const struct cohort_json_place *outer; /* NULL: it is the document */
    size_t ordinal;
} cohort_json_place;

/* The offset of a value, or of the name of the member that it is, in a text that is JSON and has
 * it. */
size_t cohort_json_offset(const char *text, const cohort_json_place *place, bool of_name);

/* Brackets that are open at once, at most; *out_offset: of the first one at that depth. Of any
 * text. */
size_t cohort_json_depth(const char *text, size_t most, size_t *out_offset);

#endif
