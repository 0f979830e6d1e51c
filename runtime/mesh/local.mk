# SPDX-License-Identifier: BSD-3-Clause
libcohort_core_la_SOURCES += \
    runtime/mesh/assignment.c runtime/mesh/assignment.h runtime/mesh/assignment_build.c \
    runtime/mesh/assignment_questions.c runtime/mesh/device_mesh.c runtime/mesh/mesh.c runtime/mesh/mesh.h \
    runtime/mesh/ring.c runtime/mesh/ring.h runtime/mesh/topology.c runtime/mesh/topology.h \
    runtime/mesh/topology_names.c runtime/mesh/topology_questions.c
