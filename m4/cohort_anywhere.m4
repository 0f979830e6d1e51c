# SPDX-License-Identifier: BSD-3-Clause
# COHORT_HIDE(variable, folder, NAME): NAME for the folder in the text of the variable.
AC_DEFUN([COHORT_HIDE], [dnl
    cohort_folder=`AS_ECHO(["$2"]) | sed 's/[[][\.*^$|]]/\\\\&/g'`
    $1=`AS_ECHO(["$$1"]) | sed "s|$cohort_folder\\([[^[:alnum:]_.-]]\\)|$3\\1|g"`
])

# COHORT_ANYWHERE: the same bytes in any folder. MAP_CFLAGS has debug information and __FILE__ name sources as seen from
# the build folder; configure_options are the arguments of configure without the folders of this machine.
AC_DEFUN([COHORT_ANYWHERE], [dnl
    MAP_CFLAGS=
    COHORT_TRY_FLAG([MAP_CFLAGS], [-ffile-prefix-map=/nowhere=.])
    AS_IF([test "x$MAP_CFLAGS" != x],
        [MAP_CFLAGS='-ffile-prefix-map=$(abs_top_srcdir)=. -ffile-prefix-map=$(abs_top_builddir)=.'])
    AC_SUBST([MAP_CFLAGS])
    configure_options=$ac_configure_args
    cohort_here=`pwd`
    cohort_source=`cd "$srcdir" && pwd`
    COHORT_HIDE([configure_options], [$cohort_here], [BUILD])
    COHORT_HIDE([configure_options], [$cohort_source], [SOURCE])
    configure_options=`AS_ECHO(["$configure_options"]) | sed 's/^ *//; s/[[\\"]]/\\\\&/g'`
    AC_DEFINE_UNQUOTED([CONFIGURE_OPTIONS], ["$configure_options"], [The arguments of configure.])
])
