package gflow.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** MPI programs in a job, by srun and by their own mpirun; what is not installed is left out. */
class MpiIT {
  private static final String PROGRAM =
      """
      #include <mpi.h>
      #include <stdio.h>
      #include <stdlib.h>
      #include <unistd.h>
      int main(int count, char **words) {
        int rank, size, sum = 0;
        MPI_Init(&count, &words);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_size(MPI_COMM_WORLD, &size);
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        printf("rank %d of %d sum %d\\n", rank, size, sum);
        fflush(stdout);
        /* All have said it before one of them ends. */
        MPI_Barrier(MPI_COMM_WORLD);
        while (count > 3) pause();
        if (count > 2 && rank == 1) exit(atoi(words[2]));
        if (count > 1 && rank == 1) MPI_Abort(MPI_COMM_WORLD, atoi(words[1]));
        if (count > 1) MPI_Barrier(MPI_COMM_WORLD);
        MPI_Finalize();
        return 0;
      }
      """;

  private static final List<String> FOUR =
      List.of("rank 0 of 4 sum 6", "rank 1 of 4 sum 6", "rank 2 of 4 sum 6", "rank 3 of 4 sum 6");

  private static final Lab LAB =
      new Lab("OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1");

  @BeforeAll
  static void compile() {
    LAB.write(LAB.work().resolve("mpi.c"), PROGRAM);
    for (String kind : List.of("mpich", "openmpi")) {
      if (LAB.bash("mpicc." + kind + " -o " + kind + " mpi.c").code() != 0) {
        System.out.println("MpiIT: no mpicc." + kind + " here, so its tests are left out");
      }
    }
    LAB.up();
  }

  @AfterAll
  static void close() {
    LAB.close();
  }

  private static void need(String kind) {
    assumeTrue(Files.exists(LAB.work().resolve(kind)), "no mpicc." + kind + " here");
  }

  /** What a job with four tasks says, sorted, but for what MPI itself says of an abort. */
  private static List<String> job(String line, String... options) {
    Path script = LAB.write(LAB.work().resolve("job"), "#!/bin/bash\n" + line + "\necho rc $?\n");
    var words = new ArrayList<>(List.of(options));
    words.addAll(List.of("-n4", script.toString()));
    long job = LAB.submit(words.toArray(String[]::new));
    LAB.awaitState(job, "COMPLETED");
    var lines = new ArrayList<>(LAB.log(job).lines().toList());
    lines.removeIf(said -> said.startsWith("Abort("));
    return lines.stream()
        .map(said -> said.replaceAll("error: [^ .]+: task", "error: HOST: task"))
        .sorted()
        .toList();
  }

  private static List<String> four(String end) {
    var all = new ArrayList<>(FOUR);
    all.add(end);
    return all;
  }

  @Test
  void srun_starts_a_program_of_mpich_as_one() {
    need("mpich");

    assertThat(job("srun -n4 ./mpich")).isEqualTo(four("rc 0"));
    assertThat(job("srun -n4 sh -c 'srun --overlap -n1 ./mpich'"))
        .as("a step in a step is a program of its own")
        .containsOnly("rank 0 of 1 sum 0", "rc 0");
  }

  @Test
  void an_abort_or_a_lost_rank_ends_the_step() {
    need("mpich");

    assertThat(job("srun -n4 ./mpich 7"))
        .startsWith(FOUR.toArray(String[]::new))
        .contains("rc 7", "srun: error: HOST: tasks 0-3: Killed");
    assertThat(job("srun -n4 ./mpich - 5"))
        .contains("srun: error: HOST: task 1: Exited with exit code 5", "rc 143")
        // Those that end at about the same time share a line.
        .anyMatch(line -> line.matches("srun: error: HOST: tasks? 0.*: Terminated"));
  }

  @Test
  void srun_starts_a_program_of_openmpi_as_one() {
    need("openmpi");

    assertThat(job("unset ${!OMPI_*}; srun -n4 ./openmpi"))
        .as("also as root, whom mpirun does not like")
        .isEqualTo(four("rc 0"));
    assertThat(job("srun -l -n4 ./openmpi"))
        .containsExactly(
            "0: rank 0 of 4 sum 6",
            "1: rank 1 of 4 sum 6",
            "2: rank 2 of 4 sum 6",
            "3: rank 3 of 4 sum 6",
            "rc 0");
    assertThat(job("srun -n4 -o 'file%t' ./openmpi; cat file[0-3]")).isEqualTo(four("rc 0"));
    assertThat(job("srun -n4 --mpi=pmix sh -c './openmpi; exit 0'"))
        .as("hidden in a script, if it is said")
        .isEqualTo(four("rc 0"));
  }

  /** All that a task has is as in any step: its variables, its GPU, its code, the input. */
  @Test
  void a_rank_of_openmpi_is_a_task_like_any_other() {
    need("openmpi");
    LAB.write(
        LAB.work().resolve("rank.sh"),
        """
        read -r line
        ./openmpi >/dev/null
        tasks="$SLURM_PROCID $SLURM_NTASKS"
        echo $OMPI_COMM_WORLD_RANK $tasks $CUDA_VISIBLE_DEVICES $line ${odd+odd}
        exit $((SLURM_PROCID + 2))
        """);

    assertThat(
            job(
                "echo in | env odd=1 srun -n4 --gpus-per-task=1 --mpi=pmix sh rank.sh",
                "--gpus",
                "4"))
        .contains("0 0 4 0 in odd", "1 1 4 1 in odd", "2 2 4 2 in odd", "3 3 4 3 in odd", "rc 5")
        .contains("srun: error: HOST: task 3: Exited with exit code 5");
  }

