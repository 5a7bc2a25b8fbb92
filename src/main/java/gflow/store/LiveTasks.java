package gflow.store;

import gflow.job.Job;
import gflow.job.JobId;
import gflow.job.TaskNumbers;
import gflow.job.TaskState;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.SortedMap;
import java.util.TreeMap;

/** The tasks that run or are being ended, as the store knows them: attempts without an end. */
final class LiveTasks {
  private static final String NOT_ENDED = "SELECT " + RowReader.LIVE + " WHERE a.ended_at IS NULL";

  private LiveTasks() {}

  /** By the numbers of job and task. */
  static SortedMap<Long, SortedMap<Long, TaskState>> all(Connection connection, RowReader rows)
      throws SQLException {
    try (PreparedStatement query = connection.prepareStatement(NOT_ENDED)) {
      return read(query, rows);
    }
  }

  /** The job with those of its tasks. */
  static Job in(Job job, Connection connection, RowReader rows) throws SQLException {
    TaskNumbers numbers = job.numbers();
    try (PreparedStatement query =
        connection.prepareStatement(NOT_ENDED + " AND a.task_number BETWEEN ? AND ?")) {
      PreparedCommand.bind(query, numbers.id().value(), numbers.last().value());
      return in(job, read(query, rows));
    }
  }

  static Job in(Job job, SortedMap<Long, SortedMap<Long, TaskState>> live) {
    var tasks = live.get(job.id().value());
    if (tasks == null) {
      return job;
    }
    var byOffset = new TreeMap<Integer, TaskState>();
    tasks.forEach((number, state) -> byOffset.put(job.numbers().offset(new JobId(number)), state));
    return job.withLive(byOffset);
  }

  private static SortedMap<Long, SortedMap<Long, TaskState>> read(
      PreparedStatement query, RowReader rows) throws SQLException {
    var live = new TreeMap<Long, SortedMap<Long, TaskState>>();
    try (ResultSet row = query.executeQuery()) {
      while (row.next()) {
        live.computeIfAbsent(row.getLong(1), id -> new TreeMap<>())
            .put(row.getLong(2), rows.live(row));
      }
    }
    return live;
  }
}
