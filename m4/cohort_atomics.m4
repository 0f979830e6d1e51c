# SPDX-License-Identifier: BSD-3-Clause
# COHORT_ATOMICS: what 32-bit ARM without an instruction for 8 bytes, and RISC-V without one for a byte, take from a
# library of the compiler's.
AC_DEFUN([COHORT_ATOMICS], [dnl
    AC_MSG_CHECKING([for what atomic operations are linked with])
    cohort_libs=$LIBS
    cohort_found=no
    for cohort_library in '' -latomic; do
        LIBS="$cohort_libs $cohort_library"
        AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
_Atomic uint64_t number;
_Atomic bool flag;]], [[return (int)atomic_fetch_add(&number, 1) + atomic_exchange(&flag, true);]])],
            [cohort_found=yes], [])
        AS_IF([test "$cohort_found" = yes], [break])
    done
    AS_IF([test "$cohort_found" = no],
        [AC_MSG_ERROR([atomic operations of 1 and 8 bytes do not link, nor with -latomic; Debian: the libatomic1 of this machine])])
    AC_MSG_RESULT([${cohort_library:-nothing}])
])
