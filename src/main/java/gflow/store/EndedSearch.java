package gflow.store;

import gflow.job.Attempt;
import gflow.job.Job;
import gflow.job.JobId;
import gflow.job.JobState;
import gflow.job.Ranges;
import gflow.job.TaskNumbers;
import gflow.store.History.Ended;
import gflow.store.History.Known;
import gflow.store.History.Query;
import gflow.store.History.Reader;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Looks for ended tasks: last attempts, and tasks that were cancelled while they waited. */
final class EndedSearch {
  static final Comparator<Ended> NEWEST_FIRST =
      Comparator.comparing((Ended t) -> t.outcome().endedAt())
          .thenComparing(t -> t.job().task(t.offsets().last()).number())
          .reversed();

  private final Connection connection;
  private final Query query;
  private final JobRows jobs;

  /** The wanted offsets of the wanted jobs; only if numbers were given. */
  private final Map<JobId, Wanted> wanted = new TreeMap<>();

  private record Wanted(TaskNumbers numbers, Ranges offsets) {}

  EndedSearch(Connection connection, Query query) {
    this.connection = connection;
    this.query = query;
    this.jobs = new JobRows(connection);
  }

  void run(Reader reader) throws SQLException {
    if (!find()) {
      return;
    }
    var merged = new Merged(dropped(query.limit()), reader, query.limit());
    attempts(merged, "");
    merged.rest();
  }

  /** False if there is none of those that are named. */
  private boolean find() throws SQLException {
    if (!query.numbers().isEmpty()) {
      want();
    }
    return query.numbers().isEmpty() || !wanted.isEmpty();
  }

  /** The many, of jobs that are over and had no task dropped, are counted by the database. */
  long count() throws SQLException {
    if (!find()) {
      return 0;
    }
    String whole = "j.over = 1 AND j.dropped_count = 0";
    var counts = new ArrayList<Long>();
    wanted(whole)
        .each(
            connection,
            "SELECT count(*) AS n FROM attempt a" + join(),
            "",
            row -> counts.add(row.number("n")));
    Deque<Ended> dropped = dropped(Integer.MAX_VALUE);
    attempts(new Merged(dropped, _ -> counts.add(1L), Integer.MAX_VALUE), "NOT (" + whole + ")");
    return counts.stream().mapToLong(Long::longValue).sum() + dropped.size();
  }

  private void want() throws SQLException {
    var parts = new TreeMap<JobId, List<Ranges.Range>>();
    var known = new TreeMap<JobId, Known>();
    jobs.known(query.numbers()).forEach(job -> known.put(job.id(), job));
    for (JobId number : query.numbers()) {
      var job = known.floorEntry(number);
      if (job != null && job.getValue().numbers().owns(number)) {
        parts
            .computeIfAbsent(job.getKey(), id -> new ArrayList<>())
            .addAll(job.getValue().numbers().offsets(number).parts());
      }
    }
    parts.forEach(
        (id, offsets) -> {
          TaskNumbers numbers = known.get(id).numbers();
          wanted.put(id, new Wanted(numbers, Ranges.merged(offsets)));
        });
  }

  /** Both kinds in one order, without keeping the many. */
  private static final class Merged {
    private final Deque<Ended> dropped;
    private final Reader reader;
    private int left;

    Merged(Deque<Ended> dropped, Reader reader, int limit) {
      this.dropped = dropped;
      this.reader = reader;
      left = limit;
    }

    boolean open() {
      return left > 0;
    }

    void take(Ended attempt) {
      while (!dropped.isEmpty() && NEWEST_FIRST.compare(dropped.getFirst(), attempt) < 0) {
        give(dropped.removeFirst());
      }
      give(attempt);
    }

    void rest() {
      dropped.forEach(this::give);
    }

    private void give(Ended row) {
      if (open()) {
        left = reader.take(row) ? left - 1 : 0;
      }
    }
  }

