package gflow.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Reading and writing the small files of the cgroup file system. */
final class ControlFile {
  private ControlFile() {}

  /** Empty if there is no such file. */
  static String read(Path file) {
    return KernelFile.readAtOnce(file).map(text -> new String(text, UTF_8).strip()).orElse("");
  }

  static List<String> words(Path file) {
    return List.of(read(file).split("\\s+", -1));
  }

  /** The value of one line {@code key value}, or of a file that is one number if it has no key. */
  static OptionalLong number(Path file, String key) {
    return read(file)
        .lines()
        .map(line -> key.isEmpty() ? key + " " + line : line)
        // Not so "max", which is no number.
        .filter(line -> line.matches(key + " \\d+"))
        .mapToLong(line -> Long.parseLong(line.substring(key.length() + 1)))
        .findFirst();
  }

  /** False if the kernel refuses: the caller does without. */
  static boolean write(Path file, String text) {
    try {
      Files.writeString(file, text);
      return true;
    } catch (IOException _) {
      return false;
    }
  }

  /** The pids in a group and all groups below it: a job may have made some. */
  static List<Long> pids(Path folder) {
    var pids = new ArrayList<Long>();
    read(folder.resolve("cgroup.procs")).lines().map(Long::parseLong).forEach(pids::add);
    below(folder).forEach(child -> pids.addAll(pids(child)));
    return pids;
  }

  static List<Path> below(Path folder) {
    return Stream.of(KernelFile.names(folder))
        .map(folder::resolve)
        .filter(Files::isDirectory)
        .toList();
  }
}
