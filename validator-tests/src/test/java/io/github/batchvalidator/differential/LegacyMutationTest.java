// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.differential;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.format.LegacyLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.TimestampType;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.LegacyMessage;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Messages of magic 0 and 1, every byte of them changed and every length they can be cut to, from
 * outside and before they are compressed: the answers are Kafka's, or the difference is known.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class LegacyMutationTest {
  private static final int ALL_BITS = 0xFF;
  private static final int[] FLIPS = {1, 2, 4, 8, 16, 128};

  private final Referee referee = new Referee();
  private final Set<KnownDifference> differences = EnumSet.noneOf(KnownDifference.class);

  @AfterEach
  void close() {
    referee.close();
  }

  static Stream<Arguments> cases() {
    return Stream.of(0, 1)
        .flatMap(
            magic ->
                Stream.of(Codec.NONE, Codec.GZIP, Codec.SNAPPY, Codec.LZ4)
                    .map(codec -> Arguments.of(magic, codec)));
  }

  static Stream<Arguments> compressedCases() {
    return cases().filter(given -> given.get()[1] != Codec.NONE);
  }

  private static List<Policy> policies(int magic) {
    byte toMagic = (byte) magic;
    return List.of(
        Policy.builder(Origin.REPLICATION).toMagic(toMagic).build(),
        Policy.builder(Origin.CLIENT)
            .callerChecks(false)
            .compactedTopic(true)
            .timestampWindowMs(1000, 1000)
            .toMagic(toMagic)
            .build(),
        Policy.builder(Origin.COORDINATOR)
            .timestampType(TimestampType.LOG_APPEND_TIME)
            .callerChecks(false)
            .toMagic(toMagic)
            .build());
  }

  private static LegacyMessage[] inner(int magic) {
    return LegacyMessage.several(magic, 3);
  }

  private static byte[] golden(int magic, Codec codec) {
    LegacyMessage message =
        codec == Codec.NONE
            ? LegacyMessage.of(magic).value(new byte[20])
            : LegacyMessage.holding(magic, codec, inner(magic));
    return message.timestamp(Batches.nowMs() + 2).toBytes();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void everyByte(int magic, Codec codec) {
    byte[] golden = golden(magic, codec);
    for (Policy policy : policies(magic)) {
      assertNull(referee.judge(golden, policy));
      for (int at = 0; at < golden.length; at++) {
        for (byte changed : changes(golden[at])) {
          byte[] damaged = golden.clone();
          damaged[at] = changed;
          count(referee.judge(damaged, policy));
          if (at > LegacyLayout.MAGIC_OFFSET) {
            count(referee.judge(Batches.fixCrc(ByteBuffer.wrap(damaged)).array(), policy));
          }
        }
      }
    }
    assertKnown(
        KnownDifference.CODEC_ID_UNKNOWN,
        KnownDifference.LEGACY_FIELD_BEYOND_END,
        KnownDifference.LEGACY_RECORD_WITHOUT_TEXT,
        KnownDifference.LEGACY_SIZE_DECLARED,
        KnownDifference.WRONG_CHECKSUM_KEPT,
        KnownDifference.HEADER_CUT,
        KnownDifference.CODEC_FAILURE_UNWRAPPED);
  }

  private static byte[] changes(byte value) {
    byte[] changes = new byte[FLIPS.length + 2];
    for (int i = 0; i < FLIPS.length; i++) {
      changes[i] = (byte) (value ^ FLIPS[i]);
    }
    changes[FLIPS.length] = (byte) ALL_BITS;
    return changes;
  }

  /** Every byte of the messages in a compressed one, with their own checksums made right or not. */
  @ParameterizedTest
  @MethodSource("compressedCases")
  void everyInnerByte(int magic, Codec codec) {
    byte[] plain = LegacyMessage.join(inner(magic));
    int each = plain.length / 3;
    for (Policy policy : policies(magic)) {
      for (int at = 0; at < plain.length; at++) {
        for (byte changed : changes(plain[at])) {
          byte[] damaged = plain.clone();
          damaged[at] = changed;
          count(referee.judge(outer(magic, codec, damaged), policy));
          ByteBuffer message = ByteBuffer.wrap(damaged, at / each * each, each).slice();
          if (at % each > LegacyLayout.MAGIC_OFFSET) {
            Batches.fixCrc(message);
            count(referee.judge(outer(magic, codec, damaged), policy));
          }
        }
      }
    }
    assertKnown(
        KnownDifference.CODEC_ID_UNKNOWN,
        KnownDifference.LEGACY_FIELD_BEYOND_END,
        KnownDifference.LEGACY_RECORD_WITHOUT_TEXT,
        KnownDifference.LEGACY_SIZE_DECLARED);
  }

  private static byte[] outer(int magic, Codec codec, byte[] plain) {
    LegacyMessage outer = LegacyMessage.holdingPlain(magic, codec, plain).offset(2);
    return outer.timestamp(Batches.nowMs() + 2).toBytes();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void everyLength(int magic, Codec codec) {
    byte[] golden = golden(magic, codec);
    for (Policy policy : policies(magic)) {
      for (int length = 0; length < golden.length; length++) {
        byte[] cut = Arrays.copyOf(golden, length);
        count(referee.judge(cut, policy));
        if (length > LegacyLayout.MAGIC_OFFSET) {
          ByteBuffer whole = ByteBuffer.wrap(cut);
          whole.putInt(BatchLayout.LENGTH_OFFSET, length - BatchLayout.LOG_OVERHEAD);
          count(referee.judge(Batches.fixCrc(whole).array(), policy));
        }
      }
    }
    assertKnown(KnownDifference.LEGACY_FIELD_BEYOND_END);
  }

  @ParameterizedTest
  @MethodSource("compressedCases")
  void everyInnerLength(int magic, Codec codec) {
    byte[] plain = LegacyMessage.join(inner(magic));
    for (Policy policy : policies(magic)) {
      for (int length = 0; length < plain.length; length++) {
        count(referee.judge(outer(magic, codec, Arrays.copyOf(plain, length)), policy));
      }
    }
    assertKnown();
  }

  /** A compressed value that ends early, in a message that is whole. */
  @ParameterizedTest
  @MethodSource("compressedCases")
  void everyLengthOfTheStream(int magic, Codec codec) {
    byte[] stream = LegacyMessage.compress(magic, codec, LegacyMessage.join(inner(magic)));
    for (Policy policy : policies(magic)) {
      for (int length = 0; length < stream.length; length++) {
        LegacyMessage outer = LegacyMessage.of(magic).attributes(codec.id()).offset(2);
        count(referee.judge(outer.value(Arrays.copyOf(stream, length)).toBytes(), policy));
      }
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
