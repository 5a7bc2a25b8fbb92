package gflow.map.run;

import gflow.map.items.BadItems;
import gflow.map.items.CommandTemplate;
import gflow.map.items.ItemVariables;
import gflow.map.items.RunPlace;
import gflow.map.results.Try;
import gflow.process.RawText;
import gflow.process.Spawn;
import gflow.process.Stdio;
import gflow.script.env.Environment;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The command of a map with an item in its places, and the runner's environment with it. */
final class CommandBuilder {
  /** As of a job: what other makers call it. */
  private static final List<String> VISIBLE_GPUS =
      List.of(
          "CUDA_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL", "ROCR_VISIBLE_DEVICES", "ZE_AFFINITY_MASK");

  private final CommandTemplate template;
  private final String folder;
  private final Environment base;
  private final ConcurrentHashMap<String, String> programs = new ConcurrentHashMap<>();

  /** The runner's environment without some names. */
  private record Base(Set<String> without, byte[] block) {}

  private volatile Base lastBase = new Base(Set.of(""), new byte[0]);

  /** {@code environment}: the runner's own, as the kernel's block. */
  CommandBuilder(CommandTemplate template, String folder, byte[] environment) {
    this.template = template;
    this.folder = folder;
    base = Environment.of(environment);
  }

  /** The program of a try by its path, and its arguments. */
  List<String> words(Try work, Slot slot) throws BadItems {
    return found(template.words(work.item(), work.in(slot.gpu())));
  }

  /** Of a worker, which has no item yet. */
  List<String> words(Slot slot) throws BadItems {
    return found(template.words(new RunPlace(slot.number(), slot.gpu(), 1)));
  }

  private List<String> found(List<String> words) throws BadItems {
    var found = new ArrayList<>(words);
    found.set(0, program(words.getFirst()));
    return found;
  }

  private String program(String word) throws BadItems {
    String known = programs.get(word);
    if (known == null) {
      known = search(word);
      programs.put(word, known);
    }
    return known;
  }

  private String search(String word) throws BadItems {
    if (word.contains("/")) {
      Path file = Path.of(folder).resolve(word);
      if (!Files.isRegularFile(file)) {
        throw new BadItems("there is no program " + word);
      }
      if (!Files.isExecutable(file)) {
        throw new BadItems(word + " is not executable; chmod +x it, or write who reads it first");
      }
      return file.toString();
    }
    String path = base.value("PATH").orElse("/usr/local/bin:/usr/bin:/bin");
    for (String part : path.split(":", -1)) {
      Path file = Path.of(folder).resolve(part.isEmpty() ? "." : part).resolve(word);
      if (Files.isRegularFile(file) && Files.isExecutable(file)) {
        return file.toString();
      }
    }
    throw new BadItems("there is no program " + word + " on PATH");
  }

  /** The block for a try, with {@code mark} as an entry of it. */
  byte[] environment(Try work, Slot slot, String mark) {
    return block(ItemVariables.of(work.item(), work.in(slot.gpu())), slot.gpu(), mark);
  }

  byte[] environment(Slot slot, String mark) {
    SequencedMap<String, String> variables = new LinkedHashMap<>();
    variables.put("GFLOW_SLOT", Integer.toString(slot.number()));
    variables.put("GFLOW_GPU", slot.gpu());
    return block(variables, slot.gpu(), mark);
  }

  private byte[] block(SequencedMap<String, String> variables, String gpu, String mark) {
    if (!gpu.isEmpty()) {
      VISIBLE_GPUS.forEach(name -> variables.put(name, gpu));
    }
    var block = new ByteArrayOutputStream(4096);
    block.writeBytes(baseWithout(variables.keySet()));
    variables.forEach(
        (name, value) -> {
          block.writeBytes(RawText.bytes(name + "=" + value));
          block.write(0);
        });
    block.writeBytes(RawText.bytes(mark));
    block.write(0);
    return block.toByteArray();
  }

  /** Items differ in what their variables are, hardly in which there are. */
  private byte[] baseWithout(Set<String> names) {
    Base last = lastBase;
    if (!last.without().equals(names)) {
      byte[] block = base.keep(name -> !names.contains(name)).block();
      last = new Base(Set.copyOf(names), block);
      lastBase = last;
    }
    return last.block();
  }

  /** In the folder of the map's command. */
  Spawn spawn(List<String> words, byte[] environment, Stdio in, Stdio out, Stdio err) {
    return new Spawn(words, environment, folder, in, out, err, List.of());
  }
}
