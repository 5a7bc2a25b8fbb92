package gflow.plan;

import java.util.Collections;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How much may run at once: for every user, for some users by name (what is not said there is as
 * for everybody), and for projects by name.
 */
public record UsageLimits(
    Cap everyUser, SortedMap<String, Cap> users, SortedMap<String, Cap> projects) {
  public static final UsageLimits NONE =
      new UsageLimits(Cap.NONE, new TreeMap<>(), new TreeMap<>());

  /** Empty = as many as there are. Shares of GPUs count as such: four quarters are one GPU. */
  public record Cap(OptionalInt tasks, OptionalInt gpus) {
    public static final Cap NONE = new Cap(OptionalInt.empty(), OptionalInt.empty());

    private Cap or(Cap other) {
      return new Cap(tasks.isPresent() ? tasks : other.tasks, gpus.isPresent() ? gpus : other.gpus);
    }
  }

  public UsageLimits {
    users = Collections.unmodifiableSortedMap(new TreeMap<>(users));
    projects = Collections.unmodifiableSortedMap(new TreeMap<>(projects));
  }

  public Cap user(String name) {
    return users.getOrDefault(name, Cap.NONE).or(everyUser);
  }

  public Cap project(String name) {
    return projects.getOrDefault(name, Cap.NONE);
  }
}
