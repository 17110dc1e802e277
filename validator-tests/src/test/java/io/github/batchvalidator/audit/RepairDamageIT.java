// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.audit.report.RepairSummary.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each kind of damage of one copy is repaired from another one, byte by byte, or refused by name.
 * Without another copy, nothing else than the undamaged bytes is ever written.
 */
class RepairDamageIT {
  /** What Kafka's own recovery writes for the undamaged segments. */
  private static final String RECOVERED = "recovered";

  /** Damage that looks as if the sound copy lacks the end of the log, which nobody can rule out. */
  private static final Set<String> REFUSED =
      Set.of(
          "an empty segment follows that starts too far on",
          "the epoch checkpoint has an epoch after the end",
          "recovery-point-offset-checkpoint has an offset after the end",
          "replication-offset-checkpoint has an offset after the end",
          "log-start-offset-checkpoint has an offset after the end");

  @TempDir private static Path samples;

  @TempDir private Path data;

  @BeforeAll
  static void writeSample() throws IOException {
    Path sample = SampleLog.write(samples);
    recover(sample, samples.resolve(RECOVERED).resolve("orders-3"));
  }

  /** Lets Kafka recover the segments of a directory in another one, without any other file. */
  static void recover(Path sample, Path target) throws IOException {
    Files.createDirectories(target);
    try (Stream<Path> files = Files.list(sample)) {
      for (Path each : files.toList()) {
        String name = each.getFileName().toString();
        if (name.endsWith(".log") || name.equals("partition.metadata")) {
          Files.copy(each, target.resolve(name));
        }
      }
    }
    KafkaLog.recover(target, Map.of("index.interval.bytes", "4096")).close();
    try (Stream<Path> files = Files.list(sample)) {
      for (Path each : files.toList()) { // recovery knows the producers of each segment alone
        if (each.toString().endsWith(".snapshot")) {
          Path copy = target.resolve(each.getFileName());
          Files.copy(each, copy, StandardCopyOption.REPLACE_EXISTING);
        }
      }
    }
  }

  static Stream<Planted> all() {
    return DamageTest.all()
        .filter(damage -> !damage.reason().name().startsWith("METADATA_SNAPSHOT_"));
  }

  @ParameterizedTest
  @MethodSource("all")
  void damageIsRepairedFromASoundCopyOrRefused(Planted damage) throws Exception {
    Path damaged = damaged(damage);
    Repaired repaired =
        new Repaired(data.resolve("out")).from(damaged).from(samples.resolve("orders-3")).run();
    if (repaired.isDone()) {
      assertEquals(List.of(), differences(repaired), repaired::text);
    } else {
      assertTrue(REFUSED.contains(damage.what()), repaired::text);
      assertEquals(List.of(Kind.MISSING), repaired.kinds(), repaired::text);
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void withoutASoundCopyNoOtherByteIsWritten(Planted damage) throws Exception {
    Repaired repaired = new Repaired(data.resolve("out")).from(damaged(damage)).run();
    if (repaired.isDone()) {
      List<String> differences = new ArrayList<>(differences(repaired));
      if (repaired.text().contains("no copy has a partition.metadata")) {
        differences.remove("partition.metadata is missing");
      }
      assertEquals(List.of(), differences, repaired::text);
    } else {
      assertTrue(!repaired.summary().problems().isEmpty());
    }
    try (Stream<Path> left = Files.list(data.resolve("out"))) {
      assertEquals(repaired.isDone() ? 1 : 0, left.count());
    }
  }

  private Path damaged(Planted damage) throws Exception {
    Path copy = Files.createDirectories(data.resolve("a")).resolve("orders-3");
    StoredLog.copy(samples.resolve("orders-3"), copy);
    damage.planting().plant(new StoredLog(copy));
    StoredLog.age(copy);
    return copy;
  }

  private static List<String> differences(Repaired repaired) throws IOException {
    return Repaired.differences(
        samples.resolve(RECOVERED).resolve("orders-3"), repaired.directory());
  }
}
