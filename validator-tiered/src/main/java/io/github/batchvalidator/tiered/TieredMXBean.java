// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.tiered;

import java.util.Map;

/**
 * The counts of the wrapper over JMX, under the name {@value #NAME}. All counts start at 0 with the
 * broker.
 */
public interface TieredMXBean {
  /** The name of the bean. */
  String NAME = "io.github.batchvalidator:type=Tiered";

  /** Returns the class of the wrapped manager. */
  String getManager();

  /** Returns the mode. */
  String getMode();

  /** Returns the number of audits that found no fault. */
  long getSound();

  /** Returns the number of audits that found a fault. */
  long getDamaged();

  /** Returns the number of audits that could not be completed. */
  long getIncomplete();

  /** Returns the number of calls that were refused. Each retry of a broker is a call. */
  long getRefused();

  /** Returns the number of damaged segments that the broker has tried to upload recently. */
  int getDamagedSegments();

  /** Returns the faults of damaged segments by reason. */
  Map<String, Long> getFaultsByReason();

  /** Returns by reason what was found in the history of producers, which refuses no segment. */
  Map<String, Long> getFoundByReason();

  /** Returns the bytes of segments that were audited. */
  long getAuditedBytes();

  /** Returns the duration of all audits in milliseconds. */
  long getAuditMs();

  /** Returns the last fault, or an empty text. */
  String getLastFault();
}
