package gflow.cli.frame;

import gflow.api.Answer;
import gflow.script.order.Directives;
import gflow.script.order.Order;
import gflow.script.value.BadInput;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the daemon refuses, with the line of the script that it is about: it sees only options. */
public final class ScriptLineErrors {
  private static final Pattern OPTION = Pattern.compile("\\(change --([a-z-]+)\\)");
  private static final Pattern DEPENDENCY = Pattern.compile("there is no job .*");

  private ScriptLineErrors() {}

  public static <T> T get(Answer<T> answer, List<Order> orders) throws BadInput, Refused {
    if (answer instanceof Answer.No<T>(var kind, String line)
        && kind == Answer.Kind.REFUSED
        && orders.size() == 1) {
      throw new Refused(placed(line, orders.getFirst()), kind.exitCode());
    }
    return Call.get(answer);
  }

  private static String placed(String line, Order order) throws BadInput {
    Matcher option = OPTION.matcher(line);
    List<String> names =
        option.find()
            ? List.of(option.group(1))
            : DEPENDENCY.matcher(line).matches() ? List.of("dependency", "depends-on") : List.of();
    return Directives.merge(order.options(), order.body()).placed(names, line);
  }
}
