# SPDX-License-Identifier: BSD-3-Clause
# Not part of check: `make bench` builds and runs them.
turns_sources = bench/turns.c bench/turns.h bench/peers.c bench/peers.h bench/quiet.c \
    bench/quiet.h
blas_sources = bench/blas.c bench/blas.h
train_sources = bench/train_layers.c bench/train_layers.h bench/train_model.h bench/train_replica.c \
    bench/train_replica.h
EXTRA_PROGRAMS += bench/step bench/input
bench_programs = bench/step$(EXEEXT) bench/input$(EXEEXT)
bench_step_SOURCES = bench/step.c bench/must.h bench/rows.h $(turns_sources)
bench_step_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS)
bench_step_LDADD = libcohort.la
bench_input_SOURCES = bench/input.c bench/rows.h $(turns_sources)
bench_input_LDADD = libcohort.la

EXTRA_PROGRAMS += bench/step_functions
bench_programs += bench/step_functions$(EXEEXT)
bench_step_functions_SOURCES = bench/step_functions.c bench/must.h $(turns_sources)
bench_step_functions_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS)
bench_step_functions_LDADD = libcohort.la

EXTRA_PROGRAMS += bench/scatter bench/assign
bench_programs += bench/scatter$(EXEEXT) bench/assign$(EXEEXT)
bench_scatter_SOURCES = bench/scatter.c bench/must.h $(turns_sources)
bench_scatter_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS)
bench_scatter_LDADD = libcohort.la
bench_assign_SOURCES = bench/assign.c bench/must.h $(turns_sources)
bench_assign_LDADD = libcohort.la

EXTRA_PROGRAMS += bench/dataset
bench_programs += bench/dataset$(EXEEXT)
bench_dataset_SOURCES = bench/dataset.c $(turns_sources)
bench_dataset_LDADD = libcohort.la

EXTRA_PROGRAMS += bench/checkpoint
bench_programs += bench/checkpoint$(EXEEXT)
bench_checkpoint_SOURCES = bench/checkpoint.c bench/must.h $(turns_sources)
bench_checkpoint_LDADD = libcohort.la

EXTRA_PROGRAMS += bench/plugin
bench_programs += bench/plugin$(EXEEXT)
bench_plugin_SOURCES = bench/plugin.c bench/must.h $(turns_sources)
bench_plugin_LDADD = libcohort.la

EXTRA_PROGRAMS += bench/program
bench_programs += bench/program$(EXEEXT)
bench_program_SOURCES = bench/program.c $(turns_sources) examples/nn.h examples/digest.h examples/random.h
bench_program_LDADD = libcohort.la $(LIBM)

# The loops that it compares with are those of this machine alone.
EXTRA_PROGRAMS += bench/reduce_kernels
bench_programs += bench/reduce_kernels$(EXEEXT)
bench_reduce_kernels_SOURCES = bench/reduce_kernels.c $(turns_sources)
bench_reduce_kernels_CFLAGS = $(AM_CFLAGS) -march=native
bench_reduce_kernels_LDADD = $(CORE_LIBS)

EXTRA_PROGRAMS += bench/reduce
bench_programs += bench/reduce$(EXEEXT)
bench_reduce_SOURCES = bench/reduce.c bench/must.h bench/rows.h bench/sums.c bench/sums.h $(turns_sources)
bench_reduce_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS)
bench_reduce_LDADD = libcohort.la

EXTRA_PROGRAMS += bench/reduce_shapes
bench_programs += bench/reduce_shapes$(EXEEXT)
bench_reduce_shapes_SOURCES = bench/reduce_shapes.c bench/must.h bench/sums.c bench/sums.h $(turns_sources)
bench_reduce_shapes_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS)
bench_reduce_shapes_LDADD = libcohort.la $(LIBM)

EXTRA_PROGRAMS += bench/tree
bench_programs += bench/tree$(EXEEXT)
bench_tree_SOURCES = bench/tree.c bench/must.h bench/sums.c bench/sums.h $(turns_sources)
bench_tree_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS)
bench_tree_LDADD = libcohort.la $(LIBM)

