package gflow.door;

import gflow.cli.frame.Invocation;
import gflow.cli.frame.Output;

/** What is behind the door. */
public interface DoorCommands {
  /** Runs the command and returns its exit code. */
  int run(Invocation call, Output output);

  /** False if this call needs a process of its own: the launcher then starts the JVM client. */
  boolean fits(Invocation call);

  /** A command failed by a bug of ours; returns the line for its caller. */
  String failed(String command, Throwable bug);

  /** By which a launcher sees whether it is of the same installation. */
  String version();
}
