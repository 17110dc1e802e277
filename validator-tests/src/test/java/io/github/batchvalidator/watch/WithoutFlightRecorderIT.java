// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.agent.keep.CutMXBean;
import io.github.batchvalidator.agent.keep.CutWithoutFlightRecorder;
import io.github.batchvalidator.audit.report.Report;
import io.github.batchvalidator.dropin.BrokerJvm;
import io.github.batchvalidator.tiered.TieredMXBean;
import io.github.batchvalidator.tiered.UploadWithoutFlightRecorder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The validator, agent and storage manager in a JVM without the flight recorder's module. */
class WithoutFlightRecorderIT {
  /** As in a runtime that jlink made without {@code jdk.jfr}. */
  @Test
  void aRuntimeWithoutTheModuleWorks() throws Exception {
    String said =
        BrokerJvm.run(
            List.of(location(BatchValidator.class), location(WithoutFlightRecorder.class)),
            List.of("--limit-modules", "java.base"),
            List.of(WithoutFlightRecorder.class.getName()));
    assertEquals("jdk.jfr: false, refused: 1 FRAMING_LENGTH_TOO_SMALL", said.strip());
  }

  @Test
  void theAgentCountsCutsWithoutTheModule() throws Exception {
    assertEquals(
        "jdk.jfr: false, torn: 1",
        lastLine(CutWithoutFlightRecorder.class, CutMXBean.class, LoggerFactory.class));
  }

  @Test
  void theStorageManagerRefusesWithoutTheModule() throws Exception {
    assertEquals(
        "jdk.jfr: false, reported",
        lastLine(
            UploadWithoutFlightRecorder.class,
            TieredMXBean.class,
            Report.class,
            BatchValidator.class));
  }

  /** Runs a class without the module; a logger without a provider writes lines before the last. */
  private static String lastLine(Class<?> main, Class<?>... used) throws Exception {
    List<Path> path = new ArrayList<>(List.of(location(main)));
    for (Class<?> each : used) {
      path.add(location(each));
    }
    List<String> lines =
        BrokerJvm.run(
                path,
                List.of("--limit-modules", "java.base,java.management"),
                List.of(main.getName()))
            .strip()
            .lines()
            .toList();
    return lines.get(lines.size() - 1);
  }

  private static Path location(Class<?> type) throws Exception {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }
}
