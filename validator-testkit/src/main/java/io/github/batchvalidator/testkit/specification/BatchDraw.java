// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.specification;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import io.github.batchvalidator.lines.Append;
import io.github.batchvalidator.lines.KafkaLine;
import io.github.batchvalidator.lines.Settings;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.TimestampType;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.BufferKind;
import io.github.batchvalidator.testing.LegacyMessage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.compress.Lz4BlockOutputStream;
import org.apache.kafka.common.utils.ByteBufferOutputStream;
import org.jspecify.annotations.Nullable;

/** Draws appends: a few records, and several batches and settings around them. */
final class BatchDraw {
  static final int MOST_MESSAGES = 5;
  private static final int HEADER_BYTES = 61;
  private static final Codec[] CODECS = Codec.values();
  private static final Compression[] COMPRESSIONS =
      Arrays.stream(CODECS).map(Batches::compression).toArray(Compression[]::new);
  private static final String[] ORIGINS = {
    "CLIENT", "CLIENT", "CLIENT", "CLIENT", "CLIENT", "CLIENT", "COORDINATOR", "REPLICATION"
  };
  private static final long[] WINDOWS_MS = {0, 1000, 2000, 10_000, 3_600_000};

  private final Choices choices;
  private final KafkaLine line;
  private final int magic;
  private final RecordDraw records;
  private final int count;
  private final byte[] plain;
  private final byte[][] payloads = new byte[CODECS.length][];
  private final int blockBytes;
  private final int frames;
  private final int lz4BlockId;
  private boolean isDamagedStream;
  private @Nullable Reason ofStream;
  private @Nullable Settings last;

  /**
   * An append.
   *
   * @param isDamaged true if bytes were changed without regard to what they mean
   * @param isDamagedStream true if a compressed stream may not be what a codec writes
   * @param ofStream what level STRICT finds in a stream that is not damaged, or null
   */
  record Drawn(
      Append append, boolean isDamaged, boolean isDamagedStream, @Nullable Reason ofStream) {}

  BatchDraw(Choices choices, KafkaLine line) {
    this.choices = choices;
    this.line = line;
    int legacy = line == KafkaLine.V3_9 ? choices.below(4) : choices.below(20);
    magic = legacy == 3 ? choices.below(2) : 2;
    count = count();
    records = new RecordDraw(choices);
    plain = records.plain(count);
    int block = choices.of(Integer.MAX_VALUE, 1 << 10, 100, Integer.MAX_VALUE);
    blockBytes = records.isLarge ? Integer.MAX_VALUE : block;
    frames = choices.below(4);
    lz4BlockId = choices.oneIn(24) ? 5 : 4;
  }

  private int count() {
    return switch (choices.below(64)) {
      case 62 -> 0;
      case 63 -> choices.oneIn(12) ? 301 + choices.below(700) : 6 + choices.below(50);
      default -> 1 + choices.below(4);
    };
  }

  /**
   * Draws the next append.
   *
   * @param repeats true for the settings of the last append, with any codec of the producer
   */
  Drawn next(boolean repeats) {
    isDamagedStream = false;
    ofStream = null;
    Codec codec = CODECS[choices.below(CODECS.length)];
    byte[] batch = magic == 2 ? modern(codec) : legacy(codec);
    int tail = choices.below(48);
    if (tail > 45 && magic == 2) {
      batch = joined(batch, tail == 46);
    }
    boolean isDamaged = choices.oneIn(8);
    if (isDamaged) {
      batch = damaged(batch);
      isDamagedStream = true;
    }
    BufferKind kind =
        choices.of(
            BufferKind.HEAP,
            BufferKind.SLICED,
            BufferKind.POSITIONED,
            BufferKind.SLICED,
            BufferKind.DIRECT);
    Settings former = last;
    Settings settings = former == null || !repeats ? settings(codec) : again(former, codec);
    last = settings;
    return new Drawn(
        new Append(batch, kind, settings), isDamaged || isDamagedStream, isDamagedStream, ofStream);
  }

  /** Adds the batch itself as a second one, complete or cut. */
  private byte[] joined(byte[] batch, boolean isComplete) {
    int more = isComplete ? batch.length : choices.below(batch.length);
    boolean isLonger = new ModelBatch(batch, 0).size > batch.length;
    isDamagedStream |= isComplete; // the model reads the first batch only
    isDamagedStream |= isLonger; // its stream is followed by a byte of the next batch
    byte[] both = Arrays.copyOf(batch, batch.length + more);
    System.arraycopy(batch, 0, both, batch.length, more);
    return both;
  }

