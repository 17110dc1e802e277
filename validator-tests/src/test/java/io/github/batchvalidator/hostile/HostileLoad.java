// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.hostile;

/**
 * A batch that a hostile client sends over and over.
 *
 * @param family the class of input, in the words of {@code results/hostile.md}
 * @param bytes the batch; must not be changed
 * @param compacted whether it is sent to a compacted topic
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record HostileLoad(String family, byte[] bytes, boolean compacted) {}
