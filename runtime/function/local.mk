# SPDX-License-Identifier: BSD-3-Clause
function_sources = \
    runtime/function/arena.c runtime/function/arena.h runtime/function/bounds.c runtime/function/bounds.h \
    runtime/function/call.c runtime/function/call.h runtime/function/expression.c runtime/function/expression.h \
    runtime/function/geometry.c runtime/function/geometry.h runtime/function/items.c runtime/function/items.h \
    runtime/function/guess.c runtime/function/guess.h runtime/function/lexer.c runtime/function/lexer.h \
    runtime/function/parser.c runtime/function/parser.h runtime/function/prototype.c runtime/function/prototype.h \
    runtime/function/registers.c runtime/function/registers.h runtime/function/registry.c \
    runtime/function/signature.c runtime/function/signature.h runtime/function/specifiers.c runtime/function/specifiers.h \
    runtime/function/types.c runtime/function/types.h runtime/function/words.c runtime/function/words.h
libcohort_core_la_SOURCES += $(function_sources)
