/** From an order, with its script and options, to the spec of a job. */
@NullMarked
package gflow.script.order;

import org.jspecify.annotations.NullMarked;
