/* SPDX-License-Identifier: BSD-3-Clause */
/* COHORT_ITEMS: what the tokens of a body must not be. */
#ifndef COHORT_FUNCTION_ITEMS_BODY_H
#define COHORT_FUNCTION_ITEMS_BODY_H

#include <cohort/status.h>

/* The host runs the items in one loop, a device each by itself: `return` and `goto` would end the
 * loop in the one and the item in the other. COHORT_EINVAL when the body has one of these words,
 * strings and comments aside; who: the function, for the message. */
cohort_status cohort_items_check_body(const char *who, const char *body);

/* For the same reason the body may not change the item's index or a parameter, only what it points
 * to: COHORT_EINVAL for an assignment to the name, or to a member of it, for ++ and --, and for its
 * address. Where a variable of the body has the name it is hidden. The tokens are looked at, as
 * they are before macros are expanded: what a macro hides is not found. */
cohort_status cohort_items_check_name(const char *who, const char *body, const char *name);

#endif
