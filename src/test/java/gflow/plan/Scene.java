package gflow.plan;

import gflow.job.Allocation;
import gflow.job.Allocation.GpuGrant;
import gflow.job.GpuFilter;
import gflow.job.GpuId;
import gflow.job.GpuPart;
import gflow.job.GpuRequest;
import gflow.job.JobId;
import gflow.job.Owner;
import gflow.job.Ranges;
import gflow.job.Request;
import gflow.job.TaskId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** A machine with running and waiting jobs, told in a few words. */
final class Scene {
  static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
  static final long G = 1L << 30;
  static final Owner ANN = new Owner(1001, 1001, "ann");
  static final Owner BOB = new Owner(1002, 1002, "bob");

  final Book book = new Book();
  final List<Holding> holdings = new ArrayList<>();
  List<Gpu> gpus = new ArrayList<>();
  Ranges cpus = Ranges.firstN(8);
  long memory = 64 * G;
  UsageLimits limits = UsageLimits.NONE;

  static Scene of(int gpus) {
    var scene = new Scene();
    IntStream.range(0, gpus).forEach(i -> scene.gpus.add(gpu(i)));
    return scene;
  }

  static GpuId id(int index) {
    return new GpuId("GPU-" + index);
  }

  static Gpu gpu(int index) {
    return new Gpu(id(index), index, "sim", 24 * G, Ranges.EMPTY, new Availability.Usable());
  }

  Scene is(int index, Availability availability) {
    Gpu g = gpus.get(index);
    gpus.set(index, new Gpu(g.id(), g.index(), g.model(), g.memory(), g.near(), availability));
    return this;
  }

  /** So much of this GPU is in use that was promised to nobody. */
  Scene uses(int index, long beyond) {
    Gpu g = gpus.get(index);
    gpus.set(
        index,
        new Gpu(g.id(), g.index(), g.model(), g.memory(), g.near(), g.availability(), beyond));
    return this;
  }

  /** A running job that holds these GPUs whole. */
  Scene runs(int job, Owner owner, Optional<Duration> left, int... indices) {
    List<GpuGrant> grants =
        IntStream.of(indices).mapToObj(i -> new GpuGrant(id(i), i, GpuPart.WHOLE, 24 * G)).toList();
    return runs(job, owner, left, new Allocation(grants, Ranges.EMPTY, 0));
  }

  Scene runs(int job, Owner owner, Optional<Duration> left, Allocation allocation) {
    holdings.add(
        new Holding(
            new TaskId(new JobId(job)),
            owner,
            Optional.empty(),
            allocation,
            NOW.minusSeconds(1000 - job),
            left.map(NOW::plus)));
    return this;
  }

  Scene waits(Candidate... candidates) {
    List.of(candidates).forEach(book::put);
    return this;
  }

  Machine machine() {
    return new Machine(gpus, cpus, memory);
  }

  PlanningView view() {
    return new PlanningView(NOW, machine(), holdings, book, limits);
  }

  Plan plan() {
    return Planner.plan(view());
  }

  String why(Candidate c) {
    return Planner.why(view(), c).text();
  }

  /** The started jobs with their GPUs, as in {@code 1:[0, 1]}. */
  List<String> starts() {
    return plan().starts().stream().map(s -> s.job() + ":" + s.allocation().gpuIndices()).toList();
  }

  static GpuRequest share(int thousandths) {
    return GpuRequest.part(GpuPart.of(thousandths, 1000));
  }

  static Candidate wants(int job, GpuRequest gpus) {
    return wants(job, new Request(1, 0, 0, gpus, GpuFilter.ANY));
  }

  /** A job of ann; each is a second younger than the one with the number before. */
  static Candidate wants(int job, Request request) {
    return new Candidate(
        new JobId(job),
        ANN,
        10,
        NOW.minusSeconds(1000 - job),
        request,
        Optional.empty(),
        Optional.empty(),
        1);
  }

  static Candidate wants(int job, int gpus) {
    return wants(job, gpus == 0 ? new GpuRequest.None() : new GpuRequest.Whole(gpus));
  }

  static Candidate wantsCpus(int job, int cpus) {
    return wants(job, new Request(1, cpus, 0, new GpuRequest.None(), GpuFilter.ANY));
  }

  static Candidate by(Owner owner, Candidate c) {
    return new Candidate(
        c.job(),
        owner,
        c.priority(),
        c.since(),
        c.request(),
        c.timeLimit(),
        c.project(),
        c.tasks());
  }

  static Candidate priority(int priority, Candidate c) {
    return new Candidate(
        c.job(),
        c.owner(),
        priority,
        c.since(),
        c.request(),
        c.timeLimit(),
        c.project(),
        c.tasks());
  }

  static Candidate limit(Duration limit, Candidate c) {
    return new Candidate(
        c.job(),
        c.owner(),
        c.priority(),
        c.since(),
        c.request(),
        Optional.of(limit),
        c.project(),
        c.tasks());
  }

  static Candidate project(String name, Candidate c) {
    return new Candidate(
        c.job(),
        c.owner(),
        c.priority(),
        c.since(),
        c.request(),
        c.timeLimit(),
        Optional.of(name),
        c.tasks());
  }

  static Candidate tasks(int tasks, Candidate c) {
    return new Candidate(
        c.job(),
        c.owner(),
        c.priority(),
        c.since(),
        c.request(),
        c.timeLimit(),
        c.project(),
        tasks);
  }
}
