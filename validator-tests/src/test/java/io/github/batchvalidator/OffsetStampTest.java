// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.format.CrcSplice;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.TimestampType;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.zip.CRC32C;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** The spliced checksum against one that is computed from the bytes. */
class OffsetStampTest {
  private static final int KNOWN_BITS_WITHOUT_TYPE =
      BatchLayout.KNOWN_ATTRIBUTES_MASK & ~BatchLayout.TIMESTAMP_TYPE_MASK;

  /** The values that an append assigns. */
  record Stamp(long firstOffset, int leaderEpoch, TimestampType type, long timestamp) {
    void assign(ByteBuffer batch) {
      MutableVerdict verdict = new MutableVerdict();
      verdict.batch(batch.remaining(), BatchLayout.MAGIC_V2);
      verdict.header(Codec.NONE, false, type);
      verdict.walk().records(1, 0, timestamp);
      verdict.conclude();
      verdict.seal(batch);
      new OffsetStamp()
          .firstOffset(firstOffset)
          .leaderEpoch(leaderEpoch)
          .nowMs(timestamp)
          .assign(batch, verdict);
    }
  }

  @Property
  void aRightChecksumStaysRight(
      @ForAll("batches") ByteBuffer batch, @ForAll("stamps") Stamp stamp) {
    stamp.assign(batch);
    assertEquals(crcOf(batch), batch.getInt(BatchLayout.CRC_OFFSET));
  }

  @Property
  void aWrongChecksumStaysWrongByTheSameBits(
      @ForAll("batches") ByteBuffer batch, @ForAll("stamps") Stamp stamp, @ForAll int error) {
    batch.putInt(BatchLayout.CRC_OFFSET, crcOf(batch) ^ error);
    stamp.assign(batch);
    assertEquals(error, crcOf(batch) ^ batch.getInt(BatchLayout.CRC_OFFSET));
  }

  @Property
  void onlyTheDecidedFieldsAreWritten(
      @ForAll("batches") ByteBuffer batch, @ForAll("stamps") Stamp stamp) {
    ByteBuffer expected = Batches.copy(batch);
    int lastOffsetDelta = batch.getInt(BatchLayout.LAST_OFFSET_DELTA_OFFSET);
    expected.putLong(BatchLayout.BASE_OFFSET_OFFSET, stamp.firstOffset() - lastOffsetDelta);
    expected.putInt(BatchLayout.PARTITION_LEADER_EPOCH_OFFSET, stamp.leaderEpoch());
    int kept = batch.getShort(BatchLayout.ATTRIBUTES_OFFSET) & KNOWN_BITS_WITHOUT_TYPE;
    int type = stamp.type() == TimestampType.LOG_APPEND_TIME ? BatchLayout.TIMESTAMP_TYPE_MASK : 0;
    expected.putShort(BatchLayout.ATTRIBUTES_OFFSET, (short) (kept | type));
    expected.putLong(BatchLayout.MAX_TIMESTAMP_OFFSET, stamp.timestamp());

    stamp.assign(batch);

    assertEquals(Batches.fixCrc(expected), batch);
  }

  /** The last stamp wins, whatever was stamped before: two in either order end alike. */
  @Property
  void theOrderOfStampsLeavesNoTrace(
      @ForAll("batches") ByteBuffer batch,
      @ForAll("stamps") Stamp one,
      @ForAll("stamps") Stamp other) {
    ByteBuffer alone = Batches.copy(batch);
    ByteBuffer behind = Batches.copy(batch);
    other.assign(alone);
    one.assign(behind);
    other.assign(behind);
    assertEquals(alone, behind);
  }

