// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec;

/**
 * A resource that is reused for one batch after another, keeps memory between them and reports its
 * size.
 */
public interface ReusableResource extends AutoCloseable {
  /** {@return the heap bytes held between batches} */
  long heapBytes();

  /** {@return the known off-heap bytes held between batches} */
  long nativeBytes();

  /** Frees native memory. The resource must not be opened again. */
  @Override
  void close();
}
