/**
 * The servers by which programs of jobs share a GPU (NVIDIA's MPS): started before the first
 * program that wants one, ended after the last, found again by the next daemon.
 */
@NullMarked
package gflow.local.mps;

import org.jspecify.annotations.NullMarked;
