package gflow.local.mps;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import gflow.job.Allocation.GpuGrant;
import gflow.job.AttemptId;
import gflow.process.AttemptProcesses;
import gflow.process.FileTail;
import gflow.process.OwnFiles;
import gflow.process.Pause;
import gflow.process.Proc;
import gflow.process.ProcessId;
import gflow.process.Signals;
import gflow.process.SmallFile;
import gflow.process.Spawn;
import gflow.process.Stdio;
import gflow.script.env.JobEnvironment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One control daemon with its server, and the attempts that use it. Whoever calls holds its lock,
 * so that a start waits for an end, and an end for a start.
 */
final class MpsServer {
  private static final Duration QUIT = Duration.ofSeconds(4);
  private static final Duration END = Duration.ofSeconds(2);
  private static final int MOMENT_MILLIS = 10;
  private static final int LOG_BYTES = 1 << 16;
  private static final List<String> BAD = List.of("fault", "fatal", "exception");

  private final MpsServers.Tools tools;
  private final Path folder;
  private final MpsCommand command;
  private final Map<AttemptId, User> users = new LinkedHashMap<>();
  private Optional<AttemptProcesses> group = Optional.empty();
  private List<String> servers = List.of();
  private int deaths;
  private @Nullable MpsKey key;
  private boolean gone;

  /** {@code deaths}, {@code log}: how often it had died by then, and how much it had written. */
  private record User(int clients, int deaths, long log) {}

  MpsServer(MpsServers.Tools tools, String name, Path program) {
    this.tools = tools;
    folder = tools.places().folder().resolve(name);
    command = new MpsCommand(program, folder.resolve(JobEnvironment.MPS_PIPE));
  }

  Path folder() {
    return folder;
  }

  /** Nobody may come any more: whoever waited for the lock looks for another one. */
  boolean isGone() {
    return gone;
  }

  boolean isUsed() {
    return !users.isEmpty();
  }

  int clients() {
    return users.values().stream().mapToInt(User::clients).sum();
  }

  String words() {
    return key == null ? "an MPS server" : key.words();
  }

  void use(MpsKey wanted, AttemptId id) {
    key = wanted;
    users.put(id, new User(wanted.clients(), deaths, serverLog().toFile().length()));
  }

  void leave(AttemptId id) {
    users.remove(id);
  }

  boolean lives() {
    return group.flatMap(AttemptProcesses::wrapper).filter(ProcessId::alive).isPresent();
  }

  // ---- start ----

  /** Returns when it takes clients. */
  void start(MpsKey wanted) throws IOException {
    key = wanted;
    long end = System.nanoTime() + tools.places().patience().toNanos();
    try {
      OwnFiles.folder(folder.resolve(JobEnvironment.MPS_PIPE));
      OwnFiles.folder(folder.resolve(JobEnvironment.MPS_LOG));
      spawn(wanted);
      await(() -> said("start_server -uid " + tools.uid()).isPresent(), end);
      await(this::isActive, end);
    } catch (IOException e) {
      clear();
      throw new IOException(words() + " does not start: " + e.getMessage(), e);
    }
  }

  private void spawn(MpsKey wanted) throws IOException {
    long pid = tools.launcher().spawn(spawned(wanted, tools.mark(name()).entry()));
    ProcessId control =
        ProcessId.ofChild(pid).orElseThrow(() -> new IOException("it ended at once"));
    // Who dies before the next line leaves a process with our mark, and by that it is found.
    OwnFiles.write(record(), (pid + " " + control.startTime() + "\n").getBytes(UTF_8));
    group = Optional.of(processes(Optional.of(control)));
    tools.watch().child(pid, _ -> tools.died().accept(this));
  }

  /** All with the mark: what a control daemon leaves that is killed is nobody's child. */
  private AttemptProcesses processes(Optional<ProcessId> control) {
    return tools.cgroups().adopt("mps-" + name(), tools.mark(name()), control);
  }

  private Spawn spawned(MpsKey wanted, String mark) {
    String gpus =
        wanted.gpus().stream()
            .map(GpuGrant::gpu)
            .map(gpu -> gpu.uuid())
            .collect(Collectors.joining(","));
    List<String> environment =
        List.of(
            "PATH=/usr/bin:/bin",
            "CUDA_VISIBLE_DEVICES=" + gpus,
            "CUDA_MPS_PIPE_DIRECTORY=" + folder.resolve(JobEnvironment.MPS_PIPE),
            "CUDA_MPS_LOG_DIRECTORY=" + folder.resolve(JobEnvironment.MPS_LOG),
            mark);
    return new Spawn(
        List.of(command.program().toString(), "-f"),
        (String.join("\0", environment) + "\0").getBytes(UTF_8),
        "/",
        new Stdio.Null(),
        new Stdio.Own(folder.resolve(JobEnvironment.MPS_LOG).resolve("control.log").toString()),
        new Stdio.SameAsStdout(),
        List.of());
  }

  private void await(BooleanSupplier done, long end) throws IOException {
    while (!done.getAsBoolean()) {
      if (!lives()) {
        throw new IOException("its control daemon ended" + lastLine());
      }
      if (System.nanoTime() > end) {
        throw new IOException(
            "not ready after " + tools.places().patience().toSeconds() + " s" + lastLine());
      }
      Pause.millis(MOMENT_MILLIS);
    }
  }

