package gflow.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.e2e.Lab.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What README and the guides show is run, page by page, each with a daemon of its own. {@code sh}
 * blocks must succeed. {@code console} blocks must also say what stands there, but for the width of
 * columns; {@code …} stands for anything, alone on a line for any lines. {@code file=NAME} makes a
 * file of a block, and {@code no-run} is for what changes the reader's machine.
 */
class DocsIT {
  private record Block(String kind, String extra, List<String> lines) {}

  static List<Path> pages() throws IOException {
    var pages = new ArrayList<>(List.of(Path.of("README.md")));
    for (String folder : List.of("docs/guide", "docs/reference")) {
      try (Stream<Path> files = Files.list(Path.of(folder))) {
        files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
      }
    }
    return pages;
  }

  @ParameterizedTest
  @MethodSource("pages")
  void a_page_works_as_it_is_written(Path page) throws IOException {
    try (var lab = new Lab()) {
      StandIns.on(lab);
      for (Block block : blocks(page)) {
        String as = page + ": " + block.lines();
        if (block.extra().startsWith("file=")) {
          lab.write(lab.work().resolve(block.extra().substring(5)), text(block.lines()));
        } else if (block.kind().equals("console")) {
          console(lab, block.lines(), as);
        } else if (!block.extra().equals("no-run")) {
          Said said = lab.bash("set -e\n" + text(block.lines()));
          assertThat(said.code()).as(as + "\n" + said).isZero();
        }
      }
    }
  }

  @Test
  void few_blocks_are_not_run() throws IOException {
    long all = 0;
    for (Path page : pages()) {
      all += blocks(page).stream().filter(b -> b.extra().equals("no-run")).count();
    }
    assertThat(all).isOne();
  }

  @Test
  void links_lead_somewhere() throws IOException {
    var pages = new ArrayList<Path>();
    try (Stream<Path> root = Files.list(Path.of(""));
        Stream<Path> docs = Files.walk(Path.of("docs"))) {
      Stream.concat(root, docs).filter(p -> p.toString().endsWith(".md")).forEach(pages::add);
    }
    for (Path page : pages) {
      var link = Pattern.compile("\\]\\(([^)#:]+)\\)").matcher(Files.readString(page));
      while (link.find()) {
        assertThat(page.toAbsolutePath().resolveSibling(link.group(1)).normalize())
            .as(page.toString())
            .exists();
      }
    }
  }

  /** Laws are held by tests; a test that was renamed would leave a law alone. */
  @Test
  void the_tests_that_documents_name_are_there() throws IOException {
    String sources;
    try (Stream<Path> files = Files.walk(Path.of("src/test/java"))) {
      sources = files.map(Path::toString).collect(Collectors.joining("\n"));
    }
    for (String page : List.of("ARCHITECTURE.md", "CONTRIBUTING.md")) {
      var name = Pattern.compile("`(\\w+\\.)?(\\w+(Test|IT|Contract))`");
      var names = name.matcher(Files.readString(Path.of(page)));
      while (names.find()) {
        assertThat(sources).as(page).contains("/" + names.group(2) + ".java");
      }
    }
  }

  private static List<Block> blocks(Path page) throws IOException {
    var blocks = new ArrayList<Block>();
    var lines = new ArrayList<String>();
    String info = "";
    boolean inside = false;
    for (String line : Files.readAllLines(page)) {
      if (!line.startsWith("```")) {
        lines.add(line);
        continue;
      }
      if (inside && info.matches("(sh|bash|console)( .*)?|(python|toml) file=.*")) {
        String[] words = info.split(" ", 2);
        blocks.add(new Block(words[0], words.length > 1 ? words[1] : "", List.copyOf(lines)));
      }
      inside = !inside;
      info = line.substring(3);
      lines.clear();
    }
    return blocks;
  }

  private static void console(Lab lab, List<String> lines, String as) {
    for (int i = 0; i < lines.size(); i++) {
      if (!lines.get(i).startsWith("$ ")) {
        continue;
      }
      int end = i + 1;
      while (end < lines.size() && !lines.get(end).startsWith("$ ")) {
        end++;
      }
      var shown = new ArrayList<>(lines.subList(i + 1, end));
      int code = 0;
      if (!shown.isEmpty() && shown.getLast().matches("\\[\\d+]")) {
        code = Integer.parseInt(shown.removeLast().replaceAll("\\D", ""));
      }
      Said said = lab.bash(lines.get(i).substring(2));
      assertThat(said.code()).as(as + "\n" + said).isEqualTo(code);
      assertThat(squeezed(said.out())).as(as).matches(pattern(shown));
    }
  }

  private static String squeezed(String text) {
    return text.replaceAll(" {2,}", "  ");
  }

  private static Pattern pattern(List<String> shown) {
    return Pattern.compile(
        shown.stream()
            .map(
                line ->
                    line.equals("…")
                        ? "(.*\n)*?"
                        : Stream.of(squeezed(line).split("…", -1))
                                .map(Pattern::quote)
                                .collect(Collectors.joining(".*"))
                            + "\n")
            .collect(Collectors.joining()));
  }

  private static String text(List<String> lines) {
    return String.join("\n", lines) + "\n";
  }
}
