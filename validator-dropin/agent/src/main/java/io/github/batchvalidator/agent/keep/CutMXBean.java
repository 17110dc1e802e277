// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.keep;

import java.util.Map;

/** The counts of cuts since the broker started, over JMX, under the name {@value #NAME}. */
public interface CutMXBean {
  /** The name of the bean. */
  String NAME = "io.github.batchvalidator:type=Cuts";

  /** {@return kept bytes by partition} */
  Map<String, Long> getKeptBytesByPartition();

  /** {@return cuts that lost no sound batch, such as a torn batch at the end of a log} */
  long getTornCuts();

  /** {@return cuts that should have been kept and were not: alert on this number} */
  long getLostCuts();
}
