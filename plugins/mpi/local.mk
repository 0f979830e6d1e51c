# SPDX-License-Identifier: BSD-3-Clause
# One source, built for each MPI that there is.
if OPENMPI
plugin_LTLIBRARIES += plugins/mpi/cohort-communicator-openmpi.la
endif
if MPICH
plugin_LTLIBRARIES += plugins/mpi/cohort-communicator-mpich.la
endif
mpi_sources = plugins/mpi/communicator.c plugins/mpi/communicator.h plugins/mpi/engine.c plugins/mpi/engine.h plugins/mpi/exchange.c \
    plugins/mpi/roll.c plugins/mpi/roll.h
plugins_mpi_cohort_communicator_openmpi_la_SOURCES = $(mpi_sources)
plugins_mpi_cohort_communicator_openmpi_la_CPPFLAGS = $(AM_CPPFLAGS) -DCOHORT_MPI_PLUGIN='"communicator-openmpi"'
plugins_mpi_cohort_communicator_openmpi_la_CFLAGS = $(PRODUCT_CFLAGS) $(OPENMPI_CFLAGS)
plugins_mpi_cohort_communicator_openmpi_la_LDFLAGS = $(LDFLAGS_PLUGIN)
plugins_mpi_cohort_communicator_openmpi_la_LIBADD = $(OPENMPI_LIBS)
plugins_mpi_cohort_communicator_mpich_la_SOURCES = $(mpi_sources)
plugins_mpi_cohort_communicator_mpich_la_CPPFLAGS = $(AM_CPPFLAGS) -DCOHORT_MPI_PLUGIN='"communicator-mpich"'
plugins_mpi_cohort_communicator_mpich_la_CFLAGS = $(PRODUCT_CFLAGS) $(MPICH_CFLAGS)
plugins_mpi_cohort_communicator_mpich_la_LDFLAGS = $(LDFLAGS_PLUGIN)
plugins_mpi_cohort_communicator_mpich_la_LIBADD = $(MPICH_LIBS)
