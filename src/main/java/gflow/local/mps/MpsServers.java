package gflow.local.mps;

import gflow.job.AttemptId;
import gflow.process.Cgroups;
import gflow.process.Launcher;
import gflow.process.Pause;
import gflow.process.ProcessMark;
import gflow.process.ProcessWatch;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * All servers of this daemon. There is one exactly as long as an attempt uses it: it is started for
 * the first, and ended when nothing is left of the last, before that is told to anybody.
 */
public final class MpsServers implements AutoCloseable {
  private static final Logger LOG = System.getLogger("gflow.local");
  private static final int MOST_CLIENTS = 48;
  private static final long FIRST_PAUSE_MILLIS = 500;
  private static final long LONGEST_PAUSE_MILLIS = 30_000;

  private final Tools tools;
  private final Map<String, MpsServer> servers = new ConcurrentHashMap<>();
  private final BiConsumer<String, Optional<String>> problems;
  private volatile boolean closed;

  /** {@code died}: is told when a control daemon ended, wanted or not. */
  record Tools(
      MpsPlaces places,
      Launcher launcher,
      Cgroups cgroups,
      ProcessWatch watch,
      Function<String, ProcessMark> marks,
      int uid,
      Consumer<MpsServer> died) {
    ProcessMark mark(String name) {
      return marks.apply(name);
    }
  }

  /** The means by which processes are started and found. */
  public record Means(Launcher launcher, Cgroups cgroups, ProcessWatch watch, int uid) {}

  /**
   * {@code marks}: that of a server's processes, by its name; {@code problems}: who is told what is
   * wrong with which server, and that it no longer is.
   */
  public MpsServers(
      MpsPlaces places,
      Means means,
      Function<String, ProcessMark> marks,
      BiConsumer<String, Optional<String>> problems) {
    this.problems = problems;
    tools =
        new Tools(
            places,
            means.launcher(),
            means.cgroups(),
            means.watch(),
            marks,
            means.uid(),
            server -> Thread.ofVirtual().start(() -> lost(server)));
    found();
  }

  /** It has as many programs as it can have. */
  public static final class Full extends IOException {
    private static final long serialVersionUID = 1;

    Full(String words) {
      super(words);
    }
  }

  /** Starts the server if there is none, and returns its folder when it takes clients. */
  public Path join(MpsKey key, AttemptId id) throws IOException {
    Path program =
        tools.places().program().orElseThrow(() -> new IOException("there is no MPS here"));
    while (true) {
      MpsServer server =
          servers.computeIfAbsent(key.folder(), name -> new MpsServer(tools, name, program));
      synchronized (server) {
        if (!server.isGone()) {
          join(server, key, id);
          return server.folder();
        }
      }
    }
  }

  private void join(MpsServer server, MpsKey key, AttemptId id) throws IOException {
    if (server.clients() + key.clients() > MOST_CLIENTS) {
      throw new Full(key.words() + " has " + server.clients() + " programs, at most 48 can be");
    }
    if (!server.lives()) {
      try {
        server.start(key);
      } catch (IOException e) {
        tidy(server);
        throw e;
      }
    }
    server.use(key, id);
  }

  /** What could not be started, and is used by nobody, leaves nothing behind. */
  private void tidy(MpsServer server) {
    if (!server.isUsed()) {
      end(server);
    }
  }

  /** The attempt is over: nobody of it is left. Returns when a server that only it used is gone. */
  public void leave(MpsKey key, AttemptId id) {
    MpsServer server = servers.get(key.folder());
    if (server != null) {
      synchronized (server) {
        server.leave(id);
        if (!server.isUsed() && !server.isGone()) {
          end(server);
        }
      }
    }
  }

  private void end(MpsServer server) {
    try {
      server.end();
    } catch (IOException e) {
      LOG.log(Level.WARNING, server.words() + " leaves something behind: " + e.getMessage());
    }
    problems.accept(name(server), Optional.empty());
    servers.remove(name(server), server);
  }

  /** Whether its server died or met a fault while the attempt had it. */
  public boolean failed(MpsKey key, AttemptId id) {
    MpsServer server = servers.get(key.folder());
    if (server == null) {
      return false;
    }
    synchronized (server) {
      return server.failed(id);
    }
  }

  // ---- a daemon that comes later ----

  private void found() {
    if (!Files.isDirectory(tools.places().folder())) {
      return;
    }
    // Without it they can still be ended.
    Path program = tools.places().program().orElse(tools.places().folder().resolve("missing"));
    for (String name : names()) {
      var server = new MpsServer(tools, name, program);
      try {
        synchronized (server) {
          server.find();
        }
        servers.put(name, server);
      } catch (IOException e) {
        LOG.log(Level.WARNING, "an MPS server cannot be looked at: " + e.getMessage());
      }
    }
  }

  private List<String> names() {
    try (var folders = Files.list(tools.places().folder())) {
      return folders.map(folder -> folder.getFileName().toString()).sorted().toList();
    } catch (IOException e) {
      LOG.log(Level.WARNING, "MPS servers cannot be looked for: " + e.getMessage());
      return List.of();
    }
  }

  /** An attempt that an earlier daemon started has this one, if there is one. */
  public boolean adopt(MpsKey key, AttemptId id) {
    MpsServer server = servers.get(key.folder());
    if (server == null) {
      return false;
    }
    synchronized (server) {
      server.use(key, id);
    }
    return true;
  }

  /** An adopted attempt that never ran, or is lost; its server is looked at by {@link #settle}. */
  public void forget(MpsKey key, AttemptId id) {
    MpsServer server = servers.get(key.folder());
    if (server != null) {
      synchronized (server) {
        server.leave(id);
      }
    }
  }

  /** All users are known now: what nobody uses ends, and what died meanwhile is started again. */
  public void settle() {
    var work = new ArrayList<Thread>();
    for (MpsServer server : servers.values()) {
      work.add(Thread.ofVirtual().start(() -> settle(server)));
    }
    for (Thread one : work) {
      try {
        one.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void settle(MpsServer server) {
    synchronized (server) {
      if (!server.isUsed()) {
        end(server);
        return;
      }
    }
    lost(server);
  }

  /** As long as somebody uses it, or programs would run without it and not know. */
  private void lost(MpsServer server) {
    long pause = FIRST_PAUSE_MILLIS;
    while (!closed && !isWell(server)) {
      Pause.millis(pause);
      pause = Math.min(LONGEST_PAUSE_MILLIS, 2 * pause);
    }
  }

  private boolean isWell(MpsServer server) {
    synchronized (server) {
      if (closed || server.isGone() || !server.isUsed() || server.lives()) {
        return true;
      }
      try {
        server.revive();
        problems.accept(name(server), Optional.of(server.words() + " died and was started again"));
        return true;
      } catch (IOException e) {
        problems.accept(name(server), Optional.of(String.valueOf(e.getMessage())));
        return false;
      }
    }
  }

  private static String name(MpsServer server) {
    return server.folder().getFileName().toString();
  }

  /** Servers go on without us, as jobs do. */
  @Override
  public void close() {
    closed = true;
  }
}
