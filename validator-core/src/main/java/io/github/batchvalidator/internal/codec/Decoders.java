// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec;

/** A set of decoders, one per codec. Confined to one thread. */
public abstract class Decoders extends PerCodec<PayloadDecoder> {
  protected Decoders() {}
}
