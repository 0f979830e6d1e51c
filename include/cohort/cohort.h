/* SPDX-License-Identifier: BSD-3-Clause */
/* Cohort: tf.distribute for C. Everything a program needs; libcohort(3) is the introduction.
 *
 * argument.h   what calls take          placement.h  where variables live
 * array.h      arrays and dtypes        program.h    recorded steps
 * cluster.h    tasks, roles             prototype.h  what a function takes
 * config.h     session-style options    reduce.h     combining and gathering
 * dataset.h    rows, transformations    replica.h    code per replica
 * device.h     devices and plugins      run.h        run, update, wait
 * files.h      datasets of files        running.h    whose body this thread is in
 * function.h   prototypes and bodies    status.h     errors, log, settings
 * handle.h     the driver's objects     strategy.h   replicas on devices
 * input.h      rows for replicas        topology.h   devices as a mesh
 * metric.h     what adds up over steps  value.h      containers
 * npy.h        NumPy's files            variable.h   state
 * packs.h      what travels together    server.h     variables on other machines
 * These stand apart: opencl.h gives the objects of OpenCL types, math.h has functions for bodies in
 * both languages, plugin.h is for authors of device plugins. */
#ifndef COHORT_COHORT_H
#define COHORT_COHORT_H

#include <cohort/array.h>
#include <cohort/cluster.h>
#include <cohort/config.h>
#include <cohort/dataset.h>
#include <cohort/device.h>
#include <cohort/files.h>
#include <cohort/function.h>
#include <cohort/handle.h>
#include <cohort/input.h>
#include <cohort/metric.h>
#include <cohort/npy.h>
#include <cohort/packs.h>
#include <cohort/program.h>
#include <cohort/prototype.h>
#include <cohort/replica.h>
#include <cohort/run.h>
#include <cohort/running.h>
#include <cohort/server.h>
#include <cohort/status.h>
#include <cohort/strategy.h>
#include <cohort/topology.h>
#include <cohort/value.h>
#include <cohort/variable.h>

#endif
