// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator;

import com.github.luben.zstd.ZstdDecompressCtx;

/**
 * What zstd-jni's classes allocate. From 1.5.7-21 on it carries classes for JDK 22 and later that
 * call the native library through the foreign function interface and wrap their buffers in every
 * call. The core then calls the native library itself, and allocates nothing at all.
 */
public final class ZstdForeignCalls {
  /** The Java object of a context that compresses: 40 bytes on JDK 17 and 25. */
  public static final int BYTES_PER_CONTEXT = 48;

  private static final int FIRST_JDK = 22;
  private static final String FOREIGN_CLASS =
      "META-INF/versions/22/com/github/luben/zstd/ZstdDecompressCtx.class";

  private ZstdForeignCalls() {}

  /** Returns true if this JVM runs the allocating classes of the library. */
  public static boolean inUse() {
    return Runtime.version().feature() >= FIRST_JDK
        && ZstdDecompressCtx.class.getClassLoader().getResource(FOREIGN_CLASS) != null;
  }
}
