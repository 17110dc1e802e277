// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.zstd;

import com.github.luben.zstd.ZstdDecompressCtx;
import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.internal.codec.CodecFailure;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import org.jspecify.annotations.Nullable;

/** The library's context, which is made when one is asked for. */
public final class ZstdContext {
  private @Nullable ZstdDecompressCtx context;

  /** Creates the holder, without a context. */
  public ZstdContext() {}

  /**
   * {@return the context, which is new if there was none}
   *
   * @throws Error if the library cannot be loaded; an {@code OutOfMemoryError} if there is no
   *     native memory
   */
  public ZstdDecompressCtx get() {
    ZstdDecompressCtx current = context;
    if (current == null) {
      current = create();
      context = current;
    }
    return current;
  }

  private static ZstdDecompressCtx create() {
    try {
      return new ZstdDecompressCtx();
    } catch (IllegalStateException e) {
      throw CodecFailure.noContext(e);
    }
  }

  /** {@return true if there is one} */
  public boolean isOpen() {
    return context != null;
  }

  /**
   * Gets it ready for the start of a frame. It keeps its buffers.
   *
   * @param target takes the fault
   * @return false if there is none to get
   */
  public boolean reset(ByteWindow target) {
    try {
      get().reset();
      return true;
    } catch (RuntimeException | Error e) {
      return target.fail(e, Reason.CODEC_DATA_CORRUPT, 0, Codec.ZSTD);
    }
  }

  /** Lets go of the context and its buffers; the next use makes another. */
  public void close() {
    ZstdDecompressCtx current = context;
    context = null;
    if (current != null) {
      current.close();
    }
  }
}
