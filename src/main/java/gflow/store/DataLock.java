package gflow.store;

import gflow.store.Store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One daemon per data folder: held as long as the process lives, and gone with it. The file stays,
 * because removing it would let two daemons hold two files of that name.
 */
public final class DataLock implements AutoCloseable {
  /**
   * The folders that this process holds. The kernel's lock belongs to the process, and closing the
   * file a second time would let go of it: so a second try must not even open the file.
   */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  /** Another process holds the folder. */
  public static final class Taken extends StoreException {
    private static final long serialVersionUID = 1;

    private Taken(Path folder, String pid) {
      super("another gflowd (pid " + pid + ") uses " + folder);
    }
  }

  private final Path folder;
  private final FileChannel channel;

  private DataLock(Path folder, FileChannel channel) {
    this.folder = folder;
    this.channel = channel;
  }

  /** Makes the folder (0700) if it is not there. */
  public static DataLock take(Path folder) throws StoreException {
    try {
      Files.createDirectories(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      return takeReal(folder.toRealPath());
    } catch (IOException e) {
      throw new StoreException("cannot lock the folder " + folder + ": " + e.getMessage(), e);
    }
  }

  /**
   * The process that holds the folder: the one that the file names, if it has the file open. A
   * hint, the lock itself decides.
   */
  public static OptionalLong holder(Path folder) {
    Path file = folder.resolve("lock");
    try {
      String pid = Files.readString(file).strip();
      return pid.matches("\\d{1,9}") && opens(pid, file.toRealPath())
          ? OptionalLong.of(Long.parseLong(pid))
          : OptionalLong.empty();
    } catch (IOException e) {
      return OptionalLong.empty();
    }
  }

  private static boolean opens(String pid, Path file) throws IOException {
    try (var descriptors = Files.newDirectoryStream(Path.of("/proc", pid, "fd"))) {
      for (Path descriptor : descriptors) {
        if (Files.isSymbolicLink(descriptor) && Files.readSymbolicLink(descriptor).equals(file)) {
          return true;
        }
      }
      return false;
    } catch (DirectoryIteratorException e) {
      return false;
    }
  }

  private static DataLock takeReal(Path folder) throws IOException, StoreException {
    if (!HELD.add(folder)) {
      throw new Taken(folder, Long.toString(ProcessHandle.current().pid()));
    }
    try {
      return new DataLock(folder, lock(folder));
    } catch (IOException | StoreException | RuntimeException e) {
      HELD.remove(folder);
      throw e;
    }
  }

  private static FileChannel lock(Path folder) throws IOException, StoreException {
    FileChannel channel =
        FileChannel.open(
            folder.resolve("lock"),
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    try {
      if (channel.tryLock() == null) {
        throw new Taken(folder, read(channel));
      }
      channel.truncate(0);
      String pid = ProcessHandle.current().pid() + "\n";
      channel.write(ByteBuffer.wrap(pid.getBytes(StandardCharsets.US_ASCII)), 0);
      return channel;
    } catch (IOException | StoreException e) {
      channel.close();
      throw e;
    }
  }

  private static String read(FileChannel channel) throws IOException {
    ByteBuffer text = ByteBuffer.allocate(32);
    channel.read(text, 0);
    return StandardCharsets.US_ASCII.decode(text.flip()).toString().strip();
  }

  @Override
  public void close() throws IOException {
    channel.close();
    HELD.remove(folder);
  }
}
