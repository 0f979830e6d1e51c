# SPDX-License-Identifier: BSD-3-Clause
# The reference: pages of section 3, and HTML, made from the comments of the public headers. A tarball has them, made, and
# needs no perl. The dates in the pages are that of libcohort.3, so that the same sources make the same pages anywhere.
reference_sources = scripts/reference.pl scripts/reference/Check.pm scripts/reference/Comment.pm scripts/reference/Headers.pm \
    scripts/reference/Html.pm scripts/reference/Mdoc.pm scripts/reference/Pages.pm scripts/reference/Statuses.pm
reference_assets = doc/html/search.js doc/html/style.css
EXTRA_DIST += $(reference_sources) $(reference_assets) doc/reference.stamp
noinst_DATA = doc/reference.stamp

doc/reference.stamp: $(cohortinclude_HEADERS) $(reference_sources) doc/html/search.js doc/libcohort.3 configure.ac
	$(AM_V_GEN)$(MKDIR_P) doc
	$(AM_V_at)rm -f $@
	$(AM_V_at)cd '$(srcdir)' && $(PERL) scripts/reference.pl --out '$(abs_builddir)/doc' --version '$(PACKAGE_VERSION)' \
	    --date "`sed -n 's/^\.Dd //p' doc/libcohort.3`" $(cohortinclude_HEADERS)
	$(AM_V_at)cp '$(srcdir)/doc/html/search.js' doc/html/reference/
	$(AM_V_at)test '$(srcdir)' = . || cp '$(srcdir)/doc/html/style.css' doc/html/
	$(AM_V_at)echo '$(PACKAGE_VERSION)' >$@

# Where the pages are: here, where they were made, else in the sources, with which they came.
find_reference = if test -f doc/reference.stamp; then pages=doc; else pages='$(srcdir)/doc'; fi
htmlrootdir = $(docdir)/html

install-data-local: doc/reference.stamp
	$(MKDIR_P) '$(DESTDIR)$(man3dir)' '$(DESTDIR)$(htmlrootdir)/reference'
	@$(find_reference); echo " installing the reference in '$(DESTDIR)$(man3dir)' and '$(DESTDIR)$(htmlrootdir)'"; \
	$(INSTALL_DATA) "$$pages"/man3/*.3 '$(DESTDIR)$(man3dir)' && \
	$(INSTALL_DATA) "$$pages"/html/reference/* '$(DESTDIR)$(htmlrootdir)/reference'
	$(INSTALL_DATA) '$(srcdir)/doc/html/style.css' '$(DESTDIR)$(htmlrootdir)'

uninstall-local:
	@$(find_reference); \
	(cd "$$pages/man3" && ls) | (cd '$(DESTDIR)$(man3dir)' && xargs rm -f); \
	(cd "$$pages/html/reference" && ls) | (cd '$(DESTDIR)$(htmlrootdir)/reference' && xargs rm -f)
	rm -f '$(DESTDIR)$(htmlrootdir)/style.css'
	-rmdir '$(DESTDIR)$(htmlrootdir)/reference' '$(DESTDIR)$(htmlrootdir)'

dist-hook: doc/reference.stamp
	@$(find_reference); $(MKDIR_P) '$(distdir)/doc/html' && cp -Rp "$$pages/man3" '$(distdir)/doc' && \
	cp -Rp "$$pages/html/reference" '$(distdir)/doc/html'

# What was made beside the sources is what a tarball has too, and stays until maintainer-clean.
distclean-local:
	test '$(srcdir)' = . || rm -rf doc/man3 doc/html doc/reference.stamp
maintainer-clean-local:
	rm -rf doc/man3 doc/html/reference doc/reference.stamp
