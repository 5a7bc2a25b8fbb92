package gflow.map;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a map does, as it stands in {@code map.json} of its folder: everything that the runner needs
 * besides the items.
 */
public record MapPlan(
    List<String> command,
    String folder,
    Items items,
    Slots slots,
    Care care,
    Output output,
    Optional<Worker> worker) {

  /** How many there are, the hash of their file, how many for each call, and in which order. */
  public record Items(int count, String sha256, int perCall, boolean longestFirst) {}

  /**
   * {@code cards}: as asked for, {@code 1-8}; {@code most}: items at once; {@code fixed}: item i
   * goes to slot i mod n, as seed 001 has it.
   */
  public record Slots(String cards, int perGpu, OptionalInt most, int cpusPerItem, boolean fixed) {
    private Slots or(Slots before) {
      return new Slots(
          cards.equals("auto") ? before.cards : cards,
          perGpu == 1 ? before.perGpu : perGpu,
          most.isPresent() ? most : before.most,
          cpusPerItem == 1 ? before.cpusPerItem : cpusPerItem,
          fixed || before.fixed);
    }
  }

  /** What happens to items that fail; {@code mostFailures}: a number, or a part as {@code 5%}. */
  public record Care(
      Optional<Duration> timeout,
      int retries,
      Optional<String> mostFailures,
      Optional<String> check) {
    private Care or(Care before) {
      return new Care(
          timeout.or(() -> before.timeout),
          retries == 0 ? before.retries : retries,
          mostFailures.or(() -> before.mostFailures),
          check.or(() -> before.check));
    }
  }

  /** {@code template}: the file of an item's own value. */
  public record Output(Optional<String> template, boolean tag, boolean inOrder, boolean append) {
    private Output or(Output before) {
      return new Output(
          template.or(() -> before.template),
          tag || before.tag,
          inOrder || before.inOrder,
          append && before.append);
    }
  }

  /** The command is started once for each slot, and gets one line for each item. */
  public record Worker(OptionalInt recycle, Duration startTimeout) {}

  /** When the map is gone on with by this plan: what it leaves open is as it was before. */
  MapPlan or(MapPlan before) {
    return new MapPlan(
        command.isEmpty() ? before.command : command,
        folder,
        items,
        slots.or(before.slots),
        care.or(before.care),
        output.or(before.output),
        command.isEmpty() ? worker.or(() -> before.worker) : worker);
  }
}