  private QueryFilter wanted(String more) {
    QueryFilter filter =
        new QueryFilter()
            .given(wanted.isEmpty() ? List.of() : List.of(spans()))
            .where("a.ended_at IS NOT NULL")
            .where(
                "NOT EXISTS (SELECT 1 FROM attempt n"
                    + " WHERE n.task_number = a.task_number AND n.attempt > a.attempt)")
            .with("a.ended_at >= ?", query.endedSince())
            .in("a.state", query.states().stream().map(JobState::name).sorted().toList());
    jobFilter(filter);
    return more.isEmpty() ? filter : filter.where(more);
  }

  private String join() {
    return wanted.isEmpty()
        ? " JOIN job j ON j.id = a.job_id"
        : " JOIN job j ON j.id = a.job_id JOIN json_each(?) w"
            + " ON a.task_number BETWEEN w.value ->> 0 AND w.value ->> 1";
  }

  private void attempts(Merged found, String more) throws SQLException {
    // With numbers given the few rows are sorted; without, the index gives the newest first.
    String order =
        wanted.isEmpty()
            ? " ORDER BY a.ended_at DESC, a.task_number DESC"
            : " ORDER BY +a.ended_at DESC, a.task_number DESC";
    wanted(more)
        .each(
            connection,
            "SELECT a.* FROM attempt a" + join(),
            order,
            row -> {
              take(row, found);
              return found.open();
            });
  }

  private void take(Row row, Merged found) throws SQLException {
    Job job = jobs.get(row.job("job_id"));
    int offset = job.numbers().offset(row.job("task_number"));
    if (isOver(job, offset)) {
      Attempt attempt = jobs.attempts().attempt(row);
      found.take(Ended.task(job, offset, attempt, AttemptRows.outcome(row), LoanRows.time(row)));
    }
  }

  /** The attempt is; the task may wait for the next one, or have been cancelled while it did. */
  private static boolean isOver(Job job, int offset) {
    return !job.waiting().contains(offset)
        && !job.held().contains(offset)
        && !job.dropped().tasks().contains(offset);
  }

  private Deque<Ended> dropped(int limit) throws SQLException {
    var found = new ArrayDeque<Ended>();
    if (!query.states().isEmpty() && !query.states().contains(JobState.CANCELLED)) {
      return found;
    }
    QueryFilter filter =
        new QueryFilter()
            .given(wanted.isEmpty() ? List.of() : List.of(wanted.keySet().toString()))
            .where("j.dropped_count > 0")
            .with("j.dropped_at >= ?", query.endedSince());
    jobFilter(filter);
    String from = wanted.isEmpty() ? "job j" : "json_each(?) w JOIN job j ON j.id = w.value";
    filter.each(
        connection,
        "SELECT j.id FROM " + from,
        " ORDER BY j.dropped_at DESC, j.id DESC",
        row -> {
          Job job = jobs.get(row.job("id"));
          Ranges all = job.dropped().tasks();
          Ranges tasks = wanted.isEmpty() ? all : all.intersect(wanted.get(job.id()).offsets());
          if (!tasks.isEmpty()) {
            found.add(Ended.dropped(job, tasks));
          }
          return found.size() < limit;
        });
    return found;
  }

  private void jobFilter(QueryFilter filter) {
    filter
        .in("j.user", query.users())
        .in("j.name", query.names())
        .with("j.project = ?", query.project());
  }

  /** First and last number of each wanted range, as JSON; what touches is one. */
  private String spans() {
    var spans = new ArrayList<List<Long>>();
    for (Wanted job : wanted.values()) {
      for (Ranges.Range part : job.offsets().parts()) {
        long first = job.numbers().task(part.first()).number().value();
        boolean touches = !spans.isEmpty() && spans.getLast().getLast() == first - 1;
        long from = touches ? spans.removeLast().getFirst() : first;
        spans.add(List.of(from, first + part.last() - part.first()));
      }
    }
    return spans.toString();
  }
}
