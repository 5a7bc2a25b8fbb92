package gflow.store;

import gflow.job.Allocation;
import gflow.job.Attempt;
import gflow.job.AttemptId;
import gflow.job.Exit;
import gflow.job.Failure;
import gflow.job.JobState;
import gflow.job.Outcome;
import gflow.job.Ranges;
import gflow.job.TaskState;
import gflow.job.TaskState.Cause;
import gflow.job.TaskState.Completing;
import gflow.job.TaskState.Starting;
import gflow.job.Usage;
import gflow.job.Where;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Writes and reads the rows of attempts. One that is over is never written again. What is read is
 * for one thread; equal parts become one object.
 */
final class AttemptRows {
  private static final double SECOND = 1e9;
  private static final String NOT_OVER =
      " WHERE task_number = ? AND attempt = ? AND ended_at IS NULL";

  private final GrantTexts grants = new GrantTexts();
  private final Interned<String, Ranges> ranges = new Interned<>(ColumnTexts::ranges);
  private final Interned<String, Where> boots = new Interned<>(Where.Here::new);

  static void started(Statements writes, AttemptId id, Attempt attempt) throws SQLException {
    Allocation allocation = attempt.allocation();
    writes.run(
        """
        INSERT INTO attempt (task_number, attempt, job_id, started_at, gpus, cpus, memory, boot,
          engine, engine_id, port)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)\
        """,
        id.task().number(),
        id.number(),
        id.task().job(),
        attempt.startedAt(),
        GrantTexts.text(allocation.gpus()),
        allocation.cpus(),
        allocation.memory(),
        Where.boot(attempt.where()),
        attempt.where() instanceof Where.There(String engine, String _) ? engine : "",
        engineId(attempt),
        allocation.port());
  }

  private static String engineId(Attempt attempt) {
    return attempt.where() instanceof Where.There(String _, String id) ? id : "";
  }

  static void moved(Statements writes, AttemptId id, Attempt attempt) throws SQLException {
    writes.one(
        "attempt " + id,
        "UPDATE attempt SET started_at = ?, engine_id = ?" + NOT_OVER,
        attempt.startedAt(),
        engineId(attempt),
        id.task().number(),
        id.number());
  }

  static void ending(Statements writes, AttemptId id, Cause cause, Instant killAt)
      throws SQLException {
    String by =
        switch (cause) {
          case Cause.Cancelled(String who) -> who;
          case Cause.Requeued(String who, boolean _) -> who;
          case Cause.GpuMemory(String words) -> words;
          case Cause.TimeLimit(), Cause.ProgramEnded() -> null;
        };
    writes.one(
        "attempt " + id,
        "UPDATE attempt SET ending = ?, ending_by = ?, kill_at = ?" + NOT_OVER,
        ending(cause),
        by,
        killAt,
        id.task().number(),
        id.number());
  }

  static void ended(Statements writes, AttemptId id, Attempt attempt, Outcome outcome)
      throws SQLException {
    writes.one(
        "attempt " + id,
        "UPDATE attempt SET state = ?, exit_code = ?, exit_signal = ?, ended_at = ?, note = ?,"
            + " cause = ?, cpu_seconds = ?, peak_memory = ?, gpu_seconds = ? + lent / 1e6"
            + NOT_OVER,
        outcome.state(),
        outcome.exit().code(),
        outcome.exit().signal(),
        outcome.endedAt(),
        outcome.note(),
        outcome.told().map(Failure::name).orElse(null),
        cpuSeconds(outcome.usage()),
        peak(outcome.usage()),
        gpuSeconds(attempt, outcome.endedAt()),
        id.task().number(),
        id.number());
    if (outcome.usage().gpu().isPresent()) {
      GpuUseRows.write(writes, id, outcome.usage().gpu().get());
    }
  }

  static @Nullable Double cpuSeconds(Usage usage) {
    return usage.cpuTime().map(d -> d.toNanos() / SECOND).orElse(null);
  }

  static @Nullable Long peak(Usage usage) {
    return usage.peakMemory().isPresent() ? (Long) usage.peakMemory().getAsLong() : null;
  }

  /** A quarter of a GPU for an hour is 900 GPU-seconds; those on loan are counted apart. */
  static double gpuSeconds(Attempt attempt, Instant endedAt) {
    double gpus = attempt.allocation().gpus().stream().mapToDouble(g -> g.part().value()).sum();
    long nanos = Math.max(0, Duration.between(attempt.startedAt(), endedAt).toNanos());
    return gpus * (nanos / SECOND);
  }

  static void undone(Statements writes, AttemptId id) throws SQLException {
    writes.one("attempt " + id, "DELETE FROM attempt" + NOT_OVER, id.task().number(), id.number());
    GpuUseRows.undone(writes, id);
  }

  Attempt attempt(Row row) throws SQLException {
    var allocation =
        new Allocation(
            grants.grants(row.text("gpus")),
            ranges.of(row.text("cpus")),
            row.number("memory"),
            row.whole("port"));
    return new Attempt(row.whole("attempt"), allocation, row.time("started_at"), where(row));
  }

  private Where where(Row row) throws SQLException {
    String engine = row.text("engine");
    return engine.isEmpty()
        ? boots.of(row.text("boot"))
        : new Where.There(engine, row.text("engine_id"));
  }

  /** Whether it got so far as to have a process, only the machine can tell. */
  TaskState live(Row row) throws SQLException {
    Attempt attempt = attempt(row);
    return row.has("ending")
        ? new Completing(attempt, cause(row), Optional.empty(), row.time("kill_at"))
        : new Starting(attempt);
  }

  private static String ending(Cause cause) {
    return switch (cause) {
      case Cause.Cancelled c -> "CANCELLED";
      case Cause.Requeued(String _, boolean held) -> held ? "REQUEUED_HELD" : "REQUEUED";
      case Cause.TimeLimit() -> "TIME_LIMIT";
      case Cause.GpuMemory _ -> "GPU_MEMORY";
      case Cause.ProgramEnded() -> "PROGRAM_ENDED";
    };
  }

  private static Cause cause(Row row) throws SQLException {
    String by = row.text("ending_by");
    return switch (row.text("ending")) {
      case "CANCELLED" -> new Cause.Cancelled(by);
      case "REQUEUED" -> new Cause.Requeued(by, false);
      case "REQUEUED_HELD" -> new Cause.Requeued(by, true);
      case "TIME_LIMIT" -> new Cause.TimeLimit();
      case "GPU_MEMORY" -> new Cause.GpuMemory(by);
      case "PROGRAM_ENDED" -> new Cause.ProgramEnded();
      case String other -> throw new DamagedRow("unknown cause " + other);
    };
  }

  static Outcome outcome(Row row) throws SQLException {
    return new Outcome(
        JobState.valueOf(row.text("state")),
        exit(row),
        usage(row).with(GpuUseRows.read(row)),
        row.time("ended_at"),
        row.text("note"),
        Optional.ofNullable(row.text("cause")).map(Failure::valueOf));
  }

  static Exit exit(Row row) throws SQLException {
    return new Exit(row.whole("exit_code"), row.whole("exit_signal"));
  }

  /** What a row of an attempt or a step has of it. */
  static Usage usage(Row row) throws SQLException {
    Optional<Duration> cpuTime =
        row.has("cpu_seconds")
            ? Optional.of(Duration.ofNanos(Math.round(row.real("cpu_seconds") * 1e6) * 1000))
            : Optional.empty();
    OptionalLong peak =
        row.has("peak_memory") ? OptionalLong.of(row.number("peak_memory")) : OptionalLong.empty();
    return new Usage(cpuTime, peak);
  }
}
