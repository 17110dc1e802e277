// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.snappy;

import io.github.batchvalidator.internal.codec.Payload;
import io.github.batchvalidator.internal.codec.Scratch;
import io.github.batchvalidator.internal.codec.SparseWindow;
import io.github.batchvalidator.rule.Limits;
import org.jspecify.annotations.Nullable;

/**
 * A sparse window over Snappy blocks in xerial's framing. It checks every tag of a block as the
 * library does, but copies only the bytes that are requested.
 *
 * <p>The blocks are walked in groups of at most four, so the memory does not depend on the batch.
 * It declines whatever the xerial writer does not produce: other headers or bytes between and after
 * the chunks, empty blocks, blocks of more than 32 KiB, offsets of four bytes.
 */
final class SnappyWalk extends SparseWindow {
  private static final int LARGEST_BLOCK_BYTES = Lanes.BLOCK_BYTES;

  /** The longest varint of a block size that is not above the largest block. */
  private static final int LONGEST_SIZE_BYTES = 3;

  /** All positions stay far below the largest {@code int}. */
  private static final int LARGEST_PAYLOAD_BYTES = 1 << 30;

  /** The largest stored bytes of a group, which are copied if the payload has no array. */
  private static final int GROUP_BYTES = Lanes.BLOCKS * (Integer.BYTES + LARGEST_BLOCK_BYTES);

  /**
   * How many pieces may be materialized: so many for each record, and one more for so many plain
   * bytes, because large records may have many headers. A batch of which more are requested costs
   * more than decompression.
   */
  private static final int PIECES_PER_RECORD = 4;

  private static final int BYTES_PER_PIECE = 128;

  /** The largest number of batches that are left to the decoder after one that was read in vain. */
  private static final int LONGEST_PAUSE = 64;

  private final WalkGate gate;
  private final Scratch input = new Scratch(GROUP_BYTES);

  /** Created when the first batch is admitted. */
  private @Nullable BlockGroup group;

  private Payload payload = new Payload();

  /** Position in the payload after each chunk of the next group. */
  private final int[] chunkEnd = new int[Lanes.BLOCKS];

  /** Position in the payload of the next chunk. */
  private int next;

  private int length;

  /** The plain positions at the start and after the end of the group. */
  private int groupStart;

  private int groupEnd;

  /** The number of bytes of the last group that are still there. */
  private int kept;

  /** False once a block was declined. The group is then of no use. */
  private boolean sound;

  /** The number of batches to leave to the decoder, now and after the next one read in vain. */
  private int pause;

  private int nextPause = 1;

  SnappyWalk(WalkGate gate) {
    this.gate = gate;
  }

  @Override
  public boolean open(Payload source, int records, Limits limits) {
    if (gate.isShut() || records <= 0 || !SnappyDecoder.isFramed(source)) {
      return false;
    }
    long plainBytes = plainBytes(source);
    if (plainBytes <= 0
        || plainBytes > LARGEST_PAYLOAD_BYTES
        || plainBytes > limits.plainBytes()
        || plainBytes > limits.ratioBytes(source.length())
        || !gate.admits(plainBytes, source.length(), records)
        || isPaused()) {
      return false;
    }
    if (payload != source) { // nearly always the same, and writing a reference costs more
      payload = source;
    }
    next = SnappyDecoder.HEADER_BYTES;
    length = (int) plainBytes;
    groupStart = 0;
    groupEnd = 0;
    kept = 0;
    sound = true;
    long pieces = length / BYTES_PER_PIECE + (long) PIECES_PER_RECORD * records;
    group().plain().budget((int) Math.min(length, pieces));
    return true;
  }

  private boolean isPaused() {
    if (pause == 0 || !gate.pauses()) {
      return false;
    }
    pause--;
    return true;
  }

  /** Doubles the pause each time, so that batches read in vain cost next to nothing in the end. */
  @Override
  public void conclude(boolean used) {
    if (used) {
      nextPause = 1;
    } else {
      pause = nextPause;
      nextPause = Math.min(LONGEST_PAUSE, 2 * nextPause);
    }
  }

  private BlockGroup group() {
    BlockGroup existing = group;
    if (existing == null) {
      existing = new BlockGroup();
      group = existing;
    }
    return existing;
  }

