/* SPDX-License-Identifier: BSD-3-Clause */
/* Cohort: tf.distribute for C. Everything a program needs; libcohort(3) is the introduction.
 *
 * argument.h       what calls take          packs.h       what travels together
 * array.h          arrays and dtypes        placement.h   where variables live
 * checkpoint.h     state that survives      program.h     recorded steps
 * cluster.h        tasks, roles             prototype.h   what a function takes
 * communication.h  how sums travel          reduce.h      combining and gathering
 * config.h         session-style options    replica.h     code per replica
 * coordinator.h    work for free workers    run.h         run, update, wait
 * dataset.h        rows, transformations    running.h     whose body this thread is in
 * device.h         devices and plugins      server.h      variables on other machines
 * files.h          datasets of files        status.h      errors, log, settings
 * function.h       prototypes and bodies    strategy.h    replicas on devices
 * handle.h         the driver's objects     sums.h        items that add up
 * input.h          rows for replicas        topology.h    devices as a mesh
 * logical.h        devices of a replica     value.h       containers
 * metric.h         what adds up over steps  variable.h    state
 * npy.h            NumPy's files
 * These stand apart: opencl.h gives the objects of OpenCL types, math.h has functions for bodies in
 * both languages, plugin.h is for authors of device plugins. */
#ifndef COHORT_COHORT_H
#define COHORT_COHORT_H

/* First, so that what a compiler says of a wrong call shows few headers around it. */
#include <cohort/function.h>
#include <cohort/value.h>

#include <cohort/array.h>
#include <cohort/checkpoint.h>
#include <cohort/cluster.h>
#include <cohort/communication.h>
#include <cohort/config.h>
#include <cohort/coordinator.h>
#include <cohort/dataset.h>
#include <cohort/device.h>
#include <cohort/files.h>
#include <cohort/handle.h>
#include <cohort/input.h>
#include <cohort/logical.h>
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
#include <cohort/sums.h>
#include <cohort/topology.h>
#include <cohort/variable.h>

#endif
