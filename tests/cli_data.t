#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# cohort data: bad files first, then what is in good ones, what is checked, the first elements, and hostile names.
. "${srcdir:-.}/tests/tap.sh"
cohort=$builddir/cli/cohort
scratch cli_data
find_python
esc=$(printf '\033')
bare() {
    case $1 in *"$esc"*) ok 1 "$2" ;; *) ok 0 "$2" ;; esac
}

not_ok() {
    case $out in *"ok: "*) ok 1 "$1" ;; *) ok 0 "$1" ;; esac
}

# Words.
run "$cohort" data
is "$code" 2 "no file is wrong usage"
has "$out" "fix: cohort data FILE..." "with what to do"
for number in -1 x '' 1000001; do
    run "$cohort" data --head "$number" file
    is "$code" 2 "--head '$number' is wrong usage"
done
for format in '' zip unknown records records: records:0 records:x NPY; do
    run "$cohort" data --format "$format" file
    is "$code" 2 "--format '$format' is wrong usage"
done
has "$out" "expected npy, npz, idx, tfrecord, csv, text, safetensors or records:BYTES" "and all formats are listed"

# Files that are none. bad FILE PART CLAIM
bad() {
    run "$cohort" data "$scratch/$1" --check --head 1
    is "$code" 1 "$3 is bad"
    has "$out" "cohort: $scratch/$1: $2" "and is named with the reason"
}
bad nosuch "No such file or directory" "a file that is not there"
bad 'no*such' "no file matches this pattern" "a pattern without a file"
mkdir "$scratch/folder" && bad folder "a folder" "a folder"
if mkfifo "$scratch/pipe" 2>/dev/null; then
    bad pipe "not a regular file" "a pipe, which is not waited for,"
fi
: >"$scratch/empty" && bad empty "the file is empty" "an empty file without a telling name"
for name in empty.npy empty.npz empty.idx empty.csv; do
    : >"$scratch/$name" && bad $name "" "an empty file named $name"
done
printf '\377\376\000\001\002\003' >"$scratch/garbage" && bad garbage "neither its first bytes nor its name" "garbage"
has "$out" "--format NAME" "with what to do"
cp "$scratch/garbage" "$scratch/garbage.npy" && bad garbage.npy "" "garbage named as an array"
cp "$scratch/garbage" "$scratch/garbage.tfrecord" && bad garbage.tfrecord "" "garbage named as records"
printf 'a,b\n1,2\n3,x\n' >"$scratch/word.csv" && bad word.csv "line 3" "a word among numbers"
has "$out" "columns: a, b" "what is known of it is said all the same"
has "$out" "0  [1, 2]" "and the rows before it are shown"
printf '1,2\n3\n' >"$scratch/short.csv" && bad short.csv "line 2" "a short row"
run "$cohort" data "$scratch/nosuch" "$srcdir/examples/data/digits.csv"
is "$code" 1 "one bad file of two fails"
has "$out" "digits.csv: csv" "and the other one is described"
run "$cohort" data "$srcdir/examples/data/digits.csv"
is "$code" 0 "a good file is fine"

# Text and records need no python.
printf 'one\ntwo\r\n\n' >"$scratch/lines"
run "$cohort" data "$scratch/lines" --check --head 9
is "$out" "$scratch/lines: text, 3 lines, 10 bytes
  line  uint8 (3, ?)
  ok: all of it can be read
      0  line = \"one\"
      1  line = \"two\"
      2  line = \"\"" "lines of a text"
printf 'abcd\001\002\377\000' >"$scratch/raw"
run "$cohort" data "$scratch/raw" --format records:4 --head 2
is "$out" "$scratch/raw: records, 2 records, 8 bytes
  record  uint8 (2, 4)
      0  record = \"abcd\"
      1  record = 4 bytes: 01 02 ff 00" "records of four bytes"
