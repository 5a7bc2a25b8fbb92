package gflow.api;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * Ends connections whose next request does not come whole. The server's own idle time begins anew
 * with each byte, so one byte a minute would hold a connection for ever.
 */
final class SlowHeads implements Connection.Listener {
  private final Connector connector;
  private final Duration patience;
  private final Map<Connection, Scheduler.Task> looks = new ConcurrentHashMap<>();

  SlowHeads(Connector connector, Duration patience) {
    this.connector = connector;
    this.patience = patience;
  }

  @Override
  public void onOpened(Connection connection) {
    lookLater(connection, 0);
  }

  @Override
  public void onClosed(Connection connection) {
    Scheduler.Task look = looks.remove(connection);
    if (look != null) {
      look.cancel();
    }
  }

  private void lookLater(Connection connection, long requests) {
    looks.put(
        connection,
        connector
            .getScheduler()
            .schedule(
                () -> look(connection, requests), patience.toMillis(), TimeUnit.MILLISECONDS));
    if (!connection.getEndPoint().isOpen()) {
      onClosed(connection);
    }
  }

  /** {@code before}: how many requests it had brought at the last look. */
  private void look(Connection connection, long before) {
    long requests = connection.getMessagesIn();
    if (requests > before || requests > connection.getMessagesOut()) {
      lookLater(connection, requests);
    } else {
      connection.getEndPoint().close();
    }
  }
}
