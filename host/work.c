/* SPDX-License-Identifier: BSD-3-Clause */
/* The crew of a device is made when there first is work for it. */
#include "config.h"

#include "host/work.h"

#include "host/dev.h"
#include "host/host.h"

#include <stdio.h>
#include <stdlib.h>

/* In whole microseconds, and what is no number is the default, as the core does and says. */
static int64_t longest_look_ns(void)
{
    enum { DEFAULT_US = 100, MOST_US = 1000000000 };
    char text[64] = "", *end = text;
    (void)host_table->config_get(host_table->ctx, "COHORT_SPIN", text, sizeof text);
    long long us = strtoll(text, &end, 10);
    return 1000 * (int64_t)(end == text || us < 0 || us > MOST_US ? DEFAULT_US : us);
}

static void say_fewer(const cohort_dev *dev)
{
    char text[128];
    (void)snprintf(text, sizeof text, "host: the system starts %d of %d threads for a device",
                   crew_members(dev->crew), dev->team - 1);
    host_table->log(host_table->ctx, 1, text);
}

static bool ensure_crew(cohort_dev *dev)
{
    if (dev->crew == NULL && (dev->crew = crew_create(dev->team - 1, longest_look_ns())) != NULL &&
        crew_members(dev->crew) < dev->team - 1)
        say_fewer(dev);
    return dev->crew != NULL;
}

bool work_split(cohort_dev *dev, bool is_worth_it, uint64_t n, uint64_t grain, crew_fn fn,
                void *context)
{
    if (dev->team > 1 && is_worth_it && ensure_crew(dev))
        return crew_split(dev->crew, dev->cores, n, grain, fn, context);
    fn(context, 0, n);
    return true;
}
