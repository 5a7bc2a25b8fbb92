/**
 * Curves over an axis, as lines of text for a terminal and as an SVG picture. Pure: it knows
 * nothing of jobs, and whoever has numbers may draw them.
 */
@NullMarked
package gflow.cli.chart;

import org.jspecify.annotations.NullMarked;
