# SPDX-License-Identifier: BSD-3-Clause
# What reads texts from outside, also by its fuzzers.
cluster_text_sources = runtime/cluster/json_place.c runtime/cluster/json_place.h runtime/cluster/slurm_list.c \
    runtime/cluster/slurm_list.h runtime/cluster/spec.c runtime/cluster/spec.h \
    runtime/cluster/spec_json.c runtime/cluster/tf_config.c runtime/cluster/tf_config.h
if JANSSON
cluster_text_sources += runtime/cluster/tf_config_cluster.c runtime/cluster/tf_config_json.c runtime/cluster/tf_config_json.h \
    runtime/cluster/tf_config_parse.c
else
cluster_text_sources += runtime/cluster/tf_config_absent.c
endif
libcohort_core_la_SOURCES += $(cluster_text_sources) runtime/cluster/accelerators.c runtime/cluster/accelerators.h \
    runtime/cluster/communicator.c runtime/cluster/communicator.h runtime/cluster/messages.c \
    runtime/cluster/messages.h runtime/cluster/jobs.c runtime/cluster/jobs.h runtime/cluster/launcher.c runtime/cluster/launcher.h runtime/cluster/mpi.c runtime/cluster/presence.c runtime/cluster/presence.h runtime/cluster/ranks.c runtime/cluster/ranks.h runtime/cluster/refusal.c runtime/cluster/refusal.h runtime/cluster/roots.c runtime/cluster/roots.h \
    runtime/cluster/servers.c runtime/cluster/servers.h \
    runtime/cluster/sums.h runtime/cluster/sums_combine.c runtime/cluster/sums_notes.c runtime/cluster/sums_rooms.c \
    runtime/cluster/ledger.c runtime/cluster/ledger.h runtime/cluster/workers_ledger.c \
    runtime/cluster/workers.c runtime/cluster/workers.h runtime/cluster/workers_share.c runtime/cluster/workers_sum.c \
    runtime/cluster/configuration.c runtime/cluster/configuration.h runtime/cluster/membership.c runtime/cluster/membership.h runtime/cluster/question.c \
    runtime/cluster/resolver.c runtime/cluster/resolver.h runtime/cluster/role.c runtime/cluster/simple.c \
    runtime/cluster/slurm.c runtime/cluster/slurm_step.c runtime/cluster/slurm_step.h runtime/cluster/spec_note.c runtime/cluster/spec_note.h runtime/cluster/tf_config_resolver.c \
    runtime/cluster/union.c
libcohort_core_la_CFLAGS += $(JANSSON_CFLAGS)
libcohort_core_la_LIBADD += $(JANSSON_LIBS)
# Meshes, replicas placed on them, and packs.
libcohort_core_la_SOURCES += \
    runtime/cluster/assignment.c runtime/cluster/assignment.h runtime/cluster/assignment_build.c \
    runtime/cluster/assignment_questions.c runtime/cluster/device_mesh.c runtime/cluster/mesh.c \
    runtime/cluster/mesh.h runtime/cluster/mesh_resolver.c runtime/cluster/packs.c runtime/cluster/ring.c runtime/cluster/ring.h \
    runtime/cluster/topology.c runtime/cluster/topology.h runtime/cluster/topology_names.c \
    runtime/cluster/topology_questions.c
