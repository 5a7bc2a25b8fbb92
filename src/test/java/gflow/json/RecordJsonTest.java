package gflow.json;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
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

  record Choice(Optional<List<Integer>> allowed) {}

  @Test
  void an_absent_list_is_not_an_empty_one() throws BadJson {
    for (var choice : List.of(new Choice(Optional.empty()), new Choice(Optional.of(List.of())))) {
      assertThat(RecordJson.read(Choice.class, RecordJson.write(choice))).isEqualTo(choice);
    }
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

  record Loose(
      @Nullable String note, @Nullable Long size, Optional<List<Integer>> only, List<Round> all) {}

  record Strict(String name, Optional<Integer> age, Shape shape) {
    Strict {
      requireNonNull(name, "name is missing");
    }
  }

  @Test
  void what_may_be_absent_is_absent_and_an_empty_list_is_not_absent() throws BadJson {
    var none = new Loose(null, null, Optional.empty(), List.of());
    assertThat(RecordJson.read(Loose.class, "{}")).isEqualTo(none);
    assertThat(RecordJson.read(Loose.class, RecordJson.write(none))).isEqualTo(none);

    var empty = new Loose("", 0L, Optional.of(List.of()), List.of(new Round(1)));
    assertThat(RecordJson.read(Loose.class, RecordJson.write(empty))).isEqualTo(empty);
  }

  @Test
  void what_must_be_there_is_said_to_be_missing() {
    assertThatThrownBy(() -> RecordJson.read(Strict.class, "{\"shape\":{\"type\":\"dot\"}}"))
        .isInstanceOf(BadJson.class)
        .hasMessage("value: name is missing");
    assertThatThrownBy(() -> RecordJson.read(Loose.class, "{\"all\":[null]}"))
        .hasMessage("all[0] is missing");
    assertThatThrownBy(() -> RecordJson.read(Strict.class, "null")).hasMessage("value is missing");
  }
}
