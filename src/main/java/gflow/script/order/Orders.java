package gflow.script.order;

import gflow.job.Dependencies;
import gflow.job.FenceReason;
import gflow.job.JobSpec;
import gflow.job.MpsReason;
import gflow.job.Program;
import gflow.job.Ranges;
import gflow.job.Request;
import gflow.job.RequestedOptions;
import gflow.job.RetryOn;
import gflow.job.Sweep;
import gflow.script.env.Environments;
import gflow.script.grammar.Given;
import gflow.script.grammar.Opt;
import gflow.script.value.ArrayIndices;
import gflow.script.value.BadInput;
import gflow.script.value.BeginTimes;
import gflow.script.value.DependencySyntax;
import gflow.script.value.DisplayNames;
import gflow.script.value.GpuLogSyntax;
import gflow.script.value.SignalSyntax;
import gflow.script.value.SweepSyntax;
import gflow.script.value.Times;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Turns an order into a spec by all the rules, or says in one line what is wrong with it. */
public final class Orders {
  private static final int MOST_RETRIES = 1000;
  private static final List<String> TERMS =
      List.of("requeue", "no-requeue", "depends-on", "dependency");
  private static final List<String> TASKS =
      List.of("array", "param", "param-file", "max-concurrent");

  private final Order order;
  private final Given given;
  private final Defaults defaults;
  private final Placement placement;
  private final BlobContents blobs = new BlobContents();

  private Orders(Order order, Given given, Defaults defaults) throws BadInput {
    this.order = order;
    this.given = given;
    this.defaults = defaults;
    placement = new Placement(given, defaults);
  }

  public static Draft draft(Order order, Instant now, ZoneId zone, Defaults defaults)
      throws BadInput {
    return drafts(List.of(order), now, zone, defaults).getFirst();
  }

  /** All, or the refusal of the first that is wrong; of several it says which. */
  public static List<Draft> drafts(List<Order> orders, Instant now, ZoneId zone, Defaults defaults)
      throws BadInput {
    var environments = new Environments();
    var drafts = new ArrayList<Draft>(orders.size());
    Optional<Judged> last = Optional.empty();
    for (Order order : orders) {
      try {
        if (last.isPresent() && last.get().judges(order)) {
          drafts.add(last.get().draft(order.body()));
          continue;
        }
        Given given = given(order, defaults.site());
        Draft draft = new Orders(order, given, defaults).draft(environments, now, zone);
        last = Optional.of(new Judged(order, given, draft));
        drafts.add(draft);
      } catch (BadInput bad) {
        throw orders.size() == 1
            ? bad
            : new BadInput(
                "job " + (drafts.size() + 1) + " of " + orders.size() + ": " + bad.line());
      }
    }
    return drafts;
  }

  /**
   * Many orders at once mostly differ in what they run and in nothing else: that is then judged
   * once, and is one object in memory however many jobs wait.
   */
  private record Judged(Order order, Given given, Draft draft) {
    boolean judges(Order other) throws BadInput {
      return isPlain(order)
          && isPlain(other)
          && !given.has("wrap")
          && order.origin().equals(other.origin())
          && order.options().equals(other.options())
          && FixedPorts.numbers(order.body()).equals(FixedPorts.numbers(other.body()));
    }

    private static boolean isPlain(Order order) {
      boolean text =
          order.body() instanceof Order.Body.Script || order.body() instanceof Order.Body.Group;
      return !text && order.files().isEmpty();
    }

    Draft draft(Order.Body body) throws BadInput {
      OrderBodies.check(body);
      Program program = OrderBodies.program(body, new BlobContents());
      return new Draft(draft.spec().running(name(given, body), program), draft.blobs());
    }
  }

  private static String name(Given given, Order.Body body) throws BadInput {
    Optional<String> named = given.read("name", DisplayNames::job);
    return named.isPresent() ? named.get() : DisplayNames.job(OrderBodies.defaultName(body));
  }

  private static Given given(Order order, Site site) throws BadInput {
    OrderBodies.check(order.body());
    if (order.body() instanceof Order.Body.Script script) {
      script.directives().check(site);
    }
    Given given = Directives.merge(order.options(), order.body());
    BatchOptions.check(given);
    if (given.has("wrap") && !(order.body() instanceof Order.Body.Wrap)) {
      throw new BadInput("--wrap and a script or command are both given; give one of them");
    }
    return given;
  }

  private Draft draft(Environments environments, Instant now, ZoneId zone) throws BadInput {
    Program program = OrderBodies.program(order.body(), blobs);
    ResourceTotals totals = ResourceTotals.of(given);
    RequestedOptions asked = asked(totals);
    Request request = placement.request(totals);
    if (order.body() instanceof Order.Body.Group group) {
      group.options().check(request);
    }
    if (given.has("mps") && request.gpus().count() == 0 && !asked.wholeMachine()) {
      throw given.bad(List.of("mps"), "--mps without a GPU; add --gpus 1");
    }
    var spec =
        new JobSpec(
            order.origin().owner(),
            name(given, order.body()),
            program,
            request,
            given.about(TERMS, () -> terms(now, zone)),
            given.about(TASKS, this::tasks),
            new JobScenes(order, given, blobs, environments).scene(),
            asked,
            labels(asked));
    return new Draft(spec, blobs.contents());
  }

