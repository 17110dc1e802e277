// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.snappy;

import static io.github.batchvalidator.fuzz.Fuzzing.require;

import io.github.batchvalidator.fuzz.FuzzInput;
import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.internal.codec.Payload;
import io.github.batchvalidator.internal.codec.SparseWindow;
import io.github.batchvalidator.internal.scan.BatchRecordWalk;
import io.github.batchvalidator.internal.scan.SkipKeyValueIterator;
import io.github.batchvalidator.internal.scan.SparseRecordIterator;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.testing.BufferKind;
import io.github.batchvalidator.testing.RecordBytes;
import io.github.batchvalidator.testing.streams.Bytes;
import io.github.batchvalidator.testing.streams.SnappyStreams;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.xerial.snappy.SnappyInputStream;

/**
 * Any Snappy payload, sound or damaged, for the walk with an open gate. The walk accepts only what
 * the stream of snappy-java accepts, serves the same bytes and finds the same records.
 */
public final class WalkFuzz {
  private static final Limits NONE = Limits.UNBOUNDED_AS_KAFKA;
  private static final int MOST_BLOCKS = 10;
  private static final int MOST_RECORDS = 12;
  private static final WalkGate GATE = new WalkGate();

  static {
    GATE.mode(WalkGate.Mode.OPEN);
  }

  private static final SnappyWalk WALK = new SnappyWalk(GATE);
  private static final SnappyDecoder DECODER = new SnappyDecoder(Integer.MAX_VALUE);

  private final FuzzInput input;
  private final BufferKind kind;
  private final int records;
  private final int span;
  private final int requested;
  private final byte[] stream;

  private WalkFuzz(byte[] bytes) {
    input = new FuzzInput(bytes);
    kind = input.of(BufferKind.values());
    records = 1 + input.choice(MOST_RECORDS) * input.of(1, 100);
    span = 1 + input.choice(256) * input.of(1, 10, 100);
    requested = 1 + input.choice(SparseWindow.MOST_BYTES);
    stream =
        switch (input.choice(3)) {
          case 0 -> Bytes.concat(SnappyStreams.stream(), input.rest());
          case 1 -> stream(blocks());
          default -> stream(blocksOf(plainRecords()));
        };
  }

  /** Walks the payload that an input describes. */
  public static void run(byte[] bytes) {
    WalkFuzz fuzz = new WalkFuzz(bytes);
    ByteBuffer buffer = fuzz.kind.holding(fuzz.stream, (byte) 0x41);
    Payload payload = new Payload().wrap(buffer, buffer.position(), fuzz.stream.length);
    if (WALK.open(payload, fuzz.records, NONE)) {
      fuzz.readBytes(plain(fuzz.stream));
      fuzz.readRecords(payload);
    }
    WALK.release();
  }

  private static byte @Nullable [] plain(byte[] stream) {
    try (SnappyInputStream in = new SnappyInputStream(new ByteArrayInputStream(stream))) {
      return in.readAllBytes();
    } catch (IOException | RuntimeException e) {
      return null;
    }
  }

  private void readBytes(byte @Nullable [] plain) {
    int length = WALK.length();
    require(plain == null || plain.length == length, "length " + length);
    for (int at = 0; at < length; at += span) {
      int index = WALK.request(at, requested);
      int bytes = Math.min(requested, length - at);
      require(
          index < 0
              || plain == null
              || Arrays.equals(plain, at, at + bytes, WALK.array(), index, index + bytes),
          "bytes at " + at);
    }
    require(WALK.request(length - 1, 1) < 0 || plain != null, "accepted what the library refuses");
  }

  private void readRecords(Payload payload) {
    require(WALK.open(payload, records, NONE), "declined the second time");
    SparseRecordIterator sparse = new SparseRecordIterator();
    sparse.open(WALK, records, NONE);
    ByteWindow window = new ByteWindow();
    DECODER.open(payload, NONE, window);
    SkipKeyValueIterator full = new SkipKeyValueIterator();
    full.open(window, records, NONE);
    while (sparse.next()) {
      if (full.next()) {
        requireSame(sparse, full);
      } else {
        require(!isDone(sparse), "accepted more records");
        break;
      }
    }
    if (sparse.isComplete()) {
      require(!full.next() && full.finish(), "accepted, but " + full.failure());
      require(sparse.declaredBytes() == full.declaredBytes(), "declared bytes");
    }
    DECODER.release();
  }

  /** Reads on. A record of the first blocks may be served although a later block is damaged. */
  private static boolean isDone(SparseRecordIterator sparse) {
    while (sparse.next()) {}
    return sparse.isComplete();
  }

  private static void requireSame(BatchRecordWalk sparse, BatchRecordWalk full) {
    require(
        sparse.index() == full.index()
            && sparse.start() == full.start()
            && sparse.bodySize() == full.bodySize()
            && sparse.attributes() == full.attributes()
            && sparse.timestampDelta() == full.timestampDelta()
            && sparse.offsetDelta() == full.offsetDelta()
            && sparse.keySize() == full.keySize()
            && sparse.valueSize() == full.valueSize()
            && sparse.headerCount() == full.headerCount(),
        "fields of record " + full.index());
  }

