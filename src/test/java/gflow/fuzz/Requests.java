package gflow.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;

/** Requests of every route, with something wrong in path, query, body, headers or framing. */
final class Requests {
  private record Valid(String method, String target, String body) {}

  private static final String STEP =
      "{\"order\":{\"job_id\":1,\"pid\":1,\"start_time\":1,\"name\":\"x\",\"joined\":false,"
          + "\"time_limit\":\"PT1H\",\"request\":{\"tasks\":1,\"cpus_per_task\":1,\"exact\":true,"
          + "\"overlap\":false,\"memory\":{\"type\":\"per_cpu\",\"bytes\":1000},"
          + "\"gpus\":{\"type\":\"count\",\"count\":1,\"model\":\"a\"}}},\"patience\":0}";

  private static final List<Valid> VALID =
      List.of(
          new Valid("GET", "/v1/jobs?job=1,2&state=PENDING&user=root&name=true&limit=10", ""),
          new Valid("GET", "/v1/jobs?ended_since=2030-01-31T12:00:00Z&project=p", ""),
          new Valid(
              "POST", "/v1/jobs", "{\"command\":[\"true\",\"x\"],\"gpus\":2,\"time\":\"1:00\"}"),
          new Valid(
              "POST",
              "/v1/jobs",
              "{\"jobs\":[{\"wrap\":\"true\"},{\"command\":[\"true\"],"
                  + "\"dependency\":\"afterok:@\"}],"
                  + "\"origin\":{\"folder\":\"/tmp\",\"environment\":{\"A\":\"1\"},"
                  + "\"umask\":\"0022\","
                  + "\"ulimits\":[\"nofile 1024\"]}}"),
          new Valid(
              "POST",
              "/v1/jobs",
              "{\"script\":\"#!/bin/sh\\n#SBATCH -n 4 --mem=1G\\ntrue\\n\",\"script_name\":\"s\","
                  + "\"arguments\":[\"a\"],\"array\":\"0-9:2%2\",\"begin\":\"now+1hour\","
                  + "\"priority\":10,\"retries\":1,\"hold\":true,\"signal\":\"B:USR1@60\"}"),
          new Valid(
              "POST",
              "/v1/jobs",
              "{\"command\":[\"true\"],\"param\":[\"x=1..9\",\"y=a,b\"],\"mem_per_cpu\":\"1G\","
                  + "\"ntasks\":2,\"cpus_per_task\":3,\"gpus_per_task\":1,\"max_concurrent\":2}"),
          new Valid("POST", "/v1/jobs?dry_run=true", "{\"command\":[\"true\"],\"gpus\":\"0.5\"}"),
          new Valid("GET", "/v1/jobs/1", ""),
          new Valid("PATCH", "/v1/jobs/1", "{\"priority\":20,\"time\":\"+1h\",\"gpus\":1}"),
          new Valid("GET", "/v1/jobs/1/log?content=false", ""),
          new Valid("GET", "/v1/jobs/1/steps", ""),
          new Valid("POST", "/v1/jobs/1/cancel", ""),
          new Valid("POST", "/v1/jobs/1/hold", ""),
          new Valid("POST", "/v1/jobs/1/release", "{\"begin\":\"2030-01-31T12:00:00Z\"}"),
          new Valid("POST", "/v1/jobs/1/redo", "{\"failed_only\":false}"),
          new Valid(
              "POST",
              "/v1/jobs/1/cards",
              "{\"have\":[0,1],\"call_back\":0,\"back\":[\"0\"],\"patience\":0}"),
          new Valid("POST", "/v1/jobs/1/progress", "{\"text\":\"1/2\"}"),
          new Valid("POST", "/v1/jobs/1/steps/0", "{\"signal\":\"TERM\"}"),
          new Valid("GET", "/v1/status", ""),
          new Valid("GET", "/v1/machine", ""),
          new Valid("GET", "/v1/snapshot", ""),
          new Valid("GET", "/v1/changes?epoch=x&after=7&patience=0", ""),
          new Valid("GET", "/v1/stats?user=root&since=2020-01-31T12:00:00Z", ""),
          new Valid(
              "POST",
              "/v1/list",
              "{\"jobs\":[\"1-20\"],\"states\":[\"all\"],\"users\":[\"root\"],\"names\":[\"true\"],"
                  + "\"ended_since\":\"2020-01-31T12:00:00Z\",\"limit\":10}"),
          new Valid("POST", "/v1/cancel", "{\"jobs\":[1,\"2_3\"],\"states\":[\"PD\"]}"),
          new Valid("POST", "/v1/cancel", "{\"names\":[\"nosuch\"],\"users\":[\"root\"]}"),
          new Valid("POST", "/v1/hold", "{\"jobs\":[1,\"2_3\"]}"),
          new Valid(
              "POST", "/v1/release", "{\"jobs\":[\"1-5\"],\"begin\":\"2030-01-31T12:00:00Z\"}"),
          new Valid("POST", "/v1/signal", "{\"jobs\":[1],\"signal\":\"USR1\",\"to\":\"all\"}"),
          new Valid("POST", "/v1/requeue", "{\"jobs\":[1],\"hold\":true}"),
          new Valid(
              "POST",
              "/v1/update",
              "{\"jobs\":[1,2],\"options\":{\"time\":\"2:00:00\",\"dependency\":\"afterany:1\","
                  + "\"begin\":\"now+1hour\",\"mem\":\"4G\",\"name\":\"n\",\"retries\":3}}"),
          new Valid("POST", "/v1/control", "{\"type\":\"set_gpus\",\"allowed\":[0,1,2,3]}"),
          new Valid("POST", "/v1/control", "{\"type\":\"drain\",\"gpus\":[0],\"why\":\"fan\"}"),
          new Valid("POST", "/v1/control", "{\"type\":\"undrain\",\"gpus\":[0]}"),
          new Valid("POST", "/v1/control", "{\"type\":\"pause\",\"why\":\"reboot\"}"),
          new Valid("POST", "/v1/control", "{\"type\":\"resume\"}"),
          new Valid(
              "POST", "/v1/control", "{\"type\":\"set_limit\",\"subject\":\"user:x\",\"limit\":3}"),
          new Valid(
              "POST",
              "/v1/control",
              "{\"type\":\"ignore\",\"by_user\":true,\"name\":\"x\",\"add\":true}"),
          new Valid(
              "POST",
              "/v1/control",
              "{\"type\":\"prune\",\"ended_before\":\"2020-01-31T12:00:00Z\"}"),
          new Valid("POST", "/v1/steps", STEP),
          new Valid(
              "POST",
              "/v1/join",
              "{\"order\":{\"job\":\"1\",\"pid\":1,\"start_time\":1,\"holds\":false},"
                  + "\"patience\":0}"),
          new Valid("GET", "/v1/down", ""));

