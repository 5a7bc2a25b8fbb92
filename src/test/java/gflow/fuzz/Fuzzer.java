package gflow.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import gflow.WaitingHouse;
import gflow.api.Answer;
import gflow.api.ApiRequest;
import gflow.api.Gflow;
import gflow.api.Gflow.Selection;
import gflow.cli.Commands;
import gflow.cli.frame.Invocation;
import gflow.cli.frame.Invocation.Clock;
import gflow.cli.frame.Invocation.Terminal;
import gflow.cli.frame.Output;
import gflow.job.JobId;
import gflow.job.JobRef;
import gflow.json.Json;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Sends wrong requests and command lines to a whole daemon, one after the other, and says what was
 * not answered as it should be: once, in one line, without a stack trace, and, if refused, without
 * any change.
 */
final class Fuzzer implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final int CROWD = 3000;
  private static final Set<Integer> CODES = Set.of(0, 1, 2, 3, 124, 130, 255);
  private static final Pattern TRACE =
      Pattern.compile("\\tat |Exception|java\\.|internal error|gflowd failed");
  private static final Pattern SUBMITTED = Pattern.compile("Submitted batch job (\\d+)");
  private static final Pattern RECEIPT = Pattern.compile("\"job_id\":(\\d+),\"tasks\"");

  private final Path folder;
  private final WaitingHouse house;
  private final Gflow service;
  private final Mutations mutations;
  private final Requests requests;
  private final CommandLines lines;
  private final Commands commands = new Commands("fuzz", Path.of("/bin/false"));
  private final TreeSet<Long> acknowledged = new TreeSet<>();
  private final List<String> finds = new ArrayList<>();
  private final Log log = new Log();
  private long jobs;
  private long key;

  /** What the daemon complains of in its log is a find, too. */
  private static final class Log extends Handler {
    private final AtomicReference<String> bad = new AtomicReference<>();

    @Override
    public void publish(LogRecord line) {
      // Jetty at times says of a client that went in the middle that a buffer was released twice.
      boolean ours = !String.valueOf(line.getLoggerName()).startsWith("org.eclipse.jetty");
      boolean severe = line.getLevel().intValue() >= Level.SEVERE.intValue();
      if (ours && (severe || line.getThrown() != null)) {
        var trace = new java.io.StringWriter();
        if (line.getThrown() != null) {
          line.getThrown().printStackTrace(new java.io.PrintWriter(trace));
        }
        bad.compareAndSet(null, line.getMessage() + "\n" + trace);
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  Fuzzer(Path folder, long seed) throws Exception {
    this.folder = folder;
    Files.createDirectories(folder.resolve("home"));
    Files.createDirectories(folder.resolve("work"));
    house = new WaitingHouse(folder.resolve("home"));
    service = house.service();
    mutations = new Mutations(new Random(seed));
    requests = new Requests(mutations);
    lines = new CommandLines(mutations, commands.grammars());
    Logger.getLogger("").addHandler(log);
  }

  /** What was found, each with the request that met it. */
  List<String> run(int count) throws Exception {
    for (int i = 0; i < count && finds.size() < 20; i++) {
      if (mutations.chance(2)) {
        request();
      } else {
        command();
      }
      if (i % 200 == 199) {
        tidy();
      }
    }
    check();
    return finds;
  }

  private void find(String what, String request) {
    finds.add(what + "\n  by: " + request);
  }

  // ---- by the socket ----

  private void request() throws IOException, InterruptedException {
    Requests.Wire wire = requests.next(jobs);
    Optional<Long> before = mutations.chance(10) ? newest() : Optional.empty();
    String said = within(wire.shown(), () -> answer(wire.bytes()));
    int status =
        said.matches("(?s)HTTP/1\\.1 \\d{3} .*") ? Integer.parseInt(said.substring(9, 12)) : 0;
    String body = said.substring(Math.max(0, said.indexOf("\r\n\r\n")));
    if (status == 500 || (status == 0 && !said.isEmpty())) {
      find(said, wire.shown());
    }
    judge(said, wire.shown());
    if (status == 200 || status == 201) {
      took(RECEIPT.matcher(body));
    } else if (before.isPresent() && !before.equals(newest())) {
      find("refused, but there is a new job: " + said, wire.shown());
    }
    if (wire.shown().contains("prune") && status == 200) {
      acknowledged.clear();
    }
  }

  private String answer(byte[] bytes) throws IOException {
    try (var channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      channel.connect(UnixDomainSocketAddress.of(house.socket()));
      var all = new ByteArrayOutputStream();
      try {
        channel.write(ByteBuffer.wrap(bytes));
        // Of a body that is announced longer than it is, the rest never comes.
        channel.shutdownOutput();
        Channels.newInputStream(channel).transferTo(all);
      } catch (IOException e) {
        // Cut off: what it said before is there.
      }
      return all.toString(UTF_8);
    }
  }

  // ---- as commands ----

  private static final class Said implements Output {
    final StringBuilder text = new StringBuilder();

    @Override
    public synchronized void out(String more) {
      text.append(more);
    }

    @Override
    public synchronized void err(String more) {
      text.append(more);
    }

    @Override
    public boolean flush() {
      return false;
    }
  }

  private void command() throws IOException, InterruptedException {
    CommandLines.Line line = lines.next();
    String shown = line.command() + " " + line.arguments() + " with " + Json.text(line.script());
    Files.write(folder.resolve("work/job.sh"), line.script().getBytes(UTF_8));
    Optional<Long> before = mutations.chance(10) ? newest() : Optional.empty();
    var said = new Said();
    String code = within(shown, () -> "" + commands.run(invocation(line), service, said));
    if (!code.isEmpty() && !CODES.contains(Integer.parseInt(code))) {
      find("exit code " + code, shown);
    }
    judge(said.text.toString(), shown);
    if (code.equals("0")) {
      took(SUBMITTED.matcher(said.text));
    } else if (!code.isEmpty() // One that was broken off may not have told yet.
        && before.isPresent()
        && newest().filter(n -> !isTold(n, said, before)).isPresent()) {
      find("refused, but there is a new job: " + said.text, shown);
    }
    if (line.arguments().contains("prune")) {
      acknowledged.clear();
    }
  }

  /** Of several jobs some may be refused and the others made. */
  private static boolean isTold(long newest, Said said, Optional<Long> before) {
    return Optional.of(newest).equals(before) || said.text.indexOf("" + newest) >= 0;
  }

  private Invocation invocation(CommandLines.Line line) {
    byte[] input = line.script().getBytes(UTF_8);
    var terminal =
        mutations.chance(3) ? new Terminal(1 + mutations.below(200), true) : Terminal.NONE;
    return new Invocation(
        line.command(),
        line.arguments(),
        house.origin(folder.resolve("work").toString()),
        terminal,
        () -> new ByteArrayInputStream(input),
        new Clock(InstantSource.system(), ZoneOffset.UTC),
        mutations.chance(2) ? Optional.of("key" + key++) : Optional.empty());
  }

  // ---- what must hold ----

  private interface Ask {
    String ask() throws Exception;
  }

  /** A wait for what never comes is broken off; whoever does not end then hangs. */
  private String within(String shown, Ask ask) throws InterruptedException {
    var said = new AtomicReference<>("");
    var thrown = new AtomicReference<Throwable>();
    Thread thread =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    said.set(ask.ask());
                  } catch (Throwable e) {
                    thrown.set(e);
                  }
                });
    if (!thread.join(Duration.ofSeconds(2))) {
      thread.interrupt();
      if (!thread.join(PATIENCE)) {
        find("no end", shown);
      }
      log.bad.set(null);
      return "";
    }
    if (thrown.get() != null) {
      var trace = new java.io.StringWriter();
      thrown.get().printStackTrace(new java.io.PrintWriter(trace));
      find("thrown: " + trace, shown);
    }
    return said.get();
  }

  private void judge(String said, String shown) {
    Matcher trace = TRACE.matcher(said);
    if (trace.find() && !shown.contains(trace.group())) {
      find("a trace: " + said, shown);
    }
    String bad = log.bad.getAndSet(null);
    if (bad != null) {
      find("logged: " + bad, shown);
    }
  }

  private void took(Matcher ids) {
    while (ids.find()) {
      long id = Long.parseLong(ids.group(1));
      acknowledged.add(id);
      jobs = Math.max(jobs, id);
    }
  }

  private Optional<Long> newest() {
    return service.ask(new ApiRequest.Show(new JobRef.Last())) instanceof Answer.Ok<?>(List<?> rows)
            && !rows.isEmpty()
        ? Optional.of(((gflow.api.JobView) rows.getFirst()).jobId())
        : Optional.empty();
  }

  /** The queue is kept short, so that a night of it is as quick as its first minute. */
  private void tidy() {
    long start = System.nanoTime();
    if (!(service.ask(new ApiRequest.Status()) instanceof Answer.Ok)) {
      find("the daemon does not answer", "status");
    }
    if (System.nanoTime() - start > PATIENCE.toNanos()) {
      find("the daemon was slow to answer", "status");
    }
    if (acknowledged.size() > CROWD) {
      check();
      service.ask(new ApiRequest.Cancel(Selection.ALL));
      acknowledged.clear();
    }
  }

  private void check() {
    for (long id : acknowledged) {
      if (service.ask(new ApiRequest.Show(new JobRef.ById(new JobId(id))))
          instanceof Answer.No<?>(var _, String line)) {
        find("lost: " + line, "job " + id);
        return;
      }
    }
  }

  @Override
  public void close() {
    Logger.getLogger("").removeHandler(log);
    house.close();
  }
}
