#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What every plugin must do, of OpenCL with two devices, each in turn and both at once.
. "${srcdir:-.}/tests/tap.sh"
export POCL_DEVICES='pthread basic'
conform opencl/.libs/cohort-opencl.so
