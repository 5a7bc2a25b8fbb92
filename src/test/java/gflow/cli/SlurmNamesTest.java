package gflow.cli;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.api.ApiRequest;
import gflow.api.Gflow.Selection;
import gflow.api.SampleViews;
import gflow.cli.frame.Refused;
import gflow.cli.slurm.SacctRow;
import gflow.cli.slurm.ScontrolUpdate;
import gflow.cli.slurm.SlurmJob;
import gflow.cli.slurm.SlurmStateFilter;
import gflow.job.JobRef;
import gflow.job.JobSpec;
import gflow.job.Owner;
import gflow.job.Recipients;
import gflow.script.order.Defaults;
import gflow.script.order.Order;
import gflow.script.order.Orders;
import gflow.script.value.BadInput;
import gflow.script.value.JobRefs;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** What Slurm's names ask of the service: what they print is in golden files. */
class SlurmNamesTest extends AtTheLab {
  private Order order(String line) {
    var result = run(line);
    assertThat(result.exitCode).as(result.err.toString()).isZero();
    return gflow.orders().getLast();
  }

  private JobSpec spec(String line) throws BadInput {
    return Orders.draft(order(line), Instant.EPOCH, ZoneOffset.UTC, Defaults.NONE).spec();
  }

  @Test
  void without_a_word_the_output_is_slurms_and_is_written_anew() throws BadInput {
    JobSpec spec = spec("sbatch train.sh");

    assertThat(spec.scene().output().out()).contains(folder + "/slurm-%j.out");
    assertThat(spec.scene().output().append()).isFalse();
    assertThat(spec.name()).isEqualTo("train.sh");
    assertThat(spec.terms().requeue()).isTrue();
    assertThat(spec("sbatch -a 1-3 train.sh").scene().output().out())
        .contains(folder + "/slurm-%A_%a.out");
    assertThat(spec("sbatch -D /tmp train.sh").scene().output().out())
        .contains("/tmp/slurm-%j.out");
  }

  @Test
  void what_is_said_wins_on_the_command_line_and_in_the_script() throws BadInput {
    JobSpec script = spec("sbatch .command.run");
    assertThat(script.scene().output().out()).contains(folder + "/.command.log");
    assertThat(script.terms().requeue()).isFalse();
    assertThat(script.labels()).containsEntry("partition", "long");

    JobSpec line = spec("sbatch -o x-%j --open-mode=append -J other submission.sh");
    assertThat(line.scene().output().out()).contains(folder + "/x-%j");
    assertThat(line.scene().output().append()).isTrue();
    assertThat(line.name()).isEqualTo("other");
  }

  @Test
  void a_job_without_a_file_has_slurms_name() throws BadInput {
    assertThat(spec("sbatch --wrap true").name()).isEqualTo("wrap");
    assertThat(spec("sbatch < train.sh").name()).isEqualTo("sbatch");
  }

  @Test
  void a_dependency_that_can_never_be_leaves_the_job_waiting_unless_it_is_asked_for()
      throws BadInput {
    assertThat(spec("sbatch -d afterok:42 train.sh").terms().dependencies().cancelIfNever())
        .isFalse();
    assertThat(
            spec("sbatch -d afterok:42 --kill-on-invalid-dep=yes train.sh")
                .terms()
                .dependencies()
                .cancelIfNever())
        .isTrue();
  }

  @Test
  void a_script_is_found_on_the_path() throws IOException {
    java.nio.file.Files.createDirectories(folder.resolve("bin"));
    java.nio.file.Files.writeString(folder.resolve("bin/tool.sh"), "#!/bin/sh\ntrue\n");

    assertThat(order("sbatch tool.sh").body())
        .isInstanceOfSatisfying(
            Order.Body.Script.class,
            script -> assertThat(script.name()).isEqualTo(folder + "/bin/tool.sh"));
  }

  @Test
  void nothing_is_submitted_by_a_test() {
    assertThat(run("sbatch --test-only train.sh").exitCode).isZero();
    assertThat(gflow.orders()).isEmpty();
  }

