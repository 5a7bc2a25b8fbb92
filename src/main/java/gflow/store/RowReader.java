package gflow.store;

import gflow.job.Allocation;
import gflow.job.Attempt;
import gflow.job.Exit;
import gflow.job.Job;
import gflow.job.Job.Dropped;
import gflow.job.Job.Tally;
import gflow.job.JobId;
import gflow.job.JobState;
import gflow.job.Outcome;
import gflow.job.Owner;
import gflow.job.Ranges;
import gflow.job.TaskId;
import gflow.job.TaskNumbers;
import gflow.job.TaskState;
import gflow.job.TaskState.Cause;
import gflow.job.TaskState.Completing;
import gflow.job.TaskState.Starting;
import gflow.job.Usage;
import gflow.job.Where;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/** Rows become jobs and attempts again; equal parts of them become one object. For one thread. */
final class RowReader {
  /** What {@link #job} reads, in its order. */
  static final String JOB =
      """
      j.id, j.uid, j.gid, j.user, j.name, j.submitted_at, j.waiting, j.held, j.next_attempts,
      j.completed, j.failed, j.worst_status, j.last_start_at,
      j.dropped, j.dropped_at, j.dropped_why, s.json, j.spared
      FROM job j JOIN spec s ON s.job_id = j.id\
      """;

  /** What {@link #attempt} and then {@link #live} or {@link #outcome} read. */
  static final String ATTEMPT =
      "a.job_id, a.task_number, a.attempt, a.started_at, a.gpus, a.cpus, a.memory, a.boot,"
          + " a.engine, a.engine_id";

  static final String LIVE = ATTEMPT + ", a.ending, a.ending_by, a.kill_at FROM attempt a";
  static final String OUTCOME =
      ATTEMPT
          + ", a.state, a.exit_code, a.exit_signal, a.ended_at, a.note, a.cpu_seconds,"
          + " a.peak_memory, a.lent FROM attempt a";

  private static final SortedMap<Integer, Integer> NO_ATTEMPTS =
      Collections.unmodifiableSortedMap(new TreeMap<>());
  private static final SortedMap<Integer, TaskState> NO_LIVE =
      Collections.unmodifiableSortedMap(new TreeMap<>());

  private final SpecReader specs = new SpecReader();
  private final Interned<String, Ranges> ranges = new Interned<>(ColumnTexts::ranges);
  private final Interned<String, Owner> owners = new Interned<>(RowReader::owner);
  private final Interned<String, Where> boots = new Interned<>(Where.Here::new);

  /** Without its live tasks. */
  Job job(ResultSet row) throws SQLException {
    Owner owner = owners.of(row.getInt(2) + " " + row.getInt(3) + " " + row.getString(4));
    return new Job(
        new JobId(row.getLong(1)),
        specs.spec(owner, row.getString(5), row.getString(17)),
        ColumnTexts.instant(row.getLong(6)),
        ranges.of(row.getString(7)),
        ranges.of(row.getString(8)),
        attempts(row.getString(9)),
        attempts(row.getString(18)),
        NO_LIVE,
        dropped(row),
        tally(row));
  }

  private static SortedMap<Integer, Integer> attempts(String text) {
    return text.isEmpty() ? NO_ATTEMPTS : ColumnTexts.attempts(text);
  }

