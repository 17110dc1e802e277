// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec;

import io.github.batchvalidator.rule.Reason;
import org.jspecify.annotations.Nullable;

/**
 * A mapping from exceptions and errors of codec libraries to a {@link Reason}.
 *
 * <p>The mapping distinguishes damaged data, a missing library and a lack of memory. The last two
 * say nothing about the batch.
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
  public static boolean isLackOfMemory(Throwable thrown) {
    return thrown instanceof OutOfMemoryError
        || thrown instanceof StackOverflowError
        // Compare the name first: ZstdFailure cannot be loaded without zstd-jni.
        || (ZSTD_EXCEPTION.equals(thrown.getClass().getName())
            && ZstdFailure.isLackOfMemory(thrown));
  }

  /**
   * Returns the error for a native context that the zstd library could not allocate. zstd-jni
   * reports this as an {@code IllegalStateException}.
   *
   * @param cause the exception of zstd-jni, or null if the library was called without it
   * @return the error to throw
   */
  public static OutOfMemoryError noContext(@Nullable IllegalStateException cause) {
    OutOfMemoryError error = new OutOfMemoryError("no native memory for a zstd context");
    error.initCause(cause);
    return error;
  }
}
