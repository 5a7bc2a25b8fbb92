# gmap beside xargs and GNU parallel: empty items, items of a tenth of a second, warm workers.

empty=$((quick ? 2000 : 20000)) few=$((quick ? 300 : 1500)) tenths=$((quick ? 200 : 2000))
unequal=$((quick ? 80 : 800)) answers=$((quick ? 20000 : 200000)) many=$((quick ? 100000 : 1000000))

gmap_seconds() {
  rm -rf "$work/map"
  gmap -Q --results "$work/map" "$@" >/dev/null 2>"$work/map.err" || cat "$work/map.err" >&2
  sed -n 's/^  "seconds": \([0-9.]*\),/\1/p' "$work/map/summary.json"
}

map_xargs() { seq "$empty" | xargs -P2 -n1 /bin/true; }
map_parallel() { seq "$few" | parallel -j2 /bin/true; }
tenth_xargs() { seq "$tenths" | xargs -P8 -n1 sh -c 'sleep 0.1'; }

start sim:8x24G 16
ours=() xargs=() parallel=() long=() longx=()
for ((round = 0; round < (quick ? 1 : 3); round++)); do
  ours+=("$(calc "$empty / $(gmap_seconds --gpus 2 --range "1-$empty" /bin/true)")")
  seconds t map_xargs && xargs+=("$(calc "$empty / $t")")
  command -v parallel >/dev/null && seconds t map_parallel && parallel+=("$(calc "$few / $t")")
done
long=$(gmap_seconds --gpus 8 --range "1-$tenths" sh -c 'sleep 0.1')
seconds longx tenth_xargs

ours=$(median "${ours[@]}") xargs=$(median "${xargs[@]}")
row "gmap, $empty × /bin/true, 2 slots" "$ours" /s '' 'a line of results for each'
row '… / xargs -P2' "$(calc "$ours / $xargs")" '' '>= 0.9' "$(short "$xargs") /s"
if [ ${#parallel[@]} -gt 0 ]; then
  parallel=$(median "${parallel[@]}")
  row '… / GNU parallel -j2' "$(calc "$ours / $parallel")" '' '>= 3' "$(short "$parallel") /s"
else
  skipped '… / GNU parallel -j2' 'not installed'
fi
row "gmap, $tenths × 0.1 s, 8 slots / xargs -P8" "$(calc "$long / $longx")" '' '<= 1.02' \
  "$(short "$long") s / $(short "$longx") s"

# Lengths from 10 to 500 ms, the same at every call: beside the sum over the slots, which nobody can
# beat, and beside batches of eight that wait for their slowest, which need no run to be known.
awk -v n="$unequal" 'BEGIN {srand(1); for (i = 0; i < n; i++) printf "%.3f\n", 0.01 + rand() * 0.49}' \
  >"$work/lengths"
ideal=$(awk '{s += $1} END {print s / 8}' "$work/lengths")
barrier=$(awk '$1 > m {m = $1} NR % 8 == 0 {s += m; m = 0} END {print s + m}' "$work/lengths")
t=$(gmap_seconds --gpus 8 --items-from "$work/lengths" sleep)
row "gmap, $unequal × 10–500 ms, 8 slots / ideal" "$(calc "$t / $ideal")" '' '<= 1.05' \
  "$(short "$t") s / $(short "$ideal") s"
row '… batches of 8 with a barrier / ideal' "$(calc "$barrier / $ideal")" '' '' 'computed'

if command -v python3 >/dev/null; then
  printf 'import gflow_worker\ngflow_worker.serve(lambda x: x)\n' >"$work/worker.py"
  t=$(gmap_seconds --gpus 2 --worker --range "1-$answers" python3 "$work/worker.py")
  row 'gmap, warm workers in Python, 2 slots' "$(calc "$answers / $t")" /s '>= 30000' "$answers items"
else
  skipped 'gmap, warm workers in Python, 2 slots' 'no python3'
fi

# Its memory while it has a million items before it.
rm -rf "$work/map"
gmap --detach --results "$work/map" --gpus 1 --range "1-$many" sleep 5 >/dev/null
sleep 4
pid=$(pgrep -f "gflow[.]Main.*run-folder $work/map")
row "gmap with $many items: RSS" "$(awk '/^VmRSS/ {print $2 / 1024}' "/proc/$pid/status")" MB '<= 200' ''
gcancel --all >/dev/null
stop
