package gflow.daemon;

import gflow.job.Dependencies;
import gflow.job.Dependencies.Dependency;
import gflow.job.Dependencies.Kind;
import gflow.job.Dependencies.Parent;
import gflow.job.Dependencies.Verdict;
import gflow.job.Job;
import gflow.job.JobId;
import gflow.job.JobRef;
import gflow.store.History;
import gflow.store.Store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Who waits for whom. Parents that are over are looked up in the history; those that ended in the
 * group that is just being made are not there yet, and are remembered here until it is committed.
 */
final class Parents {
  private static final Duration AGAIN = Duration.ofSeconds(5);

  private final History history;
  private final Function<JobId, Optional<Job>> unfinished;
  private final TreeMap<JobId, TreeSet<JobId>> children = new TreeMap<>();
  private final TreeMap<String, TreeSet<JobId>> byName = new TreeMap<>();
  private final TreeMap<String, TreeSet<JobId>> singletons = new TreeMap<>();
  private final TreeMap<JobId, Job> justEnded = new TreeMap<>();
  private final TreeMap<JobId, Verdict> verdicts = new TreeMap<>();
  private final TreeSet<JobId> touched = new TreeSet<>();
  private boolean missed;
  private Optional<String> unread = Optional.empty();

  Parents(History history, Function<JobId, Optional<Job>> unfinished) {
    this.history = history;
    this.unfinished = unfinished;
  }

  /** A job is there, in a new version. */
  void enter(Job job) {
    add(byName, nameKey(job), job.id());
    for (Dependency d : job.spec().terms().dependencies().list()) {
      parentId(d).ifPresent(parent -> add(children, parent, job.id()));
      if (d.kind() == Kind.SINGLETON) {
        add(singletons, nameKey(job), job.id());
      }
    }
    touchThoseBehind(job);
  }

  /** That version is gone: replaced, or over, or undone. */
  void leave(Job job) {
    remove(byName, nameKey(job), job.id());
    for (Dependency d : job.spec().terms().dependencies().list()) {
      parentId(d).ifPresent(parent -> remove(children, parent, job.id()));
      if (d.kind() == Kind.SINGLETON) {
        remove(singletons, nameKey(job), job.id());
      }
    }
    verdicts.remove(job.id());
    touchThoseBehind(job);
  }

  void ended(Job job) {
    justEnded.put(job.id(), job);
  }

  void notEnded(JobId id) {
    justEnded.remove(id);
  }

  /** What ended is in the history now. */
  void settle() {
    justEnded.clear();
  }

  /** The jobs whose dependencies should be judged again. */
  List<JobId> takeTouched() {
    var taken = List.copyOf(touched);
    touched.clear();
    return taken;
  }

  /** Whether its dependencies let the job start; sets a timer if only time is missing. */
  boolean met(Job job, Instant now, Timers timers) {
    Dependencies dependencies = job.spec().terms().dependencies();
    if (dependencies.isEmpty()) {
      return true;
    }
    missed = false;
    Verdict verdict = dependencies.judge(d -> parent(job, d), now);
    verdicts.put(job.id(), verdict);
    if (missed) {
      timers.set(now.plus(AGAIN), Timers.Kind.LOOK_AGAIN, job.task(0));
    }
    if (verdict instanceof Verdict.MetAt(Instant at)) {
      timers.set(at, Timers.Kind.LOOK_AGAIN, job.task(0));
    }
    if (verdict instanceof Verdict.Never && dependencies.cancelIfNever()) {
      // Its parent may have failed long ago: then nothing but this would lead to its end.
      touched.add(job.id());
    }
    return verdict instanceof Verdict.Met;
  }

  /** Why a parent could not be looked up; until it can be, it counts as one that waits. */
  Optional<String> unread() {
    return unread;
  }

  boolean never(JobId job) {
    return verdicts.get(job) instanceof Verdict.Never;
  }

  /** When a job may start that only waits for the delay after its parent's start. */
  Optional<Instant> metAt(JobId job) {
    return verdicts.get(job) instanceof Verdict.MetAt(var at) ? Optional.of(at) : Optional.empty();
  }

