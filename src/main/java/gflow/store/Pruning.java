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

/** Forgets old jobs, some at a time, so that no transaction becomes huge. */
final class Pruning {
  private static final int AT_ONCE = 1000;

  /** Callers repeat a request within seconds; a day is plenty. */
  static final Duration ANSWERS_KEPT = Duration.ofDays(1);

  private final Connection connection;
  private final Writer writer;
  private final Command dropAttempts;
  private final Command dropSteps;
  private final Command dropLoans;
  private final Command dropSpec;
  private final Command dropJob;
  private final Command dropBlobs;
  private final Command dropAnswers;

  Pruning(Connection connection, Writer writer) throws SQLException {
    this.connection = connection;
    this.writer = writer;
    dropAttempts = new Command(connection, "DELETE FROM attempt WHERE task_number BETWEEN ? AND ?");
    dropSteps = new Command(connection, "DELETE FROM step WHERE task_number BETWEEN ? AND ?");
    dropLoans = new Command(connection, "DELETE FROM loan WHERE task_number BETWEEN ? AND ?");
    dropSpec = new Command(connection, "DELETE FROM spec WHERE job_id = ?");
    dropJob = new Command(connection, "DELETE FROM job WHERE id = ?");
    dropBlobs = new Command(connection, "DELETE FROM blob WHERE used_by = 0");
    // The newest answer stands for the present: the store has no clock.
    dropAnswers =
        new Command(
            connection, "DELETE FROM answered WHERE at < (SELECT max(at) FROM answered) - ?");
  }

  int run(Instant endedBefore) throws SQLException {
    int all = 0;
    int some;
    do {
      some = someJobs(endedBefore);
      all += some;
    } while (some == AT_ONCE);
    writer.atomically(
        () -> {
          dropBlobs.run();
          dropAnswers.run(ANSWERS_KEPT.toNanos() / 1000);
        });
    return all;
  }

  private int someJobs(Instant endedBefore) throws SQLException {
    List<Job> old = find(endedBefore);
    if (!old.isEmpty()) {
      writer.atomically(() -> drop(old));
    }
    return old.size();
  }

  private List<Job> find(Instant endedBefore) throws SQLException {
    var rows = new Rows();
    var old = new ArrayList<Job>();
    try (PreparedStatement query =
        connection.prepareStatement(
            "SELECT " + Rows.JOB + " WHERE j.over = 1 AND j.ended_at < ? LIMIT " + AT_ONCE)) {
      Command.bind(query, endedBefore);
      try (ResultSet row = query.executeQuery()) {
        while (row.next()) {
          old.add(rows.job(row));
        }
      }
    }
    return old;
  }

  private void drop(List<Job> old) throws SQLException {
    var blobs = new Blobs();
    for (Job job : old) {
      long id = job.id().value();
      dropAttempts.run(id, id + job.spec().tasks().count() - 1);
      dropSteps.run(id, id + job.spec().tasks().count() - 1);
      dropLoans.run(id, id + job.spec().tasks().count() - 1);
      dropSpec.run(id);
      dropJob.run(id);
      blobs.dropped(job.spec());
    }
    writer.use(blobs);
  }
}
