package gflow.store;

import gflow.job.Allocation.GpuGrant;
import gflow.job.BlobId;
import gflow.job.GpuFilter;
import gflow.job.GpuId;
import gflow.job.GpuRequest;
import gflow.job.JobSpec;
import gflow.job.JobSpec.Attachment;
import gflow.job.JobSpec.Output;
import gflow.job.JobSpec.Scene;
import gflow.job.JobSpec.Tasks;
import gflow.job.JobSpec.Terms;
import gflow.job.Owner;
import gflow.job.Program;
import gflow.job.Request;
import gflow.job.Sweep;
import gflow.json.BadJson;
import gflow.json.Json;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads what {@link SpecWriter} wrote. Equal parts of different specs become one object: a part is
 * looked up by its tree and read only when it is new. For one thread.
 */
final class SpecReader {
  private final Interned<String, String> strings = new Interned<>(text -> text);
  private final Interned<String, BlobId> blobs = new Interned<>(BlobId::new);
  private final Interned<Object, Request> requests = new Interned<>(SpecReader::request);
  private final Interned<Object, Terms> terms = new Interned<>(TermsReader::terms);
  private final Interned<Object, Tasks> tasks = new Interned<>(this::tasks);
  private final Interned<Object, Scene> scenes = new Interned<>(this::scene);
  private final Interned<Object, SortedMap<String, String>> labels = new Interned<>(this::labels);
  private String lastText = "";
  private @Nullable JobSpec last;
  private final Interned<String, List<GpuGrant>> grants = new Interned<>(this::grants);

  /** One that is written like the last is the same object, and is not read again. */
  JobSpec spec(Owner owner, String name, String json) {
    if (!json.equals(lastText)
        || last == null
        || !last.name().equals(name)
        || !last.owner().equals(owner)) {
      last = read(owner, name, json);
      lastText = json;
    }
    return last;
  }

  private JobSpec read(Owner owner, String name, String json) {
    return sound(
        () -> {
          var in = new StoredFields(parsed(json));
          var spec =
              new JobSpec(
                  owner,
                  strings.of(name),
                  program(part(in, "program")),
                  requests.of(part(in, "request")),
                  terms.of(part(in, "terms")),
                  tasks.of(part(in, "tasks")),
                  scenes.of(part(in, "scene")),
                  labels.of(part(in, "labels")));
          in.end();
          return spec;
        });
  }

  List<GpuGrant> gpus(String json) {
    return sound(() -> grants.of(json));
  }

  private static Object part(StoredFields spec, String name) {
    return spec.take(name).orElse(Map.of());
  }

  private static @Nullable Object parsed(String json) {
    try {
      return Json.parse(json);
    } catch (BadJson e) {
      throw new DamagedRow(String.valueOf(e.getMessage()));
    }
  }

  /** The records refuse what cannot be; in a row that we wrote, it means the same as no JSON. */
  private static <T> T sound(Supplier<T> read) {
    try {
      return read.get();
    } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
      throw new DamagedRow(String.valueOf(e.getMessage()));
    }
  }

  private Program program(Object tree) {
    var in = new StoredFields(tree);
    Optional<String> shell = in.text("shell");
    Optional<BlobId> script = in.text("script").map(blobs::of);
    List<String> arguments = words(in, "arguments");
    List<String> argv = words(in, "argv");
    in.end();
    if (shell.isPresent()) {
      return new Program.ShellLine(shell.get());
    }
    return script.isPresent()
        ? new Program.Script(script.get(), arguments)
        : new Program.Argv(argv);
  }

  private static Request request(Object tree) {
    var in = new StoredFields(tree);
    var filter =
        new GpuFilter(in.text("gpu_type"), in.numbers("only_gpus"), in.numbers("exclude_gpus"));
    var request =
        new Request(
            in.whole("ntasks"),
            in.whole("cpus_per_task"),
            in.number("memory"),
            gpus(in),
            filter.equals(GpuFilter.ANY) ? GpuFilter.ANY : filter);
    int most = in.whole("most_gpus");
    in.end();
    return most == 0 ? request : request.upTo(most);
  }

  private static GpuRequest gpus(StoredFields in) {
    int whole = in.whole("gpus");
    int share = in.whole("gpu_thousandths");
    long memory = in.number("gpu_memory");
    if (whole > 0) {
      return new GpuRequest.Whole(whole);
    } else if (share > 0) {
      return new GpuRequest.Share(share);
    }
    return memory > 0 ? new GpuRequest.Memory(memory) : new GpuRequest.None();
  }

  private Tasks tasks(Object tree) {
    var in = new StoredFields(tree);
    List<Sweep.Factor> factors = in.list("sweep", this::factor);
    var tasks =
        new Tasks(
            in.text("array").map(ColumnTexts::ranges),
            factors.isEmpty() ? Sweep.NONE : new Sweep(factors),
            in.whole("limit"),
            in.whole("base"));
    in.end();
    return tasks;
  }

  private Sweep.Factor factor(@Nullable Object tree) {
    var in = new StoredFields(tree);
    List<String> names = words(in, "names");
    List<String> values = words(in, "values");
    in.end();
    var rows = new ArrayList<List<String>>();
    for (int i = 0; i < values.size(); i += names.size()) {
      rows.add(values.subList(i, i + names.size()));
    }
    return new Sweep.Factor(names, rows);
  }

  private Scene scene(Object tree) {
    var in = new StoredFields(tree);
    var output = new Output(word(in, "out"), word(in, "err"), word(in, "in"), in.flag("append"));
    Optional<String> configName = in.text("config_name");
    Optional<BlobId> config = in.text("config").map(blobs::of);
    var scene =
        new Scene(
            strings.of(in.string("folder")),
            blobs.of(in.string("environment")),
            in.whole("umask"),
            words(in, "ulimits"),
            word(in, "conda"),
            output.equals(Output.DEFAULT) ? Output.DEFAULT : output,
            config.map(content -> new Attachment(configName.orElseThrow(), content)));
    in.end();
    return scene;
  }

  private SortedMap<String, String> labels(Object tree) {
    var labels = new TreeMap<String, String>();
    ((Map<?, ?>) StoredFields.as(Map.class, tree, "labels"))
        .forEach((name, value) -> labels.put(text(name), text(value)));
    return labels;
  }

  private List<GpuGrant> grants(String json) {
    List<?> all = StoredFields.as(List.class, parsed(json), "gpus");
    return all.stream().map(this::grant).toList();
  }

  private GpuGrant grant(@Nullable Object tree) {
    var in = new StoredFields(tree);
    var grant =
        new GpuGrant(
            new GpuId(strings.of(in.string("uuid"))),
            in.whole("index"),
            in.whole("thousandths"),
            in.number("memory"));
    in.end();
    return grant;
  }

  private Optional<String> word(StoredFields in, String name) {
    return in.text(name).map(strings::of);
  }

  private List<String> words(StoredFields in, String name) {
    return in.list(name, this::text);
  }

  private String text(@Nullable Object value) {
    return strings.of(StoredFields.as(String.class, value, "a text"));
  }
}
