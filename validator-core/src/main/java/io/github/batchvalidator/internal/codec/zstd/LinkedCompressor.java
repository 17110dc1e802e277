// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.zstd;

import io.github.batchvalidator.internal.codec.CodecFailure;
import java.nio.ByteBuffer;
import java.util.Objects;

/** A compressor that calls the library's functions without zstd-jni's classes. */
final class LinkedCompressor extends ZstdCompressor {
  private static final int LEVEL = 100;
  private static final int WINDOW_LOG = 101;
  private static final int MIN_MATCH = 105;

  /** An error code of the library, for a call without a context. */
  private static final long STAGE_WRONG = -60;

  private static final int CONTINUE = 0;
  private static final int END = 2;

  private final LinkedBuffers buffers = new LinkedBuffers();

  /** Address of the native context, or 0. */
  private long context;

  LinkedCompressor() {}

  @Override
  public void open() {
    context = newContext();
  }

  private static long newContext() {
    long created;
    try {
      created = (long) ZstdFunctions.CREATE_COMPRESSOR.invokeExact();
    } catch (Throwable e) {
      created = ForeignLinker.rethrow(e);
    }
    if (created == 0) {
      throw CodecFailure.noContext(null);
    }
    return created;
  }

  @Override
  public boolean isOpen() {
    return context != 0;
  }

  @Override
  public void setLevel(int level) {
    set(LEVEL, level);
  }

  @Override
  public void setMinMatch(int bytes) {
    set(MIN_MATCH, bytes);
  }

  @Override
  public void setWindowLog(int log) {
    set(WINDOW_LOG, log);
  }

  private void set(int parameter, int value) {
    long result;
    try {
      result = (long) ZstdFunctions.SET_PARAMETER.invokeExact(opened(), parameter, value);
    } catch (Throwable e) {
      result = ForeignLinker.rethrow(e);
    }
    ZstdFunctions.check(result);
  }

  /** Returns the context. The library would crash without one. */
  private long opened() {
    ZstdFunctions.check(context == 0 ? STAGE_WRONG : 0);
    return context;
  }

  @Override
  public int compress(ByteBuffer target, ByteBuffer source, int bytes) {
    Objects.checkFromIndexSize(0, bytes, source.capacity());
    long result;
    try {
      result =
          (long)
              ZstdFunctions.COMPRESS.invokeExact(
                  opened(),
                  buffers.outAddress(target),
                  (long) target.capacity(),
                  buffers.inAddress(source),
                  (long) bytes);
    } catch (Throwable e) {
      result = ForeignLinker.rethrow(e);
    }
    ZstdFunctions.check(result);
    return (int) result;
  }

  @Override
  public boolean compressStream(ByteBuffer target, ByteBuffer source, boolean isLast) {
    long result;
    try {
      result =
          (long)
              ZstdFunctions.COMPRESS_STREAM.invokeExact(
                  opened(),
                  buffers.outAddress(target),
                  (long) target.limit(),
                  buffers.outPosition(target),
                  buffers.inAddress(source),
                  (long) source.limit(),
                  buffers.inPosition(source),
                  isLast ? END : CONTINUE);
    } catch (Throwable e) {
      result = ForeignLinker.rethrow(e);
    }
    ZstdFunctions.check(result);
    buffers.advance(target, source);
    return result == 0;
  }

  @Override
  public void close() {
    long current = context;
    context = 0;
    if (current != 0) {
      long ignored;
      try {
        ignored = (long) ZstdFunctions.FREE_COMPRESSOR.invokeExact(current);
      } catch (Throwable e) {
        ignored = ForeignLinker.rethrow(e);
      }
    }
  }
}
