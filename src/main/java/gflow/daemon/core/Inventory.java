package gflow.daemon.core;

import gflow.gpu.GpuDevice;
import gflow.gpu.GpuReading;
import gflow.gpu.GpuReading.Sign;
import gflow.job.GpuId;
import gflow.job.Ranges;
import gflow.plan.Availability;
import gflow.plan.Gpu;
import gflow.plan.Machine;
import gflow.plan.UsageLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The machine as it may be given out: its GPUs, what the operator said of them, and who else was
 * seen on them. Owned by the loop.
 */
public final class Inventory {
  /** A sample of real GPUs is good for that long; before a start it must not be older. */
  private static final Duration FRESH = Duration.ofSeconds(2);

  private static final String OTHER_DAEMON = "a job of another gflow on this machine";

  private final Stock stock;
  private final TreeMap<GpuId, String> busy = new TreeMap<>();
  private final TreeMap<GpuId, Long> beyond = new TreeMap<>();
  private final TreeMap<GpuId, String> lost = new TreeMap<>();
  private final TreeMap<GpuId, Instant> taken = new TreeMap<>();
  private List<GpuReading> readings = List.of();
  private Instant sampledAt = Instant.MIN;
  private long looks;
  private OperatorControls controls;
  private Machine machine;

  /**
   * What the machine has to give: GPUs, CPUs and bytes of memory, and the disk to keep free; and
   * since which boot.
   */
  public record Stock(
      List<GpuDevice> devices,
      boolean simulated,
      Ranges cpus,
      long memory,
      long diskFloor,
      String boot) {}

  public Inventory(Stock stock, OperatorControls controls) {
    this.stock = stock;
    this.controls = controls;
    machine = look();
  }

  public Machine machine() {
    return machine;
  }

  String boot() {
    return stock.boot();
  }

  public UsageLimits limits() {
    return controls.limits();
  }

  public OperatorControls controls() {
    return controls;
  }

  void controls(OperatorControls changed) {
    controls = changed;
    machine = look();
  }

  public List<GpuDevice> devices() {
    return stock.devices();
  }

  public long diskFloor() {
    return stock.diskFloor();
  }

  public Optional<GpuReading> reading(GpuId id) {
    return readings.stream().filter(r -> r.id().equals(id)).findFirst();
  }

  /** Whether GPUs may be given out on what is known of them; simulated ones have no outsiders. */
  boolean fresh(Instant now) {
    return stock.simulated() || stock.devices().isEmpty() || sampledAt.plus(FRESH).isAfter(now);
  }

  /** Whether somebody else was seen there at the last look. */
  boolean hasOutsider(GpuId id) {
    return busy.containsKey(id);
  }

  /** To be kept by who begins a look at the GPUs: an earlier one does not count any more. */
  public long looks() {
    return looks;
  }

  /** What was seen on the GPUs: who else, and memory in use that was promised to nobody. */
  public record Sample(
      List<GpuReading> readings, Map<GpuId, String> outsiders, Map<GpuId, Long> beyond) {}

  /**
   * A new look at the GPUs. One that {@code began} before a GPU came back has not seen what is left
   * there.
   */
  public void sampled(long began, Sample sample, Instant at) {
    readings = List.copyOf(sample.readings());
    sampledAt = began == looks ? at : Instant.MIN;
    busy.clear();
    busy.putAll(sample.outsiders());
    beyond.clear();
    beyond.putAll(sample.beyond());
    taken.values().removeIf(since -> !since.plus(FRESH).isAfter(at));
    lost.clear();
    for (GpuReading reading : readings) {
      reading.trouble().ifPresent(why -> lost.put(reading.id(), why));
    }
    machine = look();
  }

  /** Another daemon's job holds this GPU's lock: not tried again for a while. */
  boolean taken(GpuId gpu, Instant now) {
    taken.put(gpu, now);
    lookAgain();
    machine = look();
    return true;
  }

  /**
   * A GPU came back: before it is given out, one must see that nothing of its job is left there.
   */
  public void lookAgain() {
    looks++;
    sampledAt = Instant.MIN;
  }

  /** The clock was set on by so much: nobody knows by it how old a look is. */
  void clockSet(Duration by) {
    taken.replaceAll((_, since) -> since.plus(by));
    lookAgain();
  }

  /** Some GPU cannot be used now for a cause that may pass, and nobody would tell us. */
  boolean mayChange() {
    return !busy.isEmpty()
        || !taken.isEmpty()
        || !beyond.isEmpty()
        || !lost.isEmpty()
        || GpuHealth.mayReturn(controls);
  }

  private Machine look() {
    List<Gpu> gpus = stock.devices().stream().map(this::gpu).toList();
    return new Machine(gpus, stock.cpus(), stock.memory());
  }

  private Gpu gpu(GpuDevice device) {
    return new Gpu(
        device.id(),
        device.index(),
        device.name(),
        device.memory(),
        device.near(),
        availability(device),
        beyond.getOrDefault(device.id(), 0L));
  }

  private Availability availability(GpuDevice device) {
    if (lost.containsKey(device.id())) {
      return new Availability.Lost(lost.get(device.id()));
    }
    Optional<String> drained = controls.drained(device.id());
    if (drained.isPresent()) {
      return new Availability.Drained(drained.get());
    }
    if (!controls.allows(device.index())) {
      return new Availability.NotAllowed();
    }
    if (taken.containsKey(device.id())) {
      return new Availability.Locked(OTHER_DAEMON);
    }
    String outsider = busy.get(device.id());
    boolean exclusive = reading(device.id()).filter(r -> r.is(Sign.EXCLUSIVE)).isPresent();
    if (exclusive) {
      return outsider == null ? new Availability.Exclusive() : new Availability.Locked(outsider);
    }
    return outsider == null ? new Availability.Usable() : new Availability.Outsider(outsider);
  }
}
