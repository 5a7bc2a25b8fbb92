package gflow.store;

import static gflow.store.Parsing.list;
import static gflow.store.Parsing.object;
import static gflow.store.Parsing.unknown;

import gflow.job.Dependencies;
import gflow.job.Dependencies.Dependency;
import gflow.job.JobId;
import gflow.job.JobRef;
import gflow.job.JobSpec.Terms;
import io.avaje.json.JsonReader;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Reads the terms of a spec, with the jobs that it waits for. */
final class TermsReader {
  private TermsReader() {}

  static Terms terms(JsonReader in) {
    var parts =
        new Object() {
          int priority;
          Optional<Duration> timeLimit = Optional.empty();
          Optional<Instant> begin = Optional.empty();
          boolean hold;
          Dependencies dependencies = Dependencies.NONE;
          int retries;
          boolean requeue;
        };
    object(
        in,
        field -> {
          switch (field) {
            case "priority" -> parts.priority = in.readInt();
            case "time_limit" -> parts.timeLimit = Optional.of(Duration.parse(in.readString()));
            case "begin" -> parts.begin = Optional.of(Instant.parse(in.readString()));
            case "hold" -> parts.hold = in.readBoolean();
            case "dependencies" -> parts.dependencies = dependencies(in);
            case "retries" -> parts.retries = in.readInt();
            case "requeue" -> parts.requeue = in.readBoolean();
            default -> throw unknown(field);
          }
        });
    return new Terms(
        parts.priority,
        parts.timeLimit,
        parts.begin,
        parts.hold,
        parts.dependencies,
        parts.retries,
        parts.requeue);
  }

  private static Dependencies dependencies(JsonReader in) {
    var parts =
        new Object() {
          boolean any;
          boolean cancelIfNever;
          List<Dependency> list = List.of();
        };
    object(
        in,
        field -> {
          switch (field) {
            case "any" -> parts.any = in.readBoolean();
            case "cancel_if_never" -> parts.cancelIfNever = in.readBoolean();
            case "list" -> parts.list = list(in, () -> dependency(in));
            default -> throw unknown(field);
          }
        });
    return new Dependencies(parts.any, parts.list, parts.cancelIfNever);
  }

  private static Dependency dependency(JsonReader in) {
    var parts =
        new Object() {
          Dependencies.Kind kind = Dependencies.Kind.AFTEROK;
          Optional<JobRef> parent = Optional.empty();
          Duration delay = Duration.ZERO;
        };
    object(
        in,
        field -> {
          switch (field) {
            case "kind" -> parts.kind = Dependencies.Kind.valueOf(in.readString());
            case "parent" -> parts.parent = Optional.of(ref(in.readString()));
            case "delay" -> parts.delay = Duration.parse(in.readString());
            default -> throw unknown(field);
          }
        });
    return new Dependency(parts.kind, parts.parent, parts.delay);
  }

  private static JobRef ref(String text) {
    if (text.equals("@")) {
      return new JobRef.Last();
    }
    int bar = text.indexOf('_');
    var id = new JobId(Long.parseLong(bar < 0 ? text : text.substring(0, bar)));
    return bar < 0
        ? new JobRef.ById(id)
        : new JobRef.ArrayTask(id, Integer.parseInt(text.substring(bar + 1)));
  }
}
