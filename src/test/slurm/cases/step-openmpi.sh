#!/bin/bash
#SBATCH -n 3
# The ranks of a program of OpenMPI are the tasks of a step.
cat >ranks.c <<'C'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int count, char **words) {
  int rank, size, sum;
  MPI_Init(&count, &words);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  printf("rank %d of %d, task %s of %s, sum %d\n", rank, size, getenv("SLURM_PROCID"), getenv("SLURM_NTASKS"), sum);
  MPI_Finalize();
  return count > 1 ? rank + 2 : 0;
}
C
mpicc.openmpi -o ranks ranks.c || exit
srun --mpi=pmix -l ./ranks | sort
srun --mpi=pmix -n2 -o 'ranks.%t' ./ranks
cat ranks.0 ranks.1
srun --mpi=pmix -Q ./ranks fail >/dev/null 2>&1
echo $?
srun --mpi=pmix -n1 ./ranks
rm ranks ranks.*
