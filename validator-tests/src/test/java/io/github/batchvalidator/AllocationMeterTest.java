// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The meter of the allocation tests can fail. */
class AllocationMeterTest {
  private static volatile @Nullable Object leak;
  private int calls;

  @Test
  void aBodyWithoutAllocationMeasuresZero() {
    assertEquals(0, AllocationMeter.bytesPerCall(() -> calls++));
  }

  @Test
  void oneBufferViewPerCallIsMeasured() {
    ByteBuffer buffer = ByteBuffer.allocate(100);
    long bytes = AllocationMeter.bytesPerCall(() -> leak = buffer.duplicate());
    assertTrue(bytes >= 40 && bytes <= 80, bytes + " bytes per duplicate");
  }

  @Test
  void theSmallestObjectPerCallIsMeasured() {
    assertEquals(16, AllocationMeter.bytesPerCall(() -> leak = new Object()));
  }

  @Test
  void oneObjectPerRoundIsMeasured() {
    long bytes =
        AllocationMeter.bytesPerCall(
            () -> {
              if (calls++ % AllocationMeter.CALLS == 0) {
                leak = new Object();
              }
            });
    assertEquals(1, bytes);
  }

  @Test
  void allocationInTheFirstCallsIsIgnored() {
    long bytes =
        AllocationMeter.bytesPerCall(
            () -> {
              if (calls++ < AllocationMeter.CALLS) {
                leak = new Object();
              }
            });
    assertEquals(0, bytes);
  }
}
