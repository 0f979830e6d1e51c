#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# cohort embed: the header compiles without a warning and holds the bytes of the source.
. "${srcdir:-.}/tests/tap.sh"
cohort=$builddir/cli/cohort
scratch embed
cd "$scratch" || exit 1
CC=${CC:-cc}
CXX=${CXX:-c++}

# round_trip HEADER NAME WANTED-FILE CLAIM: compiled as C and C++, it prints the wanted text.
round_trip() {
    printf '#include <stdio.h>\n#include "%s"\nint main(void) { return fputs(%s, stdout) < 0; }\n' "$1" "$2" >main.src
    # shellcheck disable=SC2086
    out=$($CC -x c -std=c11 -Wall -Wextra -Wpedantic -Werror -I. main.src -o main 2>&1 && ./main >printed && cmp printed "$3" 2>&1)
    is "$out" "" "$4"
    if [ "$CXX" = no ]; then
        skip "also in C++" 'no C++17 compiler'
        return
    fi
    # shellcheck disable=SC2086
    out=$($CXX -x c++ -std=c++11 -Wall -Wextra -Wpedantic -Werror -I. main.src -o main 2>&1 && ./main >printed && cmp printed "$3" 2>&1)
    is "$out" "" "also in C++"
}

printf 'kernel void scale(float a, global float *x)\n{\n    x[get_global_id(0)] *= a;\n}\n' >scale.cl
run "$cohort" embed scale.cl
is "$code" 0 "a source is embedded"
has "$out" "static const char scale_cl[] = {" "in an array of its file's name"
printf '%s\n' "$out" >scale.h
{ echo '#line 1 "scale.cl"' && cat scale.cl; } >wanted
round_trip scale.h scale_cl wanted "which prints a #line and the source"
run "$cohort" embed -o again.h scale.cl
is "$code$out" 0 "-o is quiet"
cmp -s scale.h again.h
ok "$?" "and gives the same header"
run "$cohort" embed scale.cl --name kernels --output again.h
is "$code" 0 "--name names the array"
round_trip again.h kernels wanted "so that the program can"

# Every byte but 0, trigraphs and ends of literals among them; no newline at the end.
LC_ALL=C awk 'BEGIN { for (i = 1; i < 256; i++) printf "%c", i; printf "??/??'"'"'*/\"\\\n\\0%%\r\n?" }' >bytes.cl
{ echo '#line 1 "bytes.cl"' && cat bytes.cl; } >wanted
"$cohort" embed bytes.cl >bytes.h
round_trip bytes.h bytes_cl wanted "all bytes are kept"
: >empty.cl
"$cohort" embed empty.cl >empty.h
echo '#line 1 "empty.cl"' >wanted
round_trip empty.h empty_cl wanted "an empty file is a #line"
awk 'BEGIN { for (i = 0; i < 4000; i++) print "x[" i "] = " i ";" }' >long.cl
{ echo '#line 1 "long.cl"' && cat long.cl; } >wanted
"$cohort" embed long.cl >long.h
round_trip long.h long_cl wanted "a long file compiles without a warning"

# Names.
mkdir -p 'odd "dir'
cp scale.cl 'odd "dir/3-d ??\.cl'
run "$cohort" embed 'odd "dir/3-d ??\.cl' -o odd.h
is "$code" 0 "odd names are fine"
{ printf '%s\n' '#line 1 "odd \"dir/3-d \?\?\\.cl"' && cat scale.cl; } >wanted
round_trip odd.h _3_d_____cl wanted "and escaped in the #line"
mkdir -p 'new
line'
cp scale.cl 'new
line/a	b.cl'
run "$cohort" embed 'new
line/a	b.cl' -o odd.h
is "$code" 0 "so is a folder with an end of line in its name"
{ printf '%s\n' '#line 1 "new\\x0aline/a\\x09b.cl"' && cat scale.cl; } >wanted
round_trip odd.h a_b_cl wanted "which does not end the #line"
run "$cohort" embed 'new
line/a	b.cl' --line-name scale.cl -o line.h
{ echo '#line 1 "scale.cl"' && cat scale.cl; } >wanted
round_trip line.h a_b_cl wanted "--line-name is what #line says"
mkdir -p elsewhere && cp scale.cl elsewhere
"$cohort" embed elsewhere/scale.cl --line-name scale.cl -o line.h
cmp -s line.h scale.h
ok "$?" "so that a header is the same from every folder"
run "$cohort" embed scale.cl --line-name 'a"
#error b' -o line.h
{ printf '%s\n' '#line 1 "a\"\\x0a#error b"' && cat scale.cl; } >wanted
round_trip line.h scale_cl wanted "and no name leaves its line"
cp scale.cl ./-dash.cl
run "$cohort" embed -- -dash.cl
has "$out" "char _dash_cl[]" "a name that starts with a dash comes after --"
cp scale.cl union
run "$cohort" embed union
is "$code" 2 "a keyword is no name"
has "$out" "fix: say it with --name NAME" "and the fix is said"
for name in '' 1a a-b 'a b' int class "$(awk 'BEGIN { while (i++ < 300) printf "a" }')"; do
    run "$cohort" embed scale.cl --name "$name"
    is "$code" 2 "--name '$(printf %.9s "$name")' is wrong usage"
    has "$out" "expected a name in C" "and says why"
