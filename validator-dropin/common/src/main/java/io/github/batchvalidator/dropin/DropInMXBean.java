// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import java.util.Map;

/**
 * What a broker's drop-in shows over JMX, under the name {@value #NAME}. All numbers are numbers of
 * batches since the broker started, those of shadow mode and of the agent numbers of appends, and
 * only grow. What is written anew from several messages of magic 0 or 1 counts as one batch.
 */
public interface DropInMXBean {
  /** The name of the bean. */
  String NAME = "io.github.batchvalidator:type=DropIn";

  /** {@return the Kafka line that the jar is made for} */
  String getKafkaLine();

  /** {@return the settings as the log tells them} */
  String getSettings();

  /** {@return how many batches were accepted} */
  long getAccepted();

  /** {@return how many batches were refused} */
  long getRefused();

  /** {@return accepted batches by the name of their codec} */
  Map<String, Long> getAcceptedByCodec();

  /** {@return refused batches by the name of their codec, UNKNOWN where it was not read} */
  Map<String, Long> getRefusedByCodec();

  /** {@return refused batches by the id of the reason} */
  Map<String, Long> getRefusedByReason();

  /**
   * {@return batches that level kafka accepts by the id of each reason of level strict that was
   * found, while it is observed and while it is enforced}
   */
  Map<String, Long> getFoundByReason();

  /** {@return accepted batches that were written anew by the cause} */
  Map<String, Long> getRebuiltByCause();

  /**
   * {@return accepted batches by the bytes that their records take when they are not compressed;
   * the key is the largest size in a bucket}
   */
  Map<Long, Long> getPlainBytes();

  /**
   * {@return accepted compressed batches by plain bytes per stored byte; the key is the largest
   * ratio in a bucket}
   */
  Map<Long, Long> getRatio();

  /** {@return how many appends Kafka answered in shadow mode, ours beside it; 0 if it is off} */
  long getShadowAppends();

  /** {@return in how many of them our answer was not Kafka's} */
  long getShadowDiffering();

  /** {@return those by the kind of the difference; empty if there is none} */
  Map<String, Long> getShadowDifferences();

  /**
   * {@return how many appends were inspected before the partition's lock, and only stamped in it}
   */
  long getOffLockStamped();

  /** {@return how many were inspected under the lock although the agent is there, by the cause} */
  Map<String, Long> getOffLockFallbacks();
}
