/* SPDX-License-Identifier: BSD-3-Clause */
/* Cohort: tf.distribute for C. Everything a program needs; libcohort(3) is the introduction.
 *
 * argument.h            what calls take        npy.h        NumPy's files
 * array.h               arrays and dtypes      packs.h      what travels together
 * checkpoint.h          state that survives    placement.h  where variables live
 * checkpoint_manager.h  saves while it trains  prefix.h     sums up to each element
 * cluster.h             tasks, roles           program.h    recorded steps
 * communication.h       how sums travel        prototype.h  what a function takes
 * config.h              session-style options  reduce.h     combining and gathering
 * coordinator.h         work for free workers  replica.h    code per replica
 * dataset.h             rows, transformations  run.h        run, update, wait
 * device.h              devices and plugins    running.h    whose body this thread is in
 * files.h               datasets of files      server.h     variables on other machines
 * function.h            prototypes and bodies  stats.h      what a strategy has done
 * handle.h              the driver's objects   status.h     errors, log, settings
 * helper.h              what bodies may use    strategy.h   replicas on devices
 * hosting.h             replicas that move     sums.h       items that add up
 * image.h               pictures for kernels   topology.h   devices as a mesh
 * input.h               rows for replicas      trace.h      a timeline of a run
 * logical.h             devices of a replica   value.h      containers
 * matmul.h              products of matrices   variable.h   state
 * metric.h              what adds up over steps
 * These stand apart: opencl.h gives the objects of OpenCL types, math.h and random.h have functions
 * for bodies in both languages, monitor.h is for programs that watch others, plugin.h for authors
 * of device plugins, plugin_host.h for programs that test one. */
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
#include <cohort/hosting.h>
#include <cohort/input.h>
#include <cohort/logical.h>
#include <cohort/matmul.h>
#include <cohort/metric.h>
#include <cohort/npy.h>
#include <cohort/packs.h>
#include <cohort/prefix.h>
#include <cohort/program.h>
#include <cohort/prototype.h>
#include <cohort/replica.h>
#include <cohort/run.h>
#include <cohort/running.h>
#include <cohort/server.h>
#include <cohort/stats.h>
#include <cohort/status.h>
#include <cohort/strategy.h>
#include <cohort/sums.h>
#include <cohort/topology.h>
#include <cohort/trace.h>
#include <cohort/variable.h>

#endif
