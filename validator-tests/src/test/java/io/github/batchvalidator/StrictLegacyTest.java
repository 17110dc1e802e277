// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Findings;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.LegacyMessage;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Level STRICT over messages of magic 0 and 1, alone and in a compressed one. */
class StrictLegacyTest {
  private static final long NOW = Batches.nowMs();

  private final BatchValidator fastest = new BatchValidator();
  private final BatchValidator lowMemory = BatchValidator.lowMemory();
  private final MutableVerdict verdict = new MutableVerdict();

  @AfterEach
  void close() {
    fastest.close();
    lowMemory.close();
  }

  /** Returns what is found, whatever the windows, where level KAFKA accepts. */
  private Set<Reason> found(ByteBuffer batch, Origin origin) {
    Policy policy = Policy.builder(origin).checkedByHost(true).observing(true).build();
    Set<Reason> found = found(fastest, batch, policy);
    assertEquals(found, found(lowMemory, batch, policy));
    return found;
  }

  private Set<Reason> found(BatchValidator by, ByteBuffer batch, Policy policy) {
    assertTrue(by.inspect(batch, policy, NOW, verdict), verdict::toString);
    Findings findings = verdict.findings();
    Set<Reason> found = new TreeSet<>();
    for (int i = 0; i < findings.count(); i++) {
      found.add(findings.reason(i));
    }
    return found;
  }

  private void assertFound(LegacyMessage batch, Reason... expected) {
    assertEquals(new TreeSet<>(Set.of(expected)), found(batch.toBuffer(), Origin.COORDINATOR));
  }

  private static LegacyMessage holding(LegacyMessage... inner) {
    return LegacyMessage.holding(1, Codec.GZIP, inner).timestamp(NOW + inner.length - 1);
  }

  @ParameterizedTest
  @EnumSource(
      value = Codec.class,
      names = {"NONE", "GZIP", "SNAPPY", "LZ4"})
  void messagesOfKafkaHaveNoFindings(Codec codec) {
    for (byte magic = 0; magic <= 1; magic++) {
      SimpleRecord[] records = new SimpleRecord[20];
      for (int i = 0; i < records.length; i++) {
        byte[] key = i % 3 == 0 ? null : new byte[i * 100];
        byte[] value = i % 7 == 6 ? null : new byte[i * 997];
        records[i] = new SimpleRecord(i == 4 ? -1 : NOW + i, key, value);
      }
      ByteBuffer all =
          MemoryRecords.withRecords(magic, Batches.compression(codec), records).buffer();
      for (Origin origin : Origin.values()) {
        assertEquals(Set.of(), found(all, origin), origin + " of magic " + magic);
      }
    }
  }

  @Test
  void reservedAttributesAreFound() {
    assertFound(LegacyMessage.of(1).attributes(0x10), Reason.BATCH_ATTRIBUTES_RESERVED);
    assertFound(LegacyMessage.of(0).attributes(0x08), Reason.BATCH_ATTRIBUTES_RESERVED);
    assertFound(LegacyMessage.of(1).attributes(0x08), Reason.BATCH_LOG_APPEND_TIME_NOT_ALLOWED);
    LegacyMessage[] inner = LegacyMessage.several(1, 2);
    inner[1].attributes(0x80);
    assertFound(holding(inner), Reason.RECORD_ATTRIBUTES_RESERVED);
    assertFound(
        holding(LegacyMessage.several(1, 2)).attributes(0x21), Reason.BATCH_ATTRIBUTES_RESERVED);
  }

  @Test
  void oddTimestampsAreFound() {
    assertFound(LegacyMessage.of(1).timestamp(-2), Reason.RECORD_TIMESTAMP_NEGATIVE);
    LegacyMessage[] inner = LegacyMessage.several(1, 2);
    inner[0].timestamp(-2);
    assertFound(holding(inner), Reason.RECORD_TIMESTAMP_NEGATIVE);
    assertFound(
        holding(LegacyMessage.several(1, 2)).timestamp(NOW), Reason.BATCH_MAX_TIMESTAMP_WRONG);
    ByteBuffer stored = holding(LegacyMessage.several(1, 2)).timestamp(NOW).toBuffer();
    assertEquals(Set.of(), found(stored, Origin.STORED), "compaction leaves it as it was");
  }

