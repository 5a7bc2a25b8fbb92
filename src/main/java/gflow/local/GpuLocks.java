package gflow.local;

import gflow.job.Allocation;
import gflow.job.Allocation.GpuGrant;
import gflow.job.GpuId;
import gflow.process.FileLock;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * A lock for each real GPU, in a folder that all users of the machine share. The wrapper inherits
 * it, so the job itself holds it until its last process is gone, whatever becomes of the daemon.
 */
final class GpuLocks {
  private final Path folder;
  private final boolean simulated;

  GpuLocks(Path folder, boolean simulated) {
    this.folder = folder;
    this.simulated = simulated;
  }

  /** The open locks of an allocation, or the card that somebody else has. */
  sealed interface Taken {
    record All(List<Integer> descriptors) implements Taken {}

    record Not(GpuId gpu) implements Taken {}
  }

  /** Locks whole cards; the parts of a card are kept apart by its one daemon. */
  Taken take(Allocation allocation) throws IOException {
    var open = new ArrayList<Integer>();
    for (GpuGrant grant : simulated ? List.<GpuGrant>of() : allocation.gpus()) {
      if (grant.whole()) {
        OptionalInt lock = FileLock.tryLock(file(grant.gpu()));
        if (lock.isEmpty()) {
          close(open);
          return new Taken.Not(grant.gpu());
        }
        open.add(lock.getAsInt());
      }
    }
    return new Taken.All(open);
  }

  static void close(List<Integer> descriptors) {
    descriptors.forEach(FileLock::close);
  }

  private Path file(GpuId gpu) throws IOException {
    share(folder, "rwxrwxrwx", true);
    Path file = folder.resolve(gpu.uuid().replaceAll("[^A-Za-z0-9-]", "_"));
    share(file, "rw-rw-rw-", false);
    return file;
  }

  /** Made by whichever user comes first, and usable by all. */
  private static void share(Path path, String mode, boolean isFolder) throws IOException {
    if (Files.exists(path)) {
      return;
    }
    try {
      if (isFolder) {
        Files.createDirectories(path);
      } else {
        Files.createFile(path);
      }
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
    } catch (FileAlreadyExistsException e) {
      // Another daemon was faster; its file serves as well.
    }
  }
}