  private JobSpec.Terms terms(Instant now, ZoneId zone) throws BadInput {
    if (given.has("requeue") && given.has("no-requeue")) {
      throw new BadInput("--requeue and --no-requeue disagree; give one of them");
    }
    checkDeadline(now, zone);
    return new JobSpec.Terms(
        given.number("priority", 0, JobSpec.MAX_PRIORITY, defaults.priority()),
        placement.timeLimit(),
        given.read("begin", text -> BeginTimes.parse(text, now, zone)),
        given.has("hold"),
        dependencies(),
        given.number("retries", 0, MOST_RETRIES, 0),
        retryOn());
  }

  private List<RetryOn> retryOn() throws BadInput {
    List<RetryOn> said = given.read("retry-on", RetrySyntax::words).orElse(JobSpec.Terms.USUAL);
    boolean requeue = said.contains(RetryOn.NODE) || said.contains(RetryOn.PREEMPT);
    if (requeue && given.has("no-requeue")) {
      throw new BadInput("--retry-on node and --no-requeue disagree; give one of them");
    }
    if (given.has("retry-on") && !requeue && !given.has("retries")) {
      throw new BadInput("--retry-on says after what; add --retries N to say how often");
    }
    boolean slurms = given.has("requeue") || (speaksSlurm() && !given.has("no-requeue"));
    return slurms ? RetryOn.requeued(said) : said;
  }

  /** The one place where that is decided. */
  private boolean speaksSlurm() {
    return given.has(BatchOptions.SLURM)
        || (order.body() instanceof Order.Body.Script script && script.directives().speakSlurm());
  }

  /** Slurm takes some that cannot be met, and ends the job at once. */
  private void checkDeadline(Instant now, ZoneId zone) throws BadInput {
    Optional<Duration> limit = placement.timeLimit();
    Optional<Duration> least =
        given
            .read("time-min", text -> called("time", "time-min", () -> Times.limit(text)))
            .orElse(limit);
    if (least.isPresent() && limit.isPresent() && least.get().compareTo(limit.get()) > 0) {
      throw new BadInput("--time-min is more than --time; change one of them");
    }
    Optional<Instant> deadline =
        given.read(
            "deadline",
            text -> called("begin", "deadline", () -> BeginTimes.parse(text, now, zone)));
    Instant begin = given.read("begin", text -> BeginTimes.parse(text, now, zone)).orElse(now);
    if (deadline.filter(begin::isAfter).isPresent() && given.has("begin")) {
      throw new BadInput("--begin is after --deadline; change one of them");
    }
    if (deadline.filter(d -> begin.plus(least.orElse(Duration.ZERO)).isAfter(d)).isPresent()) {
      throw new BadInput(
          given.has("time-min")
              ? "--time-min is more than --deadline leaves; change one of them"
              : "deadline '%s' cannot be met; change --deadline or --time"
                  .formatted(given.value("deadline").orElse("")));
    }
  }

  /** The same rules under another option's name. */
  private static <T> T called(String name, String other, Given.Reading<T> reading) throws BadInput {
    try {
      return reading.read();
    } catch (BadInput bad) {
      throw new BadInput(bad.line().replaceFirst("^" + name, other));
    }
  }

  private Dependencies dependencies() throws BadInput {
    Optional<String> simple = given.value("depends-on");
    Optional<String> slurms = given.value("dependency");
    if (simple.isPresent() && slurms.isPresent()) {
      throw new BadInput("--depends-on and --dependency say the same; give one of them");
    }
    boolean cancel = given.read("kill-on-invalid-dep", Orders::yes).orElse(true);
    return given
        .read(
            simple.isPresent() ? "depends-on" : "dependency",
            t -> DependencySyntax.parse(t, cancel))
        .orElse(Dependencies.NONE);
  }

  private static boolean yes(String word) throws BadInput {
    if (!word.equals("yes") && !word.equals("no")) {
      throw new BadInput("kill-on-invalid-dep '" + word + "' is neither yes nor no");
    }
    return word.equals("yes");
  }

  private JobSpec.Tasks tasks() throws BadInput {
    List<Sweep.Factor> factors = factors();
    Optional<String> array = given.value("array");
    if (array.isPresent() && !factors.isEmpty()) {
      throw new BadInput("--array and --param both make the tasks; give one of them");
    }
    int limit = given.number("max-concurrent", 1, Integer.MAX_VALUE, 0);
    if (array.isPresent()) {
      ArrayIndices.Spec spec = given.about(List.of("array"), () -> ArrayIndices.parse(array.get()));
      return new JobSpec.Tasks(
          Optional.of(spec.indices()), Sweep.NONE, oneLimit(array.get(), spec.limit(), limit));
    }
    if (factors.isEmpty()) {
      if (limit > 0) {
        throw new BadInput("--max-concurrent is for many tasks; add --array or --param");
      }
      return JobSpec.Tasks.ONE;
    }
    Sweep sweep = SweepSyntax.of(factors);
    return new JobSpec.Tasks(Optional.of(Ranges.firstN(sweep.size())), sweep, limit);
  }

