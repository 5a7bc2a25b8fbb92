package gflow.door;

import static java.nio.charset.StandardCharsets.US_ASCII;

import gflow.process.Descriptor;
import gflow.process.ProcessId;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/** The standard input of another process, opened anew through /proc. */
final class CallerStdin extends InputStream {
  /** Where a launcher keeps its stdin while it listens to us. */
  static final int FD = 3;

  private final ProcessId caller;
  private final Descriptor source;
  private final byte[] one = new byte[1];

  private CallerStdin(ProcessId caller, Descriptor source) {
    this.caller = caller;
    this.source = source;
  }

  static InputStream of(ProcessId caller) throws IOException {
    long pid = caller.pid();
    var path = Path.of("/proc/" + pid + "/fd/" + FD);
    var link = Callers.link(pid, "fd/" + FD);
    if (link.isEmpty()) {
      return InputStream.nullInputStream();
    }
    if (link.get().startsWith("socket:")) {
      throw new NeedsOwnProcess("a socket cannot be opened anew");
    }
    return Files.isRegularFile(path)
        ? file(pid, path)
        : new CallerStdin(caller, Descriptor.toRead(path.toString()));
  }

  /** A shell may have read a part of it before: {@code { read -r title; gbatch -; } < jobs}. */
  private static InputStream file(long pid, Path path) throws IOException {
    var info = Files.readString(Path.of("/proc/" + pid + "/fdinfo/" + FD), US_ASCII);
    var channel = FileChannel.open(path);
    channel.position(Long.parseLong(info.lines().findFirst().orElseThrow().substring(4).strip()));
    return Channels.newInputStream(channel);
  }

  @Override
  public int read() throws IOException {
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int from, int count) throws IOException {
    if (count == 0) {
      return 0;
    }
    var bytes = new byte[Math.min(count, 1 << 16)];
    for (var pause = new Backoff(); ; pause.rest()) {
      int got = source.read(bytes);
      if (got != 0) {
        System.arraycopy(bytes, 0, into, from, Math.max(got, 0));
        return got;
      }
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedIOException("the door closes");
      }
      if (!caller.alive()) {
        throw new IOException("the caller is gone");
      }
    }
  }

  @Override
  public void close() {
    source.close();
  }
}