  /** What a waiting job still misses. */
  List<Dependency> missing(JobId job) {
    return verdicts.get(job) instanceof Verdict.Open(var unmet) ? unmet : List.of();
  }

  private void touchThoseBehind(Job job) {
    JobId last = new JobId(job.id().value() + job.spec().tasks().count() - 1);
    children.subMap(job.id(), true, last, true).values().forEach(touched::addAll);
    TreeSet<JobId> waiting = singletons.get(nameKey(job));
    if (waiting != null) {
      touched.addAll(waiting.tailSet(job.id(), false));
    }
  }

  private static String nameKey(Job job) {
    return job.spec().owner().uid() + " " + job.spec().name();
  }

  private static <K> void add(TreeMap<K, TreeSet<JobId>> index, K key, JobId id) {
    index.computeIfAbsent(key, k -> new TreeSet<>()).add(id);
  }

  private static <K> void remove(TreeMap<K, TreeSet<JobId>> index, K key, JobId id) {
    TreeSet<JobId> ids = index.get(key);
    if (ids != null && ids.remove(id) && ids.isEmpty()) {
      index.remove(key);
    }
  }

  /** Never fails, because what broke off here is taken back here. */
  private static Optional<JobId> parentId(Dependency d) {
    return d.parent().flatMap(Parents::number);
  }

  private static Optional<JobId> number(JobRef ref) {
    return switch (ref) {
      case JobRef.ById(JobId id) -> Optional.of(id);
      case JobRef.ArrayTask(JobId array, int index) -> Optional.of(array);
      case JobRef.Last _, JobRef.LastTask _ -> Optional.empty();
    };
  }

  private Parent parent(Job child, Dependency d) {
    if (d.kind() == Kind.SINGLETON) {
      TreeSet<JobId> namesakes = byName.getOrDefault(nameKey(child), new TreeSet<>());
      boolean first = namesakes.headSet(child.id()).isEmpty();
      return first ? new Parent.Over(true, Instant.EPOCH) : new Parent.Waiting();
    }
    JobRef ref = d.parent().orElseThrow();
    try {
      // A parent that is nowhere was pruned after the submission: it is over, and was not refused.
      return find(number(ref).orElseThrow())
          .map(job -> offset(ref, job).map(k -> task(job, k)).orElseGet(() -> whole(job)))
          .orElse(new Parent.Over(true, Instant.EPOCH));
    } catch (StoreException e) {
      missed = true;
      unread = Optional.of(String.valueOf(e.getMessage()));
      return new Parent.Waiting();
    }
  }

  private Optional<Job> find(JobId id) throws StoreException {
    Optional<Job> known =
        unfinished
            .apply(id)
            .or(
                () ->
                    Optional.ofNullable(justEnded.floorEntry(id))
                        .map(e -> e.getValue())
                        .filter(j -> owns(j, id)));
    if (known.isPresent()) {
      return known;
    }
    Optional<Job> past = history.job(id);
    unread = Optional.empty();
    return past;
  }

  private static boolean owns(Job job, JobId number) {
    return number.value() < job.id().value() + job.spec().tasks().count();
  }

  /** Which task of the job is meant; empty = the whole of it. */
  private static Optional<Integer> offset(JobRef ref, Job job) {
    return switch (ref) {
      case JobRef.ById(JobId id) ->
          id.equals(job.id())
              ? Optional.empty()
              : Optional.of((int) (id.value() - job.id().value()));
      case JobRef.ArrayTask(JobId array, int index) ->
          job.spec().tasks().array().map(indices -> indices.indexOf(index));
      case JobRef.Last _, JobRef.LastTask _ -> Optional.empty();
    };
  }

  private static Parent whole(Job job) {
    if (job.over()) {
      return new Parent.Over(job.tally().failed().isEmpty(), job.tally().lastStart());
    }
    return job.allStarted() ? new Parent.Started(job.tally().lastStart()) : new Parent.Waiting();
  }

  private static Parent task(Job job, int offset) {
    if (job.waiting().contains(offset) || job.held().contains(offset)) {
      return new Parent.Waiting();
    }
    Instant started = job.tally().lastStart();
    return job.live().containsKey(offset)
        ? new Parent.Started(started)
        : new Parent.Over(!job.tally().failed().contains(offset), started);
  }
}
