package gflow.script.value;

import java.util.Collection;
import java.util.Optional;

/** Finds the word that somebody meant who wrote another one. */
public final class NearestWord {
  private NearestWord() {}

  /** The candidate with the fewest slips (at most a third of the letters), the first of equals. */
  public static Optional<String> to(String written, Collection<String> candidates) {
    int limit = Math.max(1, Math.min(3, written.length() / 3));
    Optional<String> best = Optional.empty();
    for (String candidate : candidates) {
      int slips = slips(written, candidate);
      if (slips <= limit) {
        best = Optional.of(candidate);
        limit = slips - 1;
      }
    }
    return best;
  }

  /** Letters added, left out, changed, or swapped with their neighbour. */
  static int slips(String a, String b) {
    int[][] cost = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        cost[i][j] = i == 0 || j == 0 ? i + j : step(a, b, cost, i, j);
      }
    }
    return cost[a.length()][b.length()];
  }

  private static int step(String a, String b, int[][] cost, int i, int j) {
    boolean same = a.charAt(i - 1) == b.charAt(j - 1);
    int best = Math.min(cost[i - 1][j], cost[i][j - 1]) + 1;
    best = Math.min(best, cost[i - 1][j - 1] + (same ? 0 : 1));
    boolean swapped =
        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
    return swapped ? Math.min(best, cost[i - 2][j - 2] + 1) : best;
  }
}
