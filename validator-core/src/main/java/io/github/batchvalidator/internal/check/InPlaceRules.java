// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.check;

import io.github.batchvalidator.format.LegacyLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.RebuildCause;
import io.github.batchvalidator.rule.Target;
import org.jspecify.annotations.Nullable;

/**
 * The rules that decide whether a sound batch is stored in place or rebuilt, as in Kafka's {@code
 * LogValidator}.
 *
 * <p>Static, without state, never allocates. {@code AppendRules} calls {@link #beforeRecords} for
 * other modules, and describes its parameters.
 */
public final class InPlaceRules {
  private InPlaceRules() {}

  /**
   * Messages of magic 0 contain absolute offsets, and never stay in place if offsets have to be 0,
   * 1, 2, ...
   */
  public static @Nullable RebuildCause beforeRecords(
      Target target, Codec source, byte magic, boolean control, boolean sequential) {
    Codec stored = target.codec();
    boolean sameCodec = stored == null || stored == source;
    if (control && source == Codec.NONE && magic == target.magic()) {
      return null; // a control batch stays uncompressed whatever the topic's codec
    }
    if (sameCodec && magic == target.magic()) {
      boolean absolute = magic == LegacyLayout.MAGIC_V0;
      return absolute && sequential ? RebuildCause.OTHER_OFFSETS : null;
    }
    return sameCodec ? RebuildCause.OTHER_MAGIC : RebuildCause.OTHER_CODEC;
  }

  /**
   * Returns whether offsets other than 0, 1, 2, ... need a rebuild: if source or target is
   * compressed.
   *
   * @param target the form in which the topic stores batches
   * @param source the codec of the batch
   * @return false if any offsets can be stamped in place
   */
  public static boolean needsSequentialOffsets(Target target, Codec source) {
    Codec stored = target.codec();
    return source != Codec.NONE || (stored != null && stored != Codec.NONE);
  }
}
