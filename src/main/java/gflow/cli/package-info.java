/**
 * The commands. Each gets an {@link gflow.cli.frame.Invocation} and the service, and writes to the
 * given output: so it runs behind the door, in a JVM of its own, or in a test, and never touches
 * the process that it runs in.
 */
@NullMarked
package gflow.cli;

import org.jspecify.annotations.NullMarked;
