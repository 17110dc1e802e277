// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.zstd;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.ZstdForeignCalls;
import io.github.batchvalidator.internal.codec.Payload;
import io.github.batchvalidator.internal.codec.Scratch;
import io.github.batchvalidator.testing.ProcessMemory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.NoSuchElementException;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.xerial.snappy.Snappy;

/** Both kinds of contexts do the same. */
class ZstdContextTest {
  private static final int PLAIN_BYTES = 200_000;

  /** The least memory of a context. */
  private static final long CONTEXT_KIB = 90;

  private static final int CONTEXTS = 3_000;

  private final byte[] plain = plain();
  private final byte[] stored = Zstd.compress(plain);
  private final byte[] target = new byte[PLAIN_BYTES];
  private final ByteBuffer in = ByteBuffer.allocateDirect(PLAIN_BYTES);
  private final ByteBuffer out = ByteBuffer.allocateDirect(10_000);
  private ZstdContext context = new LibraryContext();

  enum Kind {
    LIBRARY,
    LINKED
  }

  @AfterEach
  void close() {
    context.close();
  }

  private void use(Kind kind) {
    assumeTrue(kind == Kind.LIBRARY || ZstdForeignCalls.inUse(), "zstd-jni does not link");
    context = kind == Kind.LIBRARY ? new LibraryContext() : new LinkedContext();
  }

