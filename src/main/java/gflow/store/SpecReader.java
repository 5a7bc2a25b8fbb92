package gflow.store;

import static gflow.store.Parsing.list;
import static gflow.store.Parsing.object;
import static gflow.store.Parsing.read;
import static gflow.store.Parsing.unknown;

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
import gflow.job.Ranges;
import gflow.job.Request;
import gflow.job.Sweep;
import io.avaje.json.JsonReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Reads what {@link SpecWriter} wrote. Equal parts of different specs become one object: a part is
 * looked up by its text and parsed only when it is new. For one thread.
 */
final class SpecReader {
  private final Interned<String> strings = new Interned<>(text -> text);
  private final Interned<BlobId> blobs = new Interned<>(BlobId::new);
  private final Interned<Request> requests = new Interned<>(text -> read(text, this::request));
  private final Interned<Terms> terms = new Interned<>(text -> read(text, TermsReader::terms));
  private final Interned<Tasks> tasks = new Interned<>(text -> read(text, this::tasks));
  private final Interned<Scene> scenes = new Interned<>(text -> read(text, this::scene));
  private final Interned<SortedMap<String, String>> labels =
      new Interned<>(text -> read(text, this::labels));
  private final Interned<List<GpuGrant>> grants =
      new Interned<>(text -> read(text, in -> list(in, () -> grant(in))));

  JobSpec spec(Owner owner, String name, String json) {
    Parts parts = read(json, SpecReader::parts);
    return new JobSpec(
        owner,
        strings.of(name),
        read(parts.program, this::program),
        requests.of(parts.request),
        terms.of(parts.terms),
        tasks.of(parts.tasks),
        scenes.of(parts.scene),
        labels.of(parts.labels));
  }

  /** The texts of a spec's parts. */
  private static final class Parts {
    String program = "";
    String request = "";
    String terms = "";
    String tasks = "{}";
    String scene = "";
    String labels = "{}";
  }

  /**
   * Only cuts: the library's readers share a buffer, so one must be done before the next begins.
   */
  private static Parts parts(JsonReader in) {
    var parts = new Parts();
    object(
        in,
        field -> {
          String raw = in.readRaw();
          switch (field) {
            case "program" -> parts.program = raw;
            case "request" -> parts.request = raw;
            case "terms" -> parts.terms = raw;
            case "tasks" -> parts.tasks = raw;
            case "scene" -> parts.scene = raw;
            case "labels" -> parts.labels = raw;
            default -> throw unknown(field);
          }
        });
    return parts;
  }

  List<GpuGrant> gpus(String json) {
    return grants.of(json);
  }

  private Program program(JsonReader in) {
    var parts =
        new Object() {
          List<String> argv = List.of();
          Optional<BlobId> script = Optional.empty();
          List<String> arguments = List.of();
          Optional<String> shell = Optional.empty();
        };
    object(
        in,
        field -> {
          switch (field) {
            case "argv" -> parts.argv = words(in);
            case "script" -> parts.script = Optional.of(blobs.of(in.readString()));
            case "arguments" -> parts.arguments = words(in);
            case "shell" -> parts.shell = Optional.of(in.readString());
            default -> throw unknown(field);
          }
        });
    if (parts.shell.isPresent()) {
      return new Program.ShellLine(parts.shell.get());
    }
    return parts.script.isPresent()
        ? new Program.Script(parts.script.get(), parts.arguments)
        : new Program.Argv(parts.argv);
  }

  private Request request(JsonReader in) {
    var parts =
        new Object() {
          int ntasks;
          int cpusPerTask;
          long memory;
          GpuRequest gpus = new GpuRequest.None();
          Optional<String> type = Optional.empty();
          List<Integer> only = List.of();
          List<Integer> exclude = List.of();
        };
    object(
        in,
        field -> {
          switch (field) {
            case "ntasks" -> parts.ntasks = in.readInt();
            case "cpus_per_task" -> parts.cpusPerTask = in.readInt();
            case "memory" -> parts.memory = in.readLong();
            case "gpus" -> parts.gpus = new GpuRequest.Whole(in.readInt());
            case "gpu_thousandths" -> parts.gpus = new GpuRequest.Share(in.readInt());
            case "gpu_memory" -> parts.gpus = new GpuRequest.Memory(in.readLong());
            case "gpu_type" -> parts.type = Optional.of(in.readString());
            case "only_gpus" -> parts.only = list(in, in::readInt);
            case "exclude_gpus" -> parts.exclude = list(in, in::readInt);
            default -> throw unknown(field);
          }
        });
    var filter = new GpuFilter(parts.type, parts.only, parts.exclude);
    return new Request(
        parts.ntasks,
        parts.cpusPerTask,
        parts.memory,
        parts.gpus,
        filter.equals(GpuFilter.ANY) ? GpuFilter.ANY : filter);
  }

