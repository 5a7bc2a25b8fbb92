#!/bin/sh
# gflow slurm-env [--force]: prints what puts Slurm's names (sbatch, squeue, srun …) on PATH, for
# eval "$(gflow slurm-env)". Where a real Slurm is, it would be hidden, so that must be asked for.
set -eu
home=$1 && shift

fail() {
  printf 'gflow slurm-env: %s\n' "$1" >&2
  exit "${2:-1}"
}

force=
while [ $# -gt 0 ]; do
  case $1 in
    --force) force=yes && shift ;;
    -h | --help)
      echo 'usage: eval "$(gflow slurm-env [--force])"   (--force: also where a real Slurm is)'
      exit
      ;;
    *) fail "unknown word $1; usage: eval \"\$(gflow slurm-env [--force])\"" 2 ;;
  esac
done

# The way by the link outlives the next version.
[ ! "$home" -ef "${home%/*}/current" ] || home=${home%/*}/current
folder=$home/slurm
real=
old=$IFS IFS=:
for place in $PATH; do
  [ -x "$place/sbatch" ] && [ ! "$place/sbatch" -ef "$home/bin/gflow" ] || continue
  # A gflow of another version is no Slurm.
  case $(readlink -f -- "$place/sbatch") in */gflow) ;; *) real=$place/sbatch && break ;; esac
done
IFS=$old
[ -z "$real" ] || [ -n "$force" ] ||
  fail "a real Slurm is here ($real); --force puts gflow's commands before it"
case $PATH: in
  "$folder":*) ;;
  *) printf "export PATH='%s':\"\$PATH\"\n" "$(printf %s "$folder" | sed "s/'/'\\\\''/g")" ;;
esac
