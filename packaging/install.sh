#!/bin/sh
# gflow install [--prefix DIR]: puts this program into DIR/lib/gflow/<version>-<build>, makes it the
# current one by a rename, and links its commands into DIR/bin. A daemon that runs from an older
# folder keeps it: that folder stays until nothing runs from it.
set -eu
home=$1 && shift
prefix=${HOME-}/.local

fail() {
  printf 'gflow install: %s\n' "$1" >&2
  exit "${2:-1}"
}

while [ $# -gt 0 ]; do
  case $1 in
    --prefix) [ $# -gt 1 ] || fail "--prefix needs a folder" 2; prefix=$2 && shift 2 ;;
    --prefix=*) prefix=${1#*=} && shift ;;
    -h | --help) echo "usage: gflow install [--prefix DIR]   (DIR is ~/.local if not given)"; exit ;;
    *) fail "unknown word $1; usage: gflow install [--prefix DIR]" 2 ;;
  esac
done
[ -n "$prefix" ] || fail "--prefix needs a folder" 2
mkdir -p "$prefix" || fail "cannot make $prefix"
prefix=$(cd "$prefix" && pwd -P)

VERSION= BUILD=
. "$home/release"
name=$VERSION-$BUILD
all=$prefix/lib/gflow
commands="gflow gflowd gbatch grun gmap gqueue gcancel ginfo gjob gctl gstats"
for command in $commands; do
  link=$prefix/bin/$command
  if [ -e "$link" ] && [ ! -h "$link" ]; then
    fail "$link is in the way: it is not a link of gflow"
  fi
done
mkdir -p "$all" "$prefix/bin" || fail "cannot write to $prefix"

# Dates are kept, for the launcher compares them. A folder is whole or not there.
if [ ! -d "$all/$name" ]; then
  draft=$all/.new.$$
  trap 'rm -rf "$draft"' EXIT
  mkdir "$draft"
  (cd "$home" && tar -cf - .) | (cd "$draft" && tar -xpf -)
  mv "$draft" "$all/$name"
fi
ln -s "$name" "$all/.current.$$"
mv -T "$all/.current.$$" "$all/current" 2>/dev/null ||
  { rm -f "$all/current" && mv "$all/.current.$$" "$all/current"; }

for command in $commands; do
  link=$prefix/bin/$command
  ln -s ../lib/gflow/current/bin/"$command" "$link.$$" && mv -f "$link.$$" "$link"
done

# Completion is a comfort: its lack is no reason to fail.
complete() {
  mkdir -p "${2%/*}" && "$all/$name/bin/gflow" completion "$1" >"$2.$$" 2>/dev/null &&
    mv "$2.$$" "$2" || rm -f "$2.$$"
}
complete bash "$prefix/share/bash-completion/completions/gflow"
complete zsh "$prefix/share/zsh/site-functions/_gflow"
complete fish "$prefix/share/fish/vendor_completions.d/gflow.fish"
if [ -f "$prefix/share/bash-completion/completions/gflow" ]; then
  for command in gflowd gbatch grun gmap gqueue gcancel ginfo gjob gctl gstats; do
    ln -sf gflow "$prefix/share/bash-completion/completions/$command"
    [ ! -f "$prefix/share/fish/vendor_completions.d/gflow.fish" ] ||
      ln -sf gflow.fish "$prefix/share/fish/vendor_completions.d/$command.fish"
  done
fi

# Older versions go, unless something runs from them.
for old in "$all"/*; do
  [ -d "$old" ] && [ ! -h "$old" ] && [ "$old" != "$all/$name" ] || continue
  for exe in /proc/[0-9]*/exe; do
    case $(readlink "$exe" 2>/dev/null) in "$old"/*) continue 2 ;; esac
  done
  rm -rf "$old"
done

echo "gflow $name is in $all/$name, its commands in $prefix/bin"
case :$PATH: in
  *:"$prefix/bin":*) ;;
  *) echo "gflow: $prefix/bin is not on your PATH; add: export PATH=\"$prefix/bin:\$PATH\"" >&2 ;;
esac
