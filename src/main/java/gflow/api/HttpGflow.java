package gflow.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import gflow.api.Answer.Kind;
import gflow.api.Answer.No;
import gflow.job.JobRef;
import gflow.job.JobState;
import gflow.job.Recipients;
import gflow.job.StepRef;
import gflow.json.BadJson;
import gflow.json.Json;
import gflow.json.RecordJson;
import gflow.script.order.Order;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URLEncoder;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The service seen through the socket, for commands that run in a JVM of their own. */
public final class HttpGflow implements Gflow {
  private static final byte[] NOTHING = {};

  /** A daemon that ends each time is not asked for ever. */
  private static final int TRIES = 25;

  private final Path socket;
  private final BooleanSupplier comesBack;
  private final BooleanSupplier started;

  public HttpGflow(Path socket) {
    this(socket, () -> false, () -> false);
  }

  /**
   * {@code comesBack} is asked when the daemon was lost over a request that may be repeated because
   * it only asks, or does the same twice; {@code started} over one with a key, as a submission.
   * True = there is one again.
   */
  public HttpGflow(Path socket, BooleanSupplier comesBack, BooleanSupplier started) {
    this.socket = socket;
    this.comesBack = comesBack;
    this.started = started;
  }

  @Override
  public Answer<List<Receipt>> submit(List<Order> orders, Optional<String> key) {
    if (orders.isEmpty()) {
      return Answer.ok(List.of());
    }
    var body = OrderJson.writeAll(orders);
    return ask("POST", "/v1/jobs", key, body, tree -> list(Receipt.class, tree, "jobs"));
  }

  @Override
  public Answer<List<Preview>> tryOut(List<Order> orders) {
    if (orders.isEmpty()) {
      return Answer.ok(List.of());
    }
    var body = OrderJson.writeAll(orders);
    return post("/v1/jobs?dry_run=true", body, tree -> list(Preview.class, tree, "previews"));
  }

  @Override
  public Answer<JobList> jobs(JobQuery query) {
    var body = chosen(query.jobs(), query.states(), query.users(), query.names());
    query.project().ifPresent(project -> body.put("project", project));
    query.endedSince().ifPresent(since -> body.put("ended_since", since.toString()));
    body.put("limit", query.limit());
    return repeat("/v1/list", body, tree -> RecordJson.fromTree(JobList.class, tree));
  }

  @Override
  public Answer<List<JobView>> show(JobRef ref) {
    return get("/v1/jobs/" + ref, tree -> list(JobView.class, tree, "jobs"));
  }

  @Override
  public Answer<List<Done>> cancel(Selection selection) {
    var body = chosen(selection.jobs(), selection.states(), selection.users(), selection.names());
    if (selection.held().isPresent()) {
      String pending = selection.held().get() ? "HELD" : "WAITING";
      body.put(
          "states",
          selection.states().stream()
              .map(state -> state == JobState.PENDING ? pending : state.name())
              .toList());
    }
    body.put("all", selection.all());
    return repeat("/v1/cancel", body, HttpGflow::done);
  }

  @Override
  public Answer<List<Done>> hold(List<JobRef> jobs) {
    return repeat("/v1/hold", named(jobs), HttpGflow::done);
  }

  @Override
  public Answer<List<Done>> release(List<JobRef> jobs, Optional<Instant> begin) {
    var body = named(jobs);
    begin.ifPresent(time -> body.put("begin", time.toString()));
    return repeat("/v1/release", body, HttpGflow::done);
  }

  @Override
  public Answer<List<Done>> update(
      List<JobRef> jobs, SortedMap<String, String> options, Optional<String> key) {
    var body = named(jobs);
    body.put("options", options);
    return ask("POST", "/v1/update", key, body, HttpGflow::done);
  }

  @Override
  public Answer<List<Done>> signal(List<JobRef> jobs, int signal, Recipients to) {
    var body = named(jobs);
    body.put("signal", signal);
    body.put("to", to.name().toLowerCase(Locale.ROOT));
    return post("/v1/signal", body, HttpGflow::done);
  }

  @Override
  public Answer<List<Done>> requeue(List<JobRef> jobs, boolean hold) {
    var body = named(jobs);
    body.put("hold", hold);
    return post("/v1/requeue", body, HttpGflow::done);
  }

  @Override
  public Answer<List<Receipt>> redo(JobRef job, boolean failedOnly, Optional<String> key) {
    Map<String, Object> body = Map.of("failed_only", failedOnly);
    String target = "/v1/jobs/" + job + "/redo";
    return ask("POST", target, key, body, tree -> list(Receipt.class, tree, "jobs"));
  }

  @Override
  public Answer<List<JobView>> await(JobRef job) {
    return get("/v1/jobs/" + job + "/wait", tree -> list(JobView.class, tree, "jobs"));
  }