  @Property
  void aFrontIsSplicedOverAnyDistance(
      @ForAll long before,
      @ForAll long after,
      @ForAll @IntRange(max = 1 << 20) int distance,
      @ForAll long seed) {
    ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES + distance);
    new Random(seed).nextBytes(bytes.array());
    int old = crcFrom(bytes.putLong(0, before), 0);
    int remainder = CrcSplice.CRC32C.continueBy(0, before ^ after);
    int spliced = old ^ CrcSplice.CRC32C.advance(remainder, distance);
    assertEquals(crcFrom(bytes.putLong(0, after), 0), spliced);
  }

  @Property
  void distancesAddUp(
      @ForAll int remainder,
      @ForAll @IntRange(max = 1 << 30) int one,
      @ForAll @IntRange(max = 1 << 30) int other) {
    int both = CrcSplice.CRC32C.advance(remainder, one + other);
    assertEquals(both, CrcSplice.CRC32C.advance(CrcSplice.CRC32C.advance(remainder, one), other));
    assertEquals(both, CrcSplice.CRC32C.advance(CrcSplice.CRC32C.advance(remainder, other), one));
  }

  /** Kafka rewrites attributes and timestamp together, and so drops the bits it does not know. */
  @Example
  void unknownAttributeBitsGoOnlyWhenSomethingChanges() {
    short unknown = (short) ~BatchLayout.KNOWN_ATTRIBUTES_MASK;
    ByteBuffer batch = Batches.ofPayload(Codec.NONE, 1, new byte[9]);
    batch.putShort(BatchLayout.ATTRIBUTES_OFFSET, unknown);
    Batches.fixCrc(batch);
    long timestamp = batch.getLong(BatchLayout.MAX_TIMESTAMP_OFFSET);

    new Stamp(5, 6, TimestampType.CREATE_TIME, timestamp).assign(batch);
    assertEquals(unknown, batch.getShort(BatchLayout.ATTRIBUTES_OFFSET));
    assertEquals(crcOf(batch), batch.getInt(BatchLayout.CRC_OFFSET));

    new Stamp(5, 6, TimestampType.CREATE_TIME, timestamp + 1).assign(batch);
    assertNotEquals(unknown, batch.getShort(BatchLayout.ATTRIBUTES_OFFSET));
    assertEquals(0, batch.getShort(BatchLayout.ATTRIBUTES_OFFSET));
    assertEquals(crcOf(batch), batch.getInt(BatchLayout.CRC_OFFSET));
  }

  /** Batches with any header, known attribute bits only, any payload, and a right checksum. */
  @Provide
  Arbitrary<ByteBuffer> batches() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 70_000),
            Arbitraries.longs(),
            Arbitraries.integers().between(0, KNOWN_BITS_WITHOUT_TYPE * 2))
        .as(OffsetStampTest::batch);
  }

  @Provide
  Arbitrary<Stamp> stamps() {
    return Combinators.combine(
            Arbitraries.longs().between(0, Long.MAX_VALUE - 1),
            Arbitraries.integers(),
            Arbitraries.of(TimestampType.class),
            Arbitraries.longs())
        .as(Stamp::new);
  }

  private static ByteBuffer batch(int payloadBytes, long seed, int attributes) {
    byte[] payload = new byte[payloadBytes];
    Random random = new Random(seed);
    random.nextBytes(payload);
    ByteBuffer batch = Batches.ofPayload(Codec.NONE, 1 + random.nextInt(1000), payload);
    batch.putShort(
        BatchLayout.ATTRIBUTES_OFFSET, (short) (attributes & BatchLayout.KNOWN_ATTRIBUTES_MASK));
    batch.putLong(BatchLayout.BASE_TIMESTAMP_OFFSET, random.nextLong());
    batch.putLong(BatchLayout.MAX_TIMESTAMP_OFFSET, random.nextLong());
    batch.putLong(BatchLayout.PRODUCER_ID_OFFSET, random.nextLong());
    return Batches.fixCrc(batch);
  }

  private static int crcOf(ByteBuffer batch) {
    return crcFrom(batch, BatchLayout.ATTRIBUTES_OFFSET);
  }

  private static int crcFrom(ByteBuffer bytes, int from) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.duplicate().position(from));
    return (int) crc.getValue();
  }
}
