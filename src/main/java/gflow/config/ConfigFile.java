package gflow.config;

import static gflow.config.Config.DEFAULT;

import gflow.script.order.Partition;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reads {@code gflow.toml}. */
public final class ConfigFile {
  private static final String PARTITIONS = "partitions.";

  private ConfigFile() {}

  /** No file is the defaults. */
  public static Config read(Path file) throws BadConfig {
    try {
      return parse(file.toString(), Files.readString(file));
    } catch (NoSuchFileException e) {
      return DEFAULT;
    } catch (CharacterCodingException e) {
      throw new BadConfig(List.of(file + ": this is no UTF-8 text"));
    } catch (IOException e) {
      throw new BadConfig(List.of(file + ": cannot be read: " + e.getMessage()));
    }
  }

  static Config parse(String file, String text) throws BadConfig {
    Toml.Content content = Toml.read(text);
    var settings = new Settings(content);
    Config config = config(settings, content.tables());
    // It was described and never read; files that have it are no worse for it.
    settings.texts("conda.roots", List.of());
    SortedMap<Integer, String> problems = settings.problems(content.tables());
    if (!problems.isEmpty()) {
      throw new BadConfig(
          problems.entrySet().stream()
              .map(problem -> file + ":" + problem.getKey() + ": " + problem.getValue())
              .toList());
    }
    return config;
  }

  /** Every key, as {@code table.key}. */
  static List<String> keys() {
    var settings = new Settings(Toml.read(""));
    config(settings, List.of());
    return settings.known();
  }

  private static Config config(Settings all, List<Toml.Table> tables) {
    return new Config(
        machine(all),
        new Config.Gpu(
            all.size("gpu.foreign_memory", DEFAULT.gpu().foreignMemory()),
            all.texts("gpu.ignore_users", DEFAULT.gpu().ignoreUsers()),
            all.texts("gpu.ignore_commands", DEFAULT.gpu().ignoreCommands())),
        new Config.Defaults(
            all.durationOrNone("defaults.time", DEFAULT.defaults().time()),
            all.givenDuration("defaults.grace"),
            all.whole("defaults.priority", DEFAULT.defaults().priority(), 0, 255)),
        limits(all),
        new Config.Processes(
            all.choice("process.kill", DEFAULT.process().kill()),
            all.choice("process.launcher", DEFAULT.process().launcher()),
            all.choice("process.cpuset", DEFAULT.process().cpuset())),
        new Config.Log(
            all.sizeOrNone("log.max_size", DEFAULT.log().maxSize()),
            all.durationOrNone("log.keep", DEFAULT.log().keep())),
        new Config.History(all.durationOrNone("history.keep", DEFAULT.history().keep())),
        new Config.Disk(all.size("disk.floor", DEFAULT.disk().floor())),
        partitions(all, tables));
  }

  /** Each has a table of its own: {@code [partitions.short]}. */
  private static SortedMap<String, Partition> partitions(Settings all, List<Toml.Table> tables) {
    var partitions = new TreeMap<String, Partition>();
    for (Toml.Table table : tables) {
      String name = table.name();
      if (name.startsWith(PARTITIONS)) {
        partitions.put(
            name.substring(PARTITIONS.length()),
            new Partition(
                all.durationOrNone(name + ".max_time", Optional.empty()),
                all.durationOrNone(name + ".default_time", Optional.empty()),
                all.numbers(name + ".gpus"),
                all.limit(name + ".max_gpus", OptionalInt.empty()),
                all.flag(name + ".default")));
      }
    }
    return partitions;
  }

  private static Config.Machine machine(Settings all) {
    OptionalInt cpus = all.limit("machine.cpus", DEFAULT.machine().cpus());
    return new Config.Machine(
        all.text(
            "machine.gpus",
            DEFAULT.machine().gpus(),
            "\"nvml\", \"none\" or simulated ones as in \"sim:4x24G\"",
            text -> text.equals("nvml") || text.equals("none") || text.startsWith("sim:")),
        cpus,
        all.sizeOrNone("machine.mem", DEFAULT.machine().mem()));
  }

  private static Config.Limits limits(Settings all) {
    Config.Limits standard = DEFAULT.limits();
    return new Config.Limits(
        all.limit("limits.tasks_per_user", standard.tasksPerUser()),
        all.limit("limits.gpus_per_user", standard.gpusPerUser()),
        all.whole("limits.array_size", standard.arraySize(), 1, 10_000_000),
        all.whole("limits.queued_jobs", standard.queuedJobs(), 1, 100_000_000));
  }
}
