package gflow.local;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The parent of every program: a fixed text for a shell that gets all values as arguments. It is a
 * shell because it must outlive the daemon, cost little, and be there on every machine.
 */
final class Wrapper {
  /**
   * Its variables carry a prefix, because one that the job's environment has too would reach the
   * program changed. Its own messages go nowhere. {@code set -C} makes the record with O_EXCL: who
   * comes second ends without running anything. One that is told to end before the program runs
   * says so, and runs nothing. From then on the signals are caught, not ignored: what is caught is
   * reset in the program, and the wrapper lives on to write down how that ended. {@code (exec …)}
   * never runs a built-in of the shell. The line with the exit code comes last, so it says that all
   * is said.
   */
  static final String TEXT =
      """
      exec 8>&1 9>&2 >/dev/null 2>&1
      set -C
      echo "start $$ $2" >"$1" || exit 0
      set +C
      gflow_r=$1 gflow_j=$4 gflow_l=$5
      trap 'echo never >>"$gflow_r"; exit 0' TERM INT HUP
      umask "$3"
      shift 5
      while [ "$gflow_j" -gt 0 ]; do echo 0 >"$1"; shift; gflow_j=$((gflow_j - 1)); done
      while [ "$gflow_l" -gt 0 ]; do
        ulimit $1 || ulimit -S -p "${1##* }"; shift; gflow_l=$((gflow_l - 1))
      done
      echo 500 >/proc/self/oom_score_adj
      trap : TERM INT HUP
      (exec "$@") >&8 2>&9 8>&- 9>&-
      gflow_e=$?
      { times; echo "exit $gflow_e"; } >>"$gflow_r"
      """;

  private Wrapper() {}

  /** What the wrapper needs besides the program. */
  record Setting(Path record, String bootId, int umask, List<Path> joins, List<String> ulimits) {}

  static List<String> argv(WrapperShell shell, Setting setting, List<String> program) {
    var words = new ArrayList<String>(shell.words());
    words.addAll(List.of("-c", TEXT, "gflow"));
    words.add(setting.record().toString());
    words.add(setting.bootId());
    words.add(Integer.toOctalString(setting.umask()));
    words.add(Integer.toString(setting.joins().size()));
    words.add(Integer.toString(setting.ulimits().size()));
    setting.joins().forEach(path -> words.add(path.toString()));
    words.addAll(setting.ulimits());
    words.addAll(program);
    return words;
  }
}
