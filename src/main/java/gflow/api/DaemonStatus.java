package gflow.api;

import java.util.List;

/** The daemon itself. {@code problems} are what it could not do and has not forgotten. */
public record DaemonStatus(
    long pid,
    String version,
    String host,
    String startTime,
    String home,
    String socket,
    String gpuSource,
    int gpus,
    boolean simulated,
    int cpus,
    long memory,
    String processes,
    long running,
    long pending,
    List<String> problems) {}
