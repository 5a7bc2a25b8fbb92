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
  private static List<String> job(String line) {
    Path script = LAB.write(LAB.work().resolve("job"), "#!/bin/bash\n" + line + "\necho rc $?\n");
    long job = LAB.submit("-n4", script.toString());
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
  void srun_does_not_start_a_program_of_openmpi() {
    need("openmpi");

    assertThat(job("srun -n4 ./openmpi 2>&1"))
        .containsExactly(
            "rc 1",
            "srun: error: ./openmpi is an OpenMPI program, which srun cannot start"
                + " (it speaks PMIx); use: mpirun -n 4 ./openmpi");
    assertThat(job("srun -n4 sh -c './openmpi 2>/dev/null'"))
        .as("hidden in a script it fails by itself")
        .noneMatch(line -> line.startsWith("rank"))
        .doesNotContain("rc 0");
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
