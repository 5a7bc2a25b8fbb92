package gflow.cli;

import gflow.script.Given;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.regex.Pattern;

/**
 * Whether the tasks of a step can be one MPI program. Those of MPICH and its relatives can; those
 * of OpenMPI need their own mpirun, and must not run as so many programs of one rank each.
 */
record StepMpi(Call call, Given given, boolean none) {
  private static final Pattern OPEN_MPI = Pattern.compile("libmpi(_\\w+)?\\.so\\.(20|40)");

  static StepMpi of(Call call, Given given) throws Refused {
    String type = given.value("mpi").orElse("");
    if (type.startsWith("pmix") || type.equals("openmpi")) {
      throw new Refused(
          error(call, "--mpi=" + type + ": srun speaks PMI-1 only; " + "for OpenMPI use mpirun"));
    }
    if (!type.isEmpty() && !type.equals("none") && !type.matches("pmi[12]?")) {
      throw new Refused(
          error(call, "Invalid MPI type '" + type + "', --mpi=list for acceptable types"));
    }
    boolean none = call.variable("SLURM_MPI_TYPE").filter("none"::equals).isPresent();
    return new StepMpi(call, given, type.isEmpty() ? none : type.equals("none"));
  }

  static int list(Call call) {
    call.line("MPI plugin types are...\n\tnone\n\tpmi2");
    return 0;
  }

  /** Refuses what would fail; otherwise whether the tasks are to hear of each other. */
  boolean mayRun(StepPrograms programs, int tasks) throws Refused {
    if (none) {
      return false;
    }
    var names = new LinkedHashSet<String>();
    programs.each().forEach(words -> names.add(words.getFirst()));
    for (String program : names) {
      if (isOpenMpi(Path.of(program))) {
        throw new Refused(refusal(names.size() == 1 ? given.words().getFirst() : program, tasks));
      }
    }
    return tasks > 1;
  }

  private String refusal(String program, int tasks) {
    return error(
        call,
        "%s is an OpenMPI program, which %s cannot start (it speaks PMIx); use: mpirun -n %d %s"
            .formatted(program, call.name(), tasks, program));
  }

  private static String error(Call call, String line) {
    return call.name().equals("srun") ? "error: " + line : line;
  }

  /** What cannot be read will say so itself when it is run. */
  private static boolean isOpenMpi(Path program) {
    try (var file = FileChannel.open(program)) {
      return Elf.needed(file::read, file.size()).stream().anyMatch(OPEN_MPI.asMatchPredicate());
    } catch (IOException e) {
      return false;
    }
  }
}
