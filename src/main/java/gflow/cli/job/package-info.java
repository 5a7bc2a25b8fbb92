/** Commands about jobs: to submit, list, show, change and end them, and those of the operator. */
@NullMarked
package gflow.cli.job;

import org.jspecify.annotations.NullMarked;
