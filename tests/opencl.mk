# SPDX-License-Identifier: BSD-3-Clause
# The OpenCL plugin: what every plugin must do, and what is special to it.
if OPENCL
check_PROGRAMS += tests/conformance-opencl.t
tests_conformance_opencl_t_SOURCES = tests/conformance/opencl.c
tests_conformance_opencl_t_LDADD = $(CONFORMANCE_LIBS)
endif
