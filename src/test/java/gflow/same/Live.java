package gflow.same;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The cases against a real Slurm on this machine. {@code compare}: it still answers as recorded,
 * and gflow answers as it does but for what is listed. {@code record}: writes its answers down.
 * More words are names of cases.
 */
final class Live {
  private Live() {}

  public static void main(String[] words) throws IOException {
    List<String> names = List.of(words).subList(1, words.length);
    List<Case> cases =
        Case.all().stream().filter(c -> names.isEmpty() || names.contains(c.name())).toList();
    if (words[0].equals("replay")) {
      var recorded = new TreeMap<String, Answer>();
      cases.forEach(one -> recorded.put(one.name(), Recorded.of(one)));
      System.exit(compare(cases, recorded, names.isEmpty()));
    }
    SortedMap<String, Answer> slurm = answers(World.slurm(), cases);
    switch (words[0]) {
      case "record" -> slurm.forEach(Recorded::write);
      case "compare" -> System.exit(compare(cases, slurm, names.isEmpty()));
      default -> throw new IllegalArgumentException("write compare or record, not " + words[0]);
    }
  }

  private static SortedMap<String, Answer> answers(World world, List<Case> cases)
      throws IOException {
    try (world) {
      return Runner.run(world, cases);
    }
  }

  private static int compare(List<Case> cases, SortedMap<String, Answer> slurm, boolean all)
      throws IOException {
    var wrong = new ArrayList<String>();
    for (Case one : cases) {
      for (Difference changed :
          Difference.between(one.name(), slurm.get(one.name()), Recorded.of(one))) {
        wrong.add("not as recorded (make record): " + changed.toString().replace("gflow:", "now:"));
      }
    }
    var found = new ArrayList<Difference>();
    answers(World.gflow(), cases)
        .forEach((name, ours) -> found.addAll(Difference.between(name, ours, slurm.get(name))));
    wrong.addAll(Listed.unlisted(found, Listed.all()));
    if (all) {
      wrong.addAll(Listed.unmet(found, Listed.all()));
    }
    wrong.forEach(System.out::println);
    System.out.printf(
        "%d cases under a real Slurm and under gflow: %d listed differences, %d wrong%n",
        cases.size(), found.size(), wrong.size());
    return wrong.isEmpty() ? 0 : 1;
  }
}
