/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "cli/report.h"

#include <stdlib.h>

static bool find_all(report *r)
{
    return report_find_steps(r) && report_find_spans(r) && report_find_shares(r) &&
           report_find_path(r) && report_find_replicas(r) && report_find_recording(r);
}

const char *report_make(FILE *file, const char *path, report *out, char *wrong, size_t room)
{
    *out = (report){ .path = path };
    const char *failed = timeline_read(file, &out->t, wrong, room);
    if (failed != NULL)
        return failed;
    if (!find_all(out)) {
        (void)snprintf(wrong, room, "out of memory");
        return wrong;
    }
    report_find_causes(out);
    return NULL;
}

void report_free(report *r)
{
    timeline_free(&r->t);
    free(r->begins);
    free(r->flows);
    free(r->heads);
    free(r->spans);
    free(r->devices);
    free(r->beside);
}
