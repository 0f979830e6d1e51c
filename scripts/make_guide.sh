#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# make_guide.sh LOWDOWN PAGE.md: a page of the guide as HTML, on stdout, beside the other chapters of its README.md. LOWDOWN
# is the program of that name, which makes HTML of Markdown.
set -eu
lowdown=${1:?lowdown is not installed, and a page of the guide is newer than its HTML} page=$2
contents=${page%/*}/README.md
title=$(sed -n '/^# /{s///p;q;}' "$page")

# chapters: a link for each line of the contents that begins with a number.
chapters() {
    sed -n 's/^[0-9]*\. \[\([^]]*\)\](\([a-z-]*\)\.md).*/\2 \1/p' "$contents" | while read -r name text; do
        here=
        [ "$name" != "$(basename "$page" .md)" ] || here=' aria-current="page"'
        printf '<li><a href="%s.html"%s>%s</a></li>\n' "$name" "$here" "$text"
    done
}

# Links lead to the HTML of a chapter, and from one folder further down to all else.
body() {
    # shellcheck disable=SC2016 # no command
    sed '/^<!-- SPDX/d; s/^```\([a-z]*\) .*/```\1/; s/](README\.md)/](index.html)/g; s/](\([a-z-]*\)\.md)/](\1.html)/g
        s,](\.\./,](../../,g' "$page" | "$lowdown" -thtml --parse-no-metadata --out-no-smarty --html-no-num-ent
}

cat <<END
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>$title - Cohort</title>
<link rel="stylesheet" href="../style.css">
</head>
<body>
<header>
<a class="home" href="index.html">The guide to Cohort</a>
</header>
<div class="columns">
<nav aria-label="Chapters">
<ul>
$(chapters)
</ul>
</nav>
<main>
$(body)
</main>
</div>
</body>
</html>
END
