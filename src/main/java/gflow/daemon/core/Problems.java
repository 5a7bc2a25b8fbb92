package gflow.daemon.core;

import gflow.daemon.core.Problem.Kind;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** What is wrong right now: a fault that nobody sees is never mended. For any thread. */
public final class Problems {
  private record Key(Kind kind, String about) {}

  private final SortedMap<Key, Problem> open =
      new TreeMap<>(Comparator.comparing(Key::kind).thenComparing(Key::about));
  private final InstantSource clock;
  private final BiConsumer<Problem, Boolean> changed;

  /** {@code changed} hears of each that is new, says something else, or (with false) is over. */
  public Problems(InstantSource clock, BiConsumer<Problem, Boolean> changed) {
    this.clock = clock;
    this.changed = changed;
  }

  public void report(Kind kind, String about, String text, String remedy) {
    set(kind, about, Optional.of(text), remedy);
  }

  public void solved(Kind kind, String about) {
    set(kind, about, Optional.empty(), "");
  }

  /**
   * Without a text there is none of the kind, or no longer. One that goes on is as old as it is.
   */
  public synchronized void set(Kind kind, String about, Optional<String> text, String remedy) {
    var key = new Key(kind, about);
    Optional<Problem> old = Optional.ofNullable(open.get(key));
    if (text.isEmpty()) {
      open.remove(key);
      old.ifPresent(problem -> changed.accept(problem, false));
    } else if (!text.equals(old.map(Problem::text))) {
      var since = old.map(Problem::since).orElseGet(clock::instant);
      var problem = new Problem(kind, about, text.get(), remedy, since);
      open.put(key, problem);
      changed.accept(problem, true);
    }
  }

  /** What is wrong with an MPS server, by its name. */
  public void ofServer(String name, Optional<String> text) {
    set(Kind.GPU, "MPS " + name, text, "programs that it had then failed; gjob show says which");
  }

  /** Of that kind only these are left. */
  public void keep(Kind kind, List<String> abouts) {
    all().stream()
        .filter(problem -> problem.kind() == kind && !abouts.contains(problem.about()))
        .forEach(problem -> solved(kind, problem.about()));
  }

  public synchronized List<Problem> all() {
    return List.copyOf(open.values());
  }

  public List<String> lines() {
    return all().stream().map(Problem::line).toList();
  }
}
