/* SPDX-License-Identifier: BSD-3-Clause */
/* Cohort: tf.distribute for C. Everything a program needs; libcohort(3) is the introduction.
 *
 * argument.h            what calls take        metric.h     what adds up over steps
 * array.h               arrays and dtypes      npy.h        NumPy's files
 * checkpoint.h          state that survives    packs.h      what travels together
 * checkpoint_manager.h  saves while it trains  placement.h  where variables live
 * cluster.h             tasks, roles           program.h    recorded steps
 * communication.h       how sums travel        prototype.h  what a function takes
 * config.h              session-style options  reduce.h     combining and gathering
 * coordinator.h         work for free workers  replica.h    code per replica
 * dataset.h             rows, transformations  run.h        run, update, wait
 * device.h              devices and plugins    running.h    whose body this thread is in
 * files.h               datasets of files      server.h     variables on other machines
 * function.h            prototypes and bodies  status.h     errors, log, settings
 * handle.h              the driver's objects   strategy.h   replicas on devices
 * helper.h              what bodies may use    sums.h       items that add up
 * input.h               rows for replicas      topology.h   devices as a mesh
 * logical.h             devices of a replica   value.h      containers
 * matmul.h              products of matrices   variable.h   state
 * These stand apart: opencl.h gives the objects of OpenCL types, math.h and random.h have functions
 * for bodies in both languages, plugin.h is for authors of device plugins. */
#ifndef COHORT_COHORT_H
#define COHORT_COHORT_H

/* First, so that what a compiler says of a wrong call shows few headers around it. */
#include <cohort/function.h>
#include <cohort/value.h>

#include <cohort/array.h>
#include <cohort/checkpoint.h>
#include <cohort/checkpoint_manager.h>
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
#include <cohort/matmul.h>
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
