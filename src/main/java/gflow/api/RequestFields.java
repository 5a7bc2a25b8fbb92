package gflow.api;

import gflow.api.ApiRequest.Cancel;
import gflow.api.ApiRequest.Changes;
import gflow.api.ApiRequest.EndStep;
import gflow.api.ApiRequest.JobGpus;
import gflow.api.ApiRequest.Jobs;
import gflow.api.ApiRequest.Join;
import gflow.api.ApiRequest.Progress;
import gflow.api.ApiRequest.Redo;
import gflow.api.ApiRequest.Signal;
import gflow.api.ApiRequest.Stats;
import gflow.api.ApiRequest.Step;
import gflow.api.ApiRequest.Submit;
import gflow.api.ApiRequest.TryOut;
import gflow.api.ApiRequest.Update;
import gflow.api.Endpoint.Address;
import gflow.api.Gflow.JobQuery;
import gflow.api.Gflow.Selection;
import gflow.job.JobRef;
import gflow.job.JobState;
import gflow.job.Recipients;
import gflow.json.BadJson;
import gflow.json.RecordJson;
import gflow.script.value.BadInput;
import gflow.script.value.JobRefs;
import gflow.script.value.SignalSyntax;
import gflow.script.value.StateNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The fields of requests: those of more than a few words, read and written. */
final class RequestFields {
  /** Of a list without a limit of its own; the answer says how many there are. */
  private static final int LIMIT = 1000;

  private static final int LONGEST_PATIENCE = 20_000;

  private RequestFields() {}

  /** Names and values in turn; jobs are written as users do, and patience in milliseconds. */
  static Map<String, @Nullable Object> fields(Object... parts) {
    var fields = new LinkedHashMap<String, @Nullable Object>();
    for (int i = 0; i < parts.length; i += 2) {
      String name = parts[i].toString();
      fields.put(
          name,
          switch (name) {
            case "jobs" -> ((List<?>) parts[i + 1]).stream().map(Object::toString).toList();
            case "patience" -> ((Duration) parts[i + 1]).toMillis();
            default -> RecordJson.tree(parts[i + 1]);
          });
    }
    return fields;
  }

  /** Those of the record, and these. */
  static Map<String, @Nullable Object> fields(Record all, Object... parts) {
    var fields = new LinkedHashMap<String, @Nullable Object>();
    ((Map<?, ?>) RecordJson.tree(all)).forEach((name, part) -> fields.put(name.toString(), part));
    fields.putAll(fields(parts));
    return fields;
  }

  static List<JobRef> some(JsonFields fields) throws BadInput {
    List<JobRef> jobs = JobRefs.all(fields.words("jobs"));
    if (jobs.isEmpty()) {
      throw new BadInput("jobs is empty: say which, as in [41,\"42_7\"]");
    }
    return jobs;
  }

  static Submit submit(Address to, JsonFields fields) throws BadInput {
    return new Submit(OrderJson.readAll(fields, to.origin()), to.key());
  }

  static TryOut tryOut(Address to, JsonFields fields) throws BadInput {
    return new TryOut(OrderJson.readAll(fields, to.origin()));
  }

  static Stats stats(Address to, JsonFields fields) throws BadInput {
    return new Stats(fields.text("user"), fields.text("project"), fields.time("since"));
  }

  static Jobs query(Address to, JsonFields fields) throws BadInput {
    return jobs(fields, "job", "state", "user", "name");
  }

  /** The same as a body, for lists that are too long for a path. */
  static Jobs list(Address to, JsonFields fields) throws BadInput {
    return jobs(fields, "jobs", "states", "users", "names");
  }

  private static Jobs jobs(
      JsonFields fields, String jobs, String states, String users, String names) throws BadInput {
    return new Jobs(
        new JobQuery(
            JobRefs.all(fields.words(jobs)),
            states(fields.words(states)),
            fields.words(users),
            fields.words(names),
            fields.text("project"),
            fields.time("ended_since"),
            fields.whole("limit").orElse(LIMIT)));
  }

  private static Set<JobState> states(List<String> words) throws BadInput {
    Optional<StateNames.Filter> filter = filter(words);
    if (filter.filter(f -> f.held() && !f.waiting()).isPresent()) {
      throw new BadInput("held jobs are PENDING here, as all that wait: name PENDING, or the jobs");
    }
    return filter.map(StateNames.Filter::states).orElse(Set.of());
  }

  private static Optional<StateNames.Filter> filter(List<String> words) throws BadInput {
    return words.isEmpty()
        ? Optional.empty()
        : Optional.of(StateNames.parse(String.join(",", words)));
  }

  static Cancel cancel(Address to, JsonFields fields) throws BadInput {
    List<JobRef> jobs = JobRefs.all(fields.words("jobs"));
    Optional<StateNames.Filter> filter = filter(fields.words("states"));
    var selection =
        new Selection(
            jobs,
            filter.map(StateNames.Filter::states).orElse(Set.of()),
            filter.flatMap(StateNames.Filter::onlyHeld),
            fields.words("users"),
            fields.words("names"),
            fields.flag("all"));
    if (!selection.all()
        && Stream.of(jobs, selection.states(), selection.users(), selection.names())
            .allMatch(java.util.Collection::isEmpty)) {
      throw new BadInput("say which jobs: jobs, states, users, names, or \"all\":true");
    }
    return new Cancel(selection);
  }

