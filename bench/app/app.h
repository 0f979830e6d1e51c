/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that people write, in four ways that do the same work: a loop with OpenMP as well as we
 * can write it, OpenCL by hand, and Cohort, whose one body is measured on the host and on OpenCL.
 *
 * Each app is a file, whose parts begin with a line that bench/tables.py counts from: what all
 * sides share, "OpenMP", "Cohort" and "OpenCL". */
#ifndef COHORT_BENCH_APP_H
#define COHORT_BENCH_APP_H

#include "bench/must.h"

#include <stddef.h>
#include <stdint.h>

/* One way to do it.
 *
 * open    of the data, which it is lent; devices: of Cohort. It has done nothing yet
 * step    what is timed
 * finish  ends what steps have begun; may be NULL
 * read    the result, as so many floats as the data say, after finish */
typedef struct app_side {
    void *(*open)(const void *data, const char *devices);
    void (*step)(void *side);
    void (*finish)(void *side);
    void (*read)(void *side, float *out);
    void (*close)(void *side);
} app_side;

/* sizes   what data are made of, in rising order; the last one 0
 * make    data of a size; out_bytes: the working set of a step, out_n: floats of a result
 * unmake  the data
 * error   what results may differ by, of 1 + the result; 0: they have the same bits */
typedef struct app {
    const char *name;
    int64_t sizes[5];
    void *(*make)(int64_t size, size_t *out_bytes, int64_t *out_n);
    void (*unmake)(void *data);
    double error;
    app_side openmp, cohort, opencl;
} app;

extern const app app_heat, app_kmeans, app_nbody, app_blackscholes, app_pagerank, app_csr,
    app_histogram, app_mandelbrot, app_mlp, app_embedding;

/* Memory of cache lines, or the end of the program. */
void *app_memory(size_t bytes);

/* A number that looks drawn, between 0 and 2^24 - 1. */
static inline uint32_t app_draw(int64_t i)
{
    uint32_t x = (uint32_t)i * 2654435761u;
    x = (x ^ x >> 15) * 2246822519u;
    return (x ^ x >> 13) >> 8;
}

#endif