run "$cohort" data "$scratch/raw" --format records:3
is "$code" 1 "records that leave a rest are bad"
run "$cohort" data "$scratch/lines" --format csv --check
is "$code" 1 "--format overrides what was found out"
printf 'x;y\n1;2\n' >"$scratch/table" && run "$cohort" data "$scratch/table"
has "$out" "table: csv" "a table of numbers without a telling name is CSV"
printf 'x;y\r1;2\r3;4\r' >"$scratch/returns"
run "$cohort" data "$scratch/returns" --check
has "$out" "returns: csv, 2 rows" "so is one whose lines end as on old Macs"
printf 'dear reader,\nnothing\n' >"$scratch/letter" && run "$cohort" data "$scratch/letter"
has "$out" "letter: text" "a sentence with a comma is text"
printf 'dear reader,\n  \nnothing\n' >"$scratch/letter" && run "$cohort" data "$scratch/letter"
has "$out" "letter: text" "so is one with spaces below it"
printf '1.5 2 3\n4 5 6\n' >"$scratch/saved" && run "$cohort" data "$scratch/saved" --check
has "$out" "saved: csv, 2 rows" "lines of numbers with spaces between them are CSV"

# Files that are none of ours, whatever their names. foreign NAME BYTES WHAT ADVICE: BYTES are printf's
foreign() {
    # shellcheck disable=SC2059 # its escapes are meant
    printf "$2" >"$scratch/$1"
    for option in --check --head=1; do
        run "$cohort" data "$scratch/$1" "$option"
        is "$code" 1 "$1 with $option is bad"
        has "$out" "cohort: $scratch/$1: $3" "and is named"
        has "$out" "$4" "with what to do"
    done
    not_ok "and nothing is called ok"
}
foreign page.csv '<!DOCTYPE html>\n<html><body>Sign in</body></html>\n' "an HTML page" "fetch the file itself"
foreign page '\n  <HTML>\n<p>\351</p>\n' "an HTML page" "--format text reads its lines"
foreign denied.npz '\357\273\277<?xml version="1.0"?>\n<Error/>\n' "an XML file" "fetch the file itself"
foreign lfs.npy 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 3\n' "a pointer of Git LFS" "git lfs pull"
foreign annex.csv '/annex/objects/MD5E-s1--00.csv\n' "a pointer of git-annex" "git annex get"
foreign model.h5 '\211HDF\r\n\032\n\000\000' "an HDF5 file" "numpy.savez"
foreign hdf5.csv '\211HDF\r\n\032\n\000\000' "an HDF5 file" "numpy.savez"
foreign table.parquet 'PAR1\025\000\025\374' "a Parquet file" "to_csv"
foreign table.txt 'ARROW1\000\000\377' "an Arrow or Feather file" "to_csv"
foreign x.csv.zst '(\265/\375\044\010' "a file packed by zstd" "zstd -d"
foreign x.csv.xz '\3757zXZ\000\000' "a file packed by xz" "xz -dk"
foreign x.csv.bz2 'BZh91AY&SY\000\001' "a file packed by bzip2" "bzip2 -dk"
foreign x.lz4 '\004"M\030d' "a file packed by lz4" "lz4 -d"
foreign x.7z '7z\274\257\047\034\000' "an archive of 7-Zip" "7z x"
foreign x.mat 'MATLAB 5.0 MAT-file, of\000\001' "a MATLAB file" "scipy.io.loadmat"
foreign x.db 'SQLite format 3\000' "an SQLite database" "sqlite3 -csv"
foreign x.xls '\320\317\021\340\241\261\032\341' "an old document of Excel or Word" "to_csv"
foreign x.pkl '\200\004\225\000\000' "a Python pickle" "if you trust who made it"
foreign x.idx '\211PNG\r\n\032\n' "an image" "numpy.savez"
foreign nothing.npz 'PK\005\006\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000' \
    "a zip file without an array" "unzip FILE"
run "$cohort" data --format text --check "$scratch/page.csv"
has "$out" "text, 2 lines" "a format that is named is not doubted"
for text in 'ORCID,x' 'BZh9,x' 'GIF8,x' 'PAR1,x'; do
    printf '%s\n1,2\n' "$text" >"$scratch/letters.csv"
    run "$cohort" data --check "$scratch/letters.csv"
    is "$code" 0 "a table that begins with $text is one"
