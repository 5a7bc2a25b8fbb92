/** The configuration file and the folders. */
@NullMarked
package gflow.config;

import org.jspecify.annotations.NullMarked;
