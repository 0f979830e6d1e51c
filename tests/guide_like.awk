# SPDX-License-Identifier: BSD-3-Clause
# awk -f guide_like.awk WANTED FOUND: 0 when the lines that a program printed are those that a page shows. "..." in a line
# of the page stands for any text, as a line of its own for any number of lines, also none.

function as_pattern(line) {
    gsub(/[][\\.^$*+?(){}|]/, "\\\\&", line)
    gsub(/\\\.\\\.\\\./, ".*", line)
    return "^" line "$"
}

{ sub(/[ \t]+$/, "") }
FNR == NR { wanted[++n_wanted] = $0; next }
{ found[++n_found] = $0 }

# From where a line "..." stood, one more line is passed over each time that the rest does not fit.
END {
    w = f = 1
    while (f <= n_found) {
        if (w <= n_wanted && wanted[w] == "...") {
            again_w = ++w
            again_f = f
        } else if (w <= n_wanted && found[f] ~ as_pattern(wanted[w])) {
            w++
            f++
        } else if (again_w) {
            w = again_w
            f = ++again_f
        } else
            exit 1
    }
    while (w <= n_wanted && wanted[w] == "...")
        w++
    exit w <= n_wanted
}
