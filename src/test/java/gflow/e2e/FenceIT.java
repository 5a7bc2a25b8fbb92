package gflow.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Jobs that have GPUs 4 to 7 of 8 while others have 0 to 3: these are out of their reach, and all
 * else is as outside. Root alone could do much that a user cannot, so the jobs are a user's.
 */
class FenceIT {
  /** A user that each system has, and not nobody: inside, what is root's is nobody's. */
  private static final int SOMEBODY = 1;

  private static final String USER = System.getProperty("user.name");
  private static final boolean ROOT = "root".equals(USER);
  private static final Lab LAB = ROOT ? Lab.ofUser(SOMEBODY) : new Lab();
  private static final List<String> OURS =
      List.of("000000000004", "000000000005", "000000000006", "000000000007");

  /** Uses the GPU that CUDA would give it, and tries to open all of them. */
  private static final String CLIENT =
      """
      #!/bin/sh
      said=$1.$SLURM_PROCID
      nvidia-smi --query-gpu=uuid --format=csv,noheader -i "$CUDA_VISIBLE_DEVICES" >$said
      cat "$GFLOW_SIMULATED_GPUS"/nvidia* >>$said
      """;

  @BeforeAll
  static void up() throws IOException {
    if (ROOT && Files.isDirectory(SSH_CONFIG.getParent())) {
      Files.writeString(SSH_CONFIG, "# of a test\n");
    }
    LAB.set("GFLOW_GPUS", "sim:a100:8x80G");
    LAB.set("GFLOW_CPUS", "64");
    LAB.up();
    LAB.ok("gbatch", "--gpus", "4", "sleep", "1000");
    program("client", CLIENT);
  }

  @AfterAll
  static void close() throws IOException {
    LAB.close();
    if (ROOT) {
      Files.deleteIfExists(SSH_CONFIG);
    }
  }

  /** What one test left must not keep GPUs from the next. */
  @AfterEach
  void clear() {
    LAB.jobs().stream()
        .map(job -> job.get("job_id").toString())
        .filter(id -> !id.equals("1"))
        .forEach(id -> LAB.run("scancel", id));
  }

  private static void program(String name, String text) {
    LAB.write(LAB.work().resolve(name), text).toFile().setExecutable(true);
  }

  /** What a job of Slurm's words prints that runs this line with so many GPUs. */
  private static List<String> output(int gpus, String line) {
    LAB.write(LAB.work().resolve("job.sh"), "#!/bin/bash\n#SBATCH -o out\n" + line + "\n");
    LAB.ok("sbatch", "-W", "--gpus=" + gpus, "job.sh");
    return Lab.read(LAB.work().resolve("out")).lines().toList();
  }

  // ---- the pairs of scripts ----

  private static final String JOB =
      """
      #!/bin/bash
      #SBATCH --job-name=clients
      #SBATCH --nodes=1
      #SBATCH --ntasks-per-node=32
      #SBATCH --gres=gpu:a100:4
      #SBATCH --time=01:00:00

      (while true; do nvidia-smi > gpu.out; sleep 10; done) &
      srun ./LAUNCH &
      wait
      """;

  /** Its endless loop keeps the script from its end, as that of the example does. */
  private static Map<String, Integer> clients(String launch) throws Exception {
    LAB.write(LAB.work().resolve("pair.sh"), JOB.replace("LAUNCH", launch));
    long job = LAB.ok("sbatch", "pair.sh").id();
    LAB.await("32 clients", () -> said(launch).stream().filter(l -> l.size() == 5).count() == 32);
    LAB.ok("scancel", Long.toString(job));
    LAB.awaitState(job, "CANCELLED");
    assertThat(Lab.processesWith("gpu.out")).as("what the script left behind").isEmpty();
    var used = new TreeMap<String, Integer>();
    for (List<String> lines : said(launch)) {
      used.merge(end(lines.getFirst()), 1, Integer::sum);
      assertThat(lines.subList(1, 5).stream().map(FenceIT::end)).isEqualTo(OURS);
    }
    return used;
  }

  private static String end(String uuid) {
    return uuid.substring(uuid.lastIndexOf('-') + 1);
  }

