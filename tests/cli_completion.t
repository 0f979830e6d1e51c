#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# cohort completion: what bash, zsh and fish complete words to, each asked itself, and whether its files are installed.
. "${srcdir:-.}/tests/tap.sh"
builddir=$(cd "$builddir" && pwd)
srcdir=$(cd "$srcdir" && pwd)
cohort=$builddir/cli/cohort
scratch cli_completion

run "$cohort" completion
is "$code" 2 "completion of no shell is wrong usage"
has "$out" "fix: cohort completion bash, zsh or fish" "and says which there are"
run "$cohort" completion bahs
is "$code" 2 "so is a shell that is none"
has "$out" "did you mean 'cohort completion bash'?" "which gets a suggestion"
run "$cohort" completion csh
has "$out" "there is no script for 'csh'" "one that is far from all is named"
run "$cohort" completion bash zsh
has "$out" "unexpected 'zsh'" "two shells are one too many"
run sh -c '"$1" completion fish >/dev/full' sh "$cohort"
[ ! -c /dev/full ] || is "$code" 1 "a script that cannot be written is a failure"

mkdir "$scratch/home" "$scratch/bin" "$scratch/work" "$scratch/work/folder"
touch "$scratch/work/file.csv" "$scratch/work/other.npy"
ln -s "$cohort" "$scratch/bin/cohort"
for shell in bash zsh fish; do
    "$cohort" completion $shell >"$scratch/script.$shell"
    ok "$?" "there is a script for $shell"
done
export HOME="$scratch/home" XDG_CONFIG_HOME="$scratch/home" XDG_DATA_HOME="$scratch/home" XDG_CACHE_HOME="$scratch/home"
export PATH="$scratch/bin:$PATH" cohort builddir
devices=$("$cohort" devices 2>/dev/null | sed -n '/^not used/q;s/^  \([^ ]*\) .*/\1/p' | paste -sd' ' -)

# ------------------------------------------------------------------ what is typed, and what comes

# Of each line the completions, sorted, with spaces between them; asked of the shell by ask_SHELL LINE.
lines() {
    cat <<'END'
cohort dem|demo
cohort help expl|explain
cohort --v|--version
cohort demo --strat|--strategy
cohort demo --strategy m|mirrored multi-worker-mirrored
cohort demo --strategy=ce|central
cohort demo --header |no yes
cohort demo --epochs |
cohort demo --output-dir fol|folder
cohort demo --data fil|file.csv
cohort demo --data=fil|file.csv
cohort demo --data=file.csv,oth|file.csv,other.npy
cohort embed -o fil|file.csv
cohort data oth|other.npy
cohort run x --output y=oth|y=other.npy
cohort run x y=@oth|y=@other.npy
cohort explain EBU|EBUILD
cohort explain EBUILD EN|
cohort env COHORT_CA|COHORT_CACHE
cohort bench red|reduce
cohort devices --svg fil|file.csv
cohort bench copy --svg fil|file.csv
cohort report oth|other.npy
cohort report other.npy --html fil|file.csv
cohort completion z|zsh
cohort launch --mpi=mp|mpich
cohort launch --bind-to=nu|numa
cohort launch --hostfile fil|file.csv
cohort launch --tf-config fil|file.csv
cohort nonsense |
END
    for id in $devices; do
        echo "cohort demo --devices $id|$id"
        echo "cohort demo --devices=$id|$id"
        echo "cohort demo --devices=host:0,$id|host:0,$id"
    done
}

# compare SHELL: the words, without a folder's slash, an option's = and what stands before an option's =.
compare() {
    lines >"$scratch/lines"
    while IFS='|' read -r line wanted; do
        found=$(cd "$scratch/work" && "ask_$1" "$line" </dev/null |
            sed 's/^--[a-z-]*=//;s,[/ =]*$,,;/^$/d;/^-h$/d' | sort -u | paste -sd' ' -)
        is "$found" "$wanted" "$1 completes '$line' to '$wanted'"
    done <"$scratch/lines"
}

