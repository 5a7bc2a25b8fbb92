/**
 * {@code gmap}: one program over many items. A client spools the items into a folder and submits a
 * job; the job's program is the runner, which deals the items out to slots and writes a line for
 * each. What decides is pure; the runner only carries it out.
 */
@NullMarked
package gflow.map;

import org.jspecify.annotations.NullMarked;
