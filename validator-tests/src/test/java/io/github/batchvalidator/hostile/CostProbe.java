// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.hostile;

import com.sun.management.ThreadMXBean;
import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.differential.KafkaOracle;
import io.github.batchvalidator.differential.KafkaOracle.KafkaAnswer;
import io.github.batchvalidator.differential.KafkaOracle.Place;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.hostile.HostileInput.Look;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Prints what the costly inputs cost a request thread, in Kafka's own classes and in ours, which
 * share the JVM and the codec libraries: time of the processor and allocated heap, least of several
 * rounds.
 */
final class CostProbe {
  private static final int ROUNDS = 7;
  private static final int TOLD_SIZE = 500;
  private static final int CODEC_AT = BatchLayout.ATTRIBUTES_OFFSET + 1;
  private static final long NANOS_PER_MS = 1_000_000;
  private static final long KIB = 1024;
  private static final Place PLACE = new Place(0, 0, Batches.nowMs());
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private CostProbe() {}

  /**
   * Prints one row per input.
   *
   * @param args the folder
   */
  public static void main(String[] args) throws IOException {
    List<HostileInput> inputs = HostileInputs.costly();
    KafkaOracle kafka = new KafkaOracle();
    System.out.println(
        "Least of " + ROUNDS + " rounds, JDK " + System.getProperty("java.version") + ".\n");
    System.out.println(
        "| input | bytes | Kafka: ms, KiB | level KAFKA: ms, KiB | with limits: ms, KiB |");
    System.out.println("|---|--:|---|---|---|");
    try (BatchValidator validator = new BatchValidator()) {
      for (int i = 0; i < inputs.size(); i++) {
        HostileInput input = inputs.get(i);
        byte[] bytes = InputFolder.read(Path.of(args[0]), i);
        Policy policy = input.policy(Look.KAFKA);
        List<String> cells =
            List.of(
                input.family() + ", " + codec(bytes),
                size(bytes.length),
                cost(() -> stock(kafka, bytes, policy)),
                cost(() -> ours(validator, bytes, policy)),
                cost(() -> ours(validator, bytes, input.policy(Look.LIMITED))));
        System.out.println("| " + String.join(" | ", cells) + " |");
      }
    }
  }

  private static String stock(KafkaOracle kafka, byte[] bytes, Policy policy) {
    KafkaAnswer answer = kafka.ask(bytes, policy, PLACE);
    return StockProbe.outcome(answer, null).words().replace("*", "");
  }

  /** Of what a few bytes suffice for, their number is nothing to publish. */
  private static String size(int bytes) {
    return bytes < TOLD_SIZE ? "below " + TOLD_SIZE : "" + bytes;
  }

  private static Codec codec(byte[] batch) {
    return Objects.requireNonNull(Codec.byId(batch[CODEC_AT] & BatchLayout.CODEC_MASK));
  }

  private static String ours(BatchValidator validator, byte[] bytes, Policy policy) {
    MutableVerdict verdict = new MutableVerdict();
    validator.inspect(ByteBuffer.wrap(bytes), policy, Batches.nowMs(), verdict);
    return verdict.accepted() ? "accepted" : "" + verdict.reason();
  }

  private static String cost(Supplier<String> call) {
    long[] nanos = new long[ROUNDS];
    long[] allocated = new long[ROUNDS];
    String outcome = "";
    for (int i = 0; i < ROUNDS; i++) {
      long bytesBefore = THREADS.getCurrentThreadAllocatedBytes();
      long before = THREADS.getCurrentThreadCpuTime();
      outcome = call.get();
      nanos[i] = THREADS.getCurrentThreadCpuTime() - before;
      allocated[i] = THREADS.getCurrentThreadAllocatedBytes() - bytesBefore;
    }
    Arrays.sort(nanos);
    Arrays.sort(allocated);
    double ms = (double) nanos[0] / NANOS_PER_MS;
    return String.format(Locale.ROOT, "%.2f, %d (%s)", ms, allocated[0] / KIB, outcome);
  }
}