# ------------------------------------------------------------------ bash

# The words as readline takes them apart; what it would replace stands for itself, and the rest of the word before it.
cat >"$scratch/ask.bash" <<'END'
compopt() { :; } # is for the shell's own calls
source "$1"
COMP_LINE=$2 COMP_POINT=${#2}
mapfile -t COMP_WORDS < <(grep -Eo '[:=]+@?|[^:= ]+' <<<"$2")
[[ $2 != *' ' ]] || COMP_WORDS+=('')
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
last=${2##*[ :=]} word=${2##* }
_cohort cohort "$last" ''
for reply in "${COMPREPLY[@]}"; do
    printf '%s%s\n' "${word%"$last"}" "$reply"
done
END
ask_bash() {
    bash --norc --noprofile "$scratch/ask.bash" "$scratch/script.bash" "$1"
}
if bash -c '((BASH_VERSINFO[0] >= 5))' 2>/dev/null; then
    compare bash
    found=$(cd "$scratch/work" && ask_bash 'cohort launch -n 2 cohort fil')
    is "$found" "file.csv" "bash completes files behind the program of launch"
    found=$(cd "$scratch/work" && ask_bash 'cohort launch -n 2 coh' | grep -x cohort)
    is "$found" "cohort" "and the program itself"
    # shellcheck disable=SC2016 # the inner shell's
    found=$(bash --norc -c '. "$1" && complete -p cohort' bash "$srcdir/cli/completion/cohort")
    is "$found" "complete -F _cohort cohort" "the file that bash-completion reads has it from the command"
    # shellcheck disable=SC2016 # the inner shell's
    found=$(bash --norc -c 'PATH=/nowhere; . "$1"' bash "$srcdir/cli/completion/cohort" 2>&1)
    is "$found" "" "and says nothing where there is no command"
    if command -v shellcheck >/dev/null; then
        is "$(shellcheck "$scratch/script.bash" 2>&1)" "" "the script passes shellcheck"
    else
        skip "the script passes shellcheck" "no shellcheck"
    fi

    # The tables behind all three: the options of each command's help, and what is said there of their values.
    # shellcheck disable=SC2016 # the inner shell's
    kind_of() {
        bash --norc -c '. "$1"; _cohort_value "$2" "$3"; echo "$kind"' bash "$scratch/script.bash" "$1" "$2"
    }
    # shellcheck disable=SC2016 # the inner shell's
    options_of() {
        bash --norc -c '. "$1"; _cohort_options "$2"; echo "$options"' bash "$scratch/script.bash" "$1"
    }
    : >"$scratch/wrong"
    for command in $("$cohort" help | sed -n 's/^  \([a-z]*\)  .*/\1/p' | grep -vx help); do
        options=$(options_of "$command")
        "$cohort" "$command" --help | sed -n 's/^  \(--[a-z-]*\) *\([^ ]*\).*/\1 \2/p' | while read -r option value; do
            case " $options " in *" $option "*) ;; *) echo "$command has no $option" ;; esac
            case $value:$(kind_of "$command" "$option") in
            FILE*:file* | *=FILE:files | PATH:folder | FOLDER:folder) ;;
            FILE*:* | *=FILE:* | PATH:* | FOLDER:*) echo "$command $option $value" ;;
            esac
            [ "$option" != --devices ] || [ "$(kind_of "$command" --devices)" = devices ] || echo "$command --devices"
        done >>"$scratch/wrong"
    done
    is "$(cat "$scratch/wrong")" "" "every option of a help text is there, and those of files, folders and devices are of their kind"
else
    skip "bash completes" "no bash 5"
fi

# ------------------------------------------------------------------ zsh

