package gflow.store;

import gflow.job.Job;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Forgets old jobs, so few rows at a time that nobody has to wait for it. A long array goes from
 * its parts to its name: cut off in the middle, it is found again.
 */
final class Pruning {
  private static final int JOBS = 100;
  private static final int ROWS = 1000;

  /** Callers repeat a request within seconds; a day is plenty. */
  static final Duration ANSWERS_KEPT = Duration.ofDays(1);

  private final Connection connection;
  private final ChangeWriter writer;
  private final List<PreparedCommand> dropParts;
  private final PreparedCommand dropSpec;
  private final PreparedCommand dropJob;
  private final PreparedCommand dropBlobs;
  private final PreparedCommand dropAnswers;

  Pruning(Connection connection, ChangeWriter writer) throws SQLException {
    this.connection = connection;
    this.writer = writer;
    dropParts =
        List.of(
            dropPart("step", "task_number, attempt, step"),
            dropPart("loan", "task_number, attempt, taken_at, gpu"),
            dropPart("attempt", "task_number, attempt"));
    dropSpec = new PreparedCommand(connection, "DELETE FROM spec WHERE job_id = ?");
    dropJob = new PreparedCommand(connection, "DELETE FROM job WHERE id = ?");
    dropBlobs =
        new PreparedCommand(
            connection,
            "DELETE FROM blob WHERE hash IN (SELECT hash FROM blob WHERE used_by = 0 LIMIT ?)");
    // The newest answer stands for the present: the store has no clock.
    dropAnswers =
        new PreparedCommand(
            connection,
            "DELETE FROM answered WHERE key IN (SELECT key FROM answered"
                + " WHERE at < (SELECT max(at) FROM answered) - ? LIMIT ?)");
  }

  private PreparedCommand dropPart(String table, String key) throws SQLException {
    String some = "SELECT %s FROM %s WHERE task_number BETWEEN ? AND ? LIMIT ?";
    String sql = "DELETE FROM %s WHERE (%s) IN (" + some + ")";
    return new PreparedCommand(connection, sql.formatted(table, key, key, table));
  }

  Store.Pruned run(Instant endedBefore) throws SQLException {
    List<Job> old = find(endedBefore);
    var dropped = new ArrayList<Job>();
    var more = new ArrayList<Boolean>();
    writer.atomically(
        () -> {
          more.add(!drop(old, dropped) || old.size() == JOBS);
          // Last, and once: no index leads to old answers.
          more.add(dropBlobs.run(JOBS) == JOBS);
          more.add(!more.contains(true) && dropAnswers(ROWS * 10));
        });
    return new Store.Pruned(dropped.size(), more.contains(true));
  }

  private boolean dropAnswers(int most) throws SQLException {
    return dropAnswers.run(ANSWERS_KEPT.toNanos() / 1000, most) == most;
  }

  private List<Job> find(Instant endedBefore) throws SQLException {
    var rows = new RowReader();
    var old = new ArrayList<Job>();
    try (PreparedStatement query =
        connection.prepareStatement(
            "SELECT " + RowReader.JOB + " WHERE j.over = 1 AND j.ended_at < ? LIMIT " + JOBS)) {
      PreparedCommand.bind(query, endedBefore);
      try (ResultSet row = query.executeQuery()) {
        while (row.next()) {
          old.add(rows.job(row));
        }
      }
    }
    return old;
  }

  /** False if not all of them fit into so many rows. */
  private boolean drop(List<Job> old, List<Job> dropped) throws SQLException {
    var blobs = new BlobCounts();
    int left = ROWS;
    for (Job job : old) {
      long first = job.id().value();
      for (PreparedCommand part : dropParts) {
        left -= part.run(first, job.numbers().last().value(), left);
      }
      if (left <= 0) {
        break;
      }
      dropSpec.run(first);
      dropJob.run(first);
      blobs.dropped(job.spec());
      dropped.add(job);
    }
    writer.use(blobs);
    return dropped.size() == old.size();
  }
}
