// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.audit.report.PartitionReason;
import io.github.batchvalidator.audit.report.SegmentReason;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each kind of damage is found, named and located, and nothing else is reported. */
class DamageTest {
  private static final int KINDS = 60;

  @TempDir private static Path samples;

  @TempDir private static Path data;

  @BeforeAll
  static void writeSample() throws IOException {
    SampleLog.write(samples);
  }

  static Stream<Planted> all() {
    return Stream.of(
            LogDamage.all(),
            BatchDamage.all(),
            IndexDamage.all(),
            CheckpointDamage.all(),
            StateFileDamage.all(),
            ProducerDamage.all())
        .flatMap(each -> each);
  }

  @ParameterizedTest
  @MethodSource("all")
  void plantedDamageIsTheOnlyFault(Planted damage) throws Exception {
    StoredLog.restore(samples, data);
    String where = damage.planting().plant(new StoredLog(data.resolve("orders-3")));
    Audited audited = Audited.ofOld(data);
    assertEquals(List.of(damage.reason().name() + " " + where), audited.faults(), audited::text);
    assertEquals(List.of(), audited.errors());
  }

  @Test
  void anEmptySnapshotIsNamedAsWhatACrashLeaves() throws Exception {
    StoredLog.restore(samples, data);
    StoredLog log = new StoredLog(data.resolve("orders-3"));
    log.truncate(log.file(log.snapshots().get(2)), 0);
    String message = Audited.ofOld(data).messages().get(0);
    assertTrue(
        message.contains(": the file is empty, as it may be after a crash; a broker "), message);
  }

  @Test
  void everyReasonHasTwoKinds() {
    List<Enum<?>> reasons = new ArrayList<>(List.of(PartitionReason.values()));
    reasons.addAll(List.of(SegmentReason.values()));
    for (Enum<?> reason : reasons) {
      long kinds = all().filter(each -> each.reason().equals(reason)).count();
      assertTrue(kinds >= 2, () -> reason.name() + " has " + kinds);
    }
    assertTrue(all().count() >= KINDS, () -> all().count() + " kinds");
  }
}
