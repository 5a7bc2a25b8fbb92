package gflow.store;

import gflow.job.Allocation.GpuGrant;
import gflow.job.AttemptId;
import gflow.job.GpuId;
import gflow.job.Loan;
import gflow.store.Store.LiveLoans;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Writes and reads the rows of GPUs on loan. */
final class LoanRows {
  private static final String LIVE =
      """
      SELECT a.job_id, a.task_number, a.attempt, a.lent, l.card, l.taken_at, j.base FROM attempt a
      JOIN job j ON j.id = a.job_id
      LEFT JOIN loan l ON l.task_number = a.task_number AND l.attempt = a.attempt
        AND l.back_at IS NULL
      WHERE a.ended_at IS NULL AND (a.lent > 0 OR l.gpu IS NOT NULL)
      ORDER BY a.task_number, a.attempt, l.taken_at, l.gpu\
      """;

  private LoanRows() {}

  static void lent(Statements writes, AttemptId id, Loan loan) throws SQLException {
    writes.one(
        "attempt " + id,
        """
        INSERT INTO loan (task_number, attempt, taken_at, gpu, job_id, card)
        SELECT task_number, attempt, ?, ?, job_id, ? FROM attempt
        WHERE task_number = ? AND attempt = ? AND ended_at IS NULL\
        """,
        loan.takenAt(),
        loan.grant().gpu(),
        GrantTexts.text(List.of(loan.grant())),
        id.task().number(),
        id.number());
  }

  static void back(Statements writes, AttemptId id, GpuId gpu, Instant at) throws SQLException {
    String what = "loan of " + gpu + " to " + id;
    writes.one(
        what,
        """
        UPDATE loan SET back_at = max(taken_at, ?)
        WHERE gpu = ? AND task_number = ? AND attempt = ? AND back_at IS NULL\
        """,
        at,
        gpu,
        id.task().number(),
        id.number());
    writes.one(
        what,
        """
        UPDATE attempt SET lent = lent + (
          SELECT l.back_at - l.taken_at FROM loan l
          WHERE l.task_number = attempt.task_number AND l.attempt = attempt.attempt
            AND l.gpu = ? ORDER BY l.taken_at DESC LIMIT 1)
        WHERE task_number = ? AND attempt = ? AND ended_at IS NULL\
        """,
        gpu,
        id.task().number(),
        id.number());
  }

  /** Of the attempts without an end that have a loan, or had one. */
  static List<LiveLoans> live(Connection connection) throws SQLException {
    var grants = new GrantTexts();
    var all = new TreeMap<AttemptId, LiveLoans>();
    Row.each(
        connection,
        LIVE,
        row -> {
          var id = new AttemptId(row.task(), row.whole("attempt"));
          Duration time = time(row);
          var known = all.computeIfAbsent(id, _ -> new LiveLoans(id, time, new ArrayList<>()));
          if (row.has("card")) {
            GpuGrant gpu = grants.grants(row.text("card")).getFirst();
            known.loans().add(new Loan(gpu, row.time("taken_at")));
          }
          return true;
        });
    return List.copyOf(all.values());
  }

  /** How long an attempt had GPUs on loan that came back. */
  static Duration time(Row attempt) throws SQLException {
    return Duration.of(attempt.number("lent"), ChronoUnit.MICROS);
  }
}
