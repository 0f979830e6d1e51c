# SPDX-License-Identifier: BSD-3-Clause
noinst_PROGRAMS += examples/saxpy examples/bigram examples/blackscholes examples/clip examples/coordinator examples/embedding examples/ep \
    examples/heat examples/kmeans examples/montecarlo examples/nbody examples/pagerank examples/parameter_server \
    examples/softmax examples/tpu examples/train_digits examples/workers examples/mixed_precision
examples_saxpy_SOURCES = examples/saxpy.c
examples_saxpy_LDADD = libcohort.la
examples_bigram_SOURCES = examples/bigram.c examples/digest.h
examples_bigram_LDADD = libcohort.la $(LIBM)
examples_blackscholes_SOURCES = examples/blackscholes.c examples/digest.h
examples_blackscholes_LDADD = libcohort.la $(LIBM)
examples_clip_SOURCES = examples/clip.c
examples_clip_LDADD = libcohort.la $(LIBM)
examples_coordinator_SOURCES = examples/coordinator.c examples/random.h
examples_coordinator_LDADD = libcohort.la $(LIBM)
examples_embedding_SOURCES = examples/embedding.c examples/digest.h examples/options.h examples/random.h
examples_embedding_LDADD = libcohort.la $(LIBM)
examples_ep_SOURCES = examples/ep.c
examples_ep_LDADD = libcohort.la $(LIBM)
examples_heat_SOURCES = examples/heat.c examples/digest.h
examples_heat_LDADD = libcohort.la $(LIBM)
examples_nbody_SOURCES = examples/nbody.c examples/digest.h examples/random.h
examples_nbody_LDADD = libcohort.la $(LIBM)
examples_pagerank_SOURCES = examples/pagerank.c examples/digest.h
examples_pagerank_LDADD = libcohort.la $(LIBM)
examples_kmeans_SOURCES = examples/kmeans.c examples/digest.h examples/options.h examples/random.h
examples_kmeans_LDADD = libcohort.la $(LIBM)
examples_mixed_precision_SOURCES = examples/mixed_precision.c examples/digest.h
examples_mixed_precision_LDADD = libcohort.la $(LIBM)
examples_montecarlo_SOURCES = examples/montecarlo.c examples/options.h
examples_montecarlo_LDADD = libcohort.la $(LIBM)
examples_parameter_server_SOURCES = examples/parameter_server.c examples/random.h
examples_parameter_server_LDADD = libcohort.la $(LIBM)
examples_softmax_SOURCES = examples/softmax.c examples/digest.h
examples_softmax_LDADD = libcohort.la $(LIBM)
examples_tpu_SOURCES = examples/tpu.c examples/digest.h examples/options.h
examples_tpu_LDADD = libcohort.la $(LIBM)
examples_train_digits_SOURCES = examples/train_digits.c examples/digest.h examples/nn.h examples/random.h
examples_train_digits_LDADD = libcohort.la $(LIBM)
examples_workers_SOURCES = examples/workers.c examples/digest.h examples/options.h
examples_workers_LDADD = libcohort.la $(LIBM)

if CBLAS
noinst_PROGRAMS += examples/blas
examples_blas_SOURCES = examples/blas.c
examples_blas_CPPFLAGS = $(AM_CPPFLAGS) $(CBLAS_CFLAGS)
examples_blas_LDADD = libcohort.la $(CBLAS_LIBS)
endif

if CXX17
noinst_PROGRAMS += examples/saxpy-cxx
examples_saxpy_cxx_SOURCES = examples/saxpy.cc
examples_saxpy_cxx_LDADD = libcohort.la
examples_saxpy_cxx_CXXFLAGS = $(AM_CXXFLAGS) # its object is not that of saxpy.c
endif

exampledir = $(docdir)/examples
dist_example_DATA = \
    examples/bigram.c examples/blackscholes.c examples/blas.c examples/clip.c examples/coordinator.c examples/digest.h \
    examples/embedding.c \
    examples/ep.c examples/heat.c examples/kmeans.c examples/montecarlo.c examples/nbody.c examples/nn.h examples/options.h \
    examples/pagerank.c examples/parameter_server.c examples/random.h examples/saxpy.c examples/saxpy.cc examples/softmax.c \
    examples/tpu.c examples/train_digits.c examples/workers.c examples/mixed_precision.c
dist_pkgdata_DATA = examples/data/digits.csv examples/data/README
# Of cohort new.
templatedir = $(pkgdatadir)/new
dist_template_DATA = examples/data/new/CMakeLists.txt.in examples/data/new/README.md.in examples/data/new/function.c.in \
    examples/data/new/function.h.in examples/data/new/gitignore.in examples/data/new/main.c.in examples/data/new/project.mk.in \
    examples/data/new/test.c.in
# Of cohort plugin new.
plugintemplatedir = $(pkgdatadir)/plugin
dist_plugintemplate_DATA = examples/data/plugin/CMakeLists.txt.in examples/data/plugin/README.md.in \
    examples/data/plugin/automake.am.in examples/data/plugin/check.sh.in examples/data/plugin/configure.ac.in \
    examples/data/plugin/gitignore.in examples/data/plugin/plugin.c.in examples/data/plugin/plugin.mk.in
EXTRA_DIST += scripts/make_digits.py
