// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.hostile;

import io.github.batchvalidator.differential.KafkaOracle;
import io.github.batchvalidator.differential.KafkaOracle.KafkaAnswer;
import io.github.batchvalidator.differential.KafkaOracle.Place;
import io.github.batchvalidator.hostile.HostileInput.Look;
import io.github.batchvalidator.testing.Batches;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.kafka.storage.internals.log.RecordValidationException;
import org.jspecify.annotations.Nullable;

/** Gives inputs out of a folder to Kafka's own classes, and prints what became of them. */
final class StockProbe {
  private static final Place PLACE = new Place(0, 0, Batches.nowMs());

  private StockProbe() {}

  /**
   * Prints one line per input: its index and the outcome.
   *
   * @param args the folder and the indexes
   */
  public static void main(String[] args) throws IOException {
    List<HostileInput> inputs = HostileInputs.all();
    KafkaOracle kafka = new KafkaOracle();
    for (int i = 1; i < args.length; i++) {
      int index = Integer.parseInt(args[i]);
      byte[] bytes = InputFolder.read(Path.of(args[0]), index);
      KafkaAnswer answer = kafka.ask(bytes, inputs.get(index).policy(Look.KAFKA), PLACE);
      Throwable unread = answer.accepted() ? kafka.readAll(bytes) : null;
      System.out.println(index + " " + outcome(answer, unread));
    }
  }

  static StockOutcome outcome(KafkaAnswer answer, @Nullable Throwable unread) {
    if (answer.accepted()) {
      return stored(unread);
    }
    Throwable thrown = answer.thrown();
    if (thrown instanceof RecordValidationException several) {
      thrown = several.invalidException();
    }
    if (thrown instanceof OutOfMemoryError) {
      return StockOutcome.OUT_OF_MEMORY;
    }
    if (thrown instanceof StackOverflowError) {
      return StockOutcome.STACK_OVERFLOW;
    }
    return answer.crashed() ? StockOutcome.CRASH : StockOutcome.REFUSED;
  }

  private static StockOutcome stored(@Nullable Throwable unread) {
    if (unread == null) {
      return StockOutcome.ACCEPTED;
    }
    return unread instanceof OutOfMemoryError ? StockOutcome.EXHAUSTING : StockOutcome.UNREADABLE;
  }
}
