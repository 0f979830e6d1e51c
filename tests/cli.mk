# SPDX-License-Identifier: BSD-3-Clause
dist_check_SCRIPTS += tests/cli.t tests/demo.t tests/docs.t tests/embed.t tests/headers.t tests/include_direction.t tests/toy.t
EXTRA_DIST += tests/toy/toy.c tests/installed.sh tests/json_keys.py tests/tap.sh
