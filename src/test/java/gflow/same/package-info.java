/**
 * The same small scripts under gflow and under a real Slurm, and what is different. The cases, the
 * recorded answers of the real one and the list of differences are in {@code src/test/slurm}.
 */
@NullMarked
package gflow.same;

import org.jspecify.annotations.NullMarked;
