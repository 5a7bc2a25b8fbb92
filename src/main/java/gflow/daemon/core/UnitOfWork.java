package gflow.daemon.core;

import gflow.job.Effect;
import gflow.job.Job;
import gflow.job.JobId;
import gflow.job.TaskState;
import gflow.store.Change;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;

/** What one group of changes comes to: what is to be committed, and then to be done and told. */
public final class UnitOfWork implements StepBook.Notes {
  private final List<Change> changes = new ArrayList<>();
  private final SequencedSet<JobId> progressed = new LinkedHashSet<>();
  private final List<Job> over = new ArrayList<>();
  private final List<Effect> effects = new ArrayList<>();
  private final List<News> news = new ArrayList<>();
  private final List<Runnable> told = new ArrayList<>();

  /** A task changed its state: for those who watch. */
  public record News(Job job, int offset, TaskState state, Instant at) {}

  /** How far the notes were, for taking back what came after. */
  record Mark(int changes, int progressed, int over, int effects, int news, int told) {}

  /** After the commit. */
  record Settled(List<Effect> effects, List<News> news, List<Runnable> told) {}

  @Override
  public void commit(Change change) {
    changes.add(change);
  }

  @Override
  public void afterwards(Runnable tell) {
    told.add(tell);
  }

  @Override
  public void effect(Effect effect) {
    effects.add(effect);
  }

  void news(Job job, int offset, TaskState state, Instant at) {
    news.add(new News(job, offset, state, at));
  }

  void progress(Job job) {
    progressed.add(job.id());
    if (job.over()) {
      over.add(job);
    }
  }

  Mark mark() {
    return new Mark(
        changes.size(), progressed.size(), over.size(), effects.size(), news.size(), told.size());
  }

  void undoTo(Mark mark) {
    changes.subList(mark.changes(), changes.size()).clear();
    while (progressed.size() > mark.progressed()) {
      progressed.removeLast();
    }
    over.subList(mark.over(), over.size()).clear();
    effects.subList(mark.effects(), effects.size()).clear();
    news.subList(mark.news(), news.size()).clear();
    told.subList(mark.told(), told.size()).clear();
  }

  /** All that is to be committed; the progress of each job once, as it is at the end. */
  List<Change> changes(Ledger ledger) {
    var all = new ArrayList<>(changes);
    var last = new HashMap<JobId, Job>();
    over.forEach(job -> last.put(job.id(), job));
    for (JobId id : progressed) {
      Optional.ofNullable(last.get(id))
          .or(() -> ledger.job(id))
          .ifPresent(job -> all.add(new Change.Progress(job)));
    }
    return all;
  }

  Settled settle() {
    var settled = new Settled(List.copyOf(effects), List.copyOf(news), List.copyOf(told));
    changes.clear();
    progressed.clear();
    over.clear();
    effects.clear();
    news.clear();
    told.clear();
    return settled;
  }
}
