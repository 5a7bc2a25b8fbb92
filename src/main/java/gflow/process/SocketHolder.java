package gflow.process;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Who has a socket open, among the processes that we may look at. */
public final class SocketHolder {
  private SocketHolder() {}

  /** Whether it may belong to processes with this in their environment: nobody else is seen. */
  public static boolean maybe(long inode, String variable) {
    String name = "socket:[" + inode + "]";
    List<Long> holders = Proc.all().stream().filter(pid -> holds(pid, name)).toList();
    return holders.isEmpty() || holders.stream().anyMatch(pid -> has(pid, variable));
  }

  private static boolean holds(long pid, String name) {
    String[] descriptors = Path.of("/proc/" + pid + "/fd").toFile().list();
    if (descriptors == null) {
      return false;
    }
    for (String descriptor : descriptors) {
      try {
        Path link = Path.of("/proc/" + pid + "/fd/" + descriptor);
        if (Files.readSymbolicLink(link).toString().equals(name)) {
          return true;
        }
      } catch (IOException e) {
        // Closed meanwhile.
      }
    }
    return false;
  }

  private static boolean has(long pid, String variable) {
    return Proc.environ(pid)
        .map(block -> ("\0" + new String(block, ISO_8859_1)).contains("\0" + variable + "\0"))
        .orElse(false);
  }
}
