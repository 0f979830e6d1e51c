# SPDX-License-Identifier: BSD-3-Clause
# What reads texts from outside, also by its fuzzers.
cluster_text_sources = runtime/cluster/hosts.c runtime/cluster/hosts.h runtime/cluster/json_hosts.h \
    runtime/cluster/json_place.c runtime/cluster/json_place.h runtime/cluster/slurm_list.c \
    runtime/cluster/slurm_list.h runtime/cluster/spec.c runtime/cluster/spec.h \
    runtime/cluster/spec_json.c runtime/cluster/tf_config.c runtime/cluster/tf_config.h runtime/cluster/tpu_env.c \
    runtime/cluster/tpu_env.h
if JANSSON
cluster_text_sources += runtime/cluster/json_instances.c runtime/cluster/json_names.c runtime/cluster/json_text.c \
    runtime/cluster/json_text.h runtime/cluster/tf_config_cluster.c runtime/cluster/tf_config_json.c \
    runtime/cluster/tf_config_json.h runtime/cluster/tf_config_parse.c
else
cluster_text_sources += runtime/cluster/json_absent.c runtime/cluster/tf_config_absent.c
endif
libcohort_core_la_SOURCES += $(cluster_text_sources) \
    runtime/cluster/accelerators.c runtime/cluster/accelerators.h runtime/cluster/cloud_tpu.c runtime/cluster/configuration.c \
    runtime/cluster/configuration.h runtime/cluster/gce.c runtime/cluster/host_resolver.c runtime/cluster/host_resolver.h \
    runtime/cluster/jobs.c runtime/cluster/jobs.h runtime/cluster/kubernetes.c runtime/cluster/launcher.c \
    runtime/cluster/launcher.h runtime/cluster/membership.c runtime/cluster/membership.h \
    runtime/cluster/mesh_resolver.c runtime/cluster/metadata.c runtime/cluster/metadata.h \
    runtime/cluster/resolver_questions.c runtime/cluster/resolver.c runtime/cluster/resolver.h \
    runtime/cluster/role.c runtime/cluster/sagemaker.c runtime/cluster/simple.c runtime/cluster/slurm.c runtime/cluster/slurm_step.c \
    runtime/cluster/slurm_step.h runtime/cluster/spec_note.c runtime/cluster/spec_note.h \
    runtime/cluster/tf_config_resolver.c runtime/cluster/union.c
libcohort_core_la_CFLAGS += $(JANSSON_CFLAGS)
libcohort_core_la_LIBADD += $(JANSSON_LIBS)
