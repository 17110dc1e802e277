// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.check;

import io.github.batchvalidator.internal.codec.Decoders;
import io.github.batchvalidator.internal.verdict.MutableVerdict;
import io.github.batchvalidator.rule.Codec;

/** The refusal of a batch whose codec has no decoder, because its library or memory is missing. */
public final class MissingCodec {
  private MissingCodec() {}

  /**
   * Refuses a batch.
   *
   * @param codec of the batch
   * @param decoders whose {@code get} has just returned null
   * @param verdict takes reason and cause
   * @return false
   */
  public static boolean refuse(Codec codec, Decoders decoders, MutableVerdict verdict) {
    verdict.refuse(decoders.missing(codec), 0, codec.id(), 0);
    verdict.cause(decoders.missingCause(codec));
    return false;
  }
}
