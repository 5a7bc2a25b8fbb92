package gflow.store;

import gflow.job.Job;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Whole jobs, as one read sees them; each is read once. For one thread. */
final class Jobs {
  private final Connection connection;
  private final Rows rows;
  private final Map<Long, Job> known = new HashMap<>();

  Jobs(Connection connection, Rows rows) {
    this.connection = connection;
    this.rows = rows;
  }

  /** All that are not over, in the order of their ids. */
  static List<Job> unfinished(Connection connection) throws SQLException {
    var rows = new Rows();
    var live = Live.all(connection, rows);
    var jobs = new ArrayList<Job>();
    try (PreparedStatement query =
            connection.prepareStatement("SELECT " + Rows.JOB + " WHERE j.over = 0 ORDER BY j.id");
        ResultSet row = query.executeQuery()) {
      while (row.next()) {
        Job job = rows.job(row);
        var running = live.get(job.id().value());
        jobs.add(running == null ? job : job.withLive(running));
      }
    }
    return jobs;
  }

  /** The job that owns this number. */
  Optional<Job> owner(long number) throws SQLException {
    try (PreparedStatement query =
        connection.prepareStatement(
            "SELECT id, count FROM job WHERE id <= ? ORDER BY id DESC LIMIT 1")) {
      query.setLong(1, number);
      try (ResultSet row = query.executeQuery()) {
        boolean owned = row.next() && number < row.getLong(1) + row.getInt(2);
        return owned ? Optional.of(get(row.getLong(1))) : Optional.empty();
      }
    }
  }

  Job get(long id) throws SQLException {
    Job job = known.get(id);
    if (job == null) {
      job = read(id);
      known.put(id, job);
    }
    return job;
  }

  private Job read(long id) throws SQLException {
    try (PreparedStatement query =
        connection.prepareStatement("SELECT " + Rows.JOB + " WHERE j.id = ?")) {
      query.setLong(1, id);
      try (ResultSet row = query.executeQuery()) {
        if (!row.next()) {
          throw new IllegalStateException("not in the store: job " + id);
        }
        Job job = rows.job(row);
        var live = Live.of(connection, rows, id, job.spec().tasks().count());
        return live.isEmpty() ? job : job.withLive(live);
      }
    }
  }
}
