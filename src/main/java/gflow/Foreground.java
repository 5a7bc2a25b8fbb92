package gflow;

import gflow.api.Gflow;
import gflow.api.HttpApi;
import gflow.cli.Commands;
import gflow.cli.frame.Invocation;
import gflow.cli.frame.Output;
import gflow.config.BadConfig;
import gflow.config.Config;
import gflow.config.ConfigFile;
import gflow.config.Folders;
import gflow.daemon.Daemon;
import gflow.door.Door;
import gflow.job.Owner;
import gflow.process.Proc;
import gflow.process.Subreaper;
import gflow.script.order.Order.Origin;
import gflow.script.value.BadInput;
import gflow.store.DataLock;
import gflow.store.SqliteStore;
import gflow.store.Store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The daemon: everything is opened from top to bottom, and closed in reverse. */
final class Foreground {
  static final String READY = "ready";

  /** The exit code where another daemon was first. */
  static final int TAKEN = 75;

  /** For the end: less than systemd has before it kills. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private Foreground() {}

  static int run() {
    try {
      serve();
      return 0;
    } catch (BadConfig e) {
      e.problems().forEach(System.err::println);
    } catch (DataLock.Taken e) {
      System.err.println("gflowd: " + e.getMessage());
      return TAKEN;
    } catch (StoreException | IOException | BadInput e) {
      System.err.println("gflowd: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return 1;
  }

  private static void serve()
      throws IOException, StoreException, BadConfig, BadInput, InterruptedException {
    Logs.toStderr();
    SortedMap<String, String> environment = new TreeMap<>(System.getenv());
    Owner me = Self.owner();
    Folders folders = Folders.of(environment, me.uid());
    Config config = ConfigFile.read(folders.configFile());
    makePrivate(folders, me.uid());
    Subreaper.become();
    try (var _ = DataLock.take(folders.data());
        SqliteStore store = SqliteStore.open(folders.database(), MachineSetup.host());
        Daemon daemon =
            new Daemon(new MachineSetup(environment, config, folders, me).daemon(store), store);
        var reach = new Reach(folders, () -> doors(folders, daemon, me), daemon::goDown)) {
      Thread main = Thread.currentThread();
      Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(daemon, main)));
      System.out.println(READY);
      System.out.close();
      daemon.awaitDown();
      if (reach.homeless()) {
        throw new IOException(
            folders.database() + " was removed; gflowd ends, what runs of its jobs goes on alone");
      }
    }
  }

  /** The socket last: whoever asks it for the status hears of a daemon that is up. */
  private static List<AutoCloseable> doors(Folders folders, Daemon daemon, Owner me)
      throws IOException {
    makePrivate(folders, me.uid());
    var door = new Door(folders.door(), commands(daemon));
    try {
      return List.of(
          door, new HttpApi(folders.socket(), daemon::service, origin(me), daemon.bugs()));
    } catch (IOException e) {
      door.close();
      throw e;
    }
  }

  /**
   * A signal asks us to end: that waits until everything is closed, after which the main thread
   * ends the process with the code of one that was told to.
   */
  private static void stop(Daemon daemon, Thread main) {
    daemon.goDown();
    try {
      main.join(PATIENCE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Orders that say nothing of where they come from run as the daemon itself would. */
  private static Origin origin(Owner me) {
    long pid = ProcessHandle.current().pid();
    return new Origin(me, "/", Proc.environ(pid).orElse(new byte[0]), 0022, List.of());
  }

  private static gflow.door.DoorCommands commands(Daemon daemon) {
    var commands = new Commands(Version.text(), Self.launcher());
    return new gflow.door.DoorCommands() {
      @Override
      public int run(Invocation call, Output output) {
        Gflow service = daemon.service(call.caller());
        return commands.run(call, service, output);
      }

      @Override
      public boolean fits(Invocation call) {
        return commands.fits(call);
      }

      @Override
      public String failed(String command, Throwable bug) {
        return daemon.bugs().contain(command, bug);
      }

      @Override
      public String version() {
        return Version.text();
      }
    };
  }

  static void makePrivate(Folders folders, int uid) throws IOException {
    var own = PosixFilePermissions.fromString("rwx------");
    for (var folder :
        List.of(folders.data(), folders.run(), folders.logs(), folders.jobs(), folders.door())) {
      Files.createDirectories(folder);
      Files.setPosixFilePermissions(folder, own);
    }
    // That of the socket may be one in /tmp.
    Path socket = folders.socket().getParent();
    if (!socket.equals(folders.run())
        && !(TemporaryFolder.claim(socket.getParent(), uid)
            && TemporaryFolder.claim(socket, uid))) {
      throw new IOException(
          "the path of "
              + folders.data()
              + " is too long for a socket, and somebody else has made "
              + socket.getParent()
              + "; set GFLOW_HOME to a folder with a shorter path");
    }
  }
}
