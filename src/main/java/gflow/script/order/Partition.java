package gflow.script.order;

import gflow.job.Ranges;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A partition that the configuration defines: how long its jobs may run and do run if they say
 * nothing, on which GPUs (none named: all), and how many of them one job may have. {@code
 * standard}: jobs that name no partition are in it.
 */
public record Partition(
    Optional<Duration> maxTime,
    Optional<Duration> defaultTime,
    Ranges gpus,
    OptionalInt maxGpus,
    boolean standard) {}
