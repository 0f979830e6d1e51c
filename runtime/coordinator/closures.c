/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/coordinator/closures.h"

void cohort_closures_append(cohort_closures *list, cohort_closure *c)
{
    c->next = NULL;
    if (list->last == NULL)
        list->first = c;
    else
        list->last->next = c;
    list->last = c;
    list->n++;
}

void cohort_closures_prepend(cohort_closures *list, cohort_closure *c)
{
    c->next = list->first;
    list->first = c;
    if (list->last == NULL)
        list->last = c;
    list->n++;
}

cohort_closure *cohort_closures_take_first(cohort_closures *list)
{
    cohort_closure *c = list->first;
    if (c == NULL)
        return NULL;
    list->first = c->next;
    if (list->first == NULL)
        list->last = NULL;
    list->n--;
    return c;
}
