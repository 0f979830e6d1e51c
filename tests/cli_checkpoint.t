#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# cohort checkpoint: what is in checkpoints, whether it is whole, and what differs; and Python's package beside it.
. "${srcdir:-.}/tests/tap.sh"
cohort=$builddir/cli/cohort
scratch cli_checkpoint
python=$(first_python safetensors)
recorded=$srcdir/tests/data/checkpoint/format-1.safetensors
others=$srcdir/tests/data/safetensors/dtypes.safetensors
run_folder=$scratch/run
mkdir "$run_folder"

# flip FILE BYTE: that byte becomes another one.
flip() {
    was=$(dd if="$1" bs=1 skip="$2" count=1 2>/dev/null | od -An -tu1 | tr -d ' ')
    # shellcheck disable=SC2059 # an octal escape
    printf "\\$(printf %03o $(((was + 1) % 256)))" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}

# ---------------------------------------------------------------- wrong usage
run "$cohort" checkpoint
is "$code" 2 "no word is wrong usage"
has "$out" "list, verify, show, diff, convert or prune is missing" "and says which there are"
run "$cohort" checkpoint lst "$run_folder"
is "$code" 2 "so is another word"
has "$out" "did you mean 'cohort checkpoint list'?" "which may be misspelt"
run "$cohort" checkpoint show
is "$code" 2 "so is no path"
run "$cohort" checkpoint diff "$recorded"
is "$code" 2 "so is one to compare"
run "$cohort" checkpoint show "$recorded" "$recorded"
has "$out" "unexpected" "and one too many"
run "$cohort" checkpoint show "$scratch/none"
is "$code" 1 "a path that is not there"
has "$out" "none" "is named"

# ---------------------------------------------------------------- a folder
run "$cohort" checkpoint list "$run_folder"
is "$out $code" "no checkpoint 0" "a folder may be empty"
run "$cohort" checkpoint verify "$run_folder"
is "$code" 1 "which is not whole"
run "$cohort" checkpoint list "$scratch/none"
is "$code" 1 "one that is not there is an error"
cp "$recorded" "$run_folder/checkpoint-000001.safetensors"
cp "$recorded" "$run_folder/checkpoint-000002.safetensors"
run "$cohort" checkpoint list "$run_folder"
is "$(echo "$out" | sed -n 's/ .*//p')" "checkpoint-000002.safetensors
checkpoint-000001.safetensors" "generations are listed, newest first"
has "$out" "step 12 " "with their steps"
has "$out" " 14 tensors " "and tensors"
run "$cohort" checkpoint verify "$run_folder"
is "$out $code" "$run_folder/checkpoint-000002.safetensors: whole
$run_folder/checkpoint-000001.safetensors: whole 0" "each is read from end to end"
run "$cohort" checkpoint show "$run_folder"
has "$out" "$run_folder/checkpoint-000002.safetensors: step 12" "the newest is shown"
has "$out" "  w               float64 (5, 3)" "with names, dtypes and shapes"
has "$out" "complex128 (2,), as bytes" "what the format has not is said"
has "$out" "struct of 8 bytes (2, 2), as bytes" "and of structs how large they are"
has "$out" "cohort.replicas: 2" "so are notes"
case $out in *crc32c*) ok 1 "but no checksums" ;; *) ok 0 "but no checksums" ;; esac
run "$cohort" checkpoint show "$run_folder" --json
has "$(echo "$out" | tr -d ' \n')" '"name":"w","dtype":"float64","type":"F64","shape":[5,3],"bytes":120,"crc32c":"4844e1fa"' \
    "as JSON they are there"

# ---------------------------------------------------------------- damaged
bytes=$(($(wc -c <"$recorded")))
flip "$run_folder/checkpoint-000002.safetensors" $((bytes - 5))
run "$cohort" checkpoint verify "$run_folder"
is "$code" 1 "a byte that is wrong"
has "$out" "tensor 'points' is damaged" "is found, and the tensor named"
has "$out" "checkpoint-000001.safetensors: whole" "and the others are whole"
run "$cohort" checkpoint verify "$run_folder" --json
has "$(echo "$out" | tr -d ' \n')" '"errors":[{"tensor":"points"' "also as JSON"
run "$cohort" checkpoint show "$run_folder"
has "$out" "checkpoint-000001.safetensors: step 12" "then the older one is shown"
has "$out" "passed over: $run_folder/checkpoint-000002.safetensors: tensor 'points'" "and why is said"
run "$cohort" checkpoint diff "$run_folder/checkpoint-000001.safetensors" "$run_folder/checkpoint-000002.safetensors"
has "$out" "points: cannot be read: " "a damaged tensor differs"
flip "$run_folder/checkpoint-000002.safetensors" 30
run "$cohort" checkpoint list "$run_folder"
is "$code" 1 "a header that is wrong"
has "$out" "checkpoint-000002.safetensors  damaged: " "is one that is damaged"

