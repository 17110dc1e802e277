// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.compaction;

import static io.github.batchvalidator.agent.compaction.CompactedPartition.put;

import io.github.batchvalidator.agent.compaction.StoredFault.Outcome;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.Batches;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import net.jpountz.lz4.LZ4FrameOutputStream;
import net.jpountz.lz4.LZ4FrameOutputStream.BLOCKSIZE;
import net.jpountz.lz4.LZ4FrameOutputStream.FLG.Bits;

/** Faults of compressed streams, drawn from a seed. */
final class StoredStreams {
  static final List<Codec> CODECS = List.of(Codec.GZIP, Codec.SNAPPY, Codec.LZ4, Codec.ZSTD);

  private static final int GZIP_TRAILER_BYTES = 8;
  private static final int SNAPPY_CHUNK_AT = 16;
  private static final int LZ4_BLOCK_AT = 7;
  private static final int START_BYTES = 30;

  private final List<StoredFault> faults = new ArrayList<>();

  private StoredStreams() {}

  static List<StoredFault> all() {
    StoredStreams all = new StoredStreams();
    all.corrupt();
    all.checksums();
    all.ends();
    return all.faults;
  }

  private void add(
      Reason reason,
      Codec codec,
      Outcome outcome,
      BiFunction<byte[], SplittableRandom, byte[]> damage) {
    faults.add(
        new StoredFault(
            reason,
            codec + ", " + outcome,
            outcome,
            random ->
                Batches.ofPayload(codec, 2, damage.apply(stream(codec, random), random)).array()));
  }

  /** Returns a batch with some changed bytes in its records or their stream, and a right CRC. */
  static byte[] flipped(Codec codec, SplittableRandom random) {
    byte[] plain = plain(random);
    if (random.nextInt(4) == 0) {
      xor(plain, random.nextInt(plain.length), 1 << random.nextInt(Byte.SIZE));
    }
    byte[] stream = Batches.compress(codec, plain);
    for (int i = random.nextInt(3); i > 0; i--) {
      int within = random.nextBoolean() ? stream.length : Math.min(START_BYTES, stream.length);
      xor(stream, random.nextInt(within), random.nextInt(1, 256));
    }
    int cut = random.nextInt(8) == 0 ? 1 + random.nextInt(12) : 0;
    return Batches.ofPayload(codec, 2, Arrays.copyOf(stream, stream.length - cut)).array();
  }

  private static byte[] stream(Codec codec, SplittableRandom random) {
    return Batches.compress(codec, plain(random));
  }

  private static byte[] plain(SplittableRandom random) {
    return Batches.plainRecords(
        put("k", "old"), put("l", ("value " + random.nextInt()).repeat(20)));
  }

  private void corrupt() {
    for (Codec codec : List.of(Codec.GZIP, Codec.LZ4)) {
      add(
          Reason.CODEC_HEADER_INVALID,
          codec,
          Outcome.FAILS,
          (stream, random) -> xor(stream, 0, 1 + random.nextInt(255)));
    }
    add(
        Reason.CODEC_DATA_CORRUPT,
        Codec.GZIP,
        Outcome.FAILS,
        (stream, random) -> xor(stream, 10, 0x07 & ~stream[10]));
    add(
        Reason.CODEC_DATA_CORRUPT,
        Codec.SNAPPY,
        Outcome.ENDS,
        (stream, random) -> xor(stream, SNAPPY_CHUNK_AT, 0x80));
    add(
        Reason.CODEC_DATA_CORRUPT,
        Codec.LZ4,
        Outcome.FAILS,
        (stream, random) -> {
          Arrays.fill(stream, LZ4_BLOCK_AT + 4, LZ4_BLOCK_AT + 40, (byte) 0xFF);
          return stream;
        });
    add(
        Reason.CODEC_DATA_CORRUPT,
        Codec.ZSTD,
        Outcome.FAILS,
        (stream, random) -> xor(stream, 0, 1 + random.nextInt(255)));
    for (Codec codec : CODECS) {
      add(
          Reason.CODEC_DATA_TRUNCATED,
          codec,
          Outcome.FAILS,
          (stream, random) -> Arrays.copyOf(stream, stream.length / 2 + random.nextInt(9)));
    }
  }

  private void checksums() {
    add(
        Reason.CODEC_CHECKSUM_MISMATCH,
        Codec.GZIP,
        Outcome.FAILS,
        (stream, random) ->
            xor(stream, stream.length - GZIP_TRAILER_BYTES, 1 + random.nextInt(255)));
    add(
        Reason.CODEC_CHECKSUM_MISSING,
        Codec.LZ4,
        Outcome.FAILS,
        (stream, random) -> {
          byte[] checked = lz4(plain(random), Bits.CONTENT_CHECKSUM);
          return Arrays.copyOf(checked, checked.length - 1 - random.nextInt(4));
        });
    add(
        Reason.CODEC_CONTENT_CHECKSUM_WRONG,
        Codec.LZ4,
        Outcome.HIDES,
        (stream, random) -> {
          byte[] checked = lz4(plain(random), Bits.CONTENT_CHECKSUM);
          return xor(checked, checked.length - 1, 1 + random.nextInt(255));
        });
  }

  private static byte[] lz4(byte[] plain, Bits checksum) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (LZ4FrameOutputStream frame =
        new LZ4FrameOutputStream(out, BLOCKSIZE.SIZE_64KB, -1, Bits.BLOCK_INDEPENDENCE, checksum)) {
      frame.write(plain);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  /** Returns a Snappy stream with a number of headers in a row. */
  static byte[] withHeaders(byte[] stream, int count) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = 1; i < count; i++) {
      out.write(stream, 0, SNAPPY_CHUNK_AT);
    }
    out.writeBytes(stream);
    return out.toByteArray();
  }

  private void ends() {
    add(
        Reason.CODEC_STREAM_AMBIGUOUS,
        Codec.SNAPPY,
        Outcome.KEEPS,
        (stream, random) -> withHeaders(stream, 2 + random.nextInt(9)));
    add(
        Reason.CODEC_STREAM_AMBIGUOUS,
        Codec.SNAPPY,
        Outcome.ENDS,
        (stream, random) -> withHeaders(stream, 50_000 + random.nextInt(1000)));
    for (Codec codec : CODECS) {
      add(
          Reason.CODEC_BYTES_LEFT,
          codec,
          Outcome.KEEPS,
          (stream, random) -> {
            byte[] more = Arrays.copyOf(stream, stream.length + 2);
            System.arraycopy(stream, 0, more, stream.length, 2);
            return more;
          });
      faults.add(
          new StoredFault(
              Reason.PAYLOAD_STREAM_MISSING,
              codec.name(),
              codec == Codec.ZSTD ? Outcome.KEEPS : Outcome.FAILS,
              random -> {
                ByteBuffer batch = Batches.ofPayload(codec, 0, new byte[0]);
                int delta = random.nextInt(9);
                return Batches.fixCrc(batch.putInt(23, delta)).array();
              }));
    }
  }

  private static byte[] xor(byte[] bytes, int at, int bits) {
    bytes[at] ^= (byte) bits;
    return bytes;
  }
}
