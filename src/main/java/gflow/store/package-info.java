/**
 * What survives: jobs, attempts, scripts and environments in one SQLite file. One writer commits
 * groups of changes; anybody may read the history beside it.
 */
@NullMarked
package gflow.store;

import org.jspecify.annotations.NullMarked;
