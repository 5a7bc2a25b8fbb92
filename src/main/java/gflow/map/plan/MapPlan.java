package gflow.map.plan;

import gflow.job.JobSpec.Terms;
import gflow.job.RetryOn;
import gflow.json.BadJson;
import gflow.json.RecordJson;
import gflow.map.items.BadItems;
import gflow.map.items.CommandTemplate;
import gflow.map.items.Item;
import gflow.map.results.MapFolder;
import java.io.IOException;
import java.nio.file.Files;
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
   * {@code cards}: the GPUs as asked for, {@code 1-8}; {@code most}: items at once; {@code fixed}:
   * item i goes to slot i mod n, as seed 001 has it.
   */
  public record Slots(String cards, int perGpu, OptionalInt most, int cpusPerItem, boolean fixed) {}

  /** What happens to items that fail; {@code mostFailures}: a number, or a part as {@code 5%}. */
  public record Care(
      Optional<Duration> timeout,
      int retries,
      List<RetryOn> retryOn,
      Optional<String> mostFailures,
      Optional<String> check) {
    /** Maps from before there were words have none. */
    public Care {
      retryOn = retryOn.isEmpty() ? Terms.USUAL : List.copyOf(retryOn);
    }
  }

  /** {@code template}: the file of an item's own value. */
  public record Output(Optional<String> template, boolean tag, boolean inOrder, boolean append) {}

  /** The command is started once for each slot, and gets one line for each item. */
  public record Worker(OptionalInt recycle, Duration startTimeout) {}

  /** Of a folder in which there is one. */
  public static MapPlan read(MapFolder folder) throws BadItems {
    try {
      return RecordJson.read(MapPlan.class, Files.readString(folder.plan()));
    } catch (IOException e) {
      throw new BadItems("there is no map in " + folder.path() + " to go on with");
    } catch (BadJson e) {
      throw new BadItems(folder.plan() + " is damaged: " + e.getMessage());
    }
  }

  /** {@code like}: any of the items. */
  public CommandTemplate template(Item like) {
    return worker.isPresent()
        ? CommandTemplate.ofWorker(command)
        : CommandTemplate.of(command, like, items.perCall(), output.append());
  }

  /** The name of an item's own file, where each has one. */
  public Optional<CommandTemplate> outTemplate(Item like) {
    return output
        .template()
        .map(file -> CommandTemplate.of(List.of(file), like, items.perCall(), false));
  }
}
