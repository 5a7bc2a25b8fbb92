package gflow.job;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/**
 * The parameters of a sweep: the product of its factors, the last one changing fastest. A factor is
 * one {@code --param} with its values, or a {@code --param-file} with its rows.
 */
public record Sweep(List<Factor> factors) {
  public static final Sweep NONE = new Sweep(List.of());

  /** Names, and rows of as many values. */
  public record Factor(List<String> names, List<List<String>> rows) {
    public Factor {
      names = List.copyOf(names);
      rows = List.copyOf(rows);
      int width = names.size();
      if (rows.isEmpty() || rows.stream().anyMatch(row -> row.size() != width)) {
        throw new IllegalArgumentException("each row of " + names + " needs as many values");
      }
    }
  }

  public Sweep {
    factors = List.copyOf(factors);
  }

  /** How many combinations there are; 1 without factors. */
  public int size() {
    int size = 1;
    for (Factor factor : factors) {
      size = Math.multiplyExact(size, factor.rows().size());
    }
    return size;
  }

  /** The parameters of the k-th combination, in the order in which they were given. */
  public SequencedMap<String, String> parameters(int k) {
    var values = new LinkedHashMap<String, String>();
    int block = size();
    int rest = k;
    for (Factor factor : factors) {
      block /= factor.rows().size();
      List<String> row = factor.rows().get(rest / block);
      rest %= block;
      for (int i = 0; i < row.size(); i++) {
        values.put(factor.names().get(i), row.get(i));
      }
    }
    return values;
  }
}
