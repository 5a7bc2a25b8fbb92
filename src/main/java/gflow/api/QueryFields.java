package gflow.api;

import gflow.script.value.BadInput;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Stream;

/** The parameters after the question mark; one may be given more than once, or with commas. */
final class QueryFields extends JsonFields {
  QueryFields(SortedMap<String, List<String>> parameters) {
    parameters.forEach(this::put);
  }

  private List<String> given(String name) {
    return take(name) instanceof List<?> given
        ? given.stream().map(Object::toString).toList()
        : List.of();
  }

  @Override
  List<String> words(String name) {
    return given(name).stream()
        .flatMap(value -> Stream.of(value.split(",")))
        .filter(word -> !word.isEmpty())
        .toList();
  }

  @Override
  Optional<String> text(String name) throws BadInput {
    List<String> given = given(name);
    if (given.size() > 1) {
      throw new BadInput(name + " may be given once");
    }
    return given.stream().findFirst();
  }

  @Override
  boolean flag(String name) throws BadInput {
    String text = text(name).orElse("false");
    return switch (text) {
      case "true", "" -> true;
      case "false" -> false;
      default -> throw wrong(name, "true or false", text);
    };
  }

  @Override
  Optional<Integer> whole(String name) throws BadInput {
    Optional<String> text = text(name);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      int number = Integer.parseInt(text.get());
      if (number >= 0) {
        return Optional.of(number);
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw wrong(name, "a whole number", text.get());
  }

  @Override
  void end() throws BadInput {
    String known = String.join(", ", known());
    end("parameter", known.isEmpty() ? "this route takes none" : "there are " + known);
  }
}
