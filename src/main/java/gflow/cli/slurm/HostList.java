package gflow.cli.slurm;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Slurm's short form of many hosts: {@code n[1-3,07],login}. */
final class HostList {
  private static final Pattern RANGED = Pattern.compile("(.*)\\[([0-9,-]+)\\]([^\\[]*)");

  private HostList() {}

  static List<String> expand(String list) {
    var hosts = new ArrayList<String>();
    for (String part : list.split(",(?![^\\[]*\\])", -1)) {
      Matcher ranged = RANGED.matcher(part.strip());
      if (ranged.matches()) {
        for (String head : heads(ranged.group(1))) {
          all(ranged.group(2)).forEach(n -> hosts.add(head + n + ranged.group(3)));
        }
      } else if (!part.isBlank()) {
        hosts.add(part.strip());
      }
    }
    return hosts;
  }

  /** Of several numbers the last counts fastest, then the first: as Slurm has it. */
  private static List<String> heads(String text) {
    Matcher ranged = RANGED.matcher(text);
    if (!ranged.matches()) {
      return List.of(text);
    }
    var heads = new ArrayList<String>();
    for (String n : all(ranged.group(2))) {
      heads(ranged.group(1)).forEach(head -> heads.add(head + n + ranged.group(3)));
    }
    return heads;
  }

  private static List<String> all(String ranges) {
    var all = new ArrayList<String>();
    for (String range : ranges.split(",", -1)) {
      all.addAll(numbers(range));
    }
    return all;
  }

  /** {@code 08-10} keeps its zeros. */
  private static List<String> numbers(String range) {
    String[] ends = range.split("-", 2);
    var numbers = new ArrayList<String>();
    long last = Long.parseLong(ends[ends.length - 1]);
    for (long n = Long.parseLong(ends[0]); n <= last; n++) {
      String digits = Long.toString(n);
      numbers.add("0".repeat(Math.max(0, ends[0].length() - digits.length())) + digits);
    }
    return numbers;
  }
}
