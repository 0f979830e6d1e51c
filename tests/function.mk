# SPDX-License-Identifier: BSD-3-Clause
check_PROGRAMS += tests/signature.t tests/bounds.t tests/call.t tests/prototype.t \
    tests/body_format.t tests/declaration.t tests/geometry.t tests/image.t tests/items.t tests/prototype_info.t
check_PROGRAMS += tests/base_text.t
tests_base_text_t_SOURCES = tests/base_text.c tests/tap.h
tests_base_text_t_LDADD = $(CORE_LIBS)
tests_signature_t_SOURCES = tests/signature.c tests/tap.h
tests_signature_t_LDADD = $(CORE_LIBS)
tests_bounds_t_SOURCES = tests/bounds.c tests/tap.h
tests_bounds_t_LDADD = $(CORE_LIBS)
tests_call_t_SOURCES = tests/call.c tests/tap.h
nodist_tests_call_t_SOURCES = tests/signature_cases.h
tests_call_t_LDADD = $(CORE_LIBS)
tests_body_format_t_SOURCES = tests/body_format.c tests/tap.h
tests_body_format_t_LDADD = $(CORE_LIBS)
tests_declaration_t_SOURCES = tests/declaration.c tests/tap.h
tests_declaration_t_LDADD = $(CORE_LIBS)
tests_image_t_SOURCES = tests/image.c tests/tap.h
tests_image_t_LDADD = $(CORE_LIBS)
tests_geometry_t_SOURCES = tests/geometry.c tests/tap.h
tests_geometry_t_LDADD = $(CORE_LIBS)
tests_items_t_SOURCES = tests/items.c tests/tap.h
tests_items_t_LDADD = $(CORE_LIBS)
check_PROGRAMS += tests/items_own.t
tests_items_own_t_SOURCES = tests/items_own.c tests/allocator.h tests/libc_functions.h tests/sanitized.h \
    tests/short_memory.h tests/tap.h
tests_items_own_t_LDADD = $(CORE_LIBS)
check_PROGRAMS += tests/items_helper.t
tests_items_helper_t_SOURCES = tests/items_helper.c tests/tap.h
tests_items_helper_t_LDADD = $(CORE_LIBS)
if CXX17
check_PROGRAMS += tests/items_cxx.t
tests_items_cxx_t_SOURCES = tests/items_cxx.cc tests/tap.h
tests_items_cxx_t_LDADD = libcohort.la
check_PROGRAMS += tests/items_sums_cxx.t
tests_items_sums_cxx_t_SOURCES = tests/items_sums_cxx.cc tests/tap.h
tests_items_sums_cxx_t_LDADD = libcohort.la
endif
tests_prototype_t_SOURCES = tests/fuzz/prototype.c tests/fuzz/replay.h tests/tap.h
tests_prototype_t_LDADD = $(CORE_LIBS)
tests_prototype_info_t_SOURCES = tests/prototype_info.c tests/tap.h
tests_prototype_info_t_LDADD = libcohort.la
check_PROGRAMS += tests/math.t
tests_math_t_SOURCES = tests/math.c tests/tap.h tests/ulp.h
tests_math_t_LDADD = $(LIBM)
dist_check_SCRIPTS += tests/bodies_bits.t tests/math_bits.t tests/math_flags.t tests/contraction.t tests/sums_bits.t
check_PROGRAMS += tests/math_exact.t tests/random.t
tests_math_exact_t_SOURCES = tests/math_exact.c tests/math_pairs.h tests/tap.h tests/ulp.h
tests_math_exact_t_LDADD = $(LIBM)
check_PROGRAMS += tests/math_double.t
tests_math_double_t_SOURCES = tests/math_double.c tests/math_doubles.h tests/tap.h
tests_math_double_t_LDADD = $(LIBM)
tests_random_t_SOURCES = tests/random.c tests/tap.h
tests_random_t_LDADD = $(LIBM)
EXTRA_DIST += scripts/make_math_coefficients.py scripts/make_double_coefficients.py
EXTRA_DIST += tests/fuzz/corpus

# The signatures that tests/call.c calls are drawn, always the same ones.
EXTRA_DIST += tests/signature_cases.awk
CLEANFILES += tests/signature_cases.h
tests/call.$(OBJEXT): tests/signature_cases.h
tests/signature_cases.h: tests/signature_cases.awk
	$(AM_V_GEN)$(MKDIR_P) tests && LC_ALL=C $(AWK) -f $(srcdir)/tests/signature_cases.awk >$@.new && mv $@.new $@
