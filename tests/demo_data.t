#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# cohort demo --data: wrong data first, then the digits in every format.
. "${srcdir:-.}/tests/tap.sh"
cohort=$builddir/cli/cohort
scratch demo_data
find_python
digits=$srcdir/examples/data/digits.csv
unset COHORT_DEVICES

# wrong CODE PART WORDS...
wrong() {
    wanted=$1 part=$2
    shift 2
    run "$cohort" demo --output-dir "$scratch" --devices host --epochs 1 "$@"
    is "$code" "$wanted" "demo $* fails with exit code $wanted"
    has "$out" "$part" "and says why"
}
# table ROWS LINE: a file of that many lines
table() {
    awk -v n="$1" -v line="$2" 'BEGIN { for (i = 0; i < n; i++) print line }'
}
wrong 2 "option --data wants a value" --data
wrong 2 "--label names a part of --data" --label y
wrong 2 "and --scale are for --data, which is missing" --scale max
for scale in '' auto mean Max columns,max; do
    wrong 2 "--scale $scale: expected none, columns or max" --data "$digits" --scale "$scale"
done
wrong 2 "names of files, separated by commas" --data ''
wrong 2 "names of files, separated by commas" --data "$digits,"
wrong 2 "expected FILE.npz:ROWS:LABELS" --data x.npz:rows
wrong 2 "expected FILE.npz:ROWS:LABELS" --data x.npz::labels
wrong 1 "nosuch.csv: No such file or directory" --data "$scratch/nosuch.csv"
wrong 1 "no file matches this pattern" --data "$scratch/nosuch*.csv"
wrong 1 "a folder; expected a file" --data "$scratch"
: >"$scratch/empty.csv"
wrong 1 "the file has no row" --data "$scratch/empty.csv"
: >"$scratch/empty.tfrecord"
wrong 1 "no record" --data "$scratch/empty.tfrecord"
echo "dear reader" >"$scratch/letter.txt"
wrong 1 "a file of text, which has no labels" --data "$scratch/letter.txt"
wrong 1 "letter.txt is text; expected files of one format" --data "$digits,$scratch/letter.txt"
echo '<html>' >"$scratch/page.csv"
wrong 1 "page.csv: an HTML page" --data "$scratch/page.csv"
wrong 1 "page.csv: an HTML page" --data "$digits,$scratch/page.csv"
(echo '-nan,?,1'; table 20 1,2,0) >"$scratch/spelled.csv"
wrong 1 "spelled.csv: line 1, column 0 (from 0): '-nan' is" --data "$scratch/spelled.csv"
table 20 5 >"$scratch/column.csv"
wrong 1 "one column; expected numbers and a label" --data "$scratch/column.csv"
table 9 1,2,0 >"$scratch/few.csv"
wrong 1 "9 rows; expected at least 10" --data "$scratch/few.csv"
echo a,b,label >"$scratch/header.csv"
wrong 1 "0 rows; expected at least 10" --data "$scratch/header.csv"
table 20 1,2,3 >"$scratch/class.csv"
wrong 1 "all labels are 3; expected two classes or more" --data "$scratch/class.csv"
# row LINE: 20 rows, the one with number 7 is another
row() {
    table 20 1,2,0 | awk -v line="$1" 'NR == 8 { print line; next } NR > 10 { $0 = "1,2,1" } { print }' >"$scratch/row.csv"
}
for label in -1 0.5 1000 1e30; do
    row "1,2,$label"
    wrong 1 "row 7 (from 0): its label is $(printf '%g' $label 2>/dev/null); expected an integer from 0 to 999" \
        --data "$scratch/row.csv"
