package gflow.local;

import gflow.process.ProcessMark;
import gflow.process.Signals;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The parent of every program: a fixed text for a shell that gets all values as arguments. It is a
 * shell because it must outlive the daemon, cost little, and be there on every machine.
 */
final class Wrapper {
  /**
   * Its variables carry a prefix, because one that the job's environment has too would reach the
   * program changed. Its own messages go nowhere. Its first act is to put the mark on itself, which
   * all that it starts inherits; dash and bash have different letters for it. {@code set -C} makes
   * the record with O_EXCL: who comes second ends without running anything. One that is told to end
   * before the program runs says so, and runs nothing. From then on the signals are caught, not
   * ignored: what is caught is reset in the program, and the wrapper lives on to write down how
   * that ended. {@code (exec …)} never runs a built-in of the shell. The line with the exit code
   * comes last, so it says that all is said; a pipe that the job put there instead is not waited
   * for.
   *
   * <p>A {@link Fence} says by SIGURG, which nobody else sends, that it stands and the program
   * comes next; without that the program never ran.
   *
   * <p>It exits with the program's code, so who waits for it needs no record. Whatever ends it
   * before the program ran, a fork that failed too, ends it by {@link #NEVER_BEGAN}: all codes are
   * the program's, but that signal nobody sends.
   */
  static final String TEXT =
      """
      trap 'kill -PWR $$' 0
      exec 8>&1 9>&2 >/dev/null 2>&1
      ulimit -S -w "$6" || ulimit -S -x "$6"
      set -C
      echo "start $$ $2" >"$1" || exit
      set +C
      gflow_r=$1 gflow_j=$4 gflow_l=$5 gflow_f=$7
      trap 'echo never >>"$gflow_r"; exit' TERM INT HUP
      umask "$3"
      shift 7
      while [ "$gflow_j" -gt 0 ]; do echo 0 >"$1"; shift; gflow_j=$((gflow_j - 1)); done
      while [ "$gflow_l" -gt 0 ]; do
        ulimit $1 || ulimit -S -p "${1##* }"; shift; gflow_l=$((gflow_l - 1))
      done
      echo 500 >/proc/self/oom_score_adj
      trap : TERM INT HUP
      trap gflow_f= URG
      (exec "$@") >&8 2>&9 8>&- 9>&-
      gflow_e=$?
      [ -z "$gflow_f" ] || { echo never >>"$gflow_r"; exit; }
      trap - 0
      trap '' XFSZ
      [ -p "$gflow_r" ] || { times; echo "exit $gflow_e"; } >>"$gflow_r"
      exit $gflow_e
      """;

  /** The first is its own; the second comes where no file may grow, as of the record. */
  static final Set<Integer> NEVER_BEGAN = Set.of(Signals.PWR, Signals.XFSZ);

  private Wrapper() {}

  /** What the wrapper needs besides the program. */
  record Setting(
      Path record,
      String bootId,
      int umask,
      List<Path> joins,
      List<String> ulimits,
      ProcessMark mark,
      boolean fenced) {}

  static List<String> argv(WrapperShell shell, Setting setting, List<String> program) {
    var words = new ArrayList<String>(shell.words());
    words.addAll(List.of("-c", TEXT, "gflow"));
    words.add(setting.record().toString());
    words.add(setting.bootId());
    words.add(Integer.toOctalString(setting.umask()));
    words.add(Integer.toString(setting.joins().size()));
    words.add(Integer.toString(setting.ulimits().size()));
    words.add(setting.mark().limitWord());
    words.add(setting.fenced() ? "fence" : "");
    setting.joins().forEach(path -> words.add(path.toString()));
    words.addAll(setting.ulimits());
    words.addAll(program);
    return words;
  }
}
