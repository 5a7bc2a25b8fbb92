package gflow.door;

import static java.nio.charset.StandardCharsets.US_ASCII;

import gflow.cli.frame.Invocation;
import gflow.process.Descriptor;
import gflow.process.Fifo;
import gflow.process.ProcessId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Answers the launchers that knock, those too that knocked at a daemon which then died. */
public final class Door implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Door.class.getName());
  private static final int AT_ONCE = 512;
  private static final String STOP = "stop";
  private static final int LONGEST_LINE = 100;

  private final Path folder;
  private final DoorCommands commands;
  private final Callers callers = new Callers();
  private final Semaphore places = new Semaphore(AT_ONCE);
  private final Set<Thread> answering = ConcurrentHashMap.newKeySet();
  private final int in;
  private final Thread reader;
  private final AtomicBoolean looking = new AtomicBoolean();
  private volatile boolean closing;

  public Door(Path folder, DoorCommands commands) throws IOException {
    this.folder = folder;
    this.commands = commands;
    Files.createDirectories(folder);
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
    in = openIn();
    announce();
    reader = Thread.ofPlatform().daemon().name("door").start(this::listen);
    answerThoseWhoWait();
  }

  /** An existing FIFO is kept: a launcher may be waiting in its open. */
  private int openIn() throws IOException {
    var path = folder.resolve("knock");
    if (!isFifo(path)) {
      Files.deleteIfExists(path);
      Fifo.make(path, 0600);
    }
    return Fifo.open(path);
  }

  private static boolean isFifo(Path path) throws IOException {
    return Files.exists(path, LinkOption.NOFOLLOW_LINKS)
        && (int) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS) >> 12 == 1;
  }

  private void announce() throws IOException {
    var draft = folder.resolve("daemon.new");
    String where = ProcessHandle.current().pid() + " " + in + "\n";
    long born = ProcessId.self().startTime();
    Files.writeString(draft, where + commands.version() + "\n" + born + "\n");
    Files.setPosixFilePermissions(draft, PosixFilePermissions.fromString("rw-------"));
    Files.move(draft, folder.resolve("daemon"), StandardCopyOption.ATOMIC_MOVE);
  }

  private void answerThoseWhoWait() throws IOException {
    try (var files = Files.newDirectoryStream(folder, "{r,a,ea,p,hold,environ}.*")) {
      for (var file : files) {
        try {
          answerIfWaiting(file, file.getFileName().toString().split("\\.", 2));
        } catch (IOException e) {
          // Somebody else's rubbish must not keep us from opening.
          LOG.log(Level.WARNING, "cannot tidy up " + file + ": " + e);
        }
      }
    }
  }

  private void answerIfWaiting(Path file, String[] name) throws IOException {
    if (Set.of("hold", "environ", "p").contains(name[0])) {
      deleteIfLeft(file, name[1]);
      return;
    }
    var knock = Knock.parse(name[0].equals("r") ? name[1] : name[1] + ".0");
    if (knock.isEmpty() || callers.launcher(knock.get().pid()).isEmpty()) {
      Files.deleteIfExists(file);
    } else if (name[0].equals("r")) {
      open(knock.get());
    }
  }

  /** What one left who was killed: the FIFO of an allocation, the copy of an environment. */
  private static void deleteIfLeft(Path file, String pid) throws IOException {
    if (!pid.matches("\\d{1,9}") || ProcessId.of(Long.parseLong(pid)).isEmpty()) {
      Files.deleteIfExists(file);
    }
  }

  private void listen() {
    var bytes = new byte[4096];
    var line = new StringBuilder();
    try {
      while (true) {
        int count = Fifo.read(in, bytes);
        for (char c : new String(bytes, 0, count, US_ASCII).toCharArray()) {
          if (c != '\n' && line.length() < LONGEST_LINE) {
            line.append(c);
            continue;
          }
          if (line.toString().equals(STOP)) {
            return;
          }
          Knock.parse(line.toString()).ifPresentOrElse(this::open, this::lookForOthers);
          line.setLength(0);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Something else was written to us, and may have spoilt the line of a launcher that came right
   * behind it: that one has made its file before.
   */
  private void lookForOthers() {
    if (looking.compareAndSet(false, true)) {
      Thread.ofVirtual().name("door-look").start(this::lookNow);
    }
  }

  private void lookNow() {
    looking.set(false);
    try {
      answerThoseWhoWait();
    } catch (IOException | DirectoryIteratorException e) {
      LOG.log(Level.WARNING, "cannot look who waits at the door", e);
    }
  }

  private void open(Knock knock) {
    Thread.ofVirtual().name("caller " + knock.pid()).start(() -> answerAtLast(knock));
  }

  /** Without a free descriptor nobody can be looked at: who knocked waits until there is one. */
  private void answerAtLast(Knock knock) {
    for (var pause = new Backoff(); !answered(knock); ) {
      pause.rest();
    }
  }

  /** False if it waits as before. */
  private boolean answered(Knock knock) {
    answering.add(Thread.currentThread());
    try {
      var launcher = callers.launcher(knock.pid());
      if (launcher.isEmpty()) {
        Files.deleteIfExists(waiting(knock));
        lookForOthers();
        return true;
      }
      var reply = meet(launcher.get(), knock);
      if (reply.isPresent()) {
        try (var answer = reply.get()) {
          var call = callers.look(launcher.get());
          if (call.isPresent()) {
            answer(call.get(), answer);
          }
        }
      }
      return true;
    } catch (IOException | RuntimeException e) {
      boolean waits = !closing && Files.exists(waiting(knock), LinkOption.NOFOLLOW_LINKS);
      if (!waits) {
        LOG.log(Level.WARNING, "caller " + knock.pid() + " was not answered", e);
      }
      return !waits;
    } finally {
      answering.remove(Thread.currentThread());
    }
  }

  private Path waiting(Knock knock) {
    return folder.resolve("r." + knock);
  }

  /**
   * Opens the pipe on which the caller listens, and says the line without which it would not see
   * our end. Only then its file gets a new name, and who succeeds in that answers: one caller may
   * be found by its knock and by its file.
   */
  private Optional<LauncherReply> meet(ProcessId launcher, Knock knock) throws IOException {
    var theirs = waiting(knock);
    var ours = folder.resolve("a." + knock.pid());
    for (var pause = new Backoff(); launcher.alive(); pause.rest()) {
      if (!Files.exists(theirs, LinkOption.NOFOLLOW_LINKS)) {
        return Optional.empty();
      }
      var pipe = callers.listening(launcher.pid());
      if (pipe.isPresent()) {
        return claim(pipe.get(), theirs, ours, knock.printed());
      }
    }
    Files.deleteIfExists(theirs);
    return Optional.empty();
  }

  private static Optional<LauncherReply> claim(
      Descriptor pipe, Path theirs, Path ours, int printed) {
    try {
      pipe.write(new byte[] {'\n'}, 0);
      Files.move(theirs, ours, StandardCopyOption.ATOMIC_MOVE);
      return Optional.of(new LauncherReply(pipe, ours, printed));
    } catch (IOException _) {
      pipe.close();
      return Optional.empty();
    }
  }

  private void answer(Invocation call, LauncherReply reply) throws IOException {
    // Callers that stay long may fill the house; a client of its own is served by the socket.
    if (closing || !enter()) {
      reply.elsewhere();
      return;
    }
    try {
      if (commands.fits(call)) {
        reply.finish(commands.run(call, reply));
      } else {
        reply.elsewhere();
      }
    } catch (NeedsOwnProcess e) {
      elsewhere(reply, e);
    } catch (RuntimeException | Error e) {
      fail(call, reply, e);
    } finally {
      places.release();
    }
  }

  private boolean enter() {
    try {
      return places.tryAcquire(2, TimeUnit.SECONDS);
    } catch (InterruptedException _) {
      return false;
    }
  }

  private static void elsewhere(LauncherReply reply, NeedsOwnProcess e) throws IOException {
    if (reply.silent()) {
      reply.elsewhere();
    } else {
      reply.problem("gflow: " + e.getMessage());
      reply.finish(1);
    }
  }

  /** A command that fails while we close is left to the next daemon, as if we had died. */
  private void fail(Invocation call, LauncherReply reply, Throwable e) throws IOException {
    if (closing) {
      return;
    }
    reply.problem("gflow: " + commands.failed(call.command(), e));
    reply.finish(1);
  }

  /**
   * No launcher comes from now on; those on their way are told to help themselves. Who is still
   * being answered sees the answer break off, and knocks again.
   */
  @Override
  public void close() {
    if (closing) {
      return;
    }
    closing = true;
    try {
      Files.deleteIfExists(folder.resolve("daemon"));
      TimeUnit.MILLISECONDS.sleep(50);
      Fifo.write(in, (STOP + "\n").getBytes(US_ASCII));
      reader.join();
      join(500);
      answering.forEach(Thread::interrupt);
      join(1000);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      Fifo.close(in);
    }
  }

  private void join(long millis) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    for (Thread thread : answering) {
      thread.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
    }
  }
}
