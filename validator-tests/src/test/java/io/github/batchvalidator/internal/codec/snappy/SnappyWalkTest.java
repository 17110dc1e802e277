// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.snappy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.internal.codec.Payload;
import io.github.batchvalidator.internal.codec.SparseWindow;
import io.github.batchvalidator.rule.Limit;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.testing.BufferKind;
import io.github.batchvalidator.testing.HeldMemory;
import io.github.batchvalidator.testing.streams.Bytes;
import io.github.batchvalidator.testing.streams.SnappyStreams;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.xerial.snappy.Snappy;

/** The walk accepts only what snappy-java accepts, and materializes the same bytes. */
class SnappyWalkTest {
  private static final Limits NONE = Limits.UNBOUNDED_AS_KAFKA;
  private static final int MANY_RECORDS = 1 << 20;

  private final WalkGate gate = new WalkGate();
  private final SnappyWalk walk = new SnappyWalk(gate);
  private final byte[] oracle = new byte[1 << 18];

  SnappyWalkTest() {
    gate.mode(WalkGate.Mode.OPEN);
  }

  private static Payload payload(BufferKind kind, byte[] stream) {
    ByteBuffer buffer = kind.holding(stream, (byte) 0x5A);
    return new Payload().wrap(buffer, buffer.position(), stream.length);
  }

  private boolean open(byte[] stream) {
    return walk.open(payload(BufferKind.HEAP, stream), MANY_RECORDS, NONE);
  }

  private static byte[] stream(List<byte[]> blocks) {
    return SnappyStreams.stream(blocks.stream().map(SnappyStreams::chunk).toArray(byte[][]::new));
  }

  private static byte[] stream(byte[]... blocks) {
    return stream(Arrays.asList(blocks));
  }

