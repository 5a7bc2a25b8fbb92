package gflow.process;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.Arena;

/** A pipe to or from a child: the numbers of both ends, and our own one as a stream of Java's. */
public record Pipe(int reading, int writing) {
  public static Pipe make() throws IOException {
    try (var arena = Arena.ofConfined()) {
      var ends = arena.allocate(JAVA_INT, 2);
      Libc.check(Libc.call("pipe2", ends.address(), Libc.O_CLOEXEC), "make a pipe");
      return new Pipe(ends.get(JAVA_INT, 0), ends.getAtIndex(JAVA_INT, 1));
    }
  }

  /** When the child has the other end: opened anew by its name, since Java takes no numbers. */
  public InputStream toRead() throws IOException {
    try {
      return new FileInputStream("/proc/self/fd/" + reading);
    } finally {
      close();
    }
  }

  public OutputStream toWrite() throws IOException {
    try {
      return new FileOutputStream("/proc/self/fd/" + writing);
    } finally {
      close();
    }
  }

  public void close() {
    Libc.close(reading);
    Libc.close(writing);
  }
}
