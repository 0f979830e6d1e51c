# SPDX-License-Identifier: BSD-3-Clause
# COHORT_WITH(name, what it is for, pkg-config module, Debian packages, [header that the module does not promise])
AC_DEFUN([COHORT_WITH], [dnl
    AC_ARG_WITH([$1], [AS_HELP_STRING([--with-$1=yes|no|auto], [$2 @<:@auto@:>@])], [], [with_$1=auto])
    have_$1=no
    AS_IF([test "x$with_$1" != xno],
        [PKG_CHECK_MODULES(m4_toupper([$1]), [$3], [have_$1=yes], [:])
        m4_ifval([$5], [AS_IF([test "x$have_$1" = xyes],
            [cohort_cppflags=$CPPFLAGS
            CPPFLAGS="$CPPFLAGS $m4_toupper([$1])_CFLAGS"
            AC_CHECK_HEADER([$5], [], [have_$1=no])
            CPPFLAGS=$cohort_cppflags])])
        AS_IF([test "x$have_$1:$with_$1" = xno:yes],
            [AC_MSG_ERROR([--with-$1=yes, but $3 was not found; Debian: apt-get install $4])])])
    AM_CONDITIONAL(m4_toupper([$1]), [test "x$have_$1" = xyes])
])