  // ---- magic 2

  private byte[] modern(Codec codec) {
    byte[] payload = payload(codec);
    if (choices.oneIn(20) && plain.length > 0 && OddStream.isKnown(codec)) {
      OddStream odd = OddStream.draw(choices, codec, payload, plain);
      payload = odd.stream();
      ofStream = odd.finding();
    }
    if (choices.oneIn(24) && payload.length > 0) {
      payload = payload.clone();
      payload[choices.below(payload.length)] ^= (byte) (1 << choices.below(8));
      isDamagedStream = true;
    }
    ByteBuffer batch = ByteBuffer.allocate(HEADER_BYTES + payload.length);
    batch.putLong(0).putInt(batch.capacity() - 12).putInt(-1).put((byte) 2).putInt(0);
    batch.putShort((short) codec.id()).putInt(count - 1).putLong(RecordDraw.NOW_MS);
    batch.putLong(records.maxTimestamp).putLong(-1).putShort((short) -1).putInt(-1).putInt(count);
    batch.put(payload).flip();
    if (choices.oneIn(4)) {
      flags(batch);
    }
    if (choices.oneIn(16)) {
      field(batch);
    }
    if (!choices.oneIn(40)) {
      Batches.fixCrc(batch);
    }
    return batch.array();
  }

  private byte[] payload(Codec codec) {
    byte[] known = payloads[codec.id()];
    if (known == null) {
      known = codec == Codec.NONE ? plain : compress(codec);
      payloads[codec.id()] = known;
    }
    return known;
  }

