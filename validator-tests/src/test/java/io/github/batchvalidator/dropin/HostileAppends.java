// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import static io.github.batchvalidator.testing.RecordBytes.varint;

import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MemoryRecordsBuilder;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.ByteBufferOutputStream;
import org.apache.kafka.common.utils.PrimitiveRef;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.apache.kafka.storage.internals.log.LogValidator;
import org.apache.kafka.storage.internals.log.RecordValidationException;

/**
 * Appends damaged and hostile batches, and prints how many ended how. Runs in a small JVM of its
 * own, where {@code LogValidator} is that of the drop-in jar.
 */
final class HostileAppends {
  /** What the last line starts with. */
  static final String END = "seed ";

  /** What a line about something that must not happen starts with. */
  static final String ESCAPED = "escaped ";

  private static final int ROUNDS = 20_000;
  private static final TopicPartition PARTITION = new TopicPartition("orders", 3);
  private static final List<AppendOrigin> ORIGINS = List.of(AppendOrigin.values());
  private static final int MANY_RECORDS = 20_000_000;

  private final Random random;
  private final Map<String, Integer> outcomes = new TreeMap<>();

  private HostileAppends(long seed) {
    random = new Random(seed);
  }

  /** Needs the seed. */
  public static void main(String[] arguments) {
    long seed = Long.parseLong(arguments[0]);
    HostileAppends appends = new HostileAppends(seed);
    appends.planted();
    appends.damaged();
    System.out.println(appends.outcomes);
    System.out.println(END + seed);
  }

  private void planted() {
    for (Codec target : Codec.values()) {
      append(Batches.ofPayload(Codec.ZSTD, MANY_RECORDS, manyRecords()), Codec.ZSTD, target);
      append(Batches.ofPlain(Codec.LZ4, 1, hugeRecord()), Codec.LZ4, target);
      append(Batches.ofPlain(Codec.NONE, 1, hugeRecord()), Codec.NONE, target);
      append(Batches.ofPlain(Codec.GZIP, Integer.MAX_VALUE, hugeRecord()), Codec.GZIP, target);
      append(Batches.ofPayload(Codec.SNAPPY, 1, snappyChunk(-5)), Codec.SNAPPY, target);
      append(Batches.ofPayload(Codec.SNAPPY, 1, snappyChunk(1 << 30)), Codec.SNAPPY, target);
      append(Batches.ofPayload(Codec.SNAPPY, 1, rawSnappyOfManyBytes()), Codec.SNAPPY, target);
      append(ByteBuffer.allocate(0), Codec.LZ4, target);
    }
  }

  private void damaged() {
    List<ByteBuffer> batches = new ArrayList<>();
    for (byte magic = 0; magic <= 2; magic++) {
      for (CompressionType type : CompressionType.values()) {
        if (magic == 2 || type != CompressionType.ZSTD) {
          batches.add(build(magic, type));
        }
      }
    }
    for (int i = 0; i < ROUNDS; i++) {
      ByteBuffer batch = Batches.copy(batches.get(random.nextInt(batches.size())));
      Codec source = random.nextInt(8) == 0 ? anyCodec() : codecOf(batch);
      for (int n = random.nextInt(4); n > 0; n--) {
        batch.put(random.nextInt(batch.limit()), (byte) random.nextInt());
      }
      if (random.nextInt(10) == 0) {
        batch.limit(random.nextInt(batch.limit()));
      }
      append(batch, source, random.nextBoolean() ? source : anyCodec());
    }
  }

  private void append(ByteBuffer batch, Codec source, Codec target) {
    String outcome;
    try {
      validate(batch, source, target);
      outcome = "accepted";
    } catch (Throwable e) {
      outcome = e.getClass().getSimpleName();
      boolean allowed = e instanceof KafkaException || e instanceof RecordValidationException;
      if (!allowed || String.valueOf(e.getMessage()).contains("a fault of its own")) {
        System.out.println(ESCAPED + e + " caused by " + e.getCause());
        System.out.println(source + " to " + target + " " + hex(batch));
      }
    }
    outcomes.merge(outcome, 1, Integer::sum);
  }

