// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Inspecting and stamping allocate nothing at all once warm, whatever the codec, the memory, the
 * number of records, the verdict and the versions of the codec libraries.
 */
@Tag("unvaried")
class AllocationIT {
  private static final long FIRST_OFFSET = 4_711;
  private static final int LEADER_EPOCH = 12;

  private final BatchValidator validator = new BatchValidator();
  private final OffsetStamp stamp = new OffsetStamp();
  private final MutableVerdict verdict = new MutableVerdict();

  static List<AllocationCase> cases() {
    return AllocationCase.all();
  }

  @AfterEach
  void close() {
    validator.close();
  }

  @AfterAll
  static void writeFigures() {
    AllocationFigures.write();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void allocatesNothing(AllocationCase given) {
    ByteBuffer batch = given.batch();
    ByteBuffer seen = given.memory().isReadOnly() ? batch.asReadOnlyBuffer() : batch;
    Policy policy = given.policy();

    int calls = given.records() < 10_000 ? AllocationMeter.CALLS : AllocationMeter.FEW_CALLS;
    long bytes = AllocationMeter.bytesPerCall(calls, call(batch, seen, policy));

    assertEquals(given.input().reason, verdict.reason());
    AllocationFigures.add(given, bytes);
    assertEquals(0, bytes);
  }

  /** The header is put back after each stamp, so that every call has the same input. */
  private Runnable call(ByteBuffer batch, ByteBuffer seen, Policy policy) {
    byte[] header = new byte[BatchLayout.HEADER_BYTES];
    batch.get(0, header);
    long now = Batches.nowMs();
    return () -> {
      if (validator.inspect(seen, policy, now, verdict)) {
        stamp.firstOffset(FIRST_OFFSET).leaderEpoch(LEADER_EPOCH).nowMs(now).assign(batch, verdict);
        batch.put(0, header);
      }
    };
  }
}