  /** {@return the declared plain bytes of all blocks, or 0 for an unusual layout} */
  private long plainBytes(Payload source) {
    long sum = 0;
    int at = SnappyDecoder.HEADER_BYTES;
    int end = source.length();
    while (at < end) {
      int size = chunkBytes(source, at);
      if (size == 0) {
        return 0;
      }
      at += Integer.BYTES;
      long plainBytes = blockBytes(source, at, at + size);
      at += size;
      if (plainBytes <= 0
          || plainBytes > LARGEST_BLOCK_BYTES
          || (at < end && !gate.admitsBlock(plainBytes))) {
        return 0;
      }
      sum += plainBytes;
    }
    return sum;
  }

  /** {@return the plain bytes of a block, or 0 if they are not within three bytes} */
  private static int blockBytes(Payload source, int at, int end) {
    int value = 0;
    for (int shift = 0; shift < LONGEST_SIZE_BYTES * 7 && at + shift / 7 < end; shift += 7) {
      byte next = source.get(at + shift / 7);
      value |= (next & 0x7F) << shift;
      if (next >= 0) {
        return value;
      }
    }
    return 0;
  }

  @Override
  public int length() {
    return length;
  }

  @Override
  public byte[] array() {
    return group().plain().array();
  }

  @Override
  public int request(int position, int bytes) {
    SparsePlain plain = group().plain();
    int end = Math.min(position + bytes, length);
    if (!sound || position >= end || position < groupStart - kept) {
      return -1;
    }
    while (end > groupEnd) {
      int keep = Math.max(0, groupEnd - position);
      sound = plain.materialize(plain.end() - keep, plain.end()) && nextGroup(keep);
      if (!sound) {
        return -1;
      }
    }
    int at = SparsePlain.BLOCKS_AT + position - groupStart;
    return plain.materialize(at, at + end - position) ? at : -1;
  }

  /** Walks the next blocks. Keeps some bytes of the last ones. */
  private boolean nextGroup(int keep) {
    BlockGroup blocks = group();
    int count = findChunks();
    if (count == 0) {
      return false;
    }
    payload.stretch(next, chunkEnd[count - 1] - next, input);
    if (payload.arrayOffset() > LARGEST_PAYLOAD_BYTES) {
      return false;
    }
    byte[] in = payload.array();
    int origin = payload.arrayOffset() - next;
    blocks.start(in, keep);
    kept = keep;
    groupStart = groupEnd;
    for (int i = 0; i < count; i++) {
      int to = origin + chunkEnd[i];
      long head = blockHead(in, origin + next + Integer.BYTES, to);
      int plainBytes = SnappyTags.plain(head);
      if (plainBytes == 0) {
        return false;
      }
      blocks.add(SnappyTags.stored(head), to, plainBytes);
      groupEnd += plainBytes;
      next = chunkEnd[i];
    }
    return blocks.walk();
  }

  /**
   * Finds the chunks of the next group. {@link #open} has checked all sizes, but the caller's bytes
   * may have changed since then. Every size is therefore read once and checked again.
   *
   * @return the number of chunks, 0 if there are none or if one is unusual
   */
  private int findChunks() {
    int count = 0;
    int at = next;
    while (count < Lanes.BLOCKS && at < payload.length()) {
      int size = chunkBytes(payload, at);
      if (size == 0) {
        return 0;
      }
      at += Integer.BYTES + size;
      chunkEnd[count++] = at;
    }
    return count;
  }

  /** {@return the stored bytes of a chunk, or 0 if they are unusual or not all there} */
  private static int chunkBytes(Payload source, int at) {
    int left = source.length() - at - Integer.BYTES;
    if (left < 0) {
      return 0;
    }
    int size = source.getIntBigEndian(at);
    return size <= 0 || size > LARGEST_BLOCK_BYTES || size > left ? 0 : size;
  }

  /**
   * {@return the plain bytes of a block, as {@link #blockBytes} does, and the index of its first
   * tag, as a position; 0 if the block is unusual}
   */
  private static long blockHead(byte[] in, int from, int to) {
    int value = 0;
    int last = Math.min(to, from + LONGEST_SIZE_BYTES);
    for (int at = from; at < last; at++) {
      byte next = in[at];
      value |= (next & 0x7F) << (7 * (at - from));
      if (next >= 0) {
        return value > LARGEST_BLOCK_BYTES ? 0 : SnappyTags.position(value, at + 1);
      }
    }
    return 0;
  }

  @Override
  public void release() {
    BlockGroup existing = group;
    if (existing != null) {
      existing.release();
    }
  }

  @Override
  public long heapBytes() {
    return (group == null ? 0 : BlockGroup.heapBytes()) + (long) input.heapBytes();
  }
}
