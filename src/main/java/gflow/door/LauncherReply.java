package gflow.door;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import gflow.cli.frame.Output;
import gflow.process.Descriptor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The answer to one launcher. Small ones go as lines, which the shell prints itself; the first
 * letter says where to. A shell reads them byte by byte, so of more than {@link #SMALL} it starts a
 * {@code cat}, and from then on the pipe is its stdout.
 *
 * <p>A whole answer of lines is one write of at most PIPE_BUF bytes: a launcher gets it or not.
 */
final class LauncherReply implements Output, AutoCloseable {
  static final int SMALL = 4000;
  private static final int LARGEST_HELD_BACK = 1 << 18;

  private final Descriptor pipe;
  private final Path path;
  private int toSkip;
  private boolean copying;
  private boolean gone;
  private boolean silent = true;
  private boolean handedOver;
  private final ByteArrayOutputStream lines = new ByteArrayOutputStream();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  /** The first lines are left out: an earlier answer, cut off by a crash, has brought them. */
  LauncherReply(Descriptor pipe, Path path, int printed) {
    this.pipe = pipe;
    this.path = path;
    this.toSkip = printed;
  }

  @Override
  public synchronized void out(String text) {
    add(text, 'o', out);
  }

  @Override
  public synchronized void err(String text) {
    add(text, 'e', err);
  }

  private void add(String text, char kind, ByteArrayOutputStream plain) {
    String rest = skip(text);
    plain.writeBytes(rest.getBytes(UTF_8));
    if (!copying && lines.size() <= SMALL) {
      // Of a longer one no lines are sent: so much of it shows that it is longer.
      addLines(rest.length() > SMALL ? rest.substring(0, SMALL + 1) : rest, kind);
    }
    if (out.size() > LARGEST_HELD_BACK) {
      flush();
    }
  }

  private String skip(String text) {
    String rest = text;
    for (; toSkip > 0 && !rest.isEmpty(); toSkip--) {
      int end = rest.indexOf('\n');
      rest = end < 0 ? "" : rest.substring(end + 1);
    }
    return rest;
  }

  private void addLines(String text, char kind) {
    for (int from = 0; from < text.length(); ) {
      int end = text.indexOf('\n', from);
      lines.write(end < 0 ? Character.toUpperCase(kind) : kind);
      lines.writeBytes(text.substring(from, end < 0 ? text.length() : end).getBytes(UTF_8));
      lines.write('\n');
      from = end < 0 ? text.length() : end + 1;
    }
  }

  @Override
  public synchronized boolean flush() {
    if (!copying && mustCopy()) {
      startCopy("");
    }
    if (copying) {
      send(out);
    } else {
      send(lines);
      out.reset();
      err.reset();
    }
    return !gone && !pipe.deserted();
  }

  private boolean mustCopy() {
    return lines.size() > SMALL || out.toString(ISO_8859_1).indexOf('\0') >= 0;
  }

  /** What was for stderr so far goes before; what comes later waits for the end. */
  private void startCopy(String code) {
    lines.reset();
    addLines(err.toString(UTF_8), 'e');
    err.reset();
    lines.writeBytes(("c" + code + "\n").getBytes(UTF_8));
    send(lines);
    copying = true;
    pipe.widen(LARGEST_HELD_BACK);
  }

  /** Ends the answer. The launcher knows a whole one by its file, which is gone then. */
  synchronized void finish(int code) throws IOException {
    if (handedOver) {
      return;
    }
    if (copying) {
      send(out);
      end(code);
    } else if (mustCopy()) {
      startCopy(Integer.toString(code));
      send(out);
      Files.deleteIfExists(path);
    } else {
      // The launcher goes with this line, so the folder is tidied before.
      Files.deleteIfExists(path);
      lines.writeBytes(("x" + code + "\n").getBytes(UTF_8));
      send(lines);
    }
  }

  /** In place of the empty file comes one with the code and the rest of stderr. */
  private void end(int code) throws IOException {
    var file = path.resolveSibling("e" + path.getFileName());
    Files.writeString(file, code + "\n" + err.toString(UTF_8));
    Files.move(file, path, java.nio.file.StandardCopyOption.ATOMIC_MOVE);
    if (gone || pipe.deserted()) {
      Files.deleteIfExists(path);
    }
  }

  /** The launcher reads that file as a part of itself, and stays. */
  @Override
  public synchronized boolean handOver(Text text) {
    if (copying) {
      return false;
    }
    try {
      String file = text.write();
      Files.deleteIfExists(path);
      lines.writeBytes(("s" + file + "\n").getBytes(UTF_8));
      send(lines);
      handedOver = true;
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Tells the launcher to start the JVM client; only as long as nothing was said. */
  synchronized void elsewhere() throws IOException {
    Files.deleteIfExists(path);
    lines.reset();
    lines.writeBytes("j\n".getBytes(UTF_8));
    send(lines);
  }

  synchronized boolean silent() {
    return silent;
  }

  private void send(ByteArrayOutputStream from) {
    byte[] bytes = from.toByteArray();
    from.reset();
    silent &= bytes.length == 0;
    var pause = new Backoff();
    try {
      for (int done = 0; done < bytes.length && !gone; ) {
        int count = pipe.write(bytes, done);
        gone = count < 0 || Thread.currentThread().isInterrupted();
        done += Math.max(count, 0);
        if (count == 0) {
          pause.rest();
        } else {
          pause = new Backoff();
        }
      }
    } catch (IOException _) {
      gone = true;
    }
  }

  @Override
  public void close() {
    pipe.close();
  }
}