done
row 1,2,nan
wrong 1 "row 7 (from 0): its label is missing; expected a name or an integer" --data "$scratch/row.csv"
row nan,2,1
wrong 1 "row.csv: line 8" --data "$scratch/row.csv"
row inf,2,1
wrong 1 "inf" --data "$scratch/row.csv"
row cat,2,1
wrong 1 "'cat' is no number" --data "$scratch/row.csv"
row 1,2,999
run "$cohort" demo --output-dir "$scratch" --devices host --epochs 1 --batch 4 --data "$scratch/row.csv"
is "$code" 0 "label 999 is fine"
has "$out" "20 rows of 2 numbers, 1000 classes, 16 to train, 4 to test; network 2-64-1000" "and makes a thousand classes"
wrong 2 "there are 16 rows to train with" --data "$scratch/row.csv" --batch 17
run "$cohort" demo --output-dir "$scratch" --devices host --epochs 1 --data "$scratch/row.csv"
has "$out" "network 2-64-1000, batch 16," "without --batch there are as many rows in a step as there can be"
wrong 1 "no column 'colour'; it has no header, and columns 0 to 2" --data "$scratch/row.csv" --label colour
wrong 1 "no column '3'" --data "$scratch/row.csv" --label 3
(echo a,b,c; cat "$scratch/row.csv") >"$scratch/abc.csv"
wrong 1 "no column 'd'; it has: a, b, c" --data "$scratch/abc.csv" --label d
run "$cohort" demo --output-dir "$scratch" --devices host --epochs 1 --batch 4 --data "$scratch/abc.csv" --label 2 --json
has "$out" '"classes": 1000' "a column can be named by its number"
table 12 0,0,1 >"$scratch/zeros.csv" && table 12 0,0,0 >>"$scratch/zeros.csv"
run "$cohort" demo --output-dir "$scratch" --devices host --epochs 1 --batch 4 --data "$scratch/zeros.csv"
is "$code" 0 "rows of zeros are not divided by zero"

# Columns of very different size: the number of the row, one that tells the class, one that never changes.
awk 'BEGIN { for (i = 0; i < 300; i++) printf "%d,%.1f,7.25,%d\n", 100000 + i * 7919 % 300 * 1000, i % 3 + i % 5 / 10, i % 3 }' \
    >"$scratch/id.csv"
# scaled PART CLAIM WORDS...: the line that says how, and the accuracy in $accuracy
scaled() {
    part=$1 claim=$2
    shift 2
    run "$cohort" demo --output-dir "$scratch" --devices host --data "$scratch/id.csv" "$@"
    has "$out" "
  scale: $part" "$claim"
    accuracy=$(printf '%s\n' "$out" | sed -n 's/^test accuracy \([0-9.]*\),.*/\1/p')
}
scaled "columns, each to mean 0 and deviation 1 of the rows to train with" "columns of fractions are standardised"
ok "$(awk -v a="$accuracy" 'BEGIN { print !(a >= 0.95 && a <= 1) }')" "an id column takes nothing away ($accuracy)"
columns=$out
scaled "columns, each to mean 0" "--scale columns asks for it" --scale columns
is "$(printf '%s\n' "$out" | sed -n 's/.*digest \([0-9a-f]\{16\}\).*/\1/p')" \
    "$(printf '%s\n' "$columns" | sed -n 's/.*digest \([0-9a-f]\{16\}\).*/\1/p')" "with the same weights"
scaled "max, all numbers divided by 399000" "--scale max divides by the largest" --scale max
ok "$(awk -v a="$accuracy" 'BEGIN { print !(a < 0.8) }')" "beside which the others are nothing ($accuracy)"
scaled "none, numbers as they are" "--scale none does nothing" --scale none --epochs 1
run "$cohort" demo --output-dir "$scratch" --devices host --epochs 1 --data "$digits"
has "$out" "scale: max, all numbers divided by 16" "integers from 0 to 255 are divided by the largest"
run "$cohort" demo --output-dir "$scratch" --devices host --epochs 1 --data "$digits" --scale columns --json
has "$out" '"scale": "columns"' "and standardised where that is asked for"

