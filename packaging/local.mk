# SPDX-License-Identifier: BSD-3-Clause
# What makes packages: debian/, and the spec of Fedora; and what tests them.
dist_doc_DATA += doc/packaging.md
dist_check_SCRIPTS += tests/container.t tests/packaging.t
EXTRA_DIST += packaging/Containerfile packaging/Containerfile.dockerignore packaging/cohort.spec scripts/make_symbols.sh scripts/abidiff.sh tests/packages.sh \
    debian/changelog debian/control debian/copyright debian/not-installed debian/rules debian/source/format \
    debian/source/lintian-overrides debian/libcohort1.install debian/libcohort1.symbols debian/libcohort-dev.install \
    debian/cohort-tools.install debian/cohort-tools.lintian-overrides debian/cohort-doc.install \
    debian/cohort-plugin-opencl.install debian/cohort-communicator-openmpi.install \
    debian/cohort-communicator-mpich.install debian/tests/control debian/tests/cluster debian/tests/command \
    debian/tests/opencl debian/tests/readme-program debian/tests/skeleton
