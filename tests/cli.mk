# SPDX-License-Identifier: BSD-3-Clause
dist_check_SCRIPTS += tests/cli.t tests/cli_explain.t tests/cmake.t tests/cli_cluster.t tests/cluster_mpi.t tests/cluster_servers.t tests/cluster_storm.t tests/cli_data.t tests/cli_functions.t tests/cli_kernels.t tests/cli_launch.t tests/cli_opened.t tests/cli_run.t tests/cli_split.t \
    tests/demo.t tests/demo_data.t tests/docs.t tests/embed.t tests/examples.t tests/files_io.t tests/hardened.t tests/headers.t tests/include_direction.t tests/loud_examples.t tests/macros.t tests/oclgrind.t \
    tests/opencl_first_run.t tests/parallel_starts.t tests/people_csv.t tests/policy.t tests/reference.t tests/skeleton.t
EXTRA_DIST += tests/cli_functions.py tests/cli_kernels.py tests/cohort_run.py tests/data_files.py tests/data/people_csv.txt tests/people_csv.py tests/kernels tests/policy/balanced.c tests/cross.sh tests/installed.sh tests/json_keys.py tests/mpi.sh tests/tap.sh
