package gflow.script.order;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gflow.job.GpuFilter;
import gflow.job.GpuRequest;
import gflow.job.JobSpec;
import gflow.job.Owner;
import gflow.job.Program;
import gflow.job.Ranges;
import gflow.job.Sweep;
import gflow.script.Refusal;
import gflow.script.value.BadInput;
import gflow.script.value.DependencySyntax;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

public class OrdersTest {
  private static final Instant NOW = Instant.parse("2026-11-15T13:30:00Z");
  private static final Order.Origin ORIGIN =
      new Order.Origin(
          new Owner(1000, 1000, "eva"), "/home/eva", "A=1\0".getBytes(UTF_8), 18, List.of("-n 9"));

  public static Order order(Order.Body body, String... options) throws BadInput {
    var files = new TreeMap<String, byte[]>();
    files.put("conf/c.yaml", "x: 1\n".getBytes(UTF_8));
    files.put("grid.csv", "lr,bs\n0.1,32\n0.2,64\n".getBytes(UTF_8));
    return new Order(BatchOptions.GRAMMAR.parse(List.of(options)).byName(), body, ORIGIN, files);
  }

  public static Order.Body command(String... words) {
    return new Order.Body.Command(List.of(words));
  }

  static Order.Body script(String text) {
    return new Order.Body.Script("train.sh", text.getBytes(UTF_8), List.of("a b"));
  }

  public static Draft draft(Order order) throws BadInput {
    return Orders.draft(order, NOW, ZoneOffset.UTC, Defaults.NONE);
  }

  private static JobSpec spec(String... options) throws BadInput {
    return draft(order(command("/usr/bin/python", "train.py"), options)).spec();
  }

  @Test
  void a_plain_command_gets_the_defaults() throws BadInput {
    Draft draft = draft(order(command("/usr/bin/python", "train.py")));
    JobSpec spec = draft.spec();

    assertThat(spec.name()).isEqualTo("python");
    assertThat(spec.program()).isEqualTo(new Program.Argv(List.of("/usr/bin/python", "train.py")));
    assertThat(spec.request().gpus()).isEqualTo(new GpuRequest.None());
    assertThat(spec.request().cpus()).isEqualTo(1);
    assertThat(spec.terms().priority()).isEqualTo(10);
    assertThat(spec.terms().timeLimit()).isEmpty();
    assertThat(spec.terms().begin()).isEmpty();
    assertThat(spec.tasks()).isEqualTo(JobSpec.Tasks.ONE);
    assertThat(spec.scene().folder()).isEqualTo("/home/eva");
    assertThat(spec.scene().umask()).isEqualTo(18);
    assertThat(spec.scene().output()).isEqualTo(JobSpec.Output.DEFAULT);
    assertThat(draft.blobs().get(spec.scene().environment())).asString(UTF_8).isEqualTo("A=1\0");
  }

  @Test
  void a_script_brings_its_own_options_and_is_kept_as_it_was() throws BadInput {
    String text = "#!/bin/bash\n# GFLOW --gpus 2 --time 30\n#SBATCH -J inner\necho {lr}\n";
    Draft draft = draft(order(script(text), "--name", "outer"));

    assertThat(draft.spec().name()).isEqualTo("outer");
    assertThat(draft.spec().request().gpus()).isEqualTo(new GpuRequest.Whole(2));
    assertThat(draft.spec().terms().timeLimit()).contains(Duration.ofMinutes(30));
    assertThat(draft.spec().program())
        .isInstanceOfSatisfying(
            Program.Script.class,
            program -> {
              assertThat(draft.blobs().get(program.text())).asString(UTF_8).isEqualTo(text);
              assertThat(program.arguments()).containsExactly("a b");
            });
  }

  @Test
  void a_job_speaks_slurm_by_its_name_or_by_a_line_of_its_script() throws BadInput {
    JobSpec lines = draft(order(script("#!/bin/sh\n\n#SBATCH -J x\ntrue\n"))).spec();
    JobSpec not = draft(order(script("#!/bin/sh\n#SBATCH -J x\n"), "--no-requeue")).spec();
    JobSpec ours = draft(order(script("#!/bin/sh\n# GFLOW -J x\ntrue\n#SBATCH -J y\n"))).spec();

    assertThat(lines.speaksSlurm()).isTrue();
    assertThat(lines.terms().requeue()).as("as Slurm does").isTrue();
    assertThat(not.terms().requeue()).isFalse();
    assertThat(ours.speaksSlurm()).isFalse();
    assertThat(ours.terms().requeue()).isFalse();
    assertThat(draft(order(command("x"), "--slurm")).spec().speaksSlurm()).isTrue();
    assertThat(spec("--grace", "2m").asked().grace()).contains(Duration.ofMinutes(2));
  }

  @Test
  void where_a_script_came_from_is_kept() throws BadInput {
    var body = new Order.Body.Script("/a/b\nc.sh", "#!/bin/sh\n".getBytes(UTF_8), List.of());

    JobSpec spec = draft(order(body, "--name", "outer", "--comment", "x")).spec();

    assertThat(spec.labels()).containsEntry("script", "/a/b_c.sh").containsEntry("comment", "x");
    assertThat(draft(order(command("./run"))).spec().labels()).isEmpty();
  }

