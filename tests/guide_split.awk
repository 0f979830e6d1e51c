# SPDX-License-Identifier: BSD-3-Clause
# awk -v to=FOLDER -f guide_split.awk PAGE: the steps of a page of the guide, a line each: LINE|KIND|NEEDS|NAME.
#
#     ```c saxpy.c               file     LINE.text is the file
#     ```c in:saxpy.c            excerpt  LINE.text are lines that stand so in the file, one below the other
#     ```console                 command  LINE.text is a line that begins with "$ ", and those after it that begin with "> ";
#                                         LINE.want is what it prints
#     ```console needs:opencl    the same, where there is an OpenCL device
#     ```console fails           failure  the same of a command whose exit code is not 0
#
# Any other fence is KIND unknown.

function step(kind) {
    at = FNR
    printf "%d|%s|%s|%s\n", at, kind, needs, name
    printf "" > (to "/" at ".text")
    printf "" > (to "/" at ".want")
}

function begin_fence(    i) {
    needs = name = ""
    language = substr($1, 4)
    command = "command"
    for (i = 2; i <= NF; i++)
        if ($i ~ /^needs:/)
            needs = substr($i, 7)
        else if ($i == "fails")
            command = "failure"
        else
            name = $i
    if (language == "console" && name == "")
        kind = command
    else if (language == "" || language == "console" || name == "")
        step(kind = "unknown")
    else if (name ~ /^in:/) {
        name = substr(name, 4)
        step(kind = "excerpt")
    } else
        step(kind = "file")
    inside = 1
    at_output = 0
}

/^```/ {
    if (inside)
        inside = 0
    else
        begin_fence()
    next
}

!inside { next }

kind == "file" || kind == "excerpt" { print > (to "/" at ".text"); next }

/^\$ / && kind != "unknown" {
    name = $0
    gsub(/\|/, "/", name)
    step(kind)
    print substr($0, 3) > (to "/" at ".text")
    at_output = 0
    next
}

/^> / && !at_output && kind != "unknown" { print substr($0, 3) > (to "/" at ".text"); next }

kind != "unknown" { at_output = 1; print > (to "/" at ".want") }
