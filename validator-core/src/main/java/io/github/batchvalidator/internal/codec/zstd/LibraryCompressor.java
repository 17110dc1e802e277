// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.zstd;

import com.github.luben.zstd.EndDirective;
import com.github.luben.zstd.ZstdCompressCtx;
import io.github.batchvalidator.internal.codec.CodecFailure;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A compressor of zstd-jni's own class. Allocates the object of that class when it is opened. */
final class LibraryCompressor extends ZstdCompressor {
  private @Nullable ZstdCompressCtx context;

  LibraryCompressor() {}

  @Override
  public void open() {
    context = newContext();
  }

  private static ZstdCompressCtx newContext() {
    try {
      return new ZstdCompressCtx();
    } catch (IllegalStateException e) {
      throw CodecFailure.noContext(e);
    }
  }

  private ZstdCompressCtx opened() {
    return Objects.requireNonNull(context, "not open");
  }

  @Override
  public boolean isOpen() {
    return context != null;
  }

  @Override
  public void setLevel(int level) {
    opened().setLevel(level);
  }

  @Override
  public void setMinMatch(int bytes) {
    opened().setMinMatch(bytes);
  }

  @Override
  public void setWindowLog(int log) {
    opened().setWindowLog(log);
  }

  @Override
  public int compress(ByteBuffer target, ByteBuffer source, int bytes) {
    return opened().compressDirectByteBuffer(target, 0, target.capacity(), source, 0, bytes);
  }

  @Override
  public boolean compressStream(ByteBuffer target, ByteBuffer source, boolean isLast) {
    EndDirective directive = isLast ? EndDirective.END : EndDirective.CONTINUE;
    return opened().compressDirectByteBufferStream(target, source, directive);
  }

  @Override
  public void close() {
    ZstdCompressCtx current = context;
    context = null;
    if (current != null) {
      current.close();
    }
  }
}
