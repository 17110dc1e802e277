// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec;

import io.github.batchvalidator.rule.Reason;

/**
 * The rule that turns an exception or error of a codec library into a {@link Reason}.
 *
 * <p>Three answers are kept apart: the data is damaged, the library is not available, or the JVM
 * lacks memory. The last two say nothing about the batch.
 */
public final class CodecFailure {
  private static final String ZSTD_EXCEPTION = "com.github.luben.zstd.ZstdException";

  private CodecFailure() {}

  /**
   * Returns the reason for an exception that a codec library threw.
   *
   * @param thrown the exception or error
   * @param otherwise the reason if neither memory nor the library is missing
   * @return {@link Reason#CODEC_OUT_OF_MEMORY}, {@link Reason#CODEC_UNAVAILABLE} or {@code
   *     otherwise}
   */
  public static Reason reason(Throwable thrown, Reason otherwise) {
    if (isLackOfMemory(thrown)) {
      return Reason.CODEC_OUT_OF_MEMORY;
    }
    return thrown instanceof LinkageError ? Reason.CODEC_UNAVAILABLE : otherwise;
  }

  /** {@return true if heap, stack, direct or native memory ran out} */
  static boolean isLackOfMemory(Throwable thrown) {
    return thrown instanceof OutOfMemoryError
        || thrown instanceof StackOverflowError
        // Compared by name first: without zstd-jni the other class cannot be loaded.
        || (ZSTD_EXCEPTION.equals(thrown.getClass().getName())
            && ZstdFailure.isLackOfMemory(thrown));
  }

  /**
   * Returns the error for a native context that zstd-jni could not allocate, which the library
   * reports as an {@code IllegalStateException}.
   *
   * @param cause thrown by the library
   * @return the error to throw
   */
  public static OutOfMemoryError noContext(IllegalStateException cause) {
    OutOfMemoryError error = new OutOfMemoryError("no native memory for a zstd context");
    error.initCause(cause);
    return error;
  }
}
