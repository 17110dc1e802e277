// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.lines;

import io.github.batchvalidator.fuzz.FuzzBatch;
import io.github.batchvalidator.fuzz.FuzzInput;
import io.github.batchvalidator.fuzz.Fuzzing;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.BufferKind;
import java.util.List;
import java.util.Random;

/**
 * Any bytes to the stock validator of Kafka 4.3 and to the drop-in: the same answer, or a known
 * difference. What would make the stock one allocate or toil is left out.
 */
public final class AppendFuzz {
  /** More plain bytes than this cost the stock validator more time than they are worth here. */
  private static final int MOST_PLAIN = 1 << 18;

  private static final int SEEDS = 256;

  private AppendFuzz() {}

  /** Takes an input: settings, where the bytes lie, and the bytes. */
  public static void run(byte[] bytes) {
    FuzzInput input = new FuzzInput(bytes);
    Random choices = new Random(input.choice(SEEDS));
    Codec topic = input.of(Codec.values());
    BufferKind placement = input.of(BufferKind.values());
    byte[] batch = FuzzBatch.of(input);
    Settings settings = new SettingsChanges(choices).vary(Settings.of(topic, Batches.nowMs()));
    settings = SettingsChanges.source(settings, lastCodec(batch));
    Append append = new Append(batch, placement, SettingsChanges.asCalled(settings, batch));
    if (Hostile.isHostile(append) || isLarge(batch)) {
      return;
    }
    LinePair.Outcome outcome = LinePair.of(KafkaLine.V4_3).ask(append);
    Fuzzing.require(!outcome.ours().crashed(), "crashed: " + outcome);
    Fuzzing.require(
        outcome.differences().isEmpty()
            || outcome.stock().ranOut()
            || LineDifference.of(outcome) != null,
        outcome.toString());
  }

  /** Returns the codec that a broker passes: that of the last batch that has one. */
  private static Codec lastCodec(byte[] batch) {
    Codec last = Codec.NONE;
    for (StoredBytes.Span span : StoredBytes.spans(batch)) {
      Codec codec = span.codec();
      last = codec == null || codec == Codec.NONE ? last : codec;
    }
    return last;
  }

  private static boolean isLarge(byte[] batch) {
    List<StoredBytes.Span> spans = StoredBytes.spans(batch);
    return spans.stream()
        .anyMatch(
            span ->
                span.codec() != Codec.NONE
                    && StoredBytes.plain(span, MOST_PLAIN).length == MOST_PLAIN);
  }
}
