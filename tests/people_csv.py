# SPDX-License-Identifier: BSD-3-Clause
"""50 CSV files in the shapes that people have: people_csv.py FOLDER DIGITS.csv
people_csv.py FOLDER DIGITS.csv --reference   prints tests/data/people_csv.txt, by scikit-learn

A line of that table: file, the part of the sentence with which the demo refuses it (- where it does not), the words
with which it is trained then (- where none are needed, NONE where nothing helps but another file), and the accuracy of
scikit-learn's logistic regression on standardised columns, the mean of five folds."""
import gzip
import random
import sys

FLOWERS = ("setosa", "versicolor", "virginica")
NAMES = ["sepal", "petal", "width", "length"]


def clusters(rows, centres, units, spread, seed):
    """Rows around the centre of their class, each column in a unit of its own."""
    draw = random.Random(seed)
    out = []
    for i in range(rows):
        kind = i * len(centres) // rows  # sorted by class, as people have them
        out.append(([round((c + draw.gauss(0, spread)) * u, 4) for c, u in zip(centres[kind], units)], kind))
    return out


def flowers(units=(1, 1, 1, 1), seed=1):
    return clusters(150, [(5.0, 3.4, 1.5, 0.2), (5.9, 2.8, 4.3, 1.3), (6.6, 3.0, 5.6, 2.0)], units, 0.45, seed)


def wines():
    centres = [[random.Random(k * 100 + j).uniform(-1, 1) + 3 for j in range(13)] for k in range(3)]
    return clusters(178, centres, [10.0 ** (j % 5 - 1) for j in range(13)], 0.5, 2)


def customers():
    return clusters(400, [(4.2, 1.0, 2.1, 0.4, 3.0), (3.4, 1.5, 2.9, 1.1, 3.1)], (10000, 1, 10, 1, 100), 0.5, 3)


def pixels(path, rows):
    with open(path, encoding="ascii") as lines:
        table = [[int(n) for n in line.split(",")] for line in lines][:rows]
    return [(row[:64], row[64]) for row in table]


def text(rows, header=None, label=str, number=str, comma=",", end="\n", index=None):
    """The usual shape: numbers, then the label."""
    lines = [header] if header is not None else []
    for i, (x, y) in enumerate(rows):
        fields = [number(v) for v in x] + [label(y)]
        lines.append(comma.join(([index(i)] if index else []) + fields))
    return end.join(lines) + end


def named(y):
    return FLOWERS[y]


def quoted(value):
    return '"%s"' % str(value).replace('"', '""')


def with_column(rows, make):
    return [([make(i)] + x, y) for i, (x, y) in enumerate(rows)]


def holes(rows, word):
    """Every 17th number is missing."""
    def put(i, x):
        return [word if (i * 4 + k) % 17 == 0 else v for k, v in enumerate(x)]
    return [(put(i, x), y) for i, (x, y) in enumerate(rows)]


def without(rows, *columns):
    return [([v for k, v in enumerate(x) if k not in columns], y) for x, y in rows]


def hot(y, comma=","):
    return comma.join("1" if k == y else "0" for k in range(3))


