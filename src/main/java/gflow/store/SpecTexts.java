package gflow.store;

import static java.util.Objects.requireNonNull;

import gflow.job.JobSpec;
import gflow.job.JobSpec.Scene;
import gflow.job.JobSpec.Tasks;
import gflow.job.JobSpec.Terms;
import gflow.job.Owner;
import gflow.job.Program;
import gflow.job.Request;
import gflow.job.RequestedOptions;
import gflow.json.BadJson;
import gflow.json.Json;
import gflow.json.RecordJson;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Specs as compact JSON, by the components of their records, with the number of that form. Owner
 * and name have columns of their own. When one of these records changes, so does the number, and
 * what was written before is read by records of its own, as {@link OldSpec}. Of many specs that
 * differ only in what they run, the rest is written and read once; equal parts become one object.
 * For one thread.
 */
final class SpecTexts {
  private static final int VERSION = 2;
  private static final String START = "{\"version\":";
  private static final String PROGRAM = ",\"program\":";

  /** All but what it runs. */
  private record Rest(
      int version,
      Request request,
      Terms terms,
      Tasks tasks,
      Scene scene,
      RequestedOptions asked,
      SortedMap<String, String> labels) {
    Rest {
      requireNonNull(request, "request");
      requireNonNull(terms, "terms");
      requireNonNull(tasks, "tasks");
      requireNonNull(scene, "scene");
      requireNonNull(asked, "asked");
      if (version != VERSION) {
        throw new IllegalArgumentException("written by another gflow, in the form " + version);
      }
    }

    static Rest of(JobSpec spec) {
      return new Rest(
          VERSION,
          spec.request(),
          spec.terms(),
          spec.tasks(),
          spec.scene(),
          spec.asked(),
          spec.labels());
    }

    JobSpec spec(Owner owner, String name, Program program) {
      return new JobSpec(owner, name, program, request, terms, tasks, scene, asked, labels);
    }
  }

  private final Interned<String, String> strings = new Interned<>(text -> text);
  private final Interned<String, Rest> rests =
      new Interned<>(text -> read(Rest.class, parsed(text)));
  private Optional<Rest> lastWritten = Optional.empty();
  private String lastText = "";
  private Optional<JobSpec> lastRead = Optional.empty();

  String text(JobSpec spec) {
    var rest = Rest.of(spec);
    if (!lastWritten.equals(Optional.of(rest))) {
      lastWritten = Optional.of(rest);
      lastText = Json.text(lean(RecordJson.tree(rest)));
    }
    String program = Json.text(lean(RecordJson.tree(spec.program())));
    return lastText.substring(0, lastText.length() - 1) + PROGRAM + program + "}";
  }

  /** Without what is absent or an empty list: those are so again where nothing is said. */
  private static @Nullable Object lean(@Nullable Object tree) {
    if (!(tree instanceof Map<?, ?> fields)) {
      return tree instanceof List<?> list ? list.stream().map(SpecTexts::lean).toList() : tree;
    }
    var kept = new LinkedHashMap<Object, Object>();
    fields.forEach(
        (name, value) -> {
          Object part = lean(value);
          if (part != null && !(part instanceof Collection<?> c && c.isEmpty())) {
            kept.put(name, part);
          }
        });
    return kept;
  }

  JobSpec spec(Owner owner, String name, String text) {
    JobSpec spec =
        text.startsWith(START)
            ? ours(owner, strings.of(name), text)
            : first(owner, strings.of(name), text);
    JobSpec sharing = lastRead.map(spec::sharing).orElse(spec);
    lastRead = Optional.of(sharing);
    return sharing;
  }

  private static JobSpec first(Owner owner, String name, String text) {
    OldSpec first = read(OldSpec.class, parsed(text));
    try {
      return first.spec(owner, name);
    } catch (RuntimeException e) {
      // As one of the records would say it.
      throw new DamagedRow(String.valueOf(e.getMessage()));
    }
  }

  private JobSpec ours(Owner owner, String name, String text) {
    int end = text.lastIndexOf(PROGRAM);
    if (end < 0) {
      throw new DamagedRow("a spec does not say what it runs");
    }
    Object program = parsed(text.substring(end + PROGRAM.length(), text.length() - 1));
    return rests
        .of(text.substring(0, end) + "}")
        .spec(owner, name, read(Program.class, shared(program)));
  }

  /** The words of a program are mostly those of many others too. */
  private @Nullable Object shared(@Nullable Object tree) {
    return switch (tree) {
      case String text -> strings.of(text);
      case List<?> list -> list.stream().map(this::shared).toList();
      case Map<?, ?> map -> {
        var copy = new LinkedHashMap<Object, @Nullable Object>();
        map.forEach((name, value) -> copy.put(name, shared(value)));
        yield copy;
      }
      case null, default -> tree;
    };
  }

  static @Nullable Object parsed(String json) {
    try {
      return Json.parse(json);
    } catch (BadJson e) {
      throw new DamagedRow(String.valueOf(e.getMessage()));
    }
  }

  /** The records refuse what cannot be; in a row that we wrote, it means the same as no JSON. */
  static <T> T read(Class<T> type, @Nullable Object tree) {
    try {
      return RecordJson.fromTree(type, tree);
    } catch (BadJson e) {
      throw new DamagedRow(String.valueOf(e.getMessage()));
    }
  }
}
