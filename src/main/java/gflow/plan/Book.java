package gflow.plan;

import gflow.job.JobId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The waiting jobs in order. Mutable, owned by one thread. Those of one shape stand in one line,
 * and each owner's lines are ordered by who stands first in them: so a plan reads the fronts of a
 * few lines, however many jobs wait behind.
 */
public final class Book {
  private final Map<JobId, Candidate> byId = new HashMap<>();
  private final Map<RequestShape, Line> byShape = new HashMap<>();
  private final SortedMap<Integer, Lines> byOwner = new TreeMap<>();

  /** Candidates of one shape. Its place among the lines changes with {@link #first}. */
  static final class Line {
    static final Comparator<Line> TURN = Comparator.comparing(Line::first, Candidate.TURN);

    private final TreeSet<Candidate> members = new TreeSet<>(Candidate.TURN);

    private Candidate first() {
      return members.first();
    }

    /** Then the line keeps its place, whether this one comes or goes. */
    private boolean isLedBefore(Candidate c) {
      return !members.isEmpty() && Candidate.TURN.compare(first(), c) < 0;
    }

    SequencedSet<Candidate> members() {
      return Collections.unmodifiableSequencedSet(members);
    }
  }

  /**
   * One owner's lines in turn: apart, so that a walk leaves all that need GPUs when none is left.
   */
  record Lines(SortedSet<Line> withGpus, SortedSet<Line> without) {
    private Lines() {
      this(new TreeSet<>(Line.TURN), new TreeSet<>(Line.TURN));
    }

    private SortedSet<Line> of(Candidate c) {
      return c.needsGpu() ? withGpus : without;
    }

    private boolean isEmpty() {
      return withGpus.isEmpty() && without.isEmpty();
    }
  }

  /** Inserts, or replaces the candidate of the same job. */
  public void put(Candidate c) {
    if (c.equals(byId.get(c.job()))) {
      return;
    }
    remove(c.job());
    byId.put(c.job(), c);
    Line line = byShape.computeIfAbsent(RequestShape.of(c), shape -> new Line());
    if (line.isLedBefore(c)) {
      line.members.add(c);
      return;
    }
    leave(c, line);
    line.members.add(c);
    enter(c, line);
  }

  /** Does nothing if the job is not in the book. */
  public void remove(JobId id) {
    Candidate c = byId.remove(id);
    if (c == null) {
      return;
    }
    Line line = byShape.get(RequestShape.of(c));
    if (line.isLedBefore(c)) {
      line.members.remove(c);
      return;
    }
    leave(c, line);
    line.members.remove(c);
    if (line.members.isEmpty()) {
      byShape.remove(RequestShape.of(c));
    } else {
      enter(c, line);
    }
  }

  public Optional<Candidate> get(JobId id) {
    return Optional.ofNullable(byId.get(id));
  }

  public int size() {
    return byId.size();
  }

  public boolean isEmpty() {
    return byId.isEmpty();
  }

  List<Lines> owners() {
    return new ArrayList<>(byOwner.values());
  }

  private void enter(Candidate c, Line line) {
    byOwner.computeIfAbsent(c.owner().uid(), uid -> new Lines()).of(c).add(line);
  }

  /** A line must not change while it stands in an ordered set. */
  private void leave(Candidate c, Line line) {
    Lines lines = byOwner.get(c.owner().uid());
    if (lines != null && !line.members.isEmpty()) {
      lines.of(c).remove(line);
      if (lines.isEmpty()) {
        byOwner.remove(c.owner().uid());
      }
    }
  }
}