  private static final List<String> METHODS =
      List.of("GET", "POST", "PATCH", "PUT", "DELETE", "HEAD", "OPTIONS", "TRACE", "get", "X");

  private final Mutations mutations;

  Requests(Mutations mutations) {
    this.mutations = mutations;
  }

  /** What goes over the wire; {@code ends} if the client has nothing more to say. */
  record Wire(String shown, byte[] bytes) {}

  Wire next(long jobs) {
    Valid valid = mutations.any(VALID);
    String id = Long.toString(1 + mutations.below((int) Math.max(1, jobs)));
    String target = safe(changedTarget(valid.target().replace("/jobs/1", "/jobs/" + id)));
    String method = mutations.chance(20) ? mutations.any(METHODS) : valid.method();
    String body = valid.body().isEmpty() ? "" : mutations.changed(valid.body());
    if (target.contains("down") && !method.equals("GET")) {
      method = "GET";
    }
    return wire(method, target, body);
  }

  /** The end of the daemon is not asked for, and nobody waits for the end of a job. */
  private static String safe(String target) {
    return target.replace("/wait", "/log").replace("/events", "/status");
  }

  private String changedTarget(String target) {
    return mutations.chance(2)
        ? target
        : mutations.changed(target).replaceAll("[\\s\\x00-\\x1f]", "%20");
  }

  private Wire wire(String method, String target, String body) {
    byte[] bytes = body.getBytes(UTF_8);
    var head = new StringBuilder(method + " " + target + " HTTP/1.1\r\nHost: g\r\n");
    if (mutations.chance(4)) {
      head.append("Idempotency-Key: ").append(printable(mutations.text())).append("\r\n");
    }
    if (mutations.chance(15)) {
      head.append(printable(mutations.text())).append(": ");
      head.append(printable(mutations.text())).append("\r\n");
    }
    head.append("Connection: close\r\n");
    String shown = method + " " + target + " " + body;
    if (mutations.chance(6)) {
      return new Wire(shown, chunked(head, body));
    }
    int wrong = mutations.chance(40) ? mutations.below(9) - 4 : 0;
    head.append("Content-Length: ").append(Math.max(0, bytes.length + wrong)).append("\r\n\r\n");
    return new Wire(shown, joined(head.toString().getBytes(UTF_8), bytes));
  }

  private byte[] chunked(StringBuilder head, String body) {
    head.append("Transfer-Encoding: chunked\r\n\r\n");
    for (String part : parts(body)) {
      int length = part.getBytes(UTF_8).length + (mutations.chance(60) ? 1 : 0);
      head.append(Integer.toHexString(length)).append("\r\n").append(part).append("\r\n");
    }
    return head.append("0\r\n\r\n").toString().getBytes(UTF_8);
  }

  private List<String> parts(String body) {
    var parts = new ArrayList<String>();
    for (int at = 0; at < body.length(); ) {
      int end = Math.min(body.length(), at + 1 + mutations.below(40));
      parts.add(body.substring(at, end));
      at = end;
    }
    return parts;
  }

  private static String printable(String text) {
    return text.replaceAll("[\\x00-\\x1f]", "?");
  }

  private static byte[] joined(byte[] one, byte[] other) {
    byte[] both = java.util.Arrays.copyOf(one, one.length + other.length);
    System.arraycopy(other, 0, both, one.length, other.length);
    return both;
  }
}
