package gflow;

import gflow.config.Config;
import gflow.config.Folders;
import gflow.daemon.Daemon;
import gflow.daemon.core.Ports;
import gflow.gpu.BadGpuSpec;
import gflow.gpu.GpuDevice;
import gflow.gpu.GpuProbe;
import gflow.gpu.Gpus;
import gflow.gpu.SimulatedDevices;
import gflow.job.GpuId;
import gflow.job.Grace;
import gflow.job.Owner;
import gflow.job.Ranges;
import gflow.local.AttemptMarks;
import gflow.local.AttemptPaths;
import gflow.local.Fence;
import gflow.local.HaltPoints;
import gflow.local.LocalEngine;
import gflow.local.LocalEngine.Binding;
import gflow.local.mps.MpsPlaces;
import gflow.plan.UsageLimits;
import gflow.process.Affinity;
import gflow.process.Cgroups;
import gflow.process.FreePort;
import gflow.process.Launcher;
import gflow.script.order.Defaults;
import gflow.script.value.BadInput;
import gflow.script.value.Sizes;
import gflow.script.value.WholeNumbers;
import gflow.store.Change;
import gflow.store.Store;
import gflow.store.Store.StoreException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.StreamSupport;

/**
 * What this machine has to give out. GPUs, CPUs and memory are declared by the environment of
 * whoever starts the daemon, else by the configuration, else they are what they were at the last
 * start.
 */
