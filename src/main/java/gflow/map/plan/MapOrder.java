package gflow.map.plan;

import gflow.map.items.ItemFile;
import gflow.map.items.Source;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a command line of {@code gmap} asks for. {@code job}: the options of the job that it
 * becomes, as {@code gbatch} takes them; {@code said}: the options that stand there.
 */
public record MapOrder(
    List<String> command,
    Items items,
    Way way,
    Results results,
    Flags flags,
    SortedMap<String, List<String>> job,
    Set<String> said) {
  public MapOrder {
    command = List.copyOf(command);
    said = Set.copyOf(said);
    job = Collections.unmodifiableSortedMap(new TreeMap<>(job));
  }

  /** {@code limit}: the first so many, 0 for all; {@code sizeFrom}: the largest first. */
  public record Items(Source source, int limit, int perCall, Optional<String> sizeFrom) {}

  /** How they are worked on: as it stands in the plan. */
  public record Way(
      MapPlan.Slots slots,
      MapPlan.Care care,
      MapPlan.Output output,
      Optional<MapPlan.Worker> worker) {}

  /**
   * {@code folder}: empty for one that is named after the job. {@code changed}: go on though the
   * items are others than before.
   */
  public record Results(
      Optional<String> folder, boolean resume, boolean retryFailed, boolean changed) {}

  public record Flags(boolean dryRun, boolean detach, boolean json, boolean quiet) {}

  /** {@code folder}: the caller's. */
  public MapPlan plan(String folder, ItemFile.Written written) {
    var all =
        new MapPlan.Items(
            written.count(), written.sha256(), items.perCall(), items.sizeFrom().isPresent());
    return new MapPlan(command, folder, all, way.slots(), way.care(), way.output(), way.worker());
  }

  /** As far as it is known before the items are. */
  public MapPlan draft() {
    return plan("", new ItemFile.Written(0, ""));
  }
}
