package gflow.local;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.job.Effect;
import gflow.job.Exit;
import gflow.job.Failure;
import gflow.job.GpuRequest;
import gflow.job.MpsReason;
import gflow.job.TaskEvent;
import gflow.job.TaskEvent.Blame;
import gflow.process.Signals;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** There is a server exactly as long as it has users, whatever happens to either. */
class MpsEngineTest extends MpsTrial {
  // ---- start and end ----

  @Test
  void a_server_takes_clients_before_the_program_starts_and_is_gone_before_the_end_is_told()
      throws Exception {
    mps.does("slow 0.3", "warm");
    launch(7, whole("cat $CUDA_MPS_PIPE_DIRECTORY/asked >s; env >e; sleep 0.1", 2), 3, 1);

    assertThat(ended(7).whole()).isFalse();
    gone(7);
    assertThat(mps.living()).isEmpty();
    assertThat(servers()).isEmpty();
    assertThat(output("s")).hasSizeGreaterThanOrEqualTo(3);
    assertThat(mps.said())
        .anyMatch(line -> line.startsWith("start GPU-1,GPU-3 " + folder.resolve("m")));
    assertThat(output("e"))
        .anyMatch(line -> line.startsWith("CUDA_MPS_PIPE_DIRECTORY=" + folder.resolve("m")))
        .anyMatch(line -> line.startsWith("CUDA_MPS_LOG_DIRECTORY=" + folder.resolve("m")))
        .contains("CUDA_VISIBLE_DEVICES=GPU-3,GPU-1");
  }

  @Test
  void parts_of_one_gpu_share_a_server_that_goes_with_the_last_of_them() throws Exception {
    launch(7, half("sleep 0.3"), 0);
    assertThat(ended(7).exit().exit()).isEqualTo(Exit.OK);
    gone(7);
    launch(8, half(WAITS), 0);
    next(8);
    launch(9, half("true"), 0);
    ended(9);
    gone(9);

    assertThat(mps.starts()).isEqualTo(2);
    assertThat(mps.servers()).hasSize(1);
    end();
    next(8);
    gone(8);
    assertThat(mps.living()).isEmpty();
  }

  @Test
  void another_gpu_and_whole_gpus_have_servers_of_their_own() throws Exception {
    launch(7, half(WAITS), 0);
    next(7);
    launch(8, half(WAITS), 1);
    next(8);
    launch(9, whole(WAITS, 1), 2);
    next(9);

    assertThat(mps.controls()).hasSize(3);
    end();
    until(() -> mps.living().isEmpty());
  }

  @Test
  void what_is_killed_leaves_no_server() throws Exception {
    launch(7, half("sleep 1000"), 0);
    next(7);
    engine.run(new Effect.Kill(id(7)));

    assertThat(((TaskEvent.ProgramEnded) next(7)).exit().exit()).isEqualTo(Exit.signal(9));
    gone(7);
    assertThat(mps.living()).isEmpty();
  }

  // ---- what does not work ----

  @Test
  void who_asked_for_a_server_that_does_not_start_waits_and_hears_why() throws Exception {
    mps.does("refuse");
    launch(7, half("true"), 0);

    assertThat(next(7))
        .isEqualTo(
            new TaskEvent.NeverRan(
                Blame.WORLD,
                "the MPS server of GPU 0 does not start: its control daemon ended: no GPU will have"
                    + " it",
                NOW));
    assertThat(mps.living()).isEmpty();
    assertThat(servers()).isEmpty();
  }

  @Test
  void who_did_not_ask_runs_without_and_its_log_says_so() throws Exception {
    mps.does("refuse");
    launch(7, spec("sleep 0.2; env >e", new GpuRequest.Whole(1), MpsReason.AUTO), 0);

    assertThat(ended(7).whole()).isTrue();
    assertThat(Files.readString(folder.resolve("logs/7.log")))
        .startsWith("gflow: the MPS server of GPU 0 does not start:")
        .endsWith("it runs without MPS\n");
    assertThat(output("e")).noneMatch(line -> line.startsWith("CUDA_MPS"));
  }

