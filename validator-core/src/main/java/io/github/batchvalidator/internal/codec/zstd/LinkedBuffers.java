// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.zstd;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The two direct buffers of a streaming function, as addresses. Their positions are in native
 * memory, where the function reads and writes them. Allocates only for other buffers than last.
 *
 * <p>Keeps the buffers reachable. Confined to one thread.
 */
final class LinkedBuffers {
  private static final int OUT_POSITION = 0;
  private static final int IN_POSITION = Long.BYTES;

  private final ByteBuffer positions =
      ByteBuffer.allocateDirect(2 * Long.BYTES).order(ByteOrder.nativeOrder());

  private final long positionsAddress = ZstdFunctions.LINKER.address(positions);
  private @Nullable ByteBuffer out;
  private long outAddress;
  private @Nullable ByteBuffer in;
  private long inAddress;

  LinkedBuffers() {}

  /** {@return the address of the first byte of output} */
  @SuppressWarnings("ReferenceEquality") // equal content is at another address
  long outAddress(ByteBuffer output) {
    if (out != output) {
      outAddress = ZstdFunctions.LINKER.address(output);
      out = output;
    }
    return outAddress;
  }

  /** {@return the address of the first byte of input} */
  @SuppressWarnings("ReferenceEquality")
  long inAddress(ByteBuffer input) {
    if (in != input) {
      inAddress = ZstdFunctions.LINKER.address(input);
      in = input;
    }
    return inAddress;
  }

  /** {@return the address of the position of output, after it was stored there} */
  long outPosition(ByteBuffer output) {
    positions.putLong(OUT_POSITION, output.position());
    return positionsAddress + OUT_POSITION;
  }

  /** {@return the address of the position of input, after it was stored there} */
  long inPosition(ByteBuffer input) {
    positions.putLong(IN_POSITION, input.position());
    return positionsAddress + IN_POSITION;
  }

  /** Sets the positions of both buffers to those that the function has stored. */
  void advance(ByteBuffer output, ByteBuffer input) {
    output.position((int) positions.getLong(OUT_POSITION));
    input.position((int) positions.getLong(IN_POSITION));
  }
}
