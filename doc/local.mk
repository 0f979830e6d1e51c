# SPDX-License-Identifier: BSD-3-Clause
dist_man_MANS += doc/cohort.1 doc/libcohort.3 doc/cohort-env.7 doc/cohort-plugin-rules.7
EXTRA_DIST += scripts/make_env_page.sh scripts/make_rules_page.sh doc/design.md doc/speed.md
dist_doc_DATA = NEWS.md README.md SECURITY.md doc/benchmarks.md doc/faults.md doc/from-tf-distribute.md doc/input.md doc/math.md doc/tried.md

# README's picture of a training step, and the run of bench/train that it is drawn from.
EXTRA_DIST += doc/training-step.json doc/training-step.svg scripts/make_step_picture.py

# The guide, a file for each chapter. tests/guide.t runs what it shows.
guidedir = $(docdir)/guide
dist_guide_DATA = doc/guide/README.md doc/guide/checkpoints.md doc/guide/clusters.md doc/guide/coming-from.md doc/guide/concepts.md \
    doc/guide/data.md doc/guide/debugging.md doc/guide/errors.md doc/guide/examples.md doc/guide/faq.md doc/guide/fast-bodies.md doc/guide/first-steps.md \
    doc/guide/opencl.md doc/guide/plugins.md doc/guide/random.md doc/guide/step.svg doc/guide/when-not.md

# The same as HTML, where lowdown makes it, or the tarball has it: `make html`.
EXTRA_DIST += scripts/make_guide.sh
if GUIDE_HTML
guidehtmldir = $(docdir)/html/guide
guide_pages = doc/html/guide/index.html doc/html/guide/checkpoints.html doc/html/guide/clusters.html doc/html/guide/coming-from.html \
    doc/html/guide/concepts.html doc/html/guide/data.html doc/html/guide/debugging.html doc/html/guide/errors.html doc/html/guide/examples.html \
    doc/html/guide/faq.html doc/html/guide/fast-bodies.html doc/html/guide/first-steps.html doc/html/guide/opencl.html doc/html/guide/plugins.html doc/html/guide/random.html \
    doc/html/guide/when-not.html
guidehtml_DATA = $(guide_pages) doc/guide/step.svg
EXTRA_DIST += $(guide_pages)
MAINTAINERCLEANFILES = $(guide_pages)
html-local: $(guide_pages)

# A page is there whole, or not at all.
$(guide_pages): $(dist_guide_DATA) scripts/make_guide.sh
	$(AM_V_GEN)$(MKDIR_P) doc/html/guide && page=`basename $@ .html` && { test $$page != index || page=README; } && \
	    $(SHELL) '$(srcdir)/scripts/make_guide.sh' '$(LOWDOWN)' "$(srcdir)/doc/guide/$$page.md" >$@.new && mv $@.new $@
endif
