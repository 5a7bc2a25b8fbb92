package gflow.map.items;

import gflow.process.RawText;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.nio.file.Path;
import java.util.HexFormat;

/**
 * Paths whose names are {@link RawText}. The JDK keeps the bytes of a name that the kernel gave,
 * but shows and takes them only in URIs.
 */
public final class RawPaths {
  private RawPaths() {}

  /** As written, seen from the folder. */
  public static Path path(Path folder, String written) {
    return written.chars().allMatch(c -> c < 0x80) ? folder.resolve(written) : raw(folder, written);
  }

  private static Path raw(Path folder, String written) {
    String whole = written.startsWith("/") ? written : folder.toAbsolutePath() + "/" + written;
    var uri = new StringBuilder("file://");
    for (byte one : RawText.bytes(whole)) {
      if (one == '/') {
        uri.append('/');
      } else {
        uri.append('%').append(HexFormat.of().toHexDigits(one));
      }
    }
    return Path.of(URI.create(uri.toString()));
  }

  /** The last name of a path that came from the kernel. */
  static String name(Path path) {
    String name = path.getFileName().toString();
    return name.indexOf('\uFFFD') < 0 ? name : RawText.of(bytes(path));
  }

  private static byte[] bytes(Path path) {
    String escaped = path.toUri().getRawPath();
    int end = escaped.endsWith("/") ? escaped.length() - 1 : escaped.length();
    var bytes = new ByteArrayOutputStream();
    for (int at = escaped.lastIndexOf('/', end - 1) + 1; at < end; at++) {
      if (escaped.charAt(at) == '%') {
        bytes.write(HexFormat.fromHexDigits(escaped, at + 1, at + 3));
        at += 2;
      } else {
        bytes.write(escaped.charAt(at));
      }
    }
    return bytes.toByteArray();
  }
}
