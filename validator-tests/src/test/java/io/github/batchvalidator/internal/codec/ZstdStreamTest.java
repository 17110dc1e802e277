// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec;

import static io.github.batchvalidator.internal.codec.StreamCase.accepted;
import static io.github.batchvalidator.internal.codec.StreamCase.refused;
import static io.github.batchvalidator.internal.codec.StreamCase.refusedByAnyVersion;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.github.luben.zstd.ZstdCompressCtx;
import io.github.batchvalidator.internal.codec.kafka.KafkaDecoders;
import io.github.batchvalidator.internal.codec.zstd.ZstdFrame;
import io.github.batchvalidator.internal.payload.WindowDecoders;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Limit;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.streams.Bytes;
import io.github.batchvalidator.testing.streams.Plain;
import io.github.batchvalidator.testing.streams.ZstdFrames;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ZstdStreamTest extends StreamCaseContract {
  /** The size of the reads that Kafka's stream makes of its input. */
  private static final int KAFKA_INPUT_BYTES = (128 << 10) + 3;

  private static final String VERSIONS = "the library's answer depends on its version";

  private static final byte[] FRAME = Batches.compress(Codec.ZSTD, P);
  private static final byte[] W20 = ZstdFrames.window(20);
  private static final byte[] RAW = ZstdFrames.raw(false, P);
  private static final byte[] LAST = ZstdFrames.raw(true, P);
  private static final byte[] SKIPPABLE = ZstdFrames.skippable(7);
  private static final byte[] EARLY_END = Bytes.of(0xC0, 0, 0);
  private static final byte[] SUM = ZstdFrames.checksum(P);

  @Override
  Codec codec() {
    return Codec.ZSTD;
  }

  @Override
  List<StreamCase> cases() {
    List<StreamCase> rows = new ArrayList<>();
    frames(rows);
    tails(rows);
    windows(rows);
    descriptors(rows);
    checksums(rows);
    blocks(rows);
    return rows;
  }

  private static void frames(List<StreamCase> rows) {
    rows.add(accepted("nothing", NOTHING));
    rows.add(accepted("two frames", PP, FRAME, FRAME));
    rows.add(accepted("200 frames", Bytes.repeat(200, P), Bytes.repeat(200, FRAME)));
    rows.add(accepted("skippable first", P, SKIPPABLE, FRAME));
    rows.add(accepted("skippable between", PP, FRAME, SKIPPABLE, FRAME));
    rows.add(accepted("skippable last", P, FRAME, SKIPPABLE));
    rows.add(accepted("skippable alone", NOTHING, SKIPPABLE));
    rows.add(accepted("skippable of nothing", P, ZstdFrames.skippable(0), FRAME));
    byte[] empty = ZstdFrames.frame(0, W20, ZstdFrames.raw(true, NOTHING));
    rows.add(accepted("empty frame", NOTHING, empty));
    rows.add(accepted("2000 empty frames", P, Bytes.repeat(2000, empty), FRAME));
    byte[] blocks = Bytes.repeat(1000, ZstdFrames.raw(false, NOTHING));
    rows.add(accepted("1000 empty blocks", P, ZstdFrames.frame(0, W20, blocks, LAST)));
    byte[] endless = Bytes.concat(Bytes.cut(SKIPPABLE, 4), Bytes.filled(4, 0xff), P);
    rows.add(
        refusedByAnyVersion("skippable of 4 GiB", endless)
            .withoutKafka("with 1.5.7-17 to 25 its stream ends cleanly"));
  }

  private static void tails(List<StreamCase> rows) {
    for (int length : new int[] {1, 2, 3, 4, 5, 8, FRAME.length / 2}) {
      byte[] cut = Bytes.cut(FRAME, length);
      rows.add(accepted("second frame cut to " + length, P, FRAME, cut).withoutKafka(VERSIONS));
    }
    byte[] cut = Bytes.cut(SKIPPABLE, -1);
    rows.add(accepted("later skippable cut", P, FRAME, cut).withoutKafka(VERSIONS));
    rows.add(refused("zero behind", Reason.CODEC_DATA_CORRUPT, FRAME, Bytes.of(0)));
    rows.add(refused("garbage behind", Reason.CODEC_DATA_CORRUPT, FRAME, P));
    for (int length : new int[] {1, 4, 6, FRAME.length / 2, FRAME.length - 1}) {
      byte[] first = Bytes.cut(FRAME, length);
      rows.add(refused("frame cut to " + length, Reason.CODEC_DATA_TRUNCATED, first));
    }
    byte[] open = ZstdFrames.frame(0, W20, RAW);
    rows.add(refused("no last block", Reason.CODEC_DATA_TRUNCATED, open));
    rows.add(refused("skippable cut", Reason.CODEC_DATA_TRUNCATED, Bytes.cut(SKIPPABLE, -1)));
  }

  private static void windows(List<StreamCase> rows) {
    for (int log = 10; log <= 27; log++) {
      rows.add(accepted("window of 2^" + log, P, ZstdFrames.ofWindowLog(log, P)));
    }
    for (int log : new int[] {28, 31, 41}) {
      byte[] frame = ZstdFrames.ofWindowLog(log, P);
      rows.add(refused("window of 2^" + log, Reason.CODEC_DATA_CORRUPT, frame));
    }
    byte[] above = Bytes.of(ZstdFrames.window(27)[0] | 1);
    byte[] frame = ZstdFrames.frame(0, above, LAST);
    rows.add(refused("window of 9/8 times 2^27", Reason.CODEC_DATA_CORRUPT, frame));
    int single = ZstdFrames.SINGLE_SEGMENT | 0xc0;
    byte[] all = ZstdFrames.frame(single, Bytes.littleEndian(1000L), LAST);
    rows.add(accepted("single segment", P, all));
    for (long size : new long[] {200_000_000, 1L << 40, -1}) {
      byte[] declares = ZstdFrames.frame(single, Bytes.littleEndian(size), LAST);
      rows.add(refused("single segment of " + size, Reason.CODEC_DATA_CORRUPT, declares));
    }
  }

  private static void descriptors(List<StreamCase> rows) {
    byte[] sized = Bytes.concat(W20, Bytes.littleEndian(1000));
    rows.add(accepted("content size right", P, ZstdFrames.frame(0x80, sized, LAST)));
    byte[] short2 = Bytes.concat(W20, Bytes.cut(Bytes.littleEndian(1000 - 256), 2));
    rows.add(accepted("content size of 2 bytes", P, ZstdFrames.frame(0x40, short2, LAST)));
    for (int size : new int[] {999, 1001}) {
      byte[] fields = Bytes.concat(W20, Bytes.littleEndian(size));
      byte[] frame = ZstdFrames.frame(0x80, fields, LAST);
      rows.add(refused("content size " + size, Reason.CODEC_DATA_CORRUPT, frame));
    }
    byte[] noDictionary = ZstdFrames.frame(1, Bytes.concat(W20, Bytes.of(0)), LAST);
    rows.add(accepted("dictionary 0", P, noDictionary));
    byte[] dictionary = ZstdFrames.frame(1, Bytes.concat(W20, Bytes.of(5)), LAST);
    rows.add(refused("dictionary 5", Reason.CODEC_DATA_CORRUPT, dictionary));
    byte[] reserved = ZstdFrames.frame(ZstdFrames.RESERVED_BIT, W20, LAST);
    rows.add(refused("reserved bit", Reason.CODEC_DATA_CORRUPT, reserved));
    rows.add(accepted("unused bit", P, ZstdFrames.frame(ZstdFrames.UNUSED_BIT, W20, LAST)));
    rows.add(refused("magic wrong", Reason.CODEC_DATA_CORRUPT, Bytes.damaged(FRAME, 1)));
    for (int version = 0x22; version < 0x28; version++) {
      byte[] legacy = Bytes.with(FRAME, 0, version);
      rows.add(refusedByAnyVersion("magic of " + version, legacy));
    }
  }

  private static void checksums(List<StreamCase> rows) {
    byte[] frame = ZstdFrames.frame(ZstdFrames.CHECKSUM, W20, LAST);
    rows.add(accepted("checksum right", P, frame, SUM));
    rows.add(accepted("checksum right, two frames", PP, frame, SUM, frame, SUM));
    byte[] wrong = Bytes.damaged(SUM, 0);
    rows.add(refused("checksum wrong", Reason.CODEC_DATA_CORRUPT, frame, wrong));
    rows.add(refused("checksum wrong, not last", Reason.CODEC_DATA_CORRUPT, frame, wrong, FRAME));
    rows.add(refused("checksum missing", Reason.CODEC_DATA_TRUNCATED, frame));
    rows.add(refused("checksum cut", Reason.CODEC_DATA_TRUNCATED, frame, Bytes.cut(SUM, 3)));
  }

  private static void blocks(List<StreamCase> rows) {
    byte[] run = rle(128 << 10);
    rows.add(accepted("run of 128 KiB", Bytes.filled(128 << 10, 'r'), run));
    rows.add(refused("run above 128 KiB", Reason.CODEC_DATA_CORRUPT, rle((128 << 10) + 1)));
    byte[] type3 =
        ZstdFrames.frame(0, W20, ZstdFrames.blockHeader(true, ZstdFrames.RESERVED_TYPE, 9), P);
    rows.add(refused("block type 3", Reason.CODEC_DATA_CORRUPT, type3));
    byte[] small = ZstdFrames.frame(0, ZstdFrames.window(10), ZstdFrames.raw(true, PP));
    rows.add(refused("block above the window", Reason.CODEC_DATA_CORRUPT, small));
    compressedBlocks(rows);
    byte[] many = ZstdFrames.frame(0, W20, Bytes.repeat(40, rleBlock(false, 10_000)), LAST);
    byte[] plain = Bytes.concat(Bytes.filled(400_000, 'r'), P);
    rows.add(accepted("40 runs", plain, many));
  }

  /** What they hold is known when they are decoded. */
  private static void compressedBlocks(List<StreamCase> rows) {
    byte[] literals = Bytes.cut(P, 12);
    byte[] last = ZstdFrames.literal(true, literals);
    int full = (128 << 10) - literals.length;
    for (int above = 0; above <= 14; above += 7) {
      byte[] block = ZstdFrames.repeating(false, literals, full + above);
      byte[] frame = ZstdFrames.frame(0, W20, block, last);
      byte[] plain = Bytes.concat(literals, Bytes.filled(full + above, literals[11]), literals);
      rows.add(
          above == 0
              ? accepted("compressed block of 128 KiB", plain, frame)
              : refused("compressed block above by " + above, Reason.CODEC_DATA_CORRUPT, frame));
    }
    byte[] alone = ZstdFrames.frame(0, W20, ZstdFrames.repeating(true, literals, full + 1));
    rows.add(refused("the only one above", Reason.CODEC_DATA_CORRUPT, alone));
    byte[] raw = ZstdFrames.frame(0, W20, ZstdFrames.repeating(false, literals, full + 1), LAST);
    rows.add(refused("above, a stored one behind", Reason.CODEC_DATA_CORRUPT, raw));
    byte[] sized = Bytes.concat(W20, Bytes.littleEndian(24));
    byte[] two = ZstdFrames.frame(0x80, sized, ZstdFrames.literal(false, literals), last);
    rows.add(accepted("two small ones, size known", Bytes.concat(literals, literals), two));
  }

  private static byte[] rle(int length) {
    return ZstdFrames.frame(0, W20, rleBlock(true, length));
  }

  private static byte[] rleBlock(boolean last, int length) {
    return Bytes.concat(ZstdFrames.blockHeader(last, ZstdFrames.RLE, length), Bytes.of('r'));
  }

  /**
   * For a frame with an empty last block, the library compares the content size only if the output
   * has room for the whole frame. Our decoders with smaller windows compare it themselves.
   */
  @Test
  void aSmallerWindowMissesNoWrongContentSize() {
    byte[] fields = Bytes.concat(W20, Bytes.littleEndian(5000));
    byte[] stored = ZstdFrames.frame(0x80, fields, RAW, ZstdFrames.raw(true, NOTHING));
    assertFalse(Outcome.ofKafka(Codec.ZSTD, stored).isClean());
    for (DecoderContract.Window window : DecoderContract.Window.values()) {
      try (Decoders decoders = window.decoders(gzip())) {
        Outcome outcome = Outcome.of(DecoderContract.decoder(decoders, Codec.ZSTD), stored);
        assertEquals(Reason.CODEC_DATA_CORRUPT, outcome.reason(), window::toString);
      }
    }
  }

  /**
   * The library takes what lies at the start of its input for the frame if a header lies across the
   * border of two pieces, and room and size fit; who has all of it in one piece does not.
   */
  @Test
  void aFrameWithinAHeaderAcrossTheBorderIsAmbiguous() {
    int size = 10_496;
    byte[] inner =
        ZstdFrames.frame(0, Bytes.of(0x58), ZstdFrames.raw(true, Plain.RANDOM.bytes(size)));
    byte[] header = Bytes.concat(ZstdFrames.MAGIC, Bytes.of(0x40, 0x20, (size - 256) & 0xFF));
    assertReadInTwoWays(header, inner);
    // its own header is that of a block which ends where the frame in it does
    byte[] run = rleBlock(false, 0x2FB5 + 256);
    byte[] nothing = ZstdFrames.raw(false, NOTHING);
    byte[] last = ZstdFrames.raw(true, NOTHING);
    byte[] sameEnd =
        ZstdFrames.frame(0, ZstdFrames.window(10), run, Bytes.repeat(8, nothing), last);
    assertReadInTwoWays(Bytes.concat(ZstdFrames.MAGIC, Bytes.of(0x40)), sameEnd);
  }

  /** By who has a part of the header in one piece of its input, and the frame in the next. */
  private static void assertReadInTwoWays(byte[] header, byte[] inner) {
    byte[] stored = Bytes.concat(stored(KAFKA_INPUT_BYTES - header.length), header, inner);
    assertTrue(Outcome.ofKafka(Codec.ZSTD, stored).isClean());
    try (Decoders fastest = WindowDecoders.fastest();
        Decoders lowMemory = WindowDecoders.lowMemory()) {
      PayloadDecoder decoder = DecoderContract.decoder(fastest, Codec.ZSTD);
      assertTrue(Outcome.of(decoder, stored).isClean());
      assertTrue(decoder.isAmbiguous());
      Outcome outcome = Outcome.of(DecoderContract.decoder(lowMemory, Codec.ZSTD), stored);
      assertEquals(Reason.CODEC_DATA_CORRUPT, outcome.reason(), "ZSTD_CONTENT_SIZE_IN_LOW_MEMORY");
    }
  }

  /**
   * The library detects that a frame holds more than it declares by the size of its own buffer. It
   * misses this in a buffer that an earlier, larger stream has left. Kafka creates a new context
   * for each batch.
   */
  @Test
  void earlierPayloadsDoNotHideAWrongContentSize() {
    byte[] full = ZstdFrames.raw(false, Plain.RANDOM.bytes(ZstdFrame.MAX_BLOCK_BYTES));
    byte[] large = ZstdFrames.frame(0, W20, full, full, full, LAST);
    byte[] fields = Bytes.concat(W20, Bytes.littleEndian(20_000));
    byte[] more = ZstdFrames.raw(false, Plain.JSON.bytes(30_000));
    byte[] liar = ZstdFrames.frame(0x80, fields, more, ZstdFrames.raw(true, NOTHING));
    byte[][] streams = {liar, Bytes.concat(SKIPPABLE, liar), Bytes.concat(FRAME, liar)};
    for (byte[] stored : streams) {
      try (Decoders used = WindowDecoders.fastest();
          Decoders unused = WindowDecoders.fastest()) {
        PayloadDecoder decoder = DecoderContract.decoder(used, Codec.ZSTD);
        assertTrue(Outcome.of(decoder, large).isClean());
        Outcome outcome = Outcome.of(decoder, stored);
        // If a batch has two frames, the first hides the size of the second, from Kafka as well.
        assertEquals(Outcome.ofKafka(Codec.ZSTD, stored).isClean(), outcome.isClean());
        assertEquals(stored == streams[2], outcome.isClean());
        assertTrue(
            outcome.equalTo(Outcome.of(DecoderContract.decoder(unused, Codec.ZSTD), stored)));
      }
    }
  }

  /**
   * The library decides by the bytes in its buffer whether a match is too far back. The buffer has
   * more of them if an earlier stream had a larger window.
   */
  @Test
  void earlierPayloadsDoNotExtendTheReachOfMatches() {
    byte[] half = Plain.RANDOM.bytes(900_000);
    byte[] liar = withoutSize(Bytes.concat(half, half));
    int windowAt = ZstdFrames.MAGIC.length + 1;
    assertEquals(0, liar[windowAt - 1]);
    assertEquals(ZstdFrames.window(21)[0], liar[windowAt]);
    byte[] honest = liar.clone();
    liar[windowAt] = ZstdFrames.window(17)[0];
    try (Decoders used = WindowDecoders.fastest()) {
      PayloadDecoder decoder = DecoderContract.decoder(used, Codec.ZSTD);
      assertTrue(Outcome.of(decoder, honest).isClean());
      assertFalse(Outcome.ofKafka(Codec.ZSTD, liar).isClean());
      assertFalse(Outcome.of(decoder, liar).isClean());
      assertTrue(Outcome.of(decoder, honest).isClean());
    }
  }

  /** The place where the library's buffer wraps around depends on the pieces of its input. */
  @Test
  void matchesReachAsFarAsInKafkasStreamInEachWindow() {
    Random random = new Random(20261123);
    int read = 0;
    int unread = 0;
    for (int i = 0; i < 300; i++) {
      byte[] stored = reachingBack(random);
      Outcome kafka = Outcome.ofKafka(Codec.ZSTD, stored);
      for (DecoderContract.Window window : DecoderContract.Window.values()) {
        try (Decoders decoders = window.decoders(gzip())) {
          Outcome outcome = Outcome.of(DecoderContract.decoder(decoders, Codec.ZSTD), stored);
          assertTrue(outcome.agreesWith(kafka), () -> window + ": " + outcome + ", " + kafka);
        }
      }
      read += kafka.isClean() ? 1 : 0;
      unread += kafka.isClean() ? 0 : 1;
    }
    assertTrue(read > 20 && unread > 20, read + " read, " + unread + " not");
  }

  /** Returns a frame with a window of 1 KiB and a match from farther back. */
  private static byte[] reachingBack(Random random) {
    byte[] blocks = new byte[0];
    int least = 15_000 + random.nextInt(4_000);
    while (blocks.length < least) {
      byte[] plain = Plain.RANDOM.bytes(500 + random.nextInt(525));
      blocks = Bytes.concat(blocks, ZstdFrames.raw(false, plain));
    }
    byte[] literals = Plain.RANDOM.bytes(512 + random.nextInt(500));
    byte[] match = ZstdFrames.reachingBack(true, literals, 2045 + random.nextInt(2048));
    return ZstdFrames.frame(0, ZstdFrames.window(10), blocks, match);
  }

  /** The zstd libraries of Kafka up to 4.3 read frames from before the first zstd release. */
  @Test
  void earlyFramesAreReadAsByTheLibraryAndCountAsMemory() {
    assertCountsAsMemory(early());
  }

  /** The library looks for them where its piece of input starts, also within another header. */
  @Test
  void earlyFramesInTheHeadersOfOthersAreReadAsByTheLibraryAndCountAsMemory() {
    byte[] header = Bytes.concat(ZstdFrames.MAGIC, Bytes.of(0x80, 0xB0)); // a window of 4 GiB
    byte[][] starts = {
      {0x28}, {0x28, (byte) 0xB5}, {0x28, (byte) 0xB5, 0x2F}, {0x50, 0x2A}, header
    };
    for (byte[] start : starts) {
      byte[] before = stored(KAFKA_INPUT_BYTES - start.length);
      assertCountsAsMemory(Bytes.concat(before, start, early()));
    }
  }

  private static byte[] early() {
    byte[] block = Bytes.concat(Bytes.of(0x40, P.length >> 8, P.length), P);
    return Bytes.concat(Bytes.of(0x27, 0xB5, 0x2F, 0xFD, 0, 0x50), block, EARLY_END);
  }

  private void assertCountsAsMemory(byte[] stored) {
    Outcome kafka = Outcome.ofKafka(Codec.ZSTD, stored);
    Limits limits = Limits.UNBOUNDED_AS_KAFKA.with(Limit.CODEC_MEMORY_BYTES, 1 << 26);
    Payload payload = new Payload().wrap(ByteBuffer.wrap(stored), 0, stored.length);
    for (DecoderContract.Window window : DecoderContract.Window.values()) {
      try (Decoders decoders = window.decoders(gzip())) {
        PayloadDecoder decoder = DecoderContract.decoder(decoders, Codec.ZSTD);
        Outcome outcome = Outcome.of(decoder, payload, Limits.UNBOUNDED_AS_KAFKA);
        assertTrue(outcome.agreesWith(kafka), () -> window + ": " + outcome + ", " + kafka);
        assertEquals(outcome.isClean(), decoder.isAmbiguous());
        decoder.release();
        assertTrue(decoder.nativeBytes() < 1 << 20, () -> "holds " + decoder.nativeBytes());
        assertEquals(Reason.LIMIT_CODEC_MEMORY, Outcome.of(decoder, payload, limits).reason());
      }
    }
  }

  private static byte[] withoutSize(byte[] plain) {
    try (ZstdCompressCtx context = new ZstdCompressCtx()) {
      return context.setContentSize(false).setLong(21).compress(plain);
    }
  }

  /** Kafka's portions come from a context of the payload's own, which goes with it. */
  @Test
  void releasedItHasNothing() {
    try (Decoders decoders = new KafkaDecoders()) {
      PayloadDecoder decoder = DecoderContract.decoder(decoders, Codec.ZSTD);
      ByteWindow window = new ByteWindow();
      Payload payload = new Payload().wrap(ByteBuffer.wrap(FRAME), 0, FRAME.length);
      decoder.open(payload, Limits.UNBOUNDED_AS_KAFKA, window);
      decoder.release();
      assertFalse(window.refill());
      assertNull(window.failure());
      assertArrayEquals(P, Outcome.of(decoder, FRAME).plain());
    }
  }

  /**
   * The library decodes a frame at once if its input holds the whole frame and its output has room
   * for it. It then ignores the window and empty blocks. So the pieces of the input matter.
   */
  @Test
  void smallFramesAroundTheBordersOfKafkasInput() {
    byte[] held = Plain.RANDOM.bytes(4000);
    byte[] emptyBlock = ZstdFrames.blockHeader(false, ZstdFrames.COMPRESSED, 0);
    byte[] size = Bytes.littleEndian(held.length);
    byte[] last = ZstdFrames.raw(true, held);
    byte[][] frames = {
      ZstdFrames.frame(0x80, Bytes.concat(W20, size), emptyBlock, last),
      ZstdFrames.frame(0x80, Bytes.concat(ZstdFrames.window(10), size), last)
    };
    int read = 0;
    int unread = 0;
    try (Decoders decoders = WindowDecoders.fastest()) {
      PayloadDecoder decoder = DecoderContract.decoder(decoders, Codec.ZSTD);
      for (int border : new int[] {1 << 16, KAFKA_INPUT_BYTES, 1 << 18, 2 * KAFKA_INPUT_BYTES}) {
        for (int ahead : new int[] {5000, frames[0].length, frames[1].length, 2000, 7, 1, 0, -1}) {
          byte[] before = stored(border - ahead);
          for (byte[] frame : frames) {
            byte[] stored = Bytes.concat(before, frame);
            Outcome outcome = Outcome.of(decoder, stored);
            Outcome kafka = Outcome.ofKafka(Codec.ZSTD, stored);
            String what = ahead + " before " + border + ": ";
            assertTrue(outcome.agreesWith(kafka), () -> what + outcome + " and " + kafka);
            read += kafka.isClean() ? 1 : 0;
            unread += kafka.isClean() ? 0 : 1;
          }
        }
      }
    }
    assertTrue(read > 20 && unread > 20, read + " read, " + unread + " not");
  }

  /** Returns a frame of so many bytes. */
  private static byte[] stored(int length) {
    byte[] most = ZstdFrames.raw(false, Plain.RANDOM.bytes(100_000));
    int full = (length - 2000) / most.length;
    byte[] blocks = Bytes.repeat(full, most);
    int overhead = ZstdFrames.frame(0, W20, blocks, ZstdFrames.raw(true, NOTHING)).length;
    byte[] rest = ZstdFrames.raw(true, Plain.RANDOM.bytes(length - overhead));
    byte[] frame = ZstdFrames.frame(0, W20, blocks, rest);
    assertEquals(length, frame.length);
    return frame;
  }

  @Test
  void aForgivenCutFrameFollowsTheEnd() {
    for (int length = 1; length < FRAME.length; length++) {
      byte[] stored = Bytes.concat(FRAME, Bytes.cut(FRAME, length));
      for (DecoderContract.Window window : DecoderContract.Window.values()) {
        try (Decoders decoders = window.decoders(gzip())) {
          PayloadDecoder decoder = DecoderContract.decoder(decoders, Codec.ZSTD);
          assertTrue(Outcome.of(decoder, stored).isClean());
          assertEquals(length, decoder.bytesBehindEnd(), window + " and " + length);
        }
      }
    }
  }

  /** Kafka forgives a cut frame only in the piece of input in which another frame ended. */
  @Test
  void cutTailsAroundTheBorderOfKafkasInput() {
    assumeFalse(ZstdFrames.kafkaRefusesCutTails(), VERSIONS);
    int overhead = ZstdFrames.frame(0, W20, ZstdFrames.raw(false, NOTHING), RAW, LAST).length;
    try (Decoders decoders = WindowDecoders.fastest()) {
      PayloadDecoder decoder = DecoderContract.decoder(decoders, Codec.ZSTD);
      for (int size = KAFKA_INPUT_BYTES - overhead - 6;
          size < KAFKA_INPUT_BYTES - overhead + 3;
          size++) {
        byte[] block = ZstdFrames.raw(false, Plain.RANDOM.bytes(size));
        byte[] first = ZstdFrames.frame(0, W20, block, RAW, LAST);
        for (int length = 0; length < 20; length++) {
          byte[] stored = Bytes.concat(first, Bytes.cut(FRAME, length));
          Outcome outcome = Outcome.of(decoder, stored);
          Outcome kafka = Outcome.ofKafka(Codec.ZSTD, stored);
          assertTrue(outcome.agreesWith(kafka), () -> outcome + " and " + kafka);
        }
      }
    }
  }
}
