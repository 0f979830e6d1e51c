#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What every plugin must do, of OpenCL.
. "${srcdir:-.}/tests/tap.sh"
conform opencl/.libs/cohort-opencl.so
