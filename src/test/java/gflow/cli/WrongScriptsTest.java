package gflow.cli;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.api.Answer;
import gflow.job.GpuId;
import gflow.job.JobSpec;
import gflow.job.Ranges;
import gflow.plan.Availability;
import gflow.plan.Gpu;
import gflow.plan.Machine;
import gflow.plan.Planner;
import gflow.plan.Reason;
import gflow.plan.WholeMachine;
import gflow.script.order.Defaults;
import gflow.script.order.Order;
import gflow.script.order.Orders;
import gflow.script.value.BadInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
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

  /** Four GPUs, 16 CPUs, 64 G. */
  private static final Machine MACHINE =
      new Machine(
          IntStream.range(0, 4).mapToObj(WrongScriptsTest::gpu).toList(),
          Ranges.firstN(16),
          64 * G);

  @TempDir Path folder;

  private static Gpu gpu(int index) {
    return new Gpu(
        new GpuId("GPU-" + index),
        index,
        "NVIDIA A100",
        80 * G,
        Ranges.EMPTY,
        new Availability.Usable());
  }

  /** Refuses also what that machine can never run, as the daemon does. */
  private static final class OnThatMachine extends FakeGflow {
    @Override
    public Answer<List<Receipt>> submit(List<Order> some, Optional<String> key) {
      return never(some.getFirst())
          .or(() -> unknown(some.getFirst()))
          .<Answer<List<Receipt>>>map(line -> new Answer.No<>(Answer.Kind.REFUSED, line))
          .orElseGet(() -> super.submit(some, key));
    }

    private static Optional<String> never(Order order) {
      return spec(order)
          .flatMap(
              spec ->
                  Planner.never(
                      MACHINE,
                      WholeMachine.counted(MACHINE, spec.request(), spec.asked()),
                      spec.asked()))
          .map(Reason::text);
    }

    /** There are no other jobs there. */
    private static Optional<String> unknown(Order order) {
      return spec(order).stream()
          .flatMap(spec -> spec.terms().dependencies().list().stream())
          .flatMap(dependency -> dependency.parent().stream())
          .map(job -> "there is no job " + job + " (gqueue -s all lists those that ended)")
          .findFirst();
    }

    private static Optional<JobSpec> spec(Order order) {
      try {
        return Optional.of(
            Orders.draft(order, Instant.EPOCH, ZoneOffset.UTC, Defaults.NONE).spec());
      } catch (BadInput e) {
        return Optional.empty();
      }
    }
  }

  @Test
  void each_wrong_script_gets_its_line_and_is_not_submitted() throws IOException {
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

  private String answered(String part) throws IOException {
    String title = part.substring(0, part.indexOf('\n') + 1);
    int command = part.indexOf("\n>> ") + 1;
    String script = part.substring(title.length(), command);
    String line = part.substring(command + 3, part.indexOf('\n', command));
    Files.writeString(folder.resolve("job.sh"), script.replace("\\r", "\r"));
    var gflow = new OnThatMachine();
    String said = new Transcript(folder, () -> gflow).block(line);
    assertThat(gflow.orders.isEmpty()).as(title).isEqualTo(!title.startsWith("submitted"));
    return "## " + title + script + ">> " + line + said.substring(said.indexOf('\n'));
  }
}
