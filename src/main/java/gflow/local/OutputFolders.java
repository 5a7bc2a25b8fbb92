package gflow.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Makes the folder of a file as the submitter would, with what is missing above it. */
public final class OutputFolders {
  private OutputFolders() {}

  public static void make(Path folder, int umask) {
    if (Files.isDirectory(folder)) {
      return;
    }
    make(above(folder), umask);
    try {
      Files.createDirectory(folder);
      Files.setPosixFilePermissions(folder, permissions(umask));
    } catch (IOException e) {
      // Who opens the file then says what is wrong, and it is the job's own fault.
    }
  }

  /** The nearest folder that is there. */
  public static Path there(Path folder) {
    return Files.exists(folder) ? folder : there(above(folder));
  }

  private static Path above(Path folder) {
    return folder.getParent() == null ? folder.getRoot() : folder.getParent();
  }

  private static Set<PosixFilePermission> permissions(int umask) {
    var text = new StringBuilder("rwxrwxrwx");
    for (int i = 0; i < text.length(); i++) {
      if ((umask & (0400 >> i)) != 0) {
        text.setCharAt(i, '-');
      }
    }
    return PosixFilePermissions.fromString(text.toString());
  }
}
