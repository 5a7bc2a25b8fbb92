package gflow.store;

import gflow.job.Allocation;
import gflow.job.Allocation.GpuGrant;
import gflow.job.Attempt;
import gflow.job.AttemptId;
import gflow.job.GpuRequest;
import gflow.job.Outcome;
import gflow.job.TaskState.Cause;
import gflow.job.Usage;
import gflow.job.Where;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Writes the rows of attempts. One that is over is never written again. */
final class AttemptWriter {
  private static final double SECOND = 1e9;

  private final PreparedCommand start;
  private final PreparedCommand move;
  private final PreparedCommand ending;
  private final PreparedCommand end;
  private final PreparedCommand undo;

  AttemptWriter(Connection connection) throws SQLException {
    start =
        new PreparedCommand(
            connection,
            """
            INSERT INTO attempt (task_number, attempt, job_id, started_at, gpus, cpus, memory,
              boot, engine, engine_id)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)\
            """);
    move =
        new PreparedCommand(
            connection,
            """
            UPDATE attempt SET started_at = ?, engine_id = ?
            WHERE task_number = ? AND attempt = ? AND ended_at IS NULL\
            """);
    ending =
        new PreparedCommand(
            connection,
            """
            UPDATE attempt SET ending = ?, ending_by = ?, kill_at = ?
            WHERE task_number = ? AND attempt = ? AND ended_at IS NULL\
            """);
    end =
        new PreparedCommand(
            connection,
            """
            UPDATE attempt SET state = ?, exit_code = ?, exit_signal = ?, ended_at = ?, note = ?,
              cpu_seconds = ?, peak_memory = ?, gpu_seconds = ? + lent / 1e6
            WHERE task_number = ? AND attempt = ? AND ended_at IS NULL\
            """);
    undo =
        new PreparedCommand(
            connection,
            "DELETE FROM attempt WHERE task_number = ? AND attempt = ? AND ended_at IS NULL");
  }

  void started(AttemptId id, Attempt attempt) throws SQLException {
    Allocation allocation = attempt.allocation();
    start.run(
        number(id),
        id.number(),
        id.task().job().value(),
        attempt.startedAt(),
        SpecWriter.text(allocation.gpus()),
        allocation.cpus().toString(),
        allocation.memory(),
        Where.boot(attempt.where()),
        attempt.where() instanceof Where.There(String engine, String _) ? engine : "",
        engineId(attempt));
  }

  private static String engineId(Attempt attempt) {
    return attempt.where() instanceof Where.There(String _, String id) ? id : "";
  }

  void moved(AttemptId id, Attempt attempt) throws SQLException {
    move.runOne("attempt " + id, attempt.startedAt(), engineId(attempt), number(id), id.number());
  }

  void ending(AttemptId id, Cause cause, Instant killAt) throws SQLException {
    String by =
        switch (cause) {
          case Cause.Cancelled(String who) -> who;
          case Cause.Requeued(String who, boolean _) -> who;
          case Cause.TimeLimit(), Cause.ProgramEnded() -> null;
        };
    ending.runOne("attempt " + id, RowReader.ending(cause), by, killAt, number(id), id.number());
  }

  void ended(AttemptId id, Attempt attempt, Outcome outcome) throws SQLException {
    end.runOne(
        "attempt " + id,
        outcome.state().name(),
        outcome.exit().code(),
        outcome.exit().signal(),
        outcome.endedAt(),
        outcome.note(),
        cpuSeconds(outcome.usage()),
        peak(outcome.usage()),
        gpuSeconds(attempt, outcome.endedAt()),
        number(id),
        id.number());
  }

  static @Nullable Double cpuSeconds(Usage usage) {
    return usage.cpuTime().map(d -> d.toNanos() / SECOND).orElse(null);
  }

  static @Nullable Long peak(Usage usage) {
    return usage.peakMemory().isPresent() ? (Long) usage.peakMemory().getAsLong() : null;
  }

  /** A quarter of a GPU for an hour is 900 GPU-seconds; cards on loan are counted apart. */
  static double gpuSeconds(Attempt attempt, Instant endedAt) {
    long thousandths = attempt.allocation().gpus().stream().mapToLong(GpuGrant::thousandths).sum();
    long nanos = Math.max(0, Duration.between(attempt.startedAt(), endedAt).toNanos());
    return thousandths * (nanos / SECOND) / GpuRequest.WHOLE;
  }

  void undone(AttemptId id) throws SQLException {
    undo.runOne("attempt " + id, number(id), id.number());
  }

  private static long number(AttemptId id) {
    return id.task().number().value();
  }
}
