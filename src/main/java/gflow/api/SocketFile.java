package gflow.api;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;

/** The file of the socket: free before it is bound, private after. */
record SocketFile(Path path) {
  /** What the kernel has room for. */
  static final int MAX_LENGTH = 107;

  /** A dead daemon leaves its socket behind; a living one keeps it. */
  void free() throws IOException {
    int length = path.toString().getBytes(StandardCharsets.UTF_8).length;
    if (length > MAX_LENGTH) {
      String bound = " bytes, the kernel allows " + MAX_LENGTH;
      throw new IOException("the path of the socket has " + length + bound + ": " + path);
    }
    if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      if (!isSocket()) {
        throw new IOException(path + " is in the way: it is no socket");
      }
      if (answers()) {
        throw new IOException("another gflowd answers at " + path);
      }
      Files.delete(path);
    }
  }

  private boolean isSocket() throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
        .isOther();
  }

  private boolean answers() {
    try (var channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      return channel.connect(UnixDomainSocketAddress.of(path));
    } catch (IOException e) {
      return false;
    }
  }

  void makePrivate() throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
  }
}
