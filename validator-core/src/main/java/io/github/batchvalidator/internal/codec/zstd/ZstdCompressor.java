// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.zstd;

import java.nio.ByteBuffer;

/**
 * A compression context of the zstd library, for direct memory. Settings apply until it is closed.
 *
 * <p>Whatever the library rejects throws a {@code ZstdException}.
 */
public abstract class ZstdCompressor {
  ZstdCompressor() {}

  /** {@return a new compressor, without native memory, of the kind of {@link ZstdContext}} */
  public static ZstdCompressor create() {
    return ZstdContext.IS_LINKED ? new LinkedCompressor() : new LibraryCompressor();
  }

  /**
   * Allocates the native memory. Requires that this compressor is closed.
   *
   * @throws Error if the library cannot be loaded; an {@code OutOfMemoryError} if there is no
   *     native memory
   */
  public abstract void open();

  public abstract boolean isOpen();

  public abstract void setLevel(int level);

  public abstract void setMinMatch(int bytes);

  public abstract void setWindowLog(int log);

  /**
   * Compresses one frame that declares its content size.
   *
   * @param target receives the frame, from index 0 on
   * @param source holds the plain bytes, from index 0 on
   * @param bytes the number of plain bytes
   * @return the size of the frame
   */
  public abstract int compress(ByteBuffer target, ByteBuffer source, int bytes);

  /**
   * Compresses the next part of a frame. Advances the positions of both buffers.
   *
   * @param target has room from its position to its limit
   * @param source has plain bytes from its position to its limit
   * @param isLast whether the frame ends with these bytes
   * @return true if nothing is left to be written of what the library holds
   */
  public abstract boolean compressStream(ByteBuffer target, ByteBuffer source, boolean isLast);

  /** Frees the native memory. */
  public abstract void close();
}
