package gflow.cli.slurm;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Slurm's short form of many hosts: {@code n[1-3,07],login}. */
final class HostList {
  private static final Pattern RANGED = Pattern.compile("([^\\[]*)\\[([0-9,-]+)\\](.*)");

  private HostList() {}

  static List<String> expand(String list) {
    var hosts = new ArrayList<String>();
    for (String part : list.split(",(?![^\\[]*\\])", -1)) {
      Matcher ranged = RANGED.matcher(part.strip());
      if (ranged.matches()) {
        for (String range : ranged.group(2).split(",", -1)) {
          numbers(range).forEach(n -> hosts.add(ranged.group(1) + n + ranged.group(3)));
        }
      } else if (!part.isBlank()) {
        hosts.add(part.strip());
      }
    }
    return hosts;
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
