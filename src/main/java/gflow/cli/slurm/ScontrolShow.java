package gflow.cli.slurm;

import gflow.api.Answer;
import gflow.api.ApiRequest.Log;
import gflow.api.ApiRequest.Machine;
import gflow.api.ApiRequest.Show;
import gflow.api.ApiRequest.Status;
import gflow.api.DaemonStatus;
import gflow.api.Gflow.LogPlace;
import gflow.api.JobView;
import gflow.api.MachineView;
import gflow.api.MachineView.PartitionView;
import gflow.cli.frame.Call;
import gflow.cli.frame.JobText;
import gflow.cli.frame.KeyValueLines;
import gflow.cli.frame.LineFormat;
import gflow.cli.frame.Refused;
import gflow.job.JobRef;
import gflow.job.JobState;
import gflow.script.grammar.Given;
import gflow.script.value.BadInput;
import gflow.script.value.JobRefs;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** {@code scontrol show …}. */
record ScontrolShow(Call call, Given given) {
  /** {@code job 42}, {@code job=42}, {@code node}. */
  int run(List<String> words) throws BadInput, Refused {
    String first = words.isEmpty() ? "" : words.getFirst();
    String entity = first.split("=", 2)[0].toLowerCase(Locale.ROOT);
    Optional<String> name =
        first.contains("=")
            ? Optional.of(first.split("=", 2)[1])
            : words.stream().skip(1).findFirst();
    switch (entity) {
      case "job", "jobs", "jobid" -> jobs(name);
      case "node", "nodes" -> node(name);
      case "partition", "partitions" -> {
        return partition(name);
      }
      case "step", "steps" -> new ScontrolSteps(call, given, this::print).show(name);
      case "daemons" -> call.line("slurmctld slurmd ");
      case "config" -> config();
      case "hostnames", "hostname" -> hostnames(name);
      case "hostlist" -> call.line(name.orElse(""));
      default -> throw new Refused("invalid entity:" + entity + " for keyword:show ");
    }
    return 0;
  }

  private void jobs(Optional<String> name) throws BadInput, Refused {
    String host = call.host();
    List<JobView> found = found(name);
    if (found.isEmpty()) {
      call.line("No jobs in the system");
    }
    for (JobView job : found) {
      var slurm = SlurmJob.of(job, host, call);
      print(ScontrolJob.block(slurm, given.has("details"), errors(slurm)));
    }
  }

  private List<JobView> found(Optional<String> name) throws BadInput, Refused {
    if (name.isEmpty()) {
      var recent = Optional.of(call.now().minus(Squeue.REMEMBERED));
      return SlurmQuery.of(call, given, EnumSet.allOf(JobState.class), recent)
          .jobs(List.of())
          .orElse(List.of());
    }
    var jobs = new ArrayList<JobView>();
    for (JobRef ref : Scontrol.refs(name.get(), Scontrol.NO_SUCH_JOB)) {
      jobs.addAll(Call.found(call.gflow().ask(new Show(ref))).orElseThrow(Scontrol::noSuchJob));
    }
    return jobs;
  }

  /** Where stderr goes, if not into the output. */
  private Optional<String> errors(SlurmJob job) throws BadInput {
    String id = job.view().arrayTaskId() == null ? Long.toString(job.view().jobId()) : job.id();
    return call.gflow().ask(new Log(JobRefs.one(id))) instanceof Answer.Ok<LogPlace>(LogPlace place)
        ? place.errorPath()
        : Optional.empty();
  }

  private void print(KeyValueLines block) {
    call.output().out(given.has("oneliner") ? block.oneLine() : block.text() + "\n");
  }

  private void node(Optional<String> name) throws Refused {
    MachineView machine = call.ask(new Machine());
    if (name.isPresent() && !name.get().equals(machine.host())) {
      throw new Refused("Node " + name.get() + " not found");
    }
    print(ScontrolMachine.node(machine));
  }

  private void updated(int records) {
    if (given.has("verbose")) {
      String now = JobText.time(call.now(), call.zone());
      call.line("last_update_time=" + now + ", records=" + records);
    }
  }

  /** Slurm says on stdout that there is none. */
  private int partition(Optional<String> name) throws Refused {
    MachineView machine = call.ask(new Machine());
    List<PartitionView> found =
        machine.partitions().stream()
            .filter(partition -> name.isEmpty() || name.get().equals(partition.name()))
            .toList();
    updated(found.size());
    if (found.isEmpty()) {
      call.line("Partition " + name.orElse("") + " not found");
      return 1;
    }
    found.forEach(partition -> print(ScontrolMachine.partition(machine, partition)));
    return 0;
  }

  private void config() throws Refused {
    DaemonStatus status = call.ask(new Status());
    call.line("Configuration data as of " + JobText.time(call.now(), call.zone()));
    setting("ClusterName", "gflow");
    setting("MinJobAge", Squeue.REMEMBERED.toSeconds() + " sec");
    setting("MaxArraySize", Integer.toString(gflow.script.value.ArrayIndices.MOST_TASKS));
    setting("SLURM_VERSION", SlurmJob.SLURM);
    setting("SlurmctldHost[0]", status.host());
    // It listens on a socket in its folder, and has no port.
    setting("SlurmctldPort", "0");
    setting("SlurmdPort", "0");
    setting("StateSaveLocation", status.home());
  }

  private void setting(String name, String value) {
    call.line(LineFormat.fit(name, Math.max(23, name.length()), false) + " = " + value);
  }

  /** What scripts for several nodes ask: the nodes of a list, a line for each. */
  private void hostnames(Optional<String> list) throws Refused {
    String nodes =
        list.or(() -> call.variable("SLURM_JOB_NODELIST"))
            .orElseThrow(() -> new Refused("No hostlist provided"));
    HostList.expand(nodes).forEach(call::line);
  }
}