  private static int oneLimit(String array, int percent, int option) throws BadInput {
    if (percent > 0 && option > 0 && percent != option) {
      throw new BadInput(
          "--array " + array + " and --max-concurrent " + option + " disagree; give one limit");
    }
    return Math.max(percent, option);
  }

  private List<Sweep.Factor> factors() throws BadInput {
    var factors = new ArrayList<Sweep.Factor>();
    for (String text : given.values("param")) {
      factors.add(SweepSyntax.parameter(text));
    }
    Optional<String> file = given.value("param-file");
    if (file.isPresent()) {
      factors.add(SweepSyntax.file(file.get(), JobScenes.file(order, "param-file", file.get())));
    }
    return factors;
  }

  private RequestedOptions asked(ResourceTotals totals) throws BadInput {
    var options = totals.asked();
    if (given.value("open-mode").filter(mode -> mode.startsWith("a")).isPresent()) {
      options.put(RequestedOptions.OPEN_MODE, "append");
    }
    if (given.read(RequestedOptions.GPU_MEMORY_LIMIT, Orders::enforced).orElse(false)) {
      options.put(RequestedOptions.GPU_MEMORY_LIMIT, RequestedOptions.ENFORCE);
    }
    given
        .read(RequestedOptions.GPU_LOG, GpuLogSyntax::parse)
        .ifPresent(log -> options.put(RequestedOptions.GPU_LOG, log.text()));
    if (speaksSlurm()) {
      options.put(RequestedOptions.SLURM, "");
    }
    if (given.has(RequestedOptions.ONCE)) {
      options.put(RequestedOptions.ONCE, "");
    }
    List<Integer> ports = FixedPorts.numbers(order.body());
    if (!ports.isEmpty()) {
      options.put(
          RequestedOptions.PORTS,
          ports.stream().map(String::valueOf).collect(Collectors.joining(",")));
    }
    if (given.has(RequestedOptions.SPREAD)) {
      options.put(RequestedOptions.SPREAD, "");
      given
          .read(RequestedOptions.STAGGER, Times::pause)
          .ifPresent(pause -> options.put(RequestedOptions.STAGGER, pause.toMillis() + "ms"));
      if (given.has(RequestedOptions.KILL_ON_BAD_EXIT)) {
        String how = given.value(RequestedOptions.KILL_ON_BAD_EXIT).orElse("");
        options.put(RequestedOptions.KILL_ON_BAD_EXIT, how.equals("0") ? "0" : "1");
      }
    }
    if (order.body() instanceof Order.Body.Group group) {
      options.put(RequestedOptions.GROUP, group.options().spreadTasks());
    }
    yesOrNo("fence")
        .ifPresent(
            yes ->
                options.put(
                    RequestedOptions.FENCE, yes ? FenceReason.ASKED.kept() : FenceReason.OFF));
    yesOrNo("mps")
        .map(yes -> yes ? MpsReason.ASKED : MpsReason.OFF)
        .ifPresent(mps -> options.put(RequestedOptions.MPS, mps.kept()));
    return new RequestedOptions(
        options, given.read("signal", SignalSyntax::early), given.read("grace", Times::duration));
  }

  /** What {@code --name} or {@code --no-name} say. */
  private Optional<Boolean> yesOrNo(String name) throws BadInput {
    if (given.has(name) && given.has("no-" + name)) {
      throw new BadInput("--%s and --no-%s disagree; give one of them".formatted(name, name));
    }
    return given.has(name) || given.has("no-" + name)
        ? Optional.of(given.has(name))
        : Optional.empty();
  }

  private static boolean enforced(String word) throws BadInput {
    return switch (word) {
      case "mark" -> false;
      case RequestedOptions.ENFORCE -> true;
      default -> throw new BadInput("--gpu-memory-limit is mark or enforce, not " + word);
    };
  }

  private SortedMap<String, String> labels(RequestedOptions asked) throws BadInput {
    var labels = new TreeMap<String, String>();
    for (Opt option : BatchOptions.labels()) {
      String name = option.name();
      if (!asked.has(name)) {
        given
            .read(name, text -> DisplayNames.label(name, text))
            .ifPresent(text -> labels.put(name, text));
      }
    }
    placement.name().ifPresent(name -> labels.put("partition", name));
    if (order.body() instanceof Order.Body.Script script) {
      labels.put(JobSpec.SCRIPT, OrderBodies.shown(script.name()));
    }
    if (order.body() instanceof Order.Body.Group group) {
      labels.put(JobSpec.SCRIPT, OrderBodies.shown(group.name()));
    }
    return labels;
  }
}
