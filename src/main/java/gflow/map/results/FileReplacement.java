package gflow.map.results;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * Puts new files in the place of those that say what a map is and what is done of it: all of them
 * or none, whenever the power goes. They are written beside the old ones; a mark says that all are
 * there, and from then on whoever comes next finishes the work.
 */
public final class FileReplacement {
  private FileReplacement() {}

  /** Where the new one is written. */
  public static Path fresh(Path file) {
    return file.resolveSibling(file.getFileName() + ".new");
  }

  public static void commit(MapFolder folder) throws IOException {
    for (Path file : files(folder)) {
      if (Files.exists(fresh(file))) {
        sync(fresh(file), StandardOpenOption.WRITE);
      }
    }
    Files.write(mark(folder), new byte[0]);
    sync(folder.path(), StandardOpenOption.READ);
    finish(folder);
  }

  /** All that is new is there, and only not in its place yet. */
  public static boolean isCommitted(MapFolder folder) {
    return Files.exists(mark(folder));
  }

  /** Does what is left of one that was committed, and forgets one that was not. */
  public static void finish(MapFolder folder) throws IOException {
    boolean committed = isCommitted(folder);
    for (Path file : files(folder)) {
      if (committed && Files.exists(fresh(file))) {
        Files.move(fresh(file), file, StandardCopyOption.ATOMIC_MOVE);
      }
      Files.deleteIfExists(fresh(file));
    }
    if (committed) {
      sync(folder.path(), StandardOpenOption.READ);
      Files.delete(mark(folder));
    }
  }

  private static List<Path> files(MapFolder folder) {
    return List.of(folder.results(), folder.items(), folder.plan());
  }

  private static Path mark(MapFolder folder) {
    return folder.path().resolve("replacing");
  }

  private static void sync(Path path, StandardOpenOption how) throws IOException {
    try (var file = FileChannel.open(path, how)) {
      file.force(true);
    }
  }
}
