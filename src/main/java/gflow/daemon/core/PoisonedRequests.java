package gflow.daemon.core;

import static java.nio.charset.StandardCharsets.UTF_8;

import gflow.daemon.core.Problem.Kind;
import gflow.daemon.core.Requests.Request;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Collectors;

/**
 * The requests that the loop had in hand when it broke, by their digest, in a file that outlives
 * the daemon. One that was there twice is refused: a client that asks again would else end one
 * daemon after the other. Removing the file forgives.
 */
public final class PoisonedRequests {
  private static final System.Logger LOG = System.getLogger("gflow.poison");
  private static final int DEATHS = 2;
  private static final int DIGITS = 16;

  private final Path file;
  private final Map<String, Integer> deaths = new ConcurrentSkipListMap<>();
  private final Problems problems;

  public PoisonedRequests(Path file, Problems problems) {
    this.file = file;
    this.problems = problems;
    read();
    long refused = deaths.values().stream().filter(count -> count >= DEATHS).count();
    if (refused > 0) {
      String which = refused == 1 ? "a request that ended" : refused + " requests that ended";
      problems.report(Kind.REQUEST, "", which + " gflowd again and again is refused", "rm " + file);
    }
  }

  private void read() {
    try {
      for (String line : Files.exists(file) ? Files.readAllLines(file) : List.<String>of()) {
        String[] words = line.split(" ", -1);
        if (words.length >= 2 && words[1].matches("\\d{1,6}")) {
          deaths.put(words[0], Integer.parseInt(words[1]));
        }
      }
    } catch (IOException e) {
      LOG.log(Level.WARNING, "cannot read " + file + ": " + e.getMessage());
    }
  }

  void check(Request request) throws Refusal {
    if (deaths.isEmpty() || deaths.getOrDefault(digest(request), 0) < DEATHS) {
      return;
    }
    if (Files.notExists(file)) {
      deaths.clear();
      problems.solved(Kind.REQUEST, "");
      return;
    }
    throw new Refusal(
        "this request has ended gflowd again and again, and is refused (gflowd.log says why; rm "
            + file
            + " has it tried again)");
  }

  /** The loop is broken, and these are what it was about: one of them may be the cause. */
  public void died(Set<Request> requests) {
    requests.forEach(request -> deaths.merge(digest(request), 1, Integer::sum));
    String text =
        deaths.entrySet().stream()
            .map(death -> death.getKey() + " " + death.getValue() + "\n")
            .collect(Collectors.joining());
    try {
      Path draft = file.resolveSibling("poison.new");
      Files.writeString(draft, text);
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      LOG.log(Level.WARNING, "cannot write " + file + ": " + e.getMessage());
    }
  }

  private static String digest(Request request) {
    try {
      String words = request.name() + " " + request.words().get();
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(words.getBytes(UTF_8));
      return HexFormat.of().formatHex(hash).substring(0, DIGITS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
