package gflow.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import gflow.local.mps.MpsPlaces;
import gflow.process.Proc;
import gflow.process.ProcessMark;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * NVIDIA's control daemon without NVIDIA's: see src/test/mps/nvidia-cuda-mps-control for what it
 * can be told to do.
 */
public record FakeMps(Path folder) {
  private static final String CONTROL = "nvidia-cuda-mps-control";

  public static FakeMps in(Path folder) throws IOException {
    Files.createDirectories(folder);
    Files.copy(Path.of("src/test/mps", CONTROL), folder.resolve(CONTROL));
    folder.resolve(CONTROL).toFile().setExecutable(true);
    // As the kernel shows it, it is a server.
    Files.copy(
        Path.of("/bin/sleep").toRealPath(),
        folder.resolve("nvidia-cuda-mps-server"),
        StandardCopyOption.COPY_ATTRIBUTES);
    return new FakeMps(folder);
  }

  MpsPlaces places(Path servers) {
    return new MpsPlaces(Optional.of(folder.resolve(CONTROL)), servers);
  }

  /** What goes wrong from now on. */
  public FakeMps does(String... lines) {
    try {
      Files.write(folder.resolve("how"), List.of(lines));
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All that was said to it, a line each. */
  public List<String> said() {
    try {
      Path said = folder.resolve("said");
      return Files.exists(said) ? Files.readAllLines(said) : List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public long starts() {
    return said().stream().filter(line -> line.startsWith("start ")).count();
  }

  /** The control daemons and servers of this one that live. */
  public List<Long> living() {
    return Proc.all().stream().filter(this::isOurs).toList();
  }

  public List<Long> controls() {
    return living().stream().filter(pid -> words(pid).contains("-f")).toList();
  }

  public List<Long> servers() {
    return living().stream().filter(pid -> words(pid).contains("mps-server")).toList();
  }

  /** Not those to whom a word is said. */
  private boolean isOurs(long pid) {
    String words = words(pid);
    boolean one = words.contains(CONTROL + " -f") || words.contains("nvidia-cuda-mps-server ");
    return words.contains(folder.toString()) && one && isMarked(pid);
  }

  private static boolean isMarked(long pid) {
    return Proc.environ(pid)
            .filter(block -> new String(block, UTF_8).contains(ProcessMark.VARIABLE + "="))
            .isPresent()
        && Proc.stat(pid).filter(stat -> !stat.dead()).isPresent();
  }

  private static String words(long pid) {
    return String.join(
            " ",
            Proc.cmdline(pid).stream().flatMap(word -> Stream.of(new String(word, UTF_8))).toList())
        + " ";
  }
}
