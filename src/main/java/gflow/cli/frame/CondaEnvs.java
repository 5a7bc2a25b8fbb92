package gflow.cli.frame;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds a conda environment by name or path, without running conda: in the roots that the caller's
 * environment names, then where installers put them. A prefix is a folder with {@code conda-meta}.
 */
record CondaEnvs(Call call) {
  private static final List<String> USUAL =
      List.of("miniconda3", "anaconda3", "miniforge3", "mambaforge", "micromamba");

  /** The prefix of that environment. */
  Path resolve(String wanted) throws Refused {
    if (wanted.contains("/")) {
      Path prefix = call.path(wanted).normalize();
      if (isPrefix(prefix)) {
        return prefix;
      }
      throw new Refused(
          "--conda-env: " + wanted + " is no conda environment (no conda-meta in it)");
    }
    SequencedSet<Path> prefixes = prefixes();
    for (Path prefix : prefixes) {
      if (name(prefix).equals(wanted)) {
        return prefix;
      }
    }
    throw new Refused(
        "--conda-env: there is no conda environment '" + wanted + "'; " + found(prefixes));
  }

  private static String found(SequencedSet<Path> prefixes) {
    return prefixes.isEmpty()
        ? "no conda was found: give the path of the environment"
        : "found: "
            + prefixes.stream().map(CondaEnvs::name).distinct().collect(Collectors.joining(", "));
  }

  /** A root is {@code base}; an environment is known by its folder. */
  private static String name(Path prefix) {
    boolean isEnv = prefix.getParent() != null && prefix.getParent().endsWith("envs");
    boolean isRoot = Files.isDirectory(prefix.resolve("envs")) && !isEnv;
    return isRoot ? "base" : String.valueOf(prefix.getFileName());
  }

  private static boolean isPrefix(Path folder) {
    return Files.isDirectory(folder.resolve("conda-meta"));
  }

  private SequencedSet<Path> prefixes() {
    var prefixes = new LinkedHashSet<Path>();
    for (Path root : roots()) {
      if (isPrefix(root)) {
        prefixes.add(root);
      }
      prefixes.addAll(inFolder(root.resolve("envs")));
    }
    home().ifPresent(home -> prefixes.addAll(inFolder(home.resolve(".conda/envs"))));
    home().ifPresent(home -> prefixes.addAll(listed(home.resolve(".conda/environments.txt"))));
    return prefixes;
  }

  private List<Path> roots() {
    var roots = new ArrayList<Path>();
    for (String variable : List.of("CONDA_EXE", "MAMBA_EXE")) {
      call.variable(variable).map(Path::of).flatMap(CondaEnvs::rootOf).ifPresent(roots::add);
    }
    call.variable("MAMBA_ROOT_PREFIX").map(Path::of).ifPresent(roots::add);
    call.variable("CONDA_PREFIX").map(Path::of).map(CondaEnvs::outOfEnvs).ifPresent(roots::add);
    home().ifPresent(home -> USUAL.forEach(folder -> roots.add(home.resolve(folder))));
    roots.add(Path.of("/opt/conda"));
    return roots;
  }

  /** {@code ROOT/bin/conda} → ROOT. */
  private static Optional<Path> rootOf(Path program) {
    return Optional.ofNullable(program.getParent()).map(Path::getParent);
  }

  /** With an environment active, CONDA_PREFIX is ROOT/envs/NAME. */
  private static Path outOfEnvs(Path prefix) {
    Path envs = prefix.getParent();
    boolean inside = envs != null && envs.endsWith("envs") && envs.getParent() != null;
    return inside ? envs.getParent() : prefix;
  }

  private Optional<Path> home() {
    return call.variable("HOME").map(Path::of);
  }

  private static List<Path> inFolder(Path envs) {
    try (Stream<Path> folders = Files.list(envs)) {
      return folders.filter(CondaEnvs::isPrefix).sorted().toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  private static List<Path> listed(Path file) {
    try (Stream<String> lines = Files.lines(file)) {
      return lines
          .map(String::strip)
          .filter(line -> line.startsWith("/"))
          .map(Path::of)
          .filter(CondaEnvs::isPrefix)
          .toList();
    } catch (IOException | java.io.UncheckedIOException e) {
      return List.of();
    }
  }
}
