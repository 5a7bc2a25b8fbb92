package gflow.script;

import static gflow.script.Opt.flag;
import static gflow.script.Opt.optional;
import static gflow.script.Opt.value;

import java.util.List;
import java.util.stream.Stream;

/** The options of a submission: of {@code gbatch}, of directives, and of an order's JSON. */
public final class BatchOptions {
  private static final List<Opt> RESOURCES =
      List.of(
          value("gpus", "Gg", "N", "GPUs: 2 whole ones, a100:2 of a type, 0.25 of one"),
          value(
              "gpu-memory", "", "SIZE", "memory on one GPU that others may share (with --shared)"),
          flag("shared", "", "share the GPU with others (with --gpu-memory)"),
          value("gres", "", "gpu[:TYPE]:N", "GPUs in Slurm's words"),
          value("gpu-type", "", "TYPE", "only GPUs whose model has this word, as a100"),
          value("gpu-ids", "", "LIST", "only these GPUs, as 0,2 or 0-3"),
          value("exclude-gpus", "", "LIST", "not these GPUs"),
          value("cpus-per-task", "c", "N", "CPUs for each task; the job is bound to them"),
          value("ntasks", "n", "N", "tasks that run side by side in the job"),
          value("mem", "", "SIZE", "memory of the machine: 4G, 500M; a bare number is MB")
              .alias("memory"));

  private static final List<Opt> TERMS =
      List.of(
          value("time", "t", "TIME", "time limit: 30 (minutes), 4:00:00, 1-12, 90s, 2h, unlimited")
              .alias("time-limit", "timelimit"),
          value("priority", "", "N", "0 to 255, higher first (10)"),
          flag("hold", "H", "wait until gjob release"),
          value("begin", "b", "TIME", "not before: 16:00, tomorrow, now+1hour, 2026-11-15T08:00"),
          value("depends-on", "", "ID[,ID…]", "start after these ended well; @ is the last job"),
          value(
              "dependency", "d", "LIST", "afterok:1:2,afterany:3, after:4+5, singleton; ? for any"),
          value("kill-on-invalid-dep", "", "yes|no", "cancel it if that can never be (yes)"),
          value("retries", "", "N", "try again that often if it fails").alias("max-retries"),
          flag("requeue", "", "run again after the machine went down"),
          flag("no-requeue", "", "do not run again after the machine went down"));

  private static final List<Opt> TASKS =
      List.of(
          value("array", "a", "LIST", "one task for each index: 0-31, 1,5,7, 0-30:2, 0-99%4"),
          value("param", "", "NAME=VALUES", "one task for each value: lr=0.1,0.01, seed=1:5")
              .repeated(),
          value("param-file", "", "FILE", "one task for each row of a CSV file with a header"),
          value("max-concurrent", "", "N", "at most that many tasks at a time"));

  private static final List<Opt> SCENE =
      List.of(
          value("name", "J", "NAME", "name of the job (that of the script or program)")
              .alias("job-name"),
          value("output", "o", "FILE", "where stdout goes (none: nowhere); %j id, %A_%a, %x name"),
          value("error", "e", "FILE", "where stderr goes (to the output)"),
          value("input", "i", "FILE", "where stdin comes from (nowhere)"),
          value("open-mode", "", "append|truncate", "what to do with an older output (append)"),
          value("chdir", "D", "DIR", "folder to run in (this one)"),
          value("export", "", "all|none|NAME[=VALUE],…", "which variables the job gets (all)"),
          value("conda-env", "", "NAME", "conda environment to run in"),
          value("config", "", "FILE", "copy this file; GFLOW_JOB_CONFIG names the copy"),
          value("wrap", "", "LINE", "run this line with sh"));

  private static final List<Opt> LABELS =
      List.of(
          value("project", "P", "NAME", "project, for limits and statistics"),
          value("comment", "", "TEXT", "a note that is kept with the job"),
          value("account", "A", "NAME", "kept as a label"),
          value("partition", "p", "NAME", "kept as a label"),
          value("qos", "q", "NAME", "kept as a label"),
          value("constraint", "C", "TEXT", "kept as a label"),
          value("mail-type", "", "LIST", "kept as a label"),
          value("mail-user", "", "ADDRESS", "kept as a label"),
          optional("nice", "", "N", "kept as a label; use --priority"));

  private static final List<Opt> CALL =
      List.of(
          flag("wait", "W", "return when the job is over, with its exit code"),
          value("from", "", "FILE", "submit the JSON orders in this file (-: stdin), one a line"),
          flag("dry-run", "", "say what would be submitted, and submit nothing"),
          flag("json", "", "answer in JSON"),
          flag("parsable", "", "print only the id"),
          flag("quiet", "Q", "print nothing but errors and the id"),
          Opt.HELP,
          value("conda-prefix", "", "DIR", ""));

  public static final Grammar GRAMMAR =
      new Grammar(
          "gbatch",
          "[options] SCRIPT|COMMAND [ARGS…]",
          "Submits a script or a command as a job. Options may also stand in the script, as"
              + " #SBATCH or # GFLOW lines.",
          Stream.of(RESOURCES, TERMS, TASKS, SCENE, LABELS, CALL).flatMap(List::stream).toList(),
          true);

  /** Options that say how to call, not what to run: they are no part of an order. */
  public static boolean ofTheCall(String name) {
    return !name.equals("conda-prefix") && CALL.stream().anyMatch(o -> o.name().equals(name));
  }

  static List<Opt> labels() {
    return LABELS;
  }

  private BatchOptions() {}
}
