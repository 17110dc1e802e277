// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.differential;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Target;
import io.github.batchvalidator.rule.TimestampType;
import io.github.batchvalidator.testing.Batches;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * One golden batch per codec, every byte of it changed in ten ways and every length it can be cut
 * to: the answers are Kafka's, or the difference is known.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
@Tag("unvaried")
final class MutationSweepIT {
  private static final List<Policy> POLICIES =
      List.of(
          Policy.CLIENT,
          Policy.builder(Origin.CLIENT).compactedTopic(true).timestampWindowMs(1000, 1000).build(),
          Policy.builder(Origin.COORDINATOR)
              .target(Target.PRODUCER.withTimestampType(TimestampType.LOG_APPEND_TIME))
              .checkedByHost(true)
              .build());

  private static final int ALL_BITS = 0xFF;

  private final Referee referee = new Referee();
  private final Map<KnownDifference, Integer> differences = new EnumMap<>(KnownDifference.class);

  @AfterEach
  void close() {
    referee.close();
  }

  static byte[] golden(Codec codec) {
    SimpleRecord[] records =
        IntStream.range(0, 5)
            .mapToObj(
                i ->
                    new SimpleRecord(
                        Batches.nowMs() + 7L * i,
                        ("key-" + i).getBytes(UTF_8),
                        ("{\"user\":\"u"
                                + i * 7919
                                + "\",\"event\":\"click\",\"page\":\"/a/"
                                + i
                                + "\"}")
                            .getBytes(UTF_8),
                        new Header[] {new RecordHeader("trace", new byte[] {1, (byte) i})}))
            .toArray(SimpleRecord[]::new);
    return Batches.of(codec, records).array();
  }

  @ParameterizedTest
  @EnumSource(Codec.class)
  void everyByte(Codec codec) {
    byte[] golden = golden(codec);
    for (Policy policy : POLICIES) {
      assertNull(referee.judge(golden, policy));
      for (int at = 0; at < golden.length; at++) {
        for (int bit = 0; bit < Byte.SIZE; bit++) {
          sweep(golden, at, golden[at] ^ (1 << bit), policy);
        }
        sweep(golden, at, 0, policy);
        sweep(golden, at, ALL_BITS, policy);
      }
    }
    assertEquals(expected(codec), differences.keySet());
  }

  /** All that a single changed byte leads to; above all, no two faults met in another order. */
  private static Set<KnownDifference> expected(Codec codec) {
    Set<KnownDifference> expected =
        EnumSet.of(KnownDifference.CODEC_ID_UNKNOWN, KnownDifference.WRONG_CHECKSUM_KEPT);
    if (codec != Codec.NONE) {
      expected.add(KnownDifference.OFFSETS_NOT_SEQUENTIAL);
    }
    if (codec != Codec.NONE && codec != Codec.ZSTD) {
      // Read as a message of magic 0 or 1, a codec is where the checksum is.
      expected.add(KnownDifference.LEGACY_FIELD_BEYOND_END);
    }
    if (codec == Codec.SNAPPY) {
      expected.add(KnownDifference.CODEC_FAILURE_UNWRAPPED);
    }
    return expected;
  }

  /** With the checksum made right and, where that makes a difference, without. */
  private void sweep(byte[] golden, int at, int value, Policy policy) {
    byte[] damaged = golden.clone();
    damaged[at] = (byte) value;
    count(referee.judge(damaged, policy));
    if (at < BatchLayout.CRC_OFFSET || at >= BatchLayout.ATTRIBUTES_OFFSET) {
      count(referee.judge(Batches.fixCrc(ByteBuffer.wrap(damaged)).array(), policy));
    }
  }

  @ParameterizedTest
  @EnumSource(Codec.class)
  void everyLength(Codec codec) {
    byte[] golden = golden(codec);
    for (Policy policy : POLICIES) {
      for (int length = 0; length < golden.length; length++) {
        byte[] cut = Arrays.copyOf(golden, length);
        count(referee.judge(cut, policy));
        if (length >= BatchLayout.ATTRIBUTES_OFFSET) {
          ByteBuffer whole = ByteBuffer.wrap(cut);
          whole.putInt(BatchLayout.LENGTH_OFFSET, length - BatchLayout.LOG_OVERHEAD);
          count(referee.judge(Batches.fixCrc(whole).array(), policy));
        }
      }
    }
    assertEquals(Set.of(KnownDifference.HEADER_CUT), differences.keySet());
  }

  private void count(@Nullable KnownDifference difference) {
    if (difference != null) {
      differences.merge(difference, 1, Integer::sum);
    }
  }

  @ParameterizedTest
  @EnumSource(Codec.class)
  void goldenBatchIsSound(Codec codec) {
    assertNull(referee.kafka.readAll(golden(codec)));
  }
}
