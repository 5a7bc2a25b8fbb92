package gflow.script.order;

import gflow.job.Program;
import gflow.script.value.BadInput;
import gflow.script.value.DisplayNames;
import gflow.script.value.RawWords;
import java.util.List;

/** What an order runs, checked for what could never run. */
final class OrderBodies {
  private OrderBodies() {}

  static void check(Order.Body body) throws BadInput {
    switch (body) {
      case Order.Body.Command(var words) -> {
        if (words.isEmpty() || words.getFirst().isBlank()) {
          throw nothing();
        }
        RawWords.text("the program's name", words.getFirst());
        noNul(words);
      }
      case Order.Body.Wrap(var line) -> {
        if (line.isBlank()) {
          throw nothing();
        }
        noNul(List.of(line));
      }
      case Order.Body.Script script -> {
        List<ScriptFault> faults = ScriptFault.of(script.text());
        if (!faults.isEmpty()) {
          throw new BadInput(
              faults.getFirst().line(DisplayNames.base(script.name()), script.text()));
        }
        noNul(script.arguments());
      }
      case Order.Body.Group group -> {
        var _ = group.options();
      }
    }
  }

  static Program program(Order.Body body, BlobContents blobs) {
    return switch (body) {
      case Order.Body.Command(var words) -> new Program.Argv(words);
      case Order.Body.Wrap(var line) -> new Program.ShellLine(line);
      case Order.Body.Script script ->
          new Program.Script(blobs.add(script.text()), script.arguments());
      case Order.Body.Group group -> new Program.Script(blobs.add(group.text()), List.of());
    };
  }

  static String defaultName(Order.Body body) {
    String name =
        switch (body) {
          case Order.Body.Command(var words) -> DisplayNames.base(words.getFirst());
          case Order.Body.Wrap(var line) -> "wrap";
          case Order.Body.Script script -> DisplayNames.base(script.name());
          case Order.Body.Group group -> DisplayNames.base(group.name());
        };
    // Only a given name is refused.
    String shown = shown(name);
    return shown.isBlank() ? "job" : shown.substring(0, Math.min(200, shown.length()));
  }

  /** A file may be named in ways that a table cannot show. */
  static String shown(String name) {
    return DisplayNames.hasControl(name) ? name.replaceAll("\\p{Cntrl}", "_") : name;
  }

  private static void noNul(List<String> words) throws BadInput {
    if (words.stream().anyMatch(w -> w.indexOf('\0') >= 0)) {
      throw new BadInput("the command has a NUL character in it; no program can get that");
    }
    for (String word : words) {
      RawWords.bytes("the command", word);
    }
  }

  private static BadInput nothing() {
    return new BadInput("there is nothing to run; give a script, a command or --wrap 'LINE'");
  }
}
