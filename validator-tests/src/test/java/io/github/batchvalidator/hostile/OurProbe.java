// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.hostile;

import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.hostile.HostileInput.Look;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.BufferKind;
import io.github.batchvalidator.testing.ProcessMemory;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/**
 * Gives inputs out of a folder to our validators, in a JVM with little heap and stack, and prints
 * an {@link OurAnswer} for each of them, way to look at it, kind of buffer and kind of validator.
 */
final class OurProbe {
  private static final byte GUARD = 0;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private OurProbe() {}

  /**
   * Prints the answers.
   *
   * @param args the folder
   */
  public static void main(String[] args) throws IOException {
    List<HostileInput> inputs = HostileInputs.all();
    for (boolean lowMemory : new boolean[] {false, true}) {
      try (BatchValidator validator =
          lowMemory ? BatchValidator.lowMemory() : new BatchValidator()) {
        for (int i = 0; i < inputs.size(); i++) {
          byte[] bytes = InputFolder.read(Path.of(args[0]), i);
          for (BufferKind kind : new BufferKind[] {BufferKind.POSITIONED, BufferKind.DIRECT}) {
            ByteBuffer buffer = kind.holding(bytes, GUARD);
            for (Look look : Look.values()) {
              String what = i + " " + look + " " + kind + " " + lowMemory;
              System.out.println(answer(what, validator, inputs.get(i), look, buffer));
            }
          }
        }
      }
    }
  }

  private static String answer(
      String what, BatchValidator validator, HostileInput input, Look look, ByteBuffer buffer) {
    MutableVerdict verdict = new MutableVerdict();
    long started = THREADS.getCurrentThreadCpuTime();
    validator.inspect(buffer, input.policy(look), Batches.nowMs(), verdict);
    long nanos = THREADS.getCurrentThreadCpuTime() - started;
    long held = validator.heapBytes() + validator.nativeBytes();
    return String.join(
        " ",
        what,
        verdict.accepted() ? "accepted" : "" + verdict.reason(),
        "" + verdict.plainBytes(),
        "" + held,
        "" + nanos,
        "" + ProcessMemory.peakKib());
  }
}
