// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator;

import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Verdict;
import io.github.batchvalidator.testing.Batches;
import java.nio.ByteBuffer;
import java.util.Base64;

/** Inspects batches in a JVM for which no codec library has a native library. */
final class MissingNatives {
  private MissingNatives() {}

  /**
   * Prints the codec and the reason of each batch, twice.
   *
   * @param args batches in base64
   */
  public static void main(String[] args) {
    Verdict verdict = BatchValidator.newVerdict();
    try (BatchValidator validator = new BatchValidator()) {
      for (String each : args) {
        ByteBuffer batch = ByteBuffer.wrap(Base64.getDecoder().decode(each));
        for (int i = 0; i < 2; i++) {
          validator.inspect(batch, Policy.CLIENT, Batches.nowMs(), verdict);
          System.out.println(verdict.codec() + " " + verdict.reason());
        }
      }
    }
  }
}
