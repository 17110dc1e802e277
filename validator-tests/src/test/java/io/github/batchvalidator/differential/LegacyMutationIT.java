// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.differential;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.github.batchvalidator.format.LegacyLayout;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Target;
import io.github.batchvalidator.rule.TimestampType;
import io.github.batchvalidator.testing.Batches;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Messages of magic 0 and 1, every bit of them changed and every length they can be cut to, from
 * outside and before they are compressed: the answers are Kafka's, or the difference is known.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
@Tag("unvaried")
final class LegacyMutationIT {
  private static final int ALL_BITS = 0xFF;
  private static final KnownDifference[] KNOWN = {
    KnownDifference.CODEC_ID_UNKNOWN,
    KnownDifference.LEGACY_FIELD_BEYOND_END,
    KnownDifference.LEGACY_RECORD_WITHOUT_TEXT,
    KnownDifference.LEGACY_SIZE_DECLARED,
    KnownDifference.WRONG_CHECKSUM_KEPT,
    KnownDifference.HEADER_CUT,
    KnownDifference.CODEC_FAILURE_UNWRAPPED
  };

  private final Referee referee = new Referee();
  private final Set<KnownDifference> differences = EnumSet.noneOf(KnownDifference.class);

  @AfterEach
  void close() {
    referee.close();
  }

  static Stream<LegacyGolden> goldens() {
    return LegacyGolden.all();
  }

  static Stream<LegacyGolden> compressedGoldens() {
    return LegacyGolden.compressed();
  }

  private static List<Policy> policies(int magic) {
    Target target = Target.PRODUCER.withMagic((byte) magic);
    return List.of(
        Policy.builder(Origin.REPLICATION).target(target).build(),
        Policy.builder(Origin.CLIENT)
            .checkedByHost(true)
            .compactedTopic(true)
            .timestampWindowMs(1000, 1000)
            .target(target)
            .build(),
        Policy.builder(Origin.COORDINATOR)
            .target(target.withTimestampType(TimestampType.LOG_APPEND_TIME))
            .checkedByHost(true)
            .build());
  }

  @ParameterizedTest
  @MethodSource("goldens")
  void bits(LegacyGolden golden) {
    sweep(golden, Faults::modest);
  }

  @ParameterizedTest
  @MethodSource("goldens")
  @Tag("slow")
  void everyBit(LegacyGolden golden) {
    sweep(golden, UnaryOperator.identity());
  }

  private void sweep(LegacyGolden golden, UnaryOperator<Consumer<byte[]>> which) {
    byte[] bytes = golden.bytes();
    for (Policy policy : policies(golden.magic())) {
      assertNull(referee.judge(bytes, policy));
      assertEquals(golden.isReadable(), referee.inspect(bytes, policy).accepted());
      Faults.everyBit(bytes, which.apply(damaged -> count(referee.judge(damaged, policy))));
    }
    assertKnown(KNOWN);
  }

  /** What more than one changed bit leads to. */
  @ParameterizedTest
  @MethodSource("goldens")
  void everyByte(LegacyGolden golden) {
    byte[] bytes = golden.bytes();
    for (Policy policy : policies(golden.magic())) {
      for (int at = 0; at < bytes.length; at++) {
        for (int value : new int[] {0, ALL_BITS}) {
          byte[] damaged = bytes.clone();
          damaged[at] = (byte) value;
          count(referee.judge(damaged, policy));
          if (at > LegacyLayout.MAGIC_OFFSET) {
            count(referee.judge(Batches.fixCrc(ByteBuffer.wrap(damaged)).array(), policy));
          }
        }
      }
    }
    assertKnown(KNOWN);
  }

  /** Bits of the messages in a compressed one, with their own checksums made right or not. */
  @ParameterizedTest
  @MethodSource("compressedGoldens")
  void innerBits(LegacyGolden golden) {
    sweepWithin(golden, Faults::modest);
  }

  @ParameterizedTest
  @MethodSource("compressedGoldens")
  @Tag("slow")
  void everyInnerBit(LegacyGolden golden) {
    sweepWithin(golden, UnaryOperator.identity());
  }

  private void sweepWithin(LegacyGolden golden, UnaryOperator<Consumer<byte[]>> which) {
    for (Policy policy : policies(golden.magic())) {
      Faults.everyInnerBit(golden, which.apply(damaged -> count(referee.judge(damaged, policy))));
    }
    assertKnown(
        KnownDifference.CODEC_ID_UNKNOWN,
        KnownDifference.LEGACY_FIELD_BEYOND_END,
        KnownDifference.LEGACY_RECORD_WITHOUT_TEXT,
        KnownDifference.LEGACY_SIZE_DECLARED);
  }

  @ParameterizedTest
  @MethodSource("goldens")
  void everyLength(LegacyGolden golden) {
    for (Policy policy : policies(golden.magic())) {
      Faults.everyLength(golden.bytes(), cut -> count(referee.judge(cut, policy)));
    }
    assertKnown(KnownDifference.LEGACY_FIELD_BEYOND_END);
  }

  @ParameterizedTest
  @MethodSource("compressedGoldens")
  void everyInnerLength(LegacyGolden golden) {
    for (Policy policy : policies(golden.magic())) {
      Faults.everyInnerLength(golden, cut -> count(referee.judge(cut, policy)));
    }
    assertKnown();
  }

  @ParameterizedTest
  @MethodSource("compressedGoldens")
  void everyLengthOfTheStream(LegacyGolden golden) {
    for (Policy policy : policies(golden.magic())) {
      Faults.everyStreamLength(golden, cut -> count(referee.judge(cut, policy)));
    }
    assertKnown();
  }

  private void count(@Nullable KnownDifference difference) {
    if (difference != null) {
      differences.add(difference);
    }
  }

  private void assertKnown(KnownDifference... known) {
    Set<KnownDifference> unexpected = EnumSet.noneOf(KnownDifference.class);
    unexpected.addAll(differences);
    unexpected.removeAll(Arrays.asList(known));
    assertEquals(Set.of(), unexpected);
  }
}
