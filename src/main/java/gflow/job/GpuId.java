package gflow.job;

/** The identity of a GPU: its UUID. Indices may change at a reboot, the UUID does not. */
public record GpuId(String uuid) implements Comparable<GpuId> {
  public GpuId {
    if (uuid.isBlank()) {
      throw new IllegalArgumentException("a GPU's UUID must not be blank");
    }
  }

  /** Whether it is an instance of a GPU that was cut up: programs know such only by its UUID. */
  public boolean mig() {
    return uuid.startsWith("MIG-");
  }

  @Override
  public int compareTo(GpuId other) {
    return uuid.compareTo(other.uuid);
  }

  @Override
  public String toString() {
    return uuid;
  }
}
