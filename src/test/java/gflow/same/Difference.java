package gflow.same;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/** One thing that gflow answered and Slurm answered otherwise; {@code -} where one has nothing. */
record Difference(String where, String field, String gflow, String slurm) {
  static final String NOTHING = "-";
  private static final String COMPLAINTS = "complained";

  /** All of them, section by section. */
  static List<Difference> between(String name, Answer gflow, Answer slurm) {
    var found = new ArrayList<Difference>();
    var sections = new LinkedHashSet<>(slurm.sections().keySet());
    sections.addAll(gflow.sections().keySet());
    for (String section : sections) {
      List<String> ours = gflow.sections().get(section);
      List<String> theirs = slurm.sections().get(section);
      if (ours == null || theirs == null) {
        found.add(new Difference(name, section, whole(ours), whole(theirs)));
      } else if (section.equals(COMPLAINTS)) {
        complaints(name, ours, theirs, found);
      } else {
        lines(name, section, ours, theirs, found);
      }
    }
    return found;
  }

  /** Slurm's words must be there, in their order; gflow may say more, for people. */
  private static void complaints(
      String name, List<String> ours, List<String> theirs, List<Difference> found) {
    int from = 0;
    for (String line : theirs) {
      int at = ours.subList(from, ours.size()).indexOf(line);
      if (at < 0) {
        found.add(new Difference(name, COMPLAINTS, whole(ours.subList(from, ours.size())), line));
        return;
      }
      from += at + 1;
    }
  }

  private static String whole(List<String> lines) {
    return lines == null ? NOTHING : lines.isEmpty() ? "(empty)" : String.join(" / ", lines);
  }

  /** Lines {@code KEY=value} by their keys, wherever they stand; the others in their order. */
  private static void lines(
      String name, String section, List<String> ours, List<String> theirs, List<Difference> found) {
    Map<String, String> left = keyed(ours);
    Map<String, String> right = keyed(theirs);
    var keys = new LinkedHashSet<>(right.keySet());
    keys.addAll(left.keySet());
    for (String key : keys) {
      String our = left.getOrDefault(key, NOTHING);
      String their = right.getOrDefault(key, NOTHING);
      if (!our.equals(their)) {
        found.add(new Difference(name, section + " " + key, our, their));
      }
    }
    rest(name, section, others(ours), others(theirs), found);
  }

  private static void rest(
      String name, String section, List<String> ours, List<String> theirs, List<Difference> found) {
    int from = 0;
    while (from < Math.min(ours.size(), theirs.size()) && ours.get(from).equals(theirs.get(from))) {
      from++;
    }
    int cut = 0;
    while (cut < Math.min(ours.size(), theirs.size()) - from
        && ours.get(ours.size() - 1 - cut).equals(theirs.get(theirs.size() - 1 - cut))) {
      cut++;
    }
    List<String> left = ours.subList(from, ours.size() - cut);
    List<String> right = theirs.subList(from, theirs.size() - cut);
    if (!left.isEmpty() || !right.isEmpty()) {
      found.add(new Difference(name, section, part(left), part(right)));
    }
  }

  private static String part(List<String> lines) {
    return lines.isEmpty() ? NOTHING : String.join(" / ", lines);
  }

  private static boolean isKeyed(String line) {
    return line.matches("([\\w.-]+:? )?[A-Za-z_/:0-9]+=.*");
  }

  private static Map<String, String> keyed(List<String> lines) {
    var all = new LinkedHashMap<String, String>();
    for (String line : lines) {
      if (isKeyed(line)) {
        String[] parts = line.split("=", 2);
        String key = parts[0];
        for (int i = 2; all.containsKey(key); i++) {
          key = parts[0] + "#" + i;
        }
        all.put(key, parts[1]);
      }
    }
    return all;
  }

  private static List<String> others(List<String> lines) {
    return lines.stream().filter(line -> !isKeyed(line)).toList();
  }

  @Override
  public String toString() {
    return where + " | " + field + " | gflow: " + gflow + " | slurm: " + slurm;
  }
}
