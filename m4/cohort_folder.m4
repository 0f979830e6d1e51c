# SPDX-License-Identifier: BSD-3-Clause
# COHORT_FOLDER(variable, folder): the folder with prefix and all other names spelled out, substituted.
AC_DEFUN([COHORT_FOLDER], [dnl
    $1=`test "x$prefix" != xNONE || prefix=$ac_default_prefix
        test "x$exec_prefix" != xNONE || exec_prefix=$prefix
        cohort_folder="$2"
        for cohort_level in 1 2 3 4 5; do eval "cohort_folder=\"$cohort_folder\""; done
        AS_ECHO(["$cohort_folder"])`
    AC_SUBST([$1])
])
