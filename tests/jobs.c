/* SPDX-License-Identifier: BSD-3-Clause */
/* COHORT_JOBS: lists that are wrong, and what right ones say. */
#include "config.h"

#include "tests/tap.h"

#include "runtime/base/error.h"
#include "runtime/cluster/jobs.h"

#include <string.h>

static void wrong(void)
{
    static const char *const texts[] = { "",
                                         ",",
                                         "worker",
                                         "worker=",
                                         "=2",
                                         "worker=2,",
                                         ",worker=2",
                                         "worker=2,,ps=1",
                                         "worker=0",
                                         "worker=-1",
                                         "worker=+1",
                                         "worker= 1",
                                         " worker=1",
                                         "Worker=1",
                                         "workers=1",
                                         "work=1",
                                         "worker=1,worker=1",
                                         "worker=65537",
                                         "worker=4294967297",
                                         "worker=99999999999999999999999999",
                                         "worker=1.5",
                                         "worker=2;ps=1",
                                         "worker=2ps=1",
                                         "worker==2" };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        int32_t tasks[COHORT_JOB_TYPES] = { 0 };
        ok(cohort_jobs_parse(texts[i], tasks) == COHORT_EINVAL, "'%s' is refused", texts[i]);
        has_text(cohort_error_text(), "is no list of jobs, each once, such as worker=2,ps=1",
                 "and told");
    }
}

static void right(void)
{
    int32_t tasks[COHORT_JOB_TYPES] = { 0 }, two[COHORT_JOB_TYPES] = { 2, 1, 0, 0 };
    ok(cohort_jobs_parse("ps=2,worker=65536,chief=1,evaluator=3", tasks) == COHORT_OK,
       "jobs may be in any order");
    ok(tasks[0] == 1 && tasks[1] == 65536 && tasks[2] == 2 && tasks[3] == 3,
       "and have their tasks");
    ok(cohort_jobs_share_out(65542, tasks) == COHORT_OK, "as many as there are processes");
    ok(cohort_jobs_share_out(65541, tasks) == COHORT_EINVAL, "or it is an error");
    has_text(cohort_error_text(), "the jobs want 65542 processes, and there are 65541",
             "that says both");
    ok(cohort_jobs_share_out(3, two) == COHORT_EINVAL, "two chiefs are one too many");
    has_text(cohort_error_text(), "job 'chief' has 2 tasks; it has one", "which is told");
}

int main(void)
{
    wrong();
    right();
    return tap_done();
}
