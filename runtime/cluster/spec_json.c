/* SPDX-License-Identifier: BSD-3-Clause */
/* A cluster spec as JSON: the form that TF_CONFIG has under "cluster". */
#include "config.h"

#include "runtime/base/memory.h"
#include "runtime/base/print.h"
#include "runtime/cluster/spec.h"

#include <stdlib.h>

/* Texts of a spec are UTF-8 without control characters: two characters have to be escaped. */
static void print_text(const char *text, FILE *out)
{
    fputc('"', out);
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

static void print_job(const cohort_cluster_job *job, FILE *out)
{
    bool is_list = cohort_cluster_job_is_list(job);
    print_text(job->type, out);
    fputs(is_list ? ": [" : ": {", out);
    for (int32_t i = 0; i < job->n; i++) {
        fputs(i > 0 ? ", " : "", out);
        if (!is_list)
            fprintf(out, "\"%d\": ", (int)job->tasks[i].index);
        print_text(job->tasks[i].address, out);
    }
    fputc(is_list ? ']' : '}', out);
}

static void print_spec(const void *what, FILE *out)
{
    const cohort_cluster_spec *spec = what;
    fputc('{', out);
    for (int32_t i = 0; i < spec->n; i++) {
        fputs(i > 0 ? ", " : "", out);
        print_job(&spec->jobs[i], out);
    }
    fputc('}', out);
}

char *cohort_cluster_spec_write(const cohort_cluster_spec *spec)
{
    char *text = cohort_print_to_text(print_spec, spec, NULL);
    char *copy = cohort_string_copy(text);
    free(text);
    return copy;
}
