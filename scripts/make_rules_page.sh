#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Put the rules of cli/conformance/rules.def between the marks of doc/cohort-plugin-rules.7.
#
# usage: scripts/make_rules_page.sh cli/conformance/rules.def < doc/cohort-plugin-rules.7 > new.7
set -eu

# RULE(number, about, check, "title", "why", "breaks"), each rule in a few lines; a comment on a line of its own is the
# heading of those behind it.
rules() {
    awk '
        function sentence(text) { return toupper(substr(text, 1, 1)) substr(text, 2) }
        # each sentence on a line of its own, no line longer than 120
        function prose(text,    words, n, i, line) {
            n = split(text, words, " ")
            line = words[1]
            for (i = 2; i <= n; i++)
                if (words[i - 1] ~ /\.$/ || length(line) + length(words[i]) >= 120) {
                    print line
                    line = words[i]
                } else
                    line = line " " words[i]
            print line
        }
        function list(heading) {
            if (is_open) print ".El"
            print ".Ss " heading
            print ".Bl -tag -width CHP-000"
            is_open = 1
        }
        /^\/\* [A-Z][A-Za-z ,]*\. \*\/$/ { list(substr($0, 4, length($0) - 7)); next }
        /^RULE\(/ {
            text = $0
            while (text !~ /\)$/ && (getline line) > 0) text = text line
            gsub(/"[ ]*"/, "", text)
            split(text, part, "\"")
            number = part[1]
            sub(/^RULE\(/, "", number)
            sub(/,.*/, "", number)
            print ".It CHP-" number
            print sentence(part[2]) "."
            prose(part[4])
            prose("What usually breaks it: " part[6] ".")
        }
        END { if (is_open) print ".El" }' "$1"
}

rows=$(rules "$1")
export rows
awk '
    /^\.\\" end of the rules/ { is_rules = 0 }
    !is_rules
    /^\.\\" rules of / { print ENVIRON["rows"]; is_rules = 1 }'