EXTRA_PROGRAMS += bench/growth
bench_programs += bench/growth$(EXEEXT)
bench_growth_SOURCES = bench/growth.c bench/must.h bench/sums.c bench/sums.h $(turns_sources)
bench_growth_CPPFLAGS = $(AM_CPPFLAGS) $(FFI_CFLAGS)
bench_growth_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS)
bench_growth_LDADD = libcohort.la $(FFI_LIBS)

EXTRA_PROGRAMS += bench/neighbours
bench_programs += bench/neighbours$(EXEEXT)
bench_neighbours_SOURCES = bench/neighbours.c $(turns_sources)
bench_neighbours_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS)
bench_neighbours_LDADD = libcohort.la

EXTRA_PROGRAMS += bench/balance
bench_programs += bench/balance$(EXEEXT)
bench_balance_SOURCES = bench/balance.c bench/must.h $(turns_sources)
bench_balance_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS)
bench_balance_LDADD = libcohort.la

# As programs are compiled that have bodies (README.md).
EXTRA_PROGRAMS += bench/stencil
bench_programs += bench/stencil$(EXEEXT)
bench_stencil_SOURCES = bench/stencil.c bench/must.h $(turns_sources)
bench_stencil_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS)
bench_stencil_LDADD = libcohort.la
EXTRA_PROGRAMS += bench/dot
bench_programs += bench/dot$(EXEEXT)
bench_dot_SOURCES = bench/dot.c bench/must.h $(turns_sources)
bench_dot_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS)
bench_dot_LDADD = libcohort.la $(LIBM)
# Behind the -O2 that configure gives.
$(bench_stencil_OBJECTS) $(bench_dot_OBJECTS): CFLAGS += -O3

if CBLAS
EXTRA_PROGRAMS += bench/matmul
bench_programs += bench/matmul$(EXEEXT)
bench_matmul_SOURCES = bench/matmul.c bench/must.h $(blas_sources) $(turns_sources)
bench_matmul_CPPFLAGS = $(AM_CPPFLAGS) $(CBLAS_CFLAGS)
bench_matmul_LDADD = libcohort.la $(CBLAS_LIBS) $(LIBM)

EXTRA_PROGRAMS += bench/train
bench_programs += bench/train$(EXEEXT)
bench_train_SOURCES = bench/train.c $(blas_sources) bench/must.h bench/rows.h bench/train_cohort.c \
    bench/train_cohort.h bench/train_hand.c bench/train_hand.h $(train_sources) $(turns_sources)
bench_train_CPPFLAGS = $(AM_CPPFLAGS) $(CBLAS_CFLAGS)
bench_train_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS)
bench_train_LDADD = libcohort.la $(CBLAS_LIBS) $(LIBM)

EXTRA_PROGRAMS += bench/rollback
bench_programs += bench/rollback$(EXEEXT)
bench_rollback_SOURCES = bench/rollback.c $(blas_sources) bench/must.h bench/rows.h bench/train_cohort.c \
    bench/train_cohort.h $(train_sources) $(turns_sources)
bench_rollback_CPPFLAGS = $(AM_CPPFLAGS) $(CBLAS_CFLAGS)
bench_rollback_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS)
bench_rollback_LDADD = libcohort.la $(CBLAS_LIBS) $(LIBM)

EXTRA_PROGRAMS += bench/trace
bench_programs += bench/trace$(EXEEXT)
bench_trace_SOURCES = bench/trace.c $(blas_sources) bench/must.h bench/rows.h bench/train_cohort.c \
    bench/train_cohort.h $(train_sources) $(turns_sources)
bench_trace_CPPFLAGS = $(AM_CPPFLAGS) $(CBLAS_CFLAGS)
bench_trace_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS)
bench_trace_LDADD = libcohort.la $(CBLAS_LIBS) $(LIBM)

EXTRA_PROGRAMS += bench/input_mlp
bench_programs += bench/input_mlp$(EXEEXT)
bench_input_mlp_SOURCES = bench/input_mlp.c $(blas_sources) $(turns_sources) examples/nn.h examples/digest.h examples/random.h
bench_input_mlp_CPPFLAGS = $(AM_CPPFLAGS) $(CBLAS_CFLAGS)
bench_input_mlp_LDADD = libcohort.la $(CBLAS_LIBS) $(LIBM)
endif

