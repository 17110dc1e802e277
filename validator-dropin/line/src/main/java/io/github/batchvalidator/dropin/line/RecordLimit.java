// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.line;

import io.github.batchvalidator.dropin.policies.Policies;
import org.apache.kafka.common.__recordsPackage__.RecordBatch;
import org.apache.kafka.common.__utilsPackage__.BufferSupplier;
import org.apache.kafka.common.compress.Compression;

/**
 * The last parameter of Kafka's constructor since 4.2.2: the largest record body in a compressed
 * batch. Kafka 4.3.1 and versions before 4.2.2 have no such limit.
 */
public final class RecordLimit {
  /** The default in bytes: the largest array, or 0 if the running version has no limit. */
  public static final int DEFAULT = readersBoundRecords() ? Integer.MAX_VALUE - 8 : 0;

  private RecordLimit() {}

  /** {@return the policies of a topic with the limit, if the running version has it} */
  static Policies apply(int most, Policies ofTopic) {
    return DEFAULT == 0 ? ofTopic : ofTopic.withRecordBytes(most);
  }

  /** {@return true: all brokers of a cluster read all codecs} */
  static boolean clusterReads(Compression target, int unused) {
    return true;
  }

  private static boolean readersBoundRecords() {
    try {
      RecordBatch.class.getMethod("streamingIterator", BufferSupplier.class, int.class);
      return true;
    } catch (NoSuchMethodException e) {
      return false;
    }
  }
}
