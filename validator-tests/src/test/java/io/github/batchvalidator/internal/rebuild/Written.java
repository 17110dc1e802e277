// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.rebuild;

import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.Arrays;

/** The content of an output. */
final class Written {
  private Written() {}

  /** Returns a copy of the bytes that were written since the start, without a failure. */
  static byte[] to(OutputBuffer output) {
    assertNull(output.failure());
    return Arrays.copyOf(output.array(), output.length());
  }
}
