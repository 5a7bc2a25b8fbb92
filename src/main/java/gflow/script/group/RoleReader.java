package gflow.script.group;

import gflow.job.StepRequest;
import gflow.script.value.BadInput;
import gflow.script.value.NearestWord;
import gflow.script.value.Times;
import gflow.script.value.Toml;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Reads one role from its table; each problem has its line. */
final class RoleReader {
  private static final List<String> KEYS =
      List.of(
          ("command count spread after ready ready_timeout ends retries gpus cpus env chdir input"
                  + " output stagger")
              .split(" ", -1));

  private static final Duration USUAL_TIMEOUT = Duration.ofMinutes(5);
  private static final int MOST_RETRIES = 1000;

  private final String file;
  private final Toml.Table table;
  private final Map<String, Toml.Entry> entries = new LinkedHashMap<>();

  RoleReader(String file, Toml.Table table, List<Toml.Entry> all) throws BadInput {
    this.file = file;
    this.table = table;
    for (Toml.Entry entry : all) {
      if (entry.table().equals(table.name())) {
        entries.put(entry.key(), known(entry));
      }
    }
  }

  private Toml.Entry known(Toml.Entry entry) throws BadInput {
    if (KEYS.contains(entry.key())) {
      return entry;
    }
    String hint =
        NearestWord.to(entry.key(), KEYS)
            .map(near -> "; did you mean " + near + "?")
            .orElse("; a role has " + String.join(", ", KEYS));
    throw bad(entry.line(), "there is no key '" + entry.key() + "' of a role" + hint);
  }

  Role read() throws BadInput {
    return new Role(
        table.name(),
        table.line(),
        new Role.Runs(command(), env(), text("chdir"), text("input"), text("output")),
        new Role.Tasks(
            number("count", 1, StepRequest.MOST).orElse(1),
            spread(),
            number("gpus", 0, StepRequest.MOST),
            number("cpus", 1, StepRequest.MOST),
            number("retries", 0, MOST_RETRIES).orElse(0),
            time("stagger", Times::pause).orElse(Duration.ZERO)),
        new Role.Turn(
            texts("after"), ready(), time("ready_timeout", Times::duration).orElse(USUAL_TIMEOUT)),
        ends());
  }

  private List<String> command() throws BadInput {
    Toml.Entry command = entries.get("command");
    if (command == null) {
      throw bad(table.line(), "role " + table.name() + " has no command; write command = \"…\"");
    }
    List<String> words = texts("command");
    boolean line = command.value() instanceof String;
    if (words.isEmpty() || words.getFirst().isBlank()) {
      throw bad(command.line(), "the command of role " + table.name() + " is empty");
    }
    return line ? List.of("/bin/sh", "-c", words.getFirst()) : words;
  }

  private boolean spread() throws BadInput {
    Toml.Entry entry = entries.get("spread");
    if (entry == null) {
      return false;
    }
    if (!(entry.value() instanceof Boolean flag)) {
      throw bad(entry.line(), "spread is true or false, was " + entry.value());
    }
    return flag;
  }

  private List<String> env() throws BadInput {
    for (String variable : texts("env")) {
      if (!variable.matches("(?s)[A-Za-z_][A-Za-z0-9_]*=.*")) {
        throw bad(line("env"), "env is a list as [\"NAME=value\"], was \"" + variable + '"');
      }
    }
    return texts("env");
  }

  private List<String> ready() throws BadInput {
    for (String text : texts("ready")) {
      try {
        var _ = Role.sample(text);
      } catch (BadInput e) {
        throw bad(line("ready"), "ready: " + e.line());
      }
    }
    return texts("ready");
  }

  private boolean ends() throws BadInput {
    Optional<String> ends = text("ends");
    if (ends.filter(what -> !what.equals("job")).isPresent()) {
      throw bad(line("ends"), "ends is \"job\" or is left out, was \"" + ends.get() + '"');
    }
    return ends.isPresent();
  }

  private <T> Optional<T> time(String key, Reading<T> reading) throws BadInput {
    Optional<String> text = text(key);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(reading.of(text.get()));
    } catch (BadInput e) {
      throw bad(line(key), key + ": " + e.line());
    }
  }

  private interface Reading<T> {
    T of(String text) throws BadInput;
  }

  private OptionalInt number(String key, int least, int most) throws BadInput {
    Toml.Entry entry = entries.get(key);
    if (entry == null) {
      return OptionalInt.empty();
    }
    if (!(entry.value() instanceof Long number) || number < least || number > most) {
      throw bad(
          entry.line(),
          key + " is a whole number from " + least + " to " + most + ", was " + entry.value());
    }
    return OptionalInt.of(number.intValue());
  }

  private Optional<String> text(String key) throws BadInput {
    Toml.Entry entry = entries.get(key);
    if (entry == null) {
      return Optional.empty();
    }
    if (!(entry.value() instanceof String text) || text.isBlank()) {
      throw bad(entry.line(), key + " is a text in quotes, was " + entry.value());
    }
    return Optional.of(text);
  }

  /** One text, or a list of them. */
  private List<String> texts(String key) throws BadInput {
    Toml.Entry entry = entries.get(key);
    if (entry == null) {
      return List.of();
    }
    var texts = new ArrayList<String>();
    for (Object one : entry.value() instanceof List<?> list ? list : List.of(entry.value())) {
      if (!(one instanceof String text)) {
        throw bad(entry.line(), key + " is a text or a list of texts, was " + entry.value());
      }
      texts.add(text);
    }
    return texts;
  }

  int line(String key) {
    Toml.Entry entry = entries.get(key);
    return entry == null ? table.line() : entry.line();
  }

  BadInput bad(int line, String what) {
    return new BadInput(what).at(file + " line " + line);
  }
}
