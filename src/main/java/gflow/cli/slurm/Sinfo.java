package gflow.cli.slurm;

import static gflow.cli.frame.Column.column;

import gflow.api.ApiRequest.Machine;
import gflow.api.MachineView;
import gflow.api.MachineView.PartitionView;
import gflow.cli.frame.ArgumentWords;
import gflow.cli.frame.Call;
import gflow.cli.frame.Column;
import gflow.cli.frame.Columns;
import gflow.cli.frame.Command;
import gflow.cli.frame.JobText;
import gflow.cli.frame.LineFormat;
import gflow.cli.frame.LineParts;
import gflow.cli.frame.Listing;
import gflow.cli.frame.Refused;
import gflow.script.grammar.Given;
import gflow.script.grammar.Opt;
import gflow.script.value.BadInput;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** {@code sinfo}: this machine as one node, in each of its partitions. */
public final class Sinfo {
  private static final String USUAL = "%9P %.5a %.10l %.6D %.6t %N";
  private static final String SUMMARY = "%9P %.5a %.10l %.16F %N";
  private static final String LONG = "%9P %.5a %.10l %.10s %.4r %.8h %.10g %.6D %.11T %N";

  private static final String REASONS = "%20E %9u %19H %N";

  public static final Command COMMAND =
      Command.slurms(
          "sinfo",
          "[options]",
          "Shows this machine as Slurm's command of that name shows its nodes. ginfo shows the"
              + " GPUs and who has them.",
          List.of(
              Opt.value("format", "o", "FORMAT", "columns by letter, as \"%P %t %G\""),
              Opt.value("Format", "O", "NAME[:WIDTH],…", "columns by name, as NodeList,CPUsState"),
              Opt.flag("Node", "N", "a line for each node"),
              Opt.flag("summarize", "s", "how many nodes are taken"),
              Opt.flag("long", "l", "more columns"),
              Opt.flag("noheader", "h", "no header"),
              Opt.value("partition", "p", "NAME[,NAME…]", "only these partitions"),
              Opt.value("nodes", "n", "NODE[,NODE…]", "only these nodes"),
              Opt.value("states", "t", "STATE[,STATE…]", "only nodes in these states"),
              Opt.flag("all", "a", "also hidden partitions; there are none"),
              Opt.flag("exact", "e", "nothing changes"),
              Opt.flag("responding", "r", "only nodes that respond"),
              Opt.flag("list-reasons", "R", "why nodes are down; none is"),
              Opt.value("iterate", "i", "SECONDS", "again and again"),
              Opt.flag("verbose", "v", "say which options count"),
              Opt.flag("help", "", "show this and end")),
          Sinfo::run);

  private Sinfo() {}

  private static final Columns<MachineView> ALL =
      new Columns<>(
          List.of(
              column(
                  'P',
                  "Partition",
                  "PARTITION",
                  machine -> name(machine) + (partition(machine).standard() ? "*" : "")),
              column('R', "PartitionName", "PARTITION", Sinfo::name),
              column('a', "Available", "AVAIL", machine -> "up"),
              column(
                  'l',
                  "Time",
                  "TIMELIMIT",
                  machine -> limit(partition(machine).maxTime(), "infinite")),
              column(
                  'L',
                  "DefaultTime",
                  "DEFAULTTIME",
                  machine -> limit(partition(machine).defaultTime(), "n/a")),
              column('D', "Nodes", "NODES", machine -> "1"),
              column('t', "StateCompact", "STATE", Sinfo::compact),
              column('T', "StateLong", "STATE", ScontrolMachine::state),
              column('N', "NodeList", "NODELIST", MachineView::host),
              column('n', "NodeHost", "HOSTNAMES", MachineView::host),
              column('o', "NodeAddr", "NODE_ADDR", MachineView::host),
              column('A', "NodeAI", "NODES(A/I)", machine -> busy(machine) ? "1/0" : "0/1"),
              column('F', "NodeAIOT", "NODES(A/I/O/T)", Sinfo::nodes),
              column('c', "CPUs", "CPUS", MachineView::cpus),
              column('C', "CPUsState", "CPUS(A/I/O/T)", Sinfo::cpus),
              column('m', "Memory", "MEMORY", machine -> machine.memory() >> 20),
              column('e', "FreeMem", "FREE_MEM", machine -> machine.memoryFree() >> 20),
              column('O', "CPUsLoad", "CPU_LOAD", machine -> "N/A"),
              column('G', "Gres", "GRES", ScontrolMachine::gres),
              column(Column.NONE, "GresUsed", "GRES_USED", Sinfo::used),
              column('f', "Features", "AVAIL_FEATURES", machine -> SlurmJob.NOTHING),
              column('b', "Features_act", "ACTIVE_FEATURES", machine -> SlurmJob.NOTHING),
              column('g', "Groups", "GROUPS", machine -> "all"),
              column('h', "OverSubscribe", "OVERSUBS", machine -> "NO"),
              column('s', "Size", "JOB_SIZE", machine -> "1-infinite"),
              column('z', "SocketCoreThread", "S:C:T", machine -> "1:" + machine.cpus() + ":1"),
              column('X', "Sockets", "SOCKETS", machine -> "1"),
              column('Y', "Cores", "CORES", MachineView::cpus),
              column('Z', "Threads", "THREADS", machine -> "1"),
              column('d', "Disk", "TMP_DISK", machine -> "0"),
              column('w', "Weight", "WEIGHT", machine -> "1"),
              column('E', "Reason", "REASON", machine -> "none"),
              column('H', "Timestamp", "TIMESTAMP", machine -> "Unknown"),
              column('u', "User", "USER", machine -> "Unknown"),
              column('U', "UserLong", "USER", machine -> "Unknown"),
              column('r', "Root", "ROOT", machine -> "no"),
              column('p', "PriorityTier", "PRIO_TIER", machine -> "1"),
              column('I', "PriorityJobFactor", "PRIO_JOB_FACTOR", machine -> "1"),
              column('M', "PreemptMode", "PREEMPT_MODE", machine -> "OFF"),
              column('B', "MaxCPUsPerNode", "MAX_CPUS_PER_NODE", machine -> "UNLIMITED"),
              column('S', "AllocNodes", "ALLOCNODES", machine -> "all"),
              column('V', "Cluster", "CLUSTER", machine -> "N/A"),
              column('v', "Version", "VERSION", machine -> SlurmJob.SLURM)));

