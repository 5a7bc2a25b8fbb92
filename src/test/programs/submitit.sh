# submitit: jobs from Python. Results come back, an array's too, and what has a checkpoint() goes on after its time limit.

pypi submitit || return
program="submitit $(pypi_version submitit)"
fresh sim:4x24G 8

cat >work.py <<'X'
import sys, time
import submitit

def square(x):
    return x * x

class Count:
    """Counts to its goal; after a time limit it goes on from where it was."""

    def __init__(self, goal):
        self.goal, self.done, self.turns = goal, 0, 1

    def __call__(self):
        while self.done < self.goal:
            time.sleep(0.5)
            self.done += 1
        return self.done, self.turns

    def checkpoint(self):
        self.turns += 1
        return submitit.helpers.DelayedSubmission(self)

def fail():
    raise ValueError("on purpose")

executor = submitit.AutoExecutor(folder="log/%j", cluster="slurm")
executor.update_parameters(timeout_min=1, slurm_signal_delay_s=50, cpus_per_task=1)
if sys.argv[1] == "results":
    print([job.result() for job in executor.map_array(square, range(8))])
elif sys.argv[1] == "failure":
    job = executor.submit(fail)
    error = job.exception()
    while job.get_info(mode="force")["State"] in ("RUNNING", "COMPLETING"):
        time.sleep(0.1)
    print(type(error).__name__, "on purpose" in str(error), job.state)
else:
    print(*executor.submit(Count(60)).result())
X
results() { python work.py results 2>&1 | tail -n1 | tee results.txt; [ "$(cat results.txt)" = '[0, 1, 4, 9, 16, 25, 36, 49]' ]; }
attempt 'AutoExecutor(folder="log/%j", cluster="slurm").map_array' 'the eight results' results

failure() { python work.py failure 2>&1 | tail -n1 | tee failure.txt; [ "$(cat failure.txt)" = 'FailedJobError True FAILED' ]; }
attempt 'a function that raises' 'its error comes back; FAILED' failure

over_limits() {
  local done turns
  python work.py checkpoint 2>&1 | tail -n1 >checkpoint.txt
  read -r done turns <checkpoint.txt
  echo "result() says: counted to $done in $turns turns"
  [ "$done" = 60 ] && [ "$turns" -gt 1 ]
}
attempt 'checkpoint() at the time limit' 'counted to 60, in more than one turn' over_limits
