package gflow.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import gflow.script.order.Order;
import gflow.script.order.Order.Body;
import gflow.script.order.Order.Origin;
import gflow.script.value.BadInput;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An order as JSON: {@code {"command":["python","train.py"],"gpus":2}}. The fields that are not
 * listed in docs/api.md are options by their long names; whether such an option exists is judged
 * later, by the same rules as a command line.
 */
public final class OrderJson {
  private OrderJson() {}

  /** One order; what it does not say about its origin is as in {@code defaults}. */
  public static Order read(@Nullable Object tree, Origin defaults) throws BadInput {
    return read(JsonFields.of(tree, "an order"), defaults);
  }

  private static Order read(JsonFields fields, Origin defaults) throws BadInput {
    Body body = body(fields);
    Origin origin = OriginJson.read(fields, defaults);
    SortedMap<String, byte[]> files = files(fields);
    return new Order(options(fields.rest()), body, origin, files);
  }

  /** One order, or {@code {"jobs":[…]}} with an {@code origin} that all share. */
  static List<Order> readAll(JsonFields fields, Origin defaults) throws BadInput {
    if (!fields.has("jobs")) {
      return List.of(read(fields, defaults));
    }
    List<?> jobs = fields.list("jobs").orElse(List.of());
    Optional<JsonFields> given = fields.object("origin");
    Origin origin = given.isEmpty() ? defaults : OriginJson.read(given.get(), defaults);
    if (given.isPresent()) {
      given.get().end();
    }
    fields.end();
    if (jobs.isEmpty()) {
      throw new BadInput("jobs is empty: there is nothing to submit");
    }
    return orders(jobs, origin);
  }

  private static List<Order> orders(List<?> jobs, Origin origin) throws BadInput {
    var orders = new ArrayList<Order>(jobs.size());
    for (Object job : jobs) {
      try {
        orders.add(read(job, origin));
      } catch (BadInput bad) {
        throw new BadInput("jobs[" + orders.size() + "]: " + bad.line());
      }
    }
    return orders;
  }

  /** All of it but the owner, so that reading it back gives the same order. */
  public static Map<String, Object> write(Order order) {
    Map<String, Object> fields = writeWithoutOrigin(order);
    OriginJson.write(order.origin(), fields);
    return fields;
  }

  /** An environment is large and mostly the same, so it travels once for all who share it. */
  static Map<String, Object> writeAll(List<Order> orders) {
    Origin shared = orders.getFirst().origin();
    var jobs = new ArrayList<Object>(orders.size());
    for (Order order : orders) {
      // Looks first whether they are one object, as they are of one call: a record's own equals
      // costs a client of 50 ms another 10.
      boolean same = Objects.equals(order.origin(), shared);
      jobs.add(same ? writeWithoutOrigin(order) : write(order));
    }
    var origin = new LinkedHashMap<String, Object>();
    OriginJson.write(shared, origin);
    var tree = new LinkedHashMap<String, Object>();
    tree.put("jobs", jobs);
    tree.put("origin", origin);
    return tree;
  }

  static Map<String, Object> writeWithoutOrigin(Order order) {
    var fields = new LinkedHashMap<String, Object>();
    if (order.body() instanceof Body.Command(var words)) {
      fields.put("command", words);
    } else if (order.body() instanceof Body.Wrap(var line)) {
      fields.put("wrap", line);
    } else if (order.body() instanceof Body.Script(var name, var text, var arguments, _)) {
      fields.put("script_name", name);
      fields.put("script_bytes", Base64.getEncoder().encodeToString(text));
      fields.put("arguments", arguments);
    } else if (order.body() instanceof Body.Group(var name, var text)) {
      fields.put("group_name", name);
      fields.put("group", new String(text, UTF_8));
    }
    fields.putAll(order.options());
    if (!order.files().isEmpty()) {
      var files = new LinkedHashMap<String, Object>();
      order.files().forEach((n, c) -> files.put(n, Base64.getEncoder().encodeToString(c)));
      fields.put("files", files);
    }
    return fields;
  }

