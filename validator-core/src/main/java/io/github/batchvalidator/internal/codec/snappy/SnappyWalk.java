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
      if (end - at < Integer.BYTES) {
        return 0;
      }
      int size = source.getIntBigEndian(at);
      at += Integer.BYTES;
      if (size <= 0 || size > LARGEST_BLOCK_BYTES || size > end - at) {
        return 0;
      }
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
    for (int shift = 0; shift < 3 * 7 && at + shift / 7 < end; shift += 7) {
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
    int end = next;
    for (int i = 0; i < Lanes.BLOCKS && end < payload.length(); i++) {
      end += Integer.BYTES + payload.getIntBigEndian(end);
    }
    payload.stretch(next, end - next, input);
    if (payload.arrayOffset() > LARGEST_PAYLOAD_BYTES) {
      return false;
    }
    byte[] in = payload.array();
    int origin = payload.arrayOffset() - next;
    blocks.start(in, keep);
    kept = keep;
    groupStart = groupEnd;
    while (next < end) {
      int from = next + Integer.BYTES;
      next = from + payload.getIntBigEndian(next);
      int plainBytes = blockBytes(payload, from, next);
      blocks.add(firstTag(in, origin + from), origin + next, plainBytes);
      groupEnd += plainBytes;
    }
    return blocks.walk();
  }

  /** {@return the index after a varint} */
  private static int firstTag(byte[] in, int from) {
    int at = from;
    while (in[at] < 0) {
      at++;
    }
    return at + 1;
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
