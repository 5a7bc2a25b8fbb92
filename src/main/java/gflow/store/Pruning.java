package gflow.store;

import gflow.job.Job;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Forgets old jobs, so few rows at a time that nobody has to wait for it. A long array goes from
 * its parts to its name: cut off in the middle, it is found again.
 */
record Pruning(Connection connection, Statements writes, ChangeWriter writer) {
  private static final int JOBS = 100;
  private static final int ROWS = 1000;

  /** Callers repeat a request within seconds; a day is plenty. */
  static final Duration ANSWERS_KEPT = Duration.ofDays(1);

  private static final List<String> PARTS =
      List.of(
          part("step", "task_number, attempt, step"),
          part("loan", "task_number, attempt, taken_at, gpu"),
          part("gpu_curve", "task_number, attempt"),
          part("attempt", "task_number, attempt"));

  private static String part(String table, String key) {
    String some = "SELECT %s FROM %s WHERE task_number BETWEEN ? AND ? LIMIT ?";
    return ("DELETE FROM %s WHERE (%s) IN (" + some + ")").formatted(table, key, key, table);
  }

  Store.Pruned run(Instant endedBefore) throws SQLException {
    List<Job> old = new JobRows(connection).over(endedBefore, JOBS);
    var dropped = new ArrayList<Job>();
    var more = new ArrayList<Boolean>();
    writer.atomically(
        () -> {
          more.add(!drop(old, dropped) || old.size() == JOBS);
          // Last, and once: no index leads to old answers.
          more.add(dropBlobs(JOBS) == JOBS);
          more.add(!more.contains(true) && dropAnswers(ROWS * 10));
        });
    return new Store.Pruned(dropped.size(), more.contains(true));
  }

  private int dropBlobs(int most) throws SQLException {
    return writes.run(
        "DELETE FROM blob WHERE hash IN (SELECT hash FROM blob WHERE used_by = 0 LIMIT ?)", most);
  }

  /** The newest answer stands for the present: the store has no clock. */
  private boolean dropAnswers(int most) throws SQLException {
    int dropped =
        writes.run(
            "DELETE FROM answered WHERE key IN (SELECT key FROM answered"
                + " WHERE at < (SELECT max(at) FROM answered) - ? LIMIT ?)",
            ANSWERS_KEPT.toNanos() / 1000,
            most);
    return dropped == most;
  }

  /** False if not all of them fit into so many rows. */
  private boolean drop(List<Job> old, List<Job> dropped) throws SQLException {
    var blobs = new BlobCounts();
    int left = ROWS;
    for (Job job : old) {
      for (String part : PARTS) {
        left -= writes.run(part, job.id(), job.numbers().last(), left);
      }
      if (left <= 0) {
        break;
      }
      writes.run("DELETE FROM spec WHERE job_id = ?", job.id());
      writes.run("DELETE FROM job WHERE id = ?", job.id());
      blobs.dropped(job.spec());
      dropped.add(job);
    }
    writer.use(blobs);
    return dropped.size() == old.size();
  }
}