done

# Nothing that was read is not ok. nothing NAME CONTENTS WORDS...
nothing() {
    # shellcheck disable=SC2059 # its escapes are meant
    printf "$2" >"$scratch/$1"
    nothing_of=$scratch/$1
    shift 2
    run "$cohort" data --check "$nothing_of" "$@"
    is "$code" 1 "nothing is read of ${nothing_of##*/}"
    has "$out" "nothing was read: " "which is said"
    not_ok "and not called ok"
}
nothing names.csv 'a,b\n'
has "$out" "no row follows the names of its columns" "with what is missing"
nothing header.tsv 'a\tb'
nothing nothing.txt ''
nothing nothing.tfrecord ''
nothing none '' --format records:4
nothing norows.idx '\000\000\010\001\000\000\000\000'
run "$cohort" data "$scratch/names.csv"
is "$code" 0 "a look alone does not mind"

# How CSV files are read. wrong_table PART WORDS...
wrong_table() {
    part=$1
    shift
    run "$cohort" data "$scratch/table" "$@"
    is "$code" 2 "data $* is wrong usage"
    has "$out" "$part" "and says what is right"
}
for separator in '' 1 e . + - '"' ',,' spaces x; do
    wrong_table "--separator $separator: expected comma, semicolon, tab, space, or one character" --separator "$separator"
done
for header in '' Yes first 1; do wrong_table "--header $header: expected yes or no" --header "$header"; done
for missing in '' x 1x nan inf 0,5; do wrong_table "--missing $missing: expected a number" --missing "$missing"; done
wrong_table "--columns: which?" --columns ''
run "$cohort" data "$scratch/lines" --format text --header no
is "$code" 1 "they are for CSV files alone"
has "$out" "--columns, --header, --separator and --missing are for CSV files, and this is none" "which the error says"
printf 'a b  c\n1 2 3\n 4\tNA 6 \n' >"$scratch/spaces.txt"
run "$cohort" data "$scratch/spaces.txt"
has "$out" "spaces.txt: text" "a table with a name of text is text"
run "$cohort" data "$scratch/spaces.txt" --separator space --head 9
has "$out" "line 3, column 1 (from 0) 'b': 'NA' is a missing value" "but a table where an option says so"
has "$out" "(option missing)" "whose errors name options"
run "$cohort" data "$scratch/spaces.txt" --separator space --missing -1.5 --head 9 --check
is "$out" "$scratch/spaces.txt: csv, 2 rows, 22 bytes
  float32 (2, 3)
  columns: a, b, c
  ok: all of it can be read
      0  [1, 2, 3]
      1  [4, -1.5, 6]" "which are the command's"
run "$cohort" data "$scratch/spaces.txt" --separator space --columns ^b --head 9 --check
has "$out" "0  [1, 3]" "columns are left out"
is "$code" 0 "and what is in them does not matter"
run "$cohort" data "$scratch/spaces.txt" --separator space --columns d
has "$out" "spaces.txt: columns: 'd': no such column; it has: a b c" "one that is not there is named"
printf '0|1|2|\n3|4|5|\n' >"$scratch/bars.csv"
run "$cohort" data "$scratch/bars.csv" --separator '|' --header yes --check --head 1
has "$out" "columns: 0, 1, 2" "numbers are names where the option says so, and a separator behind them begins none"
has "$out" "0  [3, 4, 5]" "as in all rows"
run "$cohort" data "$scratch/bars.csv" --separator '|' --header no --check
has "$out" "bars.csv: csv, 2 rows" "or a row"

