# SPDX-License-Identifier: BSD-3-Clause
# find_package(Cohort), for who builds with CMake.
cmakedir = $(libdir)/cmake/Cohort
nodist_cmake_DATA = cmake/CohortConfig.cmake cmake/CohortConfigVersion.cmake
