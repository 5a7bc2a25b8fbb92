package gflow.job;

import java.util.Optional;

/**
 * Why the programs of a job share its GPUs by MPS, or why they do not although that was asked for.
 * Decided once, when the job is taken in, and kept among its options.
 */
public enum MpsReason {
  ASKED("asked", true, "--mps"),
  AUTO("auto", true, "several programs on a GPU"),
  /** {@code --no-mps}. */
  OFF("off", false, "--no-mps"),
  SIMULATED("simulated", false, "the GPUs here are simulated and have no MPS"),
  ELASTIC("elastic", false, "GPUs from-to come and go, and an MPS server stays on its own"),
  PARTS("parts", false, "an MPS server is for parts of one GPU, not of several"),
  MIG("mig", false, "instances of MIG run without MPS");

  private final String kept;
  private final boolean on;
  private final String said;

  MpsReason(String kept, boolean on, String said) {
    this.kept = kept;
    this.on = on;
    this.said = said;
  }

  /** As it stands among the options. */
  public String kept() {
    return kept;
  }

  /** Whether it means that there is a server. */
  public boolean on() {
    return on;
  }

  /** As people read it. */
  public String said() {
    return said;
  }

  /** What would surprise who asked for it. */
  public Optional<String> warning() {
    return on || this == OFF ? Optional.empty() : Optional.of(said + ": --mps does nothing here");
  }

  public static Optional<MpsReason> of(RequestedOptions asked) {
    String word = asked.options().get(RequestedOptions.MPS);
    for (MpsReason reason : values()) {
      if (reason.kept.equals(word)) {
        return Optional.of(reason);
      }
    }
    return Optional.empty();
  }
}