# An interactive zsh on a terminal of its own, whose compadd writes down what fits, and which ends behind the first Tab.
cat >"$scratch/inner.zsh" <<'END'
PS1=
autoload -Uz compinit
compinit -u -D
source $script
bindkey '^I' complete-word
compadd() {
    [[ " $* " == *' -'[OAD]' '* ]] && { builtin compadd "$@"; return }
    local -a found
    builtin compadd -O found "$@"
    for word in $found; do print -r -- "$IPREFIX$word" >>$hits; done
    builtin compadd "$@"
}
finish() { exit 0 }
comppostfuncs=(finish)
END
cat >"$scratch/ask.zsh" <<'END'
zmodload zsh/zpty || exit
export script=$2 hits=$4
zpty shell zsh -f -i
zpty -w shell "source $1"
zpty -w -n shell "$3"$'\t'
while zpty -r shell line; do :; done
END
ask_zsh() {
    : >"$scratch/hits"
    timeout 60 zsh -f "$scratch/ask.zsh" "$scratch/inner.zsh" "$scratch/script.zsh" "$1" "$scratch/hits"
    cat "$scratch/hits"
}
if zsh -f -c 'zmodload zsh/zpty && autoload -Uz +X compinit && zpty try true' 2>/dev/null; then
    compare zsh
    # shellcheck disable=SC2016 # the inner shell's
    found=$(zsh -f -c 'fpath=("$1" $fpath); autoload -Uz compinit; compinit -u -D; print $_comps[cohort]
        PATH=/nowhere; _cohort' zsh "$srcdir/cli/completion" 2>&1)
    is "$found" "_cohort" "the file in zsh's path is found, and says nothing where there is no command"
    cp "$srcdir/cli/completion/_cohort" "$scratch/home"
    sed "s,^source .*,fpath=($scratch/home \$fpath); compinit -u -D," "$scratch/inner.zsh" >"$scratch/inner2.zsh"
    mv "$scratch/inner2.zsh" "$scratch/inner.zsh"
    is "$(ask_zsh 'cohort demo --strategy=ce' | sed 's/.*=//')" "central" "with the command it completes at the first call"
else
    skip "zsh completes" "no zsh, or no terminal for it"
fi

# ------------------------------------------------------------------ fish

# shellcheck disable=SC2016 # the inner shell's
ask_fish() {
    fish -N -c 'source $argv[1]; complete -C$argv[2]' "$scratch/script.fish" "$1" | cut -f 1
}
# shellcheck disable=SC2016 # the inner shell's
if fish -N -c 'string match -qr "^[3-9]" $version' 2>/dev/null; then
    compare fish
    is "$(ask_fish 'cohort launch -n 2 cohort demo --strat')" "--strategy" "fish completes the command that launch starts"
    # shellcheck disable=SC2016 # the inner shell's
    found=$(fish -N -c 'set fish_complete_path $argv[1]; complete -C"cohort embed --na"' "$srcdir/cli/completion" | cut -f 1)
    is "$found" "--name" "the file in fish's path has it from the command"
else
    skip "fish completes" "no fish 3"
fi

# ------------------------------------------------------------------ installed

unset MAKEFLAGS MFLAGS MAKELEVEL DESTDIR
# folder_of SHELL: "no" where configure was told so.
folder_of() {
    make -s -C "$builddir" -f - shown <<END | tail -n 1
include Makefile
shown:
	@echo '\$($1completiondir)'
END
}
for shell in bash zsh fish; do
    folder=$(folder_of $shell)
    case $shell in bash) file=cohort ;; zsh) file=_cohort ;; fish) file=cohort.fish ;; esac
    if [ "$folder" = no ]; then
        skip "the file of $shell is installed" "--with-$shell-completion-dir=no"
        continue
    fi
    make -s -C "$builddir" "install-dist_${shell}completionDATA" "DESTDIR=$scratch/root" >/dev/null
    cmp -s "$srcdir/cli/completion/$file" "$scratch/root$folder/$file"
    ok "$?" "the file of $shell is installed in its folder"
    make -s -C "$builddir" "uninstall-dist_${shell}completionDATA" "DESTDIR=$scratch/root" >/dev/null
    [ ! -e "$scratch/root$folder/$file" ]
    ok "$?" "and taken away again"
done
tap_done
