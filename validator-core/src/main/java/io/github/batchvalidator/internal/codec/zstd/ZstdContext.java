// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.zstd;

import com.github.luben.zstd.ZstdDecompressCtx;
import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.internal.codec.CodecFailure;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import org.jspecify.annotations.Nullable;

/** A holder of a decompression context of zstd-jni, which is created when first needed. */
public final class ZstdContext {
  private @Nullable ZstdDecompressCtx context;

  public ZstdContext() {}

  /**
   * {@return the context, created if needed}
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

  public boolean isOpen() {
    return context != null;
  }

  /**
   * Resets the context, or creates one, for the start of a frame. The context keeps its buffers.
   *
   * @param target the window that records a fault
   * @return false after a fault
   */
  public boolean reset(ByteWindow target) {
    try {
      get().reset();
      return true;
    } catch (RuntimeException | Error e) {
      return target.fail(e, Reason.CODEC_DATA_CORRUPT, 0, Codec.ZSTD);
    }
  }

  /** Frees the context and its buffers. The next use creates another context. */
  public void close() {
    ZstdDecompressCtx current = context;
    context = null;
    if (current != null) {
      current.close();
    }
  }
}
