package gflow.api;

import gflow.api.Answer.No;
import gflow.api.Answer.Ok;
import gflow.api.ApiReply.Problem;
import gflow.api.Gflow.LogPlace;
import gflow.api.Gflow.Selection;
import gflow.job.JobRef;
import gflow.job.Recipients;
import gflow.job.StepRef;
import gflow.json.BadJson;
import gflow.json.RecordJson;
import gflow.script.order.Order;
import gflow.script.order.Order.Origin;
import gflow.script.value.BadInput;
import gflow.script.value.JobRefs;
import gflow.script.value.SignalSyntax;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Which request asks the service for what; docs/api.md lists them for users. */
final class Routes {
  private static final int LONGEST_PATIENCE = 20_000;

  private final Gflow service;
  private final Origin defaults;

  Routes(Gflow service, Origin defaults) {
    this.service = service;
    this.defaults = defaults;
  }

  ApiReply answer(ApiRequest call) throws Problem, BadInput {
    List<String> path = call.path();
    if (path.size() < 2 || !path.getFirst().equals("v1")) {
      throw noRoute(call);
    }
    String name = path.get(1);
    return switch (path.size()) {
      case 2 -> whole(call, name);
      case 3 -> name.equals("jobs") ? job(call, JobRefs.one(path.get(2))) : none(call);
      case 4 -> name.equals("jobs") ? part(call, JobRefs.one(path.get(2))) : none(call);
      case 5 ->
          name.equals("jobs") && path.get(3).equals("steps")
              ? endStep(call, path.get(2) + "." + path.get(4))
              : none(call);
      default -> none(call);
    };
  }

  private ApiReply endStep(ApiRequest call, String name) throws Problem, BadInput {
    StepRef step = JobRefs.step(name);
    JsonFields fields = JsonFields.of(post(call), "signal");
    List<String> signal = fields.words("signal");
    fields.end("signal");
    var number =
        signal.isEmpty()
            ? OptionalInt.empty()
            : OptionalInt.of(SignalSyntax.number(signal.getFirst()));
    return said("done", service.endStep(step, number));
  }

  private ApiReply whole(ApiRequest call, String name) throws Problem, BadInput {
    return switch (name) {
      case "jobs" -> jobs(call);
      case "status" -> get(call, service.status());
      case "machine" -> get(call, service.machine());
      case "stats" -> stats(call);
      case "events" -> events(call);
      case "list" -> tree(200, ok(service.jobs(Filters.query(post(call)))));
      case "cancel" -> said("done", service.cancel(Filters.selection(post(call))));
      case "hold" -> hold(post(call));
      case "release" -> release(post(call));
      case "signal" -> signal(post(call));
      case "requeue" -> requeue(post(call));
      case "update" -> update(post(call), call.key());
      case "control" -> tree(200, ok(service.control(ControlJson.read(post(call)))));
      case "down" -> down(post(call));
      case "steps" -> step(post(call));
      case "join" -> join(post(call));
      default -> none(call);
    };
  }

  private ApiReply jobs(ApiRequest call) throws Problem, BadInput {
    if (call.method().equals("GET")) {
      return tree(200, ok(service.jobs(Filters.query(call.query()))));
    }
    if (!call.method().equals("POST")) {
      throw new Problem(405, "/v1/jobs takes GET or POST, not " + call.method());
    }
    boolean dryRun = call.query().flag("dry_run");
    call.query().end("dry_run");
    List<Order> orders = OrderJson.readAll(call.body().read(), defaults);
    return dryRun
        ? said("previews", service.tryOut(orders))
        : tree(201, Map.of("jobs", ok(service.submit(orders, call.key()))));
  }

  private ApiReply job(ApiRequest call, JobRef ref) throws Problem, BadInput {
    call.query().end("");
    return switch (call.method()) {
      case "GET" -> tree(200, Map.of("jobs", found(ref, service.show(ref))));
      case "PATCH" -> {
        var options = OrderJson.changes(JsonFields.of(call.body().read(), "options").rest());
        yield done(ref, service.update(List.of(ref), options, call.key()));
      }
      default ->
          throw new Problem(405, "/v1/jobs/" + ref + " takes GET or PATCH, not " + call.method());
    };
  }

  private ApiReply part(ApiRequest call, JobRef ref) throws Problem, BadInput {
    String verb = call.path().get(3);
    return switch (verb) {
      case "wait" -> later(call, ref);
      case "log" -> log(call, ref);
      case "steps" -> {
        call.only("GET");
        call.query().end("");
        yield tree(200, Map.of("steps", found(ref, service.steps(ref))));
      }
      case "cancel" -> {
        JsonFields.of(post(call), "nothing").end("none");
        yield done(ref, service.cancel(Selection.of(List.of(ref))));
      }
      case "hold" -> {
        JsonFields.of(post(call), "nothing").end("none");
        yield done(ref, service.hold(List.of(ref)));
      }
      case "release" -> {
        Optional<Instant> begin = begin(JsonFields.of(post(call), "begin"), "begin");
        yield done(ref, service.release(List.of(ref), begin));
      }
      case "redo" -> redo(call, ref);
      case "cards" -> cards(call, ref);
      case "progress" -> progress(call, ref);
      default -> none(call);
    };
  }

