package gflow.cli.frame;

import gflow.script.grammar.Given;
import gflow.script.value.BadInput;
import java.time.Duration;
import java.util.Optional;

/** Prints a list: once, or as {@code --iterate} says again and again, each under the time. */
public final class Listing {
  private Listing() {}

  /** Makes the list as it is now. */
  public interface Source {
    LineParts.Text text() throws BadInput, Refused;
  }

  public static int print(Call call, Given given, Source list) throws BadInput, Refused {
    Optional<Duration> pause = given.read("iterate", Listing::seconds);
    if (pause.isEmpty()) {
      LineParts.send(list.text(), call.output()::out);
      return 0;
    }
    do {
      call.line(JobText.time(call.now(), call.zone()));
      call.output().out(LineParts.whole(list.text()) + "\n");
    } while (call.output().flush() && Pauses.sleep(pause.get()));
    return 0;
  }

  private static Duration seconds(String text) throws BadInput {
    if (!text.matches("\\d{1,6}(\\.\\d{1,3})?") || Double.parseDouble(text) == 0) {
      throw new BadInput("--iterate '" + text + "' is not understood; write seconds, as 5");
    }
    return Duration.ofMillis(Math.round(Double.parseDouble(text) * 1000));
  }
}
