/**
 * The nouns of gflow and the life of a task: what a job is, which states it can be in, and what
 * each event does to it. Pure: no clock, file, environment or random source.
 */
@NullMarked
package gflow.job;

import org.jspecify.annotations.NullMarked;
