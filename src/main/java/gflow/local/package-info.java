/**
 * The local engine: runs attempts as processes of this machine that outlive the daemon. Each has a
 * folder with its record, in which its wrapper writes who it is and how the program ended; the
 * record is what makes a start happen at most once.
 */
@NullMarked
package gflow.local;

import org.jspecify.annotations.NullMarked;
