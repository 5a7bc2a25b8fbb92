package gflow;

import static java.nio.file.StandardWatchEventKinds.ENTRY_DELETE;

import gflow.config.Folders;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The ways in, and an eye on them. Where somebody has removed the run folder they are made again,
 * so that a daemon that lives can be reached. Where the database itself is gone, or is another one,
 * nothing that we promise would hold: we end, and leave the jobs alone.
 */
final class Reach implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("gflow.reach");

  /** Without a word from the kernel we look that often. */
  private static final int SECONDS = 10;

  /** Whoever removes a folder needs a moment for all of it. */
  private static final long A_MOMENT = 200;

  /** Opens the ways in: what is closed first comes first. */
  interface Doors {
    List<AutoCloseable> open() throws IOException;
  }

  private final Folders folders;
  private final Doors doors;
  private final Runnable end;
  private final Optional<Object> database;
  private final Optional<WatchService> kernel;
  private final Thread eye;
  private List<AutoCloseable> open;
  private volatile boolean closed;
  private volatile boolean homeless;

  /** {@code end} is run when there is no home any more. */
  Reach(Folders folders, Doors doors, Runnable end) throws IOException {
    this.folders = folders;
    this.doors = doors;
    this.end = end;
    database = key(folders.database());
    open = doors.open();
    kernel = watch();
    eye = Thread.ofPlatform().daemon().name("reach").start(this::watchOver);
  }

  /** Whether that was the end. */
  boolean homeless() {
    return homeless;
  }

  private Optional<WatchService> watch() {
    try {
      return Optional.of(folders.data().getFileSystem().newWatchService());
    } catch (IOException e) {
      // Too many watches on this machine: looking now and then will do.
      return Optional.empty();
    }
  }

  private void watchOver() {
    try {
      while (!closed && !homeless) {
        await();
        look();
      }
    } catch (ClosedWatchServiceException | InterruptedException e) {
      // We close.
    }
  }

  private void await() throws InterruptedException {
    if (kernel.isEmpty()) {
      TimeUnit.SECONDS.sleep(SECONDS);
      return;
    }
    for (Path folder : List.of(folders.data(), folders.run())) {
      try {
        folder.register(kernel.get(), ENTRY_DELETE);
      } catch (IOException e) {
        // It is gone already, and the look finds that.
        return;
      }
    }
    WatchKey news = kernel.get().poll(SECONDS, TimeUnit.SECONDS);
    if (news != null) {
      news.pollEvents();
      news.reset();
      TimeUnit.MILLISECONDS.sleep(A_MOMENT);
    }
  }

  private synchronized void look() {
    if (closed) {
      return;
    }
    if (database.isPresent() && !key(folders.database()).equals(database)) {
      homeless = true;
      end.run();
    } else if (!isThere()) {
      LOG.log(Level.WARNING, "somebody has removed " + folders.run() + "; it is made again");
      reopen();
    }
  }

  private boolean isThere() {
    Path door = folders.door();
    return Files.exists(folders.socket())
        && Files.exists(door.resolve("knock"))
        && Files.exists(door.resolve("daemon"));
  }

  private void reopen() {
    closeAll();
    open = List.of();
    try {
      open = doors.open();
    } catch (IOException e) {
      LOG.log(Level.WARNING, "nobody can reach gflowd: " + e.getMessage() + "; tried again soon");
    }
  }

  private void closeAll() {
    for (AutoCloseable way : open) {
      try {
        way.close();
      } catch (Exception e) {
        LOG.log(Level.WARNING, "a way in did not close well: " + e);
      }
    }
  }

  /** What makes a file that file, whatever its name. */
  private static Optional<Object> key(Path file) {
    try {
      return Optional.ofNullable(Files.readAttributes(file, BasicFileAttributes.class).fileKey());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  @Override
  public void close() throws IOException {
    synchronized (this) {
      closed = true;
      closeAll();
    }
    if (kernel.isPresent()) {
      kernel.get().close();
    }
    eye.interrupt();
  }
}
