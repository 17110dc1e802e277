// SPDX-License-Identifier: Apache-2.0

/**
 * The walk over compressed Snappy blocks, with snappy-java as the oracle. In the package of the
 * classes, because a walk that guesses or declines wrongly is slower and still right: no verdict
 * shows it.
 */
package io.github.batchvalidator.internal.codec.snappy;
