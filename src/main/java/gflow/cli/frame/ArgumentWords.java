package gflow.cli.frame;

import gflow.job.JobRef;
import gflow.script.grammar.Given;
import gflow.script.value.BadInput;
import gflow.script.value.JobRefs;
import java.util.ArrayList;
import java.util.List;

/** What commands make of the words that are no options. */
public final class ArgumentWords {
  private ArgumentWords() {}

  public static void none(Given given) throws BadInput {
    if (!given.words().isEmpty()) {
      throw new BadInput("'" + given.words().getFirst() + "' is one word too many");
    }
  }

  public static List<JobRef> jobs(Given given) throws BadInput {
    if (given.words().isEmpty()) {
      throw new BadInput("say which job: an id as 42, 42_7 or 5-9, or @ for your last one");
    }
    return JobRefs.all(given.words());
  }

  public static JobRef job(Given given) throws BadInput {
    if (given.words().size() != 1) {
      throw new BadInput("say which one job: an id as 42 or 42_7, or @ for your last one");
    }
    return JobRefs.one(given.words().getFirst());
  }

  /** Of {@code --user} and {@code --me}; who asks may write his number for his name. */
  public static List<String> users(Call call, Given given) throws BadInput {
    var caller = call.invocation().caller();
    var users = new ArrayList<>(list(given, "user"));
    users.replaceAll(user -> user.equals("" + caller.uid()) ? caller.name() : user);
    if (given.has("me")) {
      users.add(caller.name());
    }
    return users;
  }

  /** The list with commas that an option has, none of them empty. */
  public static List<String> list(Given given, String option) throws BadInput {
    return given.read(option, text -> list(option, text)).orElse(List.of());
  }

  private static List<String> list(String option, String text) throws BadInput {
    List<String> parts = List.of(text.split(",", -1));
    if (parts.stream().anyMatch(String::isBlank)) {
      throw new BadInput("--" + option + " '" + text + "' has an empty part; write a,b");
    }
    return parts.stream().map(String::strip).toList();
  }

  public static int number(String what, String text, int least, int most) throws BadInput {
    if (text.matches("\\d{1,9}")) {
      int number = Integer.parseInt(text);
      if (number >= least && number <= most) {
        return number;
      }
    }
    throw new BadInput(
        what
            + " '"
            + text
            + "' is not understood; write a number "
            + (most == Integer.MAX_VALUE ? "from " + least + " up" : least + " to " + most));
  }
}
