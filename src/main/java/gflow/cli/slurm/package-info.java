/** Slurm's names: sbatch, salloc, squeue, scancel, scontrol, sacct, sinfo. */
@NullMarked
package gflow.cli.slurm;

import org.jspecify.annotations.NullMarked;
