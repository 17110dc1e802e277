// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.batchvalidator.agent.compaction.CompactionMXBean;
import io.github.batchvalidator.agent.keep.CutMXBean;
import io.github.batchvalidator.dropin.BrokerJvm;
import io.github.batchvalidator.dropin.Lines;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The beans of cuts and of compaction exist before Kafka's first class is loaded. */
class StoredBeansIT {
  private static Set<String> beans(String keep, String compaction) throws Exception {
    String output =
        BrokerJvm.run(
            BrokerJvm.tests(),
            List.of(
                Lines.jars().agent(),
                "-Dbatchvalidator.stored.keep=" + keep,
                "-Dbatchvalidator.stored.compaction=" + compaction),
            List.of(StoredBeans.class.getName()));
    return new TreeSet<>(output.lines().toList());
  }

  @Test
  void beansOfPartsThatAreOnExistFromTheStart() throws Exception {
    assertEquals(Set.of(CutMXBean.NAME, CompactionMXBean.NAME), beans("observe", "enforce"));
    assertEquals(Set.of(CutMXBean.NAME), beans("enforce", "off"));
    assertEquals(Set.of(), beans("off", "off"));
  }
}
