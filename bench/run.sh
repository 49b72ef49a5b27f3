#!/usr/bin/env bash
# Measures seed against tar, and the shell transport in two shells, on a RAM disk
# where there is one. Prints medians and ratios, writes bench/out/figures.json,
# fails when a figure is over its budget.
#
#   bench/run.sh [SEED]      RUNS=5 runs a command; CASES='real small start large shell'
set -euo pipefail
cd "$(dirname "$0")/.."
seed=$(cd "$(dirname "${1:-bin/seed}")" && pwd)/seed
runs=${RUNS:-5}
cases=" ${CASES:-real small start large shell} "

base=${TMPDIR:-/tmp}
if [ -d /dev/shm ] && [ -w /dev/shm ]; then base=/dev/shm; fi
work=$(mktemp -d "$base/seed-bench.XXXXXX")
trap 'chmod -R u+w "$work" 2> /dev/null || :; rm -rf "$work"' EXIT
mkdir -p bench/out
export XDG_STATE_HOME="$work/state" # records of what is grown here are nobody's
go build -o "$work/corpus" ./bench/corpus
go build -o "$work/timer" ./bench/timer

wants() { case $cases in *" $1 "*) ;; *) return 1 ;; esac; }

# The scan is timed on trees that hold test keys, so each hit is allowed by name:
# the work is done and the pack goes through.
allow_flags() { # $1 tree
  "$seed" pack --json -o "$work/probe.seed" "$1" > "$work/report" 2> /dev/null && return
  "$work/corpus" allow "$1" < "$work/report" | sed 's/^/--allow-secret /' | tr '\n' ' '
}

pack_and_grow() { # $1 case, $2 tree
  local allow
  allow=$(allow_flags "$2")
  "$seed" pack --allow-secrets -o "$work/$1.seed" "$2" > /dev/null 2>&1
  tar -cf "$work/$1.tar" -C "$2" .
  cat << PLAN
case pack-$1
prep rm -f $work/out.tar $work/out.seed
run tar tar -cf $work/out.tar -C $2 .
run seed $seed pack --allow-secrets -o $work/out.seed $2
run seed+scan $seed pack $allow -o $work/out.seed $2
limit seed ratio=3 rss=32M
limit seed+scan ratio=5 rss=32M

case grow-$1
prep rm -rf $work/grown && mkdir $work/grown
run tar tar -xf $work/$1.tar -C $work/grown
run seed $seed grow $work/$1.seed $work/grown/tree
limit seed ratio=1.5

PLAN
}

plan=$work/plan
: > "$plan"
if wants real; then
  "$work/corpus" text "$(go env GOROOT)/src" "$work/real"
  pack_and_grow real "$work/real" >> "$plan"
fi
if wants small || wants shell; then
  "$work/corpus" small 1000 4096 "$work/small"
  pack_and_grow small "$work/small" > "$work/small.plan"
  if wants small; then cat "$work/small.plan" >> "$plan"; fi
fi
if wants start; then
  "$work/corpus" small 1 102400 "$work/one"
  "$seed" pack -o "$work/doc.seed" "$work/one/d00/f0000.txt" > /dev/null 2>&1
  cat >> "$plan" << PLAN
case start
run true true
run version $seed version
run verify-100K $seed verify $work/doc.seed
limit version time=10ms
limit verify-100K time=20ms

PLAN
fi
if wants large; then
  # A tree of 1 GiB: memory must not grow with it.
  "$work/corpus" small 1024 1048576 "$work/large"
  "$seed" pack --allow-secrets -o "$work/large.seed" "$work/large" > /dev/null 2>&1
  cat >> "$plan" << PLAN
case large
prep rm -rf $work/out.seed $work/grown && mkdir $work/grown
run tar tar -cf $work/out.seed -C $work/large .
run pack $seed pack --allow-secrets -o $work/out.seed $work/large
run grow $seed grow $work/large.seed $work/grown/tree
limit pack rss=64M
limit grow rss=64M

PLAN
fi
if wants shell; then
  # Measured for the transport when it was designed: 0.44 s where tar needs 0.01,
  # and 1.2 s from a pipe in bash, which reads that byte by byte.
  cat >> "$plan" << PLAN
case shell-small
prep rm -rf $work/grown && mkdir $work/grown
run tar tar -xf $work/small.tar -C $work/grown
run dash-pipe dash -s $work/grown/tree <| $work/small.seed
run bash-file bash $work/small.seed $work/grown/tree
run bash-pipe bash -s $work/grown/tree <| $work/small.seed
limit dash-pipe ratio=44
limit bash-file ratio=44
limit bash-pipe ratio=120

PLAN
fi

cp "$plan" bench/out/plan
echo "bench: $runs runs each, $(nproc 2> /dev/null || sysctl -n hw.ncpu) cores, $base"
"$work/timer" -n "$runs" -json bench/out/figures.json "$plan"