# ---------------------------------------------------------------- files of others, and differences
run "$cohort" checkpoint verify "$others"
is "$code" 0 "a file of others is no worse"
has "$out" "has no checksums" "but that cannot be known for sure"
run "$cohort" checkpoint show "$others"
has "$out" "float16" "it is shown all the same"
run "$cohort" checkpoint show "$srcdir/tests/data/safetensors/type-f4.safetensors"
has "$out" "  a  F4 (8,)" "also types that arrays have not"
run "$cohort" checkpoint verify "$srcdir/tests/data/safetensors/places-hole.safetensors"
is "$code" 1 "one that is wrong is refused"
has "$out" "begins behind a hole" "and says why"
run "$cohort" checkpoint diff "$recorded" "$run_folder"
is "$(echo "$out" | tail -1) $code" "no tensor differs 0" "what is the same does not differ"
run "$cohort" checkpoint diff "$recorded" "$others"
is "$code" 1 "what is another does"
has "$out" "  w: in the first alone" "by names"
has "$out" "  int8: in the second alone" "on both sides"
run "$cohort" checkpoint diff "$recorded" "$others" --json
has "$(echo "$out" | tr -d ' \n')" '{"tensor":"w","difference":"inthefirstalone","elements":0}' "also as JSON"

# ---------------------------------------------------------------- .npz files
run "$cohort" checkpoint convert "$recorded"
is "$code" 2 "one path is too few to convert"
run "$cohort" checkpoint convert "$recorded" "$scratch/made.txt"
is "$code" 1 "a name that does not say what it is to be"
has "$out" "ends neither in .npz nor in .safetensors" "is refused, and says so"
run "$cohort" checkpoint convert "$recorded" "$scratch/made.npz"
is "$out $code" "$scratch/made.npz: written 0" "a checkpoint becomes a .npz file"
cmp "$scratch/made.npz" "$srcdir/tests/data/checkpoint/format-1.npz"
ok "$?" "the one that other versions wrote"
run "$cohort" checkpoint convert "$scratch/made.npz" "$scratch/made.safetensors" --json
is "$(echo "$out" | tr -d ' \n')" "{\"schema\":1,\"from\":\"$scratch/made.npz\",\"to\":\"$scratch/made.safetensors\"}" \
    "and the other way round, as JSON"
run "$cohort" checkpoint diff "$recorded" "$scratch/made.safetensors"
is "$out" "no tensor differs" "nothing is lost"
run "$cohort" checkpoint verify "$scratch/made.safetensors"
is "$out" "$scratch/made.safetensors: whole" "and all is summed"
run "$cohort" checkpoint convert "$run_folder" "$scratch/newest.npz"
is "$code" 0 "of a folder the newest that is whole is taken"
has "$out" "passed over: $run_folder/checkpoint-000002.safetensors" "and what was passed over is said"
numpy=$(first_python numpy)
if [ -n "$numpy" ]; then
    is "$("$numpy" -c '
import json, sys, zipfile
import numpy
f = numpy.load(sys.argv[1])
print(f["w"].tolist()[0], f["none@replicas"].tolist(), f["empty"].shape, f["complex"].dtype, f["points"].dtype.itemsize)
print(json.loads(f["__metadata__"].tobytes())["cohort.step"], zipfile.ZipFile(sys.argv[1]).testzip())
' "$scratch/made.npz")" "[0.1, -2.0, 3e+300] [[0, 0, 0], [1, 10, -1]] (0, 3) complex128 8
12 None" "NumPy loads what Cohort wrote"
    "$numpy" -c '
import sys
import numpy
numpy.savez_compressed(sys.argv[1], a=numpy.asfortranarray(numpy.arange(6, dtype=">f4").reshape(2, 3)), none=numpy.zeros((0, 2), "bool"))
numpy.savez(sys.argv[2], a=numpy.array([1, "x"], object))
' "$scratch/packed.npz" "$scratch/objects.npz"
    run "$cohort" checkpoint convert "$scratch/packed.npz" "$scratch/packed.safetensors"
    if has_zlib; then
        is "$code" 0 "Cohort takes what NumPy saved, packed, in another order of bytes and axes"
        run "$cohort" checkpoint convert "$scratch/packed.safetensors" "$scratch/back.npz"
        is "$("$numpy" -c 'import numpy, sys; f = numpy.load(sys.argv[1]); print(f["a"].tolist(), f["none"].shape)' "$scratch/back.npz")" \
            "[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]] (0, 2)" "and gives it back"
    else
        is "$code" 1 "Cohort refuses what is packed, without zlib"
    fi
    run "$cohort" checkpoint convert "$scratch/objects.npz" "$scratch/objects.safetensors"
    has "$out" "member 'a': byte" "objects are refused, with their place"
    if "$numpy" -c 'import ml_dtypes' 2>/dev/null; then
        is "$("$numpy" -c '
