// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.chaos;

import io.github.batchvalidator.testkit.broker.BrokerBeans;
import io.github.batchvalidator.testkit.broker.BrokerProcess;
import java.util.List;

/**
 * The resources that a broker holds.
 *
 * @param heapBytes that are left after a collection
 */
record Vitals(Handles handles, long heapBytes) {
  /** Asks a running broker on Linux. */
  static Vitals of(BrokerProcess broker) throws Exception {
    try (BrokerBeans beans = new BrokerBeans(broker)) {
      long heap = beans.liveBytes();
      return new Vitals(Handles.of(broker), heap);
    }
  }

  /** Returns a sentence for each quantity that is much larger than it was. */
  List<String> growthSince(Vitals before) {
    List<String> grown = handles.growthSince(before.handles);
    Handles.compare(grown, "bytes of live heap", before.heapBytes, heapBytes, Handles.BYTES);
    return grown;
  }
}
