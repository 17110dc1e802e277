// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.gzip;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * The smallest start of another gzip member that this JDK reads after a trailer. JDK 17 ignores a
 * start that is shorter than an empty member. JDK 25 reads it as a member that is cut off.
 *
 * <p>Kafka's answer depends on the JDK, so this class reads a stream with the JDK's reader to find
 * out.
 */
final class JdkMembers {
  private static final int TRAILER_BYTES = 2 * Integer.BYTES;

  /** 0 until a stream was read. Not set by a static initializer, which cannot be tried again. */
  private static volatile int least;

  private JdkMembers() {}

  /** {@return the number of bytes; fewer after a trailer are ignored} */
  static int leastBytes() {
    int known = least;
    if (known == 0) {
      known = GzipHeader.FIXED_BYTES + (readsBareHeader() ? 0 : TRAILER_BYTES + 1);
      least = known;
    }
    return known;
  }

  private static boolean readsBareHeader() {
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    try {
      new GZIPOutputStream(stream).close();
      stream.write(stream.toByteArray(), 0, GzipHeader.FIXED_BYTES);
      GZIPInputStream reader =
          new GZIPInputStream(new ByteArrayInputStream(stream.toByteArray()), stream.size());
      return reader.read() >= 0;
    } catch (EOFException e) {
      return true;
    } catch (IOException e) {
      throw new IllegalStateException(e); // arrays do not fail
    }
  }
}
