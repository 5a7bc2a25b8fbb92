package gflow.store;

import gflow.job.TaskState;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.SortedMap;
import java.util.TreeMap;

/** The tasks that run or are being ended, as the store knows them: attempts without an end. */
final class Live {
  private static final String NOT_ENDED = "SELECT " + Rows.LIVE + " WHERE a.ended_at IS NULL";

  private Live() {}

  /** By job and offset. */
  static SortedMap<Long, SortedMap<Integer, TaskState>> all(Connection connection, Rows rows)
      throws SQLException {
    try (PreparedStatement query = connection.prepareStatement(NOT_ENDED)) {
      return read(query, rows);
    }
  }

  /** Of the job that owns these numbers. */
  static SortedMap<Integer, TaskState> of(Connection connection, Rows rows, long id, int count)
      throws SQLException {
    try (PreparedStatement query =
        connection.prepareStatement(NOT_ENDED + " AND a.task_number BETWEEN ? AND ?")) {
      Command.bind(query, id, id + count - 1);
      return read(query, rows).getOrDefault(id, new TreeMap<>());
    }
  }

  private static SortedMap<Long, SortedMap<Integer, TaskState>> read(
      PreparedStatement query, Rows rows) throws SQLException {
    var live = new TreeMap<Long, SortedMap<Integer, TaskState>>();
    try (ResultSet row = query.executeQuery()) {
      while (row.next()) {
        live.computeIfAbsent(row.getLong(1), id -> new TreeMap<>())
            .put(Rows.offset(row), rows.live(row));
      }
    }
    return live;
  }
}
