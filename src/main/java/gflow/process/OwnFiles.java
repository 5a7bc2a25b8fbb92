package gflow.process;

import static java.nio.file.attribute.PosixFilePermissions.asFileAttribute;
import static java.nio.file.attribute.PosixFilePermissions.fromString;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Files and folders that nobody else may read, whatever the umask is. */
public final class OwnFiles {
  private OwnFiles() {}

  /** With those above it. */
  public static void folder(Path folder) throws IOException {
    Files.createDirectories(folder, asFileAttribute(fromString("rwx------")));
  }

  /** Written anew. */
  public static void write(Path file, byte[] content) throws IOException {
    Files.deleteIfExists(file);
    Files.createFile(file, asFileAttribute(fromString("rw-------")));
    Files.write(file, content);
  }
}