# Names and texts that mean harm.
printf '\033[31mred\342\200\256\000\377\n' >"$scratch/${esc}[2J.txt"
run "$cohort" data "$scratch/${esc}[2J.txt" --head 1
is "$code" 0 "a hostile name is a name"
bare "$out" "no escape reaches the terminal"
has "$out" '\x1b[2J.txt: text' "the name is shown with an escape"
has "$out" '\x1b[31mred\u202e\x00\xff' "and so is the text"
run "$cohort" data "$scratch/${esc}[2J.none"
is "$code" 1 "a hostile name of no file fails"
bare "$out" "without an escape in the message"
printf 'a\033[31m,b\n1,2\n' >"$scratch/names.csv" && run "$cohort" data "$scratch/names.csv"
bare "$out" "and none from the header of a CSV file"
awk 'BEGIN { for (i = 0; i < 30000; i++) printf "c%d,", i
    for (i = 0; i < 3000; i++) printf "long"
    print ""
    for (i = 0; i < 30000; i++) printf "%d,", i
    print 1 }' >"$scratch/wide.csv"
run "$cohort" data "$scratch/wide.csv" --check
has "$out" "  columns: c0, c1, c2, c3," "a header of 30,001 names begins with the first"
has "$out" ", c19, ... 30001 in all
  ok: " "and is cut behind twenty"
