/**
 * The imperative shell: one loop that owns the queue, commits, answers and then acts. Everything
 * that wants something of it sends it work; everything that it decides is decided by the pure
 * packages.
 */
@NullMarked
package gflow.daemon;

import org.jspecify.annotations.NullMarked;
