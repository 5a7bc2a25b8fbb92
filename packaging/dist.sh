#!/bin/sh
# gflow dist: the packed program as one .tar.gz. Unpack it anywhere and run bin/gflow, or
# bin/gflow install.
set -eu
home=$1
VERSION=
. "$home/release"
name=gflow-$VERSION-linux-$(uname -m)
out=${home%/*}
[ -w "$out" ] && [ -f "$out/../pom.xml" ] || out=$PWD
tar -C "${home%/*}" --owner=0 --group=0 --transform "s,^${home##*/},$name,S" -czf "$out/$name.tar.gz.$$" \
  "${home##*/}"
mv "$out/$name.tar.gz.$$" "$out/$name.tar.gz"
echo "$out/$name.tar.gz"
