package gflow.job;

import java.time.Instant;

/** A try of a task that was given resources. Its start is the moment of that decision. */
public record Attempt(int number, Allocation allocation, Instant startedAt) {}