  private Tasks tasks(JsonReader in) {
    var parts =
        new Object() {
          Optional<Ranges> array = Optional.empty();
          Sweep sweep = Sweep.NONE;
          int limit;
        };
    object(
        in,
        field -> {
          switch (field) {
            case "array" -> parts.array = Optional.of(Texts.ranges(in.readString()));
            case "sweep" -> parts.sweep = new Sweep(list(in, () -> factor(in)));
            case "limit" -> parts.limit = in.readInt();
            default -> throw unknown(field);
          }
        });
    return new Tasks(parts.array, parts.sweep, parts.limit);
  }

  private Sweep.Factor factor(JsonReader in) {
    var parts =
        new Object() {
          List<String> names = List.of();
          List<String> values = List.of();
        };
    object(
        in,
        field -> {
          switch (field) {
            case "names" -> parts.names = words(in);
            case "values" -> parts.values = words(in);
            default -> throw unknown(field);
          }
        });
    int width = parts.names.size();
    var rows = new ArrayList<List<String>>();
    for (int i = 0; i < parts.values.size(); i += width) {
      rows.add(parts.values.subList(i, i + width));
    }
    return new Sweep.Factor(parts.names, rows);
  }

  private Scene scene(JsonReader in) {
    var parts =
        new Object() {
          String folder = "";
          Optional<BlobId> environment = Optional.empty();
          int umask;
          List<String> ulimits = List.of();
          Optional<String> conda = Optional.empty();
          Optional<String> out = Optional.empty();
          Optional<String> err = Optional.empty();
          Optional<String> in = Optional.empty();
          boolean append;
          String configName = "";
          Optional<BlobId> config = Optional.empty();
        };
    object(
        in,
        field -> {
          switch (field) {
            case "folder" -> parts.folder = strings.of(in.readString());
            case "environment" -> parts.environment = Optional.of(blobs.of(in.readString()));
            case "umask" -> parts.umask = in.readInt();
            case "ulimits" -> parts.ulimits = words(in);
            case "conda" -> parts.conda = Optional.of(strings.of(in.readString()));
            case "out" -> parts.out = Optional.of(strings.of(in.readString()));
            case "err" -> parts.err = Optional.of(strings.of(in.readString()));
            case "in" -> parts.in = Optional.of(strings.of(in.readString()));
            case "append" -> parts.append = in.readBoolean();
            case "config_name" -> parts.configName = in.readString();
            case "config" -> parts.config = Optional.of(blobs.of(in.readString()));
            default -> throw unknown(field);
          }
        });
    var output = new Output(parts.out, parts.err, parts.in, parts.append);
    return new Scene(
        parts.folder,
        parts.environment.orElseThrow(),
        parts.umask,
        parts.ulimits,
        parts.conda,
        output.equals(Output.DEFAULT) ? Output.DEFAULT : output,
        parts.config.map(content -> new Attachment(parts.configName, content)));
  }

  private SortedMap<String, String> labels(JsonReader in) {
    var map = new TreeMap<String, String>();
    object(in, name -> map.put(strings.of(name), strings.of(in.readString())));
    return map;
  }

  private GpuGrant grant(JsonReader in) {
    var parts =
        new Object() {
          String uuid = "";
          int index;
          int thousandths;
          long memory;
        };
    object(
        in,
        field -> {
          switch (field) {
            case "uuid" -> parts.uuid = strings.of(in.readString());
            case "index" -> parts.index = in.readInt();
            case "thousandths" -> parts.thousandths = in.readInt();
            case "memory" -> parts.memory = in.readLong();
            default -> throw unknown(field);
          }
        });
    return new GpuGrant(new GpuId(parts.uuid), parts.index, parts.thousandths, parts.memory);
  }

  private List<String> words(JsonReader in) {
    return list(in, () -> strings.of(in.readString()));
  }
}
