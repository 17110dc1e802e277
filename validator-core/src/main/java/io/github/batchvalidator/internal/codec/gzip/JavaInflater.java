// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.gzip;

import io.github.batchvalidator.internal.codec.Payload;
import io.github.batchvalidator.internal.codec.Scratch;
import io.github.batchvalidator.internal.codec.inflate.DeflateReader;
import io.github.batchvalidator.rule.GzipInflater;
import org.jspecify.annotations.Nullable;

/**
 * Inflates in Java, and asks the JDK's inflater about every stream that {@link DeflateReader} does
 * not read to its end: that one decides then whether there is a fault, which, and how many bytes
 * there are before it. Of small payloads, whose tables take longer than their bytes, and of those
 * that may not be copied as a whole it asks that one at once.
 */
final class JavaInflater extends MemberInflater {
  /**
   * A payload that is no array is copied whole; a larger copy is kept while some batches need it.
   */
  private static final int COPIED_BYTES = 64 * 1024;

  /** Smaller payloads take longer for their tables than for their bytes. */
  private static final int AUTO_LEAST_BYTES = 700;

  private static final String VM_INFO = System.getProperty("java.vm.info", "");

  private final DeflateReader reader;
  private final JdkInflater judge;
  private final Scratch input = new Scratch(COPIED_BYTES);
  private final int leastBytes;
  private int startedAt;
  private long handedOut;
  private boolean leftToTheJdk;
  private boolean asked;

  /**
   * Creates an inflater.
   *
   * @param windowBytes the most bytes to ask for at a time
   * @param leastBytes of a payload that is inflated in Java
   */
  JavaInflater(int windowBytes, int leastBytes) {
    this.leastBytes = leastBytes;
    reader = new DeflateReader(windowBytes);
    // What was read has been handed out and used up when the judge takes over.
    judge = new JdkInflater(reader.array(), Integer.MAX_VALUE);
  }

  /**
   * Returns the size from which payloads are inflated in Java.
   *
   * @param which the inflater
   * @return stored bytes; {@link Integer#MAX_VALUE} for never
   */
  static int leastBytes(GzipInflater which) {
    return leastBytes(which, VM_INFO);
  }

  /** As {@link #leastBytes(GzipInflater)}, for a given {@code java.vm.info}. */
  static int leastBytes(GzipInflater which, String vmInfo) {
    return switch (which) {
      case JDK -> Integer.MAX_VALUE;
      case JAVA -> 0;
      case AUTO -> vmInfo.startsWith("interpreted") ? Integer.MAX_VALUE : AUTO_LEAST_BYTES;
    };
  }

  @Override
  void open(Payload source, int memoryLimit) {
    judge.open(source, memoryLimit);
    int bytes = source.length();
    leftToTheJdk = bytes < leastBytes || (bytes > memoryLimit && !source.isArray());
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
      askTheJdk();
    } else {
      asked = false;
      reader.start(from);
    }
  }

  @Override
  int inflate(int most) {
    if (!asked) {
      int bytes = reader.read(most);
      if (bytes != DeflateReader.REFUSED) {
        handedOut += bytes;
        return bytes;
      }
      int fault = askTheJdk();
      if (fault < 0) {
        return fault;
      }
    }
    return judge.inflate(most);
  }

  /** Has the judge inflate the stream up to where it was handed out already. */
  private int askTheJdk() {
    asked = true;
    judge.start(startedAt);
    long left = handedOut;
    while (left > 0) {
      int bytes = judge.inflate((int) Math.min(left, DeflateReader.HISTORY_BYTES));
      if (bytes < 0) {
        return bytes;
      }
      left -= bytes;
      if (left > 0 && judge.ended()) { // other bytes than were read: somebody writes to them
        return CORRUPT;
      }
    }
    return 0;
  }

  @Override
  @Nullable Throwable cause() {
    return asked ? judge.cause() : null;
  }

  @Override
  byte[] array() {
    return reader.array();
  }

  @Override
  int from() {
    return asked ? judge.from() : reader.from();
  }

  @Override
  boolean ended() {
    return asked ? judge.ended() : reader.ended();
  }

  @Override
  int position() {
    return asked ? judge.position() : reader.position();
  }

  @Override
  void release() {
    reader.release();
    judge.release();
    input.release();
  }

  @Override
  public long heapBytes() {
    // The judge states the array, which is the reader's.
    return reader.tableBytes() + judge.heapBytes() + input.heapBytes();
  }

  @Override
  public long nativeBytes() {
    return judge.nativeBytes();
  }

  @Override
  public void close() {
    judge.close();
  }
}
