// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.zstd;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;

/**
 * Functions of the zstd library that zstd-jni has loaded. Negative results are error codes.
 *
 * <p>The handles are constants, so that the JIT inlines them. This class cannot be initialized if
 * the functions cannot be linked.
 */
final class ZstdFunctions {
  /** Aborts the current frame. */
  static final int RESET_SESSION = 1;

  /** Aborts the current frame and restores all parameters. */
  static final int RESET_ALL = 3;

  static final ForeignLinker LINKER;

  /** Creates a context; returns its address, or 0 if there is no native memory. */
  static final MethodHandle CREATE;

  /** Frees a context. */
  static final MethodHandle FREE;

  /** Resets a context as the second argument says. */
  static final MethodHandle RESET;

  /**
   * Decompresses one frame. Takes the context, a segment of the output array, the room there, and
   * address and length of the input.
   */
  static final MethodHandle DECOMPRESS;

  /**
   * Decompresses a part of a frame. Takes the context and for output and input each the address,
   * the end and the address of the position.
   */
  static final MethodHandle DECOMPRESS_STREAM;

  static {
    try {
      LINKER = new ForeignLinker();
      CREATE = LINKER.function("ZSTD_createDCtx", type());
      FREE = LINKER.function("ZSTD_freeDCtx", type(long.class));
      RESET = LINKER.function("ZSTD_DCtx_reset", type(long.class, int.class));
      DECOMPRESS =
          LINKER.function(
              "ZSTD_decompressDCtx",
              type(long.class, Object.class, long.class, long.class, long.class));
      DECOMPRESS_STREAM =
          LINKER.function(
              "ZSTD_decompressStream_simpleArgs",
              type(
                  long.class,
                  long.class,
                  long.class,
                  long.class,
                  long.class,
                  long.class,
                  long.class));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private ZstdFunctions() {}

  /** {@return true} Links the functions, or throws an error. */
  static boolean link() {
    return true;
  }

  private static MethodType type(Class<?>... parameters) {
    return MethodType.methodType(long.class, parameters);
  }
}
