// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.preflight;

import io.github.batchvalidator.dropin.KafkaLine;
import java.io.IOException;
import java.util.List;
import java.util.SortedSet;
import java.util.jar.Attributes;

/** The check of Kafka's version, and of the calls that the broker makes of the drop-in. */
final class KafkaCheck {
  /** The attribute of the jar's manifest with its Kafka line. */
  static final String LINE = "Batch-Validator-Kafka-Line";

  /** The attribute of the jar's manifest with the versions of Kafka that it was tested with. */
  static final String TESTED = "Batch-Validator-Kafka-Tested";

  static final String LOG_VALIDATOR = "org/apache/kafka/storage/internals/log/LogValidator";

  private static final String WHAT = "Kafka";

  private KafkaCheck() {}

  static void check(BrokerStart start, Attributes made, Findings findings) throws IOException {
    Class<?> ours;
    try {
      ours =
          Class.forName(LOG_VALIDATOR.replace('/', '.'), true, KafkaCheck.class.getClassLoader());
    } catch (ClassNotFoundException | LinkageError e) {
      findings.fix(WHAT, "the broker would not start: " + e.getMessage());
      return;
    }
    String tested = String.valueOf(made.getValue(TESTED));
    String version = KafkaLine.version(ours);
    if (version != null && List.of(tested.split(", ", -1)).contains(version)) {
      findings.ok(WHAT, version + ", tested with this jar");
    } else {
      findings.note(
          WHAT,
          (version == null ? "an unknown version" : version)
              + " is of the line of this jar, but was not tested with it (tested: "
              + tested
              + ")");
    }
    SortedSet<String> missing = ValidatorCalls.missing(start.classPath(), start.jar());
    if (!missing.isEmpty()) {
      findings.fix(
          WHAT,
          "appends would fail with NoSuchMethodError, because the broker calls what the jar does"
              + " not have:\n"
              + String.join("\n", missing));
    }
  }
}
