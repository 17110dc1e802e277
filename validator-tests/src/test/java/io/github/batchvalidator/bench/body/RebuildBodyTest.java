// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.body;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.bench.workload.ProducedBatch;
import io.github.batchvalidator.bench.workload.Workload;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.IndependentCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.stream.Stream;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.storage.internals.log.LogValidator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** All contenders of a rebuild produce the same records, in the target codec. */
class RebuildBodyTest {
  static Stream<Arguments> cells() {
    return Stream.of(RebuildContender.values())
        .flatMap(
            contender ->
                Stream.of(
                    Arguments.of(contender, Codec.LZ4, Codec.ZSTD),
                    Arguments.of(contender, Codec.ZSTD, Codec.LZ4),
                    Arguments.of(contender, Codec.GZIP, Codec.ZSTD),
                    Arguments.of(contender, Codec.NONE, Codec.LZ4)));
  }

  @ParameterizedTest
  @MethodSource("cells")
  void theSameRecordsComeOut(RebuildContender contender, Codec source, Codec target)
      throws IOException {
    assertRebuilt(contender, Workload.json(source, 125, 1024).batches(3), target);
  }

  private static void assertRebuilt(
      RebuildContender contender, ProducedBatch[] batches, Codec target) throws IOException {
    ProducedBatch[] plain = Workload.json(Codec.NONE, 125, 1024).batches(3);
    try (Body body = contender.open(target, batches)) {
      for (int run = 0; run < 7; run++) {
        byte[] stored = payload(body, body.run(), target);
        byte[] expected = payload(plain[run % 3].copy());
        assertArrayEquals(expected, IndependentCodec.decode(target, stored));
        assertEquals(batches[run % 3].records(), body.records());
      }
    }
  }

  static Stream<Arguments> conversions() {
    return Stream.of(RebuildContender.KAFKA_LOG_VALIDATOR, RebuildContender.CORE)
        .flatMap(
            contender ->
                Stream.of(Codec.NONE, Codec.GZIP, Codec.SNAPPY, Codec.LZ4)
                    .map(codec -> Arguments.of(contender, codec)));
  }

  @ParameterizedTest
  @MethodSource("conversions")
  void messagesBecomeABatch(RebuildContender contender, Codec codec) throws IOException {
    assertRebuilt(contender, Workload.json(codec, 125, 1024).messages(3), codec);
  }

  private static byte[] payload(Body body, Object answer, Codec target) {
    if (body instanceof TranscodingBody floor) {
      return Arrays.copyOf((byte[]) answer, floor.storedBytes());
    }
    MemoryRecords records = MemoryRecords.readableRecords(rebuilt(answer));
    MutableRecordBatch batch = records.batches().iterator().next();
    assertTrue(batch.isValid());
    assertEquals(target.id(), batch.compressionType().id);
    assertEquals(AppendBody.FIRST_OFFSET, batch.baseOffset());
    assertEquals(AppendBody.LEADER_EPOCH, batch.partitionLeaderEpoch());
    return payload(records.buffer());
  }

  private static ByteBuffer rebuilt(Object answer) {
    if (answer instanceof LogValidator.ValidationResult result) {
      assertTrue(result.messageSizeMaybeChanged());
      return result.validatedRecords().buffer();
    }
    return (ByteBuffer) answer;
  }

  private static byte[] payload(ByteBuffer batch) {
    byte[] bytes = new byte[batch.remaining() - BatchLayout.HEADER_BYTES];
    batch.get(batch.position() + BatchLayout.HEADER_BYTES, bytes);
    return bytes;
  }
}