  /** Returns the plain bytes by the library, or nothing if it refuses a block. */
  private byte[] plain(List<byte[]> blocks) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] block : blocks) {
      try {
        int size = Snappy.uncompressedLength(block);
        if (size > oracle.length || Snappy.uncompress(block, 0, block.length, oracle, 0) != size) {
          return new byte[0];
        }
        all.write(oracle, 0, size);
      } catch (IOException | RuntimeException e) {
        return new byte[0];
      }
    }
    return all.toByteArray();
  }

  /** Requests bytes at random and to the end. Returns whether the walk went so far. */
  private boolean compare(SplittableRandom random, byte[] plain, int span) {
    assertEquals(plain.length, walk.length());
    int at = 0;
    while (at < plain.length) {
      int bytes = 1 + random.nextInt(SparseWindow.MOST_BYTES);
      int end = Math.min(plain.length, at + bytes);
      int index = walk.request(at, bytes);
      if (index < 0) {
        return false;
      }
      byte[] found = Arrays.copyOfRange(walk.array(), index, index + end - at);
      assertArrayEquals(Arrays.copyOfRange(plain, at, end), found);
      at = end == plain.length ? end : Math.min(plain.length - 1, at + random.nextInt(1, span));
    }
    return true;
  }

  // ---- sound blocks

  @ParameterizedTest
  @EnumSource
  void everyByteOfSoundBlocks(BufferKind kind) {
    SplittableRandom random = new SplittableRandom(1);
    int served = 0;
    for (int i = 0; i < 200; i++) {
      List<byte[]> blocks = new ArrayList<>();
      for (int k = random.nextInt(1, 10); k > 0; k--) {
        blocks.add(SnappyBlocks.any(random));
      }
      byte[] plain = plain(blocks);
      assertTrue(walk.open(payload(kind, stream(blocks)), MANY_RECORDS, NONE));
      served += compare(random, plain, random.nextBoolean() ? 200 : 20_000) ? 1 : 0;
    }
    assertTrue(served > 100, served + " of 200"); // copies of copies of copies are declined
  }

  /** Bytes that were requested before may be requested again, in any order, within a group. */
  @Test
  void backAndForth() {
    SplittableRandom random = new SplittableRandom(2);
    int served = 0;
    for (int i = 0; i < 100; i++) {
      byte[] plain = SnappyBlocks.text(random, random.nextInt(2000, 10_000));
      assertTrue(open(stream(SnappyStreams.block(plain))));
      for (int k = 0; k < 100; k++) {
        int at = random.nextInt(plain.length);
        int bytes = 1 + random.nextInt(40);
        int end = Math.min(plain.length, at + bytes);
        int index = walk.request(at, bytes);
        if (index >= 0) {
          byte[] found = Arrays.copyOfRange(walk.array(), index, index + end - at);
          assertArrayEquals(Arrays.copyOfRange(plain, at, end), found);
          served++;
        }
      }
    }
    assertTrue(served > 8000, served + " of 10000");
  }

  /**
   * A host may change its bytes between {@code open} and the walk, although it must not. The walk
   * then serves anything or declines, and the next payload is walked as if nothing had happened.
   */
  @ParameterizedTest
  @EnumSource
  void sizesThatChangeMeanwhileHarmNoLaterPayload(BufferKind kind) {
    SplittableRandom random = new SplittableRandom(3);
    byte[] literal = new byte[30_000];
    random.nextBytes(literal);
    byte[] block = Bytes.concat(new byte[60], literal);
    byte[] sound = stream(Collections.nCopies(6, SnappyStreams.block(block)));
    byte[] plain = Bytes.repeat(6, block);
    int chunkBytes = (sound.length - SnappyDecoder.HEADER_BYTES) / 6;
    for (int i = 0; i < 2_000; i++) {
      byte[] changing = sound.clone();
      Payload payload = new Payload().wrap(ByteBuffer.wrap(changing), 0, changing.length);
      assertTrue(walk.open(payload, MANY_RECORDS, NONE));
      boolean isSize = random.nextBoolean();
      int inChunk = random.nextInt(isSize ? 7 : chunkBytes);
      int at = SnappyDecoder.HEADER_BYTES + random.nextInt(6) * chunkBytes + inChunk;
      int when = random.nextInt(isSize ? 1 : plain.length);
      try {
        boolean served = true;
        for (int from = 0; from < plain.length && served; from += 500) {
          changing[at] = from < when ? changing[at] : (byte) random.nextInt();
          served = walk.request(from, 8) >= 0;
        }
      } catch (IndexOutOfBoundsException e) {
        assertFalse(isSize, "sizes are checked");
      }
      walk.release();

      assertTrue(walk.open(payload(kind, sound), MANY_RECORDS, NONE));
      for (int from = 0; from < plain.length; from += 9000) {
        int index = walk.request(from, 8);
        assertTrue(index >= 0, "declines a sound payload after change " + i);
        byte[] found = Arrays.copyOfRange(walk.array(), index, index + 8);
        assertArrayEquals(Arrays.copyOfRange(plain, from, from + 8), found);
      }
      walk.conclude(true);
      walk.release();
    }
  }

  @Test
  void nothingIsServedAfterADamagedBlock() {
    byte[] sound = SnappyStreams.block(new byte[3000]);
    byte[] damaged = Bytes.cut(sound, -1);
    assertTrue(open(stream(sound, sound, sound, sound, damaged)));
    assertTrue(walk.request(0, 10) >= 0);
    assertEquals(-1, walk.request(12_000, 1));
    assertEquals(-1, walk.request(12_000, 1));
    assertEquals(-1, walk.request(11_999, 1));
  }

  @Test
  void requestsOutsideOfThePayload() {
    byte[] block = SnappyStreams.block(new byte[3000]);
    assertTrue(open(stream(block, block, block, block, block)));
    assertEquals(-1, walk.request(15_000, 1));
    assertEquals(-1, walk.request(Integer.MAX_VALUE - 1000, 1));
    assertTrue(walk.request(11_990, 20) >= 0); // a part of two groups
    assertTrue(walk.request(11_990, 20) >= 0);
    assertEquals(-1, walk.request(11_989, 1)); // lost
    assertTrue(walk.request(14_999, 256) >= 0);
  }

  // ---- blocks made against the walk

  /** Three and two phases that never fall in with each other, and literals full of tags. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void blocksThatNeverSynchronize(int kind) {
    SplittableRandom random = new SplittableRandom(kind);
    for (int i = 0; i < 50; i++) {
      byte[] block = HostileBlocks.block(random, kind, 31_000 - 5 * i);
      byte[] plain = plain(List.of(block));
      assertTrue(plain.length > 10_000, () -> "not sound");
      assertTrue(open(stream(block)));
      assertTrue(walk.request(0, 1) >= 0);
      compare(random, plain, 2000);
    }
  }

  /** A request that would have to follow more copies of copies than allowed is declined. */
  @Test
  void copiesOfCopiesAreFollowedForAWhileOnly() {
    assertTrue(chain(60) >= 0);
    assertEquals(-1, chain(61));
  }

  /** Each copy gets its bytes from the one before it, through pieces of other literals. */
  private int chain(int depth) {
    SnappyBlocks.Tags tags = new SnappyBlocks.Tags().literal(new byte[100]);
    for (int i = 0; i < depth; i++) {
      tags.longCopy(10, 100).literal(Bytes.filled(90, i));
    }
    assertTrue(open(stream(tags.toBlock())));
    return walk.request(100 * depth, 10);
  }

  /** The bytes between a copy and its source are not materialized. */
  @Test
  void aFarCopyCostsTwoPieces() {
    int between = 50;
    SnappyBlocks.Tags tags = new SnappyBlocks.Tags().literal(new byte[100]);
    for (int i = 0; i < between; i++) {
      tags.longCopy(10, 100).literal(new byte[1]);
    }
    int end = 100 + 11 * between;
    byte[] block = tags.longCopy(10, end).toBlock();
    assertTrue(open(1, block));
    assertTrue(walk.request(end, 10) >= 0);
  }

  /** The number of pieces depends on the number of records. */
  @Test
  void theBudgetOfABatch() {
    byte[] literal = new SnappyBlocks.Tags().literal(new byte[1280]).toBlock();
    Payload stored = payload(BufferKind.HEAP, stream(literal));
    assertEquals(1280 / 128 + 4, requests(stored, 1));
    assertEquals(1280 / 128 + 8, requests(stored, 2));
    byte[] plain = SnappyBlocks.text(new SplittableRandom(3), 30_000);
    Payload payload = payload(BufferKind.HEAP, stream(SnappyStreams.block(plain)));
    assertTrue(requests(payload, 1) < 400);
    assertEquals(plain.length / 20, requests(payload, plain.length / 20));
  }

  private int requests(Payload payload, int records) {
    assertTrue(walk.open(payload, records, NONE));
    int served = 0;
    for (int at = 0; at < walk.length() && walk.request(at, 7) >= 0; at += 20) {
      served++;
    }
    return served;
  }

  // ---- what is left to the decoder before the first block

  @Test
  void unusualLayouts() {
    byte[] block = SnappyStreams.block(new byte[2000]);
    byte[] sound = stream(block, block);
    assertTrue(open(sound));
    assertFalse(open(block), "raw block");
    assertFalse(open(Bytes.cut(sound, 16)), "header only");
    assertFalse(open(Bytes.concat(sound, Bytes.of(1))), "byte left");
    assertFalse(open(Bytes.concat(sound, Bytes.of(0, 0, 0, 0))), "empty chunk");
    assertFalse(open(Bytes.cut(sound, -1)), "cut");
    assertFalse(open(Bytes.concat(sound, sound)), "second header");
    assertFalse(open(stream(block, Bytes.of(0))), "empty block");
    assertFalse(open(stream(SnappyStreams.block(new byte[Lanes.BLOCK_BYTES + 1]))), "large");
    assertFalse(open(stream(Bytes.of(0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 0))), "length of 32 bits");
    assertFalse(open(stream(Bytes.of(0x83), block)), "length not within its block");
    assertFalse(open(stream(Bytes.of(0x83, 0x80, 0x80, 0, 8, 1, 2, 3))), "length of four bytes");
    assertTrue(open(stream(Bytes.of(0x83, 0x80, 0, 8, 1, 2, 3))));
    byte[] random = new byte[Lanes.BLOCK_BYTES];
    new SplittableRandom(4).nextBytes(random);
    assertFalse(open(stream(SnappyStreams.block(random))), "larger than before");
    assertFalse(walk.open(payload(BufferKind.HEAP, sound), 0, NONE), "no record");
  }

  /** A block may be larger than its plain bytes, up to the size of a chunk. */
  @Test
  void theLargestChunk() {
    byte[] most = twoLiterals(391);
    assertEquals(Lanes.BLOCK_BYTES, most.length);
    assertTrue(open(stream(most)));
    assertFalse(open(stream(twoLiterals(392))));
  }

  private static byte[] twoLiterals(int second) {
    SnappyBlocks.Tags tags = new SnappyBlocks.Tags().literal(new byte[Lanes.BLOCK_BYTES - 400]);
    return tags.literal(new byte[second]).toBlock();
  }

  /** The memory limit of codecs cannot be less than what the walk needs. */
  @Test
  void limits() {
    assertFalse(Limit.CODEC_MEMORY_BYTES.isLegal(Lanes.BLOCK_BYTES));
    Payload payload = payload(BufferKind.HEAP, stream(SnappyStreams.block(new byte[2000])));
    assertTrue(walk.open(payload, 1, NONE.with(Limit.PLAIN_BYTES, 2000)));
    assertFalse(walk.open(payload, 1, NONE.with(Limit.PLAIN_BYTES, 1999)));
  }

  /** The largest ratio of Snappy is less than 22. */
  @Test
  void ratio() {
    byte[] block = SnappyStreams.block(new byte[Lanes.BLOCK_BYTES]);
    byte[][] blocks = new byte[40][];
    Arrays.fill(blocks, block);
    Payload payload = payload(BufferKind.HEAP, stream(blocks));
    assertTrue(walk.open(payload, 1, NONE.with(Limit.RATIO, 22)));
    assertFalse(walk.open(payload, 1, NONE.with(Limit.RATIO, 20)));
  }

  @Test
  void theFirstBytesAreFree() {
    byte[][] blocks = new byte[Limits.RATIO_FLOOR_BYTES / Lanes.BLOCK_BYTES][];
    Arrays.fill(blocks, SnappyStreams.block(new byte[Lanes.BLOCK_BYTES]));
    Limits ratio = NONE.with(Limit.RATIO, 1);
    assertTrue(walk.open(payload(BufferKind.HEAP, stream(blocks)), 1, ratio));
    blocks = Arrays.copyOf(blocks, blocks.length + 1);
    blocks[blocks.length - 1] = SnappyStreams.block(new byte[1]);
    assertFalse(walk.open(payload(BufferKind.HEAP, stream(blocks)), 1, ratio));
  }

  @Test
  void theGate() {
    gate.mode(WalkGate.Mode.MEASURED);
    byte[] text = SnappyBlocks.text(new SplittableRandom(5), 6000);
    Payload payload = payload(BufferKind.HEAP, stream(SnappyStreams.block(text)));
    assertTrue(walk.open(payload, 20, NONE));
    assertFalse(walk.open(payload, 21, NONE), "small records");
    byte[] small = SnappyStreams.block(Arrays.copyOf(text, 4095));
    byte[] enough = SnappyStreams.block(Arrays.copyOf(text, 4096));
    assertFalse(open(1, small));
    assertTrue(open(1, enough));
    assertTrue(open(1, enough, small));
    assertFalse(open(1, small, enough));
    byte[] random = new byte[6000];
    new SplittableRandom(6).nextBytes(random);
    assertFalse(open(1, SnappyStreams.block(random)), "incompressible");
    gate.mode(WalkGate.Mode.SHUT);
    assertFalse(walk.open(payload, 1, NONE));
  }

  private boolean open(int records, byte[]... blocks) {
    return walk.open(payload(BufferKind.HEAP, stream(blocks)), records, NONE);
  }

  /** 1, 2, 4, ... 64, 64 batches are left to the decoder after one that was read in vain. */
  @Test
  void thePauseAfterABatchReadInVain() {
    gate.mode(WalkGate.Mode.MEASURED);
    byte[] text = SnappyBlocks.text(new SplittableRandom(5), 6000);
    byte[] block = SnappyStreams.block(text);
    for (int turn = 0; turn < 2; turn++) {
      for (int pause : new int[] {1, 2, 4, 8, 16, 32, 64, 64}) {
        assertTrue(open(1, block));
        walk.conclude(false);
        for (int i = 0; i < pause; i++) {
          assertFalse(open(1, block), pause + " batches, this is " + i);
        }
      }
      assertTrue(open(1, block));
      walk.conclude(true);
    }
    walk.conclude(false);
    gate.mode(WalkGate.Mode.OPEN);
    assertTrue(open(1, block));
  }

  // ---- memory

  @Test
  void memoryIsConstant() {
    assertEquals(0, walk.heapBytes());
    SplittableRandom random = new SplittableRandom(7);
    byte[] block = SnappyStreams.block(SnappyBlocks.text(random, Lanes.BLOCK_BYTES));
    long least = held(BufferKind.HEAP, block);
    assertTrue(least > 200 * 1024 && least < 300 * 1024, least + " bytes");
    byte[][] blocks = new byte[30][];
    Arrays.fill(blocks, block);
    assertEquals(least, held(BufferKind.HEAP, blocks));
    long direct = held(BufferKind.DIRECT, blocks);
    assertTrue(direct >= least + 128 * 1024 && direct <= least + 129 * 1024, direct + " bytes");
    assertEquals(direct, held(BufferKind.DIRECT, block));
  }

  private long held(BufferKind kind, byte[]... blocks) {
    assertTrue(walk.open(payload(kind, stream(blocks)), 1, NONE));
    assertTrue(walk.request(walk.length() - 1, 1) >= 0);
    walk.release();
    return walk.heapBytes();
  }

  @Test
  void aReleasedWalkHoldsNoStoredBytes() {
    walk.release();
    ByteBuffer buffer = ByteBuffer.wrap(stream(SnappyStreams.block(new byte[3000])));
    Payload payload = new Payload().wrap(buffer, 0, buffer.limit());
    assertTrue(walk.open(payload, 1, NONE));
    assertTrue(walk.request(0, 1) >= 0);
    assertTrue(new HeldMemory(walk).holds(buffer));
    payload.clear();
    walk.release();
    assertFalse(new HeldMemory(walk).holds(buffer));
  }
}
