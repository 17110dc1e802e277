// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.fuzz.Verdicts;
import io.github.batchvalidator.internal.codec.snappy.HostileBlocks;
import io.github.batchvalidator.internal.codec.snappy.WalkGates;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Limit;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.TopicRule;
import io.github.batchvalidator.rule.TopicRules;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.BufferKind;
import io.github.batchvalidator.testing.RandomRecords;
import io.github.batchvalidator.testing.RecordShapes;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterProperty;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A verdict tells the same whether a Snappy batch was walked in compressed form or not. */
class SparseInspectionTest {
  private final BatchValidator validator = new BatchValidator();
  private final MutableVerdict verdict = new MutableVerdict();

  @AfterEach
  @AfterProperty
  void close() {
    WalkGates.putBack();
    validator.close();
  }

  private String inspect(ByteBuffer batch, Policy policy) {
    validator.inspect(batch, policy, Batches.nowMs(), verdict);
    return Verdicts.traceWithFindings(verdict).toString();
  }

  private void compare(ByteBuffer batch, BufferKind kind, Policy policy) {
    ByteBuffer buffer = kind.holding(Batches.copy(batch).array(), (byte) 0x33);
    WalkGates.shut();
    String expected = inspect(buffer, policy);
    WalkGates.open();
    assertEquals(expected, inspect(buffer, policy));
    WalkGates.putBack();
    assertEquals(expected, inspect(buffer, policy));
  }

  private static Policy policy(Random random) {
    Origin[] origins = Origin.values();
    return Policy.builder(origins[random.nextInt(origins.length)])
        .checkedByHost(true)
        .compactedTopic(random.nextInt(4) == 0)
        .timestampWindowMs(Long.MAX_VALUE, random.nextInt(4) == 0 ? 5 : Long.MAX_VALUE)
        .limits(limits(random))
        .topicRules(rules(random))
        .build();
  }

  /** Rules of the batch, of fields and of headers, in most policies none. */
  private static TopicRules rules(Random random) {
    TopicRules rules = TopicRules.NONE;
    if (random.nextInt(3) == 0) {
      Codec first = random.nextBoolean() ? Codec.SNAPPY : Codec.LZ4;
      rules = rules.with(TopicRule.CODECS, Set.of(first, Codec.ZSTD));
    }
    return rules
        .with(TopicRule.KEY_REQUIRED, random.nextInt(6) == 0)
        .with(TopicRule.HEADERS_FORBIDDEN, random.nextInt(6) == 0 ? List.of("debug") : List.of())
        .with(TopicRule.HEADERS_UTF8, random.nextInt(6) == 0);
  }

  private static Limits limits(Random random) {
    Limits limits = Limits.UNBOUNDED_AS_KAFKA;
    return switch (random.nextInt(8)) {
      case 0 -> limits.with(Limit.PLAIN_BYTES, random.nextInt(50_000));
      case 1 -> limits.with(Limit.RECORD_BYTES, 1 + random.nextInt(2000));
      case 2 -> limits.with(Limit.RECORDS, 1 + random.nextInt(20));
      case 3 -> limits.with(Limit.HEADERS, random.nextInt(3));
      case 4 -> limits.with(Limit.HEADER_BYTES, random.nextInt(300));
      default -> limits;
    };
  }

  /** Sound records, sometimes with a wrong count, offset, timestamp or stored byte. */
  @Property(tries = 600)
  void recordsOfEveryShape(@ForAll RecordShapes shape, @ForAll BufferKind kind, @ForAll long seed) {
    Random random = new Random(seed);
    int count = 1 + random.nextInt(random.nextBoolean() ? 10 : 150);
    ByteBuffer batch =
        random.nextBoolean()
            ? Batches.of(Codec.SNAPPY, shape.records(random, count))
            : Batches.ofPlain(Codec.SNAPPY, count, shape.plain(random, count));
    int at = BatchLayout.HEADER_BYTES + random.nextInt(batch.limit() - BatchLayout.HEADER_BYTES);
    switch (random.nextInt(8)) {
      case 0 -> batch.putInt(BatchLayout.RECORD_COUNT_OFFSET, random.nextInt(2 * count));
      case 1 -> batch.putLong(BatchLayout.BASE_OFFSET_OFFSET, 1);
      case 2, 3 -> batch.put(at, (byte) (batch.get(at) ^ 1 << random.nextInt(8)));
      case 4 -> batch.put(batch.limit() - 1, (byte) random.nextInt());
      default -> {}
    }
    compare(Batches.fixCrc(batch), kind, policy(random));
  }

