// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.zstd;

import com.github.luben.zstd.ZstdDecompressCtx;
import io.github.batchvalidator.internal.codec.CodecFailure;
import io.github.batchvalidator.internal.codec.Payload;
import io.github.batchvalidator.internal.codec.Scratch;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A context of zstd-jni's own class. Allocates the object of that class when it is opened. */
final class LibraryContext extends ZstdContext {
  private @Nullable ZstdDecompressCtx context;

  LibraryContext() {}

  /** {@return true if zstd-jni passes memory segments to its library} Loads the library. */
  static boolean usesSegments() {
    new ZstdDecompressCtx().close();
    for (Method method : ZstdDecompressCtx.class.getDeclaredMethods()) {
      if (Modifier.isNative(method.getModifiers())) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void open() {
    opened();
  }

  private ZstdDecompressCtx opened() {
    ZstdDecompressCtx current = context;
    if (current == null) {
      current = newContext();
      context = current;
    }
    return current;
  }

  private static ZstdDecompressCtx newContext() {
    try {
      return new ZstdDecompressCtx();
    } catch (IllegalStateException e) {
      throw CodecFailure.noContext(e);
    }
  }

  @Override
  public boolean isOpen() {
    return context != null;
  }

  @Override
  void reset() {
    opened().reset();
  }

  @Override
  boolean readsDirectMemory() {
    return false;
  }

  @Override
  int decompress(Payload payload, Scratch input, ByteBuffer directInput, byte[] target, int room) {
    int bytes = payload.length();
    payload.stretch(0, bytes, input);
    return opened()
        .decompressByteArray(target, 0, room, payload.array(), payload.arrayOffset(), bytes);
  }

  @Override
  public boolean decompressStream(ByteBuffer out, ByteBuffer in) {
    return opened().decompressDirectByteBufferStream(out, in);
  }

  @Override
  public void close() {
    ZstdDecompressCtx current = context;
    context = null;
    if (current != null) {
      current.close();
    }
  }
}
