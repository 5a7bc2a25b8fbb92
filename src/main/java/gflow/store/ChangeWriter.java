package gflow.store;

import gflow.job.Attempt;
import gflow.job.AttemptId;
import gflow.job.GpuId;
import gflow.job.Job;
import gflow.job.JobId;
import gflow.job.JobSpec;
import gflow.job.Loan;
import gflow.job.Outcome;
import gflow.job.Ranges;
import gflow.job.Step;
import gflow.job.StepId;
import gflow.job.TaskState.Cause;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Writes groups of changes. Its statements are prepared once. */
final class ChangeWriter {
  private static final Duration MICROSECOND = Duration.of(1, ChronoUnit.MICROS);

  private final Connection connection;
  private final SpecReader specs = new SpecReader();
  private final PreparedCommand begin;
  private final PreparedCommand commit;
  private final PreparedCommand rollback;
  private final PreparedCommand putBlob;
  private final PreparedCommand useBlob;
  private final PreparedCommand insertJob;
  private final SpecTexts specTexts = new SpecTexts();
  private final PreparedCommand insertSpec;
  private final PreparedCommand progress;
  private final PreparedCommand ended;
  private final PreparedCommand respecJob;
  private final PreparedCommand respec;
  private final AttemptWriter attempts;
  private final StepRows steps;
  private final LoanRows loans;
  private final PreparedCommand set;
  private final PreparedCommand unset;
  private final PreparedCommand answer;
  private final PreparedCommand meta;
  private final List<PreparedCommand> clocks;
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

  ChangeWriter(Connection connection) throws SQLException {
    this.connection = connection;
    begin = new PreparedCommand(connection, "BEGIN IMMEDIATE");
    commit = new PreparedCommand(connection, "COMMIT");
    rollback = new PreparedCommand(connection, "ROLLBACK");
    putBlob =
        new PreparedCommand(
            connection, "INSERT INTO blob (hash, content) VALUES (?, ?) ON CONFLICT DO NOTHING");
    useBlob =
        new PreparedCommand(connection, "UPDATE blob SET used_by = used_by + ? WHERE hash = ?");
    insertJob =
        new PreparedCommand(
            connection,
            """
            INSERT INTO job (id, base, count, uid, gid, user, name, project, priority, array,
              submitted_at, ended_at, waiting, held)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?11, ?12, ?13)\
            """);
    insertSpec = new PreparedCommand(connection, "INSERT INTO spec (job_id, json) VALUES (?, ?)");
    progress =
        new PreparedCommand(
            connection,
            """
            UPDATE job SET over = ?, waiting = ?, held = ?, next_attempts = ?, spared = ?,
              completed = ?, failed = ?, worst_status = ?, last_start_at = ?,
              dropped = ?, dropped_count = ?, dropped_at = ?, dropped_why = ?
            WHERE id = ?\
            """);
    ended =
        new PreparedCommand(connection, "UPDATE job SET ended_at = max(ended_at, ?) WHERE id = ?");
    respecJob =
        new PreparedCommand(
            connection,
            "UPDATE job SET name = ?, project = ?, priority = ?, array = ? WHERE id = ?");
    respec = new PreparedCommand(connection, "UPDATE spec SET json = ? WHERE job_id = ?");
    attempts = new AttemptWriter(connection);
    steps = new StepRows(connection);
    loans = new LoanRows(connection);
    set =
        new PreparedCommand(
            connection,
            "INSERT INTO setting (key, value) VALUES (?1, ?2)"
                + " ON CONFLICT DO UPDATE SET value = ?2");
    unset = new PreparedCommand(connection, "DELETE FROM setting WHERE key = ?");
    answer =
        new PreparedCommand(connection, "INSERT INTO answered (key, answer, at) VALUES (?, ?, ?)");
    meta =
        new PreparedCommand(
            connection,
            "INSERT INTO meta (key, value) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET value = ?2");
    clocks = new ArrayList<>();
    for (String table :
        List.of(
            "attempt SET started_at = started_at + ?1, kill_at = kill_at + ?1 WHERE ended_at",
            "step SET started_at = started_at + ?1, end_by = end_by + ?1 WHERE ended_at",
            "loan SET taken_at = taken_at + ?1 WHERE back_at")) {
      clocks.add(new PreparedCommand(connection, "UPDATE " + table + " IS NULL"));
    }
    nextId = Long.parseLong(RowReader.meta(connection, "next_id").orElse("1"));
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
    begin.run();
    try {
      work.run();
      commit.run();
    } catch (SQLException | RuntimeException | Error e) {
      undoAll(e);
      throw e;
    }
  }

  private void undoAll(Throwable cause) {
    try {
      rollback.run();
    } catch (SQLException e) {
      // SQLite itself rolls back when the disk is full: then there is nothing left to undo.
      cause.addSuppressed(e);
    }
  }

