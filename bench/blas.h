/* SPDX-License-Identifier: BSD-3-Clause */
/* The BLAS library of programs that train: the same for a program by hand and for Cohort. */
#ifndef BENCH_BLAS_H
#define BENCH_BLAS_H

/* BLAS in the caller's thread alone, since every replica calls it, and with the loops for this
 * processor. The first call of main: it may begin the program anew, with OPENBLAS_CORETYPE set,
 * which the library reads when it is loaded. A value that is set stays as it is. */
void blas_begin(char **argv);

/* "OpenBLAS SkylakeX"; "BLAS" for another library. Static. */
const char *blas_name(void);

#endif
