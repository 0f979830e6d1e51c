#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# An installation that was moved, copied, unpacked or linked elsewhere: plugins, data and examples are found beside
# libcohort.so, and a project of cohort new builds and runs with it.
. "${srcdir:-.}/tests/tap.sh"
builddir=$(cd "$builddir" && pwd)
scratch moved
unset MAKEFLAGS MFLAGS MAKELEVEL DESTDIR COHORT_PLUGIN_PATH COHORT_DATA_PATH COHORT_DEVICES COHORT_PLUGINS PKG_CONFIG_PATH
unset PKG_CONFIG_SYSROOT_DIR LD_RUN_PATH

# Flags of this build, such as sanitizers: an executable has to have those of the library.
variable() {
    sed -n "s/^$1 = //p" "$builddir/Makefile"
}

run make -s -C "$builddir" install "DESTDIR=$scratch/root"
is "$code" 0 "Cohort is installed in a folder"
[ "$code" = 0 ] || diag "$out"
command=$(find "$scratch/root" -path '*/bin/cohort')
library=$(find "$scratch/root" -name libcohort.so)
told=${command#"$scratch/root"}
told=${told%/bin/cohort}
case $library in
"$scratch/root$told"/*) lib=${library#"$scratch/root$told/"} && lib=${lib%/libcohort.so} ;;
*) skip_all "the library is not installed below the prefix, and does not move with it" ;;
esac
if [ -d "$told/${lib:?}/cohort" ]; then
    diag "there is an installation in $told, which is not looked at"
fi

# A folder whose name wants quotes everywhere.
here="$scratch/with a space"
mv "$scratch/root$told" "$here"
cohort="$here/bin/cohort"
folder() {
    "$cohort" version | sed -n "s/^$1 *//p"
}
export LD_LIBRARY_PATH="$here/$lib"
is "$(folder 'plugin folder')" "$(dirname "$(find "$here" -name cohort-host.so)")" "plugins are those of the moved tree"
is "$(folder 'data folder')/digits.csv" "$(find "$here" -name digits.csv)" "so is the data"
is "$(folder examples)/saxpy.c" "$(find "$here" -name saxpy.c)" "and so are the examples"
run "$cohort" devices
is "$code" 0 "there is a device"
has "$out" "host:0 " "the host's"
cd "$scratch" || exit 1
run "$cohort" demo --epochs 1 --output-dir "$scratch"
is "$code" 0 "the demo finds its images"
[ "$code" = 0 ] || diag "$out"
run "$cohort" doctor
has "$out" "plugins   folder $here/" "doctor names the folder that is searched"

# Data elsewhere comes first, and what is not there is taken from the tree.
mkdir "$scratch/empty"
run env COHORT_DATA_PATH="$scratch/empty" "$cohort" demo --epochs 1 --output-dir "$scratch"
is "$code" 0 "a folder without the images is passed over"
rm "$here"/bin/../share/cohort/digits.csv 2>/dev/null || rm "$(find "$here" -name digits.csv)"
run "$cohort" demo --epochs 1 --output-dir "$scratch"
is "$code" 1 "without the images the demo fails"
has "$out" "$(folder 'data folder')/digits.csv: No such file" "and names the folder of the moved tree"

cd "$here" || exit 1
run env LD_LIBRARY_PATH="$lib" bin/cohort devices
has "$out" "host:0 " "a relative LD_LIBRARY_PATH is as good"

# As stow and profiles of Nix do: links to each file, somewhere else.
mkdir -p "$scratch/profile/bin" "$scratch/profile/lib"
ln -s "$here/bin/cohort" "$scratch/profile/bin" && ln -s "$here/$lib"/libcohort.so* "$scratch/profile/lib"
run env LD_LIBRARY_PATH="$scratch/profile/lib" "$scratch/profile/bin/cohort" devices
has "$out" "host:0 " "through links the tree is that of the file"

# As in images that bundle a program: the library and its plugins, in a folder of another name.
mkdir -p "$scratch/app/bundle"
cp -RP "$here/$lib"/libcohort.so* "$here/$lib/cohort" "$scratch/app/bundle" && cp "$cohort" "$scratch/app"
run env LD_LIBRARY_PATH="$scratch/app/bundle" "$scratch/app/cohort" devices
has "$out" "host:0 " "plugins beside a library in another folder are found"
rm -rf "$scratch/app/bundle/cohort"
run env LD_LIBRARY_PATH="$scratch/app/bundle" "$scratch/app/cohort" version
has "$out" "plugin folder  $told/$lib/" "a library without any has those that configure was told"

# ------------------------------------------------------------------ programs

if ! command -v pkg-config >/dev/null; then
    skip "a project builds with the moved tree" "no pkg-config"
    tap_done
fi
# --define-prefix knows PREFIX/lib/pkgconfig, and quotes what wants it; for PREFIX/lib/x86_64-linux-gnu the prefix is told by
# hand, which does not.
export PKG_CONFIG_PATH="$here/$lib/pkgconfig"
define=--define-prefix
if [ "$lib" != lib ]; then
    ln -s "$here" "$scratch/plain"
    define="--define-variable=prefix=$scratch/plain"
fi
printf '#!/bin/sh\nexec pkg-config "%s" "$@"\n' "$define" >"$scratch/pkg-config"
chmod +x "$scratch/pkg-config"
for variable in plugindir exampledir pkgdatadir; do
    found=
    eval "found=$("$scratch/pkg-config" --variable=$variable cohort)"
    case $variable in
    plugindir) wanted=$(folder 'plugin folder') ;;
    exampledir) wanted=$(folder examples) ;;
    *) wanted=$(folder 'data folder') ;;
    esac
    is "$(cd "$found" && pwd -P)" "$wanted" "$variable of cohort.pc follows the prefix to where the library finds it"
done

cd "$scratch" || exit 1
run "$cohort" new mine
is "$code" 0 "a project is made with the templates of the moved tree"
unset LD_LIBRARY_PATH
run make -C mine check all CC="${CC:-cc}" PKG_CONFIG="$scratch/pkg-config" CFLAGS="$(variable CFLAGS) -Wall -Wextra -Werror" \
    LDFLAGS="$(variable LDFLAGS)"
is "$code" 0 "it builds, and its test passes, though the system does not know the library's folder"
[ "$code" = 0 ] || diag "$out"
run mine/mine host/3
is "$out" "y[999] = 1998 on 3 replicas" "so does its program"

# The folder in which a relative name began is not the current one when devices are asked for.
cat >away.c <<'END_OF_PROGRAM'
#include <cohort/cohort.h>
#include <stdio.h>
#include <unistd.h>
int main(void)
{
    cohort_strategy *s = chdir("/") == 0 ? cohort_mirrored("host") : NULL;
    puts(s != NULL ? "made" : cohort_error_text());
    cohort_strategy_destroy(s);
    return 0;
}
END_OF_PROGRAM
eval "${CC:-cc} $(variable CFLAGS) away.c $("$scratch/pkg-config" --cflags cohort) $(variable LDFLAGS) \
    $("$scratch/pkg-config" --libs cohort) -o away"
run env LD_LIBRARY_PATH="with a space/$lib" ./away
is "$out" "made" "a program that has changed its folder finds what was loaded by a relative name"
tap_done