  @Override
  public Answer<StepAnswer> step(StepOrder order, Duration patience) {
    var body = new LinkedHashMap<String, @Nullable Object>();
    body.put("order", RecordJson.tree(order));
    body.put("patience", patience.toMillis());
    // A step is known by who asks, so to ask again is safe.
    var key = Optional.of("step-" + order.pid() + "-" + order.startTime());
    return ask("POST", "/v1/steps", key, body, tree -> RecordJson.fromTree(StepAnswer.class, tree));
  }

  @Override
  public Answer<JoinAnswer> join(JoinOrder order, Duration patience) {
    var body = new LinkedHashMap<String, @Nullable Object>();
    body.put("order", RecordJson.tree(order));
    body.put("patience", patience.toMillis());
    var key = Optional.of("join-" + order.pid() + "-" + order.startTime());
    return ask("POST", "/v1/join", key, body, tree -> RecordJson.fromTree(JoinAnswer.class, tree));
  }

  @Override
  public Answer<List<Done>> endStep(StepRef step, OptionalInt signal) {
    var body = new LinkedHashMap<String, Object>();
    signal.ifPresent(number -> body.put("signal", number));
    String path = "/v1/jobs/" + step.job() + "/steps/" + step.number();
    return post(path, body, HttpGflow::done);
  }

  @Override
  public Answer<List<StepView>> steps(JobRef job) {
    return get("/v1/jobs/" + job + "/steps", tree -> list(StepView.class, tree, "steps"));
  }

  @Override
  public Answer<GpusView> cards(JobRef job, GpusOrder order, Duration patience) {
    var body = new LinkedHashMap<String, @Nullable Object>();
    body.put("have", order.have());
    body.put("call_back", order.callBack());
    body.put("back", order.back());
    body.put("patience", patience.toMillis());
    // To give a card back twice is no error, so to ask again is safe.
    var key = Optional.of("cards-" + job);
    String path = "/v1/jobs/" + job + "/cards";
    return ask("POST", path, key, body, tree -> RecordJson.fromTree(GpusView.class, tree));
  }

  @Override
  public Answer<Done> progress(JobRef job, String text) {
    Map<String, Object> body = Map.of("text", text);
    String path = "/v1/jobs/" + job + "/progress";
    return post(path, body, tree -> RecordJson.fromTree(Done.class, tree));
  }

  @Override
  public Answer<LogPlace> log(JobRef job) {
    String target = "/v1/jobs/" + job + "/log";
    return get(target, tree -> RecordJson.fromTree(LogPlace.class, tree));
  }

  @Override
  public Answer<MachineView> machine() {
    return get("/v1/machine", tree -> RecordJson.fromTree(MachineView.class, tree));
  }

  @Override
  public Answer<Done> control(Control control) {
    var body = RecordJson.tree(control);
    return post("/v1/control", body, tree -> RecordJson.fromTree(Done.class, tree));
  }

  @Override
  public Answer<StatsView> stats(
      Optional<String> user, Optional<String> project, Optional<Instant> since) {
    var query = new StringBuilder();
    parameter(query, "user", user.orElse(null));
    parameter(query, "project", project.orElse(null));
    parameter(query, "since", since.isPresent() ? since.get().toString() : null);
    return get("/v1/stats" + query, tree -> RecordJson.fromTree(StatsView.class, tree));
  }

  private static void parameter(StringBuilder query, String name, @Nullable String value) {
    if (value != null) {
      query.append(query.isEmpty() ? '?' : '&').append(name).append('=');
      query.append(URLEncoder.encode(value, UTF_8));
    }
  }

  @Override
  public Answer<DaemonStatus> status() {
    // By this one sees whether there is a daemon, so it does not wait for one.
    return ask(
        "GET",
        "/v1/status",
        Optional.empty(),
        null,
        tree -> RecordJson.fromTree(DaemonStatus.class, tree));
  }

  @Override
  public Answer<Done> down(boolean cancelJobs) {
    Map<String, Object> body = Map.of("cancel_jobs", cancelJobs);
    return post("/v1/down", body, tree -> RecordJson.fromTree(Done.class, tree));
  }

  @Override
  public void events(Predicate<EventView> receiver) {
    try (var wire = HttpWire.connect(socket)) {
      var response = wire.ask("GET", "/v1/events", "", NOTHING);
      var lines = new BufferedReader(new InputStreamReader(response.body(), UTF_8));
      boolean wanted = response.status() == 200;
      for (String line = lines.readLine(); wanted && line != null; line = lines.readLine()) {
        if (line.startsWith("data: ")) {
          wanted = receiver.test(RecordJson.read(EventView.class, line.substring(6)));
        }
      }
    } catch (IOException | BadJson e) {
      // The daemon went, or never was: the contract says that this is the end of the events.
    }
  }

