package gflow.tasks;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import gflow.process.Descriptor;
import gflow.process.ProcessWatch;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntConsumer;

/**
 * Carries the lines of {@link Pmi} to and from the tasks, each over a connection that it inherits.
 * Who breaks the protocol loses his. Callers hold the lock, and so does who hears.
 */
final class PmiServer {
  private final Pmi pmi;
  private final ProcessWatch watch;
  private final Object lock;
  private final IntConsumer abort;
  private final Map<Integer, Descriptor.Connection> connections = new TreeMap<>();

  PmiServer(Pmi pmi, ProcessWatch watch, Object lock, IntConsumer abort) {
    this.pmi = pmi;
    this.watch = watch;
    this.lock = lock;
    this.abort = abort;
  }

  /** The descriptor that this task shall inherit. */
  int connect(int rank) throws IOException {
    var connection = Descriptor.connection();
    connections.put(rank, connection);
    return connection.theirs();
  }

  /** It has inherited it. */
  void started(int rank) {
    var connection = connections.get(rank);
    if (connection != null) {
      connection.closeTheirs();
      var lines = new PmiLines();
      watch.read(connection.ours(), bytes -> hear(rank, lines, bytes));
    }
  }

  boolean isInside(int rank) {
    return pmi.isInside(rank);
  }

  private boolean hear(int rank, PmiLines lines, byte[] bytes) {
    synchronized (lock) {
      return answer(rank, lines, bytes);
    }
  }

  private boolean answer(int rank, PmiLines lines, byte[] bytes) {
    boolean honest = bytes.length > 0;
    for (String line : lines.of(bytes)) {
      Pmi.Answer answer = pmi.hear(rank, line);
      for (Pmi.Line out : answer.lines()) {
        honest &= send(out) || out.rank() != rank;
      }
      answer.abort().ifPresent(abort);
    }
    honest &= !lines.isTooLong();
    if (!honest) {
      leave(rank);
    }
    return honest;
  }

  /** Who asks and does not read the answers has no room for more. */
  private boolean send(Pmi.Line line) {
    var connection = connections.get(line.rank());
    byte[] bytes = (line.text() + "\n").getBytes(ISO_8859_1);
    try {
      return connection != null && connection.ours().write(bytes, 0) == bytes.length;
    } catch (IOException e) {
      return false;
    }
  }

  private void leave(int rank) {
    var connection = connections.remove(rank);
    if (connection != null) {
      connection.ours().close();
    }
  }
}
