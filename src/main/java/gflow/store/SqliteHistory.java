package gflow.store;

import gflow.job.AttemptId;
import gflow.job.GpuCurve;
import gflow.job.Job;
import gflow.job.JobId;
import gflow.job.JobState;
import gflow.job.TaskId;
import gflow.store.Store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** Reads the tables on connections of its own. */
record SqliteHistory(Readers readers) implements History {
  private static final String PAST =
      "SELECT a.* FROM attempt a WHERE a.task_number = ? AND a.ended_at IS NOT NULL"
          + " ORDER BY a.attempt";

  /** Tasks dropped while they waited stand beside the attempts, with neither times nor costs. */
  private static final String SUMS =
      """
      SELECT user, state, sum(n) AS n, sum(gpu_seconds) AS gpu_seconds,
        sum(cpu_seconds) AS cpu_seconds, sum(run) AS run, sum(ran) AS ran, sum(wait) AS wait,
        sum(waited) AS waited, sum(used) AS used, sum(watched) AS watched
      FROM (
        SELECT j.user, j.project, a.state, a.ended_at, 1 AS n, a.gpu_seconds, a.cpu_seconds,
          a.ended_at - a.started_at AS run, 1 AS ran,
          iif(f.first, a.started_at - j.submitted_at, 0) AS wait, f.first AS waited,
          iif(a.gpu_use IS NULL, 0, a.gpu_use * a.gpu_seconds) AS used,
          iif(a.gpu_use IS NULL, 0, a.gpu_seconds) AS watched
        FROM attempt a JOIN job j ON j.id = a.job_id
        JOIN (SELECT task_number, attempt, attempt = min(attempt) OVER (PARTITION BY task_number)
                AS first FROM attempt) f
          ON f.task_number = a.task_number AND f.attempt = a.attempt
        WHERE a.ended_at IS NOT NULL
        UNION ALL
        SELECT user, project, 'CANCELLED', dropped_at, dropped_count, 0, 0, 0, 0, 0, 0, 0,
          0
        FROM job WHERE dropped_count > 0)\
      """;

  @Override
  public Optional<Job> job(JobId number) throws StoreException {
    return readers.read(c -> new JobRows(c).owner(number));
  }

  @Override
  public List<Known> known(Collection<JobId> numbers) throws StoreException {
    return numbers.isEmpty() ? List.of() : readers.read(c -> new JobRows(c).known(numbers));
  }

  @Override
  public void ended(Query query, Reader reader) throws StoreException {
    readers.read(
        c -> {
          new EndedSearch(c, query).run(reader);
          return true;
        });
  }

  @Override
  public long count(Query query) throws StoreException {
    return readers.read(c -> new EndedSearch(c, query).count());
  }

  @Override
  public List<PastAttempt> attempts(JobId number) throws StoreException {
    var rows = new AttemptRows();
    return readers.read(
        c ->
            Row.all(
                c,
                PAST,
                row -> new PastAttempt(rows.attempt(row), AttemptRows.outcome(row)),
                number));
  }

  @Override
  public Optional<GpuCurve> gpuCurve(AttemptId id) throws StoreException {
    String sql = "SELECT curve FROM gpu_curve WHERE task_number = ? AND attempt = ?";
    return readers.first(sql, GpuUseRows::curve, id.task().number(), id.number());
  }

  @Override
  public List<PastStep> steps(TaskId task) throws StoreException {
    return readers.read(c -> StepRows.of(c, task));
  }

  @Override
  public List<TaskId> stepped(Job job, int limit) throws StoreException {
    return readers.read(c -> StepRows.tasks(c, job, limit));
  }

  @Override
  public Optional<JobId> lastJob(int uid) throws StoreException {
    String sql = "SELECT id FROM job WHERE uid = ? ORDER BY id DESC";
    return readers.first(sql, row -> row.job("id"), uid);
  }

  @Override
  public Stats stats(StatsQuery query) throws StoreException {
    return readers.read(c -> stats(c, query));
  }

  private static Stats stats(Connection connection, StatsQuery query) throws SQLException {
    QueryFilter filter =
        new QueryFilter()
            .with("user = ?", query.user())
            .with("project = ?", query.project())
            .with("ended_at >= ?", query.since());
    var sums = new Sums();
    filter.each(connection, SUMS, " GROUP BY user, state ORDER BY user", sums::add);
    return sums.stats();
  }

  /** Adds up what the query gives for each user and state. */
  private static final class Sums {
    private static final double MICROS = 1e6;

    private final TreeMap<JobState, Long> states = new TreeMap<>();
    private final TreeMap<String, UserSum> users = new TreeMap<>();
    private double run;
    private double wait;
    private long ran;
    private long waited;
    private double used;
    private double watched;

    boolean add(Row row) throws SQLException {
      String user = row.text("user");
      long count = row.number("n");
      states.merge(JobState.valueOf(row.text("state")), count, Long::sum);
      users.merge(
          user,
          new UserSum(user, count, row.real("gpu_seconds"), row.real("cpu_seconds")),
          (a, b) ->
              new UserSum(
                  user,
                  a.count() + b.count(),
                  a.gpuSeconds() + b.gpuSeconds(),
                  a.cpuSeconds() + b.cpuSeconds()));
      run += row.real("run") / MICROS;
      ran += row.number("ran");
      wait += row.real("wait") / MICROS;
      waited += row.number("waited");
      used += row.real("used");
      watched += row.real("watched");
      return true;
    }

    Stats stats() {
      return new Stats(
          states.entrySet().stream().map(e -> new StateCount(e.getKey(), e.getValue())).toList(),
          users.values().stream().mapToDouble(UserSum::gpuSeconds).sum(),
          users.values().stream().mapToDouble(UserSum::cpuSeconds).sum(),
          waited == 0 ? 0 : wait / waited,
          ran == 0 ? 0 : run / ran,
          watched == 0 ? OptionalDouble.empty() : OptionalDouble.of(used / watched),
          List.copyOf(users.values()));
    }
  }
}
