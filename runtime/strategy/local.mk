# SPDX-License-Identifier: BSD-3-Clause
libcohort_core_la_SOURCES += runtime/strategy/strategy.c runtime/strategy/strategy.h
