// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.hostile;

import io.github.batchvalidator.hostile.HostileInput.Look;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.BufferKind;
import io.github.batchvalidator.testing.ProcessMemory;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one of our validators made of an input.
 *
 * @param index of the input
 * @param look how it was looked at
 * @param kind of the buffer
 * @param lowMemory kind of the validator
 * @param reason null if accepted
 * @param plainBytes that were produced
 * @param heldBytes what the validator holds afterwards, by its own account
 * @param nanos time of the processor
 * @param peakKib the largest resident size of the process so far, or {@link ProcessMemory#UNKNOWN}
 */
record OurAnswer(
    int index,
    Look look,
    BufferKind kind,
    boolean lowMemory,
    @Nullable Reason reason,
    long plainBytes,
    long heldBytes,
    long nanos,
    long peakKib) {

  boolean accepted() {
    return reason == null;
  }

  static OurAnswer parse(String line) {
    List<String> words = List.of(line.split(" ", -1));
    return new OurAnswer(
        Integer.parseInt(words.get(0)),
        Look.valueOf(words.get(1)),
        BufferKind.valueOf(words.get(2)),
        Boolean.parseBoolean(words.get(3)),
        words.get(4).equals("accepted") ? null : Reason.valueOf(words.get(4)),
        Long.parseLong(words.get(5)),
        Long.parseLong(words.get(6)),
        Long.parseLong(words.get(7)),
        Long.parseLong(words.get(8)));
  }
}
