/* SPDX-License-Identifier: BSD-3-Clause */
/* bench/apps: programs that people write, with Cohort beside a loop with OpenMP and beside OpenCL
 * by hand, all compiled with the same flags. Before anything is timed all sides have done some
 * steps, and have the same result. bench/turns.h says how it is measured.
 *
 * usage: apps [NAME...] */
#include "config.h"

#include "bench/app/app.h"
#include "bench/blas.h"
#include "bench/turns.h"

#include <math.h>
#include <string.h>

enum { WAYS = 5, CHECKED_STEPS = 3, LINE = 64 };

static const app *const apps[] = {
    &app_heat, &app_kmeans,    &app_nbody,      &app_blackscholes, &app_pagerank,
    &app_csr,  &app_histogram, &app_mandelbrot, &app_embedding,
#ifdef APPS_WITH_CBLAS
    &app_mlp,
#endif
};

void *app_memory(size_t bytes)
{
    void *memory = aligned_alloc(LINE, (bytes + LINE - 1) / LINE * LINE);
    must(memory != NULL, "memory");
    return memset(memory, 0, bytes);
}

/* One side of a row, and where it runs. */
typedef struct way {
    const char *who, *how;
    const app_side *side;
    void *state;
    double error; /* its largest difference from the first way */
} way;

static bool has_opencl(void)
{
    for (const cohort_device *d = cohort_device_next(NULL); d != NULL; d = cohort_device_next(d))
        if (strcmp(cohort_device_id(d), "opencl:0") == 0)
            return true;
    return false;
}

static int list_ways(const app *a, way ways[WAYS])
{
    ways[0] = (way){ "OpenMP", "by hand", &a->openmp, NULL, 0 };
    ways[1] = (way){ "Cohort", "host:0", &a->cohort, NULL, 0 };
    ways[2] = (way){ "Cohort", "host/2", &a->cohort, NULL, 0 };
    if (!has_opencl())
        return 3;
    ways[3] = (way){ "OpenCL", "by hand", &a->opencl, NULL, 0 };
    ways[4] = (way){ "Cohort", "opencl:0", &a->cohort, NULL, 0 };
    return WAYS;
}

/* ------------------------------------------------------------------ the same results */

static void take_steps(const way *w, float *out)
{
    for (int i = 0; i < CHECKED_STEPS; i++)
        w->side->step(w->state);
    if (w->side->finish != NULL)
        w->side->finish(w->state);
    w->side->read(w->state, out);
}

static double difference(const float *found, const float *wanted, int64_t n)
{
    double most = 0;
    for (int64_t i = 0; i < n; i++)
        most =
            fmax(most, fabs((double)found[i] - (double)wanted[i]) / (1 + fabs((double)wanted[i])));
    return most;
}

static void compare(const app *a, const way ways[], int n_ways, int64_t n)
{
    float *wanted = app_memory((size_t)n * sizeof *wanted);
    float *found = app_memory((size_t)n * sizeof *found);
    take_steps(&ways[0], wanted);
    for (int i = 1; i < n_ways; i++) {
        take_steps(&ways[i], found);
        bool is_same = a->error > 0 ? difference(found, wanted, n) <= a->error
                                    : memcmp(found, wanted, (size_t)n * sizeof *found) == 0;
        if (is_same)
            continue;
        fprintf(stderr, "%s: %s %s has another result than by hand, by %g\n", a->name, ways[i].who,
                ways[i].how, difference(found, wanted, n));
        exit(1);
    }
    free(wanted);
    free(found);
}

/* ------------------------------------------------------------------ rows */

static void measure(const app *a, int64_t size)
{
    way ways[WAYS];
    turns_side sides[WAYS];
    char row[64];
    size_t bytes;
    int64_t n;
    void *data = a->make(size, &bytes, &n);
    int n_ways = list_ways(a, ways);
    for (int i = 0; i < n_ways; i++) {
        ways[i].state = ways[i].side->open(data, ways[i].how);
        sides[i] = (turns_side){ .who = ways[i].who,
                                 .how = ways[i].how,
                                 .call = ways[i].side->step,
                                 .finish = ways[i].side->finish,
                                 .bench = ways[i].state,
                                 .is_limit = i == 0 };
    }
    compare(a, ways, n_ways, n);
    (void)snprintf(row, sizeof row, "%s, %g MiB", a->name,
                   round((double)bytes / (1 << 20) * 1000) / 1000);
    turns_row(row, sides, n_ways);
    for (int i = 0; i < n_ways; i++)
        ways[i].side->close(ways[i].state);
    a->unmake(data);
}

static bool is_wanted(const app *a, int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], a->name) == 0)
            return true;
    return argc < 2;
}

int main(int argc, char **argv)
{
    int most = turns_are_tiny() ? 1 : turns_are_quick() ? 3 : 5;
#ifdef APPS_WITH_CBLAS
    blas_begin(argv);
#endif
    turns_table("apps");
    for (size_t i = 0; i < sizeof apps / sizeof *apps; i++)
        for (int k = 0; k < most && apps[i]->sizes[k] > 0 && is_wanted(apps[i], argc, argv); k++)
            measure(apps[i], apps[i]->sizes[k]);
    return 0;
}
