package gflow.cli;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.daemon.StillDaemon;
import gflow.daemon.core.Inventory;
import gflow.gpu.GpuDevice;
import gflow.job.GpuId;
import gflow.job.Ranges;
import gflow.script.order.Defaults;
import gflow.store.MemoryStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Wrong scripts and the one line that each gets: the line of the script, what is wrong, what to
 * write; nothing is submitted. A case is a title after {@code ## }, the script, and after {@code >>
 * } the command; what that says stands below it. {@code -Dgolden.write=true} rewrites the answers.
 */
class WrongScriptsTest {
  private static final Path GOLDEN = Path.of("src/test/resources/golden/wrong-scripts.txt");
  private static final long G = 1L << 30;

  @TempDir Path folder;

  /** Four GPUs, 16 CPUs, 64 G, and no jobs. */
  private static StillDaemon.Setup machine() {
    List<GpuDevice> gpus = IntStream.range(0, 4).mapToObj(WrongScriptsTest::gpu).toList();
    return new StillDaemon.Setup(
        LabJobs.ALICE,
        new Inventory.Stock(gpus, true, Ranges.firstN(16), 64 * G, 0, "boot"),
        Defaults.NONE,
        LabJobs.PLACES,
        LabJobs.NOW,
        ZoneOffset.UTC);
  }

  private static GpuDevice gpu(int index) {
    return new GpuDevice(
        new GpuId("GPU-" + index), index, "NVIDIA A100", 80 * G, Ranges.EMPTY, true);
  }

  @Test
  void each_wrong_script_gets_its_line_and_is_not_submitted() throws Exception {
    var text = new StringBuilder();
    for (String part : Files.readString(GOLDEN).split("(?m)^## ", -1)) {
      if (!part.isEmpty()) {
        text.append(answered(part));
      }
    }
    if (Boolean.getBoolean("golden.write")) {
      Files.writeString(GOLDEN, text);
    }
    assertThat(text.toString()).isEqualTo(Files.readString(GOLDEN));
  }

  private String answered(String part) throws Exception {
    String title = part.substring(0, part.indexOf('\n') + 1);
    int command = part.indexOf("\n>> ") + 1;
    String script = part.substring(title.length(), command);
    String line = part.substring(command + 3, part.indexOf('\n', command));
    Files.writeString(folder.resolve("job.sh"), script.replace("\\r", "\r"));
    try (var daemon = new StillDaemon(machine(), new MemoryStore(new MemoryStore.Disk()))) {
      String said = new Transcript(folder, daemon::service).block(line);
      boolean submitted = !daemon.loop().look(core -> core.ledger().jobs().isEmpty());
      assertThat(submitted).as(title).isEqualTo(title.startsWith("submitted"));
      return "## " + title + script + ">> " + line + said.substring(said.indexOf('\n'));
    }
  }
}
