# SPDX-License-Identifier: BSD-3-Clause
libcohort_core_la_SOURCES += \
    runtime/cluster/accelerators.c runtime/cluster/accelerators.h runtime/cluster/device_mesh.c \
    runtime/cluster/json_place.c runtime/cluster/json_place.h runtime/cluster/membership.c \
    runtime/cluster/membership.h runtime/cluster/mesh.c runtime/cluster/mesh.h \
    runtime/cluster/question.c runtime/cluster/resolver.c runtime/cluster/resolver.h \
    runtime/cluster/role.c runtime/cluster/simple.c runtime/cluster/spec.c runtime/cluster/spec.h \
    runtime/cluster/spec_json.c runtime/cluster/tf_config.c runtime/cluster/tf_config.h \
    runtime/cluster/tf_config_absent.c runtime/cluster/tf_config_cluster.c \
    runtime/cluster/tf_config_json.c runtime/cluster/tf_config_json.h \
    runtime/cluster/tf_config_parse.c runtime/cluster/tf_config_resolver.c \
    runtime/cluster/topology.c runtime/cluster/topology.h runtime/cluster/topology_names.c \
    runtime/cluster/topology_questions.c
