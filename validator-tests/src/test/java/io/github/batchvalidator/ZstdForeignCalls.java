// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator;

import com.github.luben.zstd.ZstdDecompressCtx;
import java.lang.reflect.Field;

/**
 * What zstd-jni's classes allocate. From 1.5.7-21 on it carries classes for JDK 22 and later that
 * call the native library through the foreign function interface and wrap their buffers in every
 * call. Decoders then call the library themselves; encoders use these classes.
 */
public final class ZstdForeignCalls {
  /**
   * The most that one call was seen to allocate: 144 to 272 with 1.5.7-28 on JDK 25, depending on
   * what the compiler makes of it from run to run.
   */
  public static final int BYTES_PER_LIBRARY_CALL = 272;

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

  /** Returns the version of the library that is really loaded, not the one compiled against. */
  static String libraryVersion() {
    try {
      Field version = Class.forName("com.github.luben.zstd.util.ZstdVersion").getField("VERSION");
      return (String) version.get(null);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }
}
