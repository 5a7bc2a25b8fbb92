package gflow.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gflow.job.Allocation;
import gflow.job.Allocation.GpuGrant;
import gflow.job.AttemptId;
import gflow.job.GpuId;
import gflow.job.GpuPart;
import gflow.job.JobId;
import gflow.job.Ranges;
import gflow.job.TaskId;
import gflow.local.GpuLocks.Taken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GpuLocksTest {
  @TempDir Path folder;

  private static Allocation of(int thousandths, String... uuids) {
    List<GpuGrant> grants =
        Stream.of(uuids)
            .map(u -> new GpuGrant(new GpuId(u), 0, GpuPart.of(thousandths, 1000), 0))
            .toList();
    return new Allocation(grants, Ranges.EMPTY, 0);
  }

  private Taken take(Allocation allocation) throws Exception {
    return take("anna", allocation);
  }

  private Taken take(String daemon, Allocation allocation) throws Exception {
    return new GpuLocks(folder, false, daemon).take(allocation);
  }

  @Test
  void of_two_holders_the_second_is_told_which_gpu_is_gone() throws Exception {
    var first = (Taken.All) take(of(1000, "GPU-a"));

    assertThat(take(of(1000, "GPU-b", "GPU-a"))).isEqualTo(new Taken.Not(new GpuId("GPU-a")));
    // What it had of the others before that is free again.
    var other = (Taken.All) take(of(1000, "GPU-b"));

    GpuLocks.close(first.descriptors());
    var later = (Taken.All) take(of(1000, "GPU-a"));
    assertThat(later.descriptors()).hasSize(1);
    GpuLocks.close(later.descriptors());
    GpuLocks.close(other.descriptors());
  }

  @Test
  void a_gpu_on_loan_is_locked_until_it_comes_back() throws Exception {
    var loans = new LoanLocks(new GpuLocks(folder, false, "anna"));
    var id = new AttemptId(new TaskId(new JobId(42)), 1);
    GpuGrant gpu = of(1000, "GPU-a").gpus().getFirst();

    assertThat(loans.take(id, gpu)).isTrue();
    // After a crash it is asked for again.
    assertThat(loans.take(id, gpu)).isTrue();
    assertThat(take("ben", of(1000, "GPU-a"))).isInstanceOf(Taken.Not.class);

    loans.release(gpu.gpu());
    var ben = (Taken.All) take("ben", of(1000, "GPU-a"));
    assertThat(loans.take(id, gpu)).isFalse();
    GpuLocks.close(ben.descriptors());
  }

  @Test
  void the_parts_of_a_gpu_belong_to_one_daemon() throws Exception {
    var gone = new Taken.Not(new GpuId("GPU-a"));
    var first = (Taken.All) take("anna", of(250, "GPU-a"));
    var second = (Taken.All) take("anna", of(500, "GPU-a"));

    assertThat(take("ben", of(250, "GPU-a"))).isEqualTo(gone);
    assertThat(take("ben", of(1000, "GPU-a"))).isEqualTo(gone);
    assertThat(take("anna", of(1000, "GPU-a"))).isEqualTo(gone);
    var beside = (Taken.All) take("ben", of(250, "GPU-ab"));
    GpuLocks.close(first.descriptors());
    assertThat(take("ben", of(250, "GPU-a"))).isEqualTo(gone);

    GpuLocks.close(second.descriptors());
    var other = (Taken.All) take("ben", of(250, "GPU-a"));
    assertThat(take("anna", of(250, "GPU-a"))).isEqualTo(gone);
    GpuLocks.close(other.descriptors());
    GpuLocks.close(beside.descriptors());
  }

  @Test
  void a_gpu_that_is_given_out_whole_has_no_parts() throws Exception {
    var whole = (Taken.All) take("anna", of(1000, "GPU-a"));

    assertThat(take("ben", of(250, "GPU-a"))).isEqualTo(new Taken.Not(new GpuId("GPU-a")));
    GpuLocks.close(whole.descriptors());
    var part = (Taken.All) take("ben", of(250, "GPU-a"));
    GpuLocks.close(part.descriptors());
  }

  @Test
  void simulated_gpus_are_not_locked() throws Exception {
    var simulated = new GpuLocks(folder, true, "anna");
    assertThat(simulated.take(of(1000, "GPU-a"))).isEqualTo(new Taken.All(List.of()));
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void all_users_may_use_what_the_first_one_made() throws Exception {
    var taken = (Taken.All) take(of(1000, "MIG-GPU-1/2/3"));
    GpuLocks.close(taken.descriptors());

    assertThat(mode(folder.resolve("gflow-gpu.MIG-GPU-1_2_3"))).isEqualTo("rw-r--r--");
  }

  @Test
  void what_others_put_in_the_place_of_a_lock_is_neither_opened_nor_changed() throws Exception {
    Path lock = folder.resolve("gflow-gpu.GPU-a");
    Path key = Files.writeString(folder.resolve("key"), "secret");
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    for (Trap trap : Trap.values()) {
      trap.set(lock, key);

      assertThatThrownBy(() -> take(of(1000, "GPU-a")))
          .as("%s", trap)
          .isInstanceOf(IOException.class)
          .hasMessageContaining(lock.toString());
      assertThat(mode(key)).as("%s", trap).isEqualTo("rw-------");
      Files.delete(lock);
    }
  }

  /** Who is faster than we are, between the look and the making of the file, gains nothing. */
  @Test
  void a_link_that_comes_and_goes_leads_nowhere() throws Exception {
    Path lock = folder.resolve("gflow-gpu.GPU-a");
    Path key = Files.writeString(folder.resolve("key"), "secret");
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    var done = new AtomicBoolean();
    Thread attacker =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (!done.get()) {
                    try {
                      Files.deleteIfExists(lock);
                      Files.createSymbolicLink(lock, key);
                    } catch (IOException e) {
                      // The other one was first.
                    }
                  }
                });
    for (int i = 0; i < 2000; i++) {
      try {
        if (take(of(1000, "GPU-a")) instanceof Taken.All(List<Integer> open)) {
          GpuLocks.close(open);
        }
      } catch (IOException e) {
        assertThat(e).hasMessageContaining(lock.toString());
      }
    }
    done.set(true);
    attacker.join();

    assertThat(mode(key)).isEqualTo("rw-------");
  }

  private enum Trap {
    LINK {
      @Override
      void set(Path lock, Path key) throws Exception {
        Files.createSymbolicLink(lock, key);
      }
    },
    HARD_LINK {
      @Override
      void set(Path lock, Path key) throws Exception {
        Files.createLink(lock, key);
      }
    },
    FIFO {
      @Override
      void set(Path lock, Path key) throws Exception {
        assertThat(new ProcessBuilder("mkfifo", lock.toString()).start().waitFor()).isZero();
      }
    },
    FOLDER {
      @Override
      void set(Path lock, Path key) throws Exception {
        Files.createDirectory(lock);
      }
    };

    abstract void set(Path lock, Path key) throws Exception;
  }

  private static String mode(Path path) throws Exception {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }
}
