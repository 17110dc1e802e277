// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.zstd;

import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.internal.codec.Payload;
import io.github.batchvalidator.internal.codec.Scratch;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import java.nio.ByteBuffer;

/**
 * A decompression context of the zstd library. Its native memory is allocated when first needed.
 *
 * <p>Data that the library rejects throws a {@code ZstdException}.
 */
public abstract class ZstdContext {
  /** Whether the library's functions are called without zstd-jni's classes. */
  static final boolean IS_LINKED = canLink();

  ZstdContext() {}

  private static boolean canLink() {
    try {
      return LibraryContext.usesSegments() && ForeignLinker.isPermitted() && ZstdFunctions.link();
    } catch (ReflectiveOperationException | RuntimeException | Error e) {
      return false; // for example: no library, no permission, the library of another class loader
    }
  }

  /**
   * {@return a new context, without native memory} The context uses zstd-jni's class. From 1.5.7-21
   * on, that class allocates memory segments in every call on JDK 22 and later. There the context
   * calls the library's functions itself if it can (docs/decisions/018).
   */
  public static ZstdContext create() {
    return IS_LINKED ? new LinkedContext() : new LibraryContext();
  }

  /**
   * Allocates the native memory, unless this has been done.
   *
   * @throws Error if the library cannot be loaded; an {@code OutOfMemoryError} if there is no
   *     native memory
   */
  public abstract void open();

  public abstract boolean isOpen();

  abstract void reset();

  /** {@return true if {@link #decompress} reads direct memory, false if it reads arrays} */
  abstract boolean readsDirectMemory();

  /**
   * Decompresses a payload of one frame.
   *
   * @param payload the payload
   * @param input holds a copy if this context reads arrays and the payload is in none
   * @param directInput holds a copy if this context reads direct memory
   * @param target receives the plain bytes, from index 0 on
   * @param room the maximum number of plain bytes
   * @return the number of plain bytes
   */
  abstract int decompress(
      Payload payload, Scratch input, ByteBuffer directInput, byte[] target, int room);

  /**
   * Continues to decompress a frame. Advances the positions of both buffers.
   *
   * @param out a direct buffer for plain bytes, with room from its position to its limit
   * @param in a direct buffer with input from its position to its limit
   * @return true if the frame has ended
   */
  public abstract boolean decompressStream(ByteBuffer out, ByteBuffer in);

  /** Frees the native memory. The next use allocates it again. */
  public abstract void close();

  /**
   * Resets this context for the start of a frame. It keeps its buffers.
   *
   * @param target the window that records a fault
   * @return false after a fault
   */
  public final boolean reset(ByteWindow target) {
    try {
      open();
      reset();
      return true;
    } catch (RuntimeException | Error e) {
      return target.fail(e, Reason.CODEC_DATA_CORRUPT, 0, Codec.ZSTD);
    }
  }
}
