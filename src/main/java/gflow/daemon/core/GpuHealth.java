package gflow.daemon.core;

import gflow.gpu.GpuDevice;
import gflow.gpu.GpuProbe;
import gflow.gpu.GpuReading;
import gflow.gpu.GpuReading.Sign;
import gflow.job.GpuId;
import gflow.job.JobId;
import gflow.plan.Holding;
import gflow.script.value.Sizes;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Takes GPUs out that are sick, with the reason, and brings back those that are well by themselves.
 * What it decides is kept with what the operator has said, who may bring back any of them.
 */
public final class GpuHealth {
  private static final String MEMORY = "memory stays: ";
  private static final String LOST = "lost: ";
  private static final List<String> OURS = List.of("XID ", LOST, MEMORY);

  private final Inventory inventory;
  private final Supplier<List<Holding>> holdings;
  private final Consumer<OperatorControls> keep;
  private final GpuFaults faults = new GpuFaults();
  private final GpuUseBook use = new GpuUseBook();
  private final LeftMemory left = new LeftMemory();

  GpuHealth(
      Inventory inventory, Supplier<List<Holding>> holdings, Consumer<OperatorControls> keep) {
    this.inventory = inventory;
    this.holdings = holdings;
    this.keep = keep;
  }

  /** What running attempts were seen to do with their GPUs. */
  public GpuUseBook use() {
    return use;
  }

  public GpuFaults faults() {
    return faults;
  }

  /** The driver told of an error; returns what people should know besides. */
  public Optional<String> fault(GpuProbe.Fault fault, Instant now) {
    List<JobId> jobs =
        holdings.get().stream().filter(h -> has(h, fault.gpu())).map(h -> h.task().job()).toList();
    return device(fault.gpu())
        .map(gpu -> faults.add(gpu.id(), gpu.index(), fault.xid(), jobs, now))
        .flatMap(
            judgement -> {
              judgement.drain().ifPresent(why -> drain(fault.gpu(), why));
              return judgement.tell();
            });
  }

  /**
   * A look at a GPU; {@code ours}: processes of our jobs are there. Returns what an ended job has
   * left there, if it has.
   */
  public Optional<String> seen(GpuReading reading, boolean ours, long little, Instant now) {
    GpuId gpu = reading.id();
    reading
        .trouble()
        .flatMap(_ -> device(gpu))
        .ifPresent(device -> faults.lost(gpu, device.index(), now));
    if (reading.is(Sign.LOST)) {
      drain(gpu, LOST + reading.trouble().orElse(""));
    }
    boolean held = holdings.get().stream().anyMatch(h -> has(h, gpu));
    return left.see(reading, ours, held, little).flatMap(seen -> judge(gpu, seen));
  }

  private Optional<String> judge(GpuId gpu, LeftMemory.Left seen) {
    Optional<String> drained = inventory.controls().drained(gpu);
    if (seen.bytes() == 0) {
      drained.filter(why -> why.startsWith(MEMORY)).ifPresent(_ -> undrain(gpu));
      return Optional.empty();
    }
    String size = Sizes.rounded(seen.bytes());
    if (seen.stays()) {
      drain(gpu, MEMORY + size + " in use by no process");
    }
    return Optional.of("what an ended job has left, " + size);
  }

  /** Somebody has brought it back, and knows what is there. */
  public void forgive(GpuId gpu) {
    left.forgive(gpu);
  }

  private void drain(GpuId gpu, String why) {
    if (inventory.controls().drained(gpu).isEmpty()) {
      var drained = new TreeMap<>(inventory.controls().drainedGpus());
      drained.put(gpu.uuid(), why);
      keep.accept(inventory.controls().withDrained(drained));
    }
  }

  private void undrain(GpuId gpu) {
    var drained = new TreeMap<>(inventory.controls().drainedGpus());
    drained.remove(gpu.uuid());
    keep.accept(inventory.controls().withDrained(drained));
  }

  /** The GPUs that were taken out because they are sick, by their numbers. */
  public SortedMap<Integer, String> sick() {
    var sick = new TreeMap<Integer, String>();
    for (GpuDevice device : inventory.devices()) {
      inventory
          .controls()
          .drained(device.id())
          .filter(why -> OURS.stream().anyMatch(why::startsWith))
          .ifPresent(why -> sick.put(device.index(), why));
    }
    return sick;
  }

  /** Whether one was taken out that may be well again without anybody telling us. */
  static boolean mayReturn(OperatorControls controls) {
    return controls.drainedGpus().values().stream().anyMatch(why -> why.startsWith(MEMORY));
  }

  private Optional<GpuDevice> device(GpuId gpu) {
    return inventory.devices().stream().filter(device -> device.id().equals(gpu)).findFirst();
  }

  private static boolean has(Holding holding, GpuId gpu) {
    return holding.gpus().stream().anyMatch(grant -> grant.gpu().equals(gpu));
  }
}
