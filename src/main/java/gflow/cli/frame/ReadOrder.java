package gflow.cli.frame;

import gflow.api.Answer;
import gflow.script.grammar.Given;
import gflow.script.order.BatchOptions;
import gflow.script.order.Order;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An order, and all that it says: the options of the command line over those of its script. */
public record ReadOrder(Order order, Given all) {
  private static final Pattern OPTION = Pattern.compile("\\(change --([a-z-]+)\\)");

  /** How to call, as the command line and then the script's own lines say it. */
  public Given how(Given commandLine) {
    var how = new TreeMap<>(commandLine.byName());
    for (String name : BatchOptions.CALL_IN_SCRIPT) {
      if (all.has(name)) {
        how.put(name, all.values(name));
      }
    }
    return new Given(how, commandLine.words());
  }

  public static List<Order> orders(List<ReadOrder> read) {
    return read.stream().map(ReadOrder::order).toList();
  }

  /** What the daemon refuses gets the line of the script that it is about: it sees only options. */
  public static <T> T get(Answer<T> answer, List<ReadOrder> orders) throws Refused {
    if (answer instanceof Answer.No<T>(var kind, String line)
        && kind == Answer.Kind.REFUSED
        && orders.size() == 1) {
      throw new Refused(orders.getFirst().all.placed(about(line), line), kind.exitCode());
    }
    return Call.get(answer);
  }

  private static List<String> about(String line) {
    Matcher option = OPTION.matcher(line);
    if (option.find()) {
      return List.of(option.group(1));
    }
    return line.startsWith("there is no job ") ? List.of("dependency", "depends-on") : List.of();
  }
}
