package gflow.api;

import gflow.api.Gflow.Control;
import gflow.script.value.BadInput;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What an operator changes, as {@code {"type":"drain","gpus":[0],"why":"fan"}}. */
final class ControlJson {
  private static final String TYPES =
      "set_gpus, drain, undrain, pause, resume, set_limit, ignore, prune";

  private ControlJson() {}

  static Control read(JsonFields fields) throws BadInput {
    String type = fields.text("type").orElse("nothing");
    Control control =
        switch (type) {
          case "set_gpus" -> new Control.SetGpus(indices(fields, "allowed"));
          case "drain" -> new Control.Drain(needed(fields, "gpus"), fields.text("why").orElse(""));
          case "undrain" -> new Control.Undrain(needed(fields, "gpus"));
          case "pause" -> new Control.Pause(fields.text("why").orElse(""));
          case "resume" -> new Control.Resume();
          case "set_limit" -> limit(fields);
          case "ignore" -> ignore(fields);
          case "prune" -> prune(fields);
          default -> throw new BadInput("type: expected one of " + TYPES + ", was " + type);
        };
    fields.end("field", "there are those of " + type + " in docs/api.md");
    return control;
  }

  private static Control limit(JsonFields fields) throws BadInput {
    String subject = must(fields, "subject");
    Optional<Integer> limit = fields.whole("limit");
    if (limit.isEmpty() || limit.get() < 0) {
      throw new BadInput("limit: expected a whole number (0 removes the limit)");
    }
    return new Control.SetLimit(subject, limit.get());
  }

  private static Control prune(JsonFields fields) throws BadInput {
    Optional<Instant> before = fields.time("ended_before");
    if (before.isEmpty()) {
      throw missing("ended_before");
    }
    return new Control.Prune(before.get());
  }

  private static Control ignore(JsonFields fields) throws BadInput {
    boolean byUser = fields.flag("by_user");
    boolean add = !fields.has("add") || fields.flag("add");
    return new Control.Ignore(byUser, must(fields, "name"), add);
  }

  private static String must(JsonFields fields, String name) throws BadInput {
    Optional<String> text = fields.text(name);
    if (text.isEmpty() || text.get().isEmpty()) {
      throw missing(name);
    }
    return text.get();
  }

  private static BadInput missing(String name) {
    return new BadInput(name + " is missing");
  }

  private static List<Integer> needed(JsonFields fields, String name) throws BadInput {
    Optional<List<Integer>> indices = indices(fields, name);
    if (indices.isEmpty() || indices.get().isEmpty()) {
      throw new BadInput(name + ": expected the indices of GPUs, as in [0,2]");
    }
    return indices.get();
  }

  private static Optional<List<Integer>> indices(JsonFields fields, String name) throws BadInput {
    Optional<List<?>> list = fields.list(name);
    if (list.isEmpty()) {
      return Optional.empty();
    }
    var indices = new ArrayList<Integer>();
    for (Object part : list.get()) {
      if (!(part instanceof Long index) || index < 0 || index > 10_000) {
        throw JsonFields.wrong(name, "the indices of GPUs, as in [0,2]", part);
      }
      indices.add(index.intValue());
    }
    return Optional.of(List.copyOf(indices));
  }
}
