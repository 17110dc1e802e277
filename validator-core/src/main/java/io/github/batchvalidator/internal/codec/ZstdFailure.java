// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;

/** The error codes of zstd-jni. Loaded only after the library has thrown an exception. */
final class ZstdFailure {
  private ZstdFailure() {}

  /**
   * {@return true if the library has no native memory}
   *
   * @param thrown a {@code ZstdException}; in streams its code is negative
   */
  static boolean isLackOfMemory(Throwable thrown) {
    return thrown instanceof ZstdException failure
        && Math.abs(failure.getErrorCode()) == Zstd.errMemoryAllocation();
  }
}
