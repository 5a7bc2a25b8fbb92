package gflow.cli.frame;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Reads the files that a user names, and says in plain words why one cannot be read. */
public final class UserFiles {
  private static final int MOST = 4 << 20;

  private UserFiles() {}

  /** A file that an option names; it travels with the order, so it must not be huge. */
  static byte[] attached(Call call, String option, String written) throws Refused {
    return bytes(call.path(written), "--" + option + ": " + written);
  }

  public static byte[] bytes(Path path, String what) throws Refused {
    try {
      if (Files.isDirectory(path)) {
        throw new Refused(what + " is a directory, not a file");
      }
      // A device, as /dev/zero, has no size and no end.
      byte[] text = read(path);
      if (text.length > MOST) {
        throw new Refused(what + " is larger than 4M; such data belongs in a file of its own");
      }
      return text;
    } catch (IOException e) {
      throw new Refused(what + ": " + why(e));
    }
  }

  private static byte[] read(Path path) throws IOException {
    try (InputStream in = Files.newInputStream(path)) {
      return in.readNBytes(MOST + 1);
    }
  }

  public static String why(IOException e) {
    return switch (e) {
      case NoSuchFileException _ -> "there is no such file";
      case AccessDeniedException _ -> "permission denied";
      default -> String.valueOf(e.getMessage());
    };
  }
}