done

# Bad input.
run "$cohort" embed
is "$code" 2 "without a file it is wrong usage"
has "$out" "FILE.cl is missing" "which is said"
run "$cohort" embed scale.cl more.cl
is "$code" 2 "two files are wrong usage"
has "$out" "unexpected 'more.cl'" "and the second is named"
run "$cohort" embed scale.cl -o
is "$code" 2 "-o wants a value"
has "$out" "option -o wants a value" "and says so"
run "$cohort" embed none.cl
is "$code" 1 "a file that is not there fails"
has "$out" "none.cl: No such file or directory" "with the reason"
run "$cohort" embed .
is "$code" 1 "a folder fails"
printf 'kernel\0void' >binary.cl
cp again.h kept.h
run "$cohort" embed binary.cl -o again.h
is "$code" 1 "a 0 byte fails"
has "$out" "byte 6 is 0" "and its place is told"
cmp -s again.h kept.h
ok "$?" "and the old header stays"
dd if=/dev/zero bs=1048576 count=17 2>/dev/null | tr '\0' ' ' >large.cl
run "$cohort" embed large.cl
is "$code" 1 "more than 16 MiB fail"
has "$out" "larger than 16 MiB" "and say so"

# The file that is written.
run "$cohort" embed scale.cl -o none/scale.h
is "$code" 1 "a folder that is not there fails"
has "$out" "none/scale.h: No such file or directory" "with the reason"
run "$cohort" embed scale.cl -o .
is "$code" 1 "a folder in place of the file fails"
cp scale.h kept.h
out=$( (ulimit -f 1; "$cohort" embed long.cl -o kept.h) 2>&1)
is "$?" 1 "a file that cannot be written fails"
cmp -s scale.h kept.h
ok "$?" "and leaves what was there"
is "$(find . -name 'kept.h.*')" "" "and nothing beside it"
ln -s target.h link.h
run "$cohort" embed scale.cl -o link.h
is "$code" 0 "a symbolic link is replaced"
[ ! -e target.h ] && [ ! -L link.h ]
ok "$?" "and not followed"
if [ -c /dev/null ]; then
    run "$cohort" embed scale.cl -o /dev/null
    is "$code" 0 "what is no file is written to"
    [ -c /dev/null ]
    ok "$?" "and stays what it is"
fi
if [ -c /dev/full ]; then
    run sh -c "'$cohort' embed scale.cl >/dev/full"
    is "$code" 1 "a full disk on stdout fails"
fi

# A compiler's message is of one line, whatever the folder is called.
devices=$("$cohort" devices 2>/dev/null | sed -n 's/^  \(opencl:[0-9]*\) .*/\1/p' | head -n 1)
if [ -n "$devices" ]; then
    printf 'kernel void wrong(global float *x) { x[0] = y; }\n' >'new
line/wrong.cl'
    run "$cohort" run 'void wrong(float x[1])' --opencl 'new
line/wrong.cl' --global 1 --devices "$devices" x=1
    is "$code" 1 "a kernel that does not build fails"
    has "$out" 'new\x0aline/wrong.cl' "and the message has the file's name in one line"
else
    skip "a kernel that does not build fails" "no OpenCL device"
fi
tap_done
