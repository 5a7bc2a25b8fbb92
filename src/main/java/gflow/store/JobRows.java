package gflow.store;

import gflow.job.Job;
import gflow.job.Job.Dropped;
import gflow.job.Job.Tally;
import gflow.job.JobId;
import gflow.job.Owner;
import gflow.job.Ranges;
import gflow.job.TaskNumbers;
import gflow.job.TaskState;
import gflow.job.Tries;
import gflow.store.History.Known;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Whole jobs, as one read sees them: each is read once, and equal parts of them become one object.
 * For one thread.
 */
final class JobRows {
  private static final String JOB = "SELECT j.*, s.json FROM job j JOIN spec s ON s.job_id = j.id ";
  private static final String LIVE = "SELECT a.* FROM attempt a WHERE a.ended_at IS NULL";
  private static final String KNOWN =
      """
      SELECT j.id, j.base, j.count, j.array, j.over, j.failed, j.last_start_at
      FROM json_each(?) n JOIN job j ON j.id = (SELECT max(id) FROM job WHERE id <= n.value)
      WHERE n.value < j.id + j.base + j.count\
      """;

  private static final SortedMap<Integer, TaskState> NO_LIVE =
      Collections.unmodifiableSortedMap(new TreeMap<>());

  private final Connection connection;
  private final SpecTexts specs = new SpecTexts();
  private final AttemptRows attempts = new AttemptRows();
  private final Interned<String, Ranges> ranges = new Interned<>(ColumnTexts::ranges);
  private final Interned<Owner, Owner> owners = new Interned<>(owner -> owner);
  private final Map<JobId, Job> known = new HashMap<>();

  JobRows(Connection connection) {
    this.connection = connection;
  }

  AttemptRows attempts() {
    return attempts;
  }

  /** All that are not over, in the order of their ids. */
  List<Job> unfinished() throws SQLException {
    var live = live(LIVE);
    return Row.all(
        connection, JOB + "WHERE j.over = 0 ORDER BY j.id", row -> withLive(job(row), live));
  }

  /** Some that are over, and had their last end before that time. */
  List<Job> over(Instant endedBefore, int most) throws SQLException {
    return Row.all(
        connection,
        JOB + "WHERE j.over = 1 AND j.ended_at < ? LIMIT ?",
        this::job,
        endedBefore,
        most);
  }

  /** Of the jobs that own these numbers what is in one row each. */
  List<Known> known(Collection<JobId> numbers) throws SQLException {
    var found = new TreeMap<JobId, Known>();
    Row.all(connection, KNOWN, this::known, numbers.toString())
        .forEach(job -> found.putIfAbsent(job.id(), job));
    return List.copyOf(found.values());
  }

  private Known known(Row row) throws SQLException {
    return new Known(
        new TaskNumbers(row.job("id"), row.whole("base"), row.whole("count")),
        Optional.ofNullable(row.text("array")).map(ranges::of),
        row.whole("over") != 0,
        ranges.of(row.text("failed")),
        row.time("last_start_at"));
  }

  /** The job that owns this number. */
  Optional<Job> owner(JobId number) throws SQLException {
    List<Known> owner = known(List.of(number));
    return owner.isEmpty() ? Optional.empty() : Optional.of(get(owner.getFirst().id()));
  }

  Job get(JobId id) throws SQLException {
    Job job = known.get(id);
    if (job == null) {
      job = read(id);
      known.put(id, job);
    }
    return job;
  }

  private Job read(JobId id) throws SQLException {
    Job job =
        Row.first(connection, JOB + "WHERE j.id = ?", this::job, id)
            .orElseThrow(() -> new IllegalStateException("not in the store: job " + id));
    TaskNumbers numbers = job.numbers();
    return withLive(
        job, live(LIVE + " AND a.task_number BETWEEN ? AND ?", numbers.id(), numbers.last()));
  }

  /** The tasks that run or are being ended, by the numbers of job and task. */
  private Map<JobId, Map<JobId, TaskState>> live(String sql, Object... values) throws SQLException {
    var live = new HashMap<JobId, Map<JobId, TaskState>>();
    Row.each(
        connection,
        sql,
        row -> {
          live.computeIfAbsent(row.job("job_id"), _ -> new HashMap<>())
              .put(row.job("task_number"), attempts.live(row));
          return true;
        },
        values);
    return live;
  }

  private static Job withLive(Job job, Map<JobId, Map<JobId, TaskState>> live) {
    Map<JobId, TaskState> tasks = live.get(job.id());
    if (tasks == null) {
      return job;
    }
    var byOffset = new TreeMap<Integer, TaskState>();
    tasks.forEach((number, state) -> byOffset.put(job.numbers().offset(number), state));
    return job.withLive(byOffset);
  }

  /** Without its live tasks. */
  private Job job(Row row) throws SQLException {
    Owner owner = owners.of(new Owner(row.whole("uid"), row.whole("gid"), row.text("user")));
    return new Job(
        row.job("id"),
        specs.spec(owner, row.text("name"), row.text("json")),
        row.time("submitted_at"),
        ranges.of(row.text("waiting")),
        ranges.of(row.text("held")),
        tries(row),
        NO_LIVE,
        dropped(row),
        tally(row));
  }

  private Tries tries(Row row) throws SQLException {
    var tries =
        new Tries(
            ColumnTexts.numbers(row.text("next_attempts"), Math::toIntExact),
            ColumnTexts.numbers(row.text("spared"), Math::toIntExact),
            ColumnTexts.numbers(row.text("resting"), ColumnTexts::instant),
            ranges.of(row.text("alone")));
    return tries.equals(Tries.NONE) ? Tries.NONE : tries;
  }

  private Tally tally(Row row) throws SQLException {
    var tally =
        new Tally(
            row.whole("completed"),
            ranges.of(row.text("failed")),
            row.whole("worst_status"),
            row.time("last_start_at"));
    return tally.equals(Tally.NONE) ? Tally.NONE : tally;
  }

  private Dropped dropped(Row row) throws SQLException {
    String tasks = row.text("dropped");
    return tasks.isEmpty()
        ? Dropped.NONE
        : new Dropped(ranges.of(tasks), row.time("dropped_at"), row.text("dropped_why"));
  }
}
