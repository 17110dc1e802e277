// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.snappy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.internal.codec.Payload;
import io.github.batchvalidator.internal.codec.SparseWindow;
import io.github.batchvalidator.internal.scan.BatchRecordWalk;
import io.github.batchvalidator.internal.scan.SkipKeyValueIterator;
import io.github.batchvalidator.internal.scan.SparseRecordIterator;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.testing.streams.Bytes;
import io.github.batchvalidator.testing.streams.SnappyStreams;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.SplittableRandom;
import org.xerial.snappy.Snappy;

/**
 * A stream of up to seven blocks. One of them is damaged again and again, and each time the walk is
 * compared with snappy-java itself. Confined to one thread.
 */
final class DamagedStream {
  private static final Limits NONE = Limits.UNBOUNDED_AS_KAFKA;
  static final int MOST_BLOCKS = 7;

  private static final int CHUNK_HEADER = Integer.BYTES;
  private static final int STREAM_HEADER = SnappyStreams.header(1, 1).length;
  private static final int MOST_REQUESTS = 12;

  /** Enough for any number of requests. */
  private static final int MANY_RECORDS = 1 << 16;

  /** The library is not asked for larger blocks, and the walk has to decline them. */
  private static final int LARGEST_DAMAGED = 4 * Lanes.BLOCK_BYTES;

  private static final int REFUSED = -1;
  private static final int TOO_LARGE = -2;

  /** What became of a damaged block. */
  enum Outcome {
    /** The walk and the library accept, and what was compared is equal. */
    ACCEPTED,
    /** The walk declines, and the library refuses. */
    REFUSED,
    /** The walk declines, and the library accepts, but not the records of this content. */
    RECORDS_REFUSED,
    /** The walk declines what the library accepts. */
    LEFT
  }

  private final SnappyWalk walk;
  private final SparseRecordIterator sparse = new SparseRecordIterator();
  private final SkipKeyValueIterator full = new SkipKeyValueIterator();
  private final ByteWindow window = new ByteWindow();
  private final byte[] stream =
      new byte[(MOST_BLOCKS + 1) * TaggedBlock.MOST_BYTES + BlockDamage.MOST_GROWTH];
  private final ByteBuffer heap = ByteBuffer.wrap(stream);
  private final ByteBuffer direct = ByteBuffer.allocateDirect(stream.length);
  private final Payload payload = new Payload();
  private final byte[] plain = new byte[MOST_BLOCKS * Lanes.BLOCK_BYTES + LARGEST_DAMAGED];

  /** The blocks after the damaged one, stored and plain. */
  private final byte[] storedTail = new byte[stream.length];

  private final byte[] plainTail = new byte[plain.length];

  private BlockKind kind = BlockKind.JSON;
  private List<TaggedBlock> blocks = List.of();
  private TaggedBlock victim = new TaggedBlock(SnappyStreams.block(new byte[1]));
  private boolean isDirect;
  private int records;
  private int victimAt;
  private int storedTailBytes;
  private int plainBefore;
  private int plainTailBytes;
  private int length;

  DamagedStream() {
    WalkGate gate = new WalkGate();
    gate.mode(WalkGate.Mode.OPEN);
    walk = new SnappyWalk(gate);
  }

  /** Starts with other blocks. */
  void start(SplittableRandom random) throws IOException {
    BlockKind[] kinds = BlockKind.values();
    kind = kinds[random.nextInt(kinds.length)];
    int count = random.nextInt(5) < 2 ? 1 : random.nextInt(2, MOST_BLOCKS + 1);
    blocks = kind.hasRecords() ? ofRecords(random, count) : ofTags(random, count);
    isDirect = random.nextInt(8) == 0;
    int chosen = random.nextInt(blocks.size());
    victim = blocks.get(chosen);
    int at = STREAM_HEADER;
    System.arraycopy(SnappyStreams.header(1, 1), 0, stream, 0, at);
    plainBefore = 0;
    for (int i = 0; i < chosen; i++) {
      at = writeChunk(blocks.get(i), stream, at);
      plainBefore += uncompress(blocks.get(i), plain, plainBefore);
    }
    victimAt = at + CHUNK_HEADER;
    storedTailBytes = 0;
    plainTailBytes = 0;
    for (int i = chosen + 1; i < blocks.size(); i++) {
      storedTailBytes = writeChunk(blocks.get(i), storedTail, storedTailBytes);
      plainTailBytes += uncompress(blocks.get(i), plainTail, plainTailBytes);
    }
  }

  /** Returns the number of blocks, damaged or not. */
  int blocks() {
    return blocks.size();
  }

  BlockKind kind() {
    return kind;
  }

  /** Mostly small ones, which take less time, but also those that have room for guessed lanes. */
  private static int blockBytes(SplittableRandom random) {
    return switch (random.nextInt(8)) {
      case 0 -> Lanes.BLOCK_BYTES;
      case 1, 2 -> random.nextInt(6000, 24_000);
      case 3, 4 -> random.nextInt(1000, 6000);
      default -> random.nextInt(100, 1000);
    };
  }

  private List<TaggedBlock> ofRecords(SplittableRandom random, int count) {
    int bytes = blockBytes(random);
    List<byte[]> parts = kind.records(random, count * bytes - bytes / 2);
    byte[] all = Bytes.concat(parts.toArray(byte[][]::new));
    bytes = Math.max(bytes, all.length / MOST_BLOCKS + 1);
    List<TaggedBlock> cut = new ArrayList<>();
    for (int at = 0; at < all.length; at += bytes) {
      byte[] part = Arrays.copyOfRange(all, at, Math.min(all.length, at + bytes));
      cut.add(new TaggedBlock(SnappyStreams.block(part)));
    }
    records = parts.size();
    return cut;
  }

