# How long a command takes beside a shell that does nothing, and beside a Java that says hello.

two_hundred() {
  local i
  for ((i = 0; i < 200; i++)); do gbatch --hold true >/dev/null; done
}

# The bare Java: our run-time image and flags, and an AOT cache of its own.
hello() {
  local java=$home/jre/bin/java
  hello=("$java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData -Xlog:disable)
  mkdir -p "$work/hello"
  echo 'class Hello { public static void main(String[] a) { System.out.println("hello"); } }' \
    >"$work/hello/Hello.java"
  local javac
  javac=$(find_javac) || return 1
  "$javac" -d "$work/hello" "$work/hello/Hello.java" &&
    "${javac%/*}/jar" --create --file "$work/hello.jar" -C "$work/hello" Hello.class || return 1
  "${hello[@]}" -XX:AOTCacheOutput="$work/hello.aot" -cp "$work/hello.jar" Hello >/dev/null 2>&1
  hello+=(-XX:AOTCache="$work/hello.aot" -cp "$work/hello.jar" Hello)
  "${hello[@]}" >/dev/null
}

find_javac() {
  local jdk
  for jdk in "${JAVA_HOME-}" /usr/lib/jvm/*25* "$(dirname "$(readlink -f "$(command -v javac)")")/.."; do
    [ -x "$jdk/bin/javac" ] && echo "$jdk/bin/javac" && return
  done
  return 1
}

# Four that run, sixteen that wait.
twenty_jobs() {
  local i
  start sim:4x24G 16
  for ((i = 0; i < 4; i++)); do gbatch --gpus 1 --output none sleep 100000 >/dev/null; done
  for ((i = 0; i < 16; i++)); do gbatch --gpus 4 --output none sleep 1 >/dev/null; done
}

twenty_jobs
if command -v hyperfine >/dev/null; then
  runs=200 hyper 'warm=gqueue'
  runs=100 hyper 'bash=bash -c :' 'queue=gqueue' 'batch=gbatch --hold true'
  row 'gqueue with 20 jobs / bash -c :' "$(calc "${ms[queue]} / ${ms[bash]}")" '' '<= 5' \
    "$(short "${ms[queue]}") ms / $(short "${ms[bash]}") ms"
  row 'gbatch, durable / bash -c :' "$(calc "${ms[batch]} / ${ms[bash]}")" '' '<= 5' \
    "$(short "${ms[batch]}") ms / $(short "${ms[bash]}") ms"
else
  skipped 'gqueue and gbatch / bash -c :' 'no hyperfine'
fi
times=()
for ((round = 0; round < 3; round++)); do
  seconds t two_hundred && times+=("$t")
done
row '200 gbatch in a row' "$(median "${times[@]}")" s '<= 2' ''

stop
if command -v hyperfine >/dev/null && hello; then
  twenty_jobs
  # Apart, for each submission makes the list longer.
  runs=20 hyper "hello=${hello[*]}" "jvm=env GFLOW_CLIENT=jvm gqueue"
  runs=20 hyper "batch=env GFLOW_CLIENT=jvm gbatch --hold true"
  # Without a daemon a command says so and fails; hyperfine is told not to mind.
  stop
  runs=20 hyper "none=sh -c 'gqueue 2>/dev/null || :'"
  for pair in 'jvm=gqueue with 20 jobs, JVM client' 'batch=gbatch, JVM client' 'none=gqueue, no daemon'; do
    name=${pair%%=*}
    row "${pair#*=} / Java hello" "$(calc "${ms[$name]} / ${ms[hello]}")" '' '<= 3' \
      "$(short "${ms[$name]}") ms / $(short "${ms[hello]}") ms"
  done
else
  skipped 'JVM client / Java hello' 'no hyperfine or no javac'
fi
stop
