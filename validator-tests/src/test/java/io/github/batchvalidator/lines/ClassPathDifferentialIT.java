// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.lines;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.batchvalidator.dropin.line.LineAppend;
import java.util.Objects;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.kafka.storage.internals.log.LogValidator;

/**
 * What {@link LinesDifferentialIT} compares, in small, of one line and on the class path of the
 * tests: {@code scripts/mutation} changes classes there, and not in the jars.
 */
class ClassPathDifferentialIT {
  private static final LinePair PAIR = pair();

  private final LineReport report = new LineReport();

  private static LinePair pair() {
    KafkaLine line = KafkaLine.V4_3;
    ClassLoader loader = Objects.requireNonNull(LogValidator.class.getClassLoader());
    try {
      LineClasses classes = new LineClasses(loader);
      return new LinePair(
          line,
          new LineSide(line, classes, LogValidator.class),
          new LineSide(line, classes, LineAppend.class));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  @Property(tries = 60, seed = "20261121")
  void oursAnswersWhatStockAnswers(@ForAll("drafts") Draft draft) {
    LineFamilies.compare(draft, report, PAIR);
    assertEquals(0, report.unexplained(), report::toText);
  }

  @Provide
  Arbitrary<Draft> drafts() {
    return Appends.drafts();
  }
}