  private List<TaggedBlock> ofTags(SplittableRandom random, int count) {
    List<TaggedBlock> some = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      some.add(new TaggedBlock(kind.block(random, Math.min(31_000, blockBytes(random)))));
    }
    return some;
  }

  private static int uncompress(TaggedBlock block, byte[] to, int at) throws IOException {
    return Snappy.uncompress(block.bytes(), 0, block.bytes().length, to, at);
  }

  private static int writeChunk(TaggedBlock block, byte[] to, int at) {
    byte[] bytes = block.bytes();
    ByteBuffer.wrap(to).putInt(at, bytes.length);
    System.arraycopy(bytes, 0, to, at + CHUNK_HEADER, bytes.length);
    return at + CHUNK_HEADER + bytes.length;
  }

  /** Damages the block in place of any earlier damage and compares. */
  Outcome next(SplittableRandom random, BlockDamage.Kind damage) {
    byte[] sound = victim.bytes();
    System.arraycopy(sound, 0, stream, victimAt, sound.length);
    TaggedBlock other = blocks.get(random.nextInt(blocks.size()));
    int size = new BlockDamage(random, stream, victimAt, victim).apply(damage, other);
    heap.putInt(victimAt - CHUNK_HEADER, size);
    System.arraycopy(storedTail, 0, stream, victimAt + size, storedTailBytes);
    length = victimAt + size + storedTailBytes;
    int victimBytes = libraryBytes(size);
    int plainBytes = REFUSED;
    if (victimBytes >= 0) {
      System.arraycopy(plainTail, 0, plain, plainBefore + victimBytes, plainTailBytes);
      plainBytes = plainBefore + victimBytes + plainTailBytes;
    }
    if (kind.hasRecords() && random.nextBoolean()) {
      return compareRecords(plainBytes);
    }
    return compareBytes(random, plainBytes);
  }

  /** Returns the plain bytes of the damaged block by the library, or why there are none. */
  private int libraryBytes(int size) {
    try {
      int declared = Snappy.uncompressedLength(stream, victimAt, size);
      if (declared < 0 || declared > LARGEST_DAMAGED) {
        return TOO_LARGE;
      }
      return Snappy.uncompress(stream, victimAt, size, plain, plainBefore);
    } catch (IOException | RuntimeException e) {
      return REFUSED;
    }
  }

  private boolean open(int count) {
    if (isDirect) {
      direct.put(0, stream, 0, length);
    }
    return walk.open(payload.wrap(isDirect ? direct : heap, 0, length), count, NONE);
  }

  private Outcome compareBytes(SplittableRandom random, int plainBytes) {
    if (!open(MANY_RECORDS) || walk.request(walk.length() - 1, 1) < 0) {
      return plainBytes < 0 ? Outcome.REFUSED : Outcome.LEFT;
    }
    assertEquals(plainBytes, walk.length(), "size of what the library refuses, or of another size");
    assertTrue(open(MANY_RECORDS));
    int step = Math.max(1, 2 * plainBytes / MOST_REQUESTS);
    for (int at = random.nextInt(step); at < plainBytes; at += 1 + random.nextInt(step)) {
      int bytes = 1 + random.nextInt(SparseWindow.MOST_BYTES);
      int end = Math.min(plainBytes, at + bytes);
      int index = walk.request(at, bytes);
      if (index < 0) {
        return Outcome.LEFT;
      }
      int from = at;
      assertTrue(
          Arrays.equals(plain, at, end, walk.array(), index, index + end - at),
          () -> "bytes at " + from);
    }
    return Outcome.ACCEPTED;
  }

  private Outcome compareRecords(int plainBytes) {
    boolean accepted = false;
    if (open(records)) {
      sparse.open(walk, records, NONE);
      while (sparse.next()) {}
      accepted = sparse.isComplete();
    }
    if (plainBytes < 0) {
      assertTrue(!accepted, "accepted what the library refuses");
      return Outcome.REFUSED;
    }
    window.wrap(plain, 0, plainBytes);
    full.open(window, records, NONE);
    if (!accepted) {
      while (full.next()) {}
      return full.finish() ? Outcome.LEFT : Outcome.RECORDS_REFUSED;
    }
    assertTrue(open(records));
    sparse.open(walk, records, NONE);
    while (sparse.next()) {
      assertTrue(full.next(), "more records");
      assertSame(full, sparse);
    }
    assertTrue(sparse.isComplete(), "another answer the second time");
    assertTrue(!full.next() && full.finish(), "records that are refused");
    assertEquals(full.declaredBytes(), sparse.declaredBytes(), "declared bytes");
    return Outcome.ACCEPTED;
  }

  private static void assertSame(BatchRecordWalk expected, BatchRecordWalk actual) {
    assertTrue(
        expected.start() == actual.start()
            && expected.bodySize() == actual.bodySize()
            && expected.attributes() == actual.attributes()
            && expected.timestampDelta() == actual.timestampDelta()
            && expected.offsetDelta() == actual.offsetDelta()
            && expected.keySize() == actual.keySize()
            && expected.valueSize() == actual.valueSize()
            && expected.headerCount() == actual.headerCount(),
        () -> "head of record " + expected.index());
  }

  /** Returns the stream, to be shown with a failure. */
  @Override
  public String toString() {
    byte[] bytes = Arrays.copyOf(stream, length);
    return kind + ", block at " + victimAt + ": " + Base64.getEncoder().encodeToString(bytes);
  }
}
