/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that is never freed, since something that this process cannot stop may still use it: a
 * device that is lost, an exchange that was given up. It has an owner all the same, so that a leak
 * checker tells it from what was forgotten. */
#ifndef COHORT_BASE_KEPT_H
#define COHORT_BASE_KEPT_H

/* Kept until the process ends, with all that it points to. NULL is allowed. Any thread; never
 * fails: without memory for the list the block is still not freed. */
void cohort_keep(const void *memory);

#endif
