// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.management;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RefusalsAndFindingsTest {
  private final List<Object> passedOn = new ArrayList<>();
  private final RefusalsAndFindings listener =
      new RefusalsAndFindings((verdict, where) -> passedOn.add(where));
  private final MutableVerdict verdict = new MutableVerdict();

  @Test
  void acceptedBatchesAreNotPassedOnUnlessSomethingWasFound() {
    listener.judged(verdict, "sound");
    verdict.findings().add(Reason.CODEC_BYTES_LEFT, 61, 3, 0);
    listener.judged(verdict, "found");
    verdict.reset(Policy.CLIENT);
    listener.judged(verdict, "sound");
    verdict.refuse(Reason.BATCH_CRC_MISMATCH, 0, 1, 2);
    listener.judged(verdict, "refused");
    assertEquals(List.of("found", "refused"), passedOn);
  }
}
