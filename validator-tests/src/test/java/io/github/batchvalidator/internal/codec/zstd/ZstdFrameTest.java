// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.zstd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.internal.codec.Payload;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.streams.Bytes;
import io.github.batchvalidator.testing.streams.ZstdFrames;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class ZstdFrameTest {
  private static final int MOST = 2 * ZstdFrame.MAX_BLOCK_BYTES;
  private static final byte[] W20 = ZstdFrames.window(20);
  private static final byte[] NINE = ZstdFrames.raw(true, new byte[9]);

  private final ZstdFrame frame = new ZstdFrame();

  private static Payload payload(byte[] stored) {
    return new Payload().wrap(ByteBuffer.wrap(stored), 0, stored.length);
  }

  private long window(byte[] stored) {
    return frame.windowBytes(payload(stored), 0);
  }

  private long room(byte[]... stored) {
    Payload payload = payload(Bytes.concat(stored));
    frame.windowBytes(payload, 0);
    return frame.roomForOneCall(payload, MOST);
  }

  @Test
  void windowOfTheDescriptor() {
    for (int descriptor = 0; descriptor < 256; descriptor++) {
      long base = 1L << (10 + (descriptor >> 3));
      byte[] stored = ZstdFrames.frame(0, Bytes.of(descriptor), NINE);
      assertEquals(base + base / 8 * (descriptor & 7), window(stored));
    }
    assertEquals(1 << 21, window(Batches.compress(Codec.ZSTD, new byte[9])));
  }

  @Test
  void aSingleSegmentIsItsOwnWindow() {
    byte[] eight = Bytes.littleEndian(0x0102030405060708L);
    assertEquals(0x08, window(single(0x00, Bytes.cut(eight, 1))));
    assertEquals(0x0708 + 256, window(single(0x40, Bytes.cut(eight, 2))));
    assertEquals(0x05060708, window(single(0x80, Bytes.cut(eight, 4))));
    assertEquals(0x0102030405060708L, window(single(0xc0, eight)));
    assertEquals(Long.MAX_VALUE, window(single(0xc0, Bytes.littleEndian(-1L))));
  }

  private static byte[] single(int sizeFlag, byte[] contentSize) {
    return ZstdFrames.frame(ZstdFrames.SINGLE_SEGMENT | sizeFlag, contentSize, NINE);
  }

  @Test
  void bytesThatAreNoFrameHaveNoWindow() {
    byte[] whole = ZstdFrames.frame(0x82, Bytes.concat(W20, new byte[2], new byte[4]));
    assertEquals(1 << 20, window(whole));
    for (int length = 0; length < whole.length; length++) {
      assertEquals(ZstdFrame.UNKNOWN, window(Bytes.cut(whole, length)));
    }
    assertEquals(ZstdFrame.UNKNOWN, window(Bytes.damaged(whole, 3)));
    assertEquals(ZstdFrame.UNKNOWN, window(ZstdFrames.skippable(30)));
  }

  @Test
  void roomOfBlocks() {
    assertEquals(9, room(ZstdFrames.frame(0, W20, NINE)));
    byte[] raw = ZstdFrames.raw(false, new byte[100]);
    assertEquals(109, room(ZstdFrames.frame(0, W20, raw, NINE)));
    assertEquals(509, room(ZstdFrames.frame(0, W20, run(500), NINE)));
    byte[] compressed = Bytes.concat(ZstdFrames.blockHeader(false, 2, 7), new byte[7]);
    long full = ZstdFrame.MAX_BLOCK_BYTES;
    assertEquals(full + 9, room(ZstdFrames.frame(0, W20, compressed, NINE)));
    assertEquals(9, room(ZstdFrames.frame(ZstdFrames.CHECKSUM, W20, NINE), new byte[4]));
  }

  private static byte[] run(int length) {
    return Bytes.concat(ZstdFrames.blockHeader(false, ZstdFrames.RLE, length), Bytes.of(1));
  }

  @Test
  void noRoomAboveTheMost() {
    byte[] full = run(ZstdFrame.MAX_BLOCK_BYTES);
    byte[] last = ZstdFrames.raw(true, new byte[0]);
    assertEquals(MOST, room(ZstdFrames.frame(0, W20, full, full, last)));
    assertEquals(ZstdFrame.UNKNOWN, room(ZstdFrames.frame(0, W20, full, full, NINE)));
    byte[] above = run(ZstdFrame.MAX_BLOCK_BYTES + 1);
    assertEquals(ZstdFrame.UNKNOWN, room(ZstdFrames.frame(0, W20, above, last)));
  }

  /** The library verifies how much each of them holds in streams only. */
  @Test
  void noRoomForTwoCompressedBlocksWhoseSumMayBeAboveTheLargest() {
    byte[] compressed = Bytes.concat(ZstdFrames.blockHeader(false, 2, 7), new byte[7]);
    byte[] last = Bytes.concat(ZstdFrames.blockHeader(true, 2, 7), new byte[7]);
    assertEquals(ZstdFrame.MAX_BLOCK_BYTES, room(ZstdFrames.frame(0, W20, last)));
    assertEquals(ZstdFrame.UNKNOWN, room(ZstdFrames.frame(0, W20, compressed, last)));
    for (int size : new int[] {0, 9, ZstdFrame.MAX_BLOCK_BYTES}) {
      assertEquals(size, room(sized(size, compressed, last)));
    }
    int above = ZstdFrame.MAX_BLOCK_BYTES + 1;
    assertEquals(ZstdFrame.UNKNOWN, room(sized(above, compressed, last)));
    assertEquals(ZstdFrame.MAX_BLOCK_BYTES, room(sized(above, last)));
  }

  private static byte[] sized(int contentSize, byte[]... blocks) {
    return ZstdFrames.frame(0x80, Bytes.concat(W20, Bytes.littleEndian(contentSize)), blocks);
  }

  @Test
  void noRoomForVeryManyBlocksOfNothing() {
    byte[] nothing = ZstdFrames.raw(false, new byte[0]);
    byte[] some = ZstdFrames.frame(0, W20, Bytes.repeat(MOST / 3, nothing), NINE);
    assertEquals(9, room(some));
    byte[] many = ZstdFrames.frame(0, W20, Bytes.repeat(MOST / 3 + 2000, nothing), NINE);
    assertEquals(ZstdFrame.UNKNOWN, room(many));
  }

  @Test
  void readersDifferIfTheSizeIsWrongOrACompressedBlockEmpty() {
    byte[] empty = ZstdFrames.blockHeader(false, 2, 0);
    assertFalse(dependsOnReader(9, sized(9, NINE)));
    assertTrue(dependsOnReader(9, sized(8, NINE)));
    assertTrue(dependsOnReader(9, sized(9, empty, NINE)));
    assertTrue(dependsOnReader(9, ZstdFrames.frame(0, W20, empty, NINE)));
    assertFalse(dependsOnReader(9, ZstdFrames.frame(0, W20, NINE)));
    assertFalse(dependsOnReader(9, sized(9, ZstdFrames.raw(false, new byte[0]), NINE)));
  }

  /** A large batch is often written so: the window of the fastest levels is 512 KiB. */
  @Test
  void readersDifferIfAMatchMayReachBeyondTheWindow() {
    byte[] block = Bytes.concat(ZstdFrames.blockHeader(true, 2, 7), new byte[7]);
    for (int held : new int[] {1025, 16_384, 16_385, 1 << 20}) {
      byte[] fields = Bytes.concat(ZstdFrames.window(10), Bytes.littleEndian(held));
      byte[] stored = ZstdFrames.frame(0x80, fields, block);
      assertEquals(held <= 16_384, dependsOnReader(held, stored), held + " alone");
      byte[] other = ZstdFrames.skippable(0);
      assertTrue(look(held, other.length, other, stored), held + " behind another");
    }
    assertFalse(dependsOnReader(1024, sized(1024, block)));
    byte[] stored = Bytes.concat(ZstdFrames.window(10), Bytes.littleEndian(9));
    assertFalse(dependsOnReader(9, ZstdFrames.frame(0x80, stored, block)));
    byte[] fields = Bytes.concat(ZstdFrames.window(10), Bytes.littleEndian(5009));
    assertFalse(
        dependsOnReader(5009, ZstdFrames.frame(0x80, fields, Bytes.repeat(5, run(1000)), NINE)));
  }

  @Test
  void earlyFormatsAreKnownAndAmbiguous() {
    for (int magic = 0xFD2FB520; magic < 0xFD2FB528; magic++) {
      byte[] stored = Bytes.concat(Bytes.littleEndian(magic), new byte[9]);
      boolean isEarly = magic >= 0xFD2FB522;
      assertEquals(isEarly ? 1 << 27 : ZstdFrame.UNKNOWN, window(stored));
      assertEquals(isEarly, dependsOnReader(9, stored));
    }
  }

  @Test
  void readersDifferIfABlockIsAboveTheWindowOrTheFrameEndsElsewhere() {
    byte[] small = ZstdFrames.window(10);
    byte[] compressed = Bytes.concat(ZstdFrames.blockHeader(true, 2, 1025), new byte[1025]);
    for (byte[] block : new byte[][] {run(1025), ZstdFrames.raw(false, new byte[1025])}) {
      assertTrue(dependsOnReader(1034, ZstdFrames.frame(0, small, block, NINE)));
    }
    assertTrue(dependsOnReader(1034, ZstdFrames.frame(0, small, compressed)));
    assertFalse(dependsOnReader(1033, ZstdFrames.frame(0, small, run(1024), NINE)));
    assertTrue(look(9, 0, ZstdFrames.frame(0, W20, NINE), new byte[1]));
    byte[] reserved = ZstdFrames.blockHeader(true, ZstdFrames.RESERVED_TYPE, 0);
    assertTrue(dependsOnReader(9, ZstdFrames.frame(0, W20, reserved)));
    assertFalse(dependsOnReader(0, ZstdFrames.skippable(30)));
  }

  /** The library looks for an early form at the start of its input, wherever the frame started. */
  @Test
  void aReservedBitInAHeaderAcrossTheBorderMayHideAnEarlyForm() {
    byte[] stored = ZstdFrames.frame(0x40 | ZstdFrames.RESERVED_BIT, new byte[3], NINE);
    for (int ahead : new int[] {stored.length, 8, 7, 1, 0}) {
      int at = ZstdFrame.KAFKA_INPUT_BYTES - ahead;
      boolean isAcross = ahead == 7 || ahead == 1;
      assertEquals(isAcross, look(256, at, new byte[at], stored), ahead + " in front");
      long most = frame.windowBytes(payload(Bytes.concat(new byte[at], stored)), at);
      assertEquals(isAcross ? 1 << 27 : 1 << 10, most);
    }
  }

  /** The same holds for the start of a magic, and for a window above 2 GiB. */
  @Test
  void aHeaderThatTheLibraryCannotReadMayHideAnEarlyFormBehindTheBorder() {
    byte[] early = Bytes.concat(Bytes.littleEndian(0xFD2FB527), new byte[9]);
    byte[][] hiding = {{0x28}, {0x28, (byte) 0xB5, 0x2F}, {0x50, 0x2A}, header(0xB0)};
    byte[][] harmless = {{}, header(0xA8), {0x28, (byte) 0xB5, 0x2F, (byte) 0xFD, 0x40}};
    for (int i = 0; i < hiding.length + harmless.length; i++) {
      boolean isHiding = i < hiding.length;
      byte[] start = isHiding ? hiding[i] : harmless[i - hiding.length];
      int at = ZstdFrame.KAFKA_INPUT_BYTES - start.length;
      Payload payload = payload(Bytes.concat(new byte[at], start, early));
      boolean isEarly = isHiding || start.length == 0;
      assertEquals(isEarly, frame.windowBytes(payload, at) == 1 << 27, "start " + i);
      if (isHiding) {
        assertTrue(look(0, at, new byte[at], start, early), "start " + i);
        Payload other = payload(Bytes.concat(new byte[at], start, new byte[13]));
        assertNotEquals(1 << 27, frame.windowBytes(other, at), "start " + i);
      }
    }
  }

  /** Returns a header with a content size of four bytes, of which none is there. */
  private static byte[] header(int window) {
    return Bytes.concat(ZstdFrames.MAGIC, Bytes.of(0x80, window));
  }

  /** The blocks are walked once for both questions, but never remembered for another payload. */
  @Test
  void aLookFindsTheSameAfterTheWholeFrameWasWalked() {
    byte[] sound = ZstdFrames.frame(0, W20, ZstdFrames.raw(false, new byte[5]), NINE);
    byte[] empty = ZstdFrames.blockHeader(false, 2, 0);
    byte[] ambiguous = ZstdFrames.frame(0, W20, empty, ZstdFrames.raw(true, new byte[14]));
    assertEquals(sound.length, ambiguous.length);
    for (byte[] stored : new byte[][] {sound, ambiguous, sound}) {
      Payload payload = payload(stored);
      frame.forget();
      frame.windowBytes(payload, 0);
      assertTrue(frame.isAloneWithoutSize(payload));
      frame.look(payload, stored.length, 14);
      assertEquals(stored == ambiguous, frame.dependsOnReader());
      frame.look(payload, stored.length - 1, 14);
      assertTrue(frame.dependsOnReader(), "the library found another end");
    }
  }

  private boolean dependsOnReader(int held, byte[] stored) {
    return look(held, 0, stored);
  }

  /** Looks at the frame that starts so far into what is stored, and ends with it. */
  private boolean look(int held, int at, byte[]... stored) {
    Payload payload = payload(Bytes.concat(stored));
    frame.windowBytes(payload, at);
    frame.look(payload, payload.length(), held);
    return frame.dependsOnReader();
  }

  @Test
  void kafkaRefusesWhatTheLibraryDecodesAtOnce() {
    byte[] wrong = sized(8, NINE);
    assertTrue(dependsOnReader(9, wrong));
    assertTrue(frame.isRefusedByKafka(8));
    assertFalse(frame.isRefusedByKafka(7));
    byte[] empty = ZstdFrames.frame(0, W20, ZstdFrames.blockHeader(false, 2, 0), NINE);
    assertTrue(dependsOnReader(9, empty));
    assertFalse(frame.isRefusedByKafka(100));
    for (int ahead : new int[] {wrong.length, wrong.length - 1, 1, 0}) {
      int at = ZstdFrame.KAFKA_INPUT_BYTES - ahead;
      assertTrue(look(9, at, new byte[at], wrong));
      assertEquals(ahead == wrong.length || ahead == 0, frame.isRefusedByKafka(8));
    }
  }

  @Test
  void noRoomUnlessTheFrameEndsWhereThePayloadDoes() {
    byte[] whole = ZstdFrames.frame(0, W20, ZstdFrames.raw(false, new byte[5]), NINE);
    assertEquals(14, room(whole));
    assertEquals(ZstdFrame.UNKNOWN, room(whole, new byte[1]));
    for (int length = 6; length < whole.length; length++) {
      assertEquals(ZstdFrame.UNKNOWN, room(Bytes.cut(whole, length)));
    }
    byte[] checked = ZstdFrames.frame(ZstdFrames.CHECKSUM, W20, NINE);
    assertEquals(ZstdFrame.UNKNOWN, room(checked));
    assertEquals(ZstdFrame.UNKNOWN, room(checked, new byte[3]));
  }

  @Test
  void noRoomForReservedBlocksAndSmallWindows() {
    byte[] reserved = ZstdFrames.blockHeader(true, ZstdFrames.RESERVED_TYPE, 0);
    assertEquals(ZstdFrame.UNKNOWN, room(ZstdFrames.frame(0, W20, reserved)));
    assertEquals(9, room(ZstdFrames.ofWindowLog(17, new byte[9])));
    assertEquals(ZstdFrame.UNKNOWN, room(ZstdFrames.ofWindowLog(16, new byte[9])));
    assertEquals(9, room(single(0, Bytes.of(9))));
  }

  @Test
  void aFrameIsAloneUnlessASizedFrameFollows() {
    byte[] other = ZstdFrames.frame(0, W20, NINE);
    assertTrue(alone(ZstdFrames.frame(0, W20, NINE)));
    assertTrue(alone(ZstdFrames.frame(0, W20, run(500), NINE)));
    assertTrue(alone(ZstdFrames.frame(ZstdFrames.CHECKSUM, W20, NINE), new byte[4]));
    assertTrue(alone(ZstdFrames.frame(0, ZstdFrames.window(10), NINE)));
    assertFalse(alone(ZstdFrames.frame(0x40, Bytes.concat(W20, new byte[2]), NINE)));
    assertFalse(alone(single(0, Bytes.of(9))));
    assertFalse(alone(other, other));
    assertFalse(alone(other, ZstdFrames.skippable(3)));
    assertFalse(alone(other, new byte[1]));
    assertFalse(alone(ZstdFrames.skippable(3)));
    assertFalse(alone(Bytes.cut(other, 4)));
    assertTrue(alone(ZstdFrames.frame(0, W20, ZstdFrames.raw(false, new byte[9]))));
    assertTrue(alone(Bytes.cut(other, -1)));
    assertTrue(alone(ZstdFrames.frame(0, W20, ZstdFrames.blockHeader(false, 3, 1)), other));
  }

  private boolean alone(byte[]... stored) {
    Payload payload = payload(Bytes.concat(stored));
    frame.windowBytes(payload, 0);
    return frame.isAloneWithoutSize(payload);
  }
}