  private static Map<String, @Nullable Object> named(List<JobRef> jobs) {
    var names = new ArrayList<String>(jobs.size());
    for (JobRef job : jobs) {
      names.add(job.toString());
    }
    var body = new LinkedHashMap<String, @Nullable Object>();
    body.put("jobs", names);
    return body;
  }

  private static Map<String, @Nullable Object> chosen(
      List<JobRef> jobs, Collection<JobState> states, List<String> users, List<String> names) {
    var body = named(jobs);
    body.put("states", RecordJson.tree(states));
    body.put("users", users);
    body.put("names", names);
    return body;
  }

  private interface Reader<T> {
    T read(@Nullable Object tree) throws BadJson;
  }

  private <T> Answer<T> get(String target, Reader<T> reader) {
    return again(comesBack, () -> ask("GET", target, Optional.empty(), null, reader));
  }

  private <T> Answer<T> repeat(String target, @Nullable Object body, Reader<T> reader) {
    return again(comesBack, () -> post(target, body, reader));
  }

  private <T> Answer<T> post(String target, @Nullable Object body, Reader<T> reader) {
    return ask("POST", target, Optional.empty(), body, reader);
  }

  private <T> Answer<T> ask(
      String method, String target, Optional<String> key, @Nullable Object body, Reader<T> reader) {
    if (key.isPresent() && !fitsInLine(key.get())) {
      return new No<>(Kind.USAGE, "a key is printable ASCII, at most 200 characters");
    }
    String headers = key.isPresent() ? "Idempotency-Key: " + key.get() + "\r\n" : "";
    byte[] bytes = body == null ? NOTHING : Json.text(body).getBytes(UTF_8);
    return key.isPresent()
        ? again(started, () -> once(method, target, headers, bytes, reader))
        : once(method, target, headers, bytes, reader);
  }

  private static <T> Answer<T> again(BooleanSupplier there, Supplier<Answer<T>> request) {
    Answer<T> answer = request.get();
    for (int i = 1; i < TRIES && lost(answer); i++) {
      if (!there.getAsBoolean()) {
        return answer;
      }
      answer = request.get();
    }
    return answer;
  }

  private static boolean lost(Answer<?> answer) {
    return answer instanceof No<?> no && no.kind() == Kind.NO_DAEMON;
  }

  private <T> Answer<T> once(
      String method, String target, String headers, byte[] bytes, Reader<T> reader) {
    try (var wire = HttpWire.connect(socket)) {
      return answer(wire, method, target, headers, bytes, reader);
    } catch (AccessDeniedException e) {
      return Answer.refused("you may not open " + socket);
    } catch (IOException | RuntimeException e) {
      return noDaemon(e);
    }
  }

  private static boolean fitsInLine(String key) {
    boolean fits = !key.isEmpty() && key.length() <= 200;
    for (int i = 0; i < key.length(); i++) {
      fits &= key.charAt(i) > ' ' && key.charAt(i) < 127;
    }
    return fits;
  }

  /** No file and nobody behind the file are the same to the user; a locked door is not. */
  private <T> Answer<T> noDaemon(Exception e) {
    return String.valueOf(e.getMessage()).contains("denied")
        ? Answer.refused("you may not open " + socket)
        : new No<>(Kind.NO_DAEMON, "no gflowd is running (gflowd up starts one)");
  }

  private static <T> Answer<T> answer(
      HttpWire wire, String method, String target, String headers, byte[] body, Reader<T> reader) {
    try {
      var response = wire.ask(method, target, headers, body);
      Object tree = Json.parse(response.text());
      if (tree instanceof Map<?, ?> map && map.get("error") instanceof String line) {
        return new No<>(kind(response.status()), line);
      }
      return Answer.ok(reader.read(tree));
    } catch (IOException e) {
      return new No<>(Kind.NO_DAEMON, "gflowd went away before it answered");
    } catch (BadJson | RuntimeException e) {
      return Answer.refused(
          "gflowd answered what this version does not know (gflowd restart): " + e);
    }
  }

  private static Kind kind(int status) {
    return switch (status) {
      case 400 -> Kind.USAGE;
      case 500 -> Kind.INTERNAL;
      case 503 -> Kind.NO_DAEMON;
      default -> Kind.REFUSED;
    };
  }

  private static List<Done> done(@Nullable Object tree) throws BadJson {
    return list(Done.class, tree, "done");
  }

  private static <T> List<T> list(Class<T> type, @Nullable Object tree, String name)
      throws BadJson {
    if (!(tree instanceof Map<?, ?> map) || !(map.get(name) instanceof List<?> parts)) {
      throw new BadJson("expected a list " + name);
    }
    var all = new ArrayList<T>(parts.size());
    for (Object part : parts) {
      all.add(RecordJson.fromTree(type, part));
    }
    return List.copyOf(all);
  }
}