(printf 'a,'; awk 'BEGIN { for (i = 0; i < 3000; i++) printf "long"; print ",b" }'; echo 1,2,3) >"$scratch/long.csv"
run "$cohort" data "$scratch/long.csv"
case $out in
*"columns: a, longlonglonglong"*"..., b") [ ${#out} -lt 400 ] ;;
*) false ;;
esac
ok "$?" "a long name is cut, and what is behind it shown"

[ -n "$python" ] || {
    skip "files of all formats" 'no python3'
    tap_done
}

# One file of each format.
gzipped='c.gz d.tfrecord.gz'
has_zlib || gzipped=
python_of_files - "$scratch" <<'P'
import gzip, os, struct, sys, zipfile
from data_files import example, idx, npy, npz, record, write
to = sys.argv[1] + "/"
x = npy("<f4", (3, 2), struct.pack("<6f", 1, 2, 3, 4, 5.5, float("nan")))
write(to + "a.npy", x)
write(to + "big.npy", npy("<f8", (500000, 30), b""))
os.truncate(to + "big.npy", os.path.getsize(to + "big.npy") + 120000000)
write(to + "scalar.npy", npy("<i4", (), struct.pack("<i", 7)))
write(to + "norows.npy", npy("<f4", (0, 10 ** 11), b""))
npz(to + "norows.npz", [("x", npy("<f4", (0, 10 ** 11), b"")), ("y", npy("<i8", (0,), b""))])
write(to + "cut.npy", x[:-1])
write(to + "noname", npy(">i2", (2,), struct.pack(">2h", 258, -1)))
npz(to + "b.npz", [("x", x), ("y", npy("<i8", (3,), struct.pack("<3q", 0, 1, -2)))])
npz(to + "uneven.npz", [("x", x), ("s", npy("<i4", (), struct.pack("<i", 7))), ("z", npy("|u1", (1,), b"\1"))])
npz(to + "strings.npz", [("s", npy("<U3", (1,), b"a\0\0\0b\0\0\0c\0\0\0")), ("x", x)])
npz(to + "hostile.npz", [("\x1b[31m\n", x)])
npz(to + "turned.npz", [("\u202e", x)])
npz(to + "flip.npz", [("x", x)], zipfile.ZIP_STORED)
data = bytearray(open(to + "flip.npz", "rb").read())
data[data.index(struct.pack("<f", 5.5))] ^= 1
write(to + "flip.npz", bytes(data))
write(to + "c-ubyte", idx(8, (2, 1, 2), bytes([1, 2, 3, 4])))
write(to + "c.gz", idx(13, (2,), struct.pack(">2f", 0.5, -1)))
first = record(example([("label", "int", [7]), ("x", "float", [0.5, -1]), ("name", "bytes", [b"caf\xc3\xa9"]),
                        ("raw", "bytes", [b"\0\xff"]), ("words", "bytes", [b"a", b"b"])]))
second = record(example([("label", "int", [-1]), (b"\x1b[1m\xff", "float", [])]))
write(to + "d", first + second)
write(to + "d.tfrecord.gz", first + second)
write(to + "plain.tfrecord", record(b"hello") + record(b"") + record(b"\x80\0"))
write(to + "none.tfrecord", b"")
for name, place in (("length", 3), ("length-crc", 9), ("data", 40), ("crc", len(first) - 1)):
    data = bytearray(first + second)
    data[len(first) * (name != "crc") + place] ^= 16
    write(to + "flip-%s.tfrecord" % name, bytes(data))
write(to + "cut.tfrecord", (first + second)[:-1])
data = bytearray(gzip.compress(first + second))
data[-5] ^= 1
with open(to + "crc.tfrecord.gz", "wb") as out:
    out.write(data)
P
is "$?" 0 "files of each format are made"

# Files that python's own modules make, and nothing here reads.
python_of_files - "$scratch" <<'P'
import io, struct, sys, tarfile, zipfile
from data_files import npy, record, write
to = sys.argv[1] + "/"
for name, members in (("book.xlsx", ("[Content_Types].xml", "xl/workbook.xml")), ("sheet.xlsx", ("docProps/app.xml", "xl/x.xml")),
                      ("model.pt", ("archive/data.pkl", "archive/data/0")), ("zipped.csv", ("rows.csv",)),
                      ("deep.zip", ("a/folder/ROWS.CSV", "b")), ("model.keras", ("metadata.json", "config.json")),
                      ("sheet.ods", ("mimetype", "content.xml")), ("notes.zip", ("README",))):
    with zipfile.ZipFile(to + name, "w") as out:
        for member in members:
            out.writestr(member, "1,2\n")
for name in "rows.tar", "arrays.npz.tar":
    with tarfile.open(to + name, "w", format=tarfile.USTAR_FORMAT) as out:
        what = tarfile.TarInfo("rows.csv")
        what.size = 4
        out.addfile(what, io.BytesIO(b"1,2\n"))
write(to + "old.pt", b"\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19.")
with zipfile.ZipFile(to + "late.npz", "w") as out:
    out.writestr("README", "of the array")
    out.writestr("x.npy", npy("|u1", (2,), b"\1\2"))
context, steps = b"\n\x01n\x12\x05\x1a\x03\n\x01\x05", b"\n\x05steps\x12\x02\n\x00"
write(to + "steps.tfrecord", record(b"\n" + bytes([len(context) + 2]) + b"\n" + bytes([len(context)]) + context +
                                    b"\x12" + bytes([len(steps) + 2]) + b"\n" + bytes([len(steps)]) + steps))
write(to + "h5.gz", b"\x89HDF\r\n\x1a\n" + bytes(99))
P
is "$?" 0 "files of other programs are made"
while IFS=: read -r name what; do
    run "$cohort" data --check "$scratch/$name"
    is "$code" 1 "$name is not ok"
    has "$out" "cohort: $scratch/$name: $what" "but named as $what"
    not_ok "and nothing of it"
done <<'F'
book.xlsx:a document of Excel
sheet.xlsx:a document of Excel
model.pt:a PyTorch file
zipped.csv:a zip file of CSV
deep.zip:a zip file of CSV
model.keras:a Keras model
sheet.ods:an OpenDocument file
notes.zip:a zip file without an array
rows.tar:a tar archive
arrays.npz.tar:a tar archive
old.pt:a file of old PyTorch
F
run "$cohort" data --check "$scratch/late.npz"
is "$code" 0 "an array behind another member is read"
if has_zlib; then
    run "$cohort" data --check "$scratch/h5.gz"
    has "$out" "h5.gz: an HDF5 file" "what is gzipped is looked into"
else
    skip "what is gzipped is looked into" 'no zlib'
fi
run "$cohort" data --check "$scratch/steps.tfrecord"
is "$code" 1 "records with lists of features are not ok"
has "$out" "its first record is a tf.SequenceExample" "but named"
has "$out" "write the numbers of all steps as one feature of a tf.Example" "with what to do"
run "$cohort" data --check --format tfrecord "$scratch/steps.tfrecord"
is "$code" 0 "as records they are read"
has "$out" "tfrecord, 1 records" "to the last"

# Fortran order.
python_of_files - "$scratch" <<'P'
import struct, sys
from data_files import npy, npz, write
to = sys.argv[1] + "/"
table = [(i * 10 + j) for j in range(4) for i in range(3)]
write(to + "fortran.npy", npy("<f8", (3, 4), struct.pack("<12d", *table), True))
cube = [i * 100 + j * 10 + k for k in range(3) for j in range(2) for i in range(2)]
npz(to + "fortran.npz", [("x", npy(">i4", (2, 2, 3), struct.pack(">12i", *cube), True)), ("y", npy("<i8", (2,), bytes(16)))])
# 70 rows of 1,054,200 bytes, element (i, j) is (i + j) % 251: more than is kept
turn = bytes(range(251)) * 2
npz(to + "large.npz", [("x", npy("|u1", (70, 251 * 4200), b"".join(turn[j:j + 70] for j in range(251)) * 4200, True))])
P
is "$?" 0 "arrays in Fortran order are made"
run "$cohort" data --check --head 9 "$scratch/fortran.npy"
is "$out" "$scratch/fortran.npy: npy, 3 rows, $(wc -c <"$scratch/fortran.npy" | tr -d ' ') bytes
  float64 (3, 4)
  ok: all of it can be read
      0  [0, 1, 2, 3]
      1  [10, 11, 12, 13]
      2  [20, 21, 22, 23]" "an array in Fortran order has its rows"
run "$cohort" data --head 9 "$scratch/fortran.npz"
has "$out" "      0  x = [0, 1, 2, 10, 11, 12]
         y = 0
      1  x = [100, 101, 102, 110, 111, 112]
         y = 0" "as a member beside another, of three axes"
run "$cohort" data --check --head 70 "$scratch/large.npz"
is "$code" 0 "one that is larger than what is kept is read"
has "$out" "      0  x = [0, 1, 2, 3, 4, 5, 6, 7" "from its first row"
has "$out" "     63  x = [63, 64, 65, 66, 67, 68, 69, 70" "over the end of what was turned"
has "$out" "     69  x = [69, 70, 71, 72, 73, 74, 75, 76" "to its last"

# tells FILE TEXT CLAIM: all that is said with --head 2
tells() {
    run "$cohort" data "$scratch/$1" --head 2
    is "$out" "$scratch/$1: $2" "$3"
}
tells a.npy "npy, 3 rows, 152 bytes
  float32 (3, 2)
      0  [1, 2]
      1  [3, 4]" "a .npy file"
for file in norows.npy norows.npz; do
    run "$cohort" data --head 3 "$scratch/$file"
    is "$code" 0 "no rows of 400 GB each take no memory in $file"
    has "$out" "float32 (0, 100000000000)" "and are described"
    run "$cohort" data --check "$scratch/$file"
    has "$out" "nothing was read: no array in it has an element" "but none can be checked"
done
tells noname "npy, 2 rows, 132 bytes
  int16 (2,)
      0  258
      1  -1" "an array is found out without a name"
bytes=$(wc -c <"$scratch/b.npz" | tr -d ' ')
tells b.npz "npz, 3 rows, $bytes bytes
  x  float32 (3, 2)
  y  int64 (3,)
      0  x = [1, 2]
         y = 0
      1  x = [3, 4]
         y = 1" "a .npz file, its arrays side by side"
bytes=$(wc -c <"$scratch/uneven.npz" | tr -d ' ')
tells uneven.npz "npz, $bytes bytes
  x  float32 (3, 2)
  s  int32 ()
  z  uint8 (1,)
      0  x = [1, 2]
         z = 1
      1  x = [3, 4]" "arrays with different numbers of rows"
tells c-ubyte "idx, 2 rows, 20 bytes
  uint8 (2, 1, 2)
      0  [1, 2]
      1  [3, 4]" "an IDX file"
run "$cohort" data "$scratch/c.gz" --check
if has_zlib; then
    has "$out" "c.gz: idx, gzipped, 2 rows" "a gzipped one"
else
    has "$out" "c.gz: compressed, and this cohort was built without zlib" "a gzipped one is an error without zlib"
fi
bytes=$(wc -c <"$scratch/d" | tr -d ' ')
tells d "tfrecord, $bytes bytes
  record  uint8 (?, ?)
  the first record is a tf.Example:
    label  int64[1]
    x      float32[2]
    name   a byte string of 5
    raw    a byte string of 2
    words  2 byte strings
      0  label = [7]
         x = [0.5, -1]
         name = \"café\"
         raw = 2 bytes: 00 ff
         words = 2 strings
      1  label = [-1]
         \\x1b[1m\\xff = []" "a TFRecord file of tf.Example, found out by a checksum"
if has_zlib; then
    run "$cohort" data "$scratch/d.tfrecord.gz" --check
    has "$out" "tfrecord, gzipped, 2 records" "and a gzipped one"
else
    skip "and a gzipped one" 'no zlib'
fi
run "$cohort" data "$scratch/plain.tfrecord" --head 3
has "$out" '0  record = "hello"' "records that are no tf.Example are bytes"
run "$cohort" data "$scratch/none.tfrecord" --check
has "$out" "tfrecord, 0 records, 0 bytes" "no record is fine in a TFRecord file"
run "$cohort" data "$scratch/hostile.npz" --head 1
is "$code" 1 "an array with control characters in its name is bad"
bare "$out" "and none of them is shown"
run "$cohort" data "$scratch/turned.npz" --head 1
has "$out" '  \u202e  float32 (3, 2)' "an array whose name turns the direction of writing does not"
run "$cohort" data "$scratch/strings.npz"
has "$out" "  x  float32 (3, 2)" "an array that cannot be read hides no other"
run "$cohort" data "$scratch/[ab].np[yz]"
has "$out" "a.npy: npy, 3 rows" "a pattern stands for files"
has "$out" "b.npz: npz, 3 rows" "all of them"
cp "$scratch/a.npy" "$scratch/[ab].np[yz]"
run "$cohort" data "$scratch/[ab].np[yz]"
is "$(printf '%s\n' "$out" | grep -c npy)" 1 "but a file of that very name comes first"

# --check
for file in a.npy scalar.npy b.npz uneven.npz c-ubyte d plain.tfrecord $gzipped; do
    run "$cohort" data --check "$scratch/$file"
    is "$code" 0 "$file is read to its end"
    has "$out" "ok: all of it can be read" "and found good"
done
# finds FILE PART CLAIM
finds() {
    run "$cohort" data --check "$scratch/$1"
    is "$code" 1 "--check finds $3"
    has "$out" "$1: $2" "and says where"
}
second=$("$python" -c 'import struct, sys; print(16 + struct.unpack("<Q", open(sys.argv[1], "rb").read(8))[0])' "$scratch/d")
finds cut.npy "byte 128" "an array that is cut"
finds flip-length.tfrecord "byte $second: " "a flipped bit in the length of a record"
finds flip-length-crc.tfrecord "byte $second: " "one in the checksum of the length"
finds flip-data.tfrecord "byte " "one in the data"
finds flip-crc.tfrecord "byte " "one in the checksum of the data"
finds cut.tfrecord "byte $second: " "a record that is cut"
finds crc.tfrecord.gz "" "a wrong checksum of gzip"
finds flip.npz "" "a flipped bit in an array of a .npz file"
finds strings.npz "" "an array that cannot be read"
case $(uname -s)$("$cohort" version) in
*sanitize*) skip "a file of 120 MB takes little memory" 'a sanitizer takes much' ;;
Linux*)
    peak=$("$python" - "$cohort" "$scratch/big.npy" <<'P'
import resource, subprocess, sys
subprocess.run([sys.argv[1], "data", "--check", sys.argv[2]], stdout=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
P
    )
    [ "$peak" -lt 60000 ]
    ok "$?" "a file of 120 MB takes little memory ($peak KiB)"
    ;;
*) skip "a file of 120 MB takes little memory" 'not Linux' ;;
esac

