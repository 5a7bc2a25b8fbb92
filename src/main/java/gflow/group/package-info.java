/** Waits until servers are ready, for scripts and for groups, and is the parent of a group. */
@NullMarked
package gflow.group;

import org.jspecify.annotations.NullMarked;