  private static Body body(JsonFields fields) throws BadInput {
    var bodies = new ArrayList<Body>();
    if (fields.has("command")) {
      bodies.add(command(fields));
    }
    if (fields.has("wrap")) {
      bodies.add(new Body.Wrap(fields.text("wrap").orElseThrow()));
    }
    if (fields.has("script") || fields.has("script_bytes")) {
      bodies.add(script(fields));
    }
    if (fields.has("group")) {
      bodies.add(
          new Body.Group(
              fields.text("group_name").orElse("group"),
              fields.text("group").orElseThrow().getBytes(UTF_8)));
    }
    if (bodies.size() != 1) {
      throw new BadInput("an order has one of command, script, wrap and group");
    }
    if (fields.has("arguments") || fields.has("script_name")) {
      throw new BadInput("arguments and script_name belong to a script");
    }
    return bodies.getFirst();
  }

  private static Body command(JsonFields fields) throws BadInput {
    if (fields.peek("command") instanceof String line) {
      throw JsonFields.wrong("command", "a list of words (a shell line is \"wrap\")", line);
    }
    List<String> words = fields.texts("command").orElseThrow();
    if (words.isEmpty() || words.getFirst().isEmpty()) {
      throw new BadInput("command is empty: there is nothing to run");
    }
    return new Body.Command(words);
  }

  private static Body script(JsonFields fields) throws BadInput {
    Optional<byte[]> exact = fields.bytes("script_bytes");
    Optional<String> text = fields.text("script");
    if (exact.isPresent() && text.isPresent()) {
      throw new BadInput("script and script_bytes exclude each other");
    }
    String name = fields.text("script_name").orElse("script");
    if (name.isEmpty()) {
      throw new BadInput("script_name is empty; give the script's name or path, or leave it out");
    }
    byte[] content = exact.orElseGet(() -> text.orElseThrow().getBytes(UTF_8));
    return new Body.Script(name, content, fields.texts("arguments").orElse(List.of()));
  }

  private static SortedMap<String, byte[]> files(JsonFields fields) throws BadInput {
    var files = new TreeMap<String, byte[]>();
    for (var entry : fields.map("files").orElse(Map.of()).entrySet()) {
      String name = entry.getKey().toString();
      files.put(name, JsonFields.bytes("files." + name, entry.getValue()));
    }
    return files;
  }

  private static SortedMap<String, List<String>> options(SequencedMap<String, Object> rest)
      throws BadInput {
    var options = new TreeMap<String, List<String>>();
    for (var entry : rest.entrySet()) {
      String name = entry.getKey().replace('_', '-');
      List<?> parts = entry.getValue() instanceof List<?> l ? l : List.of(entry.getValue());
      var values = new ArrayList<String>();
      for (Object part : parts) {
        option(name, part, values);
      }
      if (!values.isEmpty()) {
        options.put(name, List.copyOf(values));
      }
    }
    return options;
  }

  /** Options to change: one value each; {@code false} takes a flag away. */
  static SortedMap<String, String> changes(SequencedMap<String, Object> rest) throws BadInput {
    var changes = new TreeMap<String, String>();
    for (var entry : rest.entrySet()) {
      String name = entry.getKey().replace('_', '-');
      var values = new ArrayList<String>();
      option(name, entry.getValue(), values);
      changes.put(name, values.isEmpty() ? "false" : values.getFirst());
    }
    if (changes.isEmpty()) {
      throw new BadInput("there is nothing to change: give options, as in {\"time\":\"2:00:00\"}");
    }
    return changes;
  }

  /** A flag has the empty value, and false is as if it were not there. */
  private static void option(String name, @Nullable Object part, List<String> values)
      throws BadInput {
    switch (part) {
      case Boolean flag -> {
        if (flag) {
          values.add("");
        }
      }
      case Long number -> values.add(number.toString());
      case Double number ->
          values.add(BigDecimal.valueOf(number).stripTrailingZeros().toPlainString());
      case String text -> values.add(JsonFields.text(name, text));
      case null, default -> throw JsonFields.wrong(name, "a text, number, true or false", part);
    }
  }
}
