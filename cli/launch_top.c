/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "cli/launch_top.h"

#include "cli/top.h"
#include "cli/visible.h"

#include <unistd.h>

/* NULL: none is of the group. */
static const top_strategy *find(const top_list *list, pid_t group)
{
    const top_strategy *most = NULL;
    for (size_t i = 0; i < list->n; i++) {
        const top_strategy *s = &list->strategies[i];
        if (s->state != TOP_ENDED && getpgid((pid_t)s->pid) == group &&
            (most == NULL || top_steps(&s->record) > top_steps(&most->record)))
            most = s;
    }
    return most;
}

bool launch_top_describe(pid_t group, char *out, size_t size)
{
    top_list list = { 0 };
    const bool is_read = top_read(&list);
    const top_strategy *s = is_read ? find(&list, group) : NULL;
    if (s != NULL)
        top_describe(s, out, size);
    else
        (void)visible(is_read ? "it has no strategy" : list.fault, out, size);
    top_free(&list);
    return is_read;
}
