package gflow.cli;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.script.BatchOptions;
import gflow.script.Opt;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CompatibilityPageTest {
  /** Options that Slurm does not have. */
  private static final List<String> OUR_OWN =
      List.of(
          "gpu-memory",
          "shared",
          "gpu-type",
          "gpu-ids",
          "exclude-gpus",
          "depends-on",
          "retries",
          "param",
          "param-file",
          "max-concurrent",
          "conda-env",
          "conda-prefix",
          "config",
          "project",
          "from",
          "json",
          "help");

  @Test
  void every_option_that_slurm_has_is_on_the_page() throws IOException {
    String page = Files.readString(Path.of("docs/slurm-compatibility.md"));

    for (Opt option : BatchOptions.GRAMMAR.options()) {
      boolean named =
          Stream.concat(Stream.of(option.name()), option.aliases().stream())
              .anyMatch(name -> page.contains("`--" + name + "`"));
      assertThat(named || OUR_OWN.contains(option.name())).as(option.name()).isTrue();
    }
  }
}