# Classes with names: three of them, by the second column.
awk 'BEGIN {
    split("setosa versicolor virginica", kind, " ")
    print "id,width,length,species"
    for (i = 0; i < 150; i++) printf "%d,%.1f,%.1f,\"%s\"\n", i * 7919 % 150, i % 3 + i % 5 / 10, i % 7, kind[3 - i % 3]
}' >"$scratch/iris.csv"
# learns CLAIM WORDS...: the output in $out
learns() {
    claim=$1
    shift
    run "$cohort" demo --output-dir "$scratch" --devices host "$@"
    accuracy=$(printf '%s\n' "$out" | sed -n 's/^test accuracy \([0-9.]*\),.*/\1/p')
    ok "$(awk -v a="$accuracy" 'BEGIN { print !(a >= 0.9 && a <= 1) }')" "$claim ($accuracy)"
}
learns "classes with names are learnt" --data "$scratch/iris.csv"
has "$out" "data: 150 rows of 3 numbers, 3 classes" "as many as there are"
has "$out" "
  classes: setosa, versicolor, virginica
" "in the order of their names"
digest_of() {
    printf '%s\n' "$1" | sed -n 's/.*digest \([0-9a-f]\{16\}\)$/\1/p' | head -n 1
}
named=$(digest_of "$out")
sed 61q "$scratch/iris.csv" >"$scratch/iris-a.csv"
sed '2,61d' "$scratch/iris.csv" >"$scratch/iris-b.csv"
learns "in two files, too" --data "$scratch/iris-?.csv"
is "$(digest_of "$out")" "$named" "with the same weights"
(echo id,width,length,kind; sed 1d "$scratch/iris-b.csv") >"$scratch/iris-c.csv"
wrong 1 "no such column" --data "$scratch/iris-a.csv,$scratch/iris-c.csv" --label species
sed 's/"setosa"/0/; s/"versicolor"/1/; s/"virginica"/2.0/' "$scratch/iris.csv" >"$scratch/numbered.csv"
learns "numbers instead, too" --data "$scratch/numbered.csv"
is "$(digest_of "$out")" "$named" "with the same weights"
awk -F, -v OFS=, '{ print $4, $2, $1, $3 }' "$scratch/iris.csv" >"$scratch/turned.csv"
learns "--label says which column it is" --data "$scratch/turned.csv" --label species --columns width,length,species
has "$out" "150 rows of 2 numbers" "which is none of the numbers, also where --columns has it"
learns "--columns leaves out what is no help" --data "$scratch/turned.csv" --label 0 --columns ^id
has "$out" "150 rows of 2 numbers" "by name"
sed 1d "$scratch/iris.csv" >"$scratch/bare.csv"
wrong 1 "no number, and other fields of this first row are: names of columns, or a mistake?" --data "$scratch/bare.csv"
learns "--header no says that there are no names" --data "$scratch/bare.csv" --header no
is "$(digest_of "$out")" "$named" "and the weights are the same"
tr , ' ' <"$scratch/iris.csv" >"$scratch/iris.txt"
wrong 1 "fix: --separator C, such as space or comma, if it is a table" --data "$scratch/iris.txt"
learns "--separator space reads tables of any name" --data "$scratch/iris.txt" --separator space
is "$(digest_of "$out")" "$named" "with the same weights"
sed 's/$/,/; 5s/^[0-9]*,/,/' "$scratch/iris.csv" >"$scratch/holes.csv"
wrong 1 "is a missing value; expected a decimal number such as -1.5e3 for float32: fill it in, or say which number stands for it (option missing)" \
    --data "$scratch/holes.csv"