  private static List<List<String>> said(String launch) {
    try (var files = Files.newDirectoryStream(LAB.work(), launch + ".[0-9]*")) {
      var all = new java.util.ArrayList<List<String>>();
      files.forEach(file -> all.add(Lab.read(file).lines().toList()));
      return all;
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static Map<String, Integer> eightEach() {
    return OURS.stream().collect(Collectors.toMap(gpu -> gpu, _ -> 8));
  }

  @Test
  void what_cannot_be_run_is_said_as_outside() {
    LAB.write(LAB.work().resolve("odd.sh"), "#!/no/such/program\ntrue\n");
    var said = new ArrayList<String>();
    for (String fence : List.of("--fence", "--no-fence")) {
      LAB.run("sbatch", "-W", "--gpus=1", fence, "-o", "odd.out", "odd.sh");
      said.add(Lab.read(LAB.work().resolve("odd.out")).replaceAll("\\d+", "N"));
    }
    assertThat(said.getFirst()).isEqualTo(said.getLast()).contains("not found");
  }

  @Test
  void clients_that_count_round_robin_from_0_use_the_gpus_of_their_job() throws Exception {
    program(
        "modulo",
        """
        #!/bin/bash
        export CUDA_VISIBLE_DEVICES=$((SLURM_LOCALID % 4))
        ./client modulo
        """);

    assertThat(clients("modulo")).isEqualTo(eightEach());
  }

  @Test
  void clients_in_blocks_by_what_nvidia_smi_lists_use_the_gpus_of_their_job() throws Exception {
    program(
        "blocks",
        """
        #!/bin/bash
        local_id=${SLURM_LOCALID}
        num_gpus=$(nvidia-smi -L | wc -l)
        num_tasks=${SLURM_NTASKS_PER_NODE:-1}
        tasks_per_gpu=$((num_tasks / num_gpus))
        if [ $tasks_per_gpu -lt 1 ]; then tasks_per_gpu=1; fi
        gpu_id=$((local_id / tasks_per_gpu))
        if [ $gpu_id -ge $num_gpus ]; then gpu_id=$((num_gpus - 1)); fi
        export CUDA_VISIBLE_DEVICES=$gpu_id
        ./client blocks
        """);

    assertThat(clients("blocks")).isEqualTo(eightEach());
  }

  // ---- what a job sees ----

  @Test
  void a_job_without_gpus_sees_none_and_one_in_our_words_sees_all_of_them() {
    assertThat(output(0, "nvidia-smi -L")).containsExactly("No devices found.");
    long plain = LAB.submit("--gpus", "1", "-o", "plain", "sh", "-c", "nvidia-smi -L | wc -l");
    LAB.awaitState(plain, "COMPLETED");
    assertThat(Lab.read(LAB.work().resolve("plain"))).isEqualTo("8\n");
    long fenced =
        LAB.submit("--fence", "--gpus", "1", "-o", "f", "sh", "-c", "nvidia-smi -L|wc -l");
    LAB.awaitState(fenced, "COMPLETED");
    assertThat(Lab.read(LAB.work().resolve("f"))).isEqualTo("1\n");
    assertThat(LAB.ok("gjob", "show", "" + fenced).out()).contains("Fence=yes (--fence)");
    assertThat(LAB.ok("gjob", "show", "" + plain).out()).doesNotContain("Fence");
    assertThat(LAB.ok("gflowd", "status").out()).contains("Fenced       jobs that speak Slurm");
  }

  @Test
  void a_job_that_failed_says_that_it_was_fenced_and_keeps_its_code() {
    long job = LAB.submit("--fence", "sh", "-c", "exit 3");
    LAB.awaitState(job, "FAILED");

    assertThat(LAB.ok("gjob", "show", "" + job).out())
        .contains("ExitCode=3", "Fence=yes (--fence: it saw only its own GPUs, counted from 0)");
  }

  @Test
  void steps_and_their_tasks_count_from_0_too() {
    assertThat(
            output(
                3,
                "srun --gres=gpu:2 --exact -n1 sh -c 'echo $CUDA_VISIBLE_DEVICES $GFLOW_GPU_IDS'\n"
                    + "echo $CUDA_VISIBLE_DEVICES $SLURM_JOB_GPUS"))
        .containsExactly("0,1 4,5", "0,1,2 4,5,6");
    LAB.write(LAB.work().resolve("tasks.sh"), "#!/bin/sh\nsrun -l ./task\n");
    program("task", "#!/bin/sh\necho $CUDA_VISIBLE_DEVICES $GFLOW_GPU_IDS\n");
    LAB.ok("sbatch", "-W", "-n2", "--gpus-per-task=1", "-o", "tasks", "tasks.sh");
    assertThat(Lab.read(LAB.work().resolve("tasks")).lines())
        .containsExactlyInAnyOrder("0: 0 4", "1: 1 5");
  }

  @Test
  void who_joins_a_job_comes_behind_its_fence() {
    assertThat(LAB.ok("srun", "--gpus=2", "sh", "-c", "nvidia-smi -L | wc -l; pwd").lines())
        .containsExactly("2", LAB.work().toString());
    assertThat(LAB.ok("srun", "-n2", "--gpus=2", "sh", "-c", "nvidia-smi -L | wc -l; pwd").lines())
        .containsExactlyInAnyOrder("2", "2", LAB.work().toString(), LAB.work().toString());
    assertThat(LAB.ok("salloc", "--gpus=1", "sh", "-c", "nvidia-smi -L | wc -l").lines())
        .containsExactly("1");
    long job = LAB.ok("sbatch", "--gpus=1", "--wrap=sleep 1000").id();
    LAB.awaitState(job, "RUNNING");
    String look =
        "nvidia-smi -L | wc -l; echo $CUDA_VISIBLE_DEVICES; grep CapEff /proc/self/status";
    for (String program : List.of("srun", "grun")) {
      assertThat(LAB.ok(program, "--jobid=" + job, "--overlap", "sh", "-c", look).lines())
          .containsExactly("1", "0", "CapEff:\t0000000000000000");
    }
    LAB.ok("scancel", "" + job);
  }

  @Test
  void nobody_joins_another_job_from_behind_a_fence() {
    long fenced = LAB.ok("sbatch", "--gpus=1", "--wrap=sleep 1000").id();
    LAB.awaitState(fenced, "RUNNING");
    String join = "grun --overlap --jobid=";
    String refused = " fenced, and you are behind the fence of another job; come from outside";

    assertThat(
            output(
                1,
                "exec 2>&1\n%1$s1 true || %1$s%2$d true || %1$s$SLURM_JOB_ID echo own"
                    .formatted(join, fenced)))
        .containsExactly(
            "grun: job 1 cannot be joined: it is not" + refused,
            "grun: job " + fenced + " cannot be joined: it is" + refused,
            "own");
  }

  // ---- all else is as outside ----

  /** As root has it there on some systems: inside it is nobody's, which ssh would not have. */
  private static final Path SSH_CONFIG = Path.of("/etc/ssh/ssh_config.d/gflow-fence-test.conf");

  @Test
  void git_goes_over_ssh() throws Exception {
    assumeTrue(Sshd.isInstalled(), "no sshd");
    Path key = LAB.work().resolve("key");
    LAB.ok("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key.toString());
    try (var server = new Sshd(LAB.work().resolve("sshd"), key)) {
      Path tree = LAB.work().resolve("sshd/tree");
      String head =
          Sshd.command(
              "sh",
              "-ec",
              """
              git init -q $0
              git -C $0 -c user.name=a -c user.email=a@b commit -q --allow-empty -m one
              git -C $0 rev-parse HEAD
              """,
              tree.toString());
      LAB.write(LAB.work().resolve("known"), server.known());

      String ssh = "ssh -i key -o IdentitiesOnly=yes -o BatchMode=yes -o UserKnownHostsFile=known";
      String from = "ssh://%s@127.0.0.1:%d%s".formatted(USER, server.port, tree);
      String line = "nvidia-smi -L | wc -l\nGIT_SSH_COMMAND='" + ssh + "' git ls-remote " + from;
      assertThat(output(1, line + " HEAD")).as(server.log()).containsExactly("1", head + "\tHEAD");
    }
  }

  @Test
  void ssh_functions_of_the_shell_and_odd_names_are_as_outside() {
    LAB.set("BASH_FUNC_module%%", "() {  echo \"module $1\"\n}");
    LAB.set("BASH_FUNC_conda%%", "() {  export CONDA_DEFAULT_ENV=$2\n}");
    LAB.set("odd.name", "kept");

    assertThat(
            output(
                1,
                """
                module load cuda
                conda activate ml && echo $CONDA_DEFAULT_ENV
                env | grep ^odd.name
                ssh -T -G localhost >/dev/null && echo ssh
                nvidia-smi -L | wc -l
                """))
        .containsExactly("module load", "ml", "odd.name=kept", "ssh", "1");
  }

  private static final Path SLEEPER = LAB.work().resolve("sleeper");

  /** A job behind a fence that sleeps and has said its pid. */
  private static long sleeper() throws IOException {
    Files.deleteIfExists(SLEEPER);
    LAB.write(LAB.work().resolve("sleeper.sh"), "#!/bin/sh\necho $$ >sleeper\nexec sleep 1000\n");
    long job = LAB.ok("sbatch", "--gpus=1", "sleeper.sh").id();
    LAB.await("its pid", () -> Lab.read(SLEEPER).endsWith("\n"));
    long pid = Long.parseLong(Lab.read(SLEEPER).strip());
    LAB.await("it sleeps", () -> Lab.commandLine(pid).contains("sleep"));
    return job;
  }

  @Test
  void a_debugger_works_on_a_sibling() throws IOException {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/gdb")), "no gdb");
    long job = sleeper();
    String[] gdb = {"srun", "--jobid=" + job, "--overlap", "gdb", "-batch", "-ex", "bt", "-p"};

    assertThat(
            LAB.ok(Stream.concat(Stream.of(gdb), Lab.read(SLEEPER).lines()).toArray(String[]::new))
                .out())
        .contains("#0 ");
  }

  @Test
  void siblings_of_one_job_may_read_each_other_and_those_of_two_may_not() throws IOException {
    program(
        "peek",
        """
        #!/bin/bash
        exec 2>/dev/null
        read -r range _ </proc/$1/maps
        dd if=/proc/$1/mem bs=4096 skip=$((0x${range%-*} / 4096)) count=1 |
          head -c 4 | grep -q ELF && echo read || echo refused
        """);
    long job = sleeper();
    String sleeper = Lab.read(SLEEPER).strip();

    assertThat(LAB.ok("srun", "--jobid=" + job, "--overlap", "./peek", sleeper).out())
        .isEqualTo("read\n");
    assertThat(output(1, "./peek " + sleeper)).containsExactly("refused");
    LAB.ok("scancel", "" + job);
  }

  @Test
  void mpi_by_shared_memory_works() {
    LAB.write(
        LAB.work().resolve("mpi.c"),
        """
        #include <mpi.h>
        #include <stdio.h>
        static char much[1 << 22];
        int main(int count, char **words) {
          int rank;
          MPI_Init(&count, &words);
          MPI_Comm_rank(MPI_COMM_WORLD, &rank);
          much[1 << 21] = rank == 0 ? 42 : 0;
          MPI_Bcast(much, sizeof much, MPI_CHAR, 0, MPI_COMM_WORLD);
          printf("%d has %d\\n", rank, much[1 << 21]);
          MPI_Finalize();
          return 0;
        }
        """);
    assumeTrue(LAB.bash("mpicc.mpich -o mpi mpi.c").code() == 0, "no mpicc.mpich");

    LAB.write(LAB.work().resolve("mpi.sh"), "#!/bin/sh\nsrun ./mpi\n");
    LAB.ok("sbatch", "-W", "-n2", "--gpus=1", "-o", "mpi.out", "mpi.sh");
    assertThat(Lab.read(LAB.work().resolve("mpi.out")).lines())
        .containsExactlyInAnyOrder("0 has 42", "1 has 42");
  }

  @Test
  void what_is_mounted_later_appears() throws Exception {
    assumeTrue(ROOT, "only root mounts anything outside");
    Path place = Files.createTempDirectory("gflow-mount");
    Files.setPosixFilePermissions(place, PosixFilePermissions.fromString("rwxr-xr-x"));
    command("mount", "--bind", place.toString(), place.toString());
    command("mount", "--make-shared", place.toString());
    try {
      Files.createDirectories(place.resolve("later"));
      Path file = place.resolve("later/file");
      LAB.write(
          LAB.work().resolve("m.sh"),
          "#!/bin/sh\ntouch began\nuntil [ -e " + file + " ]; do sleep 0.05; done\n");
      long job = LAB.ok("sbatch", "--gpus=1", "m.sh").id();
      LAB.await("its begin", () -> Files.exists(LAB.work().resolve("began")));
      command("mount", "-t", "tmpfs", "none", place.resolve("later").toString());
      Files.createFile(file);
      LAB.awaitState(job, "COMPLETED");
    } finally {
      command("umount", "--recursive", place.toString());
    }
  }

  private static void command(String... words) throws Exception {
    assertThat(new ProcessBuilder(words).inheritIO().start().waitFor()).isZero();
  }

  @Test
  void every_command_goes_through_the_door_and_jobs_come_from_inside() {
    // A JVM would not start in so little room.
    var said = output(1, "ulimit -v 300000; gqueue >q && echo asked; gbatch --gpus 1 -o in true");

    assertThat(said.getFirst()).isEqualTo("asked");
    assertThat(said.get(1)).startsWith("Submitted batch job ");
    long inner = Long.parseLong(said.get(1).replaceAll("\\D", ""));
    LAB.awaitState(inner, "COMPLETED");
  }

  @Test
  void gmap_in_place_has_the_gpus_of_its_job_with_workers_and_without() {
    program(
        "worker",
        """
        #!/bin/bash
        echo '{"ready":true}'
        while read -r line; do
          i=${line#*:} i=${i%%,*}
          printf '{"index":%s,"value":"%s"}\\n' $i $(nvidia-smi -L | wc -l)$CUDA_VISIBLE_DEVICES
        done
        """);
    output(
        2,
        "gmap --results r1 -Q sh -c 'echo $CUDA_VISIBLE_DEVICES; sleep 0.2' ::: a b\n"
            + "gmap --results r2 -Q --worker ./worker ::: a b c");
    var gpus = LAB.results("r1").values().stream().map(r -> r.get("stdout").toString().strip());
    assertThat(gpus).containsExactlyInAnyOrder("0", "1");
    assertThat(LAB.results("r2").values()).extracting(r -> r.get("value")).isSubsetOf("20", "21");
  }

  @Test
  void it_outlives_the_daemon_and_ends_whole() throws Exception {
    LAB.write(
        LAB.work().resolve("long.sh"),
        "#!/bin/bash\nsetsid sleep 4711 &\necho begun >begun\nwait\n");
    long job = LAB.ok("sbatch", "--gpus=1", "long.sh").id();
    LAB.await("its begin", () -> Files.exists(LAB.work().resolve("begun")));
    LAB.killDaemon();
    LAB.up();

    assertThat(LAB.state(job)).isEqualTo("RUNNING");
    assertThat(LAB.ok("srun", "--jobid=" + job, "--overlap", "sh", "-c", "nvidia-smi -L").lines())
        .hasSize(1);
    LAB.ok("scancel", "" + job);
    LAB.awaitState(job, "CANCELLED");
    LAB.await("nothing is left", () -> Lab.processesWith("sleep\0004711").isEmpty());
  }

  @Test
  void what_cannot_be_fenced_is_refused_in_one_line() {
    assertThat(LAB.run("gbatch", "--fence", "--gpus", "1-4", "true").err())
        .isEqualTo(
            "gbatch: --fence stays as it is, and --gpus from-to does not; give one number\n");
    assertThat(output(1, "exec 2>&1\ngrun --fence true || grun --jobid=1 --no-fence true || true"))
        .containsExactly(
            "grun: --fence is for a whole job; give it to gbatch",
            "grun: --no-fence is for a whole job; give it to gbatch");
    try (var none = new Lab("GFLOW_GPUS=none")) {
      assertThat(none.run("gbatch", "--fence", "true").err())
          .isEqualTo("gbatch: --fence does not hold here: there are no GPUs; leave it out\n");
    }
    assertThat(LAB.run("gflow", "doctor").lines()).anyMatch(line -> line.matches("fence +ok .*"));
  }
}
