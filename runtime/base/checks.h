/* SPDX-License-Identifier: BSD-3-Clause */
/* What the library checks of others where it is asked to: words of COHORT_CHECK, and of the options
 * of a strategy. */
#ifndef COHORT_BASE_CHECKS_H
#define COHORT_BASE_CHECKS_H

#include <cohort/status.h>

#include <stdint.h>

/* X(id, word): a bit for each. */
#define COHORT_CHECKS(X) X(BODIES, "bodies") X(PLUGINS, "plugins")

#define COHORT_CHECK_INDEX_(id, word) COHORT_CHECK_INDEX_##id,
enum { COHORT_CHECKS(COHORT_CHECK_INDEX_) COHORT_CHECK_COUNT };

#define COHORT_CHECK_BIT_(id, word) COHORT_CHECK_##id = 1 << COHORT_CHECK_INDEX_##id,
typedef enum cohort_check {
    COHORT_CHECKS(COHORT_CHECK_BIT_) COHORT_CHECK_NOTHING = 0
} cohort_check;

/* The checks of a list of words, which are separated by commas: those of the table, 1, which is
 * bodies, and 0, which is none. An empty word is none, too.
 *
 * who     for messages: whose list it is, "COHORT_CHECK"
 * Returns COHORT_OK, or COHORT_EINVAL, with the word that is no check and all that are */
cohort_status cohort_checks_parse(const char *who, const char *words, uint32_t *out_checks);

#endif
