package gflow.daemon;

import gflow.daemon.SimDaemon.CrashAt;
import gflow.daemon.SimDaemon.World;
import gflow.gpu.GpuDevice;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;

/**
 * What goes wrong: crashes, a full disk, bugs, a clock that is set, GPUs that are lost or used by
 * others.
 */
final class Trouble {
  private final Simulation simulation;
  private final World world;
  private final Random random;
  private final Mistakes mistakes;

  Trouble(Simulation simulation, World world) {
    this.simulation = simulation;
    this.world = world;
    this.random = world.random();
    this.mistakes = new Mistakes(world);
  }

  void happens() {
    switch (random.nextInt(12)) {
      case 0 -> simulation.crash();
      case 1, 2, 3 -> simulation.daemon().ifPresent(d -> d.arm(anyPoint()));
      case 4 -> diskIsFullForAWhile();
      case 9, 10, 11 -> simulation.daemon().ifPresent(mistakes::happen);
      case 5, 6 -> gpu(world.gpus().outsiders(), "python of mallory");
      case 7 -> world.agenda().setClock(Duration.ofMillis(random.nextInt(7_200_000) - 3_600_000));
      default -> gpu(world.gpus().lost(), "fell off the bus");
    }
  }

  private CrashAt anyPoint() {
    CrashAt.Point[] points = CrashAt.Point.values();
    return new CrashAt(points[random.nextInt(points.length)], random.nextInt(4));
  }

  private void diskIsFullForAWhile() {
    simulation.diskFull(true);
    world.agenda().in(Duration.ofMillis(random.nextInt(8000)), () -> simulation.diskFull(false));
  }

  private void gpu(TreeMap<gflow.job.GpuId, String> where, String why) {
    List<GpuDevice> devices = world.stock().devices();
    if (!devices.isEmpty() && !world.simulated()) {
      var id = devices.get(random.nextInt(devices.size())).id();
      where.put(id, why);
      world.agenda().in(Duration.ofMillis(random.nextInt(20_000)), () -> where.remove(id));
    }
  }
}
