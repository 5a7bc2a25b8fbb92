package gflow.script.value;

import gflow.job.JobState;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** The words for states in filters: Slurm's, long and short, and those of seed 002; any case. */
public final class StateNames {
  private static final SortedMap<String, Filter> WORDS = words();

  /**
   * Which states. Held jobs are PENDING too; {@code held} and {@code waiting} tell which of the
   * pending ones are meant, so that {@code R,H} leaves out what only waits.
   */
  public record Filter(Set<JobState> states, boolean held, boolean waiting) {
    public Filter {
      states = java.util.Collections.unmodifiableSet(ordered(states));
    }

    public boolean fits(JobState state, boolean isHeld) {
      return states.contains(state) && (state != JobState.PENDING || (isHeld ? held : waiting));
    }

    /** Whether of the pending ones only those that are held are meant, or only those that wait. */
    public Optional<Boolean> onlyHeld() {
      return held == waiting ? Optional.empty() : Optional.of(held);
    }

    private Filter or(Filter other) {
      EnumSet<JobState> both = ordered(states);
      both.addAll(other.states);
      return new Filter(both, held || other.held, waiting || other.waiting);
    }
  }

  private StateNames() {}

  /** A list with commas. */
  public static Filter parse(String text) throws BadInput {
    Filter filter = new Filter(Set.of(), false, false);
    for (String part : text.strip().split(",", -1)) {
      Filter one = WORDS.get(part.strip().toLowerCase(Locale.ROOT).replace("_", ""));
      if (one == null) {
        throw new BadInput(
            "there is no state '"
                + part.strip()
                + "'; the states are PENDING RUNNING COMPLETING COMPLETED FAILED CANCELLED TIMEOUT"
                + " OUT_OF_MEMORY NODE_FAIL (PD R CG CD F CA TO OOM NF), H for held, all");
      }
      filter = filter.or(one);
    }
    return filter;
  }

  private static EnumSet<JobState> ordered(Set<JobState> states) {
    EnumSet<JobState> copy = EnumSet.noneOf(JobState.class);
    copy.addAll(states);
    return copy;
  }

  private static SortedMap<String, Filter> words() {
    var words = new TreeMap<String, Filter>();
    for (JobState state : JobState.values()) {
      boolean pending = state == JobState.PENDING;
      var filter = new Filter(EnumSet.of(state), pending, pending);
      words.put(state.name().toLowerCase(Locale.ROOT).replace("_", ""), filter);
      words.put(state.code().toLowerCase(Locale.ROOT), filter);
    }
    Filter waiting = new Filter(EnumSet.of(JobState.PENDING), false, true);
    Filter held = new Filter(EnumSet.of(JobState.PENDING), true, false);
    words.put("queued", waiting);
    words.put("waiting", waiting);
    words.put("hold", held);
    words.put("held", held);
    words.put("h", held);
    words.put("finished", new Filter(EnumSet.of(JobState.COMPLETED), false, false));
    words.put("canceled", new Filter(EnumSet.of(JobState.CANCELLED), false, false));
    words.put("all", new Filter(EnumSet.allOf(JobState.class), true, true));
    return words;
  }
}
