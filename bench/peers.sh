# Empty tasks a second, from the same minute, on 1 to 16 slots: gflow beside other queues that stand on the PATH.
# hq (HyperQueue) keeps a journal, as gflow keeps its database; bounds are those of the machine with 16 cores.

slots=(1 2 4 8 16)
declare -A bounds=([1]='>= 0.9' [4]='>= 1.5' [16]='>= 3.5')
[ "$cores" -gt 4 ] || { slots=(1 2 4) && bounds=([2]='>= 1.0'); }

# How many each runs, in about ten seconds.
tasks_of() {
  echo $((quick ? 1000 : 2000 + 1000 * $1 / 4))
}

peers_gflow() {
  gbatch --array "1-$tasks" --output none --wait /bin/true >/dev/null
}

peers_xargs() {
  seq "$tasks" | xargs -P"$width" -n1 sh -c 'setsid /bin/true >/dev/null 2>&1'
}

peers_hq() {
  hq submit --array "1-$tasks" --cpus 1 --stdout none --stderr none --wait -- /bin/true \
    >/dev/null 2>&1
}

peers_tsp() {
  local i
  for ((i = 0; i < few; i++)); do tsp -n /bin/true >/dev/null; done
  tsp -w >/dev/null
}

# It looks for the next to start a few times a second.
peers_pueue() {
  local i
  for ((i = 0; i < few / 10; i++)); do pueue add -- /bin/true >/dev/null; done
  pueue wait --quiet >/dev/null
}

peers_parallel() {
  seq "$few" | parallel -j"$width" /bin/true
}

# rate NAME COUNT: adds one round to what is known of that peer.
rate() {
  seconds t "peers_$1"
  rates[$1]+=" $(calc "$2 / $t")"
}

few=$((quick ? 100 : 300))
missing=
for peer in hq pueue tsp parallel; do command -v $peer >/dev/null || missing+=" $peer"; done
[ -z "$missing" ] || skipped 'empty tasks beside others' "not on the PATH:$missing"

for width in "${slots[@]}"; do
  tasks=$(tasks_of "$width")
  declare -A rates=()
  start none "$width"
  peers_gflow
  case $missing in *hq*) ;; *) hq_start "$width" && peers_hq ;; esac
  case $missing in *pueue*) ;; *) pueue_start "$width" ;; esac
  case $missing in *tsp*) ;; *) export TS_SOCKET=$work/tsp.$width && tsp -S "$width" ;; esac
  for ((round = 0; round < (quick ? 1 : 3); round++)); do
    rate gflow "$tasks"
    case $missing in *hq*) ;; *) rate hq "$tasks" ;; esac
    rate xargs "$tasks"
    case $missing in *pueue*) ;; *) rate pueue $((few / 10)) ;; esac
    case $missing in *tsp*) ;; *) rate tsp "$few" ;; esac
    case $missing in *parallel*) ;; *) rate parallel "$few" ;; esac
  done
  case $missing in *hq*) ;; *) hq_stop ;; esac
  case $missing in *pueue*) ;; *) pueue_stop ;; esac
  tsp_end
  unset TS_SOCKET
  stop
  # shellcheck disable=SC2086
  {
    ours=$(median ${rates[gflow]})
    row "empty tasks, $width slots" "$ours" /s '' "$tasks tasks, durable exit codes"
    for peer in hq xargs pueue tsp parallel; do
      [ -z "${rates[$peer]-}" ] && continue
      theirs=$(median ${rates[$peer]})
      bound=
      [ $peer != hq ] || bound=${bounds[$width]-}
      row "… / $peer" "$(calc "$ours / $theirs")" '' "$bound" "$(short "$theirs") /s"
    done
  }
done
