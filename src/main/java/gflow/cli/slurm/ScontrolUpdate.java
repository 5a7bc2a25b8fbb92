package gflow.cli.slurm;

import gflow.cli.frame.Refused;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** What {@code scontrol update JobId=42 TimeLimit=2:00:00} changes, in the words of options. */
public final class ScontrolUpdate {
  private ScontrolUpdate() {}

  public static SortedMap<String, String> changes(List<String> words) throws Refused {
    var changes = new TreeMap<String, String>();
    for (String word : words) {
      String[] parts = word.split("=", 2);
      Optional<String> option = parts.length == 2 ? option(parts[0]) : Optional.empty();
      if (option.isEmpty()) {
        throw new Refused(
            "Update of this parameter is not supported: " + word + "\nRequest aborted");
      }
      changes.put(option.get(), value(parts[0], parts[1]));
    }
    if (changes.isEmpty()) {
      throw new Refused("No changes specified");
    }
    return changes;
  }

  private static Optional<String> option(String key) {
    return switch (plain(key)) {
      case "timelimit" -> Optional.of("time");
      case "priority" -> Optional.of("priority");
      case "jobname", "name" -> Optional.of("name");
      case "dependency" -> Optional.of("dependency");
      case "comment" -> Optional.of("comment");
      case "starttime" -> Optional.of("begin");
      case "arraytaskthrottle" -> Optional.of("max-concurrent");
      case "minmemorynode", "minmemory" -> Optional.of("mem");
      case "gres", "trespernode" -> Optional.of("gpus");
      default -> Optional.empty();
    };
  }

  private static String plain(String key) {
    String word = key.toLowerCase(Locale.ROOT);
    return word.endsWith("+") || word.endsWith("-") ? word.substring(0, word.length() - 1) : word;
  }

  /** {@code TimeLimit+=10} adds; {@code gres:gpu:2} is two. */
  private static String value(String key, String text) {
    if (plain(key).equals("gres") || plain(key).equals("trespernode")) {
      return text.substring(text.lastIndexOf(':') + 1);
    }
    char sign = key.charAt(key.length() - 1);
    return sign == '+' || sign == '-' ? sign + text + "m" : text;
  }
}
