// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.zstd;

import io.github.batchvalidator.internal.codec.CodecFailure;
import io.github.batchvalidator.internal.codec.Payload;
import io.github.batchvalidator.internal.codec.Scratch;
import java.nio.ByteBuffer;

/**
 * A context that calls the library's functions without zstd-jni's classes. Allocates only when it
 * meets other buffers or another array than in the last call.
 *
 * <p>Input of a whole frame is copied, because batches come in arrays of the host. Each of them
 * would need a segment.
 */
final class LinkedContext extends ZstdContext {
  private final LinkedBuffers buffers = new LinkedBuffers();

  /** Address of the native context, or 0. */
  private long context;

  private byte[] array = {};
  private Object segment = ZstdFunctions.LINKER.segment(array);

  LinkedContext() {}

  @Override
  public void open() {
    if (context == 0) {
      context = newContext();
    }
  }

  private static long newContext() {
    long created;
    try {
      created = (long) ZstdFunctions.CREATE_CONTEXT.invokeExact();
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
  void reset() {
    reset(ZstdFunctions.RESET_ALL);
  }

  private void reset(int what) {
    open();
    long result;
    try {
      result = (long) ZstdFunctions.RESET_CONTEXT.invokeExact(context, what);
    } catch (Throwable e) {
      result = ForeignLinker.rethrow(e);
    }
    ZstdFunctions.check(result);
  }

  @Override
  boolean readsDirectMemory() {
    return true;
  }

  @Override
  int decompress(Payload payload, Scratch input, ByteBuffer directInput, byte[] target, int room) {
    int bytes = payload.length();
    payload.copyTo(directInput.clear(), 0, bytes);
    long from = buffers.inAddress(directInput);
    useArray(target);
    long max = Math.min(room, target.length);
    reset(ZstdFunctions.RESET_SESSION);
    long result;
    try {
      result =
          (long) ZstdFunctions.DECOMPRESS.invokeExact(context, segment, max, from, (long) bytes);
    } catch (Throwable e) {
      result = ForeignLinker.rethrow(e);
    }
    directInput.clear(); // used after the call, so that its memory was valid in the call
    ZstdFunctions.check(result);
    return (int) result;
  }

  @Override
  public boolean decompressStream(ByteBuffer output, ByteBuffer input) {
    open();
    long result;
    try {
      result =
          (long)
              ZstdFunctions.DECOMPRESS_STREAM.invokeExact(
                  context,
                  buffers.outAddress(output),
                  (long) output.limit(),
                  buffers.outPosition(output),
                  buffers.inAddress(input),
                  (long) input.limit(),
                  buffers.inPosition(input));
    } catch (Throwable e) {
      result = ForeignLinker.rethrow(e);
    }
    ZstdFunctions.check(result);
    buffers.advance(output, input);
    return result == 0;
  }

  private void useArray(byte[] target) {
    if (array != target) {
      segment = ZstdFunctions.LINKER.segment(target);
      array = target;
    }
  }

  @Override
  public void close() {
    long current = context;
    context = 0;
    if (current != 0) {
      long ignored;
      try {
        ignored = (long) ZstdFunctions.FREE_CONTEXT.invokeExact(current);
      } catch (Throwable e) {
        ignored = ForeignLinker.rethrow(e);
      }
    }
  }
}