  private static byte[] plain() {
    byte[] bytes = new byte[PLAIN_BYTES];
    Random random = new Random(5);
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (i % 100 == 0 ? random.nextInt() : i % 90);
    }
    return bytes;
  }

  private int decompress(byte[] frame, int room) {
    ByteBuffer within = ByteBuffer.allocate(frame.length + 9).position(7).put(frame).flip();
    Payload payload = new Payload().wrap(within.asReadOnlyBuffer(), 7, frame.length);
    return context.decompress(payload, new Scratch(16), in, target, room);
  }

  private byte[] stream(byte[] frame, int piece) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    boolean ended = false;
    in.clear().limit(0);
    for (int fed = 0; !ended; ) {
      if (!in.hasRemaining() && fed < frame.length) {
        int bytes = Math.min(piece, frame.length - fed);
        in.clear().put(frame, fed, bytes).flip();
        fed += bytes;
      }
      out.clear().position(3);
      ended = context.decompressStream(out, in);
      byte[] some = new byte[out.position() - 3];
      out.get(3, some);
      all.writeBytes(some);
    }
    return all.toByteArray();
  }

  @Test
  void functionsAreLinkedWhereZstdJniAllocates() {
    context = ZstdContext.create();
    assertEquals(ZstdForeignCalls.inUse(), context instanceof LinkedContext);
    assertFalse(context.isOpen());
  }

  /** RocksDB's library, for example, also has functions of zstd. */
  @Test
  void functionsOfAnotherLibraryAreNotLinked() throws ReflectiveOperationException {
    use(Kind.LINKED);
    Snappy.maxCompressedLength(0); // loads its library
    MethodType type = MethodType.methodType(long.class);
    assertNotNull(ZstdFunctions.LINKER.function("ZSTD_createDCtx", type));
    ForeignLinker snappy =
        new ForeignLinker("Java_org_xerial_snappy_SnappyNative_maxCompressedLength");
    assertThrows(NoSuchElementException.class, () -> snappy.function("ZSTD_createDCtx", type));
    assertThrows(NoSuchElementException.class, () -> new ForeignLinker("no_such_symbol"));
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void decompressesAFrame(Kind kind) {
    use(kind);
    assertEquals(PLAIN_BYTES, decompress(stored, PLAIN_BYTES));
    assertArrayEquals(plain, target);
    assertEquals(0, decompress(Zstd.compress(new byte[0]), 0));
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void decompressesAStream(Kind kind) {
    use(kind);
    for (int piece : new int[] {1, 1000, stored.length}) {
      assertArrayEquals(plain, stream(stored, piece));
    }
    assertEquals(PLAIN_BYTES, decompress(stored, PLAIN_BYTES));
    assertArrayEquals(plain, stream(stored, 77));
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void otherBuffersAndArraysMayFollow(Kind kind) {
    use(kind);
    assertArrayEquals(plain, stream(stored, 1000));
    ByteBuffer otherIn = ByteBuffer.allocateDirect(stored.length).put(stored).flip();
    ByteBuffer otherOut = ByteBuffer.allocateDirect(PLAIN_BYTES + 5).position(5);
    assertTrue(context.decompressStream(otherOut, otherIn));
    assertEquals(ByteBuffer.wrap(plain), otherOut.flip().position(5));
    byte[] other = new byte[PLAIN_BYTES];
    Payload payload = new Payload().wrap(otherIn, 0, stored.length);
    assertEquals(PLAIN_BYTES, context.decompress(payload, new Scratch(16), in, other, PLAIN_BYTES));
    assertArrayEquals(plain, other);
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void lackOfRoomIsRefused(Kind kind) {
    use(kind);
    assertRefused(Zstd.errDstSizeTooSmall(), () -> decompress(stored, PLAIN_BYTES - 1));
    assertEquals(0, target[PLAIN_BYTES - 1]);
    assertEquals(PLAIN_BYTES, decompress(stored, PLAIN_BYTES));
  }

  /** Nothing is written outside of the array, whatever the room is said to be. */
  @ParameterizedTest
  @EnumSource(Kind.class)
  void roomEndsWithTheArray(Kind kind) {
    use(kind);
    byte[] larger = Zstd.compress(new byte[PLAIN_BYTES + 1]);
    assertThrows(RuntimeException.class, () -> decompress(larger, PLAIN_BYTES + 1));
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void damageIsRefusedWithTheLibrarysCode(Kind kind) {
    use(kind);
    byte[] noFrame = new byte[100];
    assertRefused(Zstd.errPrefixUnknown(), () -> decompress(noFrame, PLAIN_BYTES));
    assertRefused(Zstd.errPrefixUnknown(), () -> stream(noFrame, 50));
    byte[] cut = Arrays.copyOf(stored, stored.length - 1);
    assertRefused(Zstd.errSrcSizeWrong(), () -> decompress(cut, PLAIN_BYTES));
    assertTrue(context.isOpen());
    context.reset();
    assertArrayEquals(plain, stream(stored, 1000));
  }

  private static void assertRefused(long code, Runnable call) {
    ZstdException thrown = assertThrows(ZstdException.class, call::run);
    assertEquals(code, Math.abs(thrown.getErrorCode()), thrown.getMessage());
  }

  /** A frame that was begun does not go on. */
  @ParameterizedTest
  @EnumSource(Kind.class)
  void resetAndCloseForgetTheFrame(Kind kind) {
    use(kind);
    for (boolean closes : new boolean[] {false, true}) {
      in.clear().put(stored, 0, 100).flip();
      assertFalse(context.decompressStream(out.clear(), in));
      if (closes) {
        context.close();
        context.close();
        assertFalse(context.isOpen());
      } else {
        context.reset();
        assertTrue(context.isOpen());
      }
      assertArrayEquals(plain, stream(stored, 1000));
    }
  }

  @Test
  void linkedContextsRefuseBuffersOnTheHeap() {
    use(Kind.LINKED);
    ByteBuffer heap = ByteBuffer.allocate(10);
    assertThrows(IllegalArgumentException.class, () -> context.decompressStream(heap, in));
    assertThrows(IllegalArgumentException.class, () -> context.decompressStream(out, heap));
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void closeFreesTheMemory(Kind kind) {
    use(kind);
    recreate();
    long before = ProcessMemory.nowKib();
    assumeTrue(before != ProcessMemory.UNKNOWN);
    recreate();
    long grown = ProcessMemory.nowKib() - before;
    assertTrue(grown < CONTEXTS * CONTEXT_KIB / 2, grown + " KiB");
  }

  private void recreate() {
    for (int i = 0; i < CONTEXTS; i++) {
      in.clear().put(stored, 0, 1000).flip();
      context.decompressStream(out.clear(), in);
      context.close();
    }
  }

  /** Our class loader does not see the symbols, so that zstd-jni's class has to do. */
  @Test
  void theLibraryMayBelongToAnotherClassLoader() throws ReflectiveOperationException, IOException {
    try (URLClassLoader library = loader(ZstdDecompressCtx.class, null);
        URLClassLoader core = loader(BatchValidator.class, library)) {
      Class<?> type = core.loadClass(ZstdContext.class.getName());
      Object other = type.getMethod("create").invoke(null);
      assertEquals(LibraryContext.class.getName(), other.getClass().getName());
      type.getMethod("open").invoke(other);
      in.clear().put(stored).flip();
      ByteBuffer all = ByteBuffer.allocateDirect(PLAIN_BYTES);
      Method stream = type.getMethod("decompressStream", ByteBuffer.class, ByteBuffer.class);
      assertEquals(true, stream.invoke(other, all, in));
      assertEquals(ByteBuffer.wrap(plain), all.flip());
      type.getMethod("close").invoke(other);
    }
  }

  private static URLClassLoader loader(Class<?> type, @Nullable ClassLoader parent) {
    URL[] urls = {type.getProtectionDomain().getCodeSource().getLocation()};
    return new URLClassLoader(urls, parent == null ? ClassLoader.getPlatformClassLoader() : parent);
  }
}
