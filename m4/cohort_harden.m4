# SPDX-License-Identifier: BSD-3-Clause
# COHORT_TRY_FLAG(variable, flag): append the flag where the compiler and the linker take it in silence.
AC_DEFUN([COHORT_TRY_FLAG], [dnl
    AC_MSG_CHECKING([for $2])
    cohort_cflags=$CFLAGS
    CFLAGS="$CFLAGS -Werror $2"
    AC_LINK_IFELSE([AC_LANG_PROGRAM([], [])],
        [$1="$$1 $2"
        AC_MSG_RESULT([yes])],
        [AC_MSG_RESULT([no])])
    CFLAGS=$cohort_cflags
])

# COHORT_TRY_FORTIFY(level): cohort_fortify becomes it where the C library takes it in silence; 3 wants a compiler that
# knows sizes that are no constants.
AC_DEFUN([COHORT_TRY_FORTIFY], [dnl
    AC_MSG_CHECKING([for _FORTIFY_SOURCE $1])
    cohort_cflags=$CFLAGS
    CFLAGS="$CFLAGS -O2 -Werror"
    AC_COMPILE_IFELSE([AC_LANG_SOURCE([
#undef _FORTIFY_SOURCE
#define _FORTIFY_SOURCE $1
#include <stdio.h>
int main(void) { return 0; }])],
        [cohort_fortify=$1
        AC_MSG_RESULT([yes])],
        [AC_MSG_RESULT([no])])
    CFLAGS=$cohort_cflags
])

# COHORT_HARDEN: HARDEN_CFLAGS and HARDEN_LDFLAGS, what makes a mistake in memory end the program and not be used. Sanitizers
# find such mistakes better without. have_hardening is no, or yes.
AC_DEFUN([COHORT_HARDEN], [dnl
    AC_ARG_ENABLE([hardening],
        [AS_HELP_STRING([--disable-hardening], [no flags that harden besides those in CFLAGS and LDFLAGS])],
        [have_hardening=$enableval], [have_hardening=yes])
    AS_CASE([" $CC $CFLAGS $LDFLAGS"], [*" -fsanitize="*], [have_hardening=no])
    HARDEN_CFLAGS= HARDEN_LDFLAGS=
    AS_IF([test "x$have_hardening" != xno],
        [have_hardening=yes
        COHORT_TRY_FLAG([HARDEN_CFLAGS], [-fstack-protector-strong])
        COHORT_TRY_FLAG([HARDEN_CFLAGS], [-fstack-clash-protection])
        # Each for its machines: x86, and 64-bit ARM.
        COHORT_TRY_FLAG([HARDEN_CFLAGS], [-fcf-protection])
        COHORT_TRY_FLAG([HARDEN_CFLAGS], [-mbranch-protection=standard])
        cohort_fortify=0
        COHORT_TRY_FORTIFY([2])
        COHORT_TRY_FORTIFY([3])
        AC_DEFINE_UNQUOTED([COHORT_FORTIFY], [$cohort_fortify], [_FORTIFY_SOURCE where the compiler optimises.])
        COHORT_TRY_FLAG([HARDEN_LDFLAGS], [-Wl,-z,relro])
        COHORT_TRY_FLAG([HARDEN_LDFLAGS], [-Wl,-z,now])])
    AC_SUBST([HARDEN_CFLAGS])
    AC_SUBST([HARDEN_LDFLAGS])
])

AH_BOTTOM([/* A level that the user or the compiler has set stays; without optimisation the C library would warn. */
#if COHORT_FORTIFY && defined(__OPTIMIZE__) && !defined(_FORTIFY_SOURCE)
#define _FORTIFY_SOURCE COHORT_FORTIFY
#endif])
