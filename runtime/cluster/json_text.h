/* SPDX-License-Identifier: BSD-3-Clause */
/* JSON texts from outside: not read before their size and depth are looked at, and errors at bytes
 * of them. */
#ifndef COHORT_CLUSTER_JSON_TEXT_H
#define COHORT_CLUSTER_JSON_TEXT_H

#include <cohort/status.h>

#include <stddef.h>

struct json_t; /* of jansson */

/* The document, the caller's; NULL with the reason. name: whose text it is, for messages. */
struct json_t *cohort_json_load(const char *name, const char *text);

/* COHORT_EINVAL with "NAME: byte N: what; fix". fix: may be "". */
cohort_status cohort_json_fail(const char *name, size_t offset, const char *fix, const char *format,
                               ...) COHORT_PRINTF_(4, 5);

/* "a text", "an object": what a value is. */
const char *cohort_json_type(const struct json_t *value);

#endif
