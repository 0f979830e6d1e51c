# SPDX-License-Identifier: BSD-3-Clause
dist_man_MANS += doc/cohort.1 doc/libcohort.3 doc/cohort-env.7
EXTRA_DIST += scripts/make_env_page.sh doc/design.md
dist_doc_DATA = NEWS.md README.md SECURITY.md doc/benchmarks.md doc/faults.md doc/from-tf-distribute.md doc/input.md

# The guide, a file for each chapter. tests/guide.t runs what it shows.
guidedir = $(docdir)/guide
dist_guide_DATA = doc/guide/README.md doc/guide/clusters.md doc/guide/coming-from.md doc/guide/concepts.md \
    doc/guide/data.md doc/guide/errors.md doc/guide/examples.md doc/guide/faq.md doc/guide/first-steps.md \
    doc/guide/opencl.md doc/guide/plugins.md doc/guide/step.svg doc/guide/when-not.md
