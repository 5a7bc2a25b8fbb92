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
 * what was written before is read by records of its own, as {@link OldSpec}. What many specs in a
 * row share is written and read once, and becomes one object. For one thread.
 */
final class SpecTexts {
  private static final int VERSION = 2;
  private static final String START = "{\"version\":";
  private static final String PROGRAM = ",\"program\":";

  /**
   * What most specs say, as it stays for ever: a part of the form, so that a row holds only what is
   * special about a job. A hundred thousand rows are read when a daemon starts.
   */
  private static final Object PLAIN =
      parsed(
          """
          {"request":{"ntasks":1,"cpus_per_task":0,"memory":0,"filter":{"memory":0}},
           "terms":{"priority":10,"hold":false,"retries":0,"retry_on":["FAIL"],
                    "dependencies":{"any":false,"cancel_if_never":true}},
           "tasks":{"sweep":{},"limit":0,"base":0},
           "scene":{"umask":18,"output":{"append":true}},
           "asked":{"options":{}},
           "labels":{}}\
          """);

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
      new Interned<>(text -> read(Rest.class, renewed(filled(parsed(text + "}"), PLAIN))));
  private final Interned<String, Program> programs =
      new Interned<>(text -> read(Program.class, shared(parsed(text))));
  private Optional<Rest> lastWritten = Optional.empty();
  private String lastText = "";
  private Optional<Program> lastProgram = Optional.empty();
  private String lastProgramText = "";
  private Optional<JobSpec> lastRead = Optional.empty();

  String text(JobSpec spec) {
    var rest = Rest.of(spec);
    if (!lastWritten.equals(Optional.of(rest))) {
      lastWritten = Optional.of(rest);
      String text = Json.text(lean(RecordJson.tree(rest), PLAIN));
      lastText = text.substring(0, text.length() - 1) + PROGRAM;
    }
    if (!lastProgram.equals(Optional.of(spec.program()))) {
      lastProgram = Optional.of(spec.program());
      lastProgramText = RecordJson.write(spec.program()) + "}";
    }
    return lastText + lastProgramText;
  }

  /** Without what is as plain as that, or absent, or an empty list. */
  private static @Nullable Object lean(@Nullable Object tree, @Nullable Object plain) {
    if (tree instanceof List<?> list) {
      return list.stream().map(part -> lean(part, null)).toList();
    }
    if (!(tree instanceof Map<?, ?> fields)) {
      return tree instanceof Integer number ? (Object) number.longValue() : tree;
    }
    Map<?, ?> usual = plain instanceof Map<?, ?> map ? map : Map.of();
    var kept = new LinkedHashMap<Object, Object>();
    fields.forEach(
        (name, value) -> {
          Object part = lean(value, usual.get(name));
          boolean nothing =
              (part instanceof Collection<?> c && c.isEmpty())
                  || (part instanceof Map<?, ?> m && m.isEmpty() && usual.containsKey(name));
          if (part != null && !nothing && !part.equals(usual.get(name))) {
            kept.put(name, part);
          }
        });
    return kept;
  }

  private static @Nullable Object renewed(@Nullable Object spec) {
    return OldTerms.renewed(OldGpus.renewed(spec));
  }

  /** With what is plain about it. */
  private static @Nullable Object filled(@Nullable Object tree, @Nullable Object plain) {
    if (!(tree instanceof Map<?, ?> fields && plain instanceof Map<?, ?> usual)) {
      return tree == null ? plain : tree;
    }
    var all = new LinkedHashMap<Object, @Nullable Object>(fields);
    usual.forEach((name, value) -> all.put(name, filled(fields.get(name), value)));
    return all;
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
    String program = text.substring(end + PROGRAM.length(), text.length() - 1);
    return rests.of(text.substring(0, end)).spec(owner, name, programs.of(program));
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
