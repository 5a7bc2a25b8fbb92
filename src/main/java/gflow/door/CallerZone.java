package gflow.door;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;

/**
 * The caller's time zone, found as the C library does. Java's own search for the system's zone may
 * compare hundreds of files: 50 ms in a fresh JVM.
 */
final class CallerZone {
  private static final Path LOCAL = Path.of("/etc/localtime");
  private static final String FOLDER = "/zoneinfo/";

  private CallerZone() {}

  static ZoneId of(Optional<String> tz) {
    return tz.map(name -> named(name.startsWith(":") ? name.substring(1) : name))
        .orElseGet(CallerZone::system);
  }

  private static ZoneId system() {
    if (!Files.exists(LOCAL, LinkOption.NOFOLLOW_LINKS)) {
      return ZoneOffset.UTC;
    }
    try {
      String target = Files.readSymbolicLink(LOCAL).toString();
      return named(target.substring(target.lastIndexOf(FOLDER) + FOLDER.length()));
    } catch (IOException | UnsupportedOperationException _) {
      return ZoneId.systemDefault();
    }
  }

  private static ZoneId named(String name) {
    try {
      return switch (name) {
        case "", "UTC", "Etc/UTC", "UTC0" -> ZoneOffset.UTC;
        default -> ZoneId.of(name);
      };
    } catch (DateTimeException _) {
      return ZoneId.systemDefault();
    }
  }
}