  private String lastLine() {
    Path log = folder.resolve(JobEnvironment.MPS_LOG).resolve("control.log");
    return tail(log, 0).lines().reduce((_, last) -> last).map(l -> ": " + l.strip()).orElse("");
  }

  private boolean isActive() {
    servers = said("get_server_list").orElse(List.of());
    return !servers.isEmpty() && servers.stream().allMatch(pid -> status(pid).equals("ACTIVE"));
  }

  private String status(String server) {
    return said("get_server_status " + server).stream()
        .flatMap(List::stream)
        .reduce((_, last) -> last)
        .map(String::strip)
        .orElse("");
  }

  private Optional<List<String>> said(String words) {
    try {
      return command.say(words);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  // ---- found again ----

  /** By the record, else by the mark; false if nobody of it lives. */
  boolean find() throws IOException {
    Optional<ProcessId> control = recorded();
    if (control.isEmpty()) {
      control = processes(control).members().stream().filter(this::isControl).findFirst();
    }
    group = Optional.of(processes(control));
    if (control.isEmpty()) {
      return false;
    }
    ProcessId its = control.get();
    OwnFiles.write(record(), (its.pid() + " " + its.startTime() + "\n").getBytes(UTF_8));
    tools.watch().watch(its, _ -> tools.died().accept(this));
    servers = said("get_server_list").orElse(List.of());
    return true;
  }

  private Optional<ProcessId> recorded() throws IOException {
    if (SmallFile.read(record()) instanceof SmallFile.Content(byte[] text, var _)) {
      String[] words = new String(text, ISO_8859_1).strip().split(" ", -1);
      if (words.length == 2 && (words[0] + words[1]).matches("\\d{2,36}")) {
        var id = new ProcessId(Long.parseLong(words[0]), Long.parseLong(words[1]));
        return Optional.of(id).filter(p -> p.alive() && tools.mark(name()).isOn(p.pid()));
      }
    }
    return Optional.empty();
  }

  /** It was started in a session of its own, and its server is in that. */
  private boolean isControl(ProcessId process) {
    return Proc.stat(process.pid()).filter(stat -> stat.session() == stat.pid()).isPresent();
  }

  // ---- what went wrong ----

  /** Its control daemon ended by itself: what is left of it goes too, and a new one comes. */
  void revive() throws IOException {
    deaths++;
    clear();
    if (key != null) {
      start(key);
    }
  }

  /** Whether the server died or met a fault since that attempt came. */
  boolean failed(AttemptId id) {
    User user = users.get(id);
    if (user == null) {
      return false;
    }
    List<String> now = said("get_server_list").orElse(List.of());
    if (!now.containsAll(servers)) {
      deaths++;
      servers = now;
    }
    return deaths > user.deaths()
        || now.stream().anyMatch(server -> status(server).equals("FAULT"))
        || BAD.stream().anyMatch(tail(serverLog(), user.log()).toLowerCase(Locale.ROOT)::contains);
  }

  private Path serverLog() {
    return folder.resolve(JobEnvironment.MPS_LOG).resolve("server.log");
  }

  private static String tail(Path file, long from) {
    try {
      return FileTail.read(file, from, LOG_BYTES).map(b -> new String(b, UTF_8)).orElse("");
    } catch (IOException e) {
      return "";
    }
  }

  // ---- end ----

  /** Returns when nothing of it is left; in a few seconds, whatever hangs. */
  void end() throws IOException {
    gone = true;
    if (lives()) {
      terminateClients();
      boolean heard = command.say("quit -t " + END.toSeconds(), QUIT).isPresent();
      if (!heard || !awaitDeath()) {
        group.ifPresent(all -> all.signal(Signals.TERM));
        awaitDeath();
      }
    }
    clear();
    removeTree(folder);
  }

  /** Of processes that the job's end has not reached; killed without this they may hurt others. */
  private void terminateClients() {
    for (String server : said("get_server_list").orElse(List.of())) {
      for (String client : said("get_client_list " + server).orElse(List.of())) {
        said("terminate_client " + server + " " + client);
      }
    }
  }

  private boolean awaitDeath() {
    long end = System.nanoTime() + END.toNanos();
    while (lives() && System.nanoTime() < end) {
      Pause.millis(MOMENT_MILLIS);
    }
    return !lives();
  }

  private void clear() throws IOException {
    boolean clean = group.isEmpty() || group.get().kill(END);
    group.ifPresent(AttemptProcesses::close);
    group = Optional.empty();
    Files.deleteIfExists(record());
    if (!clean) {
      throw new IOException("some processes of " + words() + " do not die");
    }
  }

  private static void removeTree(Path top) throws IOException {
    var all = new ArrayList<Path>();
    try (var files = Files.walk(top)) {
      files.forEach(all::addFirst);
    }
    for (Path file : all) {
      Files.deleteIfExists(file);
    }
  }

  private Path record() {
    return folder.resolve("pid");
  }

  private String name() {
    return folder.getFileName().toString();
  }
}
