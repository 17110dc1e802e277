// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.specification;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.lines.KafkaLine;
import io.github.batchvalidator.lines.Settings;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.Verdict;
import io.github.batchvalidator.testing.Batches;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;

class BatchDrawTest {
  private static final Set<Reason> OF_STREAMS =
      EnumSet.of(
          Reason.CODEC_BYTES_LEFT,
          Reason.CODEC_STREAM_AMBIGUOUS,
          Reason.CODEC_CONTENT_CHECKSUM_WRONG);

  private static BatchDraw draw(long seed) {
    return new BatchDraw(new SeededChoices(seed), KafkaLine.V4_4);
  }

  /** The topic stores one codec, or that of the producer, whichever it is. */
  @Test
  void aRepeatedAppendIsOfTheSameTopic() {
    for (long seed = 0; seed < 500; seed++) {
      BatchDraw draw = draw(seed);
      Settings first = draw.next(false).append().settings();
      Settings second = draw.next(true).append().settings();
      assertEquals(withoutCodecs(first), withoutCodecs(second));
      Codec target = first.source() == first.target() ? second.source() : first.target();
      assertEquals(target, second.target());
    }
  }

  private static String withoutCodecs(Settings settings) {
    return settings.toLine().split(" ", 4)[3];
  }

  @Test
  void windowsAreBoundedOnNoneEitherAndBothSides() {
    Set<String> windows = new TreeSet<>();
    for (long seed = 0; seed < 1000; seed++) {
      Settings settings = draw(seed).next(false).append().settings();
      boolean hasPast = settings.beforeMs() < Long.MAX_VALUE;
      boolean hasFuture = settings.afterMs() < Long.MAX_VALUE;
      windows.add(hasPast + " " + hasFuture);
    }
    assertEquals(4, windows.size(), windows::toString);
  }

  @Test
  void aFewBatchesExceedWhatTheRatioExempts() {
    int large = 0;
    for (long seed = 0; seed < 5000; seed++) {
      RecordDraw records = new RecordDraw(new SeededChoices(seed));
      int bytes = records.plain(2).length;
      assertEquals(records.isLarge, bytes > Limits.RATIO_FLOOR_BYTES);
      large += records.isLarge ? 1 : 0;
    }
    assertTrue(large > 2 && large < 40, "large: " + large);
  }

  @Test
  void oddStreamsAreDrawn() {
    Set<Reason> drawn = EnumSet.noneOf(Reason.class);
    for (long seed = 0; seed < 5000; seed++) {
      Reason reason = draw(seed).next(false).ofStream();
      if (reason != null) {
        drawn.add(reason);
      }
    }
    assertEquals(OF_STREAMS, drawn);
  }

  @Test
  void levelKafkaAcceptsOddStreamsAndStrictFindsTheirReasons() {
    Policy strict = Policy.CLIENT.toBuilder().level(Level.STRICT).build();
    byte[] data = "any value ".repeat(20).getBytes(StandardCharsets.UTF_8);
    byte[] plain = Batches.plainRecords(new SimpleRecord(Batches.nowMs(), data, data));
    Set<Reason> drawn = EnumSet.noneOf(Reason.class);
    try (BatchValidator validator = new BatchValidator()) {
      Verdict verdict = BatchValidator.newVerdict(0);
      for (Codec codec : Codec.values()) {
        byte[] stream = Batches.compress(codec, plain);
        for (long seed = 0; OddStream.isKnown(codec) && seed < 50; seed++) {
          OddStream odd = OddStream.draw(new SeededChoices(seed), codec, stream, plain);
          ByteBuffer batch = Batches.ofPayload(codec, 1, odd.stream());
          assertTrue(validator.inspect(batch, Policy.CLIENT, Batches.nowMs(), verdict));
          validator.inspect(batch, strict, Batches.nowMs(), verdict);
          assertEquals(odd.finding(), verdict.reason());
          drawn.add(odd.finding());
        }
      }
    }
    assertEquals(OF_STREAMS, drawn);
  }
}
