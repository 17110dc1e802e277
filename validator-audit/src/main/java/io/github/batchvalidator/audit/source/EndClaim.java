// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.source;

/**
 * An offset that a file names, and that is not above the end of the log while no record is lost.
 *
 * @param text names the file, the offset and what it means
 * @param end the least offset that the log ends before
 */
public record EndClaim(String text, long end) {}
