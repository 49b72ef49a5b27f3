#!/usr/bin/env bash
# Measures what capsules cost: in one process against what hashing, decoding and
# encrypting the same bytes cost alone, and as whole commands from start to exit.
# Prints figures and budgets, writes bench/out/capsule*.json, fails over budget.
#
#   bench/capsule.sh [SEED]  RUNS=7 rounds
#   CASES='payload files events growth seal encrypt decrypt start memory'
set -euo pipefail
cd "$(dirname "$0")/.."
seed=$(cd "$(dirname "${1:-bin/seed}")" && pwd)/seed
runs=${RUNS:-7}
cases=${CASES:-payload files events growth seal encrypt decrypt start memory}

base=${TMPDIR:-/tmp}
if [ -d /dev/shm ] && [ -w /dev/shm ]; then base=/dev/shm; fi
work=$(mktemp -d "$base/seed-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p bench/out
go build -o "$work/capsulebench" ./bench/capsulebench
go build -o "$work/timer" ./bench/timer
# Nobody's keys and nobody's list of trusted signers are read here.
export HOME="$work/home" XDG_CONFIG_HOME="$work/home" XDG_DATA_HOME="$work/home" XDG_STATE_HOME="$work/home"

wants() { case " $cases " in *" $1 "*) ;; *) return 1 ;; esac; }

plan=$work/plan
: > "$plan"
if wants start; then
  "$work/capsulebench" make small "$work/small.capsule"
  cat >> "$plan" << PLAN
case capsule-start
run true true
run version $seed version
run verify-small $seed capsule verify $work/small.capsule
limit version time=10ms
limit verify-small time=15ms

PLAN
fi
if wants memory; then
  # One payload of 1,000 MiB: memory must not grow with it.
  "$work/capsulebench" make large "$work/large.capsule"
  cat >> "$plan" << PLAN
case capsule-memory
run cat cat $work/large.capsule
run verify-1000M $seed capsule verify $work/large.capsule
limit verify-1000M rss=64M

PLAN
fi

bad=0
inside=
for c in payload files events growth seal encrypt decrypt; do
  if wants "$c"; then inside="$inside $c"; fi
done
if [ -n "$inside" ]; then
  echo "bench: capsules, $runs rounds each, $(nproc 2> /dev/null || sysctl -n hw.ncpu) cores, $base"
  "$work/capsulebench" -n "$runs" -dir "$work" -cases "$inside" -json bench/out/capsule.json || bad=$?
fi
if [ -s "$plan" ]; then
  "$work/timer" -n "$runs" -json bench/out/capsule-commands.json "$plan" || bad=$?
fi
exit "$bad"
