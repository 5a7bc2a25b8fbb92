package gflow.cli.map;

import static java.nio.file.StandardWatchEventKinds.ENTRY_CREATE;
import static java.nio.file.StandardWatchEventKinds.ENTRY_MODIFY;

import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Path;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Waits until something in a folder changes. The kernel tells of it, but only of the first change
 * after {@link #listen}: of a map with short items there are thousands each second. Where it cannot
 * tell (too many watches, an old file system) one waits for the given time.
 */
final class FolderWatch implements AutoCloseable {
  private final Path folder;
  private final Optional<WatchService> kernel;
  private final CountDownLatch closed = new CountDownLatch(1);
  private Optional<WatchKey> key = Optional.empty();

  FolderWatch(Path folder) {
    this.folder = folder;
    kernel = open(folder);
  }

  private static Optional<WatchService> open(Path folder) {
    try {
      return Optional.of(folder.getFileSystem().newWatchService());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** What changes from now on will end the next wait. */
  void listen() {
    if (kernel.isEmpty()) {
      return;
    }
    try {
      key = Optional.of(folder.register(kernel.get(), ENTRY_CREATE, ENTRY_MODIFY));
    } catch (IOException | ClosedWatchServiceException e) {
      key = Optional.empty();
    }
  }

  /** At most so long; not at all after {@link #wake}. */
  void await(Duration most) {
    try {
      if (key.isEmpty()) {
        pause(most);
      } else {
        kernel.orElseThrow().poll(most.toMillis(), TimeUnit.MILLISECONDS);
        key.get().cancel();
      }
    } catch (ClosedWatchServiceException e) {
      // There is nothing more to wait for.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** So long, whatever changes; true after {@link #wake}, and then at once. */
  boolean pause(Duration time) {
    try {
      return closed.await(time.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  @Override
  public void close() {
    wake();
  }

  /** From any thread, for good: who waits goes on. */
  void wake() {
    closed.countDown();
    if (kernel.isPresent()) {
      try {
        kernel.get().close();
      } catch (IOException e) {
        // It was only for reading.
      }
    }
  }
}
