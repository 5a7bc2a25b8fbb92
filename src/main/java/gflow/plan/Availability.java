package gflow.plan;

/** Whether a GPU may be given out, whatever gflow's own jobs hold of it. */
public sealed interface Availability {
  record Usable() implements Availability {}

  /** One may have it, but not share it: the driver lets no second process compute there. */
  record Exclusive() implements Availability {}

  /** Left out by {@code gctl set-gpus}. */
  record NotAllowed() implements Availability {}

  record Drained(String why) implements Availability {}

  /**
   * In use by a process outside gflow, as in {@code python of alice, pid 4711, 21.3G}. What it
   * leaves may be shared.
   */
  record Outsider(String who) implements Availability {}

  /** Somebody else has it for himself alone. */
  record Locked(String who) implements Availability {}

  record Lost(String why) implements Availability {}

  /** Kept from everybody, and nobody wanted it so. */
  default boolean unwanted() {
    return this instanceof Exclusive
        || this instanceof Outsider
        || this instanceof Locked
        || this instanceof Lost;
  }

  /** Whether it is, or by itself becomes, free: nobody has to act for an outsider to end. */
  default boolean returns() {
    return this instanceof Usable
        || this instanceof Exclusive
        || this instanceof Outsider
        || this instanceof Locked;
  }
}
