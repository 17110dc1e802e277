// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;

/**
 * A check of the error codes of zstd-jni. Loaded only after the library has thrown an exception.
 */
final class ZstdFailure {
  private ZstdFailure() {}

  /**
   * {@return true if the library ran out of native memory}
   *
   * @param thrown a {@code ZstdException}; its code is negative in streams
   */
  static boolean isLackOfMemory(Throwable thrown) {
    return thrown instanceof ZstdException failure
        && Math.abs(failure.getErrorCode()) == Zstd.errMemoryAllocation();
  }
}