def cases(digits):
    """name, contents, rows for the reference, refusal or None, words or None"""
    f, w, c, d = flowers(), wines(), customers(), pixels(digits, 600)
    head, kinds = ",".join(NAMES), ",".join(NAMES) + ",species"
    wide = ["a%d" % k for k in range(13)]
    ids = with_column(f, lambda i: 100000 + i * 7919 % 150)
    doubt, one = "(option header)", "one column; expected numbers and a label"
    no_number, missing = "is no number", "is a missing value"
    comma = "a comma is no part of a number"
    yield "header.csv", text(f, head + ",label"), f, None, None
    yield "header-names.csv", text(f, kinds, named), f, None, None
    yield "bare.csv", text(f), f, None, None
    yield "bare-names.csv", text(f, None, named), f, doubt, "--header no"
    yield "quotes.csv", text(f, ",".join(map(quoted, NAMES + ["species"])), lambda y: quoted(named(y)), quoted), f, None, None
    yield "quoted-header.csv", text(w, ",".join(map(quoted, wide + ["kind"]))), w, None, None
    yield "comma-in-label.csv", text(f, kinds, lambda y: quoted(named(y) + ", blue")), f, None, None
    yield "quote-in-label.csv", text(f, kinds, lambda y: quoted('the "%s"' % named(y))), f, None, None
    yield "line-end-in-label.csv", text(f, kinds, lambda y: quoted("iris\n" + named(y))), f, None, None
    yield "id.csv", text(ids, "id," + kinds, named), ids, None, None
    yield "id-bare.csv", text(ids), ids, None, None
    yield "id-text.csv", text(f, "id," + kinds, named, index=lambda i: "A-%03d" % i), f, no_number, "--columns ^id"
    yield "pandas.csv", text(f, "," + kinds, named, index=str), with_column(f, lambda i: i), None, None
    yield "r.csv", text(f, '"",' + kinds, lambda y: quoted(named(y)), index=lambda i: quoted(i + 1)), \
        with_column(f, lambda i: i + 1), None, None
    yield "r-names.csv", text(f, '"",' + kinds, named, index=lambda i: quoted("row %d" % i)), f, no_number, "--columns ^0"
    yield "cr.csv", text(f, kinds, named, end="\r"), f, None, None
    yield "crlf.csv", text(w, ",".join(wide) + ",class", end="\r\n"), w, None, None
    yield "mixed-ends.csv", text(f, kinds, named).replace("\n", "\r\n", 60), f, None, None
    yield "bom.csv", b"\xef\xbb\xbf" + text(f, kinds, named).encode(), f, None, None
    yield "bom-semicolon.csv", b"\xef\xbb\xbf" + text(f, kinds.replace(",", ";"), named, comma=";").encode(), f, None, None
    yield "semicolon.csv", text(c, "a;b;c;d;e;left", comma=";"), c, None, None
    yield "tab.tsv", text(w, "\t".join(wide) + "\tkind", comma="\t"), w, None, None
    yield "bar.csv", text(f, kinds.replace(",", "|"), named, comma="|"), f, one, "--separator |"
    yield "spaces.csv", text(f, number=lambda v: "%8.3f" % v, comma="  "), f, None, None
    yield "spaces-header.csv", text(f, kinds.replace(",", " "), named, comma=" "), f, one, "--separator space"
    yield "spaces.txt", text(f, kinds.replace(",", "   "), named, comma="   "), f, "--separator C, such as space", \
        "--separator space"
    yield "savetxt.csv", text(f, None, lambda y: "%.18e" % y, lambda v: "%.18e" % v, " "), f, None, None
    for name, word in (("empty", ""), ("na", "NA"), ("nan", "nan")):
        yield "missing-%s.csv" % name, text(holes(w, word), ",".join(wide) + ",kind"), \
            [([0.0 if v == word else v for v in x], y) for x, y in holes(w, word)], missing, "--missing 0"
    yield "missing-mark.csv", text([([x[0], "?" if i % 9 == 0 else x[1]] + x[2:], y) for i, (x, y) in enumerate(f)], kinds, named), \
        without(f, 1), no_number, "--columns ^petal"
    yield "decimal-comma.csv", text(f, kinds.replace(",", ";"), named, lambda v: str(v).replace(".", ","), ";"), f, comma, "NONE"
    yield "thousands.csv", text(c, "income,b,c,d,e,left", number=lambda v: quoted("{:,.2f}".format(v)) if v >= 1000 else str(v)), \
        without(c, 0), comma, "--columns ^income"
    yield "percent.csv", text(with_column(c, lambda i: "%d%%" % (i % 100)), "share,a,b,c,d,e,left"), c, no_number, "--columns ^share"
    yield "currency.csv", text(with_column(c, lambda i: "$%d" % (i % 100)), "price,a,b,c,d,e,left"), c, no_number, "--columns ^price"
    yield "dates.csv", text(with_column(c, lambda i: "2024-%02d-%02d" % (i % 12 + 1, i % 28 + 1)), "day,a,b,c,d,e,left"), c, \
        no_number, "--columns ^day"
    stamps = with_column(c, lambda i: 1700000000 + i * 9973 % 400)
    yield "timestamps.csv", text(stamps, "time,a,b,c,d,e,left"), stamps, None, None
    yield "one-hot.csv", text(f, head + ",setosa,versicolor,virginica", hot), f, "are a one-hot label", "--label 4-6"
    yield "one-hot-bare.csv", text(f, None, hot), f, "are a one-hot label", "--label 4-6"
    yield "yes-no.csv", text(c, "a,b,c,d,e,left", lambda y: "yes" if y else "no"), c, None, None
    yield "true-false.csv", text(c, "a,b,c,d,e,left", lambda y: str(bool(y))), c, None, None
    yield "target-between.csv", "a,target,b,c,d\n" + "".join("%s,%d,%s,%s,%s\n" % (x[0], y, *x[1:]) for x, y in f), f, None, None
    yield "label-first.csv", "species," + head + "\n" + "".join("%s,%s\n" % (named(y), ",".join(map(str, x))) for x, y in f), f, \
        "--label NAME", "--label species"
    yield "labels-from-one.csv", text(f, kinds, lambda y: str(y + 1)), f, None, None
    yield "labels-with-point.csv", text(c, "a,b,c,d,e,left", lambda y: "%d.0" % y), c, None, None
    yield "utf-16.csv", text(f, kinds, named).encode("utf-16"), f, "iconv -f UTF-16 -t UTF-8", "NONE"
    yield "utf-8.csv", text(f, "längd,bredd,höjd,幅,art", lambda y: ("blå", "röd", "黄色")[y]), f, None, None
    yield "trailing-comma.csv", text(f, kinds + ",", lambda y: named(y) + ","), f, None, None
    yield "digits.csv.gz", gzip.compress(text(d).encode(), mtime=0), d, None, None
    yield "blank-lines.csv", "\n" + text(w, ",".join(wide) + ",kind", end="\n\n") + "\n\n", w, None, None


def write(folder, digits):
    for name, contents, *_ in cases(digits):
        with open(folder + "/" + name, "wb") as out:
            out.write(contents if isinstance(contents, bytes) else contents.encode())


def reference(digits):
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import StratifiedKFold, cross_val_score
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    for name, _, rows, refusal, words in cases(digits):
        x, y = [r[0] for r in rows], [r[1] for r in rows]
        model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=5000))
        score = cross_val_score(model, x, y, cv=StratifiedKFold(5, shuffle=True, random_state=1)).mean()
        print("\t".join((name, refusal or "-", words or "-", "%.3f" % score)))


if __name__ == "__main__":
    write(sys.argv[1], sys.argv[2])
    if sys.argv[3:] == ["--reference"]:
        reference(sys.argv[2])
