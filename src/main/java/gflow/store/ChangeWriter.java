package gflow.store;

import gflow.job.Attempt;
import gflow.job.AttemptId;
import gflow.job.GpuId;
import gflow.job.Job;
import gflow.job.JobId;
import gflow.job.JobSpec;
import gflow.job.Loan;
import gflow.job.Outcome;
import gflow.job.Step;
import gflow.job.StepId;
import gflow.job.TaskState.Cause;
import gflow.job.Tries;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Writes groups of changes. */
final class ChangeWriter {
  private static final Duration MICROSECOND = Duration.of(1, ChronoUnit.MICROS);

  /** What began is by the new clock so much later; what is over stays as it was. */
  private static final List<String> CLOCKS =
      List.of(
          "UPDATE attempt SET started_at = started_at + ?1, kill_at = kill_at + ?1"
              + " WHERE ended_at IS NULL",
          "UPDATE step SET started_at = started_at + ?1, end_by = end_by + ?1"
              + " WHERE ended_at IS NULL",
          "UPDATE loan SET taken_at = taken_at + ?1 WHERE back_at IS NULL");

  private final Connection connection;
  private final Statements writes;
  private final SpecTexts specs = new SpecTexts();
  private volatile long nextId;

  /** What is known only when the whole group was seen. */
  private static final class Group {
    long nextId;
    final BlobCounts blobs = new BlobCounts();
    final Map<JobId, Instant> ends = new TreeMap<>();

    Group(long nextId) {
      this.nextId = nextId;
    }

    void ended(JobId job, Instant at) {
      ends.merge(job, at, (a, b) -> a.isAfter(b) ? a : b);
    }
  }

  ChangeWriter(Connection connection, Statements writes) throws SQLException {
    this.connection = connection;
    this.writes = writes;
    nextId = Long.parseLong(Database.meta(connection, "next_id").orElse("1"));
  }

  long nextId() {
    return nextId;
  }

  void commit(List<Change> changes) throws SQLException {
    if (changes.isEmpty()) {
      return;
    }
    var group = new Group(nextId);
    atomically(
        () -> {
          for (Change change : changes) {
            apply(change, group);
          }
          finish(group);
        });
    nextId = group.nextId;
  }

  interface Work {
    void run() throws SQLException;
  }

  /** All of the work, or nothing of it. */
  void atomically(Work work) throws SQLException {
    writes.run("BEGIN IMMEDIATE");
    try {
      work.run();
      writes.run("COMMIT");
    } catch (SQLException | RuntimeException | Error e) {
      undoAll(e);
      throw e;
    }
  }

  private void undoAll(Throwable cause) {
    try {
      writes.run("ROLLBACK");
    } catch (SQLException e) {
      // SQLite itself rolls back when the disk is full: then there is nothing left to undo.
      cause.addSuppressed(e);
    }
  }

  private void apply(Change change, Group group) throws SQLException {
    switch (change) {
      case Change.PutBlob(var id, byte[] content) ->
          writes.run(
              "INSERT INTO blob (hash, content) VALUES (?, ?) ON CONFLICT DO NOTHING",
              id.sha256(),
              content);
      case Change.Submit(Job job) -> submit(job, group);
      case Change.Progress(Job job) -> progress(job, group);
      case Change.Respec(Job job) -> respec(job, group);
      case Change.AttemptStarted(AttemptId id, Attempt attempt) ->
          AttemptRows.started(writes, id, attempt);
      case Change.AttemptMoved(AttemptId id, Attempt attempt) ->
          AttemptRows.moved(writes, id, attempt);
      case Change.AttemptEnding(AttemptId id, Cause cause, Instant killAt) ->
          AttemptRows.ending(writes, id, cause, killAt);
      case Change.AttemptEnded(AttemptId id, Attempt attempt, Outcome outcome) -> {
        AttemptRows.ended(writes, id, attempt, outcome);
        group.ended(id.task().job(), outcome.endedAt());
      }
      case Change.GpusSeen seen -> GpuUseRows.seen(writes, seen);
      case Change.AttemptUndone(AttemptId id) -> AttemptRows.undone(writes, id);
      case Change.StepStarted(Step step) -> StepRows.started(writes, step);
      case Change.StepEnding(StepId id, Step.Ending ending) -> StepRows.ending(writes, id, ending);
      case Change.StepEnded(StepId id, Step.End end) -> StepRows.ended(writes, id, end);
      case Change.Lent(AttemptId id, Loan loan) -> LoanRows.lent(writes, id, loan);
      case Change.GivenBack(AttemptId id, GpuId gpu, Instant at) ->
          LoanRows.back(writes, id, gpu, at);
      case Change.ClockSet(Duration by) -> {
        for (String clock : CLOCKS) {
          writes.run(clock, by.dividedBy(MICROSECOND));
        }
      }
      case Change.Setting(String key, String value) -> setting(key, value);
      case Change.Answered(String key, String text, Instant at) ->
          writes.run("INSERT INTO answered (key, answer, at) VALUES (?, ?, ?)", key, text, at);
    }
  }

