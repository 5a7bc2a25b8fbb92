/**
 * The fast way in. A launcher, a short shell script, knocks with its pid; the daemon looks at it
 * through /proc (arguments, environment, folder, who it is: the kernel's word), runs the command in
 * a virtual thread and writes the answer into the launcher's FIFO. A command so takes 3 ms and not
 * the start of a JVM.
 *
 * <p>In the folder, mode 0700: {@code in}, the FIFO for knocks; {@code daemon}, our pid and the
 * descriptor by which we hold {@code in}, so that a launcher sees with one test whether we live,
 * and in the next line our version; {@code r.PID.LINES}, a launcher that waits, and has printed so
 * many lines; {@code a.PID}, one that is being answered.
 */
@NullMarked
package gflow.door;

import org.jspecify.annotations.NullMarked;