import ml_dtypes, numpy, sys
f = numpy.load(sys.argv[1])
print(f["narrow"].dtype, f["eighth"].dtype, f["narrow"].astype("float32").tolist())
' "$scratch/made.npz")" "$("$numpy" -c '
import ml_dtypes, numpy, struct, sys
from json import loads
b = open(sys.argv[1], "rb").read()
n = struct.unpack("<Q", b[:8])[0]
at = loads(b[8:8 + n])["narrow"]["data_offsets"]
print("bfloat16 float8_e4m3fn", numpy.frombuffer(b[8 + n + at[0]:8 + n + at[1]], ml_dtypes.bfloat16).astype("float32").tolist())
' "$recorded")" "bfloat16 and float8 are what ml_dtypes calls so"
    else
        skip "bfloat16 and float8" "no ml_dtypes"
    fi
else
    skip "NumPy and Cohort read each other's .npz files" "no NumPy"
fi

# ---------------------------------------------------------------- Python's package
if [ -n "$python" ] && "$python" -c 'import numpy' 2>/dev/null; then
    is "$("$python" -c '
import sys
from safetensors import safe_open
with safe_open(sys.argv[1], "np") as f:
    print(f.get_tensor("w").tolist()[0], f.get_tensor("none@replicas").tolist(), f.get_tensor("empty").shape, f.metadata()["cohort.step"])
' "$recorded")" "[0.1, -2.0, 3e+300] [[0, 0, 0], [1, 10, -1]] (0, 3) 12" "Python reads what Cohort wrote"
    "$python" -c '
import sys
import numpy
from safetensors.numpy import save_file
save_file({"a": numpy.arange(6, dtype="float32").reshape(2, 3), "none": numpy.zeros((0, 4), "int16")}, sys.argv[1])
x = numpy.arange(6, dtype="float32").reshape(2, 3)
x[1, 2] = -1
save_file({"a": x, "none": numpy.zeros((0, 4), "int16")}, sys.argv[2])
' "$scratch/one.safetensors" "$scratch/two.safetensors"
    run "$cohort" checkpoint show "$scratch/one.safetensors"
    has "$out" "  a     float32 (2, 3)" "and Cohort what Python wrote"
    has "$out" "  none  int16 (0, 4)" "also nothing"
    run "$cohort" checkpoint diff "$scratch/one.safetensors" "$scratch/two.safetensors"
    is "$out" "  a: another content, 1 element" "and what differs there"
else
    skip "Python reads what Cohort wrote, and Cohort what Python wrote" "no Python with safetensors and NumPy"
fi
# ---------------------------------------------------------------- removing
run "$cohort" checkpoint prune "$run_folder"
is "$code" 2 "how many generations stay is to be said"
has "$out" "--keep, the number of generations that stay, is missing" "as the message does"
run "$cohort" checkpoint prune "$run_folder" --keep 1
is "$code" 2 "one is too few"
run "$cohort" checkpoint prune "$run_folder" --keep 2 --best good
has "$out" "--best good: expected greatest or least" "a best that is none is wrong usage"
run "$cohort" checkpoint list "$run_folder" --keep 2
has "$out" "--keep and --best are for prune" "so is keeping what is listed"
run "$cohort" checkpoint prune "$scratch/none" --keep 2
is "$code" 1 "a folder that is not there is an error"
[ ! -e "$scratch/none" ]
ok "$?" "and is not made"
mkdir "$scratch/pruned"
for number in 1 2 3 4; do cp "$recorded" "$scratch/pruned/checkpoint-00000$number.safetensors"; done
run "$cohort" checkpoint prune "$scratch/pruned" --keep 3
is "$out,$code" "1 generation removed,0" "the oldest goes"
run "$cohort" checkpoint prune "$scratch/pruned" --keep 2 --best least --json
has "$(echo "$out" | tr -d ' \n')" '"removed":1}' "also as JSON"
is "$(ls "$scratch/pruned")" "checkpoint-000003.safetensors
checkpoint-000004.safetensors
checkpoint.lock" "and the newest stay"
tap_done
