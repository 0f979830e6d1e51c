/* SPDX-License-Identifier: BSD-3-Clause */
/* The common parts of the checks of cohort doctor. */
#ifndef COHORT_CLI_DOCTOR_H
#define COHORT_CLI_DOCTOR_H

#include "cli/json.h"

#include <cohort/device.h>

#include <stdbool.h>

/* A note is of what works and could be better, or of what is not there and need not be. */
typedef enum doctor_verdict { DOCTOR_OK = 0, DOCTOR_NOTE, DOCTOR_WRONG } doctor_verdict;

typedef struct doctor {
    bool wants_json;
    json out;
    int n[3];                 /* of each verdict */
    struct finding *findings; /* of plugins, asked before anything else */
} doctor;

/* One line. fix: what to do; NULL or "" where there is nothing to do, never of what is wrong. */
__attribute__((format(printf, 5, 6))) void doctor_say(doctor *d, doctor_verdict verdict,
                                                      const char *check, const char *fix,
                                                      const char *format, ...);

/* The checks, in their order. */
void doctor_plugins(doctor *d);
void doctor_cores(doctor *d);
void doctor_opencl(doctor *d);
void doctor_kernels(doctor *d);
void doctor_cache(doctor *d);
void doctor_limits(doctor *d);
void doctor_settings(doctor *d);
void doctor_mpi(doctor *d);
void doctor_data(doctor *d);

/* Whether what cohort_unused_next gives is a file or folder of plugins, and not a device. */
bool doctor_is_plugin(const char *candidate);

/* The device of this id; NULL: there is none. */
const cohort_device *doctor_device(const char *id);

#endif