  @Test
  void default_names_are_base_names() throws BadInput {
    assertThat(draft(order(script("#!/bin/sh\n"))).spec().name()).isEqualTo("train.sh");
    assertThat(draft(order(new Order.Body.Wrap("a && b"))).spec().name()).isEqualTo("wrap");
    assertThat(draft(order(command("./run"))).spec().name()).isEqualTo("run");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--gpus=2|Whole[count=2]",
        "--gpus=0|None[]",
        "--gpus=0.25|Shared[count=1, part=0.25, memory=0, spread=false]",
        "--gpus=.5|Shared[count=1, part=0.5, memory=0, spread=false]",
        "--gpus=2.0|Whole[count=2]",
        "--gpus=a100:2|Whole[count=2]",
        "--gpus=a100|Whole[count=1]",
        "--gres=gpu|Whole[count=1]",
        "--gres=gpu:3|Whole[count=3]",
        "--gres=gpu:a100_80:1|Whole[count=1]",
        "--gres=none|None[]",
        "--gres=gpu:2 --gpus=2|Whole[count=2]",
        "--gpu-ids=0,2-3|Whole[count=3]",
        "--gpu-ids=0-3 --gpus=2|Whole[count=2]",
        "--gpu-memory=8G --shared|Shared[count=1, part=0, memory=8589934592, spread=false]",
        "--gpu-memory=8G --shared --gpus=1|Shared[count=1, part=0, memory=8589934592,"
            + " spread=false]",
        "--gpus=1/3|Shared[count=1, part=1/3, memory=0, spread=false]",
        "--gpus=a100:1/16|Shared[count=1, part=0.0625, memory=0, spread=false]",
        "--gpus=0.0625|Shared[count=1, part=0.0625, memory=0, spread=false]",
        "--gpus=3/4 --time=10|Shared[count=1, part=0.75, memory=0, spread=true]",
        "--gpus=3/4 --time=10 --placement=pack|Shared[count=1, part=0.75, memory=0, spread=false]",
        "--gpus=3/4 --placement=spread|Shared[count=1, part=0.75, memory=0, spread=true]",
        "--gpus=1/16 --gpu-memory=8G|Shared[count=1, part=0.0625, memory=8589934592, spread=false]",
        "--gpus=4 --gpu-memory=8G|Shared[count=4, part=0, memory=8589934592, spread=false]",
        "--gpu-memory=8G|Shared[count=1, part=0, memory=8589934592, spread=false]",
        "--gpus=0.5 --shared|Shared[count=1, part=0.5, memory=0, spread=false]",
      })
  void gpus_are_asked_for_in_many_ways(String options, String request) throws BadInput {
    assertThat(spec(options.split(" ")).request().gpus()).hasToString(request);
  }

  @Test
  void a_range_starts_with_few_gpus_and_uses_up_to_many() throws BadInput {
    JobSpec elastic = spec("--gpus=a100:1-8");
    assertThat(elastic.request().gpus()).isEqualTo(new GpuRequest.Whole(1));
    assertThat(elastic.request().mostGpus()).isEqualTo(8);
    assertThat(elastic.request().filter().type()).contains("a100");
    // Slurm's variables and steps know what it starts with.
    assertThat(elastic.asked().options()).containsEntry("gpus", "a100:1");
    assertThat(spec("--gpus=2-4", "--gres=gpu:a100:2").request().mostGpus()).isEqualTo(4);
    assertThat(spec("--gpus=3-3").request().elastic()).isFalse();
    assertThat(spec("--gpus=2").request().elastic()).isFalse();
    assertThat(spec("--gpus=rtx-4090").request().filter().type()).contains("rtx-4090");
  }

  @Test
  void a_filter_says_which_gpus_will_do() throws BadInput {
    assertThat(spec("--gpus=a100:1", "--gpu-ids=0-3", "--exclude-gpus=2").request().filter())
        .isEqualTo(new GpuFilter(Optional.of("a100"), List.of(0, 1, 2, 3), List.of(2)));
    assertThat(spec("--gpus=1", "--gpu-type=h100").request().filter().type()).contains("h100");
  }

  @Test
  void terms_are_taken_over() throws BadInput {
    JobSpec.Terms terms =
        spec("--priority=255", "-t1-0", "-b", "16:00", "-H", "--retries=3", "--requeue", "-d41,42")
            .terms();

    assertThat(terms.priority()).isEqualTo(255);
    assertThat(terms.timeLimit()).contains(Duration.ofDays(1));
    assertThat(terms.begin()).contains(Instant.parse("2026-11-15T16:00:00Z"));
    assertThat(terms.hold()).isTrue();
    assertThat(terms.retries()).isEqualTo(3);
    assertThat(terms.requeue()).isTrue();
    assertThat(DependencySyntax.format(terms.dependencies())).isEqualTo("afterok:41,afterok:42");
    assertThat(terms.dependencies().cancelIfNever()).isTrue();
    assertThat(spec("-d1", "--kill-on-invalid-dep=no").terms().dependencies().cancelIfNever())
        .isFalse();
  }

  @Test
  void defaults_fill_what_was_not_said_and_unlimited_says_something() throws BadInput {
    var defaults = new Defaults(Optional.of(Duration.ofHours(1)), 7);
    Order silent = order(command("x"));
    Order spoken = order(command("x"), "--time=unlimited", "--priority=9");

    JobSpec.Terms filled = Orders.draft(silent, NOW, ZoneOffset.UTC, defaults).spec().terms();
    JobSpec.Terms said = Orders.draft(spoken, NOW, ZoneOffset.UTC, defaults).spec().terms();

    assertThat(filled.timeLimit()).contains(Duration.ofHours(1));
    assertThat(filled.priority()).isEqualTo(7);
    assertThat(said.timeLimit()).isEmpty();
    assertThat(said.priority()).isEqualTo(9);
  }

  @Test
  void arrays_and_sweeps_make_tasks() throws BadInput {
    assertThat(spec("--array=0-9:3%2").tasks())
        .isEqualTo(new JobSpec.Tasks(Optional.of(ranges(0, 3, 6, 9)), Sweep.NONE, 2));
    JobSpec.Tasks sweep =
        spec("--param", "seed=1:2", "--param-file", "grid.csv", "--max-concurrent=3").tasks();
    assertThat(sweep.array()).contains(Ranges.of(0, 3));
    assertThat(sweep.limit()).isEqualTo(3);
    assertThat(sweep.sweep().parameters(2)).hasToString("{seed=2, lr=0.1, bs=32}");
  }

  private static Ranges ranges(Integer... numbers) {
    return Ranges.ofAll(List.of(numbers));
  }

  @Test
  void paths_are_made_absolute() throws BadInput {
    JobSpec.Scene scene =
        spec("-D", "./exp/1", "-o", "out/%j.log", "-e", "none", "-i", "/data/in").scene();

    assertThat(scene.folder()).isEqualTo("/home/eva/exp/1");
    assertThat(scene.output())
        .isEqualTo(
            new JobSpec.Output(
                Optional.of("/home/eva/exp/1/out/%j.log"),
                Optional.of("/dev/null"),
                Optional.of("/data/in"),
                true));
    assertThat(spec("--open-mode=truncate").scene().output().append()).isFalse();
    assertThat(spec("-D", ".").scene().folder()).isEqualTo("/home/eva");
  }

  @Test
  void the_submit_folder_travels_in_the_environment_if_the_job_runs_elsewhere() throws BadInput {
    Draft draft = draft(order(command("x"), "-D", "/tmp"));

    assertThat(draft.blobs().get(draft.spec().scene().environment()))
        .asString(UTF_8)
        .isEqualTo("A=1\0GFLOW_SUBMIT_DIR=/home/eva\0");
  }

  @Test
  void a_config_is_attached_under_its_own_name() throws BadInput {
    Draft draft = draft(order(command("x"), "--config", "conf/c.yaml"));
    JobSpec.Attachment config = draft.spec().scene().config().orElseThrow();

    assertThat(config.name()).isEqualTo("c.yaml");
    assertThat(draft.blobs().get(config.content())).asString(UTF_8).isEqualTo("x: 1\n");
  }

  @Test
  void labels_keep_what_only_slurm_uses() throws BadInput {
    JobSpec spec = spec("-p", "gpu", "-A", "lab", "--comment", "try 3", "-P", " vision ", "--nice");

    assertThat(spec.labels())
        .hasToString("{account=lab, comment=try 3, nice=, partition=gpu, project=vision}");
    assertThat(spec.project()).contains("vision");
  }

  @Test
  void of_many_orders_the_wrong_one_is_named() throws BadInput {
    List<Order> orders =
        List.of(order(command("a")), order(command("b"), "--gpus=x,"), order(command("c")));

    Refusal.of(
        () -> Orders.drafts(orders, NOW, ZoneOffset.UTC, Defaults.NONE),
        "job 2 of 3: gpus 'x,' is not understood; write 2, a100:2, or 1/4 for a part of one");
    assertThat(Orders.drafts(orders.subList(0, 1), NOW, ZoneOffset.UTC, Defaults.NONE)).hasSize(1);
  }

  @Test
  void orders_of_different_environments_do_not_get_each_others() throws BadInput {
    Order first = order(command("a"));
    Order second = order(command("a"), "--export=NONE");
    Order third = order(command("a"), "--chdir=/x");
    var drafts =
        Orders.drafts(List.of(first, second, first, third), NOW, ZoneOffset.UTC, Defaults.NONE);

    assertThat(drafts)
        .extracting(d -> new String(d.blobs().firstEntry().getValue(), UTF_8))
        .containsExactly("A=1\0", "", "A=1\0", "A=1\0GFLOW_SUBMIT_DIR=/home/eva\0");
  }
}
