/* SPDX-License-Identifier: BSD-3-Clause */
/* Cohort: tf.distribute for C. Everything a program needs; libcohort(3) is the introduction.
 *
 * status.h    errors, log, settings      array.h     arrays and dtypes       argument.h  what calls take
 * function.h  prototypes and bodies      device.h    devices and plugins     strategy.h  replicas on devices
 * value.h     containers                 variable.h  state                   run.h       run, update, wait
 * replica.h   code per replica           npy.h       NumPy's files           handle.h    the driver's objects
 * prototype.h what a function takes      placement.h where variables live    reduce.h    combining and gathering
 * metric.h    what adds up over steps      dataset.h   rows and transformations  files.h     of files
 * input.h     rows for replicas           running.h   whose body this thread is in
 * (opencl.h gives those of OpenCL types; math.h has functions for bodies in both languages; plugin.h is for authors of
 * device plugins: these stand apart) */
#ifndef COHORT_COHORT_H
#define COHORT_COHORT_H

#include <cohort/array.h>
#include <cohort/dataset.h>
#include <cohort/device.h>
#include <cohort/files.h>
#include <cohort/function.h>
#include <cohort/handle.h>
#include <cohort/input.h>
#include <cohort/metric.h>
#include <cohort/npy.h>
#include <cohort/prototype.h>
#include <cohort/replica.h>
#include <cohort/run.h>
#include <cohort/running.h>
#include <cohort/status.h>
#include <cohort/strategy.h>
#include <cohort/value.h>
#include <cohort/variable.h>

#endif
