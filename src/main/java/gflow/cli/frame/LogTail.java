package gflow.cli.frame;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads a log on and on. Remembers where it stopped, and begins anew when the file was cut or
 * replaced. What is no UTF-8 comes out as U+FFFD; a letter that is written in two goes waits for
 * its second half.
 */
public final class LogTail implements AutoCloseable {
  private static final int BLOCK = 1 << 16;

  private final Path path;
  private final ByteBuffer bytes = ByteBuffer.allocate(BLOCK);
  private final CharBuffer letters = CharBuffer.allocate(BLOCK);
  private final CharsetDecoder decoder =
      StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPLACE)
          .onUnmappableCharacter(CodingErrorAction.REPLACE);
  private @Nullable FileChannel file;
  private @Nullable Object key;

  public LogTail(Path path) {
    this.path = path;
  }

  /** Goes to where the last lines begin; before the file is there, it does nothing. */
  public void skipToLast(long lines) throws IOException {
    if (open()) {
      FileChannel channel = opened();
      channel.position(startOfLast(channel, lines));
    }
  }

  private static long startOfLast(FileChannel channel, long lines) throws IOException {
    if (lines == 0) {
      return channel.size();
    }
    long end = channel.size();
    long left = lines + 1;
    ByteBuffer block = ByteBuffer.allocate(BLOCK);
    boolean atEnd = true;
    while (end > 0) {
      int size = (int) Math.min(BLOCK, end);
      block.clear().limit(size);
      int read = channel.read(block, end - size);
      for (int i = read - 1; i >= 0; i--) {
        boolean newline = block.get(i) == '\n';
        // A last line without its newline counts as a line too.
        left -= newline || atEnd ? 1 : 0;
        atEnd = false;
        if (left == 0 && newline) {
          return end - size + i + 1;
        }
      }
      end -= size;
    }
    return 0;
  }

  /** What was written since; empty if there is nothing new. */
  public Optional<String> next() throws IOException {
    if (!open()) {
      return Optional.empty();
    }
    int read = opened().read(bytes);
    if (read <= 0) {
      return Optional.empty();
    }
    return Optional.of(decode(false));
  }

  /** What is left of a letter whose end never came. */
  public String rest() {
    return bytes.position() == 0 ? "" : decode(true);
  }

  private String decode(boolean last) {
    bytes.flip();
    letters.clear();
    decoder.decode(bytes, letters, last);
    bytes.compact();
    return letters.flip().toString();
  }

  /** False while there is no file. */
  private boolean open() throws IOException {
    if (file != null && !replaced()) {
      return true;
    }
    try {
      FileChannel next = FileChannel.open(path);
      close();
      file = next;
      key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
      return true;
    } catch (NoSuchFileException e) {
      return file != null;
    }
  }

  private boolean replaced() throws IOException {
    FileChannel channel = opened();
    long size = channel.size();
    if (channel.position() < size) {
      return false;
    }
    if (channel.position() > size) {
      return true;
    }
    try {
      Object now = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
      return now != null && !now.equals(key);
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  private FileChannel opened() {
    return java.util.Objects.requireNonNull(file);
  }

  @Override
  public void close() throws IOException {
    if (file != null) {
      file.close();
    }
  }
}
