// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.rule;

/** The cause of a rebuild. If a batch has several causes, the first one in this order counts. */
public enum RebuildCause {
  /** The topic's {@code compression.type} differs from the codec of the batch. */
  OTHER_CODEC,
  /** The log stores another magic. */
  OTHER_MAGIC,
  /**
   * Codec and magic are right, but the records need other offsets, because theirs are not 0, 1, 2,
   * ...
   */
  OTHER_OFFSETS;

  /**
   * {@return the cause for a batch that is rebuilt}
   *
   * @param source the codec of the batch
   * @param target the codec that the topic stores
   * @param magic the magic of the batch, 0 to 2
   * @param toMagic the magic that the topic stores, 0 to 2
   */
  public static RebuildCause of(Codec source, Codec target, byte magic, byte toMagic) {
    if (source != target) {
      return OTHER_CODEC;
    }
    return magic == toMagic ? OTHER_OFFSETS : OTHER_MAGIC;
  }
}
