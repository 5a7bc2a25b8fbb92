package gflow.map.run;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import gflow.map.results.MapFolder;
import gflow.process.Proc;
import gflow.process.ProcessId;
import gflow.process.RawText;
import gflow.process.Signals;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** What an earlier run of a map left behind when its runner was killed. */
final class StrayProcesses {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration PAUSE = Duration.ofMillis(5);

  private StrayProcesses() {}

  /** Kills every process that carries a mark of this map; false if some do not go. */
  static boolean kill(MapFolder folder) {
    return Signals.kill(() -> find(folder), PATIENCE);
  }

  /** One that is in the middle of exec shows no environment: hence a second look. */
  private static List<ProcessId> find(MapFolder folder) {
    List<ProcessId> found = look(folder);
    if (found.isEmpty()) {
      LockSupport.parkNanos(PAUSE.toNanos());
      found = look(folder);
    }
    return found;
  }

  private static List<ProcessId> look(MapFolder folder) {
    // Marks of a map differ only in what follows the folder's name.
    String start = "\0" + new String(RawText.bytes(ItemMarks.ofMap(folder)), ISO_8859_1) + "#";
    return Proc.all().stream()
        .filter(pid -> pid != Proc.self() && has(pid, start))
        .flatMap(pid -> ProcessId.of(pid).stream())
        .filter(ProcessId::alive)
        .toList();
  }

  private static boolean has(long pid, String start) {
    return Proc.environ(pid)
        .filter(block -> ("\0" + new String(block, ISO_8859_1)).contains(start))
        .isPresent();
  }
}
