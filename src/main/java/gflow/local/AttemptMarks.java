package gflow.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import gflow.job.AttemptId;
import gflow.job.BlobId;
import gflow.process.ProcessMark;
import java.util.Optional;
import java.util.Set;

/**
 * The marks of our processes: the daemon's name, the attempt, and a part that only who knows the
 * secret can compute. So nobody has a process counted as one of a job by guessing, and no two data
 * folders share a mark.
 *
 * @param daemon a name that no other daemon on this machine has; everybody may see it
 * @param early the attempts that the release before had started, with marks that anybody can guess
 */
public record AttemptMarks(String daemon, String secret, Early early) {
  private static final int PROOF = 16;

  /** Under which name they ran, and which they are. */
  public record Early(String daemon, Set<String> attempts) {
    public static final Early NONE = new Early("", Set.of());
  }

  public ProcessMark of(AttemptId id) {
    return new ProcessMark(isEarly(id) ? group(id) : withProof(id.toString()));
  }

  /** Of the processes of an MPS server: known as ours, and as none of any attempt. */
  public ProcessMark ofMps(String name) {
    return new ProcessMark(withProof("mps-" + name));
  }

  /** The name of the attempt's cgroup, which everybody can see. */
  String group(AttemptId id) {
    return (isEarly(id) ? early.daemon() : daemon) + "-" + id;
  }

  private boolean isEarly(AttemptId id) {
    return early.attempts().contains(id.toString());
  }

  /** The attempt whose mark this is, if it is a true one. */
  public Optional<String> attempt(String value) {
    if (value.startsWith(daemon + "-")) {
      String rest = value.substring(daemon.length() + 1);
      String name = rest.substring(0, Math.max(0, rest.lastIndexOf('-')));
      return withProof(name).equals(value) ? Optional.of(name) : Optional.empty();
    }
    return early.attempts().stream()
        .filter(name -> value.equals(early.daemon() + "-" + name))
        .findFirst();
  }

  private String withProof(String name) {
    String proof = BlobId.of((secret + "/" + name).getBytes(UTF_8)).sha256();
    return daemon + "-" + name + "-" + proof.substring(0, PROOF);
  }
}
