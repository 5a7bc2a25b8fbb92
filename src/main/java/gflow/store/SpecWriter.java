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
import gflow.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Specs and GPUs as compact JSON. What is absent, empty, zero or false is left out. Owner and name
 * have columns of their own and are not repeated here. Written by hand and not from the records'
 * components: these texts outlive versions of the program, in which records change.
 */
final class SpecWriter {
  private final Map<String, Object> fields = new LinkedHashMap<>();

  private SpecWriter() {}

  static String text(JobSpec spec) {
    return text(spec.program(), rest(spec));
  }

  /** {@code rest}: all but the program, as {@link #rest} gives it. */
  static String text(Program program, String rest) {
    String first = "{\"program\":" + Json.text(program(program));
    return rest.equals("{}") ? first + "}" : first + "," + rest.substring(1);
  }

  static String rest(JobSpec spec) {
    var out = new SpecWriter();
    out.part("request", request(spec.request()));
    out.part("terms", terms(spec.terms()));
    out.part("tasks", tasks(spec.tasks()));
    out.part("scene", scene(spec.scene()));
    out.part("labels", spec.labels());
    return Json.text(out.fields);
  }

  static String text(List<GpuGrant> gpus) {
    return gpus.isEmpty() ? "[]" : Json.text(gpus.stream().map(SpecWriter::grant).toList());
  }

  private static Map<String, Object> program(Program program) {
    var out = new SpecWriter();
    switch (program) {
      case Program.Argv(var words) -> out.list("argv", words);
      case Program.Script(var text, var arguments) -> {
        out.fields.put("script", text.sha256());
        out.list("arguments", arguments);
      }
      case Program.ShellLine(String line) -> out.fields.put("shell", line);
    }
    return out.fields;
  }

  private static Map<String, Object> request(Request request) {
    var out = new SpecWriter();
    out.number("ntasks", request.ntasks());
    out.number("cpus_per_task", request.cpusPerTask());
    out.number("memory", request.memory());
    switch (request.gpus()) {
      case GpuRequest.None() -> {}
      case GpuRequest.Whole(int count) -> out.number("gpus", count);
      case GpuRequest.Share(int thousandths) -> out.number("gpu_thousandths", thousandths);
      case GpuRequest.Memory(long bytes) -> out.number("gpu_memory", bytes);
    }
    out.number("most_gpus", request.elastic() ? request.mostGpus() : 0);
    GpuFilter filter = request.filter();
    out.text("gpu_type", filter.type());
    out.list("only_gpus", filter.only());
    out.list("exclude_gpus", filter.exclude());
    return out.fields;
  }

  private static Map<String, Object> terms(Terms terms) {
    var out = new SpecWriter();
    out.number("priority", terms.priority());
    out.text("time_limit", terms.timeLimit());
    out.text("begin", terms.begin());
    out.flag("hold", terms.hold());
    if (!terms.dependencies().equals(Dependencies.NONE)) {
      out.fields.put("dependencies", dependencies(terms.dependencies()));
    }
    out.number("retries", terms.retries());
    out.flag("requeue", terms.requeue());
    return out.fields;
  }

  private static Map<String, Object> dependencies(Dependencies dependencies) {
    var out = new SpecWriter();
    out.flag("any", dependencies.any());
    out.flag("cancel_if_never", dependencies.cancelIfNever());
    out.list("list", dependencies.list(), SpecWriter::dependency);
    return out.fields;
  }

  private static Map<String, Object> dependency(Dependency dependency) {
    var out = new SpecWriter();
    out.fields.put("kind", dependency.kind().name());
    out.text("parent", dependency.parent());
    out.text("delay", Optional.of(dependency.delay()).filter(delay -> !delay.isZero()));
    return out.fields;
  }

  private static Map<String, Object> tasks(Tasks tasks) {
    var out = new SpecWriter();
    out.text("array", tasks.array());
    out.list("sweep", tasks.sweep().factors(), SpecWriter::factor);
    out.number("limit", tasks.limit());
    out.number("base", tasks.base());
    return out.fields;
  }

  private static Map<String, Object> factor(Sweep.Factor factor) {
    var out = new SpecWriter();
    out.list("names", factor.names());
    // Row after row: there are as many values in a row as there are names.
    out.list("values", factor.rows().stream().flatMap(List::stream).toList());
    return out.fields;
  }

  private static Map<String, Object> scene(Scene scene) {
    var out = new SpecWriter();
    out.fields.put("folder", scene.folder());
    out.fields.put("environment", scene.environment().sha256());
    out.number("umask", scene.umask());
    out.list("ulimits", scene.ulimits());
    out.text("conda", scene.conda());
    out.text("out", scene.output().out());
    out.text("err", scene.output().err());
    out.text("in", scene.output().in());
    out.flag("append", scene.output().append());
    scene.config().ifPresent(config -> out.fields.put("config_name", config.name()));
    scene.config().ifPresent(config -> out.fields.put("config", config.content().sha256()));
    return out.fields;
  }

  private static Map<String, Object> grant(GpuGrant grant) {
    var out = new SpecWriter();
    out.fields.put("uuid", grant.gpu().uuid());
    out.number("index", grant.index());
    out.number("thousandths", grant.thousandths());
    out.number("memory", grant.memory());
    return out.fields;
  }

  private void part(String name, Map<String, ?> part) {
    if (!part.isEmpty()) {
      fields.put(name, part);
    }
  }

  private void text(String name, Optional<?> value) {
    value.ifPresent(v -> fields.put(name, v.toString()));
  }

  private void number(String name, long value) {
    if (value != 0) {
      fields.put(name, value);
    }
  }

  private void flag(String name, boolean value) {
    if (value) {
      fields.put(name, true);
    }
  }

  private void list(String name, List<?> values) {
    if (!values.isEmpty()) {
      fields.put(name, values);
    }
  }

  private <T> void list(String name, List<T> values, Function<T, Object> element) {
    list(name, values.stream().map(element).toList());
  }
}
