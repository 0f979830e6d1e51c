#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What every plugin must do, of the host's.
. "${srcdir:-.}/tests/tap.sh"
conform host/.libs/cohort-host.so
