package gflow.store;

import gflow.job.AttemptId;
import gflow.job.Job;
import gflow.job.JobState;
import gflow.job.Step;
import gflow.job.StepId;
import gflow.job.TaskId;
import gflow.store.History.PastStep;
import gflow.store.Store.LiveSteps;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** Writes and reads the rows of steps. One that is over is never written again. */
final class StepRows {
  private static final String ALL = "SELECT s.*, j.base FROM step s JOIN job j ON j.id = s.job_id ";

  private static final String LIVE =
      """
      SELECT a.job_id, a.task_number, a.attempt, max(s.step) AS last, j.base FROM attempt a
      JOIN job j ON j.id = a.job_id
      JOIN step s ON s.task_number = a.task_number AND s.attempt = a.attempt
      WHERE a.ended_at IS NULL GROUP BY a.task_number, a.attempt
      ORDER BY a.task_number, a.attempt\
      """;

  private static final String TASKS =
      "SELECT DISTINCT task_number FROM step WHERE task_number BETWEEN ? AND ?"
          + " ORDER BY task_number LIMIT ?";

  private static final String NOT_OVER =
      " WHERE task_number = ? AND attempt = ? AND step = ? AND ended_at IS NULL";

  private StepRows() {}

  static void started(Statements writes, Step step) throws SQLException {
    AttemptId attempt = step.id().attempt();
    writes.run(
        """
        INSERT INTO step (task_number, attempt, step, job_id, name, tasks, overlap, gpus, cpus,
          cpu_ids, memory, pid, pid_start, started_at, end_by, end_why)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)\
        """,
        attempt.task().number(),
        attempt.number(),
        step.id().number(),
        attempt.task().job(),
        step.name(),
        step.tasks(),
        step.overlap(),
        GrantTexts.text(step.share().gpus()),
        step.share().cpus(),
        step.share().cpuIds(),
        step.share().memory(),
        step.parent().pid(),
        step.parent().startTime(),
        step.startedAt(),
        step.ending().map(Step.Ending::at),
        step.ending().map(Step.Ending::why));
  }

  static void ending(Statements writes, StepId id, Step.Ending order) throws SQLException {
    writes.one(
        "step " + id,
        "UPDATE step SET end_by = ?, end_why = ?" + NOT_OVER,
        order.at(),
        order.why(),
        id.attempt().task().number(),
        id.attempt().number(),
        id.number());
  }

  static void ended(Statements writes, StepId id, Step.End over) throws SQLException {
    writes.one(
        "step " + id,
        "UPDATE step SET ended_at = ?, exit_code = ?, exit_signal = ?, cpu_seconds = ?,"
            + " peak_memory = ?"
            + NOT_OVER,
        over.at(),
        over.exit().code(),
        over.exit().signal(),
        AttemptRows.cpuSeconds(over.usage()),
        AttemptRows.peak(over.usage()),
        id.attempt().task().number(),
        id.attempt().number(),
        id.number());
  }

  static List<TaskId> tasks(Connection connection, Job job, int limit) throws SQLException {
    var numbers = job.numbers();
    return Row.all(
        connection,
        TASKS,
        row -> job.task(numbers.offset(row.job("task_number"))),
        numbers.id(),
        numbers.last(),
        limit);
  }

  /** All of a task, in the order of their starts. */
  static List<PastStep> of(Connection connection, TaskId task) throws SQLException {
    var grants = new GrantTexts();
    return Row.all(
        connection,
        ALL + "WHERE s.task_number = ? ORDER BY s.attempt, s.step",
        row -> new PastStep(step(row, grants), end(row)),
        task.number());
  }

  /** Of the attempts without an end, in their order. */
  static List<LiveSteps> live(Connection connection) throws SQLException {
    var grants = new GrantTexts();
    var running = new TreeMap<AttemptId, List<Step>>();
    for (Step step :
        Row.all(
            connection,
            ALL + "WHERE s.ended_at IS NULL ORDER BY s.step",
            row -> step(row, grants))) {
      running.computeIfAbsent(step.id().attempt(), _ -> new ArrayList<>()).add(step);
    }
    return Row.all(
        connection,
        LIVE,
        row -> {
          var id = new AttemptId(row.task(), row.whole("attempt"));
          return new LiveSteps(id, row.whole("last") + 1, running.getOrDefault(id, List.of()));
        });
  }

  private static Step step(Row row, GrantTexts grants) throws SQLException {
    return new Step(
        new StepId(new AttemptId(row.task(), row.whole("attempt")), row.whole("step")),
        row.text("name"),
        row.whole("tasks"),
        row.whole("overlap") != 0,
        new Step.Share(
            row.whole("cpus"),
            row.ranges("cpu_ids"),
            grants.grants(row.text("gpus")),
            row.number("memory")),
        new Step.Parent(row.number("pid"), row.number("pid_start")),
        row.time("started_at"),
        row.has("end_by")
            ? Optional.of(
                new Step.Ending(row.time("end_by"), JobState.valueOf(row.text("end_why"))))
            : Optional.empty());
  }

  private static Optional<Step.End> end(Row row) throws SQLException {
    return row.has("ended_at")
        ? Optional.of(
            new Step.End(AttemptRows.exit(row), row.time("ended_at"), AttemptRows.usage(row)))
        : Optional.empty();
  }
}
