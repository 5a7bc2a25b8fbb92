package gflow.door;

import static java.nio.charset.StandardCharsets.US_ASCII;

import gflow.cli.frame.Invocation;
import gflow.cli.frame.Invocation.Clock;
import gflow.cli.frame.Invocation.Input;
import gflow.cli.frame.Invocation.Terminal;
import gflow.job.Owner;
import gflow.process.Descriptor;
import gflow.process.Proc;
import gflow.process.ProcessId;
import gflow.process.RawText;
import gflow.script.env.Environment;
import gflow.script.order.Order.Origin;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;
import java.util.regex.Pattern;

/** Looks at callers through /proc: everything here is the kernel's word and not theirs. */
final class Callers {
  /** In octal digits, of which the last says whether it is open to read, to write or for both. */
  private static final Pattern BOTH = Pattern.compile("flags:\\s+[0-7]*2\n");

  private final Proc.Status us;
  private final List<Proc.Limit> limits;
  private final String user = System.getProperty("user.name");
  private final String bootId = Proc.bootId();

  Callers() {
    long self = Proc.self();
    us = Proc.status(self).orElseThrow();
    limits = Proc.limits(self);
  }

  /** Empty if it is gone, is not of our user, or is no launcher. */
  Optional<ProcessId> launcher(long pid) {
    return ProcessId.of(pid)
        .filter(_ -> ours(pid).isPresent() && CalledCommand.byLauncher(words(pid)));
  }

  /** What a launcher wants. While it knocks, its descriptors are not yet as it was given them. */
  Optional<Invocation> look(ProcessId id) {
    var words = words(id.pid());
    var environment = Proc.environ(id.pid());
    if (environment.isEmpty() || !CalledCommand.byLauncher(words)) {
      return Optional.empty();
    }
    return call(
        id,
        CalledCommand.ofLauncher(words),
        environment.get(),
        new InputOf(id, CallerStdin.FD, () -> CallerStdin.of(id)),
        () -> width(id.pid()));
  }

  /** This process itself as a caller; no native call is made, for they cost 30 ms at first. */
  Invocation own(CalledCommand called, byte[] environment, int columns) {
    ProcessId self = ProcessId.self();
    return call(self, called, environment, new InputOf(self, 0, () -> System.in), () -> columns)
        .orElseThrow();
  }

  /** Looked at only when the command asks: until it is answered, a launcher moves its own. */
  private record InputOf(ProcessId caller, int fd, Input source) implements Input {
    @Override
    public InputStream open() throws IOException {
      return source.open();
    }

    @Override
    public Optional<String> hold() {
      // The job that it was made for removes it.
      return link(caller.pid(), "fd/8")
          .map(path -> path.replaceFirst(" \\(deleted\\)$", ""))
          .filter(path -> path.endsWith("hold." + caller.pid()));
    }

    @Override
    public boolean isTerminal() {
      return Callers.isTerminal(caller.pid(), fd);
    }
  }

  private Optional<Invocation> call(
      ProcessId id, CalledCommand called, byte[] environment, Input input, IntSupplier width) {
    long pid = id.pid();
    var status = ours(pid);
    var folder = link(pid, "cwd");
    if (status.isEmpty() || folder.isEmpty()) {
      return Optional.empty();
    }
    var owner = new Owner(status.get().uid(), status.get().gid(), user);
    var ulimits = CallerLimits.differing(Proc.limits(pid), limits);
    int columns = isTerminal(pid, 1) ? columns(environment, width) : 0;
    return Optional.of(
        new Invocation(
            called.command(),
            called.arguments(),
            new Origin(owner, folder.get(), environment, status.get().umask(), ulimits),
            new Terminal(columns, isTerminal(pid, 2)),
            input,
            new Clock(InstantSource.system(), CallerZone.of(variable(environment, "TZ"))),
            Optional.of(bootId + "-" + pid + "-" + id.startTime())));
  }

  /**
   * The pipe on which a launcher waits for its reply, known by being open for both: nothing is ever
   * written to what somebody gave it as its stdin.
   */
  Optional<Descriptor> listening(long pid) throws IOException {
    var stdin = "/proc/" + pid + "/fd/0";
    boolean pipe = (int) Files.getAttribute(Path.of(stdin), "unix:mode") >> 12 == 1;
    var info = Files.readString(Path.of("/proc/" + pid + "/fdinfo/0"), US_ASCII);
    return pipe && BOTH.matcher(info).find()
        ? Optional.of(Descriptor.toWrite(stdin))
        : Optional.empty();
  }

  private Optional<Proc.Status> ours(long pid) {
    return Proc.status(pid).filter(them -> them.uid() == us.effectiveUid());
  }

  private static List<String> words(long pid) {
    return Proc.cmdline(pid).stream().map(RawText::of).toList();
  }

  private static boolean isTerminal(long pid, int fd) {
    var link = link(pid, "fd/" + fd).orElse("");
    return link.startsWith("/dev/pts/")
        || link.startsWith("/dev/tty")
        || link.equals("/dev/console");
  }

  static Optional<String> link(long pid, String name) {
    try {
      return Optional.of(Files.readSymbolicLink(Path.of("/proc/" + pid + "/" + name)).toString());
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  private static int columns(byte[] environment, IntSupplier width) {
    int said = variable(environment, "COLUMNS").map(Callers::number).orElse(0);
    return said > 0 ? said : width.getAsInt();
  }

  private static int width(long pid) {
    try (var terminal = Descriptor.toRead("/proc/" + pid + "/fd/1")) {
      return terminal.columns().orElse(80);
    } catch (IOException _) {
      return 80;
    }
  }

  static int number(String text) {
    return text.matches("[0-9]{1,4}") ? Integer.parseInt(text) : 0;
  }

  private static Optional<String> variable(byte[] environment, String name) {
    return Environment.of(environment).value(name);
  }
}
