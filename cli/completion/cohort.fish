# SPDX-License-Identifier: BSD-3-Clause
# Read by fish where cohort's words are to be completed. The command has the tables.
cohort completion fish 2>/dev/null | source