learns "--missing says what stands for missing values" --data "$scratch/holes.csv" --missing 75
# labels PART LABEL...: the first rows of iris.csv have these
labels() {
    part=$1
    shift
    printf '%s\n' "$@" | awk -F, -v OFS=, -v file="$scratch/iris.csv" '{ label[NR + 1] = $0 }
        END { while ((getline line <file) > 0) {
            n++
            split(line, field, ",")
            print field[1], field[2], field[3], n in label ? label[n] : field[4] } }' >"$scratch/labels.csv"
    wrong 1 "labels.csv: $part" --data "$scratch/labels.csv"
    has "$out" "fix: --label NAME, if column species is not the label" "and what to do"
}
labels "row 1 (from 0): its label is missing; expected a name or an integer" setosa ''
labels "row 0 (from 0): its label is missing" NA
wrong 1 "row 0 (from 0): its label is missing" --data "$scratch/labels.csv" --missing 0
wrong 1 "'petal-width': no such column" --data "$scratch/iris.csv" --label petal-width
wrong 1 "no column 'colour'; it has: id, width, length, species" --data "$scratch/iris.csv" --label colour
labels "the label of row 1 (from 0) is a number, that of row 0 is none; expected integers or names" setosa 7
labels "the label of row 0 (from 0) is a number, that of row 1 is none" 7 setosa
labels "row 2 (from 0): its label is 0.5; expected an integer from 0 to 999" 1 2 0.5
awk 'BEGIN { for (i = 0; i < 1001; i++) printf "%d,c%d\n", i, i }' >"$scratch/many.csv"
wrong 1 "row 1000 (from 0): its label 'c1000' is another than the 1000 before it" --data "$scratch/many.csv" --header no
printf '1,a\n2,a\000b\n' >"$scratch/zero.csv"
wrong 1 "row 1 (from 0): its label has a zero byte" --data "$scratch/zero.csv" --header no
printf '1,a\n2,b,c\n' >"$scratch/uneven.csv"
wrong 1 "line 2: a row of 3 fields; expected 2" --data "$scratch/uneven.csv" --header no
wrong 1 "no column is left without it" --data "$scratch/iris.csv" --columns species
wrong 1 "columns: 'colour': no such column; it has: id width length species" --data "$scratch/iris.csv" --columns colour
wrong 2 "--header maybe: expected yes or no" --data "$digits" --header maybe
wrong 2 "are for --data, which is missing" --missing 0

# One-hot labels, as several columns.
awk 'BEGIN { print "a,b,c0,c1,c2"
    for (i = 0; i < 150; i++) printf "%.1f,%d,%d,%d,%d\n", i % 3 + i % 5 / 10, i % 7, i % 3 == 0, i % 3 == 1, i % 3 == 2 }' \
    >"$scratch/hot.csv"
wrong 1 "the last 3 columns are a one-hot label: each row has a single 1 there" --data "$scratch/hot.csv"
has "$out" "fix: --label 2-4 takes all of them, --label 4 the last alone" "and what to do"
learns "--label 2-4 takes them as one" --data "$scratch/hot.csv" --label 2-4
has "$out" "150 rows of 2 numbers, 3 classes" "of three classes"
has "$out" "  labels: one-hot" "and says so"
hot=$(digest_of "$out")
learns "names do, too" --data "$scratch/hot.csv" --label c0,c1,c2
is "$(digest_of "$out")" "$hot" "with the same weights"
run "$cohort" demo --output-dir "$scratch" --devices host --epochs 1 --data "$scratch/hot.csv" --label 4
has "$out" "150 rows of 4 numbers, 2 classes" "--label 4 is the last alone"
sed '9s/,[01],[01],[01]$/,1,1,0/' "$scratch/hot.csv" >"$scratch/two.csv"
wrong 1 "row 7 (from 0): it has 3 labels; expected one, or one-hot: a single 1 among zeros" --data "$scratch/two.csv" --label 2-4
wrong 1 "no such column" --data "$scratch/hot.csv" --label c0,c9
wrong 1 "expected numbers from 0 to 4" --data "$scratch/hot.csv" --label 2-9

