package gflow.cli.job;

import gflow.api.ApiRequest.Machine;
import gflow.api.ApiRequest.Status;
import gflow.api.MachineView;
import gflow.api.MachineView.GpuUser;
import gflow.api.MachineView.GpuView;
import gflow.cli.frame.Call;
import gflow.cli.frame.Command;
import gflow.cli.frame.JobText;
import gflow.cli.frame.Paint;
import gflow.cli.frame.Plural;
import gflow.cli.frame.Refused;
import gflow.cli.frame.Table;
import gflow.cli.frame.Table.Cell;
import gflow.job.GpuPart;
import gflow.script.grammar.Given;
import gflow.script.grammar.Opt;
import gflow.script.value.BadInput;
import gflow.script.value.Sizes;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** {@code ginfo}: the GPUs and who has them, CPUs and memory. */
public final class Ginfo {
  public static final Command COMMAND =
      Command.of(
          "ginfo",
          "[info] [--json]",
          "Shows every GPU and who has it: a job, somebody outside gflow, or nobody.",
          List.of(Command.JSON, Opt.HELP),
          Ginfo::run);

  private Ginfo() {}

  private static int run(Call call, Given given) throws BadInput, Refused {
    if (!given.words().isEmpty() && !given.words().equals(List.of("info"))) {
      throw new BadInput("'" + given.words().getFirst() + "' is not understood; write ginfo");
    }
    MachineView machine = call.ask(new Machine());
    List<String> problems = call.ask(new Status()).problems();
    return call.answer(given, machine, () -> text(machine, problems, call.colour()));
  }

  private static String text(MachineView machine, List<String> problems, boolean colour) {
    var text = new StringBuilder(summary(machine)).append('\n');
    if (!machine.gpus().isEmpty()) {
      text.append(table(machine.gpus()).text(colour));
    }
    String memory = Sizes.rounded(machine.memory());
    String free = Sizes.rounded(machine.memoryFree());
    text.append("CPUs: " + machine.cpus() + ", " + machine.cpusFree() + " available\n");
    text.append("Memory: " + memory + ", " + free + " available\n");
    problems.forEach(problem -> text.append("Problem: " + problem + "\n"));
    return text.toString();
  }

  private static String summary(MachineView machine) {
    int total = machine.gpus().size();
    if (total == 0) {
      return "No GPUs (" + machine.gpuSource() + ")";
    }
    long free = machine.gpus().stream().filter(gpu -> gpu.state().equals("free")).count();
    String kind = machine.simulated() ? " (simulated)" : "";
    return Plural.of(total, "GPU") + kind + ", " + free + " available";
  }

  private static Table table(List<GpuView> gpus) {
    var table = new Table();
    table.texts("GPU", "MODEL", "UUID", "MEMORY", "UTIL", "STATE", "USED BY");
    for (GpuView gpu : gpus) {
      table.row(
          List.of(
              Cell.plain(Integer.toString(gpu.index())),
              Cell.plain(gpu.name()),
              Cell.plain(gpu.uuid()),
              Cell.plain(memory(gpu)),
              Cell.plain(gpu.utilization() == null ? "-" : gpu.utilization() + "%"),
              new Cell(gpu.state(), paint(gpu.state())),
              Cell.plain(usedBy(gpu))));
    }
    return table;
  }

  private static String memory(GpuView gpu) {
    return JobText.size(gpu.memoryUsed()) + "/" + Sizes.rounded(gpu.memory());
  }

  private static Paint paint(String state) {
    return switch (state) {
      case "free" -> Paint.GREEN;
      case "allocated", "shared" -> Paint.YELLOW;
      default -> Paint.RED;
    };
  }

  private static String usedBy(GpuView gpu) {
    // An outsider is named already.
    Stream<String> why =
        Stream.ofNullable(gpu.why())
            .filter(text -> !gpu.state().equals("outsider") || gpu.users().isEmpty())
            .map(text -> "(" + text + ")");
    Stream<String> mps =
        Stream.ofNullable(gpu.mpsClients()).map(n -> "(MPS: " + Plural.of(n, "client") + ")");
    String users =
        Stream.of(gpu.users().stream().map(Ginfo::user), why, mps)
            .flatMap(parts -> parts)
            .collect(Collectors.joining(", "));
    return users.isEmpty() ? "-" : users;
  }

  /** {@code job 42 train alice} or {@code bob pid 4711 python 3.2G}. */
  private static String user(GpuUser user) {
    Stream<String> parts =
        user.jobId() != null
            ? Stream.of("job " + user.task(), user.job(), part(user), user.user())
            : Stream.of(
                user.user(),
                user.pid() == null ? null : "pid " + user.pid(),
                user.command(),
                user.memory() == null ? null : Sizes.rounded(user.memory()));
    return parts.filter(Objects::nonNull).collect(Collectors.joining(" "));
  }

  /** What it has of the GPU, if that is not all of it: a part, or memory alone. */
  private static @Nullable String part(GpuUser user) {
    if (user.share() == null || user.share() == 1.0) {
      return null;
    }
    return user.share() == 0 ? Sizes.rounded(user.memory()) : "×" + GpuPart.of(user.share());
  }
}
