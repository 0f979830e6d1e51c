# SPDX-License-Identifier: BSD-3-Clause
# COHORT_WITH(name, what it is for, pkg-config module, Debian package)
AC_DEFUN([COHORT_WITH], [dnl
    AC_ARG_WITH([$1], [AS_HELP_STRING([--with-$1=yes|no|auto], [$2 @<:@auto@:>@])], [], [with_$1=auto])
    have_$1=no
    AS_IF([test "x$with_$1" != xno],
        [PKG_CHECK_MODULES(m4_toupper([$1]), [$3], [have_$1=yes],
            [AS_IF([test "x$with_$1" = xyes],
                [AC_MSG_ERROR([--with-$1=yes, but $3 was not found; Debian: apt-get install $4])])])])
    AM_CONDITIONAL(m4_toupper([$1]), [test "x$have_$1" = xyes])
])
