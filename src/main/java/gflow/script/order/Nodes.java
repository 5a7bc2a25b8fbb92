package gflow.script.order;

import gflow.script.grammar.Given;
import gflow.script.value.BadInput;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Options about nodes: here there is one, the whole of which one job may have. */
final class Nodes {
  private static final Pattern COUNT = Pattern.compile("(\\d{1,9})(?:-(\\d{1,9}))?");
  private static final List<String> SHARED_WITH = List.of("user", "mcs", "topo");

  private Nodes() {}

  static void check(Given given) throws BadInput {
    given.read("nodes", Nodes::least);
  }

  /** The least number asked for, which is 1. */
  private static int least(String text) throws BadInput {
    Matcher matcher = COUNT.matcher(text.strip());
    if (!matcher.matches()) {
      throw new BadInput("nodes '" + text + "' is not understood; write --nodes 1");
    }
    int least = Integer.parseInt(matcher.group(1));
    int most = matcher.group(2) == null ? least : Integer.parseInt(matcher.group(2));
    if (least == 0 || most < least) {
      throw new BadInput("nodes '" + text + "' is not a number of nodes; write --nodes 1");
    }
    if (least > 1) {
      throw new BadInput(
          "Need " + least + " nodes, this is one machine (change --nodes to 1 or leave it out)");
    }
    return least;
  }

  /** Empty = the machine for this job alone. Jobs here are all of one user, so the rest is kept. */
  static String exclusive(String text) throws BadInput {
    String word = text.strip();
    if (word.isEmpty() || word.equals("true")) {
      return "";
    }
    if (!SHARED_WITH.contains(word)) {
      throw new BadInput("exclusive '" + text + "' is none of user, mcs, topo; write --exclusive");
    }
    return word;
  }
}
