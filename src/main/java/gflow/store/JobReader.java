package gflow.store;

import gflow.job.Job;
import gflow.job.JobId;
import gflow.job.Ranges;
import gflow.job.TaskNumbers;
import gflow.store.History.Known;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Whole jobs, as one read sees them; each is read once. For one thread. */
final class JobReader {
  private static final String KNOWN =
      """
      SELECT j.id, j.base, j.count, j.array, j.over, j.failed, j.last_start_at
      FROM json_each(?) n JOIN job j ON j.id = (SELECT max(id) FROM job WHERE id <= n.value)
      WHERE n.value < j.id + j.base + j.count\
      """;

  private final Connection connection;
  private final RowReader rows;
  private final Map<Long, Job> known = new HashMap<>();

  JobReader(Connection connection, RowReader rows) {
    this.connection = connection;
    this.rows = rows;
  }

  /** All that are not over, in the order of their ids. */
  static List<Job> unfinished(Connection connection) throws SQLException {
    var rows = new RowReader();
    var live = LiveTasks.all(connection, rows);
    var jobs = new ArrayList<Job>();
    try (PreparedStatement query =
            connection.prepareStatement(
                "SELECT " + RowReader.JOB + " WHERE j.over = 0 ORDER BY j.id");
        ResultSet row = query.executeQuery()) {
      while (row.next()) {
        jobs.add(LiveTasks.in(rows.job(row), live));
      }
    }
    return jobs;
  }

  /** Of the jobs that own these numbers what is in one row each. */
  static List<Known> known(Connection connection, Collection<JobId> numbers) throws SQLException {
    var arrays = new Interned<String, Ranges>(ColumnTexts::ranges);
    var known = new TreeMap<Long, Known>();
    try (PreparedStatement query = connection.prepareStatement(KNOWN)) {
      query.setString(1, numbers.toString());
      try (ResultSet row = query.executeQuery()) {
        while (row.next()) {
          known.putIfAbsent(row.getLong(1), known(row, arrays));
        }
      }
    }
    return List.copyOf(known.values());
  }

  private static Known known(ResultSet row, Interned<String, Ranges> texts) throws SQLException {
    return new Known(
        new TaskNumbers(new JobId(row.getLong(1)), row.getInt(2), row.getInt(3)),
        Optional.ofNullable(row.getString(4)).map(texts::of),
        row.getBoolean(5),
        texts.of(row.getString(6)),
        ColumnTexts.instant(row.getLong(7)));
  }

  /** The job that owns this number. */
  Optional<Job> owner(long number) throws SQLException {
    try (PreparedStatement query =
        connection.prepareStatement(
            "SELECT id, base + count FROM job WHERE id <= ? ORDER BY id DESC LIMIT 1")) {
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
        connection.prepareStatement("SELECT " + RowReader.JOB + " WHERE j.id = ?")) {
      query.setLong(1, id);
      try (ResultSet row = query.executeQuery()) {
        if (!row.next()) {
          throw new IllegalStateException("not in the store: job " + id);
        }
        return LiveTasks.in(rows.job(row), connection, rows);
      }
    }
  }
}