  @Property(tries = 3000)
  void anyRecords(@ForAll BufferKind kind, @ForAll long seed) {
    Random random = new Random(seed);
    int count = 1 + random.nextInt(8);
    byte[] plain = RandomRecords.plain(random, count, 1 + random.nextInt(6));
    int declared = random.nextInt(6) == 0 ? random.nextInt(12) : count;
    compare(Batches.ofPlain(Codec.SNAPPY, declared, plain), kind, policy(random));
  }

  /**
   * The walk declines batches with some headers, and others by its gate. The records are then
   * walked again, and what the header has shown must stand.
   */
  @ParameterizedTest
  @ValueSource(ints = {0, 20, 300, 9_000})
  void aForbiddenCodecIsRefusedHoweverTheRecordsAreWalked(int headerBytes) {
    Random random = new Random(headerBytes);
    TopicRules codecs = TopicRules.NONE.with(TopicRule.CODECS, Set.of(Codec.LZ4, Codec.ZSTD));
    for (TopicRules rules :
        List.of(codecs, codecs.with(TopicRule.HEADERS_REQUIRED, List.of("h")))) {
      Policy policy = Policy.builder(Origin.CLIENT).topicRules(rules).build();
      for (int i = 0; i < 50; i++) {
        ByteBuffer batch = Batches.of(Codec.SNAPPY, withHeader(random, 1 + i, headerBytes));
        compare(batch, BufferKind.HEAP, policy);
        assertEquals(Reason.TOPIC_CODEC_NOT_ALLOWED, verdict.reason());
      }
    }
  }

  private static SimpleRecord[] withHeader(Random random, int count, int headerBytes) {
    SimpleRecord[] records = new SimpleRecord[count];
    byte[] header = new byte[headerBytes];
    byte[] value = new byte[random.nextInt(400)];
    for (int i = 0; i < count; i++) {
      random.nextBytes(header);
      records[i] =
          new SimpleRecord(
              Batches.nowMs(), null, value, new Header[] {new RecordHeader("h", header.clone())});
    }
    return records;
  }

  /** Sound and damaged blocks in which guessed lanes never fall in with the confirmed one. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void blocksMadeAgainstTheWalk(int kind) {
    SplittableRandom random = new SplittableRandom(kind);
    for (int i = 0; i < 60; i++) {
      int records = 1 + i % 6;
      byte[] payload = HostileBlocks.records(random, kind, records);
      ByteBuffer batch = Batches.fixCrc(Batches.ofPayload(Codec.SNAPPY, records, payload));
      compare(batch, BufferKind.HEAP, policy(Long.MAX_VALUE));
      assertNull(verdict.reason());
      int at = BatchLayout.HEADER_BYTES + random.nextInt(payload.length);
      batch.put(at, (byte) (batch.get(at) ^ 1 << random.nextInt(8)));
      compare(Batches.fixCrc(batch), BufferKind.HEAP, policy(Long.MAX_VALUE));
    }
  }

  // ---- allocation

  @ParameterizedTest
  @EnumSource
  @Tag("unvaried")
  void nothingIsAllocated(BufferKind kind) {
    Random random = new Random(20_261_125L);
    List<ByteBuffer> batches = new ArrayList<>();
    for (RecordShapes shape : RecordShapes.values()) {
      byte[] batch = Batches.of(Codec.SNAPPY, shape.records(random, 40)).array();
      batches.add(kind.holding(batch, (byte) 0));
    }
    Policy accepting = policy(Long.MAX_VALUE);
    Policy refusing = policy(20);
    WalkGates.open();
    long bytes =
        AllocationMeter.bytesPerCall(
            AllocationMeter.FEW_CALLS,
            0,
            () -> {
              for (int i = 0; i < batches.size(); i++) { // an iterator would be garbage
                ByteBuffer batch = batches.get(i);
                validator.inspect(batch, accepting, Batches.nowMs(), verdict);
                validator.inspect(batch, refusing, Batches.nowMs(), verdict);
              }
            });
    assertEquals(0, bytes);
    validator.inspect(batches.get(0), accepting, Batches.nowMs(), verdict);
    assertNull(verdict.reason());
    assertFalse(validator.inspect(batches.get(0), refusing, Batches.nowMs(), verdict));
  }

  private static Policy policy(long afterMaxMs) {
    return Policy.builder(Origin.CLIENT).timestampWindowMs(Long.MAX_VALUE, afterMaxMs).build();
  }
}
