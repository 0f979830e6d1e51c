/* SPDX-License-Identifier: BSD-3-Clause */
/* The devices of this machine, as cohort devices tells and draws them. */
#ifndef COHORT_CLI_DEVICES_H
#define COHORT_CLI_DEVICES_H

#include <cohort/device.h>

#include <stdbool.h>
#include <stdio.h>

/* Properties are texts: one that is missing is "", and one that is no number is 0. */
const char *devices_property(const cohort_device *device, const char *key);
int64_t devices_number(const cohort_device *device, const char *key);

/* "quota 1.50 of 64 CPUs", where control groups allow a device of this machine less than it has;
 * "". */
const char *devices_quota(const cohort_device *device);

/* Whether it takes a format of bodies that the examples and the demo have. */
bool devices_runs_examples(const cohort_device *device);

/* default, or on request, and why. */
const char *devices_choice(const cohort_device *device);
bool devices_is_cpu(const cohort_device *device);

/* A picture of the machine: cores, devices, their compute units and memory, and what is not used.
 * what: the line about the machine. */
void devices_draw(FILE *file, const void *what);

#endif
