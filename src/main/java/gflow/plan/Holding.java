package gflow.plan;

import gflow.job.Allocation;
import gflow.job.Owner;
import gflow.job.TaskId;
import java.time.Instant;
import java.util.Optional;

/** What a started task holds; {@code end} is when its time limit strikes, if it has one. */
public record Holding(
    TaskId task,
    Owner owner,
    Optional<String> project,
    Allocation allocation,
    Instant startedAt,
    Optional<Instant> end) {}
