package gflow.cli;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.script.grammar.Grammar;
import gflow.script.grammar.Opt;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The pages about the commands cannot rot: their tables of options are made from the grammars, what
 * stands in {@code console} blocks is run and compared, and the lines of {@code sh} blocks are run.
 * {@code -Dgolden.write=true} rewrites tables and output.
 */
class DocsTest extends AtTheLab {
  private static final Path PAGES = Path.of("docs/commands");
  private static final String OPTIONS = "<!-- options: ";
  private static final String END = "<!-- end -->";

  static List<Path> pages() throws IOException {
    try (Stream<Path> files = Files.list(PAGES)) {
      return files.filter(file -> file.toString().endsWith(".md")).sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("pages")
  void a_page_shows_what_the_program_does(Path page) throws IOException {
    String actual = renewed(Files.readAllLines(page));
    if (Boolean.getBoolean("golden.write")) {
      Files.writeString(page, actual);
    }
    assertThat(actual).isEqualTo(Files.readString(page));
  }

  @ParameterizedTest
  @MethodSource("pages")
  void the_examples_of_a_page_are_no_wrong_command_lines(Path page) throws IOException {
    boolean inside = false;
    for (String line : Files.readAllLines(page)) {
      inside = line.startsWith("```") ? line.equals("```sh") : inside;
      if (inside && line.startsWith("g")) {
        var result = new Transcript(folder, lab::fresh).run(line, lab.fresh(), 1);
        assertThat(result.exitCode).as(line + "\n" + result.err).isNotEqualTo(2);
      }
    }
  }

  @Test
  void every_command_has_its_options_on_a_page() throws IOException {
    var all = new StringBuilder();
    for (Path page : pages()) {
      all.append(Files.readString(page));
    }
    for (Grammar grammar : new Commands("0.1.0", Path.of("/opt/gflow")).grammars()) {
      assertThat(all).contains(OPTIONS + grammar.command() + " -->");
    }
  }

  private String renewed(List<String> lines) throws IOException {
    var text = new ArrayList<String>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      text.add(line);
      if (line.startsWith(OPTIONS)) {
        text.addAll(table(line.substring(OPTIONS.length()).replace(" -->", "")));
        i += lines.subList(i, lines.size()).indexOf(END) - 1;
      } else if (line.equals("```console")) {
        int end = i + lines.subList(i, lines.size()).indexOf("```");
        var commands = lines.subList(i, end).stream().filter(l -> l.startsWith("$ ")).toList();
        for (String command : commands) {
          var transcript = new Transcript(folder, lab::fresh);
          text.addAll(transcript.block(command.substring(2)).lines().toList());
        }
        i = end - 1;
      }
    }
    return String.join("\n", text) + "\n";
  }

  private static List<String> table(String command) {
    Grammar grammar =
        new Commands("0.1.0", Path.of("/opt/gflow"))
            .grammars().stream()
                .filter(g -> g.command().equals(command))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no command " + command));
    var lines = new ArrayList<>(List.of("| option | meaning |", "|---|---|"));
    for (Opt option : grammar.options()) {
      if (!option.hidden()) {
        lines.add("| " + form(option) + " | " + option.help().replace("|", "\\|") + " |");
      }
    }
    return lines;
  }

  private static String form(Opt option) {
    String value =
        switch (option.arity()) {
          case FLAG -> "";
          case VALUE, PAIR -> " " + option.placeholder();
          case OPTIONAL_VALUE -> "[=" + option.placeholder() + "]";
        };
    return Stream.concat(
            option.shorts().chars().mapToObj(letter -> "-" + (char) letter),
            Stream.concat(Stream.of(option.name() + value), option.aliases().stream())
                .map(name -> "--" + name))
        .map(form -> "`" + form.replace("|", "\\|") + "`")
        .collect(Collectors.joining(", "));
  }
}
