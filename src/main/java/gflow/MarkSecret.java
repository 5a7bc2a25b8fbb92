package gflow;

import static java.nio.charset.StandardCharsets.UTF_8;

import gflow.config.Folders;
import gflow.job.BlobId;
import gflow.local.AttemptMarks;
import gflow.store.Change;
import gflow.store.Store;
import gflow.store.Store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The marks of this data folder. Their secret is made once, and lies in the database. */
final class MarkSecret {
  private static final String SECRET = "marks.secret";
  private static final String EARLY = "marks.early";
  private static final int NAME = 16;

  private MarkSecret() {}

  static AttemptMarks of(int uid, Folders folders, SortedMap<String, String> before, Store store)
      throws StoreException, IOException {
    String secret = before.get(SECRET);
    String early = before.getOrDefault(EARLY, "");
    if (secret == null) {
      secret = random();
      early = unfinished(folders.jobs());
      store.commit(List.of(new Change.Setting(SECRET, secret), new Change.Setting(EARLY, early)));
    }
    return new AttemptMarks(name(uid, folders.data()), secret, early(uid, folders.data(), early));
  }

  /** One folder has one name, by whichever path it is reached. */
  private static String name(int uid, Path data) throws IOException {
    byte[] path = data.toRealPath().toString().getBytes(UTF_8);
    return "gflow-" + uid + "-" + BlobId.of(path).sha256().substring(0, NAME);
  }

  private static String random() {
    var bytes = new byte[16];
    new SecureRandom().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /** What version 0.1 left running when there was no secret yet: it is known by its folders. */
  private static String unfinished(Path jobs) throws IOException {
    try (Stream<Path> folders = Files.list(jobs)) {
      return folders
          .map(folder -> folder.getFileName().toString())
          .filter(name -> name.matches("\\d+\\.\\d+"))
          .collect(Collectors.joining(","));
    }
  }

  private static AttemptMarks.Early early(int uid, Path data, String attempts) {
    int hash = data.toAbsolutePath().toString().hashCode();
    return attempts.isEmpty()
        ? AttemptMarks.Early.NONE
        : new AttemptMarks.Early(
            "gflow-" + uid + "-" + Integer.toHexString(hash), Set.of(attempts.split(",", -1)));
  }
}
