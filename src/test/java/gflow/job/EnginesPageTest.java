package gflow.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The page that lists what every engine does; {@code -Dgolden.write=true} writes it anew. */
class EnginesPageTest {
  private static final String HEAD =
      """
      # What every engine does

      An engine runs attempts: on this machine (`LocalEngine`), in the simulation (`SimEngine`),
      and there also with a queue of its own, as a cluster has one. All pass the same cases,
      `EngineContract`, of which this list is made (`mvn test -Dtest=EnginesPageTest
      -Dgolden.write=true` writes it anew). That each call of the kernel and each file may fail
      is tried of the local engine alone, by `WorldErrorsTest`.

      """;

  @Test
  void the_page_lists_the_cases() throws IOException {
    String text =
        Arrays.stream(EngineContract.class.getDeclaredMethods())
            .filter(method -> method.isAnnotationPresent(Test.class))
            .map(Method::getName)
            .sorted()
            .map(name -> "- " + name.replace('_', ' ').replace("gpu", "GPU") + "\n")
            .collect(Collectors.joining("", HEAD, ""));
    Path page = Path.of("docs", "engines.md");
    if (Boolean.getBoolean("golden.write")) {
      Files.writeString(page, text);
    }
    assertThat(page).content().isEqualTo(text);
  }
}
