package gflow.map.plan;

import gflow.map.items.BadItems;
import gflow.map.results.MapFolder;
import gflow.process.FileLock;
import java.io.IOException;
import java.nio.file.Files;
import java.util.OptionalInt;

/** A map's folder is one run's alone; its lock says whose. */
public final class FolderLock {
  private FolderLock() {}

  /** The descriptor that holds it. {@code who}: as others are to read it. */
  public static int take(MapFolder folder, String who) throws BadItems, IOException {
    OptionalInt lock = FileLock.tryLock(folder.lock());
    if (lock.isEmpty()) {
      String holder = Files.readString(folder.lock());
      throw new BadItems(
          folder.path() + " is held by " + (holder.isEmpty() ? "another run" : holder));
    }
    Files.writeString(folder.lock(), who);
    return lock.getAsInt();
  }

  public static String process() {
    return "process " + ProcessHandle.current().pid();
  }
}
