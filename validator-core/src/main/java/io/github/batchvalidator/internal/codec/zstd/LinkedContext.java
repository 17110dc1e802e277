// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.zstd;

import com.github.luben.zstd.ZstdException;
import io.github.batchvalidator.internal.codec.CodecFailure;
import io.github.batchvalidator.internal.codec.Payload;
import io.github.batchvalidator.internal.codec.Scratch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * A context that calls the library's functions without zstd-jni's classes. Allocates only when it
 * meets other buffers or another array than in the last call.
 *
 * <p>Input of a whole frame is copied, because batches come in arrays of the host. Each of them
 * would need a segment.
 */
final class LinkedContext extends ZstdContext {
  private static final int OUT_POSITION = 0;
  private static final int IN_POSITION = Long.BYTES;

  /** Positions of output and input, which the library reads and writes. */
  private final ByteBuffer positions =
      ByteBuffer.allocateDirect(2 * Long.BYTES).order(ByteOrder.nativeOrder());

  private final long positionsAddress = ZstdFunctions.LINKER.address(positions);

  /** Address of the native context, or 0. */
  private long context;

  private byte[] array = {};
  private Object segment = ZstdFunctions.LINKER.segment(array);
  private final LastAddress out = new LastAddress();
  private final LastAddress in = new LastAddress();

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
      created = (long) ZstdFunctions.CREATE.invokeExact();
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
      result = (long) ZstdFunctions.RESET.invokeExact(context, what);
    } catch (Throwable e) {
      result = ForeignLinker.rethrow(e);
    }
    check(result);
  }

  @Override
  boolean readsDirectMemory() {
    return true;
  }

  @Override
  int decompress(Payload payload, Scratch input, ByteBuffer directInput, byte[] target, int room) {
    int bytes = payload.length();
    payload.copyTo(directInput.clear(), 0, bytes);
    long from = in.of(directInput);
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
    check(result);
    return (int) result;
  }

  @Override
  public boolean decompressStream(ByteBuffer output, ByteBuffer input) {
    open();
    long to = out.of(output);
    long from = in.of(input);
    positions.putLong(OUT_POSITION, output.position());
    positions.putLong(IN_POSITION, input.position());
    long result;
    try {
      result =
          (long)
              ZstdFunctions.DECOMPRESS_STREAM.invokeExact(
                  context,
                  to,
                  (long) output.limit(),
                  positionsAddress + OUT_POSITION,
                  from,
                  (long) input.limit(),
                  positionsAddress + IN_POSITION);
    } catch (Throwable e) {
      result = ForeignLinker.rethrow(e);
    }
    check(result);
    output.position((int) positions.getLong(OUT_POSITION));
    input.position((int) positions.getLong(IN_POSITION));
    return result == 0;
  }

  private void useArray(byte[] target) {
    if (array != target) {
      segment = ZstdFunctions.LINKER.segment(target);
      array = target;
    }
  }

  private static void check(long result) {
    if (result < 0) {
      refuse(result);
    }
  }

  private static void refuse(long errorCode) {
    throw new ZstdException(errorCode);
  }

  @Override
  public void close() {
    long current = context;
    context = 0;
    if (current != 0) {
      long ignored;
      try {
        ignored = (long) ZstdFunctions.FREE.invokeExact(current);
      } catch (Throwable e) {
        ignored = ForeignLinker.rethrow(e);
      }
    }
  }

  /** The address of the direct buffer that was used last. Keeps the buffer reachable. */
  private static final class LastAddress {
    private @Nullable ByteBuffer buffer;
    private long address;

    @SuppressWarnings("ReferenceEquality") // equal content is at another address
    long of(ByteBuffer direct) {
      if (buffer != direct) {
        address = ZstdFunctions.LINKER.address(direct);
        buffer = direct;
      }
      return address;
    }
  }
}
