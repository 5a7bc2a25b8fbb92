package gflow.job;

import java.util.Optional;

/**
 * Why a job runs behind a fence, where the GPUs that it does not have are out of its reach and its
 * own are counted from 0. Decided once, when the job is taken in, and kept among its options: what
 * a program may see must not change with the next configuration.
 */
public enum FenceReason {
  ASKED("asked", "--fence"),
  SLURM("slurm", "Slurm script"),
  CONFIG("config", "gflow.toml"),
  /** Its programs count the GPUs of their MPS server, and so should all that it runs. */
  MPS("mps", "MPS");

  /** What is kept of {@code --no-fence}. */
  public static final String OFF = "off";

  private final String kept;
  private final String said;

  FenceReason(String kept, String said) {
    this.kept = kept;
    this.said = said;
  }

  /** As it stands among the options. */
  public String kept() {
    return kept;
  }

  /** As people read it. */
  public String said() {
    return said;
  }

  /** By what is kept, if that means a fence at all. */
  public static Optional<FenceReason> of(Optional<String> kept) {
    for (FenceReason reason : values()) {
      if (kept.filter(reason.kept::equals).isPresent()) {
        return Optional.of(reason);
      }
    }
    return Optional.empty();
  }
}
