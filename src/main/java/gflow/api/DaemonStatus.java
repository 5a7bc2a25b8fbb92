package gflow.api;

import java.util.List;

/**
 * The daemon itself. {@code problems} are what is wrong right now, a line each; the same in their
 * parts are {@code problemDetails}.
 */
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
    List<String> problems,
    List<ProblemView> problemDetails) {}
