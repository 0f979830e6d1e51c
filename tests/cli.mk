# SPDX-License-Identifier: BSD-3-Clause
dist_check_SCRIPTS += tests/cli.t tests/cli_bench.t tests/cli_check.t tests/checkpoint_full.t tests/checkpoint_io.t tests/cli_checkpoint.t tests/demo_resume.t tests/cli_completion.t tests/cli_doctor.t tests/cli_explain.t tests/cmake.t tests/columns.t tests/cli_cluster.t tests/cluster_checkpoint.t tests/cluster_communication.t tests/cluster_control.t tests/cluster_coordinator.t tests/cluster_launch.t tests/cluster_mpi.t tests/cluster_network.t tests/cluster_programs.t tests/cluster_servers.t tests/cluster_skip.t tests/cluster_state.t tests/cluster_starts.t tests/cluster_storm.t tests/cluster_update.t tests/cli_data.t tests/cli_functions.t tests/cli_headers.t tests/cli_kernel_file.t tests/cli_kernel_names.t tests/cli_kernels.t tests/cli_launch.t tests/cli_new.t tests/cli_opened.t tests/cli_plugin_kernels.t tests/cli_plugin_new.t tests/cli_probe.t tests/cli_run.t tests/cli_split.t \
    tests/demo.t tests/demo_data.t tests/demo_log.t tests/docs.t tests/embed.t tests/examples.t tests/files_io.t tests/guide.t tests/hardened.t tests/headers.t tests/by_kind.t tests/include_direction.t tests/mistaken_examples.t tests/macros.t tests/oclgrind.t \
    tests/moved.t tests/opencl_first_run.t tests/opencl_pocl.t tests/parallel_starts.t tests/people_csv.t tests/policy.t tests/readme.t tests/reference.t tests/right.t tests/skeleton.t tests/starts.t
EXTRA_DIST += scripts/reflow_comments.pl tests/snippets.sh tests/guide_like.awk tests/guide_split.awk tests/cli_functions.py tests/checkpoint_replay.py tests/cli_kernel_names.py tests/cli_kernels.py tests/cohort_run.py tests/data_files.py tests/events.py tests/data/people_csv.txt tests/people_csv.py tests/kernels tests/policy/balanced.c tests/cross.sh tests/installed.sh tests/json_keys.py tests/mpi.sh tests/tap.sh
dist_check_SCRIPTS += tests/cli_report.t
check_PROGRAMS += tests/trace_corpus.t
tests_trace_corpus_t_SOURCES = tests/fuzz/trace.c tests/fuzz/replay.h tests/tap.h $(report_sources)
tests_trace_corpus_t_LDADD = $(LIBM)
dist_check_SCRIPTS += tests/checked.t
EXTRA_DIST += tests/data/checked.txt tests/data/checked_plugins.txt
dist_check_SCRIPTS += tests/cli_top.t
EXTRA_DIST += tests/cli_top.py
dist_check_SCRIPTS += tests/cli_locale.t tests/cli_quota.t
