// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Policy;
import org.jspecify.annotations.Nullable;

/**
 * What is known of how one log is appended to: what {@code LogValidator} was told last. The agent
 * keeps it in a field of the log, so it goes with it.
 *
 * <p>Safe for all threads without a lock: what it holds is immutable, and an older or newer one
 * costs a fallback at the most.
 */
final class KnownLog {
  private @Nullable Foresight foresight;

  /** {@return how the next batch is inspected, or null before the first append} */
  @Nullable Foresight foresight() {
    return foresight;
  }

  /**
   * Takes note of an append. That source and target are the same may be chance; that they are not
   * says that the log has a codec of its own, until it stores another one.
   *
   * @param policy of a client's append
   * @param source the source codec that the caller passed
   * @param target what the log stores
   */
  void learn(Policy policy, Codec source, Codec target) {
    Foresight last = foresight;
    Codec only = source != target || (last != null && last.onlyCodec() == target) ? target : null;
    if (last == null || last.onlyCodec() != only || !last.isFor(policy)) {
      foresight = Foresight.of(policy, only);
    }
  }
}
