package gflow.daemon.core;

import gflow.job.Dependencies;
import gflow.job.Dependencies.Dependency;
import gflow.job.Dependencies.Kind;
import gflow.job.Dependencies.Parent;
import gflow.job.Dependencies.Verdict;
import gflow.job.Job;
import gflow.job.JobId;
import gflow.job.JobRef;
import gflow.job.JobSpec;
import gflow.job.Ranges;
import gflow.job.TaskNumbers;
import gflow.store.History;
import gflow.store.History.Known;
import gflow.store.Store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for whom. Parents that are over never change: they are read once, before the loop is
 * asked, and remembered as long as somebody waits for them. Those that ended in the group that is
 * just being made are not in the history yet, and are remembered here until it is committed.
 */
public final class DependencyIndex {
  private static final Duration READ_AGAIN = Duration.ofSeconds(10);

  private final History history;
  private final Function<JobId, Optional<Job>> unfinished;
  private final Supplier<Collection<Job>> all;
  private final TreeMap<JobId, TreeSet<JobId>> children = new TreeMap<>();
  private final TreeMap<String, TreeSet<JobId>> singletons = new TreeMap<>();

  /** All jobs of the names that some singleton has; a million others need no index. */
  private final TreeMap<String, TreeSet<JobId>> namesakes = new TreeMap<>();

  private final TreeMap<JobId, Job> justEnded = new TreeMap<>();

  /** Parents that are over, by the number that a child has for them. */
  private final TreeMap<JobId, Known> over = new TreeMap<>();

  private final List<JobId> justRead = new ArrayList<>();
  private final TreeMap<JobId, Verdict> verdicts = new TreeMap<>();
  private final TreeSet<JobId> touched = new TreeSet<>();
  private boolean unreadable;
  private Optional<String> unread = Optional.empty();

  DependencyIndex(
      History history, Function<JobId, Optional<Job>> unfinished, Supplier<Collection<Job>> all) {
    this.history = history;
    this.unfinished = unfinished;
    this.all = all;
  }

  /** A job comes, has a new version, or goes: it is over, or was undone. */
  void change(@Nullable Job old, @Nullable Job now) {
    if (old == null || now == null || !isAlike(old.spec(), now.spec())) {
      Optional.ofNullable(old).ifPresent(this::leave);
      Optional.ofNullable(now).ifPresent(this::enter);
      Optional.ofNullable(old).ifPresent(job -> numbers(job).forEach(this::forget));
    }
    if (old != null) {
      verdicts.remove(old.id());
      touchThoseBehind(old);
    }
    Optional.ofNullable(now).ifPresent(this::touchThoseBehind);
  }

  /** Then the next version of a job stands in the same places. */
  private static boolean isAlike(JobSpec one, JobSpec other) {
    return one.terms().dependencies().equals(other.terms().dependencies())
        && one.name().equals(other.name())
        && one.owner().equals(other.owner());
  }

  private void enter(Job job) {
    numbers(job).forEach(parent -> add(children, parent, job.id()));
    if (isSingleton(job)) {
      add(singletons, nameKey(job), job.id());
      namesakes.computeIfAbsent(nameKey(job), this::namesakes);
    }
    if (!namesakes.isEmpty() && namesakes.containsKey(nameKey(job))) {
      namesakes.get(nameKey(job)).add(job.id());
    }
  }

  private TreeSet<JobId> namesakes(String key) {
    var ids = new TreeSet<JobId>();
    all.get().stream().filter(j -> nameKey(j).equals(key)).forEach(j -> ids.add(j.id()));
    return ids;
  }

  private void leave(Job job) {
    numbers(job).forEach(parent -> remove(children, parent, job.id()));
    if (namesakes.isEmpty()) {
      return;
    }
    String key = nameKey(job);
    remove(namesakes, key, job.id());
    if (isSingleton(job)) {
      remove(singletons, key, job.id());
      if (!singletons.containsKey(key)) {
        namesakes.remove(key);
      }
    }
  }

  private void forget(JobId parent) {
    if (!children.containsKey(parent)) {
      over.remove(parent);
    }
  }

  private static boolean isSingleton(Job job) {
    return job.spec().terms().dependencies().list().stream()
        .anyMatch(d -> d.kind() == Kind.SINGLETON);
  }

  /** The parents that a job names. */
  static List<JobId> numbers(Job job) {
    return job.spec().terms().dependencies().list().stream()
        .flatMap(d -> d.parent().stream())
        // Never fails, because what broke off here is taken back here.
        .filter(ref -> !(ref instanceof JobRef.Last || ref instanceof JobRef.LastTask))
        .map(DependencyIndex::number)
        .toList();
  }

  /** What was read for those who will wait for it. */
  public void remember(JobFinder.Past past, Collection<JobId> numbers) {
    for (JobId number : numbers) {
      past.owner(number).filter(Known::over).ifPresent(job -> remember(number, job));
    }
  }

  /** Of all who wait at the start, with one question. */
  void read(Collection<Job> waiting) {
    var numbers = new TreeSet<JobId>();
    waiting.forEach(job -> numbers.addAll(numbers(job)));
    var known = new TreeMap<JobId, Known>();
    try {
      history.known(numbers).forEach(job -> known.put(job.id(), job));
    } catch (StoreException e) {
      // Then each is read when it is needed.
    }
    remember(new JobFinder.Past(Optional.empty(), known), numbers);
  }

