// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.scrub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file that remembers what was checked. */
class ScrubStateTest {
  private static final Path ORDERS = Path.of("/data/orders-0");
  private static final String RULES = "5eed";
  private static final Path ODD = Path.of("/data/o\\d\td\n\r, =ä-1");

  @TempDir private Path directory;
  private Path file;

  @BeforeEach
  void nameFile() {
    file = directory.resolve("scrub.state");
  }

  private static ScrubState some() {
    ScrubState state = new ScrubState();
    state.pass(77);
    PartitionState orders = state.of(ORDERS, 5);
    orders.start(10, RULES);
    orders.found("BATCH_CRC_MISMATCH");
    orders.found("BATCH_CRC_MISMATCH");
    orders.found("unread");
    orders.compactedFrom("00000000000000000003.log");
    orders.end();
    PartitionState odd = state.of(ODD, 6);
    assertEquals("", odd.start(20, RULES));
    odd.found("BATCH_CRC_MISMATCH");
    odd.reached("00000000000000000007.log");
    odd.found("SEGMENT_TRUNCATED_TAIL");
    return state;
  }

  @Test
  void whatIsWrittenIsRead() throws Exception {
    some().write(file);
    ScrubState read = ScrubState.read(file);
    assertEquals(77, read.passMs());
    PartitionState orders = read.of(ORDERS, 1000);
    assertEquals(5, orders.seenMs());
    assertEquals(10, orders.checkedMs());
    assertEquals(Map.of("BATCH_CRC_MISMATCH", 2L, "unread", 1L), orders.known());
    assertEquals("00000000000000000003.log", orders.compactedFrom());
    assertTrue(orders.isCheckedBy(RULES));
    assertFalse(orders.isCheckedBy("other"));
    PartitionState odd = read.of(ODD, 1000);
    assertEquals(6, odd.oldestMs());
    assertEquals("", odd.compactedFrom());
    assertEquals(20, odd.startedMs());
    assertEquals("00000000000000000007.log", odd.start(1000, RULES), "the check goes on");
    assertEquals(Map.of("BATCH_CRC_MISMATCH", 1L), odd.soFar().counts(), "up to its segment");
    odd.end();
    assertEquals(20, odd.checkedMs());
    read.write(file);
    assertEquals(1000, ScrubState.read(file).of(Path.of("/data/new-0"), 1000).oldestMs());
    try (Stream<Path> files = Files.list(directory)) {
      assertEquals(List.of(file), files.toList());
    }
  }

  private PartitionState written(ScrubState state) throws Exception {
    state.write(file);
    return ScrubState.read(file).of(ODD, 1000);
  }

  @Test
  void aFaultThatIsFoundAgainCountsOnce() throws Exception {
    PartitionState odd = written(some());
    odd.found("BATCH_CRC_MISMATCH");
    odd.found("unread");
    assertEquals(Map.of("BATCH_CRC_MISMATCH", 1L, "unread", 1L), odd.soFar().counts());
    odd.reached("00000000000000000008.log");
    odd.found("BATCH_CRC_MISMATCH");
    assertEquals(Map.of("BATCH_CRC_MISMATCH", 2L, "unread", 1L), odd.soFar().counts());
  }

  @Test
  void whatIsKnownStaysKnownIfACheckStartsOver() throws Exception {
    ScrubState state = some();
    state.of(ODD, 1000).startsOver();
    PartitionState odd = written(state);
    assertEquals("", odd.start(1000, RULES));
    assertEquals(Map.of(), odd.soFar().counts());
    assertEquals(Map.of("BATCH_CRC_MISMATCH", 1L, "SEGMENT_TRUNCATED_TAIL", 1L), odd.known());
    odd.found("BATCH_CRC_MISMATCH");
    odd.found("BATCH_CRC_MISMATCH");
    odd.end();
    assertEquals(Map.of("BATCH_CRC_MISMATCH", 2L), odd.known());
  }

  @Test
  void faultsCountOnceIfAContinuedCheckStartsOver() throws Exception {
    PartitionState odd = written(some());
    odd.restart();
    assertEquals("", odd.start(1000, RULES));
    assertEquals(Map.of("BATCH_CRC_MISMATCH", 1L), odd.known());
    odd.found("BATCH_CRC_MISMATCH");
    odd.found("BATCH_CRC_MISMATCH");
    odd.end();
    assertEquals(Map.of("BATCH_CRC_MISMATCH", 2L), odd.known());
  }

  @Test
  void aCheckByOtherRulesStartsAgain() throws Exception {
    PartitionState odd = written(some());
    assertEquals("", odd.start(1000, "other"));
    assertEquals(Map.of(), odd.soFar().counts());
    assertEquals(Map.of("BATCH_CRC_MISMATCH", 1L), odd.known());
    assertFalse(odd.isCheckedBy("other"));
    odd.end();
    assertTrue(odd.isCheckedBy("other"));
  }

  @Test
  void partitionsThatAreGoneAreForgotten() {
    ScrubState state = some();
    state.of(Path.of("/other/orders-0"), 9);
    state.keep(Path.of("/data"), List.of(ODD));
    assertEquals(0, state.of(ORDERS, 1000).checkedMs());
    assertEquals(20, state.of(ODD, 1000).startedMs());
    assertEquals(9, state.of(Path.of("/other/orders-0"), 1000).seenMs());
  }

  @Test
  void noFileIsAnEmptyState() throws Exception {
    assertEquals(0, ScrubState.read(file).passMs());
  }

  /** Each byte is covered, and so is each end. */
  @Test
  void damageIsNoticed() throws IOException {
    some().write(file);
    byte[] bytes = Files.readAllBytes(file);
    for (int i = 0; i < bytes.length; i++) {
      byte[] damaged = bytes.clone();
      damaged[i] ^= 1;
      Files.write(file, damaged);
      assertDamaged(i);
      Files.write(file, Arrays.copyOf(bytes, i));
      assertDamaged(i);
    }
  }

  private void assertDamaged(int at) {
    assertThrows(
        ScrubState.DamagedException.class, () -> ScrubState.read(file), () -> "byte " + at);
  }

  @Test
  void anotherVersionIsNotRead() throws IOException {
    some().write(file);
    String text = Files.readString(file);
    Files.writeString(file, text.replace("scrub 3", "scrub 1"));
    Exception why = assertThrows(ScrubState.DamagedException.class, () -> ScrubState.read(file));
    assertTrue(String.valueOf(why.getMessage()).contains("batchvalidator-scrub 3"));
  }
}
