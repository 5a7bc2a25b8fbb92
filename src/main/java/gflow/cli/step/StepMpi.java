package gflow.cli.step;

import gflow.cli.frame.Call;
import gflow.cli.frame.Refused;
import gflow.script.grammar.Given;
import gflow.script.step.StepPlan.Mpi;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Whether, and how, the tasks of a step are one MPI program. Those of MPICH and its relatives are
 * served by the step's parent; those of OpenMPI by their own mpirun.
 */
record StepMpi(Call call, Given given, String type) {
  private static final Pattern LIBRARY = Pattern.compile("libmpi(_\\w+)?\\.so\\.(20|40)");

  /** The first is OpenMPI's alone; any MPI may have the last. */
  private static final List<String> MPIRUN = List.of("orterun", "mpirun.openmpi", "mpirun");

  /** What the tasks are to each other as a step, and which are programs of OpenMPI. */
  record Kin(Mpi step, List<Boolean> openMpi) {
    Mpi of(int task) {
      return step instanceof Mpi.None && openMpi.get(task) ? new Mpi.Single() : step;
    }
  }

  static StepMpi of(Call call, Given given) throws Refused {
    String type = given.value("mpi").orElse(call.variable("SLURM_MPI_TYPE").orElse(""));
    if (given.has("mpi") && !type.matches("|none|openmpi|pmi[12]?|pmix(_v\\d+)?")) {
      throw refused(call, "Invalid MPI type '" + type + "', --mpi=list for acceptable types");
    }
    return new StepMpi(call, given, type);
  }

  static int list(Call call) {
    return call.say("MPI plugin types are...\n\tnone\n\tpmi2\n\tpmix\n");
  }

  /**
   * Programs of which some are OpenMPI's and others are none cannot be one: the first would wait
   * for the others for ever.
   */
  Kin judge(StepPrograms programs) throws Refused {
    var seen = new LinkedHashMap<String, Optional<Elf.Linked>>();
    var openMpi = new ArrayList<Boolean>();
    for (List<String> words : programs.each()) {
      openMpi.add(seen.computeIfAbsent(words.getFirst(), StepMpi::openMpi).isPresent());
    }
    boolean said = type.startsWith("pmix") || type.equals("openmpi");
    if (type.equals("none") || (said && openMpi.size() == 1)) {
      return new Kin(new Mpi.Single(), openMpi);
    }
    if (openMpi.size() == 1) {
      return new Kin(new Mpi.None(), openMpi);
    }
    if (said || !openMpi.contains(false)) {
      var first = seen.firstEntry();
      return new Kin(new Mpi.Mpirun(mpirun(first.getKey(), first.getValue())), openMpi);
    }
    return new Kin(openMpi.contains(true) ? new Mpi.None() : new Mpi.Pmi(), openMpi);
  }

  private static Refused refused(Call call, String line) {
    return new Refused(call.name().equals("srun") ? "error: " + line : line);
  }

  /** What cannot be read will say so itself when it is run. */
  private static Optional<Elf.Linked> openMpi(String program) {
    try (var file = FileChannel.open(Path.of(program))) {
      return Optional.of(Elf.linked(file::read, file.size()))
          .filter(linked -> linked.needed().stream().anyMatch(LIBRARY.asMatchPredicate()));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  // ---- its mpirun ----

  /** That which came with its library, if that is in a place of its own; else that of PATH. */
  private String mpirun(String program, Optional<Elf.Linked> linked) throws Refused {
    Stream<String> near =
        linked.stream()
            .flatMap(names -> folders(program, names).stream())
            .map(folder -> folder.resolveSibling("bin"))
            .flatMap(bin -> MPIRUN.stream().map(bin::resolve))
            .flatMap(path -> StepPrograms.runnable(path).stream());
    Stream<String> onPath =
        MPIRUN.stream().flatMap(name -> StepPrograms.onPath(call, Path.of("/"), name).stream());
    return Stream.concat(near, onPath)
        .findFirst()
        .orElseThrow(
            () ->
                refused(
                    call,
                    "%s is a program of OpenMPI, and its mpirun, which %s needs, is not on PATH"
                        .formatted(program, call.name())));
  }

  /** Where the program finds the library, but for those of the system. */
  private List<Path> folders(String program, Elf.Linked linked) {
    var written = new ArrayList<>(linked.folders());
    written.addAll(List.of(call.variable("LD_LIBRARY_PATH").orElse("").split(":", -1)));
    String origin = String.valueOf(Path.of(program).getParent());
    return written.stream()
        .filter(folder -> !folder.isEmpty())
        .map(folder -> folder.replace("${ORIGIN}", origin).replace("$ORIGIN", origin))
        .map(folder -> call.path(folder).normalize())
        .filter(
            folder ->
                linked.needed().stream()
                    .filter(LIBRARY.asMatchPredicate())
                    .anyMatch(name -> Files.exists(folder.resolve(name))))
        .toList();
  }
}