# --json
"$cohort" data --json --check --head 2 "$scratch/b.npz" "$scratch/d" "$scratch/h.csv" "$scratch/nosuch" \
    >"$scratch/out.json" 2>"$scratch/errors"
is "$?" 1 "--json has the exit code of the files"
is "$(grep -v Sanitizer "$scratch/errors")" "" "and nothing but JSON is printed"
keys="files files[].bytes files[].checked files[].columns files[].components files[].components[].dtype \
files[].components[].name files[].components[].shape files[].error files[].features files[].features[].dtype \
files[].features[].name files[].features[].shape files[].format files[].head files[].head[][].name \
files[].head[][].value files[].head[][].value.hex files[].packed files[].path files[].rows schema"
json_has_keys "$scratch/out.json" "$keys" "it has its keys"
printf 'p,"q ""r"""\n1,2\n' >"$scratch/h.csv"
"$cohort" data --json --check --head 2 "$scratch/b.npz" "$scratch/d" "$scratch/h.csv" "$scratch/nosuch" \
    "$scratch/${esc}[2J.txt" "$scratch/a.npy" >"$scratch/out.json" 2>/dev/null
out=$("$python" - "$scratch/out.json" <<'P' 2>&1
import json, sys
with open(sys.argv[1], encoding="utf-8") as file:
    npz, records, csv, missing, text, nan = json.load(file)["files"]
assert npz["format"] == "npz" and npz["rows"] == 3 and npz["checked"] and npz["error"] is None, npz
assert npz["components"][0] == {"name": "x", "dtype": "float32", "shape": [3, 2]}, npz
assert npz["head"][1] == [{"name": "x", "value": [3, 4]}, {"name": "y", "value": 1}], npz
assert records["rows"] == 2 and records["components"][0]["shape"] == [2, None], records
assert records["features"][4] == {"name": "words", "dtype": "uint8", "shape": [2, None]}, records
values = {v["name"]: v["value"] for v in records["head"][0]}
assert values == {"label": [7], "x": [0.5, -1], "name": "caf\u00e9", "raw": {"hex": "00ff"}, "words": None}, values
assert records["head"][1][1] == {"name": "\x1b[1m\ufffd", "value": []}, records
assert csv["columns"] == ["p", 'q "r"'] and csv["rows"] == 1 and csv["head"] == [[{"name": None, "value": [1, 2]}]], csv
assert missing["format"] is None and missing["error"] == "No such file or directory", missing
assert text["head"] == [[{"name": "line", "value": "\x1b[31mred\u202e\x00\ufffd"}]], text
assert text["path"].endswith("\x1b[2J.txt"), text
assert len(nan["head"]) == 2, nan
P
)
is "$out" "" "and what it says is what is there"
# ---------------------------------------------------------------- tensors
tensors=$srcdir/tests/data/safetensors/dtypes.safetensors
recorded=$srcdir/tests/data/checkpoint/format-1.safetensors
run "$cohort" data "$tensors" --check
is "$code" 0 "a safetensors file is read"
has "$out" "dtypes.safetensors: safetensors, " "and found out"
has "$out" "  ok: all of it can be read" "also without checksums"
cp "$recorded" "$scratch/renamed"
run "$cohort" data "$scratch/renamed" --check --json
has "$(echo "$out" | tr -d ' \n')" '"name":"w","dtype":"float64","shape":[5,3]' "by its first bytes, whatever its name"
has "$(echo "$out" | tr -d ' \n')" '"checked":true' "with checksums"
run "$cohort" data "$tensors" --head 1
is "$code" 1 "its tensors have no rows"
has "$out" "no rows in common" "as is said"
bytes=$(($(wc -c <"$recorded")))
head -c $((bytes - 1)) "$recorded" >"$scratch/cut.safetensors"
run "$cohort" data "$scratch/cut.safetensors"
is "$code" 1 "one that is cut is bad"
has "$out" "286 bytes of tensors follow the header, which says 287" "and it is said why"
{
    head -c $((bytes - 1)) "$recorded"
    printf '~'
} >"$scratch/damaged.safetensors"
run "$cohort" data "$scratch/damaged.safetensors" --check
is "$code" 1 "so is one with another byte"
has "$out" "is damaged" "whose checksum is compared"
tap_done
