package gflow.local;

import gflow.process.AttemptProcesses;
import java.nio.file.Path;
import java.util.Optional;

/**
 * An attempt with processes. {@code log}: if it is our own; {@code problems}: where its stderr
 * goes; {@code failure}: where it says why it failed.
 */
record RunningAttempt(
    AttemptProcesses group, Optional<Path> log, Optional<Path> problems, FailureLog failure) {}
