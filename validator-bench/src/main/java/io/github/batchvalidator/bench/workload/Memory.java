// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.workload;

import java.nio.ByteBuffer;

/** The kind of memory that holds a batch. */
public enum Memory {
  /** In an array, as a broker's network threads leave it. */
  HEAP {
    @Override
    ByteBuffer copy(byte[] bytes) {
      return ByteBuffer.wrap(bytes.clone());
    }
  },

  /** Outside of the heap. */
  DIRECT {
    @Override
    ByteBuffer copy(byte[] bytes) {
      return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    }
  };

  /** Returns the bytes in memory of their own, position 0. */
  abstract ByteBuffer copy(byte[] bytes);
}