# The digits as they are, and in parts.
all() {
    "$cohort" demo --json --devices host --replicas 4 --seed 7 --output-dir "$scratch" "$@" 2>/dev/null >"$scratch/all.json"
    sed -n 's/^  "digest": "\(.*\)",/\1/p' "$scratch/all.json"
}
known=$(all --epochs 4)
is "$(all --epochs 4 --data "$digits")" "$known" "the digits as data of one's own have the weights of the demo"
json_has_keys "$scratch/all.json" "batch classes confusion confusion[].count confusion[].label confusion[].prediction \
data devices devices[].id devices[].replicas devices[].rows devices[].share \
digest epochs features files final_loss history history[].accuracy history[].epoch history[].loss history[].validation_accuracy \
history[].validation_loss largest_difference one_device one_device.digest one_device.id \
one_device.max_weight_difference replicas scale schema seconds seed strategy test_accuracy" "and --json says what they are"
is "$(sed -n 's/^  "features": \(.*\),/\1/p' "$scratch/all.json") $(sed -n 's/^  "classes": \(.*\),/\1/p' "$scratch/all.json")" \
    "64 10" "of 64 numbers and 10 classes"
# Names of classes, which come from the file, in what is drawn and told.
awk 'BEGIN { print "a,b,label"; for (i = 0; i < 40; i++) print i % 2 "," i ",<" (i % 2 ? "odd" : "even") "&>" }' >"$scratch/names.csv"
run "$cohort" demo --devices host --epochs 1 --data "$scratch/names.csv" --output-dir "$scratch"
has "$out" " <even&>" "the confusion matrix has the names of classes"
has "$(cat "$scratch/confusion.svg")" "&lt;even&amp;&gt;</text>" "its picture has them as text"
awk 'BEGIN { print "a,b,label"; for (i = 0; i < 400; i++) print i % 200 "," i ",c" i % 200 }' >"$scratch/many.csv"
run "$cohort" demo --devices host --epochs 1 --data "$scratch/many.csv" --output-dir "$scratch"
has "$out" "200 classes; the most frequent mistakes" "of many classes there are the most frequent mistakes"
has "$out" " taken for c" "by their names"
has "$(cat "$scratch/confusion.svg")" ">0-3</text>" "and the picture has a cell for several of them"

sed -n 1,1000p "$digits" >"$scratch/part-a.csv"
sed -n '1001,$p' "$digits" >"$scratch/part-b.csv"
is "$(all --epochs 4 --data "$scratch/part-?.csv")" "$known" "a pattern of two parts, too"
is "$(all --epochs 4 --data "$scratch/part-a.csv,$scratch/part-b.csv")" "$known" "and the list of both"
if [ -z "$python" ]; then
    skip "the digits in every format" 'no python3'
    tap_done
fi
gzipped='images-ubyte.gz,labels-ubyte bytes.tfrecord.gz'
has_zlib || gzipped=
python_of_files "$srcdir/tests/data_files.py" "$digits" "$scratch"
is "$?" 0 "the digits are written in every format"
cd "$scratch" || exit 1
# good CLAIM: the latest training got at least 90 % of the test right
good() {
    accuracy=$(sed -n 's/^  "test_accuracy": \(.*\),/\1/p' "$scratch/all.json")
    ok "$(awk -v a="$accuracy" 'BEGIN { print !(a >= 0.9 && a <= 1) }')" "$1 ($accuracy)"
}
for data in floats.npz named.npz:a:b x.npy,y.npy fortran.npz fortran.npy,y.npy 'part-?.tfrecord' part-0.tfrecord,part-1.tfrecord header.csv; do
    is "$(all --epochs 4 --data "$data")" "$known" "$data has the weights of the demo"
    good "and knows the digits"
done
if has_zlib; then
    is "$(all --epochs 4 --data first.csv.gz --label digit)" "$known" "a gzipped CSV file with the label first, too"
else
    skip "a gzipped CSV file with the label first, too" 'no zlib'