  /** Compresses as a producer does, or in other blocks and frames. */
  private byte[] compress(Codec codec) {
    ByteBufferOutputStream out = new ByteBufferOutputStream(Math.max(512, plain.length));
    try (OutputStream compressing = compressing(codec, out)) {
      for (int at = 0; at < plain.length; at += Math.min(blockBytes, plain.length - at)) {
        if (at > 0) {
          compressing.flush(); // ends a block
        }
        compressing.write(plain, at, Math.min(blockBytes, plain.length - at));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Batches.copy(out.buffer().flip()).array();
  }

  private OutputStream compressing(Codec codec, ByteBufferOutputStream out) throws IOException {
    if (codec == Codec.LZ4 && (lz4BlockId > 4 || frames > 1)) {
      return new Lz4BlockOutputStream(out, lz4BlockId, 9, frames > 2, false);
    }
    if (codec == Codec.ZSTD && frames > 1) {
      ZstdOutputStreamNoFinalizer zstd = new ZstdOutputStreamNoFinalizer(out, 3);
      return frames == 2
          ? zstd.setCloseFrameOnFlush(true)
          : zstd.setWindowLog(14).setChecksum(true);
    }
    if (codec == Codec.ZSTD && frames == 1) {
      return new ByteArrayOutputStream() { // one frame of a declared size, as librdkafka writes
        @Override
        public void close() throws IOException {
          out.write(Zstd.compress(toByteArray()));
        }
      };
    }
    return COMPRESSIONS[codec.id()].wrapForOutput(out, (byte) 2);
  }

  private void flags(ByteBuffer batch) {
    int attributes = batch.getShort(21);
    attributes |= choices.oneIn(3) ? 8 : 0; // log append time
    attributes |= choices.oneIn(5) ? 32 : 0; // control
    attributes |= choices.oneIn(12) ? 64 : 0; // delete horizon
    attributes |= choices.oneIn(12) ? 1 << (7 + choices.below(9)) : 0; // no meaning
    if (choices.oneIn(2)) {
      batch.putLong(43, choices.below(4) - 1L);
      batch.putShort(51, (short) (choices.below(4) - 1));
      batch.putInt(53, choices.below(6) - 1);
      attributes |= choices.oneIn(3) ? 16 : 0;
    }
    batch.putShort(21, (short) attributes);
  }

  /** Changes a field of the header. */
  private void field(ByteBuffer batch) {
    switch (choices.below(7)) {
      case 0 -> batch.putLong(35, records.maxTimestamp + choices.below(3) - 1);
      case 1 -> batch.putLong(35, choices.below(3) - 1L);
      case 2 -> batch.putInt(57, count + choices.below(4) - 1);
      case 3 -> batch.putInt(23, count + choices.below(4) - 2);
      case 4 -> batch.putLong(0, choices.below(4));
      case 5 -> {
        batch.putInt(8, batch.capacity() - 12 + choices.below(5) - 3);
        isDamagedStream |= ofStream != null; // its end may be cut off
      }
      default -> batch.putShort(21, (short) choices.below(8));
    }
  }

  // ---- magic 0 and 1

  private byte[] legacy(Codec codec) {
    int messages = Math.min(records.contents.size(), MOST_MESSAGES);
    LegacyMessage[] all = new LegacyMessage[messages];
    for (int i = 0; i < messages; i++) {
      RecordDraw.Content content = records.contents.get(i);
      all[i] =
          LegacyMessage.of(magic)
              .offset(i)
              .timestamp(content.timestamp())
              .key(content.key())
              .value(content.value());
      if (magic == 1 && choices.oneIn(24)) {
        all[i].logAppendTime();
      }
      if (choices.oneIn(60)) {
        all[i].crcError(1);
      }
    }
    return codec == Codec.NONE || messages == 0
        ? LegacyMessage.join(all)
        : LegacyMessage.holding(magic, codec == Codec.ZSTD ? Codec.LZ4 : codec, all).toBytes();
  }

  // ---- damage

  /** Flips bits, cuts the end, or appends bytes; the checksum fits mostly. */
  private byte[] damaged(byte[] batch) {
    byte[] bytes = batch.clone();
    switch (choices.below(6)) {
      case 0 -> bytes = Arrays.copyOf(bytes, choices.below(bytes.length + 1));
      case 1 -> bytes = Arrays.copyOf(bytes, bytes.length + 1 + choices.below(20));
      default -> {
        for (int i = choices.below(3); i >= 0 && bytes.length > 0; i--) {
          bytes[choices.below(bytes.length)] ^= (byte) (1 << choices.below(8));
        }
      }
    }
    if (bytes.length >= HEADER_BYTES && bytes[16] == 2 && !choices.oneIn(4)) {
      Batches.fixCrc(ByteBuffer.wrap(bytes));
    }
    return bytes;
  }

  // ---- settings

  /** Messages of magic 0 and 1 know no zstd. */
  private Codec source(Codec codec) {
    return magic < 2 && codec == Codec.ZSTD ? Codec.LZ4 : codec;
  }

  private Settings settings(Codec codec) {
    Codec source = source(codec);
    boolean isStoredAnew = choices.oneIn(4);
    Codec target = isStoredAnew ? CODECS[choices.below(CODECS.length)] : source;
    byte toMagic = (byte) (magic < 2 || choices.oneIn(30) ? choices.below(3) : 2);
    TimestampType type =
        choices.oneIn(5) ? TimestampType.LOG_APPEND_TIME : TimestampType.CREATE_TIME;
    int bounds = choices.below(24);
    long window = choices.of(WINDOWS_MS);
    return new Settings(
        Settings.Entry.VALIDATE,
        source,
        target,
        Settings.DEFAULT_LEVEL,
        toMagic,
        type,
        bounds > 21 ? window : Long.MAX_VALUE,
        bounds == 21 || bounds == 23 ? choices.of(WINDOWS_MS) : Long.MAX_VALUE,
        RecordDraw.NOW_MS + choices.below(3),
        choices.oneIn(10),
        ORIGINS[choices.below(ORIGINS.length)],
        choices.below(3) - 1,
        choices.oneIn(100) ? Long.MAX_VALUE - choices.below(3) : choices.below(3) * 1000L,
        line.hasRecordLimit() && choices.oneIn(12) ? recordLimit() : Settings.NO_LIMIT,
        false,
        true);
  }

  /** Returns the settings of a log for the next append, by a producer with any codec. */
  private Settings again(Settings former, Codec codec) {
    Codec source = source(codec);
    boolean isStoredAnew = former.source() != former.target();
    return new Settings(
        former.entry(),
        source,
        isStoredAnew ? former.target() : source,
        former.level(),
        former.toMagic(),
        former.type(),
        former.beforeMs(),
        former.afterMs(),
        former.nowMs(),
        former.compacted(),
        former.origin(),
        former.leaderEpoch(),
        former.firstOffset(),
        former.recordLimit(),
        former.oldBrokers(),
        former.caching());
  }

  /** Draws a limit below one, which is one in ours, or one of 21 to 221. */
  private int recordLimit() {
    int step = choices.below(12);
    return step == 0 ? 0 : 1 + 20 * step;
  }

  static @Nullable Codec codecOf(byte[] batch) {
    return batch.length < HEADER_BYTES ? null : new ModelBatch(batch, 0).codec();
  }
}
