package gflow;

import gflow.api.Gflow;
import gflow.api.HttpApi;
import gflow.config.Config;
import gflow.config.ConfigFile;
import gflow.config.Folders;
import gflow.daemon.Daemon;
import gflow.job.Owner;
import gflow.script.order.Order.Origin;
import gflow.store.SqliteStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The whole daemon in this process, put together as {@link Foreground} does it, in a folder of its
 * own. Its disk counts as full, so that nothing that a test submits is ever run.
 */
public final class WaitingHouse implements AutoCloseable {
  private final Owner owner = Self.owner();
  private final Folders folders;
  private final SqliteStore store;
  private final Daemon daemon;
  private final HttpApi api;

  public WaitingHouse(Path home) throws Exception {
    var environment = new TreeMap<>(Map.of("GFLOW_HOME", home.toString()));
    environment.put("GFLOW_GPUS", "sim:4x24G");
    environment.put("GFLOW_CPUS", "16");
    Files.writeString(home.resolve("gflow.toml"), "[disk]\nfloor = \"900T\"\n");
    folders = Folders.of(environment, owner.uid());
    Config config = ConfigFile.read(folders.configFile());
    Foreground.makePrivate(folders, owner.uid());
    store = SqliteStore.open(folders.database());
    daemon = new Daemon(new MachineSetup(environment, config, folders, owner).daemon(store), store);
    api = new HttpApi(folders.socket(), daemon::service, origin(home.toString()), daemon.bugs());
  }

  /** As if called inside a job, so that a step is refused and no allocation waited for. */
  public Origin origin(String folder) {
    byte[] environment =
        "PATH=/usr/bin:/bin\0HOME=/\0SLURM_JOB_ID=1\0GFLOW_JOB_ID=1\0"
            .getBytes(StandardCharsets.UTF_8);
    return new Origin(owner, folder, environment, 0022, List.of());
  }

  public Gflow service() {
    return daemon.service(owner);
  }

  public Path socket() {
    return folders.socket();
  }

  @Override
  public void close() {
    api.close();
    daemon.close();
    store.close();
  }
}