  private void validate(ByteBuffer batch, Codec source, Codec target) {
    new LogValidator(
            MemoryRecords.readableRecords(batch),
            PARTITION,
            Time.SYSTEM,
            CompressionType.forId(source.id()),
            Compression.of(CompressionType.forId(target.id())).build(),
            random.nextInt(4) == 0,
            (byte) (random.nextInt(4) == 0 ? random.nextInt(3) : 2),
            random.nextInt(3) == 0 ? TimestampType.LOG_APPEND_TIME : TimestampType.CREATE_TIME,
            Long.MAX_VALUE,
            Long.MAX_VALUE,
            5,
            ORIGINS.get(random.nextInt(ORIGINS.size())))
        .validateMessagesAndAssignOffsets(
            PrimitiveRef.ofLong(random.nextInt()), new NoMetrics(), BufferSupplier.NO_CACHING);
  }

  private Codec anyCodec() {
    return Objects.requireNonNull(Codec.byId(random.nextInt(Codec.count())));
  }

  private static Codec codecOf(ByteBuffer batch) {
    boolean legacy = batch.get(BatchLayout.MAGIC_OFFSET) < BatchLayout.MAGIC_V2;
    int at = legacy ? BatchLayout.MAGIC_OFFSET + 1 : BatchLayout.ATTRIBUTES_OFFSET + 1;
    Codec codec = Codec.byId(batch.get(at) & BatchLayout.CODEC_MASK);
    return codec == null ? Codec.NONE : codec;
  }

  private static ByteBuffer build(byte magic, CompressionType type) {
    MemoryRecordsBuilder builder =
        MemoryRecords.builder(
            new ByteBufferOutputStream(512).buffer(),
            magic,
            Compression.of(type).build(),
            TimestampType.CREATE_TIME,
            0L);
    for (int i = 0; i < 8; i++) {
      Header[] headers = {new RecordHeader("h" + i, new byte[i])};
      builder.append(
          new SimpleRecord(
              Batches.nowMs() + i,
              i % 3 == 0 ? null : new byte[i],
              new byte[20],
              magic == 2 ? headers : new Header[0]));
    }
    return Batches.copy(builder.build().buffer());
  }

  /** Twenty million records of 7 bytes in 13 KB: what a list of them does not survive. */
  private static byte[] manyRecords() {
    byte[] record = {12, 0, 0, 0, 1, 1, 0};
    byte[] block = new byte[record.length * 10_000];
    for (int i = 0; i < block.length; i++) {
      block[i] = record[i % record.length];
    }
    ByteBufferOutputStream bytes = new ByteBufferOutputStream(1 << 16);
    try (OutputStream out = Compression.zstd().build().wrapForOutput(bytes, BatchLayout.MAGIC_V2)) {
      for (int i = 0; i < MANY_RECORDS / 10_000; i++) {
        out.write(block);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    byte[] payload = new byte[bytes.buffer().flip().remaining()];
    bytes.buffer().get(payload);
    return payload;
  }

  private static byte[] hugeRecord() {
    ByteArrayOutputStream record = new ByteArrayOutputStream();
    record.writeBytes(varint(2_000_000_000, 1));
    record.writeBytes(new byte[] {0, 0, 0, 1});
    record.writeBytes(varint(1_999_999_000, 1));
    return record.toByteArray();
  }

  private static byte[] snappyChunk(int length) {
    byte[] magic = {(byte) 0x82, 'S', 'N', 'A', 'P', 'P', 'Y', 0};
    return ByteBuffer.allocate(30).put(magic).putInt(1).putInt(1).putInt(length).array();
  }

  /** A raw block that says it decodes to a GiB. */
  private static byte[] rawSnappyOfManyBytes() {
    byte[] block = new byte[24];
    ByteBuffer.wrap(block).put(new byte[] {-128, -128, -128, -128, 4});
    return block;
  }

  private static String hex(ByteBuffer batch) {
    return Batches.base64(Batches.copy(batch.duplicate().rewind()).array());
  }

  private static final class NoMetrics implements LogValidator.MetricsRecorder {
    @Override
    public void recordInvalidMagic() {}

    @Override
    public void recordInvalidOffset() {}

    @Override
    public void recordInvalidSequence() {}

    @Override
    public void recordInvalidChecksums() {}

    @Override
    public void recordNoKeyCompactedTopic() {}
  }
}
