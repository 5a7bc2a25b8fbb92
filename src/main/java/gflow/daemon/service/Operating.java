package gflow.daemon.service;

import gflow.api.ControlText;
import gflow.api.ControlsView;
import gflow.api.Gflow.Control;
import gflow.api.Gflow.Done;
import gflow.api.MachineView;
import gflow.api.MachineView.GpuUser;
import gflow.api.MachineView.GpuView;
import gflow.api.MachineView.PartitionView;
import gflow.daemon.core.Core;
import gflow.daemon.core.OperatorControls;
import gflow.daemon.core.Refusal;
import gflow.gpu.GpuDevice;
import gflow.gpu.GpuProcess;
import gflow.gpu.GpuReading;
import gflow.job.Allocation.GpuGrant;
import gflow.job.Job;
import gflow.job.JobSpec;
import gflow.job.Ranges;
import gflow.plan.Availability;
import gflow.plan.Gpu;
import gflow.plan.Holding;
import gflow.plan.UsageLimits;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The operator's side: the machine, and what may be changed about it. */
public record Operating(
    ServiceContext context,
    String host,
    String gpuSource,
    boolean simulated,
    List<PartitionView> partitions,
    ControlsShown shown) {
  private static final String BY_OPERATOR = "by the operator";

  public Operating {
    partitions = List.copyOf(partitions);
  }

  // ---- control ----

  ControlsView controls() throws Refusal {
    return context
        .loop()
        .look(core -> shown.of(core.inventory().controls(), core.inventory().devices()));
  }

  Done control(Control control) throws Refusal {
    if (control instanceof Control.Prune(Instant before)) {
      return prune(before);
    }
    return context.loop().ask((core, now) -> control(core, control, now));
  }

  private Done prune(Instant before) throws Refusal {
    int jobs = context.prune(before);
    return new Done("", jobs > 0, ControlText.pruned(jobs));
  }

  private static Done control(Core core, Control control, Instant now) throws Refusal {
    change(core, control, now);
    return new Done("", true, ControlText.of(control));
  }

  private static void change(Core core, Control control, Instant now) throws Refusal {
    OperatorControls old = core.inventory().controls();
    switch (control) {
      case Control.SetGpus(Optional<List<Integer>> allowed) -> {
        check(core, allowed.orElse(List.of()));
        core.control(old.withAllowed(allowed));
      }
      case Control.Drain(List<Integer> gpus, String why) -> {
        var drained = new TreeMap<>(old.drainedGpus());
        for (GpuDevice device : check(core, gpus)) {
          drained.put(device.id().uuid(), why.isEmpty() ? BY_OPERATOR : why);
        }
        core.control(old.withDrained(drained));
      }
      case Control.Undrain(List<Integer> gpus) -> {
        var drained = new TreeMap<>(old.drainedGpus());
        for (GpuDevice device : check(core, gpus)) {
          drained.remove(device.id().uuid());
          core.health().forgive(device.id());
        }
        core.control(old.withDrained(drained));
      }
      case Control.Pause(String why) ->
          core.control(old.withPause(Optional.of(why.isEmpty() ? BY_OPERATOR : why)));
      case Control.Resume() -> core.control(old.withPause(Optional.empty()));
      case Control.SetLimit(String subject, int limit) -> limit(core, old, subject, limit, now);
      case Control.Ignore(boolean byUser, String name, boolean add) -> {
        var users = edited(old.ignoredUsers(), byUser, name, add);
        var commands = edited(old.ignoredCommands(), !byUser, name, add);
        core.control(old.withIgnored(users, commands));
      }
      case Control.Prune p -> throw new IllegalStateException("handled before");
    }
  }

  private static List<String> edited(List<String> names, boolean here, String name, boolean add) {
    var all = new ArrayList<>(names);
    if (here) {
      all.remove(name);
      if (add) {
        all.add(name);
      }
    }
    return all;
  }

  private static List<GpuDevice> check(Core core, List<Integer> indices) throws Refusal {
    var found = new ArrayList<GpuDevice>();
    for (int index : indices) {
      found.add(
          core.inventory().devices().stream()
              .filter(d -> d.index() == index)
              .findFirst()
              .orElseThrow(
                  () ->
                      new Refusal(
                          "there is no GPU " + index + " (ginfo lists the GPUs of this machine)")));
    }
    return found;
  }

  private static void limit(Core core, OperatorControls old, String subject, int limit, Instant now)
      throws Refusal {
    var cap =
        limit == 0
            ? UsageLimits.Cap.NONE
            : new UsageLimits.Cap(OptionalInt.of(limit), OptionalInt.empty());
    UsageLimits limits = old.limits();
    if (subject.startsWith("user:")) {
      var users = new TreeMap<>(limits.users());
      users.put(subject.substring(5), cap);
      core.control(old.withLimits(new UsageLimits(limits.everyUser(), users, limits.projects())));
    } else if (subject.startsWith("project:")) {
      var projects = new TreeMap<>(limits.projects());
      projects.put(subject.substring(8), cap);
      core.control(old.withLimits(new UsageLimits(limits.everyUser(), limits.users(), projects)));
    } else {
      Job job = limitedJob(core, subject);
      core.respec(job, SpecEdits.withLimit(job.spec(), limit), now);
    }
  }

  private static Job limitedJob(Core core, String subject) throws Refusal {
    if (!subject.matches("[1-9]\\d{0,17}")) {
      throw new Refusal(
          "a limit is set for a job (42), user:NAME or project:NAME, not for " + subject);
    }
    var id = new gflow.job.JobId(Long.parseLong(subject));
    return core.ledger()
        .job(id)
        .orElseThrow(() -> new Refusal("there is no job " + id + " that is not over"));
  }

  // ---- the machine ----

  MachineView machine() throws Refusal {
    return context.loop().look(this::machine);
  }

  private MachineView machine(Core core) {
    var machine = core.inventory().machine();
    List<Holding> holdings = core.holdings();
    int cpus = machine.cpus().size();
    Ranges usedCpus = Ranges.EMPTY;
    long usedMemory = 0;
    for (Holding h : holdings) {
      usedCpus = usedCpus.union(h.allocation().cpus());
      usedMemory += h.allocation().memory();
    }
    var gpus = machine.gpus().stream().map(gpu -> gpu(core, gpu, holdings)).toList();
    return new MachineView(
        host,
        simulated,
        gpuSource,
        gpus,
        cpus,
        cpus - usedCpus.size(),
        machine.memory(),
        machine.memory() - usedMemory,
        partitions);
  }

  private GpuView gpu(Core core, Gpu gpu, List<Holding> holdings) {
    Optional<GpuReading> reading = core.inventory().reading(gpu.id());
    List<GpuUser> users = new ArrayList<>();
    for (Holding h : holdings) {
      for (GpuGrant grant : h.gpus()) {
        if (grant.gpu().equals(gpu.id())) {
          users.add(user(core, h, grant));
        }
      }
    }
    String state = state(gpu, users);
    reading.ifPresent(r -> r.compute().forEach(p -> addOutsider(users, p, state)));
    return new GpuView(
        gpu.index(),
        gpu.id().uuid(),
        gpu.model(),
        simulated,
        gpu.memory(),
        reading.map(r -> Views.boxed(r.memoryUsed())).orElse(null),
        reading.map(r -> Views.boxed(r.utilization())).orElse(null),
        reading.map(r -> Views.boxed(r.temperature())).orElse(null),
        reading.flatMap(GpuReading::powerWatts).orElse(null),
        state,
        why(gpu),
        reading.map(r -> Views.boxed(r.mpsClients())).orElse(null),
        users);
  }

  private static void addOutsider(List<GpuUser> users, GpuProcess p, String state) {
    // On a GPU that a job holds, its processes are the job's.
    if (!state.equals("allocated") && !state.equals("shared")) {
      Long memory = Views.boxed(p.memory());
      users.add(new GpuUser(null, null, null, null, p.user(), p.pid(), p.command(), memory));
    }
  }

  private static GpuUser user(Core core, Holding h, GpuGrant grant) {
    Optional<JobSpec> spec = core.ledger().job(h.task().job()).map(Job::spec);
    boolean array = spec.filter(JobSpec::isArray).isPresent();
    String number = h.task().number().toString();
    return new GpuUser(
        h.task().number().value(),
        array ? h.task().job() + "_" + spec.get().tasks().index(h.task().offset()) : number,
        spec.map(JobSpec::name).orElse(""),
        grant.part().value(),
        h.owner().name(),
        null,
        null,
        grant.memory());
  }

  private static String state(Gpu gpu, List<GpuUser> users) {
    if (!users.isEmpty()) {
      return users.stream().anyMatch(u -> Double.valueOf(1.0).equals(u.share()))
          ? "allocated"
          : "shared";
    }
    return switch (gpu.availability()) {
      case Availability.Usable u -> "free";
      case Availability.Exclusive e -> "free";
      case Availability.NotAllowed n -> "not_allowed";
      case Availability.Drained d -> "drained";
      case Availability.Outsider o -> "outsider";
      case Availability.Locked l -> "outsider";
      case Availability.Lost l -> "lost";
    };
  }

  private static @Nullable String why(Gpu gpu) {
    return switch (gpu.availability()) {
      case Availability.Usable u -> null;
      case Availability.Exclusive e -> "exclusive mode";
      case Availability.NotAllowed n -> "gctl set-gpus";
      case Availability.Drained(String why) -> why;
      case Availability.Outsider(String who) -> who;
      case Availability.Locked(String who) -> who;
      case Availability.Lost(String why) -> why;
    };
  }
}
