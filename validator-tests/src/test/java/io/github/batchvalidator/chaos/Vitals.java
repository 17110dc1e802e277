// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.chaos;

import io.github.batchvalidator.bench.broker.BrokerBeans;
import io.github.batchvalidator.bench.broker.BrokerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The resources that a broker holds.
 *
 * @param heapBytes that are left after a collection
 * @param residentBytes memory of the process
 */
record Vitals(Handles handles, long heapBytes, long residentBytes) {
  /** As large as the growth of two workers that meet giant batches, for heap and for the rest. */
  private static final long BYTES = 48 << 20;

  private static final int KIB = 1024;

  /** Asks a running broker on Linux. */
  static Vitals of(BrokerProcess broker) throws Exception {
    try (BrokerBeans beans = new BrokerBeans(broker)) {
      long heap = beans.liveBytes();
      return new Vitals(Handles.of(broker), heap, resident(broker));
    }
  }

  private static long resident(BrokerProcess broker) throws IOException {
    String line =
        Files.readAllLines(Path.of("/proc", Long.toString(broker.pid()), "status")).stream()
            .filter(each -> each.startsWith("VmRSS:"))
            .findFirst()
            .orElseThrow();
    return Long.parseLong(line.replaceAll("\\D", "")) * KIB;
  }

  /** Returns a sentence for each quantity that is much larger than it was. */
  List<String> growthSince(Vitals before) {
    List<String> grown = handles.growthSince(before.handles);
    Handles.compare(grown, "bytes of live heap", before.heapBytes, heapBytes, BYTES);
    Handles.compare(grown, "resident bytes", before.residentBytes, residentBytes, BYTES);
    return grown;
  }
}
