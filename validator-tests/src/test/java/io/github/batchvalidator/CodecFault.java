// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator;

import static io.github.batchvalidator.rule.Reason.CODEC_CHECKSUM_MISMATCH;
import static io.github.batchvalidator.rule.Reason.CODEC_DATA_CORRUPT;
import static io.github.batchvalidator.rule.Reason.CODEC_DATA_TRUNCATED;
import static io.github.batchvalidator.rule.Reason.CODEC_HEADER_INVALID;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.Batches;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.kafka.common.record.internal.SimpleRecord;

/**
 * A fault of a compressed stream, and who finds it: our own checks, or the codec's library, which
 * has no way to say so but an exception.
 */
record CodecFault(
    Codec codec, String what, Reason reason, boolean byLibrary, UnaryOperator<byte[]> damage) {
  private static final int GZIP_DATA_AT = 10;
  private static final int GZIP_RESERVED_BLOCK_TYPE = 0x07;
  private static final int GZIP_TRAILER_BYTES = 8;
  private static final int SNAPPY_CHUNK_AT = 16;
  private static final int LZ4_HEADER_CHECKSUM_AT = 6;
  private static final int LZ4_BLOCK_AT = 7;
  private static final int ZSTD_WINDOW_AT = 5;
  private static final int ZSTD_WINDOW_LOG_28 = (28 - 10) << 3;
  private static final int ZSTD_BLOCK_AT = 6;
  private static final int RECORDS = 100;

  /** Returns faults of every codec. */
  static List<CodecFault> all() {
    return List.of(
        own(Codec.GZIP, "magic", CODEC_HEADER_INVALID, xor(0, 1)),
        own(Codec.GZIP, "cut", CODEC_DATA_TRUNCATED, cut(GZIP_TRAILER_BYTES + 5)),
        own(Codec.GZIP, "cut trailer", CODEC_DATA_TRUNCATED, cut(1)),
        own(Codec.GZIP, "trailer", CODEC_CHECKSUM_MISMATCH, xor(-GZIP_TRAILER_BYTES, 1)),
        library(Codec.GZIP, "block type", set(GZIP_DATA_AT, GZIP_RESERVED_BLOCK_TYPE)),
        own(Codec.SNAPPY, "negative chunk", CODEC_DATA_CORRUPT, set(SNAPPY_CHUNK_AT, 0x80)),
        own(Codec.SNAPPY, "cut", CODEC_DATA_TRUNCATED, cut(1)),
        own(Codec.SNAPPY, "huge plain length", CODEC_DATA_CORRUPT, CodecFault::hugePlainLength),
        library(Codec.SNAPPY, "plain length", xor(SNAPPY_CHUNK_AT + 4, 1)),
        own(Codec.LZ4, "magic", CODEC_HEADER_INVALID, xor(0, 1)),
        own(Codec.LZ4, "header checksum", CODEC_HEADER_INVALID, xor(LZ4_HEADER_CHECKSUM_AT, 1)),
        own(Codec.LZ4, "block size", CODEC_DATA_CORRUPT, set(LZ4_BLOCK_AT + 2, 0x7F)),
        own(Codec.LZ4, "cut", CODEC_DATA_TRUNCATED, cut(2)),
        library(Codec.LZ4, "block", CodecFault::lz4LongLiterals),
        own(Codec.ZSTD, "window log", CODEC_DATA_CORRUPT, set(ZSTD_WINDOW_AT, ZSTD_WINDOW_LOG_28)),
        own(Codec.ZSTD, "cut", CODEC_DATA_TRUNCATED, cut(1)),
        library(Codec.ZSTD, "magic", xor(0, 1)),
        library(Codec.ZSTD, "block", CodecFault::zstdRandomBlock));
  }

  /** Returns a batch of 100 records with the fault and a right CRC. */
  ByteBuffer batch() {
    SimpleRecord[] records = new SimpleRecord[RECORDS];
    for (int i = 0; i < RECORDS; i++) {
      records[i] = new SimpleRecord(Batches.nowMs(), ("value number " + i).getBytes(UTF_8));
    }
    byte[] payload = Batches.compress(codec, Batches.plainRecords(records));
    return Batches.ofPayload(codec, RECORDS, damage.apply(payload));
  }

  @Override
  public String toString() {
    return codec + ", " + what;
  }

  private static CodecFault own(
      Codec codec, String what, Reason reason, UnaryOperator<byte[]> damage) {
    return new CodecFault(codec, what, reason, false, damage);
  }

  private static CodecFault library(Codec codec, String what, UnaryOperator<byte[]> damage) {
    return new CodecFault(codec, what, CODEC_DATA_CORRUPT, true, damage);
  }

  /** A negative index counts from the end. */
  private static UnaryOperator<byte[]> xor(int at, int bits) {
    return bytes -> {
      bytes[at < 0 ? bytes.length + at : at] ^= (byte) bits;
      return bytes;
    };
  }

  private static UnaryOperator<byte[]> set(int at, int value) {
    return bytes -> {
      bytes[at] = (byte) value;
      return bytes;
    };
  }

  private static UnaryOperator<byte[]> cut(int count) {
    return bytes -> Arrays.copyOf(bytes, bytes.length - count);
  }

  private static byte[] hugePlainLength(byte[] bytes) {
    ByteBuffer.wrap(bytes).putInt(SNAPPY_CHUNK_AT + 4, 0xFFFFFF7F);
    return bytes;
  }

  /** The first token asks for more literals than the block has bytes. */
  private static byte[] lz4LongLiterals(byte[] bytes) {
    Arrays.fill(bytes, LZ4_BLOCK_AT + 4, LZ4_BLOCK_AT + 40, (byte) 0xFF);
    return bytes;
  }

  /** A complete compressed block, so that our own look at the block headers has no objection. */
  private static byte[] zstdRandomBlock(byte[] bytes) {
    int header = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(ZSTD_BLOCK_AT);
    Arrays.fill(
        bytes, ZSTD_BLOCK_AT + 3, ZSTD_BLOCK_AT + 3 + ((header & 0xFFFFFF) >> 3), (byte) -1);
    return bytes;
  }
}
