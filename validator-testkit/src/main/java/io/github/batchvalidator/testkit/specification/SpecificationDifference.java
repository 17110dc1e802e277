// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.specification;

/**
 * Differences from Kafka that need rules, limits or the library, in addition to those of {@link
 * io.github.batchvalidator.lines.LineDifference}. Each constant is a row of {@code
 * docs/compatibility.md}, which says why, and has a test that pins both sides.
 */
public enum SpecificationDifference {
  /** A batch exceeds a limit that Kafka lacks and has another fault. */
  LIMIT_AND_OTHER_FAULT,
  /** A rule that Kafka lacks rejects a message of magic 0 or 1, Kafka rejects another message. */
  OTHER_MESSAGE_FIRST,
  /** A batch has a fault that only a rebuild finds and one that {@code inspect} finds. */
  REBUILD_AND_OTHER_FAULT,
  /** The offsets of a batch exceed the largest offset. */
  NO_OFFSETS_LEFT
}
