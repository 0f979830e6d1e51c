# SPDX-License-Identifier: BSD-3-Clause
# COHORT_COMPLETION(SHELL, DEFAULT): --with-SHELL-completion-dir=DIR, or no: the folder in SHELLcompletiondir, the
# conditional COMPLETION_SHELL.
AC_DEFUN([COHORT_COMPLETION], [
    AC_ARG_WITH([$1-completion-dir],
        [AS_HELP_STRING([--with-$1-completion-dir=DIR|no], [completion of $1 @<:@$2@:>@])],
        [], [with_$1_completion_dir=yes])
    AS_CASE([$with_$1_completion_dir],
        [yes], [$1completiondir='$2'],
        [/*|'$'*|no], [$1completiondir=$with_$1_completion_dir],
        [AC_MSG_ERROR([--with-$1-completion-dir=$with_$1_completion_dir: expected an absolute folder, or no])])
    AC_SUBST([$1completiondir])
    AM_CONDITIONAL([COMPLETION_]m4_toupper([$1]), [test "x$with_$1_completion_dir" != xno])])
