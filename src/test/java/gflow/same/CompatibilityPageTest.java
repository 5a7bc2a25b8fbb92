package gflow.same;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.same.OptionTable.Row;
import gflow.script.grammar.Grammar;
import gflow.script.grammar.Opt;
import gflow.script.order.BatchOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CompatibilityPageTest {
  private static final Path PAGE = Path.of("docs/slurm-compatibility.md");

  private final List<Row> rows = OptionTable.rows();

  @Test
  void the_page_is_what_the_options_and_the_differences_say() throws IOException {
    String text = new CompatibilityPage().text();
    if (Boolean.getBoolean("golden.write")) {
      Files.writeString(PAGE, text);
    }
    assertThat(text).as("make golden writes the page").isEqualTo(Files.readString(PAGE));
  }

  @Test
  void every_option_that_slurm_has_is_in_the_table() {
    for (Opt option : BatchOptions.GRAMMAR.options()) {
      assertThat(
              Grammar.OURS.contains(option.name())
                  || option.hidden()
                  || option.name().equals("help")
                  || said(option))
          .as(option.name())
          .isTrue();
    }
  }

  private boolean said(Opt option) {
    return Stream.concat(Stream.of(option.name()), option.aliases().stream())
        .anyMatch(name -> rows.stream().anyMatch(row -> row.names().contains(name)));
  }

  @Test
  void what_is_said_to_be_as_slurm_has_it_is_shown_by_a_case() {
    List<Case> cases = Case.all();
    for (Row row : rows) {
      for (String name : row.names()) {
        assertThat(
                !row.claimed()
                    || cases.stream().anyMatch(one -> OptionTable.in(one, row.section(), name)))
            .as("a case that writes " + CompatibilityPage.name(row, name))
            .isTrue();
      }
    }
  }

  @Test
  void a_difference_about_an_option_names_one_that_is_there() {
    List<String> names =
        rows.stream()
            .flatMap(row -> row.names().stream().map(name -> CompatibilityPage.name(row, name)))
            .toList();
    for (Listed entry : Listed.all()) {
      assertThat(entry.about().stream().filter(word -> word.contains("--")).toList())
          .as(entry.title())
          .isSubsetOf(names);
    }
  }
}
