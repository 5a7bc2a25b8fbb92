package gflow.api;

import gflow.script.order.Order.Origin;
import gflow.script.value.BadInput;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;

/** Where an order comes from, as fields of the order. The owner does not travel. */
final class OriginJson {
  private OriginJson() {}

  /** What the fields do not say is as in {@code defaults}; the owner always is. */
  static Origin read(JsonFields fields, Origin defaults) throws BadInput {
    String folder = fields.text("folder").orElse(defaults.folder());
    if (!folder.startsWith("/")) {
      throw new BadInput("folder must be absolute, was " + folder);
    }
    return new Origin(
        defaults.owner(),
        folder,
        environment(fields).orElse(defaults.environment()),
        umask(fields).orElse(defaults.umask()),
        fields.texts("ulimits").orElse(defaults.ulimits()));
  }

  static void write(Origin origin, Map<String, Object> fields) {
    fields.put("folder", origin.folder());
    fields.put("environment_bytes", Base64.getEncoder().encodeToString(origin.environment()));
    fields.put("umask", "0" + Integer.toOctalString(origin.umask()));
    fields.put("ulimits", origin.ulimits());
  }

  private static Optional<byte[]> environment(JsonFields fields) throws BadInput {
    Optional<Map<?, ?>> named = fields.map("environment");
    Optional<byte[]> exact = fields.bytes("environment_bytes");
    if (exact.isPresent() && named.isPresent()) {
      throw new BadInput("environment and environment_bytes exclude each other");
    }
    return named.isPresent() ? Optional.of(block(named.get())) : exact;
  }

  private static byte[] block(Map<?, ?> named) throws BadInput {
    var block = new ByteArrayOutputStream();
    for (var entry : named.entrySet()) {
      String name = JsonFields.text("a name in environment", entry.getKey());
      if (name.isEmpty() || name.indexOf('=') >= 0) {
        throw new BadInput("environment: a name must not be empty or hold =, was \"" + name + '"');
      }
      String value = JsonFields.text("environment." + name, entry.getValue());
      block.writeBytes((name + "=" + value + "\0").getBytes(StandardCharsets.UTF_8));
    }
    return block.toByteArray();
  }

  private static Optional<Integer> umask(JsonFields fields) throws BadInput {
    Optional<String> text = fields.text("umask");
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      int umask = Integer.parseInt(text.get(), 8);
      if (umask >= 0 && umask <= 0777) {
        return Optional.of(umask);
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw JsonFields.wrong("umask", "octal digits as in \"0022\"", text.get());
  }
}
