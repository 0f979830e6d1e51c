# SPDX-License-Identifier: BSD-3-Clause
function_sources = \
    runtime/function/arena.c runtime/function/arena.h runtime/function/bounds.c runtime/function/bounds.h \
    runtime/function/bounds_error.c runtime/function/bounds_error.h \
    runtime/function/native_call.c runtime/function/native_call.h runtime/function/declaration.c runtime/function/declaration.h \
    runtime/function/describe.c runtime/function/direct.c runtime/function/direct.h \
    runtime/function/expression.c runtime/function/expression.h \
    runtime/function/format.c runtime/function/format.h \
    runtime/function/geometry.c runtime/function/geometry.h \
    runtime/function/image.c runtime/function/image.h \
    runtime/function/image_declaration.c runtime/function/image_declaration.h \
    runtime/function/items.c runtime/function/items.h runtime/function/items_body.c runtime/function/items_body.h \
    runtime/function/items_declaration.c runtime/function/items_expansion.c runtime/function/items_expansion.h \
    runtime/function/items_expression.c runtime/function/items_helper.c runtime/function/items_helper.h \
    runtime/function/items_form.c runtime/function/items_form.h \
    runtime/function/items_names.c runtime/function/items_names.h runtime/function/items_ours.c runtime/function/items_ours.h \
    runtime/function/items_own.c runtime/function/items_own.h runtime/function/items_parser.h \
    runtime/function/items_symbols.c runtime/function/items_symbols.h \
    runtime/function/items_token.c runtime/function/items_token.h \
    runtime/function/items_types.c runtime/function/items_types.h \
    runtime/function/lexer.c runtime/function/lexer.h runtime/function/linear.c runtime/function/linear.h \
    runtime/function/parameter.h runtime/function/parsed.c runtime/function/parsed.h \
    runtime/function/parser.c runtime/function/parser.h runtime/function/prototype.c runtime/function/prototype.h \
    runtime/function/registers.c runtime/function/registers.h runtime/function/signature_table.c \
    runtime/function/signature.c runtime/function/signature.h runtime/function/signature_create.c \
    runtime/function/signature_holder.h runtime/function/signature_items.c runtime/function/plugin_sig.c runtime/function/plugin_sig.h \
    runtime/function/specifiers.c runtime/function/specifiers.h \
    runtime/function/types.c runtime/function/types.h runtime/function/word.c runtime/function/word.h
libcohort_core_la_SOURCES += $(function_sources)

# cohort/math.h, its parts and cohort/random.h as texts, which kernels made of COHORT_ITEMS start with: one number for each
# byte, so that no compiler finds a literal too long.
function_texts = runtime/function/ours_text.c
nodist_libcohort_core_la_SOURCES = $(function_texts)
CLEANFILES += $(function_texts)
ours_headers = $(top_srcdir)/include/cohort/math.h $(top_srcdir)/include/cohort/math_angle.h \
    $(top_srcdir)/include/cohort/math_erf.h $(top_srcdir)/include/cohort/math_power.h \
    $(top_srcdir)/include/cohort/math_round.h $(top_srcdir)/include/cohort/random.h \
    $(top_srcdir)/include/cohort/math_double.h $(top_srcdir)/include/cohort/math_double_angle.h \
    $(top_srcdir)/include/cohort/math_double_erf.h $(top_srcdir)/include/cohort/math_double_power.h \
    $(top_srcdir)/include/cohort/math_double_round.h $(top_srcdir)/include/cohort/random_double.h
runtime/function/ours_text.c: $(ours_headers)
	$(AM_V_GEN)$(MKDIR_P) runtime/function && { \
	    echo '/* Made from cohort/math.h, its parts and cohort/random.h. */' && \
	    echo '#include "runtime/function/items_ours.h"' && \
	    for header in $(ours_headers); do \
	        name=$${header##*/} && echo "const char cohort_text_of_$${name%.h}[] = {" && \
	        sed '/^#include <cohort/d' "$$header" | LC_ALL=C od -A n -v -t u1 | sed 's/[0-9][0-9]*/&,/g' && \
	        echo '0 };' || exit 1; done; } > $@.tmp && mv $@.tmp $@
