// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.docs;

// The documents quote what follows.
import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Verdict;
import java.nio.ByteBuffer;

final class OneBatch {
  private OneBatch() {}

  /** Returns "accepted", or why Kafka rejects this batch of a client. */
  static String check(ByteBuffer batch) {
    Verdict verdict = BatchValidator.newVerdict();
    try (BatchValidator validator = new BatchValidator()) {
      return validator.inspect(batch, Policy.CLIENT, System.currentTimeMillis(), verdict)
          ? "accepted"
          : verdict.reason() + ": " + verdict.describe();
    }
  }
}
