package gflow.script.order;

import gflow.job.Program;
import gflow.script.value.BadInput;
import gflow.script.value.DisplayNames;
import gflow.script.value.RawWords;
import java.nio.charset.StandardCharsets;
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
        checkScript(DisplayNames.base(script.name()), script.text());
        noNul(script.arguments());
      }
    }
  }

  static Program program(Order.Body body, BlobContents blobs) {
    return switch (body) {
      case Order.Body.Command(var words) -> new Program.Argv(words);
      case Order.Body.Wrap(var line) -> new Program.ShellLine(line);
      case Order.Body.Script script ->
          new Program.Script(blobs.add(script.text()), script.arguments());
    };
  }

  static String defaultName(Order.Body body) {
    String name =
        switch (body) {
          case Order.Body.Command(var words) -> DisplayNames.base(words.getFirst());
          case Order.Body.Wrap(var line) -> "wrap";
          case Order.Body.Script script -> DisplayNames.base(script.name());
        };
    // Only a given name is refused.
    String shown = shown(name);
    return shown.isBlank() ? "job" : shown.substring(0, Math.min(200, shown.length()));
  }

  /** A file may be named in ways that a table cannot show. */
  static String shown(String name) {
    return DisplayNames.hasControl(name) ? name.replaceAll("\\p{Cntrl}", "_") : name;
  }

  private static void checkScript(String name, byte[] bytes) throws BadInput {
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    if (text.isBlank()) {
      throw new BadInput("script '" + name + "' is empty");
    }
    if (text.indexOf('\0') >= 0) {
      throw new BadInput("script '" + name + "' is no text; to run a program write ./" + name);
    }
    if (!text.startsWith("#!")) {
      throw new BadInput(
          name + " line 1: it does not say who reads it; write #!/bin/bash or the like as line 1");
    }
    int dos = text.indexOf("\r\n");
    if (dos >= 0) {
      throw new BadInput(
          name
              + " line "
              + text.substring(0, dos + 1).lines().count()
              + ": DOS line end (CRLF), which a shell cannot read; run: sed -i 's/\\r$//' "
              + name);
    }
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
