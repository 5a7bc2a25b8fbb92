package gflow.process;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * The processes of one attempt as sessions, parents and marks show them. Cheap while the wrapper is
 * or was our child: every process below it then has an ancestor among our own children, so one
 * small file tells that nothing is left. An attempt of an earlier daemon needs a look at all
 * processes of the machine.
 */
final class ProcessTree {
  /** We are no member, nor are the jobs below us, even if we were started from within a job. */
  private static final long SELF = ProcessHandle.current().pid();

  private static final int MOST_LOOKS = 20;

  private final ProcessMark mark;
  private volatile Root root = new Root.NotStarted();

  /** Processes of others that run a part of it: what is below them belongs here, they do not. */
  private final Set<ProcessId> guests = ConcurrentHashMap.newKeySet();

  /** A limit that a guest has and its programs inherit; it must not be that of the attempt. */
  private final ProcessMark ofGuests;

  /** How the wrapper stands to this process. */
  sealed interface Root {
    record NotStarted() implements Root {}

    record Ours(ProcessId wrapper) implements Root {}

    /**
     * Started by an earlier daemon. The wrapper is there only if we saw it alive: otherwise the
     * number of its session may mean somebody else by now.
     */
    record Adopted(Optional<ProcessId> wrapper) implements Root {}
  }

  ProcessTree(ProcessMark mark) {
    this.mark = mark;
    ofGuests = mark.ofGuests();
  }

  void started(ProcessId wrapper) {
    root = new Root.Ours(wrapper);
  }

  void welcome(ProcessId guest) {
    if (guests.add(guest)) {
      ofGuests.putOn(guest.pid());
    }
  }

  boolean hasGuests() {
    return !guests.isEmpty();
  }

  /** Then all that it left came to us. */
  boolean isOfOurChild() {
    return root instanceof Root.Ours && !hasGuests();
  }

  void adopted(Optional<ProcessId> wrapper) {
    root = new Root.Adopted(wrapper.filter(ProcessId::alive));
  }

  Optional<ProcessId> wrapper() {
    return switch (root) {
      case Root.NotStarted() -> Optional.empty();
      case Root.Ours(var wrapper) -> Optional.of(wrapper);
      case Root.Adopted(var wrapper) -> wrapper;
    };
  }

  /** All that live and belong here, except ourselves. */
  Set<ProcessId> members(boolean searchAll) {
    var found = new LinkedHashSet<ProcessId>();
    wrapper().filter(ProcessId::alive).ifPresent(wrapper -> addWithDescendants(wrapper, found));
    switch (root) {
      case Root.NotStarted() -> {}
      case Root.Ours _ -> Children.addOrphans(this::belongs, found);
      case Root.Adopted _ -> {
        if (searchAll && !hasGuests()) {
          search(this::belongs, found);
        }
      }
    }
    if (hasGuests()) {
      guests.stream().filter(ProcessId::alive).forEach(guest -> addWithDescendants(guest, found));
      search(this::belongs, found);
      found.removeAll(guests);
    }
    return found;
  }

  /**
   * Looks through all processes of the machine, and then at those born meanwhile, as long as none
   * was found: one that forks and exits all the time must not slip through.
   */
  static void search(Predicate<Proc.Stat> belongs, Set<ProcessId> found) {
    var seen = new HashSet<Long>();
    var fresh = Proc.all();
    for (int look = 0; look < MOST_LOOKS && !fresh.isEmpty(); look++) {
      seen.addAll(fresh);
      fresh.stream()
          .flatMap(pid -> Proc.stat(pid).stream())
          .filter(process -> !process.dead() && belongs.test(process))
          .forEach(process -> addWithDescendants(process.id(), found));
      fresh =
          found.isEmpty()
              ? Proc.all().stream().filter(pid -> !seen.contains(pid)).toList()
              : List.of();
    }
  }

  private boolean belongs(Proc.Stat process) {
    return wrapper().filter(wrapper -> wrapper.pid() == process.session()).isPresent()
        || mark.isOn(process.pid())
        || (hasGuests() && ofGuests.limitIsOn(process.pid()));
  }

  static void addWithDescendants(ProcessId top, Set<ProcessId> found) {
    var open = new ArrayDeque<ProcessId>(List.of(top));
    while (!open.isEmpty()) {
      var next = open.removeFirst();
      if (next.pid() != SELF && found.add(next)) {
        for (long child : Proc.children(next.pid())) {
          Proc.stat(child).filter(stat -> !stat.dead()).map(Proc.Stat::id).ifPresent(open::add);
        }
      }
    }
  }
}
