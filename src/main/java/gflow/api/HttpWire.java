package gflow.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * One request and its answer over the Unix socket: HTTP/1.1, as little of it as our own server
 * needs. Kept free of what is slow in a JVM that has just started.
 */
final class HttpWire implements AutoCloseable {
  private static final int LINE = 16 << 10;

  private final SocketChannel channel;
  private final InputStream in;

  private HttpWire(SocketChannel channel) {
    this.channel = channel;
    this.in = new BufferedInputStream(Channels.newInputStream(channel), LINE);
  }

  record Response(int status, String text) {}

  /** Fails only if nobody is there. */
  static HttpWire connect(Path socket) throws IOException {
    if (Files.notExists(socket)) {
      // A client hears it so before it has loaded what sockets need in Java.
      throw new NoSuchFileException(socket.toString());
    }
    checkOwner(socket);
    var channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      channel.connect(UnixDomainSocketAddress.of(socket));
      return new HttpWire(channel);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /** What we send has the caller's environment in it: it is not for whoever was first in /tmp. */
  private static void checkOwner(Path socket) throws IOException {
    int us = (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    int theirs = (int) Files.getAttribute(socket, "unix:uid", NOFOLLOW_LINKS);
    if (theirs != us && theirs != 0) {
      throw new AccessDeniedException(socket.toString());
    }
  }

  Response ask(String method, String target, String headers, byte[] body) throws IOException {
    String head =
        method
            + " "
            + target
            + " HTTP/1.1\r\nHost: gflow\r\n"
            + headers
            + "Content-Length: "
            + body.length
            + "\r\n\r\n";
    try {
      send(head.getBytes(UTF_8));
      send(body);
    } catch (IOException e) {
      // A server that refuses a body half-way may have said why, and that is there to be read.
      if (channel.isOpen()) {
        return answer();
      }
      throw e;
    }
    return answer();
  }

  private void send(byte[] bytes) throws IOException {
    var buffer = ByteBuffer.wrap(bytes);
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
  }

  private Response answer() throws IOException {
    String first = line();
    if (!first.startsWith("HTTP/1.1 ") || first.length() < 12) {
      throw new IOException("this is no HTTP: " + first);
    }
    int status = Integer.parseInt(first, 9, 12, 10);
    long length = -1;
    boolean chunked = false;
    for (String header = line(); !header.isEmpty(); header = line()) {
      String lower = header.toLowerCase(Locale.ROOT);
      if (lower.startsWith("content-length:")) {
        length = Long.parseLong(lower.substring(15).strip());
      } else if (lower.startsWith("transfer-encoding:")) {
        chunked = lower.endsWith("chunked");
      }
    }
    byte[] body = chunked ? chunks() : length < 0 ? in.readAllBytes() : exactly(length);
    return new Response(status, new String(body, UTF_8));
  }

  private byte[] chunks() throws IOException {
    var all = new ByteArrayOutputStream();
    for (long size = chunkSize(); size > 0; size = chunkSize()) {
      all.writeBytes(exactly(size));
      line();
    }
    return all.toByteArray();
  }

  private long chunkSize() throws IOException {
    return Long.parseLong(line().strip(), 16);
  }

  private byte[] exactly(long length) throws IOException {
    byte[] bytes = in.readNBytes(Math.toIntExact(length));
    if (bytes.length < length) {
      throw new EOFException("the answer ended early");
    }
    return bytes;
  }

  private String line() throws IOException {
    var line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0 || line.length() > LINE) {
        throw new EOFException("the answer ended early");
      }
      line.append((char) c);
    }
    if (!line.isEmpty() && line.charAt(line.length() - 1) == '\r') {
      line.setLength(line.length() - 1);
    }
    return line.toString();
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // It is over either way.
    }
  }
}
