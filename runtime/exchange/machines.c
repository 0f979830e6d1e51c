/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/exchange/machines.h"

#include "runtime/base/memory.h"

/* ------------------------------------------------------------------ workers */

bool cohort_machines_init(cohort_machines *m, int32_t n_workers)
{
    const size_t n = (size_t)n_workers;
    *m = (cohort_machines){ .n = n_workers, .n_workers = n_workers };
    m->names = cohort_allocate(n, sizeof *m->names);
    m->of = cohort_allocate(n, sizeof *m->of);
    m->first = cohort_allocate(n + 1, sizeof *m->first);
    m->workers = cohort_allocate(n, sizeof *m->workers);
    m->roots = cohort_allocate(n, COHORT_ROOTS_MOST * sizeof *m->roots);
    if (m->names == NULL || m->of == NULL || m->first == NULL || m->workers == NULL ||
        m->roots == NULL)
        return false;
    for (int32_t i = 0; i < n_workers; i++) {
        m->names[i] = (uint64_t)i;
        m->of[i] = m->first[i] = m->workers[i] = i;
    }
    m->first[n_workers] = n_workers;
    return true;
}

void cohort_machines_fini(cohort_machines *m)
{
    cohort_free(m->names);
    cohort_free(m->of);
    cohort_free(m->first);
    cohort_free(m->workers);
    cohort_free(m->roots);
}

/* The machine of a worker, where one before it shares it; else the next. */
static int32_t find_machine(const cohort_machines *m, int32_t worker)
{
    for (int32_t i = 0; i < worker; i++)
        if (m->names[i] == m->names[worker])
            return m->of[i];
    return m->n;
}

static void list_workers(cohort_machines *m)
{
    int32_t n = 0;
    for (int32_t machine = 0; machine < m->n; machine++) {
        m->first[machine] = n;
        for (int32_t i = 0; i < m->n_workers; i++)
            if (m->of[i] == machine)
                m->workers[n++] = i;
    }
    m->first[m->n] = n;
}

void cohort_machines_group(cohort_machines *m)
{
    m->n = 0;
    for (int32_t i = 0; i < m->n_workers; i++) {
        m->of[i] = find_machine(m, i);
        m->n += m->of[i] == m->n;
    }
    list_workers(m);
}

bool cohort_machines_are_shared(const cohort_machines *m)
{
    return m->n > 1 && m->n < m->n_workers;
}

/* ------------------------------------------------------------------ slots */

static int32_t first_slot(const cohort_machines *m, int32_t machine, int32_t place)
{
    const int64_t size = cohort_machines_size(m, machine);
    return (int32_t)(((int64_t)place * cohort_machines_slots(m) + size - 1) / size);
}

int32_t cohort_machines_borne(const cohort_machines *m, int32_t worker, int32_t *out_end)
{
    const int32_t machine = m->of[worker];
    int32_t place = 0;
    while (m->workers[m->first[machine] + place] != worker)
        place++;
    *out_end = first_slot(m, machine, place + 1);
    return first_slot(m, machine, place);
}

/* ------------------------------------------------------------------ roots */

static bool is_of_one(const cohort_machines *m, const cohort_root roots[], int32_t first,
                      int32_t end)
{
    bool is_one = true;
    for (int32_t i = first + 1; i < end && is_one; i++)
        is_one = m->of[roots[i].worker] == m->of[roots[first].worker];
    return is_one;
}

static void list_node(cohort_machines *m, const cohort_root roots[], int32_t first, int32_t end)
{
    if (is_of_one(m, roots, first, end)) {
        m->roots[m->n_roots++] = (cohort_machine_root){ first, end, m->of[roots[first].worker] };
        return;
    }
    const int32_t middle = cohort_roots_middle(roots, first, end);
    list_node(m, roots, first, middle);
    list_node(m, roots, middle, end);
}

void cohort_machines_list_roots(cohort_machines *m, const cohort_root roots[], int32_t n)
{
    m->n_roots = 0;
    list_node(m, roots, 0, n);
}
