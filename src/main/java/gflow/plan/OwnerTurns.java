package gflow.plan;

import gflow.plan.Book.Line;
import gflow.plan.Book.Lines;
import java.util.Comparator;
import java.util.Iterator;
import java.util.PriorityQueue;

/**
 * One walk through the jobs of one owner, in turn, that reads no more of the book than it must. A
 * line enters when the walk has come to its first member; until then the lines behind are unread.
 */
final class OwnerTurns {
  private final Iterator<Line> withGpus;
  private final Iterator<Line> without;
  private final PriorityQueue<Place> open =
      new PriorityQueue<>(Comparator.comparing(p -> p.current, Candidate.TURN));

  /** How far the walk has come in one line. */
  private static final class Place {
    private final Iterator<Candidate> behind;
    private Candidate current;
    private int tasksLeft;
    private boolean last = true;

    Place(Line line) {
      behind = line.members().iterator();
      current = behind.next();
      tasksLeft = current.tasks();
    }

    boolean advance() {
      if (--tasksLeft > 0) {
        return true;
      }
      if (!behind.hasNext()) {
        return false;
      }
      current = behind.next();
      tasksLeft = current.tasks();
      return true;
    }
  }

  OwnerTurns(Lines lines) {
    withGpus = lines.withGpus().iterator();
    without = lines.without().iterator();
    read(withGpus);
    read(without);
  }

  boolean isOver() {
    return open.isEmpty();
  }

  Candidate current() {
    return open.element().current;
  }

  /** One task of the current candidate has its turn behind it. */
  void advance() {
    Place place = leave();
    if (place.advance()) {
      open.add(place);
    }
  }

  /** Nobody in the current candidate's line will be looked at again. */
  void dropLine() {
    leave();
  }

  /** Nor anybody who needs GPUs like the current candidate, or like it does without. */
  void dropKind() {
    boolean kind = current().needsGpu();
    open.removeIf(place -> place.current.needsGpu() == kind);
  }

  private Place leave() {
    Place place = open.remove();
    if (place.last) {
      place.last = false;
      read(place.current.needsGpu() ? withGpus : without);
    }
    return place;
  }

  private void read(Iterator<Line> unread) {
    if (unread.hasNext()) {
      open.add(new Place(unread.next()));
    }
  }
}
