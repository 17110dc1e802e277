// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec;

/** What serves one batch after the other, keeps memory in between and says how much. */
public interface ReusableResource extends AutoCloseable {
  /** {@return the heap bytes held between batches} */
  long heapBytes();

  /** {@return the bytes held outside of the heap between batches, as far as they are known} */
  long nativeBytes();

  /** Frees native memory. Nothing may be opened afterwards. */
  @Override
  void close();
}
