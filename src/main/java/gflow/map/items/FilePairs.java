package gflow.map.items;

import gflow.process.RawText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Finds the files that belong together by what the star in their names stands for. */
final class FilePairs {
  /** The column that has it. */
  static final String KEY = "key";

  private static final int SHOWN = 3;

  private FilePairs() {}

  static ItemStream open(Path folder, Source.Pairs pairs) throws BadItems {
    TreeMap<String, String> left = byKey(folder, pairs.left());
    TreeMap<String, String> right = byKey(folder, pairs.right());
    check(left, right, pairs.right());
    check(right, left, pairs.left());
    List<String> keys = List.copyOf(left.keySet());
    return ItemStream.of(
        IntStream.range(0, keys.size())
            .mapToObj(number -> pair(number, keys.get(number), left, right))
            .iterator(),
        () -> {});
  }

  private static Item pair(
      int number, String key, Map<String, String> left, Map<String, String> right) {
    SequencedMap<String, String> columns = new LinkedHashMap<>();
    columns.put(KEY, key);
    List<String> files = List.of(left.getOrDefault(key, ""), right.getOrDefault(key, ""));
    return new Item(number, files, columns);
  }

  private static TreeMap<String, String> byKey(Path folder, String pattern) throws BadItems {
    int star = pattern.indexOf('*');
    var found = new TreeMap<String, String>();
    for (byte[] name : Glob.find(folder, "", pattern, false)) {
      String file = RawText.of(name);
      int end = file.length() - (pattern.length() - star - 1);
      found.put(file.substring(star, end), file);
    }
    if (found.isEmpty()) {
      throw new BadItems("--pairs: '" + pattern + "' matches nothing in " + folder);
    }
    return found;
  }

  private static void check(
      TreeMap<String, String> these, TreeMap<String, String> those, String pattern)
      throws BadItems {
    var alone = new ArrayList<String>();
    for (var one : these.entrySet()) {
      if (!those.containsKey(one.getKey())) {
        alone.add(one.getValue() + " (" + pattern.replace("*", one.getKey()) + ")");
      }
    }
    if (!alone.isEmpty()) {
      String shown = alone.stream().limit(SHOWN).collect(Collectors.joining(", "));
      int more = alone.size() - SHOWN;
      throw new BadItems(
          "--pairs: the partner is missing of "
              + shown
              + (more > 0 ? " and " + more + " more" : ""));
    }
  }
}
