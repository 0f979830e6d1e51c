# SPDX-License-Identifier: BSD-3-Clause
libcohort_core_la_SOURCES += runtime/placement/mirrored.c runtime/placement/one_copy.c runtime/placement/round_robin.c runtime/placement/sharded.c runtime/placement/placement.c runtime/placement/placement.h
