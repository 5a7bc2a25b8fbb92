# Commands and steps behind a fence beside the same outside: nothing there shall be slower.

# Jobs take turns, and the best round of each counts: whatever else the machine does only adds.
cat >"$work/inside.sh" <<'END'
#!/bin/bash
many() {
  local begin=$EPOCHREALTIME i
  for ((i = 0; i < $1; i++)); do "${@:2}" >/dev/null; done
  echo "$begin $EPOCHREALTIME $1" |
    awk '{gsub(",", "."); printf "%.4f\n", ($2 - $1) / $3 * 1000}'
}
gqueue >/dev/null
grun true
for ((round = 0; round < 5; round++)); do
  echo "answer $(many 40 gqueue)"
  echo "step $(many 20 grun true)"
done
END

start sim:4x24G 16
for ((turn = 0; turn < 3; turn++)); do
  for fence in --fence --no-fence; do
    gbatch --wait --gpus 1 $fence -o "$work/$turn$fence" "$work/inside.sh" >/dev/null
  done
done
stop

for what in answer step; do
  inside=$(sed -n "s/^$what //p" "$work"/?--fence | sort -n | head -n 1)
  outside=$(sed -n "s/^$what //p" "$work"/?--no-fence | sort -n | head -n 1)
  name=$([ $what = step ] && echo 'a step of a job (grun true)' || echo 'gqueue in a job')
  row "$name: behind a fence / without" "$(calc "$inside / $outside")" '' '<= 1.2' \
    "$(short "$inside") ms / $(short "$outside") ms"
done
