/**
 * Processes of Linux, by the kernel's own calls through the FFM API: start one in a session of its
 * own, hear of its end, signal it without ever hitting another, and find and end everything that an
 * attempt started, by cgroups where they are writable and by sessions, marks and adoption of
 * orphans where not. Knows nothing of jobs.
 *
 * <p>Paths and arguments are strings that travel as UTF-8, not through the JVM's own encoding of
 * file names, which a daemon started with {@code LANG=C} cannot use.
 */
@NullMarked
package gflow.process;

import org.jspecify.annotations.NullMarked;
