package gflow.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RecordJsonTest {
  sealed interface Shape {}

  record Round(int radius) implements Shape {}

  record Dot() implements Shape {}

  record Everything(
      String aText,
      int number,
      long big,
      double share,
      boolean yes,
      Optional<Duration> limit,
      OptionalLong peak,
      Instant at,
      List<Shape> shapes,
      SortedMap<String, String> labels,
      Thread.State state) {}

  private static final Everything ONE =
      new Everything(
          "ä \"q\" \n",
          -3,
          1L << 60,
          0.25,
          true,
          Optional.of(Duration.ofMinutes(90)),
          OptionalLong.empty(),
          Instant.parse("2026-11-15T01:02:03.456789Z"),
          List.of(new Round(2), new Dot()),
          new TreeMap<>(java.util.Map.of("b", "2", "a", "1")),
          Thread.State.NEW);

  @Test
  void what_is_written_is_read_back_the_same() throws BadJson {
    assertThat(RecordJson.read(Everything.class, RecordJson.write(ONE))).isEqualTo(ONE);
  }

  record Chosen(Optional<List<Integer>> some) {}

  @Test
  void no_list_is_not_an_empty_list() throws BadJson {
    for (var chosen : List.of(new Chosen(Optional.empty()), new Chosen(Optional.of(List.of())))) {
      assertThat(RecordJson.read(Chosen.class, RecordJson.write(chosen))).isEqualTo(chosen);
    }
  }

  @Test
  void fields_are_snake_case_and_absent_is_null() {
    assertThat(RecordJson.write(ONE))
        .startsWith("{\"a_text\":")
        .contains("\"peak\":null", "\"limit\":\"PT1H30M\"", "{\"type\":\"round\",\"radius\":2}")
        .contains("\"labels\":{\"a\":\"1\",\"b\":\"2\"}");
  }

  @Test
  void a_wrong_value_names_its_place() {
    assertThatThrownBy(() -> RecordJson.read(Round.class, "{\"radius\":\"x\"}"))
        .isInstanceOf(BadJson.class)
        .hasMessage("radius: expected a number, was \"x\"");
    assertThatThrownBy(() -> RecordJson.read(Round.class, "{\"radius\":1.5}"))
        .hasMessage("radius: expected a whole number, was 1.5");
    assertThatThrownBy(() -> RecordJson.read(Round.class, "{}")).hasMessage("radius is missing");
  }

  @Test
  void an_unknown_field_is_an_error() {
    assertThatThrownBy(() -> RecordJson.read(Round.class, "{\"radius\":1,\"colour\":2}"))
        .hasMessage("value: there is no field colour; there are [radius]");
  }

  @Test
  void what_is_no_json_is_said_so() {
    for (String text : List.of("", "{", "{\"a\":}", "nonsense", "[1,", "{\"a\":1")) {
      assertThatThrownBy(() -> Json.parse(text))
          .as(text)
          .isInstanceOf(BadJson.class)
          .hasMessageStartingWith("this is no JSON: ");
    }
  }
}