record MachineSetup(
    SortedMap<String, String> environment, Config config, Folders folders, Owner owner) {
  private static final Path DEVICES = Path.of("/dev");
  private static final int STICKY_FOR_ALL = 01777;

  static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }

  Daemon.Setup daemon(Store store) throws BadInput, StoreException, IOException {
    SortedMap<String, String> before = store.settings();
    String gpuSpec = declared("GFLOW_GPUS", config.machine().gpus(), before, store).orElse("nvml");
    Optional<String> cpus = declared("GFLOW_CPUS", number(config.machine().cpus()), before, store);
    Optional<String> memory = declared("GFLOW_MEM", bytes(config.machine().mem()), before, store);
    GpuProbe probe = probe(gpuSpec);
    Ranges cpuIds = cpus(cpus);
    // Only CPUs that exist can be bound to.
    boolean bind = Affinity.get(0).containsAll(cpuIds.stream().boxed().toList());
    Cgroups cgroups = Cgroups.detect(killMode());
    boolean confine = cgroups.limitsCpus() && config.process().cpuset() == Config.Cpuset.AUTO;
    Binding binding = !bind ? Binding.NONE : confine ? Binding.CPUSET : Binding.AFFINITY;
    AttemptMarks marks = MarkSecret.of(owner.uid(), folders, before, store);
    var places =
        new AttemptPaths(
            folders.jobs(), folders.logs(), temporary(marks), host(), Self.slurmsNames());
    return new Daemon.Setup(
        new Daemon.Identity(
            owner, folders.data(), folders.run(), folders.socket(), host(), Version.text()),
        places,
        new Daemon.MachineSetup(
            probe,
            cpuIds,
            memory(memory),
            ports(),
            config.gpu(),
            cgroups.mode().toString().toLowerCase(Locale.ROOT)),
        policy(),
        engine(places, probe, cgroups, marks, binding),
        InstantSource.system(),
        ZoneId.systemDefault());
  }

  /**
   * From the environment, the configuration, or the last start; what the environment says lasts.
   */
  private Optional<String> declared(
      String name, Optional<String> configured, SortedMap<String, String> before, Store store)
      throws StoreException {
    String said = environment.get(name);
    if (said != null) {
      store.commit(List.of(new Change.Setting(name, said)));
      return Optional.of(said).filter(s -> !s.isEmpty());
    }
    return configured.or(() -> Optional.ofNullable(before.get(name)));
  }

  private GpuProbe probe(String spec) throws BadInput {
    try {
      return Gpus.open(spec, Optional.ofNullable(environment.get("CUDA_VISIBLE_DEVICES")));
    } catch (BadGpuSpec e) {
      throw new BadInput(String.valueOf(e.getMessage()));
    }
  }

  private static Ranges cpus(Optional<String> declared) throws BadInput {
    if (declared.isEmpty()) {
      return Ranges.ofAll(Affinity.get(0));
    }
    try {
      return Ranges.firstN(WholeNumbers.between("GFLOW_CPUS", declared.get(), 1, 65536));
    } catch (BadInput e) {
      throw new BadInput("GFLOW_CPUS takes a number of CPUs, not " + declared.get());
    }
  }

  private Ranges ports() {
    List<Integer> kernels = FreePort.kernels();
    return kernels.size() == 2 && kernels.getFirst() <= kernels.getLast()
        ? Ports.outside(config.ports(), Ranges.of(kernels.getFirst(), kernels.getLast()))
        : config.ports();
  }

  private static long memory(Optional<String> declared) throws BadInput, IOException {
    try {
      return declared.isPresent() ? Sizes.parse(declared.get()) : totalMemory();
    } catch (BadInput e) {
      throw new BadInput("GFLOW_MEM: " + e.line());
    }
  }

  private static long totalMemory() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/meminfo"))) {
      if (line.startsWith("MemTotal:")) {
        return Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024;
      }
    }
    throw new IOException("/proc/meminfo does not tell the memory of this machine");
  }

  private static Optional<String> number(OptionalInt value) {
    return value.isPresent() ? Optional.of(Integer.toString(value.getAsInt())) : Optional.empty();
  }

  private static Optional<String> bytes(OptionalLong value) {
    return value.isPresent() ? Optional.of((value.getAsLong() >> 20) + "M") : Optional.empty();
  }

  private Cgroups.Mode killMode() {
    return switch (config.process().kill()) {
      case AUTO -> Cgroups.Mode.AUTO;
      case CGROUP2 -> Cgroups.Mode.V2;
      case CGROUP1 -> Cgroups.Mode.V1;
      case NONE -> Cgroups.Mode.NONE;
    };
  }

  private Launcher launcher() {
    return switch (config.process().launcher()) {
      case AUTO, NATIVE -> Launcher.best();
      case BUILDER -> Launcher.plain();
    };
  }

  private Daemon.Policy policy() {
    var everyUser =
        new UsageLimits.Cap(config.limits().tasksPerUser(), config.limits().gpusPerUser());
    return new Daemon.Policy(
        new Grace(config.defaults().grace()),
        new UsageLimits(everyUser, new TreeMap<>(), new TreeMap<>()),
        new Defaults(
            config.defaults().time(),
            config.defaults().priority(),
            config.gpu().placement(),
            config.partitions(),
            config.site()),
        config.limits(),
        config.disk().floor(),
        config.history().keep(),
        config.log(),
        config.gpu().fence(),
        config.gpu().mps());
  }

  private LocalEngine.Setup engine(
      AttemptPaths places, GpuProbe probe, Cgroups cgroups, AttemptMarks marks, Binding binding)
      throws IOException {
    return new LocalEngine.Setup(
        places,
        launcher(),
        cgroups,
        new LocalEngine.GpuRules(
            gpuLocks(), probe.simulated(), binding, fence(probe), mps(probe, places)),
        marks,
        HaltPoints.from(environment.getOrDefault("GFLOW_HALT_AT", "")),
        InstantSource.system());
  }

  private Fence fence(GpuProbe probe) throws IOException {
    Path simulated = folders.run().resolve("gpus");
    if (probe.simulated()) {
      SimulatedDevices.make(simulated, probe.devices());
    }
    var own = new TreeMap<GpuId, Path>();
    for (GpuDevice device : probe.devices()) {
      OptionalInt number = probe.deviceNumber(device);
      String name = "nvidia" + (number.isPresent() ? number.getAsInt() : "?");
      own.put(device.id(), (probe.simulated() ? simulated : DEVICES).resolve(name));
    }
    return new Fence(
        new Fence.Places(
            probe.simulated() ? List.copyOf(own.values()) : deviceFiles(),
            own,
            Optional.of(simulated).filter(_ -> probe.simulated()),
            folders.run().resolve("fence")));
  }

  /** Servers talk by sockets, whose paths must be short. */
  private MpsPlaces mps(GpuProbe probe, AttemptPaths places) {
    Optional<Path> program =
        probe.simulated() || probe.devices().isEmpty()
            ? Optional.empty()
            : MpsPlaces.find(environment.getOrDefault("PATH", ""));
    Path usual = folders.run().resolve("mps");
    Path temporary = places.temporary();
    return new MpsPlaces(
        program,
        Folders.holdsSocket(usual.resolve(MpsPlaces.LONGEST))
            ? usual
            : temporary.resolveSibling(temporary.getFileName() + "-mps"));
  }

  /** Of all GPUs, those too that are not ours to give out; never what all of them share. */
  private static List<Path> deviceFiles() throws IOException {
    try (var files = Files.newDirectoryStream(DEVICES, "nvidia[0-9]*")) {
      return StreamSupport.stream(files.spliterator(), false).sorted().toList();
    }
  }

  /**
   * Every daemon on the machine must come to the same one. It is root's, so that nobody can take
   * away the locks of others; and in /run/lock, unlike /tmp, nothing is removed because it is old.
   */
  private static Path gpuLocks() {
    Path best = Path.of("/run/lock");
    try {
      var seen = Files.readAttributes(best, "unix:mode,uid");
      boolean forAll = ((int) seen.get("mode") & STICKY_FOR_ALL) == STICKY_FOR_ALL;
      return forAll && (int) seen.get("uid") == 0 ? best : Path.of("/tmp");
    } catch (IOException e) {
      return Path.of("/tmp");
    }
  }

  /** If somebody else was first in /tmp, jobs have their temporary files in the data folder. */
  private Path temporary(AttemptMarks marks) throws IOException {
    Path top = Path.of("/tmp", "gflow-" + owner.uid());
    Path own = TemporaryFolder.claim(top, owner.uid()) ? top : folders.data().resolve("tmp");
    return own.resolve(marks.daemon());
  }
}
