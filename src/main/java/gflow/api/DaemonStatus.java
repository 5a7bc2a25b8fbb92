package gflow.api;

import java.util.List;

/**
 * The daemon itself. {@code problems} are what is wrong right now, a line each; the same in their
 * parts are {@code problemDetails}. {@code fence} says who is kept from the GPUs of others, or why
 * nobody is; {@code mps} the same of whose programs share GPUs by it. {@code ignoredOptions}: those
 * of Slurm's commands that only the site knows, and that are passed over.
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
    String fence,
    String mps,
    List<String> ignoredOptions,
    long running,
    long pending,
    List<String> problems,
    List<ProblemView> problemDetails) {}
