package gflow.store;

import gflow.job.Allocation.GpuGrant;
import gflow.job.Dependencies;
import gflow.job.Dependencies.Dependency;
import gflow.job.GpuFilter;
import gflow.job.GpuRequest;
import gflow.job.JobSpec;
import gflow.job.JobSpec.Scene;
import gflow.job.JobSpec.Tasks;
import gflow.job.JobSpec.Terms;
import gflow.job.Program;
import gflow.job.Request;
import gflow.job.Sweep;
import io.avaje.json.JsonWriter;
import io.avaje.json.stream.JsonStream;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Specs and GPUs as compact JSON. What is absent, empty, zero or false is left out. Owner and name
 * have columns of their own and are not repeated here.
 */
final class SpecWriter {
  static final JsonStream JSON = JsonStream.builder().build();

  private final JsonWriter out;

  private SpecWriter(JsonWriter out) {
    this.out = out;
  }

  static String text(JobSpec spec) {
    return text(w -> w.object(() -> w.spec(spec)));
  }

  static String text(List<GpuGrant> gpus) {
    return gpus.isEmpty() ? "[]" : text(w -> w.array(gpus, w::grant));
  }

  private static String text(Consumer<SpecWriter> content) {
    try (var out = JSON.bufferedWriter()) {
      content.accept(new SpecWriter(out));
      return out.result();
    }
  }

  private void spec(JobSpec spec) {
    object("program", () -> program(spec.program()));
    object("request", () -> request(spec.request()));
    object("terms", () -> terms(spec.terms()));
    if (!spec.tasks().equals(Tasks.ONE)) {
      object("tasks", () -> tasks(spec.tasks()));
    }
    object("scene", () -> scene(spec.scene()));
    if (!spec.labels().isEmpty()) {
      object("labels", () -> spec.labels().forEach(this::string));
    }
  }

  private void program(Program program) {
    switch (program) {
      case Program.Argv(var words) -> strings("argv", words);
      case Program.Script(var text, var arguments) -> {
        string("script", text.sha256());
        strings("arguments", arguments);
      }
      case Program.ShellLine(String line) -> string("shell", line);
    }
  }

  private void request(Request request) {
    number("ntasks", request.ntasks());
    number("cpus_per_task", request.cpusPerTask());
    number("memory", request.memory());
    switch (request.gpus()) {
      case GpuRequest.None() -> {}
      case GpuRequest.Whole(int count) -> number("gpus", count);
      case GpuRequest.Share(int thousandths) -> number("gpu_thousandths", thousandths);
      case GpuRequest.Memory(long bytes) -> number("gpu_memory", bytes);
    }
    GpuFilter filter = request.filter();
    text("gpu_type", filter.type());
    numbers("only_gpus", filter.only());
    numbers("exclude_gpus", filter.exclude());
  }

  private void terms(Terms terms) {
    out.name("priority");
    out.value(terms.priority());
    text("time_limit", terms.timeLimit());
    text("begin", terms.begin());
    flag("hold", terms.hold());
    if (!terms.dependencies().equals(Dependencies.NONE)) {
      object("dependencies", () -> dependencies(terms.dependencies()));
    }
    number("retries", terms.retries());
    flag("requeue", terms.requeue());
  }

  private void dependencies(Dependencies dependencies) {
    flag("any", dependencies.any());
    flag("cancel_if_never", dependencies.cancelIfNever());
    out.name("list");
    array(dependencies.list(), d -> object(() -> dependency(d)));
  }

  private void dependency(Dependency dependency) {
    string("kind", dependency.kind().name());
    text("parent", dependency.parent());
    if (!dependency.delay().isZero()) {
      string("delay", dependency.delay().toString());
    }
  }

  private void tasks(Tasks tasks) {
    text("array", tasks.array());
    if (!tasks.sweep().factors().isEmpty()) {
      out.name("sweep");
      array(tasks.sweep().factors(), f -> object(() -> factor(f)));
    }
    number("limit", tasks.limit());
  }

  private void factor(Sweep.Factor factor) {
    strings("names", factor.names());
    // Row after row: the library forgets the comma between arrays in an array.
    strings("values", factor.rows().stream().flatMap(List::stream).toList());
  }

  private void scene(Scene scene) {
    string("folder", scene.folder());
    string("environment", scene.environment().sha256());
    number("umask", scene.umask());
    strings("ulimits", scene.ulimits());
    text("conda", scene.conda());
    text("out", scene.output().out());
    text("err", scene.output().err());
    text("in", scene.output().in());
    flag("append", scene.output().append());
    scene
        .config()
        .ifPresent(
            config -> {
              string("config_name", config.name());
              string("config", config.content().sha256());
            });
  }

  private void grant(GpuGrant grant) {
    object(
        () -> {
          string("uuid", grant.gpu().uuid());
          out.name("index");
          out.value(grant.index());
          number("thousandths", grant.thousandths());
          number("memory", grant.memory());
        });
  }

  private void object(String name, Runnable fields) {
    out.name(name);
    object(fields);
  }

  private void object(Runnable fields) {
    out.beginObject();
    fields.run();
    out.endObject();
  }

  private <T> void array(List<T> list, Consumer<T> element) {
    out.beginArray();
    list.forEach(element);
    out.endArray();
  }

  private void string(String name, String value) {
    out.name(name);
    out.value(value);
  }

  private void text(String name, Optional<?> value) {
    value.ifPresent(v -> string(name, v.toString()));
  }

  private void number(String name, long value) {
    if (value != 0) {
      out.name(name);
      out.value(value);
    }
  }

  private void flag(String name, boolean value) {
    if (value) {
      out.name(name);
      out.value(true);
    }
  }

  private void strings(String name, List<String> values) {
    if (!values.isEmpty()) {
      out.name(name);
      array(values, out::value);
    }
  }

  private void numbers(String name, List<Integer> values) {
    if (!values.isEmpty()) {
      out.name(name);
      array(values, v -> out.value((int) v));
    }
  }
}
