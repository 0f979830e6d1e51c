# SPDX-License-Identifier: BSD-3-Clause
# COHORT_EXCESS(flags, when-none, when-some): whether floats are kept as their type says in C compiled with these flags.
AC_DEFUN([COHORT_EXCESS], [dnl
    cohort_cflags=$CFLAGS
    CFLAGS="$1"
    AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <float.h>
#if FLT_EVAL_METHOD != 0
#error more precision than the type has
#endif]], [])], [$2], [$3])
    CFLAGS=$cohort_cflags
])

# COHORT_SAME_BITS: SAME_BITS_CFLAGS, with which code has the bits of every other machine: the library's, and that of
# programs, whose bodies are compiled elsewhere (cohort.pc, the CMake package, cohort run --source). same_bits_options is
# the same as a list of CMake. equal_bits says what comes of it.
#
# Without contraction; and where a standard, as opposed to gnu11, makes the compiler keep floats as doubles between two
# operations, as gcc does for s390x, with the option that ends it. Nothing ends it for i386 without SSE2.
AC_DEFUN([COHORT_SAME_BITS], [dnl
    SAME_BITS_CFLAGS=-ffp-contract=off
    AC_MSG_CHECKING([whether -std=c11 keeps floats as they are])
    COHORT_EXCESS([$CFLAGS -std=c11],
        [AC_MSG_RESULT([yes])],
        [COHORT_EXCESS([$CFLAGS -std=c11 -fexcess-precision=fast],
            [SAME_BITS_CFLAGS="$SAME_BITS_CFLAGS -fexcess-precision=fast"
            AC_MSG_RESULT([with -fexcess-precision=fast])],
            [AC_MSG_RESULT([no])])])
    AC_MSG_CHECKING([whether floats have the same bits as elsewhere])
    COHORT_EXCESS([-std=c11 $SAME_BITS_CFLAGS $CFLAGS],
        [equal_bits="promised, by $SAME_BITS_CFLAGS"],
        [equal_bits='not promised: FLT_EVAL_METHOD is not 0 (i386: CFLAGS="-O2 -msse2 -mfpmath=sse")'
        AC_DEFINE([COHORT_EXCESS_PRECISION], [1], [Define when FLT_EVAL_METHOD is not 0.])])
    AC_MSG_RESULT([$equal_bits])
    AC_DEFINE_UNQUOTED([SAME_BITS_CFLAGS], ["$SAME_BITS_CFLAGS"], [Flags of bodies.])
    AC_SUBST([SAME_BITS_CFLAGS])
    same_bits_options=`AS_ECHO(["$SAME_BITS_CFLAGS"]) | tr ' ' ';'`
    AC_SUBST([same_bits_options])
])