if OPENCL
EXTRA_PROGRAMS += bench/apps
bench_programs += bench/apps$(EXEEXT)
bench_apps_SOURCES = bench/app/app.h bench/app/apps.c bench/app/blackscholes.c bench/app/csr.c bench/app/embedding.c \
    bench/app/hand.c bench/app/hand.h bench/app/heat.c bench/app/histogram.c bench/app/kmeans.c \
    bench/app/mandelbrot.c bench/app/nbody.c bench/app/pagerank.c bench/must.h $(turns_sources)
bench_apps_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS) $(OPENCL_CFLAGS) $(CBLAS_CFLAGS) -fno-math-errno
if CBLAS
bench_apps_SOURCES += bench/app/mlp.c $(blas_sources)
bench_apps_CFLAGS += -DAPPS_WITH_CBLAS
endif
bench_apps_LDADD = libcohort.la $(OPENCL_LIBS) $(CBLAS_LIBS) $(LIBM)
$(bench_apps_OBJECTS): CFLAGS += -O3

EXTRA_PROGRAMS += bench/opencl
bench_programs += bench/opencl$(EXEEXT)
bench_opencl_SOURCES = bench/opencl.c $(turns_sources)
bench_opencl_CFLAGS = $(AM_CFLAGS) $(OPENCL_CFLAGS)
bench_opencl_LDADD = libcohort.la $(OPENCL_LIBS)
endif

# Several processes, which bench/run starts by mpirun.
if OPENMPI
EXTRA_PROGRAMS += bench/cluster bench/servers
bench_programs += bench/cluster$(EXEEXT) bench/servers$(EXEEXT)
bench_servers_SOURCES = bench/servers.c bench/must.h $(turns_sources)
bench_servers_CFLAGS = $(AM_CFLAGS) $(OPENMPI_CFLAGS) -pthread
bench_servers_LDADD = libcohort.la $(OPENMPI_LIBS)
bench_cluster_SOURCES = bench/cluster.c bench/must.h bench/rows.h bench/team.c bench/team.h $(turns_sources)
bench_cluster_CFLAGS = $(AM_CFLAGS) $(OPENMPI_CFLAGS) -pthread
bench_cluster_LDADD = libcohort.la $(OPENMPI_LIBS)
if CBLAS
EXTRA_PROGRAMS += bench/cluster_train
bench_programs += bench/cluster_train$(EXEEXT)
bench_cluster_train_SOURCES = bench/cluster_train.c $(blas_sources) bench/must.h bench/rows.h bench/team.c \
    bench/team.h bench/train_cohort.c bench/train_cohort.h $(train_sources) $(turns_sources)
bench_cluster_train_CPPFLAGS = $(AM_CPPFLAGS) $(CBLAS_CFLAGS)
bench_cluster_train_CFLAGS = $(AM_CFLAGS) $(OPENMPI_CFLAGS) -pthread $(OPENMP_CFLAGS)
bench_cluster_train_LDADD = libcohort.la $(OPENMPI_LIBS) $(CBLAS_LIBS) $(LIBM)
endif
endif

# What bench/run compiles where it finds the libraries, and starts.
EXTRA_DIST += bench/run bench/peers.py bench/tables.py bench/peer_gloo.cc bench/peer_mpi.c bench/peer_starpu.c bench/serve.c bench/serve.h

# BENCH_OPTIONS: "--size quick", "--python VENV/bin/python", ... (bench/run); BENCH: some programs alone, "train reduce".
BENCH = $(bench_programs)
BENCH_OPTIONS =
.PHONY: bench
bench: $(bench_programs) $(plugin_LTLIBRARIES) plugins/skeleton/cohort-skeleton.la cli/cohort$(EXEEXT)
	CC='$(CC)' CXX='$(CXX)' $(SHELL) $(srcdir)/bench/run $(BENCH_OPTIONS) . $(BENCH)

# Whether cohort report names causes that are planted, on a quiet machine.
EXTRA_PROGRAMS += bench/planted
bench_planted_SOURCES = bench/planted.c bench/must.h
bench_planted_LDADD = libcohort.la
EXTRA_DIST += bench/report.sh
.PHONY: bench-report
bench-report: bench/planted$(EXEEXT) $(plugin_LTLIBRARIES) cli/cohort$(EXEEXT)
	$(SHELL) $(srcdir)/bench/report.sh .