  static Map<String, @Nullable Object> write(Selection selection) {
    String pending =
        selection.held().map(held -> held ? "HELD" : "WAITING").orElse(JobState.PENDING.name());
    return fields(
        "jobs",
        selection.jobs(),
        "states",
        selection.states().stream()
            .map(state -> state == JobState.PENDING ? pending : state.name())
            .toList(),
        "users",
        selection.users(),
        "names",
        selection.names(),
        "all",
        selection.all());
  }

  static Update update(Address to, JsonFields fields) throws BadInput {
    List<JobRef> jobs = some(fields);
    Optional<JsonFields> options = fields.object("options");
    if (options.isEmpty()) {
      throw new BadInput("options is missing");
    }
    return new Update(jobs, OrderJson.changes(options.get().rest()), to.key());
  }

  static Update patch(Address to, JsonFields fields) throws BadInput {
    return new Update(to.jobs(), OrderJson.changes(fields.rest()), to.key());
  }

  static Redo redo(Address to, JsonFields fields) throws BadInput {
    return new Redo(to.job(), fields.flag("failed_only"), to.key());
  }

  static Signal signal(Address to, JsonFields fields) throws BadInput {
    List<JobRef> jobs = some(fields);
    int signal = SignalSyntax.number(String.join("", fields.words("signal")));
    String group = fields.text("to").orElse("steps");
    for (Recipients one : Recipients.values()) {
      if (one.name().equalsIgnoreCase(group)) {
        return new Signal(jobs, signal, one);
      }
    }
    throw JsonFields.wrong("to", "steps, script or all", group);
  }

  static EndStep endStep(Address to, JsonFields fields) throws BadInput {
    var step = JobRefs.step(String.join(".", to.names()));
    List<String> signal = fields.words("signal");
    return new EndStep(
        step,
        signal.isEmpty()
            ? OptionalInt.empty()
            : OptionalInt.of(SignalSyntax.number(signal.getFirst())));
  }

  static Step step(Address to, JsonFields fields) throws BadInput {
    Asked<StepOrder> asked = asked("a step", StepOrder.class, fields);
    return new Step(asked.order(), asked.patience());
  }

  static Join join(Address to, JsonFields fields) throws BadInput {
    Asked<JoinOrder> asked = asked("to join a job", JoinOrder.class, fields);
    return new Join(asked.order(), asked.patience());
  }

  /** What blocks for as long as the caller has patience, which is not for ever. */
  private record Asked<T>(T order, Duration patience) {}

  private static <T> Asked<T> asked(String what, Class<T> type, JsonFields fields) throws BadInput {
    Optional<Map<?, ?>> order = fields.map("order");
    int patience = fields.whole("patience").orElse(0);
    if (order.isEmpty() || patience < 0 || patience > LONGEST_PATIENCE) {
      throw new BadInput(what + " has an order, and a patience of 0 to 20000 milliseconds");
    }
    try {
      return new Asked<>(RecordJson.fromTree(type, order.get()), Duration.ofMillis(patience));
    } catch (BadJson | RuntimeException e) {
      throw new BadInput("order is not understood: " + e.getMessage());
    }
  }

  /** Blocks like a step that waits. */
  static JobGpus jobGpus(Address to, JsonFields fields) throws BadInput {
    var have = new ArrayList<Integer>();
    for (String index : fields.words("have")) {
      if (!index.matches("\\d{1,5}")) {
        throw JsonFields.wrong("have", "indices of GPUs", index);
      }
      have.add(Integer.parseInt(index));
    }
    int callBack = fields.whole("call_back").orElse(0);
    var order = new GpusOrder(have, callBack, fields.words("back"));
    return new JobGpus(to.job(), order, patience(fields.whole("patience").orElse(0)));
  }

  /** Whoever names no epoch with a number knows of none, and is told to take a snapshot. */
  static Changes changes(Address to, JsonFields fields) throws BadInput {
    Optional<String> after = fields.text("after");
    String epoch = fields.text("epoch").orElse("");
    Duration patience = patience(fields.whole("patience").orElse(0));
    if (epoch.isEmpty() && after.isEmpty()) {
      return Changes.NOW;
    }
    if (after.isEmpty() || !after.get().matches("\\d{1,18}")) {
      throw JsonFields.wrong("after", "the number of a change", after.orElse(null));
    }
    return new Changes(epoch, OptionalLong.of(Long.parseLong(after.get())), patience);
  }

  private static Duration patience(int millis) throws BadInput {
    if (millis < 0 || millis > LONGEST_PATIENCE) {
      throw new BadInput("patience is 0 to 20000 milliseconds");
    }
    return Duration.ofMillis(millis);
  }

  static Progress progress(Address to, JsonFields fields) throws BadInput {
    Optional<String> text = fields.text("text");
    if (text.isEmpty()) {
      throw new BadInput("text is missing: say how far it is, as in \"812/2000 done\"");
    }
    return new Progress(to.job(), text.get());
  }
}
