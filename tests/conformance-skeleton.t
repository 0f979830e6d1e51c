#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What every plugin must do, of the one that vendors begin with.
. "${srcdir:-.}/tests/tap.sh"
conform plugins/skeleton/.libs/cohort-skeleton.so
