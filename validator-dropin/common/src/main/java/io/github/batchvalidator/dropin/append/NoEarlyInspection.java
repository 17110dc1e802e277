// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.append;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The absence of an early inspection. Immutable. */
final class NoEarlyInspection implements EarlyInspection {
  @Override
  public void beginAppend(Object records, Policy policy, Codec source, Codec target) {}

  @Override
  public @Nullable ByteBuffer takeBuffer(Object records) {
    return null;
  }

  @Override
  public @Nullable MutableVerdict takeVerdict(
      Object records, ByteBuffer batch, Policy policy, Codec source, long nowMs) {
    return null;
  }

  @Override
  public void endAppend() {}
}
