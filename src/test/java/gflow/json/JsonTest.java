package gflow.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
  @Test
  void values_of_every_kind_are_read() throws BadJson {
    assertThat(Json.parse(" [1, -2.5, 1e3, \"ä\\n\\u00e4\\\\\", true, false, null, {}, [] ] "))
        .isEqualTo(
            java.util.Arrays.asList(
                1L, -2.5, 1000.0, "ä\nä\\", true, false, null, Map.of(), List.of()));
  }

  @Test
  void a_long_number_keeps_its_digits_and_a_long_text_its_length() throws BadJson {
    assertThat(Json.parse("12345678901234567")).isEqualTo(12345678901234567L);
    assertThat(Json.parse("-9223372036854775808")).isEqualTo(Long.MIN_VALUE);
    assertThat(Json.parse("9223372036854775808")).isEqualTo(0x1p63);
    String big = "x\n".repeat(3_000_000);
    assertThat(Json.parse(Json.text(big))).isEqualTo(big);
  }

  @Test
  void a_number_may_be_read_to_its_last_digit() throws BadJson {
    String digits = "[0.10,123456789012345678901234567890,1.5E+400,-7]";
    assertThat(Json.text(Json.parseExact(digits))).isEqualTo(digits);
    assertThatThrownBy(() -> Json.parseExact("1e99999999999"))
        .hasMessage("this is no JSON: the number is too large at the end");
  }

  @Test
  void half_a_letter_is_written_as_its_number_and_a_whole_one_as_it_is() throws BadJson {
    String text = "\udcffa\ud83d\ude00\udc80\ud800";
    String json = Json.text(text);
    assertThat(json).isEqualTo("\"\\udcffa\ud83d\ude00\\udc80\\ud800\"");
    assertThat(Json.parse(json)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{} x| expected nothing more at 1:4, was x",
        "{\"a\":1,}| expected \" at 1:8, was }",
        "[1 2]| expected ] at 1:4, was 2]",
        "{\"a\":1,\"a\":2}| the name is there twice at 1:8, was \"a\":2}",
        "{'a':1}| expected \" at 1:2, was 'a':1}",
        "01| expected nothing more at 1:2, was 1",
        "-| expected a digit at the end",
        "1e400| the number is too large at the end",
        "\"x| the text does not end at the end",
        "\"\\q\"| there is no such escape at 1:3, was q\"",
        "tru| expected true at 1:1, was tru",
        "[1,| expected a value at the end",
        "``| expected a value, was empty",
      })
  void what_is_wrong_is_said_with_its_place(String json, String what) {
    assertThatThrownBy(() -> Json.parse(json))
        .isInstanceOf(BadJson.class)
        .hasMessage("this is no JSON: " + what);
  }

  @ParameterizedTest
  @ValueSource(strings = {"[", "{\"a\":"})
  void depth_is_bounded(String open) {
    assertThatThrownBy(() -> Json.parse(open.repeat(1_000_000)))
        .hasMessageStartingWith("this is no JSON: more than 100 levels deep");
  }

  @Test
  void for_people_it_is_indented() {
    var tree = new LinkedHashMap<String, Object>();
    tree.put("a", List.of(1, List.of(), Map.of()));
    tree.put("b", Double.NaN);
    assertThat(Json.pretty(tree))
        .isEqualTo("{\n  \"a\": [\n    1,\n    [],\n    {}\n  ],\n  \"b\": null\n}");
    assertThat(Json.text(tree)).isEqualTo("{\"a\":[1,[],{}],\"b\":null}");
  }

  @Test
  void whatever_is_written_is_read_back() throws BadJson {
    for (long seed = 0; seed < 200; seed++) {
      Object tree = random(new Random(seed), 4);
      assertThat(Json.parse(Json.text(tree))).as("seed %d", seed).isEqualTo(tree);
      assertThat(Json.parse(Json.pretty(tree))).as("seed %d", seed).isEqualTo(tree);
    }
  }

  private static @Nullable Object random(Random random, int depth) {
    return switch (random.nextInt(depth == 0 ? 5 : 7)) {
      case 0 -> null;
      case 1 -> random.nextBoolean();
      case 2 -> random.nextLong() >> random.nextInt(64);
      case 3 -> random.nextGaussian();
      case 4 -> text(random);
      case 5 -> {
        var list = new ArrayList<@Nullable Object>();
        for (int i = random.nextInt(4); i > 0; i--) {
          list.add(random(random, depth - 1));
        }
        yield list;
      }
      default -> {
        var map = new LinkedHashMap<String, @Nullable Object>();
        for (int i = random.nextInt(4); i > 0; i--) {
          map.put(text(random), random(random, depth - 1));
        }
        yield map;
      }
    };
  }

  private static String text(Random random) {
    var text = new StringBuilder();
    for (int i = random.nextInt(8); i > 0; i--) {
      text.appendCodePoint(
          List.of(0, 9, 10, 31, 34, 92, 97, 228, 0x2028, 0x1f600).get(random.nextInt(10)));
    }
    return text.toString();
  }
}