  private static int run(Call call, Given given) throws BadInput, Refused {
    ArgumentWords.none(given);
    SlurmWords.settings(call, COMMAND.grammar(), given);
    return Listing.print(call, given, () -> text(call, given));
  }

  private static LineParts.Text text(Call call, Given given) throws BadInput, Refused {
    MachineView machine = call.ask(new Machine());
    String usual = call.variable("SINFO_FORMAT").orElse(usual(given, machine));
    LineFormat<MachineView> format = LineFormat.of(given, usual, ALL);
    // What does not tell partitions apart stands there once, as in Slurm.
    var rows = new LinkedHashMap<String, MachineView>();
    for (PartitionView partition : machine.partitions()) {
      MachineView part = machine.in(partition);
      if (fits(given, part)) {
        rows.put(format.line(part), part);
      }
    }
    String date = given.has("long") ? SlurmJob.date(call.now(), call.zone()) + "\n" : "";
    return format.text(rows.values(), !given.has("noheader"), date);
  }

  private static String usual(Given given, MachineView machine) {
    if (given.has("summarize") || given.has("list-reasons")) {
      return given.has("summarize") ? SUMMARY : REASONS;
    }
    if (given.has("Node")) {
      int width = Math.max(9, machine.host().length());
      return given.has("long")
          ? "%" + width + "N %.6D %.9P %.11T %4c %.8z %.6m %.8d %.6w %.8f %20E"
          : "%" + width + "N %.6D %.9P %6t";
    }
    return given.has("long") ? LONG : USUAL;
  }

  private static boolean fits(Given given, MachineView machine) throws BadInput {
    List<String> states =
        ArgumentWords.list(given, "states").stream().map(s -> s.toLowerCase(Locale.ROOT)).toList();
    return SlurmQuery.among(ArgumentWords.list(given, "partition"), name(machine))
        && SlurmQuery.among(ArgumentWords.list(given, "nodes"), machine.host())
        && (states.isEmpty()
            || states.contains("all")
            || states.contains(ScontrolMachine.state(machine))
            || states.contains(compact(machine)))
        && !given.has("list-reasons");
  }

  private static PartitionView partition(MachineView machine) {
    return machine.partitions().getFirst();
  }

  private static String name(MachineView machine) {
    return partition(machine).name();
  }

  private static String limit(@Nullable Long seconds, String none) {
    return seconds == null ? none : JobText.span(seconds);
  }

  private static String compact(MachineView machine) {
    return switch (ScontrolMachine.state(machine)) {
      case "allocated" -> "alloc";
      case "mixed" -> "mix";
      default -> "idle";
    };
  }

  private static boolean busy(MachineView machine) {
    return !ScontrolMachine.state(machine).equals("idle");
  }

  private static String nodes(MachineView machine) {
    return busy(machine) ? "1/0/0/1" : "0/1/0/1";
  }

  private static String cpus(MachineView machine) {
    int taken = machine.cpus() - machine.cpusFree();
    return taken + "/" + machine.cpusFree() + "/0/" + machine.cpus();
  }

  private static String used(MachineView machine) {
    long used =
        machine.gpus().stream()
            .filter(g -> g.state().equals("allocated") || g.state().equals("shared"))
            .count();
    return machine.gpus().isEmpty() ? "gpu:0" : "gpu:" + used;
  }
}
