package gflow.store;

import gflow.job.AttemptId;
import gflow.job.GpuId;
import gflow.job.Loan;
import gflow.store.Store.LiveLoans;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Writes and reads the rows of cards on loan. */
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

  private final PreparedCommand take;
  private final PreparedCommand time;
  private final PreparedCommand back;

  LoanRows(Connection connection) throws SQLException {
    take =
        new PreparedCommand(
            connection,
            """
            INSERT INTO loan (task_number, attempt, taken_at, gpu, job_id, card)
            SELECT task_number, attempt, ?, ?, job_id, ? FROM attempt
            WHERE task_number = ? AND attempt = ? AND ended_at IS NULL\
            """);
    time =
        new PreparedCommand(
            connection,
            """
            UPDATE attempt SET lent = lent + (
              SELECT l.back_at - l.taken_at FROM loan l
              WHERE l.task_number = attempt.task_number AND l.attempt = attempt.attempt
                AND l.gpu = ? ORDER BY l.taken_at DESC LIMIT 1)
            WHERE task_number = ? AND attempt = ? AND ended_at IS NULL\
            """);
    back =
        new PreparedCommand(
            connection,
            """
            UPDATE loan SET back_at = max(taken_at, ?)
            WHERE gpu = ? AND task_number = ? AND attempt = ? AND back_at IS NULL\
            """);
  }

  void lent(AttemptId id, Loan loan) throws SQLException {
    take.runOne(
        "attempt " + id,
        loan.takenAt(),
        loan.card().gpu().uuid(),
        GrantTexts.text(List.of(loan.card())),
        id.task().number().value(),
        id.number());
  }

  void back(AttemptId id, GpuId gpu, Instant at) throws SQLException {
    long number = id.task().number().value();
    String what = "loan of " + gpu + " to " + id;
    back.runOne(what, at, gpu.uuid(), number, id.number());
    time.runOne(what, gpu.uuid(), number, id.number());
  }

  /** Of the attempts without an end that have a loan, or had one. */
  static List<LiveLoans> live(Connection connection) throws SQLException {
    var before = new TreeMap<AttemptId, Duration>();
    var loans = new TreeMap<AttemptId, List<Loan>>();
    var grants = new GrantTexts();
    try (PreparedStatement query = connection.prepareStatement(LIVE);
        ResultSet row = query.executeQuery()) {
      while (row.next()) {
        var id = new AttemptId(RowReader.task(row, 7), row.getInt(3));
        before.put(id, micros(row.getLong(4)));
        List<Loan> all = loans.computeIfAbsent(id, _ -> new ArrayList<>());
        String card = row.getString(5);
        if (card != null) {
          Instant takenAt = ColumnTexts.instant(row.getLong(6));
          all.add(new Loan(grants.grants(card).getFirst(), takenAt));
        }
      }
    }
    var all = new ArrayList<LiveLoans>();
    before.forEach((id, time) -> all.add(new LiveLoans(id, time, loans.get(id))));
    return all;
  }

  static Duration micros(long count) {
    return Duration.of(count, ChronoUnit.MICROS);
  }
}
