/**
 * Programs inside a job: grun and srun, allocations, MPI, and what the tasks of a step read and
 * write.
 */
@NullMarked
package gflow.cli.step;

import org.jspecify.annotations.NullMarked;
