package gflow.cli.slurm;

import gflow.api.MachineView;
import gflow.api.MachineView.PartitionView;
import gflow.cli.frame.KeyValueLines;
import gflow.script.value.Sizes;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The machine as a node and as a partition of Slurm. */
final class ScontrolMachine {
  private ScontrolMachine() {}

  static KeyValueLines node(MachineView machine) {
    long megabytes = machine.memory() >> 20;
    return new KeyValueLines()
        .line("NodeName", machine.host())
        .put("CoresPerSocket", machine.cpus())
        .line("CPUAlloc", machine.cpus() - machine.cpusFree())
        .put("CPUEfctv", machine.cpus())
        .put("CPUTot", machine.cpus())
        .put("CPULoad=N/A")
        .line("AvailableFeatures=(null)")
        .line("ActiveFeatures=(null)")
        .line("Gres", gres(machine))
        .line("NodeAddr", machine.host())
        .put("NodeHostName", machine.host())
        .put("Version", SlurmJob.SLURM)
        .line("RealMemory", megabytes)
        .put("AllocMem", megabytes - (machine.memoryFree() >> 20))
        .put("FreeMem", machine.memoryFree() >> 20)
        .put("Sockets=1 Boards=1")
        .line("State", state(machine).toUpperCase(java.util.Locale.ROOT))
        .put("ThreadsPerCore=1 TmpDisk=0 Weight=1 Owner=N/A")
        .line("Partitions", partitions(machine))
        .line("CfgTRES", tres(machine));
  }

  private static String partitions(MachineView machine) {
    return machine.partitions().stream().map(PartitionView::name).collect(Collectors.joining(","));
  }

  private static String limit(@Nullable Long seconds, String none) {
    return seconds == null ? none : SlurmJob.clock((double) seconds);
  }

  static KeyValueLines partition(MachineView machine, PartitionView partition) {
    return new KeyValueLines()
        .line("PartitionName", partition.name())
        .line("AllowGroups=ALL AllowAccounts=ALL AllowQos=ALL")
        .line("AllocNodes=ALL")
        .put("Default", partition.standard() ? "YES" : "NO")
        .put("QoS=N/A")
        .line("DefaultTime", limit(partition.defaultTime(), "NONE"))
        .line("MaxNodes=UNLIMITED")
        .put("MaxTime", limit(partition.maxTime(), "UNLIMITED"))
        .put("MinNodes=0")
        .line("Nodes", machine.host())
        .line("State=UP")
        .put("TotalCPUs", machine.cpus())
        .put("TotalNodes=1")
        .line("TRES", tres(machine));
  }

  private static String tres(MachineView machine) {
    int gpus = machine.gpus().size();
    return "cpu=%d,mem=%s,billing=%d%s"
        .formatted(
            machine.cpus(),
            Sizes.rounded(machine.memory()),
            machine.cpus(),
            gpus == 0 ? "" : ",gres/gpu=" + gpus);
  }

  static String gres(MachineView machine) {
    return machine.gpus().isEmpty() ? SlurmJob.NOTHING : "gpu:" + machine.gpus().size();
  }

  /** idle, mixed or allocated: by CPUs, and by GPUs, for a job may have those alone. */
  static String state(MachineView machine) {
    boolean idle =
        machine.cpusFree() == machine.cpus()
            && machine.gpus().stream()
                .noneMatch(g -> g.state().equals("allocated") || g.state().equals("shared"));
    if (idle) {
      return "idle";
    }
    return machine.cpusFree() == 0 ? "allocated" : "mixed";
  }
}
