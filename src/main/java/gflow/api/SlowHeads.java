package gflow.api;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.io.Connection;

/**
 * Ends connections whose next request does not come whole. The server's own idle time begins anew
 * with each byte, so one byte a minute would hold a connection for ever.
 */
final class SlowHeads implements Connection.Listener {
  private final Duration patience;
  private final Map<Connection, Seen> open = new ConcurrentHashMap<>();

  /** How many requests it had brought, and since when. */
  private record Seen(long requests, long since) {}

  SlowHeads(Duration patience) {
    this.patience = patience;
  }

  @Override
  public void onOpened(Connection connection) {
    open.put(connection, new Seen(0, System.nanoTime()));
  }

  @Override
  public void onClosed(Connection connection) {
    open.remove(connection);
  }

  /** Until it is interrupted. */
  void watch() {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        Thread.sleep(patience.dividedBy(2));
        open.replaceAll(this::look);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Seen look(Connection connection, Seen before) {
    long requests = connection.getMessagesIn();
    boolean answering = requests > connection.getMessagesOut();
    if (answering || requests > before.requests()) {
      return new Seen(requests, System.nanoTime());
    }
    if (System.nanoTime() - before.since() > patience.toNanos()) {
      connection.getEndPoint().close();
    }
    return before;
  }
}
