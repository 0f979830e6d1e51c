# SPDX-License-Identifier: BSD-3-Clause
bin_PROGRAMS += cli/cohort
cli_cohort_SOURCES = \
    cli/chart.c cli/chart.h cli/cli.h cli/demo.c cli/devices.c cli/digits.c cli/digits.h cli/embed.c cli/env.c \
    cli/json.c cli/json.h cli/main.c cli/options.c cli/output.c cli/output.h cli/progress.c cli/progress.h \
    cli/say.c cli/training.c cli/training.h cli/version.c examples/nn.h
cli_cohort_CPPFLAGS = $(AM_CPPFLAGS) -DPLUGINDIR='"$(plugindir)"' -DPKGDATADIR='"$(pkgdatadir)"'
cli_cohort_LDADD = libcohort.la $(LIBM)
