package gflow.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Process trees that are hard to end, each behind a wrapper that joins its cgroup first. */
enum Thicket {
  /** Forks twice and leaves its session, so that it has neither parent nor session in common. */
  DAEMON("(setsid sh -c 'sleep 1000 & sleep 1000' &) ; echo > ready; sleep 1000"),

  /** The same with an empty environment: no mark in it. */
  NAMELESS_DAEMON("(env -i setsid /bin/sleep 1000 &) ; echo > ready; exec sleep 1000"),

  /** Does not listen. */
  DEAF("trap '' TERM INT HUP; echo > ready; while :; do sleep 0.1; done"),

  /** Ends itself and leaves a loop behind that always starts new children. */
  BACKGROUND_LOOP("(while :; do sleep 0.01; done) & echo > ready"),

  /** Changes its session and pid all the time. */
  RUNNER(
      """
      cat > runner <<'E'
      trap '' TERM
      sleep 0.002
      setsid sh ./runner &
      exit
      E
      sh ./runner
      echo > ready
      """);

  final String script;

  Thicket(String script) {
    this.script = script;
  }

  private static final String WRAPPER =
      """
      ulimit -S -w $LIMIT 2>/dev/null || ulimit -S -x $LIMIT
      for f; do echo $$ > "$f" || exit 99; done
      trap : TERM
      sh -c "$SCRIPT"
      exit $?
      """;

  /** Starts it in the group and waits until it stands. */
  long grow(AttemptProcesses group, Path folder) throws IOException {
    String limit = "LIMIT=" + group.mark().limitWord();
    var env = List.of("PATH=/usr/bin:/bin", group.mark().entry(), "SCRIPT=" + script, limit);
    var join = group.joinFiles().stream().map(Path::toString).toArray(String[]::new);
    long pid = Launcher.best().spawn(Trial.sh(folder, env, WRAPPER, join));
    Optional<ProcessId> wrapper = ProcessId.of(pid);
    group.started(wrapper.orElseThrow());
    Trial.until(() -> folder.resolve("ready").toFile().exists());
    return pid;
  }
}
