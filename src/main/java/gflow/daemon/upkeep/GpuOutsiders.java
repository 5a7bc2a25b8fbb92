package gflow.daemon.upkeep;

import gflow.daemon.core.OperatorControls;
import gflow.gpu.GpuProcess;
import gflow.gpu.GpuReading;
import gflow.gpu.OutsiderRule;
import gflow.job.GpuId;
import gflow.process.Proc;
import gflow.process.ProcessId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Who is on a GPU that does not belong there: not one of ours, or one that gave the GPU back. */
record GpuOutsiders(GpuWatch.Rules rules) {
  private static final String MARK = "GFLOW_MARK=";

  /** {@code places}: by the names of attempts, the GPUs that they have now. */
  TreeMap<GpuId, String> on(
      List<GpuReading> readings, OperatorControls controls, Map<String, List<GpuId>> places) {
    var users = new ArrayList<>(rules.ignoreUsers());
    users.addAll(controls.ignoredUsers());
    var commands = new ArrayList<>(rules.ignoreCommands());
    commands.addAll(controls.ignoredCommands());
    var strangers = new TreeMap<GpuId, String>();
    for (GpuReading reading : readings) {
      OutsiderRule.busyBy(
              reading,
              pid -> belongs(pid, reading.id(), places),
              rules.foreignMemory(),
              users,
              commands)
          .ifPresent(who -> strangers.put(reading.id(), who));
    }
    return strangers;
  }

  /** How much of each GPU the processes of our attempts have, by the attempts' names. */
  TreeMap<GpuId, Map<String, Long>> ours(List<GpuReading> readings) {
    var all = new TreeMap<GpuId, Map<String, Long>>();
    for (GpuReading reading : readings) {
      for (GpuProcess process : reading.compute()) {
        long bytes = process.memory().orElse(0);
        attempt(process.pid())
            .ifPresent(
                name ->
                    all.computeIfAbsent(reading.id(), _ -> new TreeMap<>())
                        .merge(name, bytes, Long::sum));
      }
    }
    return all;
  }

  /** Processes that share no GPU by MPS, by the names of their attempts: the last one of each. */
  Map<String, String> withoutMps(List<GpuReading> readings, Map<GpuId, Integer> numbers) {
    var all = new TreeMap<String, String>();
    for (GpuReading reading : readings) {
      for (GpuProcess process : reading.compute()) {
        if (!process.mps()) {
          attempt(process.pid())
              .ifPresent(
                  name ->
                      all.put(
                          name,
                          "pid %d on GPU %d runs without MPS"
                              .formatted(process.pid(), numbers.get(reading.id()))));
        }
      }
    }
    return all;
  }

  /** A process of one of our jobs on a GPU that its job does not have. */
  record Trespasser(ProcessId process, String words) {}

  List<Trespasser> trespassers(List<GpuReading> readings, Map<String, List<GpuId>> places) {
    var all = new ArrayList<Trespasser>();
    for (GpuReading reading : readings) {
      for (GpuProcess process : reading.compute()) {
        // Known before its mark is read: what is done to it later is done to nobody else.
        Optional<ProcessId> id = ProcessId.of(process.pid());
        if (id.isPresent() && !belongs(process.pid(), reading.id(), places)) {
          attempt(process.pid())
              .map(name -> process.command() + ", pid " + process.pid() + " of job " + job(name))
              .ifPresent(words -> all.add(new Trespasser(id.get(), words)));
        }
      }
    }
    return all;
  }

  private static String job(String attempt) {
    return attempt.substring(0, attempt.lastIndexOf('.'));
  }

  private boolean belongs(long pid, GpuId gpu, Map<String, List<GpuId>> places) {
    return attempt(pid)
        .map(name -> places.getOrDefault(name, List.of(gpu)).contains(gpu))
        .orElse(false);
  }

  /** The attempt whose mark a process carries, if it is one of ours. */
  private Optional<String> attempt(long pid) {
    return Proc.environ(pid)
        .map(block -> new String(block, StandardCharsets.ISO_8859_1))
        .flatMap(
            text -> Stream.of(text.split("\0", -1)).filter(e -> e.startsWith(MARK)).findFirst())
        .flatMap(entry -> rules.marks().attempt(entry.substring(MARK.length())));
  }
}
