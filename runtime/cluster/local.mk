# SPDX-License-Identifier: BSD-3-Clause
libcohort_core_la_SOURCES += runtime/cluster/accelerators.c runtime/cluster/accelerators.h runtime/cluster/question.c \
    runtime/cluster/membership.c runtime/cluster/membership.h runtime/cluster/resolver.c runtime/cluster/resolver.h runtime/cluster/role.c runtime/cluster/simple.c \
    runtime/cluster/spec.c runtime/cluster/spec.h runtime/cluster/spec_json.c
