// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.codec;

import com.github.luben.zstd.ZstdDecompressCtx;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import org.jspecify.annotations.Nullable;

/** The library's context, which is made when one is asked for. */
final class ZstdContext {
  private @Nullable ZstdDecompressCtx context;

  /** Creates the holder, without a context. */
  ZstdContext() {}

  /**
   * {@return the context, which is new if there was none}
   *
   * @throws Error if the library cannot be loaded or has no memory
   */
  ZstdDecompressCtx get() {
    ZstdDecompressCtx current = context;
    if (current == null) {
      current = new ZstdDecompressCtx();
      context = current;
    }
    return current;
  }

  /** {@return true if there is one} */
  boolean isOpen() {
    return context != null;
  }

  /**
   * Gets it ready for the start of a frame. It keeps its buffers.
   *
   * @param target takes the fault
   * @return false if there is none to get
   */
  boolean reset(ByteWindow target) {
    try {
      get().reset();
      return true;
    } catch (RuntimeException | Error e) {
      return target.fail(Reason.CODEC_UNAVAILABLE, 0, Codec.ZSTD.id(), 0);
    }
  }

  /** Lets go of the context and its buffers; the next use makes another. */
  void close() {
    ZstdDecompressCtx current = context;
    context = null;
    if (current != null) {
      current.close();
    }
  }
}
