package gflow.job;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** What a job waits for: all of the list, or any one of it. An empty list waits for nothing. */
public record Dependencies(boolean any, List<Dependency> list, boolean cancelIfNever) {
  public static final Dependencies NONE = new Dependencies(false, List.of(), true);

  public enum Kind {
    AFTEROK,
    AFTERANY,
    AFTERNOTOK,
    AFTER,
    SINGLETON
  }

  /** One condition; a singleton names no job, and only {@code after} has a delay. */
  public record Dependency(Kind kind, Optional<JobRef> parent, Duration delay) {}

  /** How far a parent is; an array counts as one. */
  public sealed interface Parent {
    /** Not all of it has started. */
    record Waiting() implements Parent {}

    /** All of it has started (the last at that time), some of it has not ended. */
    record Started(Instant at) implements Parent {}

    record Over(boolean ok, Instant startedAt) implements Parent {}
  }

  public sealed interface Verdict {
    record Met() implements Verdict {}

    /** Met by itself at that time, as {@code after:41+5} is. */
    record MetAt(Instant at) implements Verdict {}

    record Open(List<Dependency> unmet) implements Verdict {}

    record Never(Dependency broken) implements Verdict {}
  }

  public Dependencies {
    list = List.copyOf(list);
  }

  public boolean isEmpty() {
    return list.isEmpty();
  }

  /**
   * Judges the whole list. A singleton's parent is looked up like any other: over once no earlier
   * job of that name and owner is left.
   */
  public Verdict judge(Function<Dependency, Parent> parents, Instant now) {
    if (list.isEmpty()) {
      return new Verdict.Met();
    }
    List<Verdict> verdicts = list.stream().map(d -> judge(d, parents.apply(d), now)).toList();
    return any ? anyOf(verdicts) : allOf(verdicts);
  }

  private static Verdict judge(Dependency d, Parent parent, Instant now) {
    return switch (d.kind()) {
      case AFTER -> after(d, parent, now);
      case AFTERANY, SINGLETON -> parent instanceof Parent.Over ? new Verdict.Met() : open(d);
      case AFTEROK -> afterEnd(d, parent, true);
      case AFTERNOTOK -> afterEnd(d, parent, false);
    };
  }

  private static Verdict after(Dependency d, Parent parent, Instant now) {
    return switch (parent) {
      case Parent.Waiting() -> open(d);
      case Parent.Started(var at) -> reached(at.plus(d.delay()), now);
      case Parent.Over(var ok, var at) -> reached(at.plus(d.delay()), now);
    };
  }

  private static Verdict reached(Instant due, Instant now) {
    return due.isAfter(now) ? new Verdict.MetAt(due) : new Verdict.Met();
  }

  private static Verdict afterEnd(Dependency d, Parent parent, boolean wanted) {
    if (parent instanceof Parent.Over(boolean ok, var at)) {
      return ok == wanted ? new Verdict.Met() : new Verdict.Never(d);
    }
    return open(d);
  }

  private static Verdict open(Dependency d) {
    return new Verdict.Open(List.of(d));
  }

  private static Verdict allOf(List<Verdict> verdicts) {
    for (Verdict v : verdicts) {
      if (v instanceof Verdict.Never) {
        return v;
      }
    }
    List<Dependency> unmet = unmet(verdicts);
    if (!unmet.isEmpty()) {
      return new Verdict.Open(unmet);
    }
    Verdict latest = new Verdict.Met();
    for (Verdict v : verdicts) {
      if (v instanceof Verdict.MetAt(var at)
          && !(latest instanceof Verdict.MetAt(var best) && best.isAfter(at))) {
        latest = v;
      }
    }
    return latest;
  }

  private static Verdict anyOf(List<Verdict> verdicts) {
    if (verdicts.contains(new Verdict.Met())) {
      return new Verdict.Met();
    }
    Optional<Instant> due =
        verdicts.stream()
            .flatMap(v -> v instanceof Verdict.MetAt(var at) ? Stream.of(at) : null)
            .min(Comparator.naturalOrder());
    if (due.isPresent()) {
      return new Verdict.MetAt(due.get());
    }
    List<Dependency> unmet = unmet(verdicts);
    return unmet.isEmpty() ? verdicts.getFirst() : new Verdict.Open(unmet);
  }

  private static List<Dependency> unmet(List<Verdict> verdicts) {
    return verdicts.stream()
        .flatMap(v -> v instanceof Verdict.Open(var list) ? list.stream() : null)
        .toList();
  }
}