  private ApiReply later(ApiRequest call, JobRef ref) throws Problem, BadInput {
    call.only("GET");
    call.query().end("");
    // Asked first, so that a wrong number is a 404 and not a 200 with an error in it.
    if (service.show(ref) instanceof No<?>(Answer.Kind kind, String line)
        && kind == Answer.Kind.REFUSED) {
      throw new Problem(404, line);
    }
    return new ApiReply.Later(() -> service.await(ref));
  }

  private ApiReply log(ApiRequest call, JobRef ref) throws Problem, BadInput {
    call.only("GET");
    boolean content = call.query().flag("content");
    call.query().end("content");
    LogPlace place = found(ref, service.log(ref));
    if (!content) {
      return tree(200, place);
    }
    Path file = Path.of(place.path());
    if (Files.notExists(file)) {
      throw new Problem(404, "job " + ref + " has no log: " + file + " does not exist");
    }
    // Opening a FIFO would block for ever, and /dev/zero does not end.
    if (!Files.isRegularFile(file)) {
      throw new Problem(409, "the output of job " + ref + " is no regular file: " + file);
    }
    return new ApiReply.Content(file);
  }

  private ApiReply step(@Nullable Object body) throws Problem, BadInput {
    Asked asked = asked("a step", body);
    StepOrder order = order(StepOrder.class, asked.order());
    return tree(200, ok(service.step(order, asked.patience())));
  }

  private ApiReply join(@Nullable Object body) throws Problem, BadInput {
    Asked asked = asked("to join a job", body);
    JoinOrder order = order(JoinOrder.class, asked.order());
    return tree(200, ok(service.join(order, asked.patience())));
  }

  /** Blocks for as long as the caller has patience, which is not for ever. */
  private record Asked(Map<?, ?> order, Duration patience) {}

  private static Asked asked(String what, @Nullable Object body) throws BadInput {
    JsonFields fields = JsonFields.of(body, "order and patience");
    Optional<Map<?, ?>> order = fields.map("order");
    int patience = fields.whole("patience").orElse(0);
    fields.end("order, patience");
    if (order.isEmpty() || patience < 0 || patience > LONGEST_PATIENCE) {
      throw new BadInput(what + " has an order, and a patience of 0 to 20000 milliseconds");
    }
    return new Asked(order.get(), Duration.ofMillis(patience));
  }

  /** Blocks like a step that waits. */
  private ApiReply cards(ApiRequest call, JobRef ref) throws Problem, BadInput {
    JsonFields fields = JsonFields.of(post(call), "have, call_back, back and patience");
    var have = new ArrayList<Integer>();
    for (String index : fields.words("have")) {
      have.add(index(index));
    }
    int callBack = fields.whole("call_back").orElse(0);
    List<String> back = fields.words("back");
    int patience = fields.whole("patience").orElse(0);
    fields.end("have, call_back, back, patience");
    if (patience < 0 || patience > LONGEST_PATIENCE) {
      throw new BadInput("patience is 0 to 20000 milliseconds");
    }
    var order = new GpusOrder(have, callBack, back);
    return tree(200, found(ref, service.cards(ref, order, Duration.ofMillis(patience))));
  }

  private static int index(String text) throws BadInput {
    if (!text.matches("\\d{1,5}")) {
      throw JsonFields.wrong("have", "indices of GPUs", text);
    }
    return Integer.parseInt(text);
  }

  private ApiReply progress(ApiRequest call, JobRef ref) throws Problem, BadInput {
    JsonFields fields = JsonFields.of(post(call), "text");
    Optional<String> text = fields.text("text");
    fields.end("text");
    if (text.isEmpty()) {
      throw new BadInput("text is missing: say how far it is, as in \"812/2000 done\"");
    }
    return tree(200, found(ref, service.progress(ref, text.get())));
  }

  private static <T> T order(Class<T> type, Map<?, ?> tree) throws BadInput {
    try {
      return RecordJson.fromTree(type, tree);
    } catch (BadJson | RuntimeException e) {
      throw new BadInput("order is not understood: " + e.getMessage());
    }
  }

  private ApiReply redo(ApiRequest call, JobRef ref) throws Problem, BadInput {
    JsonFields fields = JsonFields.of(post(call), "failed_only");
    boolean failedOnly = fields.flag("failed_only");
    fields.end("failed_only");
    return tree(201, Map.of("jobs", found(ref, service.redo(ref, failedOnly, call.key()))));
  }

