// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.rule;

/**
 * Why an accepted batch cannot be stored as it is and is written anew. Where several causes meet,
 * the first one in this order is told.
 */
public enum RebuildCause {
  /** The topic's {@code compression.type} is not what the batch is compressed with. */
  OTHER_CODEC,
  /** The log stores another magic. */
  OTHER_MAGIC,
  /**
   * The same codec and magic, but the records need other offsets: those of compressed messages of
   * magic 0 and 1, or of an uncompressed batch, are not 0, 1, 2, ...
   */
  OTHER_OFFSETS;

  /**
   * {@return the cause for a batch that is written anew}
   *
   * @param source what the batch is compressed with
   * @param target what the log stores
   * @param magic of the batch, 0 to 2
   * @param toMagic what the log stores, 0 to 2
   */
  public static RebuildCause of(Codec source, Codec target, byte magic, byte toMagic) {
    if (source != target) {
      return OTHER_CODEC;
    }
    return magic == toMagic ? OTHER_OFFSETS : OTHER_MAGIC;
  }
}
