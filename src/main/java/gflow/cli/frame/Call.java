package gflow.cli.frame;

import gflow.api.Answer;
import gflow.api.ApiRequest;
import gflow.api.ApiRequest.Status;
import gflow.api.ApiRequest.Steps;
import gflow.api.Gflow;
import gflow.api.JobView;
import gflow.api.StepView;
import gflow.job.JobId;
import gflow.job.JobRef;
import gflow.json.Json;
import gflow.json.RecordJson;
import gflow.script.env.Environment;
import gflow.script.grammar.Given;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What a command works with: who called and how, the service, and where the answer goes. */
public record Call(String name, Invocation invocation, Gflow gflow, Output output) {

  public static <T> T get(Answer<T> answer) throws Refused {
    if (answer instanceof Answer.No<T>(var kind, String line)) {
      throw new Refused(line, kind.exitCode());
    }
    return ((Answer.Ok<T>) answer).value();
  }

  public <A> A ask(ApiRequest<A> request) throws Refused {
    return get(gflow.ask(request));
  }

  /** Empty if the service says no to the question itself, as about a job that is not there. */
  public static <T> Optional<T> found(Answer<T> answer) throws Refused {
    boolean refused = answer instanceof Answer.No<T>(var kind, _) && kind == Answer.Kind.REFUSED;
    return refused ? Optional.empty() : Optional.of(get(answer));
  }

  public String host() throws Refused {
    return ask(new Status()).host();
  }

  public List<StepView> steps(JobView job) throws Refused {
    return ask(new Steps(new JobRef.ById(new JobId(job.jobId()))));
  }

  public void line(String text) {
    output.line(text);
  }

  /** All that there is to say; returns the exit code of what went well. */
  public int say(String text) {
    output.out(text);
    return 0;
  }

  public void problem(String text) {
    output.problem(name + ": " + text);
  }

  public void json(@Nullable Object tree) {
    Json.pretty(tree, output::out);
  }

  /** The answer that a command has: as JSON where that was asked for, otherwise as text. */
  public int answer(Given given, Object view, Supplier<String> text) {
    if (!given.has("json")) {
      return say(text.get());
    }
    json(RecordJson.tree(view));
    return 0;
  }

  /** One named list, as every listing in JSON is. */
  public void json(String name, List<?> records) {
    var root = new LinkedHashMap<String, @Nullable Object>();
    root.put(name, RecordJson.tree(records));
    json(root);
  }

  /** A file as the caller wrote it, seen from the caller's folder. */
  public Path path(String written) {
    return Path.of(folder()).resolve(written);
  }

  /** The caller's variables, as the kernel has them. */
  public byte[] environment() {
    return invocation.origin().environment();
  }

  /** Where the caller is. */
  public String folder() {
    return invocation.origin().folder();
  }

  public Instant now() {
    return invocation.clock().now();
  }

  public ZoneId zone() {
    return invocation.clock().zone();
  }

  public boolean colour() {
    return invocation.terminal().columns() > 0 && variable("NO_COLOR").isEmpty();
  }

  /** The folders of PATH, as they are written there. */
  public List<String> searchPath() {
    return List.of(variable("PATH").orElse("/usr/bin:/bin").split(":", -1));
  }

  /** A variable of the caller's environment that is set and not empty. */
  public Optional<String> variable(String name) {
    return setVariable(name).filter(value -> !value.isEmpty());
  }

  /** The same, also where it is set to nothing and means that. */
  public Optional<String> setVariable(String name) {
    return Environment.of(environment()).value(name);
  }
}
