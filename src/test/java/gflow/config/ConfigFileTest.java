package gflow.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gflow.job.Ranges;
import gflow.script.order.GpuPlacement;
import gflow.script.order.Partition;
import gflow.script.order.Site;
import gflow.script.value.Toml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigFileTest {
  @TempDir Path folder;

  @Test
  void no_file_and_an_empty_one_are_the_defaults() throws Exception {
    assertThat(ConfigFile.read(folder.resolve("none"))).isEqualTo(ConfigFile.DEFAULT);
    Path empty = Files.writeString(folder.resolve("empty"), "# nothing\n\n[machine]\n");
    assertThat(ConfigFile.read(empty)).isEqualTo(ConfigFile.DEFAULT);
  }

  @Test
  void the_commented_file_names_every_key_with_its_default() throws Exception {
    String text = Files.readString(Path.of("gflow.toml"));
    assertThat(ConfigFile.parse("gflow.toml", text)).isEqualTo(ConfigFile.DEFAULT);

    String uncommented = text.replaceAll("(?m)^#(?=[a-z_]+ = )", "");
    assertThat(ConfigFile.parse("gflow.toml", uncommented)).isEqualTo(ConfigFile.DEFAULT);

    var named = new ArrayList<String>();
    for (Toml.Entry entry : Toml.read(uncommented).entries()) {
      named.add(entry.name());
    }
    assertThat(named).containsExactlyInAnyOrderElementsOf(ConfigFile.keys());
  }

  @Test
  void every_key_is_read() throws Exception {
    var config =
        ConfigFile.parse(
            "f",
            """
            [machine]
            gpus = "sim:4x24G" # four
            cpus = 16
            mem = "64G"
            [gpu]
            foreign_memory = "1GiB"
            ignore_users = ["gdm", 'x # y']
            ignore_commands = [
              "Xorg",  # the screen
              "a,b",
            ]
            placement = "spread"
            trespass = "kill"
            unknown_type = "refuse"
            fence = "on"
            mps = "off"
            [defaults]
            time = "2:00:00"
            grace = "30s"
            priority = 255
            [limits]
            tasks_per_user = 100
            gpus_per_user = 4
            array_size = 5_000
            queued_jobs = 10
            [process]
            kill = "cgroup2"
            launcher = "builder"
            cpuset = "off"
            [log]
            max_size = "0"
            keep = ""
            [history]
            keep = "2w"
            [disk]
            floor = 4096
            [conda]
            roots = ["/opt/conda"]
            [gpu.types]
            a100_80 = "A100-SXM4-80GB"
            [slurm]
            ignore_options = ["--nvmps", "--site"]
            [ports]
            range = "21000-21999"
            [partitions.short]
            max_time = "1h"
            default_time = "10m"
            gpus = [1, 0]
            max_gpus = 1
            default = true
            [partitions.a-1]
            """);
    assertThat(config)
        .isEqualTo(
            new Config(
                new Config.Machine(
                    Optional.of("sim:4x24G"), OptionalInt.of(16), OptionalLong.of(64L << 30)),
                new Config.Gpu(
                    1L << 30,
                    List.of("gdm", "x # y"),
                    List.of("Xorg", "a,b"),
                    GpuPlacement.SPREAD,
                    Config.Trespass.KILL,
                    Config.Fencing.ON,
                    Config.Mps.OFF),
                new Config.Defaults(
                    Optional.of(Duration.ofHours(2)), Optional.of(Duration.ofSeconds(30)), 255),
                new Config.Limits(OptionalInt.of(100), OptionalInt.of(4), 5000, 10),
                Ranges.of(21_000, 21_999),
                new Config.Processes(
                    Config.Kill.CGROUP2, Config.Launcher.BUILDER, Config.Cpuset.OFF),
                new Config.Log(OptionalLong.empty(), Optional.empty()),
                new Config.History(Optional.of(Duration.ofDays(14))),
                new Config.Disk(4L << 30),
                new Site(
                    new TreeMap<>(Map.of("a100_80", "A100-SXM4-80GB")),
                    Site.UnknownType.REFUSE,
                    List.of("--nvmps", "--site")),
                new TreeMap<>(
                    Map.of(
                        "short",
                        new Partition(
                            Optional.of(Duration.ofHours(1)),
                            Optional.of(Duration.ofMinutes(10)),
                            Ranges.of(0, 1),
                            OptionalInt.of(1),
                            true),
                        "a-1",
                        new Partition(
                            Optional.empty(),
                            Optional.empty(),
                            Ranges.EMPTY,
                            OptionalInt.empty(),
                            false)))));
  }

  @Test
  void all_problems_are_said_at_once_with_their_lines() {
    String text =
        """
        cpus = 1
        [machin]
        cpus = 2
        [defaults]
        grace = 10
        priority = 300
        keep = "1d"
        [log]
        max_sise = "1G"
        what is this
        [partitions.x]
        gpus = ["0"]
        max_tim = "1h"
        default = 1
        [partitions.]
        """;
    assertThatThrownBy(() -> ConfigFile.parse("g.toml", text))
        .isInstanceOf(BadConfig.class)
        .hasMessage(
            """
            g.toml:1: cpus is in no table: write a line like [machine] before it
            g.toml:2: there is no table [machin]; did you mean machine?
            g.toml:5: grace: expected a duration as in "10s" or "2:00:00", was 10
            g.toml:6: priority: expected a whole number from 0 to 255, was 300
            g.toml:7: keep belongs under [log], not [defaults]
            g.toml:9: [log] has no key max_sise; did you mean max_size?
            g.toml:10: expected key = value, was what is this
            g.toml:12: gpus: expected a list of whole numbers as in [0, 1], was [0]
            g.toml:13: [partitions.x] has no key max_tim; did you mean max_time?
            g.toml:14: default: expected true or false, was 1
            g.toml:15: a table has letters, digits and _, was ""\
            """);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "gpus = \"cuda\"| gpus: expected \"nvml\", \"none\" or simulated ones as in \"sim:4x24G\","
            + " was \"cuda\"",
        "gpus = 4| gpus: expected \"nvml\", \"none\" or simulated ones as in \"sim:4x24G\", was 4",
        "cpus = -1| cpus: expected a whole number from 0 to 2147483647, was -1",
        "cpus = 1.5| cpus: expected a whole number from 0 to 2147483647, was 1.5",
        "cpus = \"4\"| cpus: expected a whole number from 0 to 2147483647, was \"4\"",
        "cpus = four| a text must be quoted, as in \"four\"",
        "cpus =| there is no value after =",
        "mem = \"lots\"| mem: expected a size as in \"500M\" or \"1G\", was \"lots\"",
        "mem = true| mem: expected a size as in \"500M\" or \"1G\", was true",
        "mem = \"1G| the text does not end: \" is missing",
        "mem = \"1G\" \"2G\"| expected nothing after the text, was \"2G\"",
        "mem = \"\"\"1G\"\"\"| texts over several lines are not known here",
        "mem = \"a\\tb\"| \\ is not known in \"…\": write '…', which takes it as it is",
        "mem = {a = 1}| inline tables ({…}) are not known here",
        "mem = [1, \"a\"]| a list holds values of one kind, was [1, \"a\"]",
        "mem = [1.5]| a list holds texts or whole numbers, was 1.5",
        "mem = [1,,2]| there is a comma too many in the list",
        "mem = [1| the list does not end: ] is missing",
        "a.b = 1| a key has letters, digits and _, was \"a.b\"",
        "\"a\" = 1| a key has letters, digits and _, was \"\"a\"\"",
        "[[gpu]]| lists of tables ([[…]]) are not known here",
        "[gpu| a table is a name in brackets, as in [machine]",
        "[machine]| [machine] is there twice, first in line 1",
        "colour = 1| [machine] has no key colour; there are cpus, gpus, mem",
      })
  void one_wrong_line(String line, String what) {
    assertThatThrownBy(() -> ConfigFile.parse("f", "[machine]\n" + line + "\n"))
        .hasMessage("f:2: " + what);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[process]|kill = \"hard\"|kill: expected one of \"auto\", \"cgroup2\", \"cgroup1\","
            + " \"none\", was \"hard\"",
        "[history]|keep = \"1 year\"|keep: expected a duration as in \"10s\", \"2:00:00\", \"90d\","
            + " or \"\" for none, was \"1 year\"",
        "[conda]|roots = \"/opt\"|roots: expected a list of texts as in [\"a\", \"b\"], was"
            + " \"/opt\"",
        "[conda]|roots = [1]|roots: expected a list of texts as in [\"a\", \"b\"], was [1]",
        "[ports]|range = \"31999-20000\"|range: expected ports from 1024 to 65535 as in"
            + " \"20000-31999\", was \"31999-20000\"",
        "[ports]|range = \"\"|range: expected ports from 1024 to 65535 as in \"20000-31999\","
            + " was \"\"",
        "[limits]|array_size = 0|array_size: expected a whole number from 1 to 10000000, was 0",
      })
  void other_tables(String table, String line, String what) {
    assertThatThrownBy(() -> ConfigFile.parse("f", table + "\n" + line + "\n"))
        .hasMessage("f:2: " + what);
  }

  @Test
  void a_key_given_twice_names_its_first_line() {
    assertThatThrownBy(() -> ConfigFile.parse("f", "[machine]\ncpus = 1\n\ncpus = 2\n"))
        .hasMessage("f:4: cpus is there twice, first in line 2");
  }

  @Test
  void what_cannot_be_read_is_said_so() throws IOException {
    Path binary = Files.write(folder.resolve("b"), new byte[] {-1, -2});
    assertThatThrownBy(() -> ConfigFile.read(binary))
        .hasMessage(binary + ": this is no UTF-8 text");
    assertThatThrownBy(() -> ConfigFile.read(folder)).hasMessageContaining("cannot be read");
  }
}
