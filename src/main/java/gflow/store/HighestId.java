package gflow.store;

import gflow.store.Store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * The next number of a job, kept a second time in a file beside the database. A database that was
 * emptied, put back from an old copy, or has lost its WAL would begin again at a number that was
 * given out already, without a word.
 */
final class HighestId {
  private final Path database;
  private final Path file;
  private long written;

  private HighestId(Path database) {
    this.database = database;
    file = Path.of(database + ".next");
  }

  /** Refuses a database that knows less than the file. */
  static HighestId check(Path database, long nextId) throws StoreException {
    var highest = new HighestId(database);
    highest.written = highest.read();
    if (highest.written > nextId) {
      throw new StoreException(
          String.format(
              "%s has lost jobs: its next number is %d, but %d were given out. Put the database"
                  + " back together with its -wal file; or begin anew with what it has: rm %s",
              database, nextId, highest.written - 1, highest.file));
    }
    return highest;
  }

  private long read() {
    try {
      String text = Files.exists(file) ? Files.readString(file).strip() : "";
      return text.matches("\\d{1,18}") ? Long.parseLong(text) : 0;
    } catch (IOException e) {
      // It is only a second witness.
      return 0;
    }
  }

  /** What is committed; never ahead of the database. */
  synchronized void write(long nextId) {
    if (nextId <= written || !Files.exists(database)) {
      return;
    }
    try {
      Path draft = Path.of(file + ".new");
      Files.deleteIfExists(draft);
      Files.createFile(draft, Database.PRIVATE);
      Files.writeString(draft, nextId + "\n");
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
      written = nextId;
    } catch (IOException e) {
      // Tried again in a moment.
    }
  }
}