  private void apply(Change change, Group group) throws SQLException {
    switch (change) {
      case Change.PutBlob(var id, byte[] content) -> putBlob.run(id.sha256(), content);
      case Change.Submit(Job job) -> submit(job, group);
      case Change.Progress(Job job) -> progress(job, group);
      case Change.Respec(Job job) -> respec(job, group);
      case Change.AttemptStarted(AttemptId id, Attempt attempt) -> attempts.started(id, attempt);
      case Change.AttemptMoved(AttemptId id, Attempt attempt) -> attempts.moved(id, attempt);
      case Change.AttemptEnding(AttemptId id, Cause cause, Instant killAt) ->
          attempts.ending(id, cause, killAt);
      case Change.AttemptEnded(AttemptId id, Attempt attempt, Outcome outcome) -> {
        attempts.ended(id, attempt, outcome);
        group.ended(id.task().job(), outcome.endedAt());
      }
      case Change.AttemptUndone(AttemptId id) -> attempts.undone(id);
      case Change.StepStarted(Step step) -> steps.started(step);
      case Change.StepEnding(StepId id, Step.Ending ending) -> steps.ending(id, ending);
      case Change.StepEnded(StepId id, Step.End end) -> steps.ended(id, end);
      case Change.Lent(AttemptId id, Loan loan) -> loans.lent(id, loan);
      case Change.GivenBack(AttemptId id, GpuId card, Instant at) -> loans.back(id, card, at);
      case Change.ClockSet(Duration by) -> {
        for (PreparedCommand clock : clocks) {
          clock.run(by.dividedBy(MICROSECOND));
        }
      }
      case Change.Setting(String key, String value) -> setting(key, value);
      case Change.Answered(String key, String text, Instant at) -> answer.run(key, text, at);
    }
  }

  private void finish(Group group) throws SQLException {
    if (group.nextId != nextId) {
      meta.run("next_id", Long.toString(group.nextId));
    }
    use(group.blobs);
    for (var end : group.ends.entrySet()) {
      ended.runOne("job " + end.getKey(), end.getValue(), end.getKey().value());
    }
  }

  void use(BlobCounts blobs) throws SQLException {
    for (var use : blobs.changes().entrySet()) {
      if (use.getValue() != 0) {
        useBlob.runOne("blob " + use.getKey(), use.getValue(), use.getKey());
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
    insertJob.run(
        id,
        spec.tasks().base(),
        spec.tasks().count(),
        spec.owner().uid(),
        spec.owner().gid(),
        spec.owner().name(),
        spec.name(),
        spec.project().orElse(null),
        spec.terms().priority(),
        array(spec),
        job.submittedAt(),
        job.waiting().toString(),
        job.held().toString());
    insertSpec.run(id, specTexts.text(spec));
    if (!isFresh(job)) {
      progress(job, group);
    }
  }

  private static boolean isFresh(Job job) {
    return job.tally().equals(Job.Tally.NONE)
        && job.dropped().equals(Job.Dropped.NONE)
        && job.nextAttempts().isEmpty()
        && job.spared().isEmpty();
  }

  private static @Nullable String array(JobSpec spec) {
    return spec.tasks().array().map(Ranges::toString).orElse(null);
  }

  private void progress(Job job, Group group) throws SQLException {
    Job.Dropped dropped = job.dropped();
    progress.runOne(
        "job " + job.id(),
        job.over(),
        job.waiting().toString(),
        job.held().toString(),
        ColumnTexts.attempts(job.nextAttempts()),
        ColumnTexts.attempts(job.spared()),
        job.tally().completed(),
        job.tally().failed().toString(),
        job.tally().worstStatus(),
        job.tally().lastStart(),
        dropped.tasks().toString(),
        dropped.tasks().size(),
        dropped.at(),
        dropped.why(),
        job.id().value());
    if (!dropped.tasks().isEmpty()) {
      group.ended(job.id(), dropped.at());
    }
  }

  private void respec(Job job, Group group) throws SQLException {
    JobSpec spec = job.spec();
    long id = job.id().value();
    group.blobs.dropped(storedSpec(job));
    group.blobs.named(spec);
    respecJob.runOne(
        "job " + id,
        spec.name(),
        spec.project().orElse(null),
        spec.terms().priority(),
        array(spec),
        id);
    respec.runOne("spec " + id, SpecWriter.text(spec), id);
  }

  private JobSpec storedSpec(Job job) throws SQLException {
    try (PreparedStatement query =
        connection.prepareStatement("SELECT json FROM spec WHERE job_id = ?")) {
      query.setLong(1, job.id().value());
      try (ResultSet row = query.executeQuery()) {
        if (!row.next()) {
          throw new IllegalStateException("not in the store: job " + job.id());
        }
        return specs.spec(job.spec().owner(), job.spec().name(), row.getString(1));
      }
    }
  }

  private void setting(String key, String value) throws SQLException {
    if (value.isEmpty()) {
      unset.run(key);
    } else {
      set.run(key, value);
    }
  }
}