  private void finish(Group group) throws SQLException {
    if (group.nextId != nextId) {
      writes.run(Database.PUT_META, "next_id", Long.toString(group.nextId));
    }
    use(group.blobs);
    for (var end : group.ends.entrySet()) {
      writes.one(
          "job " + end.getKey(),
          "UPDATE job SET ended_at = max(ended_at, ?) WHERE id = ?",
          end.getValue(),
          end.getKey());
    }
  }

  void use(BlobCounts blobs) throws SQLException {
    for (var use : blobs.changes().entrySet()) {
      if (use.getValue() != 0) {
        writes.one(
            "blob " + use.getKey(),
            "UPDATE blob SET used_by = used_by + ? WHERE hash = ?",
            use.getValue(),
            use.getKey());
      }
    }
  }

  private void submit(Job job, Group group) throws SQLException {
    JobSpec spec = job.spec();
    long id = job.id().value();
    if (id < group.nextId) {
      throw new IllegalStateException("the number " + id + " was given out before");
    }
    group.nextId = job.numbers().end();
    group.blobs.named(spec);
    writes.run(
        """
        INSERT INTO job (id, base, count, uid, gid, user, name, project, priority, array,
          submitted_at, ended_at, waiting, held)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?11, ?12, ?13)\
        """,
        id,
        spec.tasks().base(),
        spec.tasks().count(),
        spec.owner().uid(),
        spec.owner().gid(),
        spec.owner().name(),
        spec.name(),
        spec.project(),
        spec.terms().priority(),
        spec.tasks().array(),
        job.submittedAt(),
        job.waiting(),
        job.held());
    writes.run("INSERT INTO spec (job_id, json) VALUES (?, ?)", id, specs.text(spec));
    if (!isFresh(job)) {
      progress(job, group);
    }
  }

  private static boolean isFresh(Job job) {
    return job.tally().equals(Job.Tally.NONE)
        && job.dropped().equals(Job.Dropped.NONE)
        && job.tries().equals(Tries.NONE);
  }

  private void progress(Job job, Group group) throws SQLException {
    Job.Dropped dropped = job.dropped();
    writes.one(
        "job " + job.id(),
        """
        UPDATE job SET waiting = ?, held = ?, next_attempts = ?, spared = ?, resting = ?, alone = ?,
          completed = ?, failed = ?, worst_status = ?, last_start_at = ?,
          dropped = ?, dropped_count = ?, dropped_at = ?, dropped_why = ?
        WHERE id = ?\
        """,
        job.waiting(),
        job.held(),
        ColumnTexts.numbers(job.tries().next()),
        ColumnTexts.numbers(job.tries().spared()),
        ColumnTexts.times(job.tries().resting()),
        job.tries().alone(),
        job.tally().completed(),
        job.tally().failed(),
        job.tally().worstStatus(),
        job.tally().lastStart(),
        dropped.tasks(),
        dropped.tasks().size(),
        dropped.at(),
        dropped.why(),
        job.id());
    // Apart: an index has only those that are not over, and SQLite would write it each time.
    writes.run("UPDATE job SET over = ?1 WHERE id = ?2 AND over <> ?1", job.over(), job.id());
    if (!dropped.tasks().isEmpty()) {
      group.ended(job.id(), dropped.at());
    }
  }

  private void respec(Job job, Group group) throws SQLException {
    JobSpec spec = job.spec();
    long id = job.id().value();
    group.blobs.dropped(storedSpec(job));
    group.blobs.named(spec);
    writes.one(
        "job " + id,
        "UPDATE job SET name = ?, project = ?, priority = ?, array = ? WHERE id = ?",
        spec.name(),
        spec.project(),
        spec.terms().priority(),
        spec.tasks().array(),
        id);
    writes.one("spec " + id, "UPDATE spec SET json = ? WHERE job_id = ?", specs.text(spec), id);
  }

  private JobSpec storedSpec(Job job) throws SQLException {
    return Row.first(
            connection,
            "SELECT json FROM spec WHERE job_id = ?",
            row -> specs.spec(job.spec().owner(), job.spec().name(), row.text("json")),
            job.id())
        .orElseThrow(() -> new IllegalStateException("not in the store: job " + job.id()));
  }

  private void setting(String key, String value) throws SQLException {
    if (value.isEmpty()) {
      writes.run("DELETE FROM setting WHERE key = ?", key);
    } else {
      writes.run(
          "INSERT INTO setting (key, value) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET value = ?2",
          key,
          value);
    }
  }
}
