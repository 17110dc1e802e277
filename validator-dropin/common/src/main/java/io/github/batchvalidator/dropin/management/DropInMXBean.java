// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.management;

import java.util.Map;

/**
 * The counts of a broker's drop-in over JMX, under the name {@value #NAME}.
 *
 * <p>All numbers count batches since the broker started and never decrease. The numbers of shadow
 * mode and of the agent count appends. Several messages of magic 0 or 1 that are rebuilt into one
 * batch count as one batch.
 */
public interface DropInMXBean {
  /** The name of the bean. */
  String NAME = "io.github.batchvalidator:type=DropIn";

  /** {@return the Kafka line of the jar} */
  String getKafkaLine();

  /** {@return the settings, in the format of the broker's log} */
  String getSettings();

  /** {@return the number of accepted batches} */
  long getAccepted();

  /** {@return the number of refused batches} */
  long getRefused();

  /** {@return accepted batches by the name of their codec} */
  Map<String, Long> getAcceptedByCodec();

  /** {@return refused batches by the name of their codec, UNKNOWN if the codec was not read} */
  Map<String, Long> getRefusedByCodec();

  /** {@return refused batches by the name of the reason} */
  Map<String, Long> getRefusedByReason();

  /**
   * {@return batches that level kafka accepts, by the name of each reason of level strict or of an
   * observed topic rule that was found in them} Level strict counts while it is observed or
   * enforced.
   */
  Map<String, Long> getFoundByReason();

  /** {@return rebuilt batches by the cause of the rebuild} */
  Map<String, Long> getRebuiltByCause();

  /**
   * {@return accepted batches by the uncompressed size of their records in bytes} The key is the
   * upper bound of a bucket.
   */
  Map<Long, Long> getPlainBytes();

  /**
   * {@return accepted compressed batches by the number of uncompressed bytes per stored byte} The
   * key is the upper bound of a bucket.
   */
  Map<Long, Long> getRatio();

  /** {@return the number of appends that Kafka answered in shadow mode; 0 if shadow mode is off} */
  long getShadowAppends();

  /** {@return the number of those appends for which our answer differed from Kafka's} */
  long getShadowDiffering();

  /** {@return differing appends by the kind of difference; empty without differences} */
  Map<String, Long> getShadowDifferences();

  /**
   * {@return the number of appends inspected before the partition lock and only stamped under it}
   */
  long getOffLockStamped();

  /** {@return appends inspected under the lock although the agent runs, by cause} */
  Map<String, Long> getOffLockFallbacks();

  /** {@return the path of the policy file, or an empty text} */
  String getPolicyFile();

  /**
   * {@return why the policy file as it is now is refused, or an empty text} The rules that were
   * read before stay in use. If there were none, the broker-wide settings apply to all topics.
   */
  String getPolicyError();

  /** {@return the time at which the rules in use were read, milliseconds since the epoch, or 0} */
  long getPolicyLoadedAtMs();

  /** {@return the names of the sections in use} */
  String[] getPolicySections();

  /** {@return refused batches by section of the policy file; empty without a policy file} */
  Map<String, Long> getRefusedBySection();

  /**
   * {@return batches with findings that Kafka accepts, by section of the policy file; empty without
   * a policy file}
   */
  Map<String, Long> getFoundBySection();

  /**
   * Reads the policy file now.
   *
   * @return an empty text, or why the file is refused
   */
  String reloadPolicy();
}
