# What the daemon weighs, and how long it takes to come up, empty and with many waiting jobs.

many=$((quick ? 10000 : 100000))

# up_times: median seconds of some restarts of what is in the home.
up_times() {
  local t times=()
  for ((i = 0; i < 5; i++)); do
    gflowd down >/dev/null
    seconds t gflowd up >/dev/null
    times+=("$t")
  done
  median "${times[@]}"
}

start sim:1x24G 16
up=$(up_times)
sleep 3
row 'daemon, idle: RSS' "$(rss_mb)" MB '<= 150' ''
row 'gflowd up' "$up" s '' ''
crowd "$many"
sleep 1
row "daemon, just got $many jobs: RSS" "$(rss_mb)" MB '<= 400' ''
up=$(up_times)
row "gflowd up, $many waiting" "$up" s '' ''
gqueue >/dev/null
sleep 3
row "daemon, $many waiting: RSS" "$(rss_mb)" MB '<= 400' ''
stop
