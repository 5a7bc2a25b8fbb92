package gflow.local;

import gflow.job.AttemptId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Removes the files of attempts whose end is committed. Doing it again does no harm. */
public final class Leftovers {
  private Leftovers() {}

  static void remove(Places places, AttemptId id) {
    removeEmpty(places.tmp(id));
    removeRecord(places.record(id));
    removeEmpty(places.folder(id));
  }

  private static void removeRecord(Path record) {
    try {
      Files.deleteIfExists(record);
    } catch (IOException e) {
      // What keeps the file keeps its folder too, and that is reported.
    }
  }

  /** Most attempts leave nothing behind, and to look first would cost more than to remove. */
  private static void removeEmpty(Path folder) {
    try {
      Files.deleteIfExists(folder);
    } catch (IOException e) {
      removeTree(folder);
    }
  }

  /** At the start of the daemon: what a crash left of attempts that are not known any more. */
  public static void sweep(Places places, Set<String> known) {
    for (Path parent : List.of(places.jobs(), places.temporary())) {
      try (Stream<Path> folders = Files.list(parent)) {
        folders
            .filter(f -> !known.contains(f.getFileName().toString()))
            .forEach(Leftovers::removeTree);
      } catch (NoSuchFileException e) {
        // Nothing ran here yet.
      } catch (IOException e) {
        throw new UncheckedIOException(e);
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
