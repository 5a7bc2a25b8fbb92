package gflow.cli.frame;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** A text that the launcher's shell goes on with; nobody else may read it. */
public final class ShellText {
  private ShellText() {}

  public static String write(Path file, byte[] text) throws IOException {
    Files.deleteIfExists(file);
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.write(file, text);
    return file.toString();
  }
}
