package gflow.group;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * From where it is looked whether something is ready: names are in the folder; which log is meant,
 * if there is one; whose network it is; and whether a socket, by its inode, may be the one.
 */
public record Place(String folder, Optional<Path> log, long pid, Predicate<Long> ours) {}
