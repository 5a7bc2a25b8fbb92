package gflow.config;

import gflow.job.JobSpec;
import gflow.job.Ranges;
import gflow.script.order.GpuPlacement;
import gflow.script.order.Partition;
import gflow.script.order.Site;
import gflow.script.value.Toml;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reads {@code gflow.toml}. */
public final class ConfigFile {
  private static final String PARTITIONS = "partitions.";
  public static final Config DEFAULT = config(new Settings(Toml.read("")), List.of());

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
    settings.texts("conda.roots");
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

  /** The one list of keys, with what counts where they are not said. */
  private static Config config(Settings all, List<Toml.Table> tables) {
    OptionalInt cpus = all.limit("machine.cpus");
    return new Config(
        new Config.Machine(
            all.text(
                "machine.gpus",
                "\"nvml\", \"none\" or simulated ones as in \"sim:4x24G\"",
                text -> text.equals("nvml") || text.equals("none") || text.startsWith("sim:")),
            cpus,
            all.sizeOrNone("machine.mem", 0)),
        new Config.Gpu(
            all.size("gpu.foreign_memory", 500L << 20),
            all.texts("gpu.ignore_users"),
            all.texts("gpu.ignore_commands"),
            all.choice("gpu.placement", GpuPlacement.AUTO),
            all.choice("gpu.trespass", Config.Trespass.REPORT),
            all.choice("gpu.fence", Config.Fencing.AUTO),
            all.choice("gpu.mps", Config.Mps.AUTO)),
        new Config.Defaults(
            all.durationOrNone("defaults.time", Duration.ZERO),
            all.givenDuration("defaults.grace"),
            all.whole("defaults.priority", JobSpec.DEFAULT_PRIORITY, 0, JobSpec.MAX_PRIORITY)),
        new Config.Limits(
            all.limit("limits.tasks_per_user"),
            all.limit("limits.gpus_per_user"),
            all.whole("limits.array_size", 1_000_000, 1, 10_000_000),
            all.whole("limits.queued_jobs", 1_000_000, 1, 100_000_000)),
        all.ports("ports.range", Ranges.of(20_000, 31_999)),
        new Config.Processes(
            all.choice("process.kill", Config.Kill.AUTO),
            all.choice("process.launcher", Config.Launcher.AUTO),
            all.choice("process.cpuset", Config.Cpuset.AUTO)),
        new Config.Log(
            all.sizeOrNone("log.max_size", 1L << 30),
            all.durationOrNone("log.keep", Duration.ofDays(90))),
        new Config.History(all.durationOrNone("history.keep", Duration.ofDays(365))),
        new Config.Disk(all.size("disk.floor", 1L << 30)),
        new Site(
            all.table("gpu.types"),
            all.choice("gpu.unknown_type", Site.UnknownType.AUTO),
            all.texts("slurm.ignore_options", Site.USUAL.ignoredOptions())),
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
                all.durationOrNone(name + ".max_time", Duration.ZERO),
                all.durationOrNone(name + ".default_time", Duration.ZERO),
                all.numbers(name + ".gpus"),
                all.limit(name + ".max_gpus"),
                all.flag(name + ".default")));
      }
    }
    return partitions;
  }
}
