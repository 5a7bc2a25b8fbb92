package gflow.store;

import gflow.job.AttemptId;
import gflow.job.Exit;
import gflow.job.Job;
import gflow.job.JobId;
import gflow.job.JobState;
import gflow.job.Step;
import gflow.job.StepId;
import gflow.job.TaskId;
import gflow.job.TaskNumbers;
import gflow.store.History.PastStep;
import gflow.store.Store.LiveSteps;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** Writes and reads the rows of steps. One that is over is never written again. */
final class StepRows {
  private static final String ALL =
      """
      SELECT s.job_id, s.task_number, s.attempt, s.step, s.name, s.tasks, s.overlap, s.gpus, s.cpus,
        s.cpu_ids, s.memory, s.pid, s.pid_start, s.started_at, s.ended_at, s.exit_code,
        s.exit_signal, s.end_by, s.end_why, j.base, s.cpu_seconds, s.peak_memory
      FROM step s JOIN job j ON j.id = s.job_id\
      """;

  private static final String LIVE =
      """
      SELECT a.job_id, a.task_number, a.attempt, max(s.step), j.base FROM attempt a
      JOIN job j ON j.id = a.job_id
      JOIN step s ON s.task_number = a.task_number AND s.attempt = a.attempt
      WHERE a.ended_at IS NULL GROUP BY a.task_number, a.attempt\
      """;

  private static final String TASKS =
      "SELECT DISTINCT task_number FROM step WHERE task_number BETWEEN ? AND ?"
          + " ORDER BY task_number LIMIT ?";

  private final PreparedCommand start;
  private final PreparedCommand ending;
  private final PreparedCommand end;

  StepRows(Connection connection) throws SQLException {
    start =
        new PreparedCommand(
            connection,
            """
            INSERT INTO step (task_number, attempt, step, job_id, name, tasks, overlap, gpus, cpus,
              cpu_ids, memory, pid, pid_start, started_at, end_by, end_why)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)\
            """);
    ending =
        new PreparedCommand(
            connection,
            """
            UPDATE step SET end_by = ?, end_why = ?
            WHERE task_number = ? AND attempt = ? AND step = ? AND ended_at IS NULL\
            """);
    end =
        new PreparedCommand(
            connection,
            """
            UPDATE step SET ended_at = ?, exit_code = ?, exit_signal = ?, cpu_seconds = ?,
              peak_memory = ?
            WHERE task_number = ? AND attempt = ? AND step = ? AND ended_at IS NULL\
            """);
  }

  static List<TaskId> tasks(Connection connection, Job job, int limit) throws SQLException {
    TaskNumbers numbers = job.numbers();
    var tasks = new ArrayList<TaskId>();
    try (PreparedStatement query = connection.prepareStatement(TASKS)) {
      PreparedCommand.bind(query, numbers.id().value(), numbers.last().value(), limit);
      try (ResultSet row = query.executeQuery()) {
        while (row.next()) {
          tasks.add(job.task(numbers.offset(new JobId(row.getLong(1)))));
        }
      }
    }
    return tasks;
  }

  void started(Step step) throws SQLException {
    AttemptId attempt = step.id().attempt();
    start.run(
        attempt.task().number().value(),
        attempt.number(),
        step.id().number(),
        attempt.task().job().value(),
        step.name(),
        step.tasks(),
        step.overlap(),
        GrantTexts.text(step.share().gpus()),
        step.share().cpus(),
        step.share().cpuIds().toString(),
        step.share().memory(),
        step.parent().pid(),
        step.parent().startTime(),
        step.startedAt(),
        step.ending().map(Step.Ending::at).orElse(null),
        step.ending().map(order -> order.why().name()).orElse(null));
  }

  void ending(StepId id, Step.Ending order) throws SQLException {
    ending.runOne(
        "step " + id,
        order.at(),
        order.why().name(),
        id.attempt().task().number().value(),
        id.attempt().number(),
        id.number());
  }

  void ended(StepId id, Step.End over) throws SQLException {
    end.runOne(
        "step " + id,
        over.at(),
        over.exit().code(),
        over.exit().signal(),
        AttemptWriter.cpuSeconds(over.usage()),
        AttemptWriter.peak(over.usage()),
        id.attempt().task().number().value(),
        id.attempt().number(),
        id.number());
  }

  /** All of a task, in the order of their starts. */
  static List<PastStep> of(Connection connection, TaskId task) throws SQLException {
    try (PreparedStatement query =
        connection.prepareStatement(ALL + " WHERE s.task_number = ? ORDER BY s.attempt, s.step")) {
      PreparedCommand.bind(query, task.number().value());
      return read(query);
    }
  }

  /** Of the attempts without an end, in their order. */
  static List<LiveSteps> live(Connection connection) throws SQLException {
    var running = new TreeMap<AttemptId, List<Step>>();
    var next = new TreeMap<AttemptId, Integer>();
    try (PreparedStatement query = connection.prepareStatement(LIVE);
        ResultSet row = query.executeQuery()) {
      while (row.next()) {
        next.put(new AttemptId(RowReader.task(row, 5), row.getInt(3)), row.getInt(4) + 1);
      }
    }
    try (PreparedStatement query =
        connection.prepareStatement(ALL + " WHERE s.ended_at IS NULL ORDER BY s.step")) {
      for (PastStep past : read(query)) {
        running
            .computeIfAbsent(past.step().id().attempt(), _ -> new ArrayList<>())
            .add(past.step());
      }
    }
    var all = new ArrayList<LiveSteps>();
    next.forEach((id, n) -> all.add(new LiveSteps(id, n, running.getOrDefault(id, List.of()))));
    return all;
  }

  private static List<PastStep> read(PreparedStatement query) throws SQLException {
    var grants = new GrantTexts();
    var all = new ArrayList<PastStep>();
    try (ResultSet row = query.executeQuery()) {
      while (row.next()) {
        all.add(new PastStep(step(row, grants), end(row)));
      }
    }
    return all;
  }

  private static Step step(ResultSet row, GrantTexts grants) throws SQLException {
    return new Step(
        new StepId(new AttemptId(RowReader.task(row, 20), row.getInt(3)), row.getInt(4)),
        row.getString(5),
        row.getInt(6),
        row.getInt(7) != 0,
        new Step.Share(
            row.getInt(9),
            ColumnTexts.ranges(row.getString(10)),
            grants.grants(row.getString(8)),
            row.getLong(11)),
        new Step.Parent(row.getLong(12), row.getLong(13)),
        ColumnTexts.instant(row.getLong(14)),
        ending(row));
  }

  private static Optional<Step.Ending> ending(ResultSet row) throws SQLException {
    long at = row.getLong(18);
    return row.wasNull()
        ? Optional.empty()
        : Optional.of(
            new Step.Ending(ColumnTexts.instant(at), JobState.valueOf(row.getString(19))));
  }

  private static Optional<Step.End> end(ResultSet row) throws SQLException {
    long at = row.getLong(15);
    return row.wasNull()
        ? Optional.empty()
        : Optional.of(
            new Step.End(
                new Exit(row.getInt(16), row.getInt(17)),
                ColumnTexts.instant(at),
                RowReader.usage(row, 21, 22)));
  }
}
