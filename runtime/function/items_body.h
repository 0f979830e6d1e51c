/* SPDX-License-Identifier: BSD-3-Clause */
/* COHORT_ITEMS: what the body of an item must not do, as its tokens tell. */
#ifndef COHORT_FUNCTION_ITEMS_BODY_H
#define COHORT_FUNCTION_ITEMS_BODY_H

#include "runtime/function/items_token.h"

#include <cohort/status.h>

#include <stdbool.h>

/* COHORT_EINVAL: the body has the word `return` or `goto`, strings and comments aside. The host
 * runs all items in one loop, which these words would end; another device runs each item by itself,
 * and there they would end the item alone.
 *
 * who  the function's name, for the text */
cohort_status cohort_items_body_check(const char *who, const char *body);

/* COHORT_EINVAL: the body changes the item's index or a parameter called `name`, which on the host
 * the next item would see. Refused are an assignment to the name or to a member of it, ++ and --,
 * and taking its address; what a parameter points to may be changed. A variable of the body with
 * the same name hides it. Tokens are looked at before macros are expanded: what a macro hides is
 * not found. */
cohort_status cohort_items_body_check_name(const char *who, const char *body, const char *name);

/* Does a variable of the body stay what it begins with, an index or a parameter what it is? name:
 * the token that declares it, or one outside the body. False also where the tokens do not tell:
 * another variable has its name and is changed, or a conjunction of bits may be an address. */
bool cohort_items_body_keeps(const char *body, cohort_token name);

#endif
