/* SPDX-License-Identifier: BSD-3-Clause */
/* A strategy in a few lines, for people. */
#include "config.h"

#include "runtime/base/print.h"
#include "runtime/strategy/strategy.h"

#include <stdio.h>
static const char *plural(int32_t n)
{
    return n == 1 ? "" : "s";
}

static void describe_device(const cohort_strategy *s, int32_t d, FILE *out)
{
    int32_t first = s->first[d], end = s->first[d + 1];
    fprintf(out, " ");
    for (int32_t l = 0; l < s->n_logical; l++)
        fprintf(out, " %s", cohort_strategy_context(s, l * s->n_hosts + d)->device->id);
    if (cohort_strategy_context(s, d)->is_left_out) {
        fputs(" is lost\n", out);
        return;
    }
    fputs(s->n_logical > 1 ? " host" : " hosts", out);
    if (end == first)
        fputs(" no replica\n", out);
    else if (end - first == 1)
        fprintf(out, " replica %d\n", s->first_replica + first);
    else
        fprintf(out, " replicas %d to %d\n", s->first_replica + first, s->first_replica + end - 1);
}

static void describe_parameters(const cohort_strategy *s, FILE *out)
{
    fprintf(out, "  variables live on");
    for (int32_t i = 0; i < s->n_parameters; i++)
        fprintf(out, " %s", cohort_strategy_context(s, s->parameters[i])->device->id);
    fprintf(out, "\n");
}

static void describe_cluster(const cohort_membership *m, FILE *out)
{
    fprintf(out, "  cluster of resolver %s: ", m->resolver->name);
    if (m->task_type[0] == '\0')
        fprintf(out, "no task");
    else if (m->task_id < 0)
        fprintf(out, "a task of job %s", m->task_type);
    else
        fprintf(out, "%s %d", m->task_type, (int)m->task_id);
    fprintf(out, "%s, %d job%s\n", m->is_chief ? ", the chief" : "", (int)m->spec->n,
            plural(m->spec->n));
}

static void describe_filters(const cohort_config *config, FILE *out)
{
    fprintf(out, "  device filters");
    for (int32_t i = 0; i < config->n_filters; i++)
        fprintf(out, " %s", config->filters[i]);
    fprintf(out, "\n");
}

static void describe(const void *what, FILE *out)
{
    const cohort_strategy *s = what;
    int32_t n = cohort_strategy_hosting(s);
    fprintf(out, "%s: %d replica%s on %d device%s, placement %s\n", s->name, s->n_replicas,
            plural(s->n_replicas), n, plural(n), s->placement.name);
    for (int32_t d = 0; d < s->n_hosts; d++)
        describe_device(s, d, out);
    describe_parameters(s, out);
    if (s->membership.resolver != NULL)
        describe_cluster(&s->membership, out);
    if (s->config != NULL && s->config->n_filters > 0)
        describe_filters(s->config, out);
    for (const cohort_dependent *m = s->dependents.next; m != &s->dependents; m = m->next)
        if (m->describe != NULL)
            m->describe(m, out);
}

/* The text is the strategy's until the next call: the program need not free it. */
const char *cohort_strategy_describe(cohort_strategy *s)
{
    return cohort_handle_is(s, COHORT_HANDLE_STRATEGY)
               ? cohort_print_kept(&s->description, describe, s)
               : "";
}