  private void remember(JobId number, Known job) {
    over.put(number, job);
    justRead.add(number);
  }

  void ended(Job job) {
    justEnded.put(job.id(), job);
  }

  void notEnded(JobId id) {
    justEnded.remove(id);
  }

  /** What ended is in the history now; what nobody waits for need not be remembered. */
  public void settle() {
    for (Job job : justEnded.values()) {
      children
          .subMap(job.id(), true, job.numbers().last(), true)
          .keySet()
          .forEach(number -> over.put(number, Known.of(job)));
    }
    justEnded.clear();
    justRead.forEach(this::forget);
    justRead.clear();
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
    unreadable = false;
    Verdict verdict = dependencies.judge(d -> parent(job, d), now);
    verdicts.put(job.id(), verdict);
    if (unreadable) {
      timers.set(now.plus(READ_AGAIN), Timers.Kind.LOOK_AGAIN, job.task(0));
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
  public Optional<String> unread() {
    return unread;
  }

  public boolean never(JobId job) {
    return verdicts.get(job) instanceof Verdict.Never;
  }

  /** When a job may start that only waits for the delay after its parent's start. */
  public Optional<Instant> metAt(JobId job) {
    return verdicts.get(job) instanceof Verdict.MetAt(var at) ? Optional.of(at) : Optional.empty();
  }

  /** What a waiting job still misses. */
  public List<Dependency> missing(JobId job) {
    return verdicts.get(job) instanceof Verdict.Open(var unmet) ? unmet : List.of();
  }

  private void touchThoseBehind(Job job) {
    children.subMap(job.id(), true, job.numbers().last(), true).values().forEach(touched::addAll);
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

  public static JobId number(JobRef ref) {
    return switch (ref) {
      case JobRef.ById(JobId id) -> id;
      case JobRef.ArrayTask(JobId array, int index) -> array;
      case JobRef.Last _, JobRef.LastTask _ ->
          throw new IllegalStateException("@ was not resolved");
    };
  }

  private Parent parent(Job child, Dependency d) {
    if (d.kind() == Kind.SINGLETON) {
      TreeSet<JobId> same = namesakes.getOrDefault(nameKey(child), new TreeSet<>());
      boolean first = same.headSet(child.id()).isEmpty();
      return first ? new Parent.Over(true, Instant.EPOCH) : new Parent.Waiting();
    }
    JobRef ref = d.parent().orElseThrow();
    JobId number = number(ref);
    return unfinished
        .apply(number)
        .map(job -> state(job, ref))
        .or(() -> ended(number).map(job -> state(job, ref)))
        .orElseGet(() -> past(number, ref));
  }

  private Optional<Known> ended(JobId number) {
    return Optional.ofNullable(over.get(number))
        .or(
            () ->
                Optional.ofNullable(justEnded.floorEntry(number))
                    .map(e -> Known.of(e.getValue()))
                    .filter(job -> job.numbers().owns(number)));
  }

  /** Seldom: it ended between the reading and the asking, or is loaded after its child. */
  private Parent past(JobId number, JobRef ref) {
    try {
      List<Known> found = history.known(List.of(number));
      unread = Optional.empty();
      // A parent that is nowhere was pruned after the submission: it is over, and was not refused.
      if (found.isEmpty()) {
        return new Parent.Over(true, Instant.EPOCH);
      }
      if (found.getFirst().over()) {
        over.put(number, found.getFirst());
      }
      return state(found.getFirst(), ref);
    } catch (StoreException e) {
      unreadable = true;
      unread = Optional.of(String.valueOf(e.getMessage()));
      return new Parent.Waiting();
    }
  }

  /** Which task of the job is meant; empty = the whole of it. */
  private static OptionalInt offset(JobRef ref, TaskNumbers numbers, Optional<Ranges> array) {
    return switch (ref) {
      case JobRef.ById(JobId number) ->
          number.equals(numbers.id())
              ? OptionalInt.empty()
              : OptionalInt.of(numbers.offset(number));
      case JobRef.ArrayTask(JobId _, int index) ->
          array.map(indices -> OptionalInt.of(indices.indexOf(index))).orElse(OptionalInt.empty());
      case JobRef.Last _, JobRef.LastTask _ -> OptionalInt.empty();
    };
  }

  private static Parent state(Known job, JobRef ref) {
    if (!job.over()) {
      return new Parent.Waiting();
    }
    OptionalInt offset = offset(ref, job.numbers(), job.array());
    boolean ok =
        offset.isPresent() ? !job.failed().contains(offset.getAsInt()) : job.failed().isEmpty();
    return new Parent.Over(ok, job.lastStart());
  }

  private static Parent state(Job job, JobRef ref) {
    OptionalInt offset = offset(ref, job.numbers(), job.spec().tasks().array());
    Instant started = job.tally().lastStart();
    if (offset.isEmpty()) {
      return job.allStarted() ? new Parent.Started(started) : new Parent.Waiting();
    }
    int k = offset.getAsInt();
    if (job.waiting().contains(k) || job.held().contains(k)) {
      return new Parent.Waiting();
    }
    return job.live().containsKey(k)
        ? new Parent.Started(started)
        : new Parent.Over(!job.tally().failed().contains(k), started);
  }
}