  private static Owner owner(String text) {
    String[] parts = text.split(" ", 3);
    return new Owner(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), parts[2]);
  }

  private static Tally tally(ResultSet row) throws SQLException {
    var tally =
        new Tally(
            row.getInt(10),
            ColumnTexts.ranges(row.getString(11)),
            row.getInt(12),
            ColumnTexts.instant(row.getLong(13)));
    return tally.equals(Tally.NONE) ? Tally.NONE : tally;
  }

  private Dropped dropped(ResultSet row) throws SQLException {
    String tasks = row.getString(14);
    return tasks.isEmpty()
        ? Dropped.NONE
        : new Dropped(ranges.of(tasks), ColumnTexts.instant(row.getLong(15)), row.getString(16));
  }

  Attempt attempt(ResultSet row) throws SQLException {
    var allocation =
        new Allocation(specs.gpus(row.getString(5)), ranges.of(row.getString(6)), row.getLong(7));
    Instant startedAt = ColumnTexts.instant(row.getLong(4));
    return new Attempt(row.getInt(3), allocation, startedAt, where(row));
  }

  private Where where(ResultSet row) throws SQLException {
    String engine = row.getString(9);
    return engine.isEmpty()
        ? boots.of(row.getString(8))
        : new Where.There(engine, row.getString(10));
  }

  /** Of a row that begins with {@code job_id, task_number}. */
  static int offset(ResultSet row, Job job) throws SQLException {
    return job.numbers().offset(new JobId(row.getLong(2)));
  }

  /** The same with the job's {@code base} in that column. */
  static TaskId task(ResultSet row, int base) throws SQLException {
    var numbers = new TaskNumbers(new JobId(row.getLong(1)), row.getInt(base), 1);
    return numbers.task(numbers.offset(new JobId(row.getLong(2))));
  }

  /** Whether it got so far as to have a process, only the machine can tell. */
  TaskState live(ResultSet row) throws SQLException {
    Attempt attempt = attempt(row);
    String ending = row.getString(11);
    if (ending == null) {
      return new Starting(attempt);
    }
    Instant killAt = ColumnTexts.instant(row.getLong(13));
    return new Completing(attempt, cause(ending, row.getString(12)), Optional.empty(), killAt);
  }

  static String ending(Cause cause) {
    return switch (cause) {
      case Cause.Cancelled c -> "CANCELLED";
      case Cause.Requeued(String _, boolean held) -> held ? "REQUEUED_HELD" : "REQUEUED";
      case Cause.TimeLimit() -> "TIME_LIMIT";
      case Cause.ProgramEnded() -> "PROGRAM_ENDED";
    };
  }

  private static Cause cause(String ending, String by) {
    return switch (ending) {
      case "CANCELLED" -> new Cause.Cancelled(by);
      case "REQUEUED" -> new Cause.Requeued(by, false);
      case "REQUEUED_HELD" -> new Cause.Requeued(by, true);
      case "TIME_LIMIT" -> new Cause.TimeLimit();
      case "PROGRAM_ENDED" -> new Cause.ProgramEnded();
      default -> throw new IllegalStateException("unknown cause in the store: " + ending);
    };
  }

  static Outcome outcome(ResultSet row) throws SQLException {
    return new Outcome(
        JobState.valueOf(row.getString(11)),
        new Exit(row.getInt(12), row.getInt(13)),
        usage(row, 16, 17),
        ColumnTexts.instant(row.getLong(14)),
        row.getString(15));
  }

  static Duration lent(ResultSet row) throws SQLException {
    return LoanRows.micros(row.getLong(18));
  }

  static Usage usage(ResultSet row, int cpu, int memory) throws SQLException {
    double cpuSeconds = row.getDouble(cpu);
    Optional<Duration> cpuTime =
        row.wasNull()
            ? Optional.empty()
            : Optional.of(Duration.ofNanos(Math.round(cpuSeconds * 1e6) * 1000));
    long peak = row.getLong(memory);
    return new Usage(cpuTime, row.wasNull() ? OptionalLong.empty() : OptionalLong.of(peak));
  }

  static Optional<String> meta(Connection connection, String key) throws SQLException {
    return text(connection, "SELECT value FROM meta WHERE key = ?", key);
  }

  static Optional<String> text(Connection connection, String sql, Object key) throws SQLException {
    try (PreparedStatement query = connection.prepareStatement(sql)) {
      PreparedCommand.bind(query, key);
      try (ResultSet row = query.executeQuery()) {
        return row.next() ? Optional.of(row.getString(1)) : Optional.empty();
      }
    }
  }
}
