// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.zstd;

import com.github.luben.zstd.ZstdException;
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

  /** A symbol of zstd-jni's own library; others may contain zstd, too. */
  private static final String ONLY_IN_ZSTD_JNI =
      "Java_com_github_luben_zstd_ZstdDecompressCtx_init";

  static final ForeignLinker LINKER;

  /** Context, and of output and input each the address, the end and the address of a position. */
  private static final Class<?>[] BUFFERS = {
    long.class, long.class, long.class, long.class, long.class, long.class, long.class
  };

  /** Creates a decompression context; returns its address, or 0 if there is no native memory. */
  static final MethodHandle CREATE_CONTEXT;

  /** Frees a decompression context. */
  static final MethodHandle FREE_CONTEXT;

  /** Resets a decompression context as the second argument says. */
  static final MethodHandle RESET_CONTEXT;

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

  /** Creates a compression context; returns its address, or 0 if there is no native memory. */
  static final MethodHandle CREATE_COMPRESSOR;

  /** Frees a compression context. */
  static final MethodHandle FREE_COMPRESSOR;

  /** Sets a parameter of a compression context. */
  static final MethodHandle SET_PARAMETER;

  /** Compresses one frame. Takes the context, and address and size of output and input. */
  static final MethodHandle COMPRESS;

  /** Compresses a part of a frame. Takes what {@link #DECOMPRESS_STREAM} does, and a directive. */
  static final MethodHandle COMPRESS_STREAM;

  static {
    try {
      LINKER = new ForeignLinker(ONLY_IN_ZSTD_JNI);
      CREATE_CONTEXT = LINKER.function("ZSTD_createDCtx", type());
      FREE_CONTEXT = LINKER.function("ZSTD_freeDCtx", type(long.class));
      RESET_CONTEXT = LINKER.function("ZSTD_DCtx_reset", type(long.class, int.class));
      DECOMPRESS =
          LINKER.function(
              "ZSTD_decompressDCtx",
              type(long.class, Object.class, long.class, long.class, long.class));
      DECOMPRESS_STREAM = LINKER.function("ZSTD_decompressStream_simpleArgs", type(BUFFERS));
      CREATE_COMPRESSOR = LINKER.function("ZSTD_createCCtx", type());
      FREE_COMPRESSOR = LINKER.function("ZSTD_freeCCtx", type(long.class));
      SET_PARAMETER =
          LINKER.function("ZSTD_CCtx_setParameter", type(long.class, int.class, int.class));
      COMPRESS =
          LINKER.function(
              "ZSTD_compress2", type(long.class, long.class, long.class, long.class, long.class));
      COMPRESS_STREAM =
          LINKER.function(
              "ZSTD_compressStream2_simpleArgs", type(BUFFERS).appendParameterTypes(int.class));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private ZstdFunctions() {}

  /** {@return true} Links the functions, or throws an error. */
  static boolean link() {
    return true;
  }

  /**
   * Checks the result of a function.
   *
   * @throws ZstdException if it is an error code
   */
  static void check(long result) {
    if (result < 0) {
      throw new ZstdException(result);
    }
  }

  private static MethodType type(Class<?>... parameters) {
    return MethodType.methodType(long.class, parameters);
  }
}
