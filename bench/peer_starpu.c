/* SPDX-License-Identifier: BSD-3-Clause */
/* A peer (bench/peers.h): StarPU, two tasks without data and a wait for all, which is what an empty
 * step of two replicas is there. `bench/run` compiles it where pkg-config knows starpu-1.3. */
#include "bench/rows.h"
#include "bench/serve.h"

#include <starpu.h>

static void nothing(void *buffers[], void *arguments)
{
    (void)buffers, (void)arguments;
}

static struct starpu_codelet codelet = { .cpu_funcs = { nothing }, .nbuffers = 0 };

static int submit(void)
{
    struct starpu_task *task = starpu_task_create();
    task->cl = &codelet;
    return starpu_task_submit(task);
}

/* Between two questions the workers are paused, or they would look for work all the time. */
static double time_steps(long tasks, long calls)
{
    int failed = 0;
    starpu_resume();
    double start = starpu_timing_now();
    for (long i = 0; i < calls; i++) {
        for (long k = 0; k < tasks; k++)
            failed |= submit();
        failed |= starpu_task_wait_for_all();
    }
    double seconds = (starpu_timing_now() - start) * 1e-6;
    starpu_pause();
    return failed != 0 ? -1 : seconds;
}

int main(void)
{
    static const serve_side sides[] = {
        { ROWS_DISPATCH, ROWS_EMPTY, "StarPU, two tasks and a wait", "scheduler lws, CPU workers",
          time_steps, 2 },
    };
    struct starpu_conf conf;
    starpu_conf_init(&conf);
    conf.ncuda = conf.nopencl = 0;
    conf.sched_policy_name = "lws";
    if (starpu_init(&conf) != 0)
        return 1;
    starpu_pause();
    int status = serve(sides, sizeof sides / sizeof *sides);
    starpu_resume();
    starpu_shutdown();
    return status;
}
