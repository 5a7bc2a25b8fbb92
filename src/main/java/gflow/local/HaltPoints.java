package gflow.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Named points in the life of an attempt at which a test may stop the daemon dead, as a crash or a
 * power cut would: {@code after_spawn:3} in the file that {@code GFLOW_HALT_AT} names halts at the
 * third pass. It is a file so that it holds for the next daemon, whoever starts that. Off unless
 * asked for.
 */
public final class HaltPoints {
  /** In the order in which an attempt meets them. */
  public enum Point {
    BEFORE_START_COMMIT,
    AFTER_START_COMMIT,
    BEFORE_SPAWN,
    AFTER_SPAWN,
    BEFORE_RECORD,
    AFTER_RECORD,
    BEFORE_END_COMMIT,
    AFTER_END_COMMIT,
    BEFORE_DISCARD,
    AFTER_DISCARD
  }

  public static final HaltPoints NONE = new HaltPoints("");

  private final String text;
  private final @Nullable Point end;
  private final AtomicInteger left;

  /** {@code file} is read now; an empty name or an empty file is no halt. */
  public static HaltPoints from(String file) {
    try {
      return file.isEmpty() ? NONE : new HaltPoints(Files.readString(Path.of(file)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** {@code text} is empty, or a point and how often it is passed before the end. */
  public HaltPoints(String text) {
    this.text = text;
    int colon = text.indexOf(':');
    String name = (colon < 0 ? text : text.substring(0, colon)).toUpperCase(Locale.ROOT);
    // A wrong name is an error: a test that never halts proves nothing.
    end = name.isEmpty() ? null : Point.valueOf(name);
    left = new AtomicInteger(colon < 0 ? 1 : Integer.parseInt(text.substring(colon + 1)));
  }

  public void pass(Point point) {
    if (point == end && left.decrementAndGet() == 0) {
      System.err.println("halted at " + text);
      Runtime.getRuntime().halt(137);
    }
  }
}
