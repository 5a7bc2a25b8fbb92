package gflow.map;

import gflow.process.FileLock;
import java.io.IOException;
import java.nio.file.Files;
import java.util.OptionalInt;

/** A map's folder is one run's alone; its lock says whose. */
final class Hold {
  private Hold() {}

  /** The descriptor that holds it. {@code who}: as others are to read it. */
  static int take(MapFolder folder, String who) throws BadItems, IOException {
    OptionalInt lock = FileLock.tryLock(folder.lock());
    if (lock.isEmpty()) {
      String holder = Files.readString(folder.lock());
      throw new BadItems(
          folder.path() + " is held by " + (holder.isEmpty() ? "another run" : holder));
    }
    Files.writeString(folder.lock(), who);
    return lock.getAsInt();
  }

  static String process() {
    return "process " + ProcessHandle.current().pid();
  }
}
