package gflow.script.order;

import static java.nio.charset.StandardCharsets.UTF_8;

import gflow.script.order.Order.Body;
import gflow.script.value.BadInput;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Ports that stand as numbers where the parts of a program find each other. Two jobs with the same
 * number on one machine become one program, or the second fails. Comments are not looked at.
 */
public final class FixedPorts {
  private static final int MOST = 16;
  private static final int MOST_PORT = 65_535;

  /** An option with a number, one with a host before it, or the variable, in sh or in Python. */
  private static final Pattern PLACE =
      Pattern.compile(
          "(?:--(?:master|main[_-]process)[_-]port[=\\s]\\s*[\"']?"
              + "|--rdzv[_-]endpoint[=\\s]\\s*[\"']?[^\\s:\"']{1,255}:"
              + "|\\bMASTER_PORT(?:[\"']\\]\\s*=\\s*|=)[\"']?)"
              + "(?<port>\\d{2,5})(?![\\w.:$])");

  private static final Pattern COMMENT = Pattern.compile("(?:^|\\s)#.*");

  /** Where it stands (0: not in a script), and what to write. */
  public record Found(int line, int port, String instead) {}

  private FixedPorts() {}

  public static List<Found> in(Body body) {
    return switch (body) {
      case Body.Command(var words) -> found(0, String.join(" ", words)).toList();
      case Body.Wrap(var line) -> found(0, uncommented(line)).toList();
      case Body.Script script -> {
        var all = new ArrayList<>(found(0, String.join(" ", script.arguments())).toList());
        all.addAll(found(script.text()));
        yield all;
      }
      case Body.Group group -> found(group.text());
    };
  }

  private static List<Found> found(byte[] text) {
    var all = new ArrayList<Found>();
    List<String> lines = new String(text, UTF_8).lines().toList();
    for (int i = 0; i < lines.size() && all.size() < MOST; i++) {
      found(i + 1, uncommented(lines.get(i))).forEach(all::add);
    }
    return all;
  }

  /** Each once, ascending. */
  static List<Integer> numbers(Body body) throws BadInput {
    // Those that a role waits for are known without looking.
    List<Integer> said = body instanceof Body.Group group ? group.options().ports() : List.of();
    return Stream.concat(said.stream(), in(body).stream().map(Found::port))
        .distinct()
        .sorted()
        .limit(MOST)
        .toList();
  }

  private static String uncommented(String line) {
    return line.indexOf('#') < 0 ? line : COMMENT.matcher(line).replaceFirst("");
  }

  private static Stream<Found> found(int line, String text) {
    // Most lines have nothing of it.
    if (!text.contains("port") && !text.contains("endpoint") && !text.contains("MASTER_PORT")) {
      return Stream.empty();
    }
    Matcher matcher = PLACE.matcher(text);
    return matcher
        .results()
        .limit(MOST)
        .map(place -> new Found(line, Integer.parseInt(place.group("port")), instead(place)))
        .filter(found -> found.port() > 0 && found.port() <= MOST_PORT);
  }

  private static String instead(MatchResult place) {
    String before = place.group().substring(0, place.start("port") - place.start());
    return before.contains("]")
        ? "os.environ['GFLOW_PORT']"
        : before.replaceFirst("[\"']$", "") + "$GFLOW_PORT";
  }
}
