// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.zstd;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import io.github.batchvalidator.ZstdForeignCalls;
import io.github.batchvalidator.internal.codec.zstd.ZstdContextTest.Kind;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Both kinds of compressors write the same bytes. */
class ZstdCompressorTest {
  private static final int PLAIN_BYTES = 100_000;
  private static final int WINDOW_DESCRIPTOR_AT = 5;

  private final byte[] plain = plain();
  private final ByteBuffer source = ByteBuffer.allocateDirect(PLAIN_BYTES).put(plain).flip();
  private final ByteBuffer target = ByteBuffer.allocateDirect(PLAIN_BYTES + 1_000);
  private ZstdCompressor compressor = new LibraryCompressor();

  @AfterEach
  void close() {
    compressor.close();
  }

  private void use(Kind kind) {
    assumeTrue(kind == Kind.LIBRARY || ZstdForeignCalls.inUse(), "zstd-jni does not link");
    compressor.close();
    compressor = kind == Kind.LIBRARY ? new LibraryCompressor() : new LinkedCompressor();
    compressor.open();
  }

  private static byte[] plain() {
    Random random = new Random(6);
    byte[] bytes = new byte[PLAIN_BYTES];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) ('a' + random.nextInt(5));
    }
    return bytes;
  }

  private byte[] compress(int bytes) {
    int size = compressor.compress(target, source, bytes);
    byte[] frame = new byte[size];
    target.get(0, frame);
    return frame;
  }

  private byte[] stream() {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    source.limit(60_000).position(0);
    boolean done = false;
    while (!done) {
      target.clear().position(5).limit(1_005);
      boolean isLast = source.limit() == PLAIN_BYTES;
      boolean isFlushed = compressor.compressStream(target, source, isLast);
      byte[] some = new byte[target.position() - 5];
      target.get(5, some);
      all.writeBytes(some);
      done = isLast && isFlushed;
      if (!source.hasRemaining()) {
        source.limit(PLAIN_BYTES);
      }
    }
    return all.toByteArray();
  }

  @Test
  void functionsAreLinkedWhereZstdJniAllocates() {
    ZstdCompressor created = ZstdCompressor.create();
    assertEquals(ZstdForeignCalls.inUse(), created instanceof LinkedCompressor);
    assertFalse(created.isOpen());
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void writesAFrame(Kind kind) {
    use(kind);
    for (int bytes : new int[] {0, 1, PLAIN_BYTES}) {
      byte[] frame = compress(bytes);
      assertArrayEquals(Arrays.copyOf(plain, bytes), Zstd.decompress(frame, bytes));
      assertEquals(bytes, Zstd.getFrameContentSize(frame));
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void writesAStream(Kind kind) {
    use(kind);
    for (int i = 0; i < 2; i++) {
      assertArrayEquals(plain, Zstd.decompress(stream(), PLAIN_BYTES));
    }
  }

  @Test
  void bothKindsWriteTheSameWithEachSetting() {
    for (int level : new int[] {-5, 1, 3, 12}) {
      byte[] byLibrary = streamWithSettings(Kind.LIBRARY, level);
      assertEquals((14 - 10) << 3, byLibrary[WINDOW_DESCRIPTOR_AT]);
      assertArrayEquals(byLibrary, streamWithSettings(Kind.LINKED, level));
    }
  }

  private byte[] streamWithSettings(Kind kind, int level) {
    use(kind);
    compressor.setLevel(level);
    compressor.setMinMatch(5);
    compressor.setWindowLog(14);
    return stream();
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void settingsLastUntilClosed(Kind kind) {
    use(kind);
    byte[] regular = compress(PLAIN_BYTES);
    compressor.setLevel(19);
    compressor.setMinMatch(3);
    assertNotEquals(regular.length, compress(PLAIN_BYTES).length);
    compressor.close();
    assertFalse(compressor.isOpen());
    compressor.open();
    assertTrue(compressor.isOpen());
    assertArrayEquals(regular, compress(PLAIN_BYTES));
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void lackOfRoomIsRefused(Kind kind) {
    use(kind);
    ByteBuffer small = ByteBuffer.allocateDirect(10);
    ZstdException thrown =
        assertThrows(ZstdException.class, () -> compressor.compress(small, source, PLAIN_BYTES));
    assertEquals(Zstd.errDstSizeTooSmall(), thrown.getErrorCode());
    assertThrows(
        IndexOutOfBoundsException.class,
        () -> compressor.compress(target, source, PLAIN_BYTES + 1));
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void aClosedOneRefuses(Kind kind) {
    use(kind);
    compressor.close();
    compressor.close();
    assertThrows(RuntimeException.class, () -> compressor.setLevel(1));
    assertThrows(RuntimeException.class, () -> compress(1));
    assertThrows(RuntimeException.class, this::stream);
  }
}