  // ---- what an input describes

  private static byte[] stream(List<byte[]> blocks) {
    return SnappyStreams.stream(blocks.stream().map(SnappyStreams::chunk).toArray(byte[][]::new));
  }

  private List<byte[]> blocks() {
    List<byte[]> blocks = new ArrayList<>();
    do {
      byte[] block =
          switch (input.choice(4)) {
            case 0 -> input.take(input.choice(256));
            case 1 -> SnappyStreams.block(expanded(Lanes.BLOCK_BYTES));
            case 2 -> blocks.isEmpty() ? new byte[1] : blocks.get(input.choice(blocks.size()));
            default -> tags();
          };
      blocks.add(damaged(block));
    } while (input.hasMore() && blocks.size() < MOST_BLOCKS);
    return blocks;
  }

  private List<byte[]> blocksOf(byte[] plain) {
    List<byte[]> blocks = new ArrayList<>();
    for (int at = 0; at < plain.length; at += Lanes.BLOCK_BYTES) {
      int end = Math.min(plain.length, at + Lanes.BLOCK_BYTES);
      blocks.add(SnappyStreams.block(Arrays.copyOfRange(plain, at, end)));
    }
    int damagedBlock = input.choice(blocks.size());
    blocks.set(damagedBlock, damaged(blocks.get(damagedBlock)));
    return blocks;
  }

  private byte[] plainRecords() {
    ByteArrayOutputStream plain = new ByteArrayOutputStream();
    for (int i = 0; i < records && i < MOST_RECORDS; i++) {
      RecordBytes record = new RecordBytes().offsetDelta(RecordBytes.varint(i, 1));
      byte[] key = expanded(100);
      byte[] value = expanded(input.of(2000, 40_000, 400_000));
      record.key(RecordBytes.varint(key.length, 1), key);
      record.value(RecordBytes.varint(value.length, 1), value);
      int headers = input.choice(3);
      record.headerCount(RecordBytes.varint(headers + input.choice(16) / 15, 1));
      for (int k = 0; k < headers; k++) {
        record.header(expanded(20), expanded(input.of(100, 1000, 200_000)));
      }
      plain.writeBytes(record.toBytes());
    }
    return plain.toByteArray();
  }

  /** Returns up to {@code most} bytes: a pattern over and over, with other bytes in between. */
  private byte[] expanded(int most) {
    byte[] bytes = new byte[(int) ((long) most * (input.choice(256) + 1) / 256)];
    byte[] pattern = input.take(1 + input.choice(24));
    int between = 1 + input.choice(64);
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] =
          i % between == between - 1
              ? (byte) ((i * 0x9E3779B1) >>> 16)
              : pattern[i % pattern.length];
    }
    return bytes;
  }

  private byte[] tags() {
    SnappyBlocks.Tags tags = new SnappyBlocks.Tags();
    int kinds = 1 + input.choice(16);
    for (int i = 0; i < kinds; i++) {
      int tag = input.choice(6);
      int bytes = input.choice(256);
      int number = input.number() & 0xFFFF;
      boolean isTrue = input.choice(16) < 15;
      byte[] content = Bytes.repeat(bytes + 1, input.take(1 + input.choice(4)));
      for (int k = input.choice(256); k >= 0 && tags.plainBytes() < 31_000; k--) {
        int offset = isTrue ? 1 + number % Math.max(1, tags.plainBytes()) : number;
        addTag(tags, tag, bytes, offset, content);
      }
    }
    return tags.toBlock(input.choice(16) == 15 ? input.choice(3) - 1 : 0);
  }

  private static void addTag(
      SnappyBlocks.Tags tags, int tag, int bytes, int offset, byte[] content) {
    switch (tag) {
      case 0 -> tags.literal(content);
      case 1 -> tags.literal(Bytes.cut(content, 1 + bytes % Math.min(60, content.length)));
      case 2 -> tags.shortCopy(4 + bytes % 8, offset % 2048);
      case 3 -> tags.literal(Bytes.cut(content, 1)).longCopy(1 + bytes % 64, offset);
      case 4 -> tags.farCopy(1 + bytes % 64, offset);
      default -> tags.longCopy(1 + bytes % 64, offset);
    }
  }

  /** Often as it is. */
  private byte[] damaged(byte[] block) {
    byte[] damaged = block.clone();
    for (int i = Math.max(0, input.choice(8) - 4); i > 0 && damaged.length > 0; i--) {
      damaged[(input.number() & 0xFFFF) % damaged.length] ^= (byte) input.choice(256);
    }
    int cut = Math.max(0, input.choice(32) - 28);
    return Bytes.cut(damaged, Math.max(0, damaged.length - cut));
  }
}
