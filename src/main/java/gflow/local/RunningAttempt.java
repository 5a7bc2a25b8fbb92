package gflow.local;

import gflow.process.AttemptProcesses;
import java.nio.file.Path;
import java.util.Optional;

/**
 * An attempt with processes. {@code log}: if it is our own; {@code problems}: where its stderr
 * goes.
 */
record RunningAttempt(AttemptProcesses group, Optional<Path> log, Optional<Path> problems) {}
