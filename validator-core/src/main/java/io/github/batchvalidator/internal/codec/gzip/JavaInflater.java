// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.gzip;

import io.github.batchvalidator.internal.codec.Payload;
import io.github.batchvalidator.internal.codec.Scratch;
import io.github.batchvalidator.internal.codec.inflate.DeflateReader;
import io.github.batchvalidator.rule.GzipInflater;
import org.jspecify.annotations.Nullable;

/**
 * An inflater in Java. The JDK's inflater takes over every stream that {@link DeflateReader} does
 * not read to the end. It then decides whether there is a fault, which one, and how many bytes
 * precede it.
 *
 * <p>The JDK's inflater also reads payloads that the memory limit forbids to copy.
 */
final class JavaInflater extends MemberInflater {
  /** Size kept for copies of payloads that have no array. They are copied whole. */
  private static final int COPIED_BYTES = 64 * 1024;

  private static final String VM_INFO = System.getProperty("java.vm.info", "");

  private final DeflateReader reader;
  private final JdkInflater jdk;
  private final Scratch input = new Scratch(COPIED_BYTES);
  private int startedAt;
  private long handedOut;
  private boolean leftToTheJdk;
  private boolean fellBack;

  /**
   * Creates an inflater.
   *
   * @param windowBytes the maximum number of bytes to ask for at a time
   */
  JavaInflater(int windowBytes) {
    reader = new DeflateReader(windowBytes);
    // Sharing the array is safe: all bytes of the reader are consumed when the JDK takes over.
    jdk = new JdkInflater(reader.array(), Integer.MAX_VALUE);
  }

  /** {@return true if a choice means the inflater in Java on this JVM} */
  static boolean isMeantBy(GzipInflater choice) {
    return isMeantBy(choice, VM_INFO);
  }

  /** Returns the same as {@link #isMeantBy(GzipInflater)}, for a given {@code java.vm.info}. */
  static boolean isMeantBy(GzipInflater choice, String vmInfo) {
    return switch (choice) {
      case JDK -> false;
      case JAVA -> true;
      case AUTO -> !vmInfo.startsWith("interpreted");
    };
  }

  @Override
  void open(Payload source, int memoryLimit) {
    jdk.open(source, memoryLimit);
    int bytes = source.length();
    leftToTheJdk = bytes > memoryLimit && !source.isArray();
    if (!leftToTheJdk) {
      source.stretch(0, source.length(), input);
      reader.open(source.array(), source.arrayOffset(), source.length());
    }
  }

  @Override
  void start(int from) {
    startedAt = from;
    handedOut = 0;
    if (leftToTheJdk) {
      fallBack();
    } else {
      fellBack = false;
      reader.start(from);
    }
  }

  @Override
  int inflate(int max) {
    if (!fellBack) {
      int bytes = reader.read(max);
      if (bytes != DeflateReader.REFUSED) {
        handedOut += bytes;
        return bytes;
      }
      int fault = fallBack();
      if (fault < 0) {
        return fault;
      }
    }
    return jdk.inflate(max);
  }

  /** Lets the JDK's inflater read the stream again, up to the bytes already handed out. */
  private int fallBack() {
    fellBack = true;
    jdk.start(startedAt);
    long left = handedOut;
    while (left > 0) {
      int bytes = jdk.inflate((int) Math.min(left, DeflateReader.HISTORY_BYTES));
      if (bytes < 0) {
        return bytes;
      }
      left -= bytes;
      if (left > 0 && jdk.ended()) { // the input has changed: another thread writes to it
        return CORRUPT;
      }
    }
    return 0;
  }

  @Override
  @Nullable Throwable cause() {
    return fellBack ? jdk.cause() : null;
  }

  @Override
  byte[] array() {
    return reader.array();
  }

  @Override
  int from() {
    return fellBack ? jdk.from() : reader.from();
  }

  @Override
  boolean ended() {
    return fellBack ? jdk.ended() : reader.ended();
  }

  @Override
  int position() {
    return fellBack ? jdk.position() : reader.position();
  }

  @Override
  void release() {
    reader.release();
    jdk.release();
    input.release();
  }

  @Override
  public long heapBytes() {
    // The array of the reader is counted by jdk.heapBytes().
    return reader.tableBytes() + jdk.heapBytes() + input.heapBytes();
  }

  @Override
  public long nativeBytes() {
    return jdk.nativeBytes();
  }

  @Override
  public void close() {
    jdk.close();
  }
}