fi
all --data bytes.npz >/dev/null
good "bytes, divided by 255, are known in 25 epochs"
bytes=$(all --epochs 3 --data bytes.npz)
[ -n "$bytes" ] && [ "$bytes" != "$known" ]
ok "$?" "with weights of their own"
for data in x8.npy,y.npy $gzipped; do
    is "$(all --epochs 3 --data "$data")" "$bytes" "$data has the same, and so knows as much"
done
is "$(all --epochs 3 --data bytes.npz --devices host/3 --strategy sharded)" "$bytes" "on three devices, sharded, they are the same"
run "$cohort" demo --data bytes.npz --epochs 2 --devices host/2
has "$out" "data: 1797 rows of 64 numbers, 10 classes, 1437 to train, 360 to test; network 64-64-10, batch 32" \
    "the first line says what they are"
has "$out" "same training on host:0 alone: digest equal, largest weight difference 0" "one device gives the same weights"

# What does not fit together.
wrong 1 "named.npz: none of the usual names of rows and labels; it has: a, b" --data named.npz
wrong 1 "no member 'c'" --data named.npz:a:c
wrong 1 "1 npy file; expected two, rows and labels" --data x.npy
wrong 2 "--label: it is for CSV and TFRecord files" --data x.npy,y.npy --label y
wrong 2 "expected the same arrays of all files" --data named.npz:a:b,floats.npz:data:target
python_of_files - <<'P'
import struct
from data_files import example, npy, npz, record, write
write("y9.npy", npy("<i8", (9,), bytes(72)))
npz("complex.npz", [("x", npy("<c8", (20, 1), bytes(160))), ("y", npy("<i8", (20,), bytes(160)))])
npz("wide.npz", [("x", npy("<f4", (20, 0), b"")), ("y", npy("<i8", (20,), bytes(160)))])
npz("hot.npz", [("x", npy("<f4", (20, 2), bytes(160))), ("y", npy("|u1", (20, 2), bytes(40)))])
nan = [1.0] * 39 + [float("nan")]
npz("nan.npz", [("x", npy("<f4", (20, 2), struct.pack("<40f", *nan))), ("y", npy("<i8", (20,), bytes(160)))])
large = [1.0] * 39 + [1e300]
npz("large.npz", [("x", npy("<f8", (20, 2), struct.pack("<40d", *large))), ("y", npy("<i8", (20,), bytes(160)))])
def records(path, features):
    write(path, b"".join(record(example(f)) for f in features))
records("nolabel.tfrecord", [[("x", "float", [1, 2])]] * 20)
records("two.tfrecord", [[("label", "int", [1]), ("a", "float", [1]), ("b", "float", [1])]] * 20)
records("other.tfrecord", [[("label", "int", [i % 2]), ("a", "float", [1] * (1 + i // 15))] for i in range(20)])
records("ints.tfrecord", [[("kind", "int", [i % 2]), ("a", "int", [i % 2 * 7, -3])] for i in range(200)])
write("plain.tfrecord", record(b"hello") * 20)
P
wrong 1 "y9.npy has 9 labels" --data x.npy,y9.npy
wrong 1 "complex64; expected numbers that are not complex" --data complex.npz
wrong 1 "it has 0 numbers beside its label" --data wide.npz
wrong 1 "row 0 (from 0): it has 2 labels; expected one" --data hot.npz
wrong 1 "row 19 (from 0): number 1 of it is nan" --data nan.npz
wrong 1 "row 19 (from 0): number 1 of it is 1e+300" --data large.npz
wrong 1 "no feature of one integer that is the label; the first record has: x" --data nolabel.tfrecord
wrong 1 "which feature has the numbers?" --data two.tfrecord
wrong 1 "other.tfrecord: " --data other.tfrecord
wrong 1 "its records are not tf.Example" --data plain.tfrecord
run "$cohort" demo --data ints.tfrecord --label kind --devices host --epochs 5 --json
has "$out" '"test_accuracy": 1,' "integers are learnt as well as others"
tap_done
