package gflow.job;

/** How a user names a job: {@code 42}, {@code 42_7}, {@code @} or {@code @_7}. */
public sealed interface JobRef {
  /** A job, or one task of an array by its own number. */
  record ById(JobId id) implements JobRef {
    @Override
    public String toString() {
      return id.toString();
    }
  }

  /** The task with that array index. */
  record ArrayTask(JobId array, int index) implements JobRef {
    @Override
    public String toString() {
      return array + "_" + index;
    }
  }

  /** The last job that the caller submitted. */
  record Last() implements JobRef {
    @Override
    public String toString() {
      return "@";
    }
  }

  /** The task with that array index of the last job that the caller submitted. */
  record LastTask(int index) implements JobRef {
    @Override
    public String toString() {
      return "@_" + index;
    }
  }
}
