package gflow.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gflow.local.HaltPoints.Point;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HaltPointsTest {
  /** Passes two points three times; exits with how often it did. */
  static final class Passing {
    private Passing() {}

    public static void main(String[] words) {
      var points = new HaltPoints(words[0]);
      for (int i = 0; i < 3; i++) {
        points.pass(Point.BEFORE_SPAWN);
        points.pass(Point.AFTER_SPAWN);
        System.out.print(i);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'', 0, 012",
    "after_spawn, 137, ''",
    "after_spawn:3, 137, 01",
    "BEFORE_SPAWN:2, 137, 0",
    "after_spawn:4, 0, 012"
  })
  void it_halts_at_that_pass_of_that_point(String text, int code, String printed) throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var process =
        new ProcessBuilder(
                List.of(
                    java,
                    "-XX:TieredStopAtLevel=1",
                    "-cp",
                    System.getProperty("java.class.path"),
                    Passing.class.getName(),
                    text))
            .start();
    assertThat(new String(process.getInputStream().readAllBytes())).isEqualTo(printed);
    assertThat(process.waitFor()).isEqualTo(code);
  }

  @Test
  void a_point_that_is_not_there_is_an_error() {
    assertThatThrownBy(() -> new HaltPoints("spawned"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
