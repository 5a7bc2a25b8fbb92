package gflow.store;

import gflow.store.Store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Connections for reading, a few of which are kept. They see what is committed and never hold up
 * the writer. Where the writer must hold the file alone, its own connection is lent out instead, in
 * turn with the commits.
 */
final class Readers implements AutoCloseable {
  private static final int KEPT = 4;

  private final Database database;
  private final Connection writer;
  private final ReentrantLock turn;
  private final Deque<Connection> idle = new ArrayDeque<>();
  private boolean closed;

  interface Read<T> {
    T from(Connection connection) throws SQLException;
  }

  Readers(Database database, Connection writer, ReentrantLock turn) {
    this.database = database;
    this.writer = writer;
    this.turn = turn;
  }

  /** Everything that is read in one call is of one moment. */
  <T> T read(Read<T> work) throws StoreException {
    return lend(c -> snapshot(c, work));
  }

  /** One query is of one moment by itself. */
  <T> Optional<T> first(String sql, Row.Reader<T> reader, Object... values) throws StoreException {
    return lend(c -> Row.first(c, sql, reader, values));
  }

  private <T> T lend(Read<T> work) throws StoreException {
    return SqliteErrors.said(database.file(), () -> database.alone() ? inTurn(work) : beside(work));
  }

  private <T> T inTurn(Read<T> work) throws SQLException {
    turn.lock();
    try {
      return work.from(writer);
    } finally {
      turn.unlock();
    }
  }

  private <T> T beside(Read<T> work) throws SQLException {
    Connection connection = take();
    boolean sound = false;
    try {
      T result = work.from(connection);
      sound = true;
      return result;
    } finally {
      giveBack(connection, sound);
    }
  }

  private static <T> T snapshot(Connection connection, Read<T> work) throws SQLException {
    Database.run(connection, "BEGIN");
    try {
      return work.from(connection);
    } finally {
      Database.run(connection, "ROLLBACK");
    }
  }

  private Connection take() throws SQLException {
    synchronized (idle) {
      Connection connection = idle.pollLast();
      if (connection != null) {
        return connection;
      }
    }
    return database.reader();
  }

  private void giveBack(Connection connection, boolean sound) throws SQLException {
    synchronized (idle) {
      if (sound && !closed && idle.size() < KEPT) {
        idle.addLast(connection);
        return;
      }
    }
    connection.close();
  }

  @Override
  public void close() throws SQLException {
    synchronized (idle) {
      closed = true;
      while (!idle.isEmpty()) {
        idle.removeLast().close();
      }
    }
  }
}
