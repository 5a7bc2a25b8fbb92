package gflow.job;

/** How the programs of a job name its GPUs. */
public enum GpuNaming {
  /** By the machine's numbers. */
  MACHINE,
  /** They know no others, and count from 0. */
  OWN,
  /** An MPS server counts from 0 and programs without it as the machine: by what is the same. */
  UUID;

  /** {@code all}: it has all GPUs that there are. */
  public static GpuNaming of(boolean fenced, boolean mps, boolean all) {
    if (fenced || (mps && all)) {
      return OWN;
    }
    return mps ? UUID : MACHINE;
  }
}
