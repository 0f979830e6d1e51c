# SPDX-License-Identifier: BSD-3-Clause
libcohort_core_la_SOURCES += runtime/cluster/role.c runtime/cluster/spec.c runtime/cluster/spec.h runtime/cluster/spec_json.c