  @Test
  void a_control_daemon_that_does_not_answer_is_given_up_in_time() throws Exception {
    mps.does("hang start_server");
    long begin = System.nanoTime();
    launch(7, half("true"), 0);

    assertThat(next(7)).isInstanceOf(TaskEvent.NeverRan.class);
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(15));
    assertThat(mps.living()).isEmpty();
  }

  @Test
  void one_that_does_not_want_to_end_is_killed() throws Exception {
    mps.does("deaf");
    launch(7, half("true"), 0);
    ended(7);
    gone(7);

    assertThat(mps.living()).isEmpty();
    assertThat(servers()).isEmpty();
  }

  @Test
  void more_programs_than_a_server_takes_run_without() throws Exception {
    for (int job = 1; job <= 49; job++) {
      launch(job, half("echo ${CUDA_MPS_PIPE_DIRECTORY:-none} >>pipes; " + WAITS), 0);
    }
    until(() -> told.size() == 49);
    until(() -> folder.resolve("work/pipes").toFile().length() > 0 && lines("pipes") == 49);

    assertThat(output("pipes")).filteredOn("none"::equals).hasSize(1);
    assertThat(mps.starts()).isEqualTo(1);
    end();
    until(() -> mps.living().isEmpty());
  }

  private long lines(String name) {
    try {
      return output(name).size();
    } catch (IOException e) {
      return 0;
    }
  }

  @Test
  void a_control_daemon_that_died_is_started_again_under_the_same_name() throws Exception {
    launch(7, half("env | grep PIPE >e; " + WAITS + "; exit 3"), 0);
    next(7);
    long first = mps.controls().getFirst();
    Signals.send(first, Signals.KILL);
    until(() -> !mps.servers().isEmpty() && !mps.controls().contains(first));
    until(() -> problems.values().stream().anyMatch(Optional::isPresent));

    assertThat(problems.values())
        .containsExactly(Optional.of("the MPS server of GPU 0 died and was started again"));
    assertThat(mps.said().stream().filter(line -> line.startsWith("start ")).distinct()).hasSize(1);
    end();
    var exit = ((TaskEvent.ProgramEnded) next(7)).exit();
    assertThat(exit.told()).contains(Failure.MPS);
    gone(7);
    assertThat(mps.living()).isEmpty();
    assertThat(problems.values()).containsExactly(Optional.empty());
  }

  @Test
  void the_end_of_its_server_is_the_cause_of_a_program_that_failed_then() throws Exception {
    launch(7, half(WAITS + "; exit 3"), 0);
    next(7);
    Signals.send(mps.servers().getFirst(), Signals.KILL);
    until(() -> mps.servers().isEmpty());
    end();

    assertThat(((TaskEvent.ProgramEnded) next(7)).exit().told()).contains(Failure.MPS);
    gone(7);
  }

  @Test
  void a_program_that_fails_by_itself_fails_by_itself() throws Exception {
    launch(7, half("echo no; exit 3"), 0);

    assertThat(ended(7).exit().told()).isEmpty();
    gone(7);
  }

  // ---- whatever comes ----

  @Test
  void in_whatever_order_there_is_a_server_as_long_as_somebody_uses_it() throws Exception {
    var random = new Random(4711);
    var running = new ArrayList<Integer>();
    for (int job = 1; job <= 25; job++) {
      int gpu = random.nextInt(2);
      launch(job, half("sleep 1000"), gpu);
      running.add(job);
      while (running.size() > 3 || (!running.isEmpty() && random.nextBoolean())) {
        int killed = running.remove(random.nextInt(running.size()));
        engine.run(new Effect.Kill(id(killed)));
      }
      if (random.nextInt(4) == 0) {
        mps.living().stream().findAny().ifPresent(pid -> Signals.send(pid, Signals.KILL));
      }
    }
    running.forEach(job -> engine.run(new Effect.Kill(id(job))));
    until(
        () -> told.stream().filter(t -> isOver(t.event())).map(Told::id).distinct().count() == 25);
    assertThat(mps.living()).isEmpty();
    assertThat(servers()).isEmpty();
  }
}
