# SPDX-License-Identifier: BSD-3-Clause
# One TAP program per noun. Nothing here needs HOME, network, a second core or a quick machine.
TEST_EXTENSIONS = .t
T_LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
AM_TESTS_ENVIRONMENT = \
    COHORT_PLUGIN_PATH='$(abs_builddir)/host/.libs:$(abs_builddir)/opencl/.libs:$(abs_builddir)/plugins/.libs'; \
    COHORT_DATA_PATH='$(abs_top_srcdir)/examples/data'; \
    HOME='$(abs_builddir)/tests/home'; OMP_NUM_THREADS=2; OMP_WAIT_POLICY=passive; CC='$(CC)'; CXX='$(CXX)'; \
    srcdir='$(abs_top_srcdir)'; builddir='$(abs_top_builddir)'; \
    LSAN_OPTIONS='suppressions=$(abs_top_srcdir)/tests/lsan.supp:print_suppressions=0'; export LSAN_OPTIONS; \
    export COHORT_PLUGIN_PATH COHORT_DATA_PATH HOME OMP_NUM_THREADS OMP_WAIT_POLICY CC CXX srcdir builddir; \
    unset COHORT_CHECK COHORT_CHECK_SEED COHORT_DEVICES COHORT_MACHINE COHORT_PLUGINS COHORT_LOG COHORT_LOG_FORMAT COHORT_REPEAT COHORT_TOP TF_CONFIG SLURM_PROCID SLURM_STEP_NUM_TASKS \
        SLURM_STEP_NODELIST SLURM_STEP_TASKS_PER_NODE SLURM_DISTRIBUTION SLURM_DIST_PLANESIZE SLURM_NODEID \
        SLURM_LOCALID SLURMD_NODENAME COHORT_KUBERNETES_TASKS COHORT_KUBERNETES_SERVICE COHORT_KUBERNETES_NAMESPACE \
        COHORT_BLAS COHORT_CLBLAST JOB_COMPLETION_INDEX SM_HOSTS SM_CURRENT_HOST \
        OMPI_COMM_WORLD_SIZE OMPI_COMM_WORLD_LOCAL_SIZE PMI_SIZE PMI_RANK MPI_LOCALNRANKS PMIX_RANK PMIX_NAMESPACE WORLD_SIZE; $(MKDIR_P) "$$HOME"; umask 022; $(CHECK_ENVIRONMENT)
EXTRA_DIST += tests/README.md tests/entries.h tests/late_leaks.h tests/lsan.supp
clean-local:
	rm -rf coverage i386 $(cross_machines) tests/drivers tests/home tests/oclgrind-work tests/wrong-cache

# Tests of inner nouns link the core itself.
CORE_LIBS = libcohort-core.la -lpthread

check_PROGRAMS += tests/log.t
tests_log_t_SOURCES = tests/log.c tests/tap.h
tests_log_t_LDADD = $(CORE_LIBS)

check_PROGRAMS += tests/assert.t
tests_assert_t_SOURCES = tests/assert.c tests/tap.h
tests_assert_t_LDADD = $(CORE_LIBS)
check_PROGRAMS += tests/barrier.t
tests_barrier_t_SOURCES = tests/barrier.c tests/core.h tests/tap.h
tests_barrier_t_LDADD = $(CORE_LIBS)
check_PROGRAMS += tests/cyclic.t
tests_cyclic_t_SOURCES = tests/cyclic.c tests/tap.h
tests_cyclic_t_LDADD = $(CORE_LIBS)
check_PROGRAMS += tests/futex.t
tests_futex_t_SOURCES = tests/futex.c tests/tap.h
tests_futex_t_LDADD = $(CORE_LIBS)
check_PROGRAMS += tests/spin.t
tests_spin_t_SOURCES = tests/spin.c tests/tap.h
tests_spin_t_LDADD = $(CORE_LIBS)
check_PROGRAMS += tests/patience.t
tests_patience_t_SOURCES = tests/patience.c tests/tap.h
tests_patience_t_LDADD = $(CORE_LIBS)

include tests/function.mk
include tests/device.mk
include tests/plugins.mk
include tests/opencl.mk
include tests/core.mk
include tests/format.mk
include tests/fuzz.mk
include tests/dataset.mk
include tests/input.mk
include tests/golden.mk
include tests/cli.mk
include tests/quick.mk

TESTS += $(check_PROGRAMS) $(dist_check_SCRIPTS)
