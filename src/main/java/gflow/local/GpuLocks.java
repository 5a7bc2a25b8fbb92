package gflow.local;

import gflow.job.Allocation;
import gflow.job.Allocation.GpuGrant;
import gflow.job.GpuId;
import gflow.process.FileLock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * A lock for each real GPU, in a folder that all users of the machine share: one where everybody
 * may make files and nobody can take away those of others. The wrapper inherits the lock, so the
 * job itself holds it until its last process is gone, whatever becomes of the daemon.
 *
 * <p>Who has a whole GPU has its lock alone. The jobs on parts of a GPU share that lock, and a
 * second one that bears the name of their daemon: so the next daemon sees whose they are.
 */
final class GpuLocks {
  private static final String PREFIX = "gflow-gpu.";
  private static final int PATIENCE = 100;

  private final Path folder;
  private final boolean simulated;
  private final String daemon;

  /** {@code daemon} is a name that no other daemon on this machine has. */
  GpuLocks(Path folder, boolean simulated, String daemon) {
    this.folder = folder;
    this.simulated = simulated;
    this.daemon = plain(daemon);
  }

  /** The open locks of an allocation, or the GPU that somebody else has. */
  sealed interface Taken {
    record All(List<Integer> descriptors) implements Taken {}

    record Not(GpuId gpu) implements Taken {}
  }

  Taken take(Allocation allocation) throws IOException {
    var open = new ArrayList<Integer>();
    for (GpuGrant grant : simulated ? List.<GpuGrant>of() : allocation.gpus()) {
      List<Integer> locks = grant.whole() ? whole(grant.gpu()) : part(grant.gpu());
      if (locks.isEmpty()) {
        close(open);
        return new Taken.Not(grant.gpu());
      }
      open.addAll(locks);
    }
    return new Taken.All(open);
  }

  private List<Integer> whole(GpuId gpu) throws IOException {
    OptionalInt lock = FileLock.tryLock(file(plain(gpu.uuid())));
    return lock.isPresent() ? List.of(lock.getAsInt()) : List.of();
  }

  /** To look who else has a part, and to take one, must be one act: the guard makes it so. */
  private List<Integer> part(GpuId gpu) throws IOException {
    String uuid = plain(gpu.uuid());
    OptionalInt guard = guard(file("guard." + uuid));
    if (guard.isEmpty()) {
      return List.of();
    }
    try {
      return othersHaveParts(uuid) ? List.of() : share(uuid);
    } finally {
      FileLock.close(guard.getAsInt());
    }
  }

  /** Nobody keeps a guard for longer than it takes to look. */
  private static OptionalInt guard(Path file) throws IOException {
    OptionalInt guard = FileLock.tryLock(file);
    for (int i = 0; i < PATIENCE && guard.isEmpty(); i++) {
      LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
      guard = FileLock.tryLock(file);
    }
    return guard;
  }

  private boolean othersHaveParts(String uuid) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        String name = file.getFileName().toString();
        if (name.startsWith(PREFIX + uuid + ".") && !name.equals(PREFIX + uuid + "." + daemon)) {
          OptionalInt lock = FileLock.tryLock(file);
          if (lock.isEmpty()) {
            return true;
          }
          FileLock.close(lock.getAsInt());
        }
      }
      return false;
    }
  }

  private List<Integer> share(String uuid) throws IOException {
    OptionalInt whole = FileLock.tryShare(file(uuid));
    if (whole.isEmpty()) {
      return List.of();
    }
    OptionalInt own = FileLock.tryShare(file(uuid + "." + daemon));
    if (own.isEmpty()) {
      FileLock.close(whole.getAsInt());
      return List.of();
    }
    return List.of(whole.getAsInt(), own.getAsInt());
  }

  static void close(List<Integer> descriptors) {
    descriptors.forEach(FileLock::close);
  }

  private static String plain(String name) {
    return name.replaceAll("[^A-Za-z0-9-]", "_");
  }

  private Path file(String name) {
    return folder.resolve(PREFIX + name);
  }
}
