/**
 * The parent of a step with many tasks, in a process of the caller's: starts them, gives them what
 * comes in, labels what they say, hands signals on, serves those that are MPI programs (PMI-1), and
 * tells how they ended.
 */
@NullMarked
package gflow.tasks;

import org.jspecify.annotations.NullMarked;
