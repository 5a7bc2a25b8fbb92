package gflow.local;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;

import gflow.job.AttemptId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The two folders of each attempt: that of its record, and its private one for temporary files.
 * Empty ones are kept and used again under another name, because to make and remove them for each
 * of ten thousand tasks costs the file system as much as the tasks. Gone is gone all the same: a
 * wrapper that comes late finds no folder for its record.
 */
public final class AttemptFolders implements AutoCloseable {
  private static final int MOST_SPARE = 32;

  private final AttemptPaths places;
  private final Spares records;
  private final Spares temporary;

  AttemptFolders(AttemptPaths places) {
    this.places = places;
    records = new Spares(places.jobs());
    temporary = new Spares(places.temporary());
  }

  void make(AttemptId id) throws IOException {
    records.make(places.folder(id));
    temporary.make(places.tmp(id));
  }

  /** Notes that something is being done; false if it was noted before. */
  boolean note(AttemptId id, String what) {
    try {
      Files.createFile(places.folder(id).resolve(what));
      return true;
    } catch (FileAlreadyExistsException | NoSuchFileException e) {
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** For an attempt whose end is committed. Doing it again does no harm. */
  void remove(AttemptId id) {
    temporary.remove(places.tmp(id));
    // What keeps a file keeps its folder too, and that is reported.
    places.record(id).toFile().delete();
    places.script(id).toFile().delete();
    records.remove(places.folder(id));
  }

  @Override
  public void close() {
    records.close();
    temporary.close();
  }

  /** At the start of the daemon: what a crash left of attempts that are not known any more. */
  public static void sweep(AttemptPaths places, Set<String> known) {
    for (Path parent : List.of(places.jobs(), places.temporary())) {
      try (Stream<Path> folders = Files.list(parent)) {
        folders
            .filter(f -> !known.contains(f.getFileName().toString()))
            .forEach(AttemptFolders::removeTree);
      } catch (NoSuchFileException e) {
        // Nothing ran here yet.
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Empty folders below one parent, for the next. */
  private static final class Spares {
    private static final Set<PosixFilePermission> OURS =
        PosixFilePermissions.fromString("rwx------");

    private final Path parent;
    private final Deque<Path> spare = new ArrayDeque<>();
    private int made;

    Spares(Path parent) {
      this.parent = parent;
    }

    synchronized void make(Path folder) throws IOException {
      Path old = spare.poll();
      if (old == null || !renamed(old, folder)) {
        Files.createDirectories(folder);
      }
    }

    synchronized void remove(Path folder) {
      Path old = parent.resolve("spare-" + made);
      if (spare.size() < MOST_SPARE && isAsNew(folder) && renamed(folder, old)) {
        made++;
        spare.add(old);
      } else {
        removeTree(folder);
      }
    }

    synchronized void close() {
      spare.forEach(AttemptFolders::removeTree);
      spare.clear();
    }

    /** Empty; its last user may have changed who may enter it. */
    private static boolean isAsNew(Path folder) {
      String[] names = folder.toFile().list();
      try {
        Files.setPosixFilePermissions(folder, OURS);
        return names != null && names.length == 0;
      } catch (IOException e) {
        return false;
      }
    }

    private static boolean renamed(Path from, Path to) {
      try {
        Files.move(from, to, ATOMIC_MOVE);
        return true;
      } catch (IOException e) {
        return false;
      }
    }
  }

  /** A log in which nothing stands helps nobody. */
  static void removeIfEmpty(Path log) {
    try {
      if (Files.size(log) == 0) {
        Files.delete(log);
      }
    } catch (IOException e) {
      // It was moved or removed by its owner.
    }
  }

  private static void removeTree(Path top) {
    if (top.toFile().delete()) {
      // It was empty, even if nobody may look into it.
      return;
    }
    try (Stream<Path> all = Files.walk(top)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (NoSuchFileException e) {
      // Removed before.
    } catch (IOException | UncheckedIOException e) {
      System.getLogger("gflow.local")
          .log(System.Logger.Level.WARNING, "cannot remove " + top + ": " + e.getMessage());
    }
  }
}