  @Test
  void scancel_cancels_each_that_is_named() throws BadInput {
    run("scancel 42 63_[5,9]");

    assertThat(gflow.changes())
        .containsExactly(cancelled("42"), cancelled("63_5"), cancelled("63_9"));
  }

  @Test
  void filters_of_scancel_narrow_what_is_named() throws BadInput {
    run("scancel -t PENDING --me 42 44");

    assertThat(gflow.changes()).containsExactly(cancelled("44"));
  }

  @Test
  void a_signal_goes_to_the_steps_or_the_script_or_both_and_kill_is_a_cancel() throws BadInput {
    run("scancel -s USR1 42");
    run("scancel -b --signal=SIGUSR2 42");
    run("scancel -f -s 15 42");
    run("scancel -s KILL 42");

    List<JobRef> job = List.of(JobRefs.one("42"));
    assertThat(gflow.changes())
        .containsExactly(
            new ApiRequest.Signal(job, 10, Recipients.STEPS),
            new ApiRequest.Signal(job, 12, Recipients.SCRIPT),
            new ApiRequest.Signal(job, 15, Recipients.ALL),
            cancelled("42"));
  }

  private static ApiRequest.Cancel cancelled(String job) throws BadInput {
    return new ApiRequest.Cancel(Selection.of(List.of(JobRefs.one(job))));
  }

  @Test
  void what_update_changes_is_said_in_the_words_of_options() throws Refused {
    assertThat(
            ScontrolUpdate.changes(
                List.of("TimeLimit+=10", "StartTime=now+1hour", "Gres=gpu:h100:2", "Name=a=b")))
        .isEqualTo(
            new java.util.TreeMap<>(
                java.util.Map.of(
                    "time", "+10m", "begin", "now+1hour", "gpus", "2", "name", "a=b")));
  }

  @Test
  void a_state_that_gflow_never_has_is_known_and_fits_nothing() throws BadInput {
    assertThat(SlurmStateFilter.parse("SUSPENDED,pr")).isEmpty();
    assertThat(SlurmStateFilter.parse("R,S")).hasSize(1);
  }

  @Test
  void the_uid_of_who_cancelled_is_told_where_it_is_known() {
    var view = SampleViews.job("job_id", 5L, "state", "CANCELLED", "reason", "cancelled by alice");
    var whole = new SacctRow.Part.Whole();

    var job = new SlurmJob(view, "lab1", ZoneOffset.UTC, owner(1000, "alice"), OptionalInt.empty());
    var other = new SlurmJob(view, "lab1", ZoneOffset.UTC, owner(1001, "bob"), OptionalInt.empty());
    assertThat(new SacctRow(job, whole).state()).isEqualTo("CANCELLED by 1000");
    assertThat(new SacctRow(other, whole).state()).isEqualTo("CANCELLED");
    assertThat(Optional.of(job.reason())).contains("None");
  }

  private static Owner owner(int uid, String name) {
    return new Owner(uid, uid, name);
  }

  @Test
  void steps_are_listed_of_the_jobs_that_the_filters_leave() {
    assertThat(run("squeue -h -s --me").out.toString()).contains("42.1");
    assertThat(run("squeue -h -s -q none-of-ours").out.toString()).isEmpty();
    assertThat(run("squeue -h -s -u nobody").out.toString()).isEmpty();
  }

  @Test
  void whoever_asks_may_write_his_number_for_his_name() {
    String all = run("gqueue --me").out.toString();

    assertThat(all).contains("42");
    assertThat(run("gqueue -u 1000").out.toString()).isEqualTo(all);
  }

  @Test
  void numbers_are_sorted_as_numbers() {
    run("gbatch --name many --ntasks 10 true");
    run("gbatch --name many --ntasks 9 true");

    assertThat(run("gqueue -h -n many -f JOBID -S NTASKS").out).hasToString("101\n100\n");
    assertThat(run("gqueue -h -n many -f JOBID -S -NTASKS").out).hasToString("100\n101\n");
  }
}