  /** The fields are known, too, of a message that the window does not hold as a whole. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3, 4, 5, 6, 7, 8, 9, 10, 100, 5_000, 200_000})
  void fieldsOfMessagesOfAnySize(int keyBytes) {
    for (int magic = 0; magic <= 1; magic++) {
      for (int valueBytes : new int[] {0, 1, 100, 5_000, 200_000}) {
        assertEquals(Set.of(), withFields(magic, keyBytes, valueBytes, 0));
        Set<Reason> untrue = Set.of(Reason.RECORD_FIELDS_UNTRUE);
        assertEquals(untrue, withFields(magic, keyBytes, valueBytes, 1));
        assertEquals(untrue, withFields(magic, keyBytes, valueBytes + 1, -1));
      }
    }
  }

  private Set<Reason> withFields(int magic, int keyBytes, int valueBytes, int valueSizeError) {
    LegacyMessage[] inner = LegacyMessage.several(magic, 3);
    inner[1].key(new byte[keyBytes]).value(new byte[valueBytes]).valueSizeError(valueSizeError);
    return found(
        LegacyMessage.holding(magic, Codec.SNAPPY, inner).timestamp(NOW + 2).toBuffer(),
        Origin.COORDINATOR);
  }

  @Test
  void oddLengthsOfNullAreFound() {
    assertFound(
        LegacyMessage.of(1).value(null).valueSizeError(-4), Reason.RECORD_NULL_LENGTH_INVALID);
    LegacyMessage[] inner = LegacyMessage.several(1, 2);
    inner[1].key(null).keySizeError(-1);
    assertFound(holding(inner), Reason.RECORD_NULL_LENGTH_INVALID);
    assertFound(
        holding(LegacyMessage.several(1, 2)).keySizeError(-1), Reason.RECORD_NULL_LENGTH_INVALID);
  }

  @Test
  void bytesAfterTheStreamAreFound() {
    byte[] stream =
        LegacyMessage.compress(1, Codec.LZ4, LegacyMessage.join(LegacyMessage.several(1, 2)));
    LegacyMessage message =
        LegacyMessage.of(1).attributes(Codec.LZ4.id()).key(null).offset(1).timestamp(NOW + 1);
    assertFound(message.value(stream));
    assertFound(message.value(Arrays.copyOf(stream, stream.length + 1)), Reason.CODEC_BYTES_LEFT);
  }

  /** One line for each finding: reason, position, record, place among the plain bytes, sentence. */
  private String told(LegacyMessage batch) {
    found(batch.toBuffer(), Origin.COORDINATOR);
    Findings all = verdict.findings();
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < all.count(); i++) {
      text.append(all.reason(i)).append(' ').append(all.position(i)).append(' ');
      text.append(all.recordIndex(i)).append(' ').append(all.plainPosition(i)).append(": ");
      text.append(all.describe(i)).append('\n');
    }
    return text.toString();
  }

  @Test
  void faultsOfAMessageByItselfAreAtItsStart() {
    assertEquals(
        """
        BATCH_ATTRIBUTES_RESERVED 0 -1 -1: attributes 0090 have bits set without a meaning
        RECORD_FIELDS_UNTRUE 0 0 0: the message has 36 bytes, its fields end at 35
        RECORD_TIMESTAMP_NEGATIVE 0 0 0: timestamp is -5
        """,
        told(LegacyMessage.of(1).attributes(0x90).valueSizeError(-1).timestamp(-5)));
  }

  @Test
  void faultsOfACompressedMessageComeBeforeThoseOfItsMessages() {
    LegacyMessage[] inner = LegacyMessage.several(1, 3);
    inner[1].attributes(0x90).key(null).keySizeError(-1);
    inner[2].valueSizeError(-1).timestamp(-5);
    LegacyMessage outer = LegacyMessage.holding(1, Codec.SNAPPY, inner).timestamp(-7);
    assertEquals(
        """
        BATCH_ATTRIBUTES_RESERVED 0 -1 -1: attributes 0082 have bits set without a meaning
        RECORD_NULL_LENGTH_INVALID 0 -1 -1: a length is -2, null is -1
        RECORD_TIMESTAMP_NEGATIVE 0 -1 -1: timestamp is -7
        RECORD_ATTRIBUTES_RESERVED 34 1 37: the attributes of the record are -112
        RECORD_FIELDS_UNTRUE 34 2 73: the message has 25 bytes, its fields end at 24
        BATCH_MAX_TIMESTAMP_WRONG 0 -1 -1: maximum timestamp is -7, the records have %d
        """
            .formatted(NOW + 1),
        told(outer.attributes(0x82).keySizeError(-1)));
  }
}