  private ApiReply stats(ApiRequest call) throws Problem, BadInput {
    call.only("GET");
    Optional<String> user = call.query().one("user");
    Optional<String> project = call.query().one("project");
    Optional<String> text = call.query().one("since");
    call.query().end("user, project, since");
    Optional<Instant> since =
        text.isEmpty() ? Optional.empty() : Optional.of(Filters.time("since", text.get()));
    return tree(200, ok(service.stats(user, project, since)));
  }

  private ApiReply events(ApiRequest call) throws Problem, BadInput {
    call.only("GET");
    call.query().end("");
    return new ApiReply.Events(service::events);
  }

  private ApiReply hold(@Nullable Object body) throws Problem, BadInput {
    JsonFields fields = JsonFields.of(body, "jobs");
    List<JobRef> jobs = some(fields);
    fields.end("jobs");
    return said("done", service.hold(jobs));
  }

  private ApiReply signal(@Nullable Object body) throws Problem, BadInput {
    JsonFields fields = JsonFields.of(body, "jobs and a signal");
    List<JobRef> jobs = some(fields);
    int signal = SignalSyntax.number(String.join("", fields.words("signal")));
    String to = fields.text("to").orElse("steps");
    fields.end("jobs, signal, to");
    for (Recipients one : Recipients.values()) {
      if (one.name().equalsIgnoreCase(to)) {
        return said("done", service.signal(jobs, signal, one));
      }
    }
    throw JsonFields.wrong("to", "steps, script or all", to);
  }

  private ApiReply requeue(@Nullable Object body) throws Problem, BadInput {
    JsonFields fields = JsonFields.of(body, "jobs");
    List<JobRef> jobs = some(fields);
    boolean hold = fields.flag("hold");
    fields.end("jobs, hold");
    return said("done", service.requeue(jobs, hold));
  }

  private ApiReply release(@Nullable Object body) throws Problem, BadInput {
    JsonFields fields = JsonFields.of(body, "jobs");
    List<JobRef> jobs = some(fields);
    return said("done", service.release(jobs, begin(fields, "jobs, begin")));
  }

  private static Optional<Instant> begin(JsonFields fields, String known) throws BadInput {
    Optional<String> begin = fields.text("begin");
    fields.end(known);
    return begin.isEmpty() ? Optional.empty() : Optional.of(Filters.time("begin", begin.get()));
  }

  private ApiReply update(@Nullable Object body, Optional<String> key) throws Problem, BadInput {
    JsonFields fields = JsonFields.of(body, "jobs and options");
    List<JobRef> jobs = some(fields);
    Optional<JsonFields> options = fields.object("options");
    fields.end("jobs, options");
    if (options.isEmpty()) {
      throw new BadInput("options is missing");
    }
    return said("done", service.update(jobs, OrderJson.changes(options.get().rest()), key));
  }

  private static List<JobRef> some(JsonFields fields) throws BadInput {
    List<JobRef> jobs = JobRefs.all(fields.words("jobs"));
    if (jobs.isEmpty()) {
      throw new BadInput("jobs is empty: say which, as in [41,\"42_7\"]");
    }
    return jobs;
  }

  private ApiReply down(@Nullable Object body) throws Problem, BadInput {
    JsonFields fields = JsonFields.of(body, "cancel_jobs");
    boolean cancel = fields.flag("cancel_jobs");
    fields.end("cancel_jobs");
    return tree(200, ok(service.down(cancel)));
  }

  private static ApiReply get(ApiRequest call, Answer<?> answer) throws Problem, BadInput {
    call.only("GET");
    call.query().end("");
    return tree(200, ok(answer));
  }

  /** The body of a POST that may be empty: then it says nothing. */
  private static @Nullable Object post(ApiRequest call) throws Problem, BadInput {
    call.only("POST");
    call.query().end("");
    return call.body().read();
  }

  private static ApiReply said(String name, Answer<?> answer) throws Problem {
    return tree(200, Map.of(name, ok(answer)));
  }

  private ApiReply done(JobRef ref, Answer<?> answer) throws Problem {
    return tree(200, Map.of("done", found(ref, answer)));
  }

  private static ApiReply tree(int status, Object value) {
    return new ApiReply.Tree(status, RecordJson.tree(value));
  }

  private static <T> T ok(Answer<T> answer) throws Problem {
    return switch (answer) {
      case Ok<T>(var value) -> value;
      case No<T> no -> throw Problem.of(no);
    };
  }

  /** A refusal is a 404 if there is no such job, and a 409 if there is one. */
  private <T> T found(JobRef ref, Answer<T> answer) throws Problem {
    if (answer instanceof No<T> no
        && no.kind() == Answer.Kind.REFUSED
        && service.show(ref) instanceof No) {
      throw new Problem(404, no.line());
    }
    return ok(answer);
  }

  private static ApiReply none(ApiRequest call) throws Problem {
    throw noRoute(call);
  }

  private static Problem noRoute(ApiRequest call) {
    return new Problem(404, "there is no /" + String.join("/", call.path()) + " (docs/api.md)");
  }
}
