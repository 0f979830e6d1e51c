#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What every plugin must do, of loopback behind a queue.
. "${srcdir:-.}/tests/tap.sh"
conform plugins/.libs/cohort-stream.so
