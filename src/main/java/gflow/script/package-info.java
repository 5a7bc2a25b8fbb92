/**
 * What users write: options, directives, times, sizes, arrays, dependencies, templates; and the
 * order that they make. One grammar serves the command line, the directives of a script and the
 * JSON of the API. Pure text in, values out.
 */
@NullMarked
package gflow.script;

import org.jspecify.annotations.NullMarked;