  @Test
  void an_abort_or_a_lost_rank_of_openmpi_ends_the_step() {
    need("openmpi");

    assertThat(job("srun -n4 ./openmpi 7 2>&1"))
        .containsAll(four("rc 7"))
        .anyMatch(line -> line.matches("srun: error: HOST: tasks? 0.*: Killed"));
    assertThat(job("srun -n4 ./openmpi - 5 2>&1"))
        .contains("srun: error: HOST: task 1: Exited with exit code 5", "rc 143")
        .anyMatch(line -> line.matches("srun: error: HOST: tasks? 0.*: Terminated"));
    assertThat(LAB.processesOfJobs()).isEmpty();
  }

  @Test
  void a_signal_comes_to_each_rank_once_and_mpirun_is_deaf() {
    need("openmpi");
    LAB.write(
        LAB.work().resolve("deaf.sh"),
        """
        trap 'echo usr1; over=1' USR1
        ./openmpi >/dev/null
        : >ready$SLURM_PROCID
        while [ -z "$over" ]; do sleep 0.1; done
        sleep 0.3
        """);

    assertThat(
            job(
                """
                srun -n2 --mpi=pmix sh deaf.sh 2>/dev/null &
                until [ -e ready0 ] && [ -e ready1 ]; do sleep 0.05; done
                scancel -s USR1 $SLURM_JOB_ID.0
                wait $!\
                """))
        .containsExactly("rc 0", "usr1", "usr1");
  }

  @Test
  void openmpi_on_its_own_is_one_rank() {
    need("openmpi");

    assertThat(job("srun -n1 ./openmpi")).containsExactly("rank 0 of 1 sum 0", "rc 0");
    assertThat(job("grun -n1 -l ./openmpi")).containsExactly("0: rank 0 of 1 sum 0", "rc 0");
    assertThat(job("srun -n2 --mpi=none ./openmpi"))
        .containsExactly("rank 0 of 1 sum 0", "rank 0 of 1 sum 0", "rc 0");
    assertThat(job("srun -n1 --mpi=none sh -c './openmpi 2>/dev/null'"))
        .as("also hidden in a script, if told")
        .containsExactly("rank 0 of 1 sum 0", "rc 0");
    assertThat(job("srun -n4 sh -c './openmpi 2>/dev/null'"))
        .as("hidden in a script, without a word, it fails by itself")
        .noneMatch(line -> line.startsWith("rank"))
        .doesNotContain("rc 0");
  }

  /** A program with a library in a place of its own has its mpirun beside that. */
  @Test
  void the_mpirun_is_that_of_the_library() {
    need("openmpi");
    LAB.bash(
        """
        mkdir -p own/lib own/bin
        ln -s $(ldd openmpi | awk '/libmpi.so/ {print $3}') own/lib/libmpi.so.40
        printf '#!/bin/sh\\necho own >&2\\nexec orterun "$@"\\n' >own/bin/mpirun
        chmod +x own/bin/mpirun
        mpicc.openmpi -Wl,-rpath,'$ORIGIN/own/lib' -o placed mpi.c
        """);

    assertThat(job("srun -n4 ./placed 2>&1")).contains("own").containsAll(four("rc 0"));
    assertThat(job("LD_LIBRARY_PATH=$PWD/own/lib srun -n4 ./openmpi 2>&1")).contains("own");
  }

  /** How a step of four ranks ends that would wait for ever. */
  private static long waiting(String... options) {
    Path log = LAB.work().resolve("ranks");
    LAB.write(log, "");
    Path script =
        LAB.write(LAB.work().resolve("job"), "#!/bin/bash\nexec srun -n4 ./openmpi a b c >ranks\n");
    var words = new ArrayList<>(List.of(options));
    words.addAll(List.of("-n4", script.toString()));
    long job = LAB.submit(words.toArray(String[]::new));
    LAB.await("four ranks", () -> Lab.read(log).lines().count() == 4);
    return job;
  }

  @Test
  void nothing_is_left_of_ranks_that_had_to_end() {
    need("openmpi");

    long cancelled = waiting();
    LAB.ok("gcancel", "" + cancelled);
    LAB.awaitState(cancelled, "CANCELLED");
    assertThat(LAB.processesOfJobs()).isEmpty();

    long late = waiting("--time", "2s");
    LAB.awaitState(late, "TIMEOUT");
    assertThat(LAB.processesOfJobs()).isEmpty();

    long survivor = waiting();
    LAB.killDaemon();
    LAB.up();
    assertThat(LAB.state(survivor)).isEqualTo("RUNNING");
    LAB.ok("gcancel", survivor + ".0");
    LAB.awaitState(survivor, "FAILED");
    assertThat(LAB.steps(survivor).getFirst()).containsEntry("state", "CANCELLED");
    assertThat(LAB.processesOfJobs()).isEmpty();
  }

  @Test
  void mpirun_uses_the_tasks_of_the_job() {
    for (String kind : List.of("mpich", "openmpi")) {
      if (Files.exists(LAB.work().resolve(kind))) {
        assertThat(job("mpirun." + kind + " -n 4 ./" + kind)).as(kind).isEqualTo(four("rc 0"));
        assertThat(job("mpirun." + kind + " ./" + kind)).as(kind).isEqualTo(four("rc 0"));
      }
    }
  }

  @Test
  void openmpi_itself_says_that_there_are_not_so_many_slots() {
    need("openmpi");

    assertThat(job("mpirun.openmpi -n 6 ./openmpi 2>&1"))
        .anyMatch(line -> line.contains("There are not enough slots available"))
        .noneMatch(line -> line.startsWith("rank"));
  }
}
